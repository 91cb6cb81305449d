"""Find players, and compare two to four: their curves, the games between them, the opponents they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations
from json import dumps
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromQuery
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.explain.curves import CurveLine, curve_data, curve_picture
from arpad.explain.player_figures import MOST_A_GAME, PlayerEvent, is_played
from arpad.model.people import Person, birth_year
from arpad.model.rules import LISTS, ListName
from arpad.office.declared import Reading
from arpad.office.lists import published as published_lists
from arpad.office.lists.page_rows import published_ratings, snapshot
from arpad.office.office import Office
from arpad.office.parts import Choice
from arpad.office.players.history import HistoryEntry, explained_line, history_lines, player_history
from arpad.office.players.page import curve_words
from arpad.office.register import number_rows as hidden_players
from arpad.office.register.acts import find_players, players_found, players_with_similar_names
from arpad.office.register.number_rows import merge_targets_of, public_player
from arpad.web.cache import fresh_headers
from arpad.web.reader import PUBLIC, page_words
from arpad.web.requests import WebRequest, page_number, paginate, require_office
from arpad.web.templates import page

MOST_PLAYERS = 4
MOST_PERIODS = 20
"""How many lists with tournaments of each player are searched for games: each is computed again."""

MOST_MATCHES = 8
MOST_COMMON = 60


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game of a compared player."""

    opponent: int
    name: str
    round: int
    day: date | None
    event: str
    report: int
    colour: str
    score: Fraction
    most: Fraction
    """The points of a win."""


@dataclass(frozen=True, slots=True)
class Record:
    """The score of a player against an opponent."""

    score: Fraction
    games: int
    most: Fraction
    """The points of as many wins."""


