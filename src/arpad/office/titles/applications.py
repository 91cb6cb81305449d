"""The application for a title (IT2), filled from the register, the lists and the norms on record."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date

from sqlalchemy import Connection

from arpad.explain.certificates import CertificateFacts, norm_certificate
from arpad.explain.title_applications import ApplicationFacts, AppliedNorm, TitleApplication
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text, points
from arpad.model.rules import ListName
from arpad.office.lists.history_rows import player_history
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office, today
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import load_people
from arpad.office.reports.rows import filed
from arpad.office.reports.tables import ACCEPTED
from arpad.office.titles.acts import check_titles, norms_of_report
from arpad.office.titles.rating_titles import title_edition
from arpad.office.titles.rows import RecordedNorm
from arpad.regulations.chess.titles.rules import NormTitle

NOTHING_MORE = ApplicationFacts()
APPLICATION_FACTS = tuple(item.name for item in fields(ApplicationFacts))


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
    checks = {check.title: check for check in check_titles(office, player, on=on, reached=reached)}
    check = checks.get(title)
    if check is None:
        raise BadInput("title-not-above", player=player, title=str(title))
    with office.store.reading() as connection:
        kept = merge_targets(connection).get(player, player)
        day = on or today(office, connection)
        person = load_people(connection, [kept], on=day)[kept]
        needed = title_edition(connection, day).on(ListName.STANDARD).title_rating.value.of(title)
        listed_on = _first_list_with(connection, kept, needed)
        applied = [_applied(connection, norm, words) for norm in check.norms]
    family, _, first = person.name.partition(",")
    filled = {
        "federation": person.federation,
        "first_name": first.strip(),
        "id": facts.id or person.identifier("fide"),
        "birth": facts.birth or (str(person.born) if person.born else ""),
        "birth_place": facts.birth_place,
        "reached_on": facts.reached_on or (str(listed_on) if listed_on else ""),
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


def _first_list_with(connection: Connection, player: int, rating: int) -> date | None:
    """Return the day of the first standard list on which a player had at least a rating."""
    days = {item.id: item.day for item in all_publications(connection, ListName.STANDARD)}
    history = player_history(connection, player)
    reached = [
        days[number] for number, row in history.items() if number in days and (row.rating or 0) >= rating
    ]
    return min(reached, default=None)


def _applied(connection: Connection, norm: RecordedNorm, words: Words) -> AppliedNorm:
    """Return a norm with the figures of its report, if the office has the report and it is still accepted."""
    known = AppliedNorm(
        norm.id, str(norm.title), norm.event, norm.place, str(norm.first_day), str(norm.last_day), norm.games
    )
    if norm.report is None or filed(connection, [norm.report])[norm.report].status != ACCEPTED:
        return known
    on_file = norms_of_report(connection, norm.report)
    merged = merge_targets(connection)
    player = next(
        (
            player
            for player in on_file.result.players
            if merged.get(number := on_file.players[player.entrant.number], number) == norm.player
        ),
        None,
    )
    recomputed = (
        next((it for it in player.norms if it.norm and it.title is norm.title), None) if player else None
    )
    if player is None or recomputed is None:
        return known  # a decision since then has changed the report
    paper = norm_certificate(on_file.result, player.entrant.number, recomputed, CertificateFacts())
    played = recomputed.record.games
    return replace(
        known,
        system=words.text(f"normsystem.{on_file.result.event.system}"),
        average=paper.average,
        played=len(played),
        played_score=decimal_text(points(sum(game.score for game in played))),
        games=paper.games,
        score_needed=paper.score_needed,
        score=paper.score,
        host_opponents=paper.host_opponents,
        foreign_opponents=paper.foreign_opponents,
        titled_opponents=paper.titled_opponents,
        titles=paper.titles,
        rated_opponents=paper.rated_opponents,
        unrated_opponents=paper.games - paper.rated_opponents,
    )
