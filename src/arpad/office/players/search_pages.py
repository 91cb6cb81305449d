"""The search for players: its page, and the suggestions while somebody types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromQuery
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.model.people import Person, birth_year
from arpad.model.rules import LISTS, ListName
from arpad.office.declared import Reading
from arpad.office.lists import published as published_lists
from arpad.office.lists.page_rows import published_ratings
from arpad.office.office import Office
from arpad.office.parts import Choice
from arpad.office.register.acts import find_players, players_found, players_with_similar_names
from arpad.web.auth import PUBLIC
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page

PLAYERS_PER_PAGE = 50
MOST_PAGES = 20
"""The search shows no more pages; a longer text finds the player sooner."""

SUGGESTED = 8
SIMILAR = 5
LONGEST_TEXT = 100
LOOKED_AT = 200
"""Players with a name among whom those of an officer's federation are looked for."""


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player of the search with the ratings in force, the first list first."""

    person: Person
    ratings: tuple[tuple[ListName, int], ...]

    @property
    def born(self) -> int | None:
        """The year of birth."""
        return birth_year(self.person.born)

    @property
    def title(self) -> str:
        """The title, or the women's title."""
        return self.person.title or self.person.women_title

    @property
    def address(self) -> str:
        """The address of the player's page, on the first list with a rating."""
        chosen = f"?list={self.ratings[0][0]}" if self.ratings else ""
        return f"/players/{self.person.id}{chosen}"


def _with_ratings(office: Office, connection: Connection, people: Sequence[Person]) -> list[FoundPlayer]:
    if not people:
        return []
    numbers = [person.id for person in people]
    by_list: Mapping[ListName, Mapping[int, int | None]] = {
        name: published_ratings(connection, publication.id, numbers)
        for name, publication in published_lists.lists_in_force(office, connection).items()
    }
    return [
        FoundPlayer(
            person,
            tuple(
                (name, rating) for name, ratings in by_list.items() if (rating := ratings.get(person.id)) is not None
            ),
        )
        for person in people
    ]  # fmt: skip


def player_choices(reading: Reading, text: str) -> list[Choice]:
    """Return the players of the reader's federations whom a text may mean, with title, birth and ratings in force."""
    may = reading.caller.officer_of
    people = [
        it for it in players_found(reading.connection, text, LOOKED_AT) if may(it.federation)
    ][:SUGGESTED]  # fmt: skip
    similar = () if people else players_with_similar_names(reading.office, text, SIMILAR)
    people += [it for it in similar if may(it.federation)]
    return [
        Choice(
            str(it.person.id),
            it.person.name,
            ", ".join(
                str(fact)
                for fact in (
                    it.title,
                    it.person.federation,
                    it.born,
                    *(rating for _, rating in it.ratings[:1]),
                )
                if fact
            ),
        )
        for it in _with_ratings(reading.office, reading.connection, people)
    ]


@get("/players", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def search(request: WebRequest, q: FromQuery[str] = "") -> Response[Any]:
    """Show players by name or number, page by page; redirect to the player if there is only one."""
    office = require_office(request)
    text = q.strip()[:LONGEST_TEXT]
    number = min(max(1, page_number(request.query_params.get("page", "1"))), MOST_PAGES)
    players = find_players(office, text, PLAYERS_PER_PAGE * number + 1, public=True) if text else []
    more = len(players) > PLAYERS_PER_PAGE * number
    similar = players_with_similar_names(office, text, SIMILAR, public=True) if text and not players else []
    with office.store.reading() as connection:
        shown, number, _ = paginate(players, number, PLAYERS_PER_PAGE)
        people = _with_ratings(office, connection, shown)
        similar_people = _with_ratings(office, connection, similar)
        in_force = () if people else tuple(published_lists.lists_in_force(office, connection))
    if len(people) == 1 and number == 1 and not more:
        return Redirect(people[0].address, status_code=303)
    everybody = [*people, *similar_people]
    return page(
        request, "players/search.html", text=text, people=people, similar=similar_people, page_number=number,
        lists=[name for name in LISTS if any(name == rated for it in everybody for rated, _ in it.ratings)],
        pages=number + 1 if more and number < MOST_PAGES else number, in_force=in_force,
        address=lambda to: f"/players?{urlencode({'q': text, 'page': to})}",
    )  # fmt: skip


@get("/players/suggestions", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def suggestions(request: WebRequest, q: FromQuery[str] = "") -> Response[str]:
    """Return the first players of a search as options, for the script of the search field."""
    office = require_office(request)
    text = q.strip()[:LONGEST_TEXT]
    players = find_players(office, text, SUGGESTED, public=True) if text else []
    similar = not players and bool(text)
    if similar:
        players = players_with_similar_names(office, text, SIMILAR, public=True)
    with office.store.reading() as connection:
        people = _with_ratings(office, connection, players)
    return page(request, "players/suggestions.html", text=text, people=people, similar=similar)


ROUTES = (search, suggestions)
