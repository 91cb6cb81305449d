"""The calculators of chess, each once: the library passes values, command line, site and API pass a ``Question``.

A question has texts as people type them; the answer has the result, the edition it follows, and the steps to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from arpad.model.chess import Change, Entry, GameChange, PlayerFacts, RatedGame
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.people import birth_year
from arpad.model.rules import CHESS_LISTS, Edition, ListName, Step
from arpad.model.typed_values import (
    HIGHEST_K,
    check_rating,
    check_within,
    parse_birth,
    parse_day,
    parse_integer,
    parse_score,
)
from arpad.rating.arguments import (
    EVENT_FORM,
    GAME_FORM,
    EventResult,
    choose_edition,
    parse_event,
    parse_game,
)
from arpad.rating.round_robin import (
    NEWEST,
    RoundRobinRating,
    parse_player,
    rate_round_robin,
    with_earlier_events,
)
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.chess.change import coefficient as coefficient_of
from arpad.regulations.chess.change import game_changes, rating_change
from arpad.regulations.chess.entry_rating import entry_rating, swiss_performance
from arpad.regulations.chess.performance_rating import PerformanceRating, performance_rating
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.chess.titles.rules import TitleRules
from arpad.regulations.editions import ALL

T = TypeVar("T")

MOST_RATED_GAMES = 100_000
MOST_ITEMS = 200
"""Games, opponents or events in one question from the site."""

# ------------------------------------------------------------------------------------------------- with values


@dataclass(frozen=True, slots=True)
class Coefficient:
    """K with its derivation."""

    k: int
    steps: tuple[Step, ...]


def change(rating: int, games: Sequence[RatedGame], k: int, rules: ChessRules) -> Change:
    """Return the rating change of a player over the games of a period."""
    check_rating(rating, "rating")
    check_within(k, "k", 1, HIGHEST_K)
    if not games:
        raise BadInput("no-games-given", option="game", accepted=GAME_FORM)
    for game in games:
        check_rating(game.opponent, "game")
        check_rating(game.own, "game")
        if game.score not in (0, 1, 2):
            raise BadInput("bad-score", option="game", value=Fraction(game.score, 2), accepted="0, 0.5, 1")
    return rating_change(rating, k, games, rules)


def expected(own: int, opponent: int, rules: ChessRules) -> GameChange:
    """Return the expected score of a player against an opponent, as a game without points."""
    check_rating(own, "rating")
    check_rating(opponent, "opponent")
    (game,) = game_changes([RatedGame(own, opponent, 0)], rules)
    return game


def coefficient(facts: PlayerFacts, on: date, rules: ChessRules) -> Coefficient:
    """Return the development coefficient of a player on a day."""
    check_rating(facts.rating, "rating")
    check_rating(facts.peak, "peak")
    check_within(facts.games, "games", 0, MOST_RATED_GAMES)
    if facts.from_standard and not rules.entry_takes_standard:
        raise BadInput("no-standard-rating-here", option="from_standard")
    year = birth_year(facts.born)
    if year is not None:
        check_within(year, "born", on.year - 130, on.year)
    return Coefficient(*coefficient_of(facts, on, rules))


def entry(events: Sequence[EventResult], rules: ChessRules, *, affiliated: bool = False) -> Entry:
    """Return the entry rating of an unrated player from their Swiss events."""
    if not events:
        raise BadInput("no-games-given", option="event", accepted=EVENT_FORM)
    for event in events:
        if not event.ratings:
            raise BadInput("empty-event", option="event", accepted=EVENT_FORM)
        for rating in event.ratings:
            check_rating(rating, "event")
        if not 0 <= event.score <= 2 * len(event.ratings):
            facts = {"value": Fraction(event.score, 2), "low": 0, "high": len(event.ratings)}
            raise BadInput("score-beyond-games", option="event", **facts)
    performances = [
        swiss_performance(str(number), event.ratings, event.score, last_day=event.last_day)
        for number, event in enumerate(events, start=1)
    ]
    return entry_rating(performances, rules, affiliated=affiliated)


def performance(ratings: Sequence[int], score: HalfPoints, rules: ChessRules) -> PerformanceRating:
    """Return the performance rating of a score against rated opponents (8.1a)."""
    if not ratings:
        raise BadInput("value-missing", option="opponents")
    for rating in ratings:
        check_rating(rating, "opponents")
    if not 0 <= score <= 2 * len(ratings):
        facts = {"value": Fraction(score, 2), "low": 0, "high": len(ratings)}
        raise BadInput("score-beyond-games", option="score", **facts)
    return performance_rating(ratings, score, rules)


# ---------------------------------------------------------------------------------------- questions and answers


@dataclass(frozen=True, slots=True)
class Question:
    """Names with one or several texts, as a form, a link, a request of the API or a command line has them."""

    values: Mapping[str, Sequence[str]]
    editions: Sequence[Edition[Any]] = ALL
    """The editions that can be chosen by name, or by the day on which they are in force."""

    today: date | None = None
    """In an office, the day that decides if the question names neither edition nor day."""

    title_editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS
    """The editions of the title regulations, to be chosen in the same way."""

    local: bool = False
    """Asked on a command line: an edition may be a TOML file, an empty text is a value, no number is limited."""

    @classmethod
    def from_options(
        cls,
        editions: Sequence[Edition[Any]] = ALL,
        **options: str | Sequence[str] | bool | None,
    ) -> Question:
        """Return the question of a command line; an option that is None or False was not given."""
        values: dict[str, Sequence[str]] = {}
        for name, value in options.items():
            if isinstance(value, str):
                values[name.rstrip("_")] = [value]
            elif value is True:
                values[name.rstrip("_")] = ["1"]
            elif value:
                values[name.rstrip("_")] = value
        return cls(values, editions, local=True)

    def all(self, name: str) -> list[str]:
        """Return every text of a name; except on a command line, empty texts are left out."""
        texts = self.values.get(name, ())
        if self.local:
            return list(texts)
        texts = [text.strip() for text in texts if text.strip()]
        self.limit(len(texts), name)
        return texts

    def one(self, name: str) -> str | None:
        """Return the last text of a name, or None."""
        texts = self.values.get(name, ())
        if not self.local:
            texts = [text.strip() for text in texts if text.strip()]
        return texts[-1] if texts else None

    def needed(self, name: str) -> str:
        """Return the text of a name that must be given."""
        text = self.one(name)
        if text is None:
            raise BadInput("value-missing", option=name)
        return text

    def yes(self, name: str) -> bool:
        """Return whether a box was ticked."""
        return (self.one(name) or "") in ("1", "true", "on", "yes")

    def limit(self, items: int, name: str) -> None:
        """Refuse a question from the site with too many items."""
        if not self.local and items > MOST_ITEMS:
            raise BadInput("too-many-values", option=name, most=MOST_ITEMS)

    @property
    def empty(self) -> bool:
        """Whether nothing was asked yet."""
        return not any(
            text.strip() for name, texts in self.values.items() if name != "lang" for text in texts
        )

    def edition_name(self, example: str) -> str | None:
        """Return the name of an edition; only a command line may name a file."""
        name = self.one("edition")
        if name is not None and name.endswith(".toml") and not self.local:
            raise BadInput("value-unknown", option="edition", value=name, accepted=example)
        return name

    def editions_of(self, lists: Collection[ListName]) -> list[Edition[Any]]:
        """Return the editions of chess or of draughts."""
        return [edition for edition in self.editions if not edition.lists.keys().isdisjoint(lists)]


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A result, the edition it follows and the steps that led to it."""

    edition: Edition[Any]
    list: ListName
    result: T
    derivation: tuple[Step, ...] = field(default=())
    notes: tuple[Step, ...] = field(default=())
    """Steps of single games that a row of figures cannot show."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The notes, then the derivation."""
        return (*self.notes, *self.derivation)


