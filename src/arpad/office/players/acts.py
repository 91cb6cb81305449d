"""Players as answers have them: everybody's page, what the office has on file, and how a rating came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from sqlalchemy import Connection

from arpad.explain.calculator_documents import ChangeDocument, change_document
from arpad.lists.categories import CategoryChange
from arpad.model.clubs import club_on
from arpad.model.declared import Accepts
from arpad.model.errors import Missing
from arpad.model.rules import CHESS_LISTS, ListName
from arpad.model.typed_values import check_among
from arpad.office.declared import InForceOn, ListChosen, PlayerNumber, Reading, query
from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_facts, list_revision
from arpad.office.lists.history_rows import LISTED
from arpad.office.lists.history_rows import player_history as lines_of_player
from arpad.office.parts import clubs_of_player, live_standings, player_categories
from arpad.office.players.history import player_history, rating_since
from arpad.office.register.acts import OF_PLAYER, Player, known_player, player_facts, player_with_number
from arpad.office.register.number_rows import merge_targets, merge_targets_of, public_player
from arpad.office.reports import rows
from arpad.office.reports.acts import FiledReport, filed_report
from arpad.office.users import EVERYBODY, officer

if TYPE_CHECKING:
    from arpad.office.players.explain import Explanation


Scheme = Annotated[str, Accepts("fide", longest=20, word="number-scheme", personal=False)]
SchemeNumber = Annotated[str, Accepts("89900102", longest=40, word="scheme-number")]
NextGames = Annotated[Sequence[str], Accepts("1900:1", word="next-game")]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player on one list."""

    list: str
    day: date
    revision: int
    rating: int | None
    games: int
    k: int | None
    inactive: bool


@dataclass(frozen=True, slots=True)
class LiveStanding:
    """A rating as the next list would show it now; not official."""

    list: str
    day: date
    computed: str
    official: int | None
    rating: int | None
    change: int | None
    games: int
    events: int
    with_received: int | None
    """The rating with the reports that are not accepted yet too; null if they change nothing."""


