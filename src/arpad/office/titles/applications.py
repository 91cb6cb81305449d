"""The norms of a report, what an application for a title needs, and its form (IT2), filled from what is on record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date

from sqlalchemy import Connection

from arpad.explain.certificates import CertificateFacts, norm_certificate
from arpad.explain.title_applications import (
    ApplicationFacts,
    AppliedNorm,
    TitleApplication,
    TitleRequirement,
    title_requirement,
)
from arpad.explain.words import Words
from arpad.model.errors import BadInput, NoEdition
from arpad.model.exact import decimal_text, points
from arpad.model.federations import is_foreign
from arpad.model.people import Person
from arpad.model.rules import Edition, ListName
from arpad.office.drafts.load_events import load_events
from arpad.office.editions.acts import title_editions
from arpad.office.lists.history_rows import player_history, rated_from
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office, today
from arpad.office.register.number_rows import merge_targets
from arpad.office.register.rows import load_people
from arpad.office.reports.rows import decisions_in_force, filed, with_kept_players
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.office.titles.rows import RecordedNorm, player_norms
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.titles.awards import HeldNorm, application, titles_by_rating
from arpad.regulations.fide.titles.field import BigField
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from arpad.store.settings import read_setting

RANK = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""Titles, the highest first."""


@dataclass(frozen=True, slots=True)
class TitleProposal:
    """A title that a rating gives to a player who does not hold it."""

    player: int
    name: str
    federation: str
    title: str
    rating: int
    edition: str
    article: str


def title_edition(connection: Connection, day: date) -> Edition[TitleRules]:
    """Return the title regulations in force in this office on a day."""
    try:
        return in_force(title_editions(connection), ListName.STANDARD, day)
    except NoEdition:
        raise BadInput("norms-before-editions", day=day) from None


def proposed_titles(office: Office) -> list[TitleProposal]:
    """Return the titles that the newest standard list gives to players who hold neither them nor a higher one.

    The player's federation applies for a title (B.01 2), so players of other federations are left out.
    """
    with office.store.reading() as connection:
        publications = all_publications(connection, ListName.STANDARD)
        if not publications:
            return []
        newest = max(publications, key=lambda publication: (publication.day, publication.revision))
        edition = title_edition(connection, newest.day)
        rules = edition.on(ListName.STANDARD)
        values = rules.rating_titles.value
        rated = rated_from(connection, newest.id, min(values.cm, values.wcm))
        people = load_people(connection, rated, on=newest.day)
        home = read_setting(connection, "federation")
    proposals = []
    for player, (rating, games) in rated.items():
        person = people[player]
        if home and is_foreign(person.federation, home):
            continue
        given = titles_by_rating(rating, games, "w" if person.sex == "F" else "m", rules)
        held = [RANK.index(title) for title in (person.title, person.women_title) if title in RANK]
        better = [title for title in given if not held or RANK.index(title) < min(held)]
        if better:
            best = min(better, key=RANK.index)
            article = rules.rating_titles.article
            proposals.append(
                TitleProposal(player, person.name, person.federation, best, rating, edition.id, article)
            )
    return sorted(proposals, key=lambda item: (RANK.index(item.title), item.name.casefold()))


NOTHING_MORE = ApplicationFacts()
APPLICATION_FACTS = tuple(item.name for item in fields(ApplicationFacts))


@dataclass(frozen=True, slots=True)
class TitleCheck:
    """A title above those that a player holds: the norms that count, and what an application needs."""

    title: NormTitle
    edition: str
    complete: bool
    peak: int
    norms: tuple[int, ...]
    requirements: tuple[TitleRequirement, ...]


def check_titles(
    connection: Connection, player: int, day: date, *, reached: int | None = None
) -> list[TitleCheck]:
    """Return whether an application for each title not held would succeed on a day (B.01 1.5.2).

    ``reached`` is a rating that was reached within a period or a tournament and that the federation can prove; the
    ratings of published lists are known.
    """
    kept = merge_targets(connection).get(player, player)
    person = load_people(connection, [kept], on=day).get(kept)
    if person is None:
        raise BadInput("no-player", player=player)
    return title_checks(connection, person, day, player_norms(connection, kept), reached or 0)


