"""The values of a player's page: why a rating changed, the summary, the curve, tournaments, the career, and marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import pairwise
from json import dumps
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from sqlalchemy import Connection

from arpad.explain.curves import CurveLine, CurveMark, curve_data, curve_picture
from arpad.explain.pictures import WIN, Mark, distribution, results_bar
from arpad.explain.player_figures import (
    ALL,
    Goal,
    PlayerEvent,
    Results,
    change_sentence,
    event_sentence,
    event_sums,
    game_outcome,
    next_goals,
    performance,
    rated_games,
    results_by_colour,
    tranche_sentences,
)
from arpad.explain.words import Words, capitalized
from arpad.lists.explanation import ExplainedChessEvent, ExplainedGame
from arpad.model.errors import NoEdition
from arpad.model.exact import half_up
from arpad.model.people import Person
from arpad.model.rules import Edition, Fact, ListName
from arpad.office.editions.acts import edition_on, editions_here, editions_of, title_editions
from arpad.office.lists.history_rows import chess_figures
from arpad.office.lists.page_rows import RatingCounts, rating_counts
from arpad.office.lists.tables import IMPORTED
from arpad.office.office import Office
from arpad.office.parts import player_record
from arpad.office.players.history import (
    HistoryEntry,
    HistoryLine,
    Period,
    explained_line,
    history_lines,
    rating_since,
)
from arpad.regulations.editions import in_force, named
from arpad.regulations.fide.performance_rating import PerformanceRating
from arpad.regulations.fide.rules import ChessRules, OneOffAdjustment
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.regulations.systems import system_of
from arpad.store.bulk import page_of

PERIODS_OF_WHOLE_PAGE = 120
"""Ten years of monthly lists; a longer history goes on with the next page, so that no request has unbounded work."""


def page_values(
    office: Office,
    connection: Connection,
    person: Person,
    history: Mapping[ListName, list[HistoryEntry]],
    on_list: ListName | None,
    day: date,
    words: Words,
    *,
    at: date | None = None,
    whole: int = 0,
) -> dict[str, Any]:
    """Return what the template shows of a player: the cards of all lists, and everything about one of them.

    All lists that changed something have a line; the line of the day ``at`` is open, else the newest. On a page of the
    ``whole`` history all are open, so that it can be printed at once.
    """
    until_today = {
        name: [entry for entry in entries if entry.publication.day <= day]
        for name, entries in history.items()
    }
    values = {
        "person": person,
        "history": history,
        "on_list": on_list,
        "day_shown": day,
        "whole": whole,
        "cards": [
            (name, entries[-1], rating_since(entries)) for name, entries in until_today.items() if entries
        ],
        "curve": "",
        "what_if": None,
        "event_sums": event_sums,
        "event_sentence": event_sentence,
        "tranche_sentences": tranche_sentences,
        "event_performance": lambda _event: None,
        **_shared(person, until_today, words),
    }
    if on_list is None:
        return values
    entries, by_season = history[on_list], system_of(on_list).rates_again
    summary = None
    lines = history_lines(connection, person.id, entries)
    current_page, pages = page_of(whole, len(lines), PERIODS_OF_WHOLE_PAGE)
    opened = (
        lines[(current_page - 1) * PERIODS_OF_WHOLE_PAGE :][:PERIODS_OF_WHOLE_PAGE]
        if whole
        else _line_at(lines, at)
    )
    asked = {line.day: line for line in (*lines[:1], *opened)}
    explained = {at: explained_line(connection, person.id, line) for at, line in asked.items()}
    edition = None if by_season else edition_on(connection, on_list, day)
    if until_today[on_list]:
        summary = player_summary(connection, person, until_today[on_list], edition, day)
    lifted = {} if by_season else adjustments(editions_of(connection, on_list), on_list)
    editions = editions_here(connection)
    newest = explained[lines[0].day].periods if lines else ()
    marks = player_marks(entries, lifted, words)
    curves = [curve_line(name, rows, words) for name, rows in history.items()]
    curves.sort(key=lambda line: line.id != on_list)
    return values | {
        "record": player_record(office, on_list, person.id) if system_of(on_list).has_categories else None,
        "newest": newest,
        "lines": opened if whole else lines,
        "periods_of": {line.day: explained[line.day].periods for line in opened},
        "page_number": current_page,
        "pages": pages,
        "address": lambda to: (
            f"/players/{person.id}/whole?{urlencode({'list': on_list, 'page': to})}#tournaments"
        ),
        "needs": _needs(on_list, entries, newest, edition) if edition else None,
        "what_if": _what_if(on_list, until_today[on_list], edition) if edition else None,
        "summary": summary,
        "distribution": _distribution(person, summary, words) if summary else "",
        "marks": marks,
        "curve": curve_picture(words.text("site.chart-label", name=person.name), curves[:1], marks),
        "curve_data": dumps(curve_data(curves, marks)),
        "curve_words": curve_words(words),
        "event_performance": lambda event: event_performance([event], on_list, editions),
        "sentence": lambda period: _sentence(period, marks, words),
    }


def _line_at(lines: Sequence[HistoryLine], at: date | None) -> list[HistoryLine]:
    """Return the line that holds on a day, the newest without one."""
    return [line for line in lines if at is None or line.day <= at][:1] or [*lines[:1]]


def _shared(
    person: Person, entries: Mapping[ListName, Sequence[HistoryEntry]], words: Words
) -> dict[str, str]:
    """Return the words with which the page is shared: the ratings, and a description."""
    ratings = [
        f"{words.text(f'site.list-{name}')} {rows[-1].rating}"
        for name, rows in entries.items()
        if rows and rows[-1].rating is not None
    ]
    headline = ", ".join(ratings)
    if not ratings:
        return {"headline": "", "description": words.text("player.description-none", name=person.name)}
    return {
        "headline": headline,
        "description": words.text("player.description", name=person.name, lists=headline),
    }


def curve_line(name: ListName, entries: Sequence[HistoryEntry], words: Words) -> CurveLine:
    """Return the ratings of one list as a line."""
    label = words.text(f"site.list-{name}")
    points = [(entry.publication.day, entry.rating) for entry in entries]
    return CurveLine(str(name), capitalized(label), points)


def curve_words(words: Words) -> str:
    """Return the words of the controls that the script of a curve adds."""
    labels = {name: words.text(f"player.curve-{name}") for name in ("all", "year", "slider", "list")}
    form = words.form
    days = {
        "day": form.day,
        "months": [*form.months.values()],
        "numbers": form.day_numbers,
        "colon": form.colon,
    }
    return dumps({**labels, **days})


def _sentence(period: Period, marks: Sequence[CurveMark], words: Words) -> str:
    """Return why a list changed something: the calculation, else the events of its day, else where it comes from."""
    if period.change is not None:
        return change_sentence(period.change, words)
    publication = period.entry.publication
    if publication.kind == IMPORTED:
        return words.text("player.imported")
    happened = [mark.text for mark in marks if mark.day == publication.day and mark.kind != PEAK]
    return f"{'; '.join(happened)}." if happened else words.text("player.unchanged")


def results_picture(results: Results) -> Markup:
    """Return wins, draws and losses as a bar; the words beside it are its text alternative."""
    bar = results_bar("", results.wins, results.draws, results.losses)
    return Markup(bar)  # noqa: S704  a picture of our own


def _distribution(person: Person, summary: Summary, words: Words) -> str:
    """Return the picture of the list with the player's place in it."""
    rating, counts = summary.latest.rating, summary.counts
    if rating is None or counts is None:
        return ""
    facts = {"below": counts.below(rating), "players": counts.players, "rating": rating}
    mark = Mark(rating, words.text("player.here", name=person.name, rating=rating))
    return distribution(words.text("player.distribution", **facts), counts.counts, mark)