def _chess(question: Question, day: date | None = None) -> tuple[Edition[ChessRules], ListName, ChessRules]:
    """Return the edition by name, or in force on a day, or today, or the newest; the list; and its rules."""
    name = question.one("list")
    if name is not None and name not in CHESS_LISTS:
        raise BadInput("value-unknown", option="list", value=name, accepted=", ".join(CHESS_LISTS))
    on_list = ListName(name or "standard")
    edition, given_day = question.edition_name("fide-2017"), question.one("date")
    chosen_day = parse_day(given_day, "date") if given_day else None
    if edition is None and chosen_day is None:
        chosen_day = day or question.today
    chosen = choose_edition(edition, chosen_day, on_list, question.editions_of(CHESS_LISTS))
    return chosen, on_list, chosen.on(on_list)


def _coefficient(
    question: Question, rating: int, games: int, edition: Edition[ChessRules], rules: ChessRules
) -> Coefficient:
    peak, born, on = question.one("peak"), question.one("born"), question.one("on") or question.one("date")
    facts = PlayerFacts(
        rating,
        games,
        parse_integer(peak, "peak") if peak is not None else 0,
        parse_birth(born, "born") if born else None,
        question.yes("from_standard"),
    )
    return coefficient(facts, parse_day(on, "on") if on else edition.effective, rules)


# ------------------------------------------------------------------------------------------------------- chess


def answer_change(question: Question) -> Answer[Change]:
    """Answer by how much a rated player changes over one period (8.5)."""
    edition, on_list, rules = _chess(question)
    rating = parse_integer(question.needed("rating"), "rating")
    games = [parse_game(text, rating) for text in [*question.all("game"), *_paired(question)]]
    k = question.one("k")
    if k is not None:
        applied = Coefficient(parse_integer(k, "k"), ())
    else:
        # Without a number of games the player is past the newcomers' limit; if unrated on this list, they have none.
        default = 0 if question.yes("from_standard") else rules.k_new_games.value
        so_far = question.one("games")
        count = parse_integer(so_far, "games") if so_far is not None else default
        applied = _coefficient(question, rating, count, edition, rules)
    result = change(rating, games, applied.k, rules)
    return Answer(edition, on_list, result, (*applied.steps, *result.steps), _notes(result.games))