def title_checks(
    connection: Connection, person: Person, day: date, norms: Iterable[RecordedNorm], reached: int = 0
) -> list[TitleCheck]:
    """Return the same for a player with all their norms."""
    norms = [norm for norm in norms if norm.last_day <= day]
    peak = max(
        reached, 0, *(rating for listed_on, rating in _listed(connection, person.id) if listed_on <= day)
    )
    edition = title_edition(connection, day)
    rules = edition.on(ListName.STANDARD)
    checks = []
    for title in _titles_above(person):
        counting = _one_per_event(norm for norm in norms if norm.title in _SERVES[title])
        held = [_held(norm, rules) for norm in counting]
        requirements = tuple(map(title_requirement, application(title, held, peak, rules)))
        complete = all(it.met for it in requirements)
        numbers = tuple(norm.norm for norm in counting)
        checks.append(TitleCheck(title, edition.id, complete, peak, numbers, requirements))
    return checks


def _titles_above(person: Person) -> list[NormTitle]:
    """Return the titles by norms that a player does not hold yet."""
    titles = [NormTitle.GM, NormTitle.IM]
    if person.sex == "F":
        titles += [NormTitle.WGM, NormTitle.WIM]
    held = {person.title, person.women_title}
    if "GM" in held:
        return []
    below = {
        "IM": {NormTitle.IM, NormTitle.WIM},
        "WGM": {NormTitle.WGM, NormTitle.WIM},
        "WIM": {NormTitle.WIM},
    }
    done = {title for name in held for title in below.get(name, ())}
    return [title for title in titles if title not in done]


_SERVES: dict[NormTitle, frozenset[NormTitle]] = {
    NormTitle.GM: frozenset({NormTitle.GM}),
    NormTitle.IM: frozenset({NormTitle.GM, NormTitle.IM}),
    NormTitle.WGM: frozenset({NormTitle.GM, NormTitle.IM, NormTitle.WGM}),
    NormTitle.WIM: frozenset({*NormTitle}),
}
"""The norms that serve for a title: a higher norm is also one for a lower title (B.01 1.5.2)."""


def _one_per_event(norms: Iterable[RecordedNorm]) -> tuple[RecordedNorm, ...]:
    """Return the norm of each tournament that counts as most games: one result makes one norm of an application.

    A player who made a norm for GM often made one for IM with the same games.
    """
    best: dict[tuple[str, date], RecordedNorm] = {}
    for norm in norms:
        event = (norm.event, norm.first_day)
        if event not in best or norm.games > best[event].games:
            best[event] = norm
    return tuple(best.values())


def _held(norm: RecordedNorm, rules: TitleRules) -> HeldNorm:
    after = rules.big_swiss is not None and norm.last_day > rules.big_swiss.value.after
    return HeldNorm(norm.games, norm.normal, norm.single_days, norm.special, after, norm.by_bye)


def _listed(connection: Connection, player: int) -> list[tuple[date, int]]:
    """Return the ratings of a player on the published standard lists, each with its day."""
    days = {p.id: p.day for p in all_publications(connection, ListName.STANDARD)}
    history = player_history(connection, player)
    return [(days[number], row.rating or 0) for number, row in history.items() if number in days]


# ----------------------------------------------------------------------------------------------------- the form


def title_application(
    office: Office,
    player: int,
    title: NormTitle,
    words: Words,
    facts: ApplicationFacts = NOTHING_MORE,
    *,
    on: date | None = None,
    reached: int | None = None,
) -> TitleApplication:
    """Return the application of a player for a title (B.01 1.5, 1.8); ``reached`` as for ``check_titles``."""
    with office.store.reading() as connection:
        day = on or today(office, connection)
        checks = {check.title: check for check in check_titles(connection, player, day, reached=reached)}
        check = checks.get(title)
        if check is None:
            raise BadInput("title-not-above", player=player, title=str(title))
        kept = merge_targets(connection).get(player, player)
        person = load_people(connection, [kept], on=day)[kept]
        needed = title_edition(connection, day).on(ListName.STANDARD).title_rating.value.of(title)
        days = [listed_on for listed_on, rating in _listed(connection, kept) if rating >= needed]
        on_record = player_norms(connection, kept)
        applied = [_applied(connection, norm, words) for norm in on_record if norm.norm in check.norms]
    family, _, first = person.name.partition(",")
    filled = {
        "federation": person.federation,
        "first_name": first.strip(),
        "id": facts.id or person.identifier("fide"),
        "birth": facts.birth or (str(person.born) if person.born else ""),
        "birth_place": facts.birth_place,
        "reached_on": facts.reached_on or (str(min(days)) if days else ""),
        "official": facts.official,
    }
    return TitleApplication(
        title=str(title),
        edition=check.edition,
        complete=check.complete,
        family_name=family.strip(),
        **filled,
        peak=check.peak,
        norms=applied,
        total_games=sum(norm.counts_as for norm in applied),
        remarks=facts.remarks,
        missing=[name for name, value in filled.items() if not value],
        without_report=[norm.norm for norm in applied if norm.average is None],
    )