def _needs(
    on_list: ListName,
    entries: Sequence[HistoryEntry],
    periods: Sequence[Period],
    edition: Edition[ChessRules],
) -> dict[str, Any] | None:
    """Return what an unrated player still lacks on a chess list: games so far, games needed, the floor."""
    if entries[-1].rating is not None:
        return None
    rules = edition.on(on_list)
    entry = next((p.change.entry for p in periods if p.change and p.change.entry), None)
    return {
        "entry": entry,
        "games": entry.games if entry else 0,
        "needed": rules.minimum_games.value,
        "floor": rules.floor.value,
        "edition": edition.id,
        "articles": {"games": rules.minimum_games.article, "floor": rules.floor.article},
    }


def _what_if(
    on_list: ListName, entries: Sequence[HistoryEntry], edition: Edition[ChessRules]
) -> dict[str, Any] | None:
    """Return the rating, K and edition with which the calculator counts games of today on a chess list."""
    if not entries or entries[-1].rating is None:
        return None
    return {"rating": entries[-1].rating, "k": entries[-1].k, "edition": edition.id, "list": str(on_list)}


@dataclass(frozen=True, slots=True)
class Summary:
    """The head of the page about a player on one list."""

    peak: HistoryEntry | None
    latest: HistoryEntry
    rank: int | None
    """Among the active players of the newest list; None for an inactive player."""

    counts: RatingCounts | None
    goals: tuple[Goal, ...]