@dataclass(frozen=True, slots=True)
class PublicPlayer:
    """A player with their club, their rating on each list, and the changes of their national categories."""

    player: Player
    standings: tuple[Standing, ...]
    club: str | None
    categories: tuple[CategoryChange, ...]
    live: tuple[LiveStanding, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A player on every list, each in its newest revision."""

    player: int
    history: tuple[Standing, ...]


@dataclass
class WhatIf(ChangeDocument):
    """The change that the next games would bring a player, with the rating and K that would apply."""

    player: int = 0
    name: str = ""
    official_since: str = ""


@query("get player", EVERYBODY, path="/players/{number}")
def get_player(reading: Reading, number: PlayerNumber) -> PublicPlayer:
    """Show a player with their rating on each list in force."""
    connection, day = reading.connection, reading.today
    person = public_player(connection, number)
    latest = {it.list: it for it in _standings(connection, number) if it.day <= day}
    categories = (it for name in CHESS_LISTS for it in player_categories(connection, number, name, day))
    return PublicPlayer(
        player_facts(person, public=True),
        tuple(latest.values()),
        club_on(clubs_of_player(connection, number).items(), day) or None,
        tuple(categories),
        tuple(live_standings(connection, number)),
    )


@query("get player by number", EVERYBODY, path="/players/{scheme}/{value}")
def get_player_by_number(reading: Reading, scheme: Scheme, value: SchemeNumber) -> PublicPlayer:
    """Show a player by the number that FIDE or another body gave them.

    Schemes that the office hides find nobody.
    """
    number = player_with_number(reading.connection, scheme.lower(), value)
    if number is None:
        raise Missing("no-player")
    return get_player.function(reading, number)


@query(
    "get history", EVERYBODY, columns=("list", "day", "revision", "rating", "games", "k"),
    path="/players/{number}/history",
)  # fmt: skip
def get_history(reading: Reading, number: PlayerNumber) -> History:
    """Show a player on every list, each in its newest revision."""
    public_player(reading.connection, number)
    return History(number, tuple(_standings(reading.connection, number)))


def _standings(connection: Connection, number: int) -> list[Standing]:
    player = merge_targets_of(connection, [number]).get(number, number)
    return [
        Standing(
            str(name), it.publication.day, it.publication.revision, it.rating, it.games, it.k, it.inactive
        )
        for name, points in player_history(connection, player).items()
        for it in points
    ]


@query("calculate next games", EVERYBODY, path="/players/{number}/what-if")
def next_games(
    reading: Reading, number: PlayerNumber, *, game: NextGames, list_: ListChosen = ListName.STANDARD
) -> WhatIf:
    """Calculate the points that the next games would bring.

    The rating and K are those in force, the edition is today's (8.5).
    """
    from arpad.office.editions.acts import edition_on
    from arpad.rating.calculator import Question, calculate_change

    check_among(list_, "list", CHESS_LISTS)
    connection, day = reading.connection, reading.today
    person = public_player(connection, number)
    points = player_history(connection, person.id).get(list_, [])
    edition = edition_on(connection, list_, day)
    now = [point for point in points if point.publication.day <= day]
    if not now or now[-1].rating is None:
        raise Missing("unrated-player")
    values = {"rating": [str(now[-1].rating)], "game": [*game], "list": [str(list_)], "edition": [edition.id]}
    if now[-1].k:
        values["k"] = [str(now[-1].k)]
    change = change_document(calculate_change(Question(values, [edition])), reading.words)
    return WhatIf(**vars(change), player=person.id, name=person.name, official_since=str(rating_since(now)))


@query("player", OF_PLAYER, path="/office/players/{player}")
def show_player(reading: Reading, player: PlayerNumber) -> PlayerOnRecord:
    """Show a player's file: facts, lists and reports.

    It begins with the ratings in force.
    """
    return player_file(reading.connection, player)


@dataclass(frozen=True, slots=True)
class ExplainedRating:
    """The rating of a player on a day, the list with which it last changed, and how."""

    player: int
    name: str
    list_in_force: ListRevision | None
    rating: int | None
    since: ListRevision | None
    pending_events: int
    categories: tuple[CategoryChange, ...]
    story: Any


@dataclass(frozen=True, slots=True)
class ExplanationShown:
    """An explanation of a rating, with its steps in the reader's language."""

    explanation: Explanation
    list: ListName
    day: date | None
    """The day that was asked for; None: today."""

    story: Any

    def document(self) -> ExplainedRating:
        """Return it as JSON has it."""
        it = self.explanation
        return ExplainedRating(
            it.person.id, it.person.name, list_revision(it.publication) if it.publication else None, it.rating,
            list_revision(it.since) if it.since else None, it.pending, it.categories, self.story,
        )  # fmt: skip


@query("explain", officer("register"), path="/explanations/{player}")
def explain_rating(
    reading: Reading,
    player: PlayerNumber,
    *,
    list_: ListChosen = ListName.STANDARD,
    date_: InForceOn | None = None,
) -> ExplanationShown:
    """Explain a player's rating on a day, game by game.

    Example: arpad office explain 12 --list standard --date 2018-05-15 --db office.db
    """
    from arpad.explain.explanation import explained_change_document
    from arpad.office.players.explain import explain_on

    explanation = explain_on(reading.connection, player, list_, date_ or reading.today)
    change = explanation.change
    story = None if change is None else explained_change_document(change, reading.words)
    return ExplanationShown(explanation, list_, date_, story)


@dataclass(frozen=True, slots=True)
class PlayerOnList(ListRevision):
    """A revision of a list with a player's line on it."""

    rating: int | None
    games: int
    inactive: bool
    shown: bool
    """Whether the published list shows the player; a player who is left out is computed all the same."""

    category: str | None


@dataclass(frozen=True, slots=True)
class PlayerOnRecord(Player):
    """A player of the register with their lists and reports."""

    merged_into: int | None = None
    lists: tuple[PlayerOnList, ...] = ()
    reports: tuple[FiledReport, ...] = ()


def player_file(connection: Connection, number: int) -> PlayerOnRecord:
    """Return a player's file, the lists by name, day and revision."""
    facts = player_facts(known_player(connection, number))
    history = lines_of_player(connection, number)
    published = [it for it in lists.all_publications(connection) if it.id in history]
    appearances = tuple(
        PlayerOnList(
            **list_facts(it), rating=row.rating, games=row.games, inactive=bool(row.inactive),
            shown=row.shown == LISTED, category=row.category or None,
        )
        for it in sorted(published, key=lambda it: (it.list, it.day, it.revision))
        for row in [history[it.id]]
    )  # fmt: skip
    reports = rows.filed(connection, rows.reports_of(connection, number)).values()
    return PlayerOnRecord(
        **{field.name: getattr(facts, field.name) for field in fields(Player)},
        merged_into=merge_targets(connection).get(number),
        lists=appearances,
        reports=tuple(map(filed_report, reports)),
    )