def _paired(question: Question) -> list[str]:
    """Return the games that a form without JavaScript sends: opponents and scores side by side."""
    opponents, scores = question.values.get("opponent", ()), question.values.get("score", ())
    pairs = [(o.strip(), s.strip()) for o, s in zip(opponents, scores, strict=False) if o.strip()]
    question.limit(len(pairs), "opponent")
    return [f"{opponent}:{score}" for opponent, score in pairs]


def _notes(games: Sequence[GameChange]) -> tuple[Step, ...]:
    """Return the steps about caps, exemptions and games too far apart, each once."""
    quantities = ("capped", "exempt", "not-capped-again", "too-far")
    steps = {(s.quantity, s.value): s for game in games for s in game.steps if s.quantity in quantities}
    return tuple(steps.values())


def answer_entry(question: Question) -> Answer[Entry]:
    """Answer with which rating an unrated player enters a list (8.2, 8.3, 7.14)."""
    events = [parse_event(text) for text in [*question.all("event"), *_event_rows(question)]]
    last_day = max((event.last_day for event in events if event.last_day), default=None)
    edition, on_list, rules = _chess(question, last_day)
    question.limit(sum(len(event.ratings) for event in events), "event")
    result = entry(events, rules, affiliated=question.yes("affiliated"))
    return Answer(edition, on_list, result, result.steps)


def _event_rows(question: Question) -> list[str]:
    """Return the events that a form sends: opponents' ratings with blanks or commas, and the points."""
    ratings, points = question.values.get("ratings", ()), question.values.get("points", ())
    rows = [
        ",".join(row.replace(",", " ").replace(";", " ").split()) + f":{score.strip()}"
        for row, score in zip(ratings, points, strict=False)
        if row.strip()
    ]
    return rows[:MOST_ITEMS]


def answer_round_robin(question: Question) -> Answer[RoundRobinRating]:
    """Answer what a round robin with unrated players gives everybody (8.21b, 8.25, 8.58)."""
    edition, on_list, _ = _chess(question, NEWEST.effective)
    players = [parse_player(text) for text in [*question.all("player"), *_player_rows(question)]]
    before = [
        number
        for text in question.all("counted_before")
        for number in text.replace(",", " ").split() or [text]
    ]
    day = question.one("date")
    result = rate_round_robin(
        with_earlier_events(players, before), edition, on_list, cycles=2 if question.yes("double") else 1,
        day=parse_day(day, "date") if day else None,
    )  # fmt: skip
    return Answer(edition, on_list, result, result.table.steps)


def _player_rows(question: Question) -> list[str]:
    """Return the players that a form sends: rating, results, K and name side by side; a blank rating is none."""
    columns = [question.values.get(name, ()) for name in ("rating", "results", "k", "name")]
    rows = [
        tuple(text.strip() for text in row) for row in zip_longest(*columns, fillvalue="") if row[1].strip()
    ]
    question.limit(len(rows), "results")
    for rating, _, k, _ in rows:  # an error names the field of the form, not a part of --player
        for text, name in ((rating.strip("-–"), "rating"), (k, "k")):
            if text:
                parse_integer(text, name)
    return [f"{rating or '-'}:{results}:{k}:{name}" for rating, results, k, name in rows]


def answer_coefficient(question: Question) -> Answer[int]:
    """Answer with which K a player is rated (8.56)."""
    on = question.one("on")
    edition, on_list, rules = _chess(question, parse_day(on, "on") if on else None)
    rating = parse_integer(question.needed("rating"), "rating")
    games = parse_integer(question.needed("games"), "games")
    result = _coefficient(question, rating, games, edition, rules)
    return Answer(edition, on_list, result.k, result.steps)


def answer_performance(question: Question) -> Answer[PerformanceRating]:
    """Answer which rating a score against some opponents shows: their average plus dp (8.1a)."""
    edition, on_list, rules = _chess(question)
    texts = [text for part in question.all("opponents") for text in re.split(r"[\s,;]+", part) if text]
    question.limit(len(texts), "opponents")
    ratings = [parse_integer(text, "opponents") for text in texts]
    result = performance(ratings, parse_score(question.needed("score"), "score"), rules)
    return Answer(edition, on_list, result, result.steps)


def answer_expected(question: Question) -> Answer[GameChange]:
    """Answer which score a player may expect against an opponent (8.1b, 8.54)."""
    edition, on_list, rules = _chess(question)
    rating = parse_integer(question.needed("rating"), "rating")
    opponent = parse_integer(question.needed("opponent"), "opponent")
    result = expected(rating, opponent, rules)
    steps = tuple(step for step in result.steps if step.quantity != "delta")
    return Answer(edition, on_list, result, steps)