def player_summary(
    connection: Connection,
    person: Person,
    entries: Sequence[HistoryEntry],
    edition: Edition[ChessRules] | None,
    day: date,
) -> Summary:
    """Return the summary of a player from the entries of a list."""
    latest = entries[-1]
    peak = max(
        (entry for entry in entries if entry.rating), key=lambda entry: entry.rating or 0, default=None
    )
    on_list = latest.publication.list
    rules = edition.on(on_list) if edition else None
    counts = rank = None
    if latest.rating is not None:
        counts = rating_counts(connection, latest.publication)
        rank = None if latest.inactive else counts.rank(latest.rating)
    goals: list[Goal] = []
    if rules is not None and latest.rating is not None:
        figures = next(chess_figures(connection, latest.publication, [person.id]), None)
        games, highest = figures[3:5] if figures else (0, 0)
        titles = title_rules(connection, day) if on_list is ListName.STANDARD else None
        goals = next_goals(person, day, latest.rating, games, highest, latest.k, rules, titles)
    return Summary(peak, latest, rank, counts, tuple(goals))


def title_rules(connection: Connection, day: date) -> TitleRules | None:
    """Return the title regulations in force in this office on a day."""
    try:
        return in_force(title_editions(connection), ListName.STANDARD, day).on(ListName.STANDARD)
    except NoEdition:
        return None


LEAST_GAMES = 5
"""Rated games of a tournament whose performance may be the best."""


@dataclass(frozen=True, slots=True)
class Career:
    """A player's tournaments on one list."""

    results: Mapping[str, Results]
    """The games over the board, rated or not, by colour."""

    tournaments: int
    rated_games: int
    average: int | None
    """The average rating of the opponents in the rated games."""

    best_win: tuple[ExplainedGame, PlayerEvent] | None
    best_performance: tuple[PerformanceRating, PlayerEvent] | None

    @property
    def all(self) -> Results:
        """The results with both colours."""
        return self.results[ALL]


def careers(
    connection: Connection, player: int, history: Mapping[ListName, Sequence[HistoryEntry]]
) -> dict[ListName, Career]:
    """Return the career on each list on which the player played: every tournament that the lists rated."""
    editions = editions_here(connection)
    found: dict[ListName, Career] = {}
    for name, entries in history.items():
        events: dict[
            str, PlayerEvent
        ] = {}  # a list of a season tells the events of the lists before it again
        for line in history_lines(connection, player, entries):
            for period in explained_line(connection, player, line).periods:
                for event in period.events:
                    events.setdefault(event.id, event)
        if events:
            found[name] = _career(list(events.values()), name, editions)
    return found


def _career(events: Sequence[PlayerEvent], on_list: ListName, editions: Sequence[Edition[Any]]) -> Career:
    rated = [(game, event) for event in events for game in rated_games([event])]
    ratings = [game.rating or 0 for game, _ in rated]
    wins = [(game, event) for game, event in rated if game_outcome(game, chess=event.changes_by_game) == WIN]
    performances = [
        (shown, event)
        for event in events
        if (shown := event_performance([event], on_list, editions)) and shown.games >= LEAST_GAMES
    ]
    return Career(
        results_by_colour(events),
        len({event.report for event in events}),
        len(rated),
        half_up(Fraction(sum(ratings), len(ratings))) if ratings else None,
        max(wins, key=lambda it: it[0].rating or 0, default=None),
        max(performances, key=lambda it: it[0].rating, default=None),
    )


