"""The desk's pages about who is who: likely duplicates, merges, aliases, and the schemes of players' numbers."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from sqlalchemy import Connection

from arpad.model.people import Person
from arpad.model.rules import LISTS
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.declared import Reading, perform
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import all_publications
from arpad.office.register.acts import known_player
from arpad.office.register.entrant_numbers import load_number_rules
from arpad.office.register.number_rows import merge_targets, merges_into
from arpad.office.register.rows import load_names
from arpad.office.reports import rows as reports
from arpad.office.who_is_who.acts import Merged, duplicates, own_aliases
from arpad.office.who_is_who.duplicates import agreement
from arpad.office.who_is_who.rows import distinct_pairs
from arpad.reports.entrant_match import DOUBTFUL_FROM
from arpad.reports.number_schemes import BUILT_IN, SHOWN
from arpad.web.declared_forms import rehearsed
from arpad.web.reader import OFFICER, caller_of
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import PagePart, page

MOST_SHOWN = 50


@get("/desk/duplicates", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def duplicates_page(request: WebRequest) -> Response[str]:
    """Show players who are likely the same, and pairs that are two people."""
    office = require_office(request)
    found = perform(duplicates, office, caller_of(request), {"most": MOST_SHOWN})
    with office.store.reading() as connection:
        own = {it.pair for it in found.two_people}
        apart = [it for it in distinct_pairs(connection) if it.id in own]
        names = load_names(connection, {number for pair in apart for number in (pair.player, pair.other)})
    return page(request, "who_is_who/duplicates.html", duplicates=found.duplicates, apart=apart, names=names)


@get("/desk/aliases", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def aliases_page(request: WebRequest, q: FromQuery[str] = "") -> Response[str]:
    """Show the aliases: names that officers said are a player."""
    office, text = require_office(request), q.strip()[:100]
    with office.store.reading() as connection:
        present = own_aliases(Reading(office, connection, caller_of(request)), text)
        shown = present[-MOST_SHOWN:][::-1]
        names = load_names(connection, {item.player for item in shown if item.player})
    return page(request, "who_is_who/aliases.html", aliases=shown, total=len(present), names=names, text=text)


@get("/desk/numbers", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def numbers_page(request: WebRequest) -> Response[str]:
    """Show the number schemes of the office, and which of them each source uses."""
    with require_office(request).store.reading() as connection:
        rules = load_number_rules(connection)
    return page(
        request, "who_is_who/numbers.html", declared=list(rules.declared.values()), rules=rules.sources,
        schemes=[(code, code.upper()) for code in (*BUILT_IN, *rules.declared)], shown=SHOWN,
    )  # fmt: skip


def _notices(_request: WebRequest, connection: Connection, _person: Person) -> Mapping[str, Any]:
    return {"concerned": affected_lists(connection)}


def _merges(_request: WebRequest, connection: Connection, person: Person) -> Mapping[str, Any]:
    return {"merges": merges_into(connection, person.id), "merged": person.id in merge_targets(connection)}


@post("/desk/players/{number:int}/merge", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_merge(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show what merging two players would do, before it is done; nothing is stored."""

    def show(given: Mapping[str, Any], merged: Merged) -> Response[str]:
        with require_office(request).store.reading() as connection:
            people = [known_player(connection, player) for player in (merged.kept, merged.dropped)]
            facts = standing_of(connection, people)
        score, agree = agreement(*people)
        return page(
            request, "who_is_who/confirm.html", people=people, revise=merged.revise, given=given, score=score,
            agree=agree, least=DOUBTFUL_FROM, **facts,
        )  # fmt: skip

    return await rehearsed(request, "merge", show, kept=str(number), confirmed="true")


def standing_of(connection: Connection, people: list[Person]) -> dict[str, Any]:
    """Return what a page shows of players before something is done to them: newest ratings and reports."""
    return {
        "listed": {person.id: _newest_ratings(connection, person.id) for person in people},
        "entered": {person.id: len(reports.reports_of(connection, person.id)) for person in people},
    }


def _newest_ratings(connection: Connection, player: int) -> list[tuple[str, int]]:
    """Return the ratings of a player on the newest list of each kind."""
    ratings = []
    for name in LISTS:
        publication = newest(all_publications(connection, name))
        table = read_players(connection, publication.id, [player]) if publication else None
        if table is not None and len(table) and (rating := table["rating"][0]) is not None:
            ratings.append((str(name), int(rating)))
    return ratings


PARTS = {
    "desk-player-notices": PagePart("who_is_who/to_revise.html", _notices),
    "desk-player-more": PagePart("who_is_who/merge.html", _merges),
}