@get("/compare", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def compare(request: WebRequest, players: FromQuery[str] = "", add: FromQuery[str] = "") -> Response[Any]:
    """Show two to four players side by side; a name or number in ``add`` adds one."""
    office = require_office(request)
    with office.store.reading() as connection:
        people = _people(connection, players)
        hidden = hidden_players.hidden(connection)
        version = snapshot(connection).hidden_version
        histories = {person.id: player_history(connection, person.id) for person in people}
    on_list = _chosen_list(request.query_params.get("list", ""), histories)
    asked = add.strip()[:100]
    candidates: list[Person] = []
    if asked and len(people) < MOST_PLAYERS:
        matches = find_players(office, asked, MOST_MATCHES + MOST_PLAYERS, public=True)
        taken = {person.id for person in people}
        candidates = [person for person in matches if person.id not in taken][:MOST_MATCHES]
    if len(candidates) == 1:
        return Redirect(compare_address([*people, *candidates], on_list), status_code=303)
    headers = fresh_headers(
        request, "compare", on_list, asked, tuple((p.id, p.name, p.title, p.federation) for p in people),
        tuple(p.id for p in candidates), version,
        *(e.publication.digest for rows in histories.values() for entries in rows.values() for e in entries),
    )  # fmt: skip
    entries = {number: rows.get(on_list, []) if on_list else [] for number, rows in histories.items()}
    meetings = _meetings(office, entries) if len(people) > 1 else {}
    words = page_words(request)
    lines = [
        CurveLine(str(p.id), p.name, [(e.publication.day, e.rating) for e in entries[p.id]]) for p in people
    ]
    title = words.text("player.curve-of", names=", ".join(person.name for person in people))
    return page(
        request, "players/compare.html", headers=headers, people=people, on_list=on_list, asked=asked,
        lists=_lists_of(histories),
        candidates=candidates, full=len(people) >= MOST_PLAYERS, year=birth_year, address=compare_address,
        entries=entries, days=_days(entries), lines=lines, curve=curve_picture(title, lines),
        curve_data=dumps(curve_data(lines)), curve_words=curve_words(words),
        pairs=[(a, b, between(meetings[a.id], b.id)) for a, b in combinations(people, 2)] if meetings else [],
        common=common_opponents(meetings, hidden), record=record, periods=MOST_PERIODS,
    )  # fmt: skip


def compare_address(people: Sequence[Person], on_list: ListName | None) -> str:
    """Return the address of a comparison."""
    chosen = {"list": str(on_list)} if on_list else {}
    return f"/compare?{urlencode({'players': ','.join(str(p.id) for p in people), **chosen}, safe=',')}"


def _people(connection: Connection, players: str) -> list[Person]:
    """Return the players of the address, each once; a merged player is the one whom they were merged into."""
    texts = [text for text in players.split(",") if text.isascii() and text.isdigit() and len(text) < 10]  # noqa: PLR2004  beyond what the register counts
    numbers = [int(text) for text in texts][: 2 * MOST_PLAYERS]
    merged = merge_targets_of(connection, numbers)
    chosen = [*dict.fromkeys(merged.get(number, number) for number in numbers)][:MOST_PLAYERS]
    return [public_player(connection, number) for number in chosen]


def _lists_of(histories: Mapping[int, Mapping[ListName, list[HistoryEntry]]]) -> list[ListName]:
    """Return the lists on which one of the players is: the five in their order, then the office's own."""
    names = dict.fromkeys(name for rows in histories.values() for name in rows)
    return [*(name for name in LISTS if name in names), *(name for name in names if name.is_own)]


def _chosen_list(
    asked: str, histories: Mapping[int, Mapping[ListName, list[HistoryEntry]]]
) -> ListName | None:
    """Return the list of the address, else the first that most of the players are on."""
    counts = {name: sum(name in rows for rows in histories.values()) for name in _lists_of(histories)}
    for name in counts:
        if name == asked:
            return name
    most = max(counts.values(), default=0)
    return next((name for name, count in counts.items() if count == most and most), None)


def _days(entries: Mapping[int, Sequence[HistoryEntry]]) -> list[tuple[HistoryEntry, dict[int, int | None]]]:
    """Return the ratings of all players on each list on which one of them changed, the latest first."""
    by_list: dict[date, tuple[HistoryEntry, dict[int, int | None]]] = {}
    for number, rows in entries.items():
        for entry in rows:
            by_list.setdefault(entry.publication.day, (entry, {}))[1][number] = entry.rating
    table: list[tuple[HistoryEntry, dict[int, int | None]]] = []
    for day in sorted(by_list):
        if not table or table[-1][1] != by_list[day][1]:
            table.append(by_list[day])
    return table[::-1]


def _meetings(office: Office, entries: Mapping[int, Sequence[HistoryEntry]]) -> dict[int, list[Meeting]]:
    """Return the games of each player on the latest lists with tournaments."""
    meetings: dict[int, list[Meeting]] = {}
    with office.store.reading() as connection:
        for number, rows in entries.items():
            lines = history_lines(connection, number, rows)[:MOST_PERIODS]
            periods = (it for line in lines for it in explained_line(connection, number, line).periods)
            events = [event for period in periods for event in period.events]
            meetings[number] = games_of(events)
    return meetings


def games_of(events: Sequence[PlayerEvent]) -> list[Meeting]:
    """Return the games of some events that were played against a player of the register, each once."""
    games = {
        (event.report, game.round, game.opponent): Meeting(
            game.opponent, game.name, game.round, event.last_day, event.name, event.report, game.colour, game.score,
            MOST_A_GAME[event.changes_by_game],
        )
        for event in events
        for game in event.games
        if game.opponent is not None and is_played(game)
    }  # fmt: skip
    return [*games.values()]


def between(meetings: Sequence[Meeting], opponent: int) -> list[Meeting]:
    """Return the games against one opponent, the latest first."""
    games = [meeting for meeting in meetings if meeting.opponent == opponent]
    return sorted(games, key=lambda game: (game.day or date.min, game.round), reverse=True)


def record(games: Sequence[Meeting]) -> Record:
    """Return the score of at least one game."""
    score, most = (
        sum(points, Fraction(0)) for points in zip(*((g.score, g.most) for g in games), strict=True)
    )
    return Record(score, len(games), most)


def common_opponents(
    meetings: Mapping[int, Sequence[Meeting]], hidden: frozenset[int]
) -> list[tuple[int, str, dict[int, Record]]]:
    """Return the opponents whom at least two of the players have met: number, name, the record of each player."""
    met: dict[int, dict[int, list[Meeting]]] = {}
    for number, games in meetings.items():
        for game in games:
            if game.opponent not in meetings and game.opponent not in hidden:
                met.setdefault(game.opponent, {}).setdefault(number, []).append(game)
    shared = [
        (opponent, next(iter(by_player.values()))[0].name, {n: record(g) for n, g in by_player.items()})
        for opponent, by_player in met.items()
        if len(by_player) > 1
    ]
    shared.sort(key=lambda row: (-sum(each.games for each in row[2].values()), row[1]))
    return shared[:MOST_COMMON]


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