def all_results(careers_by_list: Mapping[ListName, Career]) -> Results:
    """Return wins, draws and losses on all lists together."""
    each = [career.all for career in careers_by_list.values()]
    return Results(sum(it.wins for it in each), sum(it.draws for it in each), sum(it.losses for it in each))


def event_performance(
    events: Sequence[PlayerEvent], on_list: ListName, editions: Sequence[Edition[Any]]
) -> PerformanceRating | None:
    """Return the performance in the rated games of one tournament, with the table of its edition; none at draughts."""
    if not events or not isinstance(events[0], ExplainedChessEvent):
        return None
    return performance(events, named(events[0].edition, editions).on(on_list))


PEAK = "peak"


def adjustments(editions: Sequence[Edition[Any]], on_list: ListName) -> dict[date, OneOffAdjustment]:
    """Return the one-off adjustments of a chess list by the day of the list."""
    rules: list[ChessRules] = [edition.on(on_list) for edition in editions if on_list in edition.lists]
    values = [item.one_off_adjustment.value for item in rules if item.one_off_adjustment]
    return {value.on: value for value in values}


def player_marks(
    entries: Sequence[HistoryEntry], lifted: Mapping[date, OneOffAdjustment], words: Words
) -> list[CurveMark]:
    """Return the events on the curve, the earliest first."""
    happened: list[_Happening] = []
    rated_before = bool(entries) and entries[0].rating is not None
    for before, entry in pairwise(entries):
        happened += _between(before, entry, lifted.get(entry.publication.day), rated_before=rated_before)
        rated_before = rated_before or entry.rating is not None
    happened += [_correction(entry) for entry in entries if entry.corrected]
    rated = [entry for entry in entries if entry.rating is not None]
    if len(rated) > 1:
        peak = max(rated, key=lambda entry: entry.rating or 0)
        happened.append(_Happening(PEAK, peak, peak.rating))
    marks = [
        CurveMark(
            each.entry.publication.day,
            each.rating,
            each.kind,
            words.text(
                f"player.mark-{each.kind}", day=each.entry.publication.day, rating=each.rating, **each.facts
            ),
        )
        for each in happened
        if each.rating is not None
    ]
    return sorted(marks, key=lambda mark: mark.day)


@dataclass(frozen=True, slots=True)
class _Happening:
    kind: str
    entry: HistoryEntry
    rating: int | None
    facts: Mapping[str, Fact] = field(default_factory=dict)


def _between(
    before: HistoryEntry, entry: HistoryEntry, adjustment: OneOffAdjustment | None, *, rated_before: bool
) -> Iterator[_Happening]:
    """Yield what happened between two lists."""
    if before.rating is None or entry.rating is None:
        if entry.rating is not None:
            yield _Happening("again" if rated_before else "first", entry, entry.rating)
        elif before.rating is not None:
            capital = system_of(entry.publication.list).has_categories
            yield _Happening("cancelled" if capital else "delisted", before, before.rating)
        return
    if adjustment is not None and entry.rating > before.rating:
        yield _lift(entry, adjustment)
    if entry.inactive != before.inactive:
        yield _Happening("inactive" if entry.inactive else "active", entry, entry.rating)


def _lift(entry: HistoryEntry, adjustment: OneOffAdjustment) -> _Happening:
    if adjustment.below is None:
        return _Happening(
            "lifted-to-standard", entry, entry.rating, {"minus": adjustment.standard_minus or 0}
        )
    facts: dict[str, Fact] = {"below": adjustment.below, "percent": 100 * adjustment.share}
    return _Happening("lifted", entry, entry.rating, facts)


def _correction(entry: HistoryEntry) -> _Happening:
    if entry.rating is None:
        return _Happening("corrected-away", entry, entry.earlier)
    if entry.earlier is None:
        return _Happening("corrected-entry", entry, entry.rating)
    return _Happening("corrected", entry, entry.rating, {"before": entry.earlier})