def _applied(connection: Connection, norm: RecordedNorm, words: Words) -> AppliedNorm:
    """Return a norm with the figures of its report, if the office has the report and it is still accepted."""
    known = AppliedNorm(
        norm.norm, str(norm.title), norm.event, norm.place, str(norm.first_day), str(norm.last_day), norm.games
    )  # fmt: skip
    if norm.report is None or filed(connection, [norm.report])[norm.report].status != ACCEPTED:
        return known
    on_file, merged = norms_of_report(connection, norm.report), merge_targets(connection)
    recomputed = [
        (player.entrant.number, it)
        for player in on_file.result.players
        if merged.get(number := on_file.players[player.entrant.number], number) == norm.player
        for it in player.norms
        if it.norm and it.title is norm.title
    ]
    if not recomputed:
        return known  # a decision since then has changed the report
    entrant, made = recomputed[0]
    paper = norm_certificate(on_file.result, entrant, made, CertificateFacts())
    played = made.record.games
    return replace(
        known,
        system=words.text(f"normsystem.{on_file.result.event.system}"),
        played=len(played),
        played_score=decimal_text(points(sum(game.score for game in played))),
        unrated_opponents=paper.games - paper.rated_opponents,
        **{name: getattr(paper, name) for name in _OF_CERTIFICATE},
    )


_OF_CERTIFICATE = (
    "average", "games", "score_needed", "score", "host_opponents", "foreign_opponents", "titled_opponents", "titles",
    "rated_opponents",
)  # fmt: skip
"""The fields that a norm of an application takes from its certificate."""


@dataclass(frozen=True, slots=True)
class FiledNorms:
    """The norms of an accepted report."""

    result: ReportNorms
    players: Mapping[int, int]
    """Players of the register by start number."""

    made: list[RecordedNorm]
    """The norms made, as they are put on record."""


def norms_of_report(connection: Connection, number: int) -> FiledNorms:
    """Return the norms of an accepted report."""
    filed = report_on_file(connection, number)
    require_status(filed, ACCEPTED)
    if filed.list is not ListName.STANDARD:
        raise BadInput("norms-standard-only", report=number, list=str(filed.list))
    merged = merge_targets(connection)
    decided = with_kept_players(decisions_in_force(connection), merged)
    whole = [decision for decision in decided if decision.kind != "by-round"]
    (event,) = load_events(connection, [filed], whole, merged, filed.list, (), CHESS_EDITIONS)
    report = event.report()
    found_norms = find_norms(report, NormOptions.of_facts(event.facts, title_editions(connection)))
    header = report.header
    players = dict(zip((entrant.number for entrant in report.entrants), event.players, strict=True))
    days = [cells.day for cells in report.rounds if cells.day]
    made = [
        RecordedNorm(
            players[player.entrant.number], norm.title, header.name, header.city, event.first_day,
            header.last_day or event.first_day, norm.edition.id, norm.counted, norm.exempt is None,
            sum(days.count(day) == 1 for day in set(days)), found_norms.big is BigField.ALL,
            norm.basis is not None and norm.basis == norm.edition.on(ListName.STANDARD).bye_norm, number,
        )
        for player in found_norms.players
        for norm in player.norms
        if norm.norm
    ]  # fmt: skip
    return FiledNorms(found_norms, players, made)
