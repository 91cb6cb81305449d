"""The roll of some reports: what the register and the lists in force know of everybody who plays in them.

Whether one report is looked at or a thousand, it is loaded with the same few queries; whoever checks reports asks the
roll, and no longer the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.lists.published import DRAUGHTS
from arpad.model.chess import Standing
from arpad.model.errors import NoEdition
from arpad.model.json_values import load, to_birth
from arpad.model.people import Birth, Person
from arpad.model.rules import Edition, ListName
from arpad.office.editions import editions_here
from arpad.office.lists_in_force import list_in_force
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import in_force
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Report
from arpad.store import lists, register
from arpad.store.merges import merge_targets
from arpad.store.name_index import spelled
from arpad.store.search import same_names

_CHESS_SCHEMES, _DRAUGHTS_SCHEMES = ("fide", "fsi"), ("fid", "fmjd")
_USUAL = Standing(0)


class RegisteredPlayer(NamedTuple):
    """What a check asks of a player of the register."""

    name: str
    born: Birth
    affiliation: str
    died: date | None = None


class ListEntry(NamedTuple):
    """What a check asks of a player's standing on the list in force."""

    rating: int | None
    k: int | None
    games: int
    peak: int
    counted: bool
    """An earlier event of an unrated player counts already."""

    from_standard: bool = False
    """The rating is the standard one: the player has none on this list (RB 7.2.1)."""


_NOWHERE = ListEntry(None, None, _USUAL.games, _USUAL.peak, counted=False)


@dataclass(slots=True)
class PlayerLookup:
    """Loaded for some reports; asking for anybody else finds nobody."""

    kept: Mapping[int, int]
    """Dropped player → the one he was merged into."""

    editions: Sequence[Edition[ChessRules]]
    """Those that the office's lists go by."""

    numbers: dict[bool, dict[str, int]] = field(default_factory=lambda: {False: {}, True: {}})
    """For chess and for draughts: number of another body → player."""

    people: dict[int, RegisteredPlayer] = field(default_factory=dict)
    placed: dict[tuple[ListName, date], dict[int, ListEntry]] = field(default_factory=dict)
    """By list and first day: everybody on the list then in force, or who takes part with the standard rating."""

    same_names: dict[str, list[Person]] = field(default_factory=dict)
    """By the key of a name, of those who have no known number."""

    def players(self, on_list: ListName) -> Mapping[str, int]:
        """Whose number it is, by number; an empty one is nobody's."""
        return self.numbers[on_list in DRAUGHTS]

    def unnumbered(self, one: ReportToCheck) -> list[Entrant]:
        """The entrants of a report whose number is nobody's."""
        players = self.players(one.matched_on)
        return [entrant for entrant in one.report.entrants if entrant.id not in players]

    def kept_instead(self, player: int) -> int:
        """The player who stands for him."""
        return self.kept.get(player, player)

    def named(self, name: str) -> Sequence[Person]:
        """Players whose name is spelled so."""
        return self.same_names.get(spelled(name), ())

    def takes_standard(self, on_list: ListName, day: date) -> bool:
        """Whether somebody without a rating on a list takes part with the standard one, in an event of that day."""
        try:
            rules = in_force(self.editions, on_list, day).on(on_list)
        except NoEdition:
            return False
        return rules.entry_takes_standard is not None


class ReportToCheck(NamedTuple):
    """A report, and what is known of its event."""

    report: Report
    facts: EventFacts

    @property
    def matched_on(self) -> ListName:
        """The list whose numbers its players are known by."""
        return self.facts.list or ListName.STANDARD


def schemes_of(on_list: ListName) -> tuple[str, ...]:
    """The bodies whose numbers stand in reports for a list; a bare number is one of the first."""
    return _DRAUGHTS_SCHEMES if on_list in DRAUGHTS else _CHESS_SCHEMES


def roll_of(
    connection: Connection, asked: Iterable[ReportToCheck], decided: Iterable[int] = ()
) -> PlayerLookup:
    """Who plays in some reports; ``decided`` are players whom an officer names besides."""
    asked = list(asked)
    roll = PlayerLookup(merge_targets(connection), editions_here(connection))
    for on_list in (ListName.STANDARD, ListName.ITALIANA):
        draughts = on_list in DRAUGHTS
        some = [one.report for one in asked if (one.matched_on in DRAUGHTS) == draughts]
        wanted = {entrant.id for report in some for entrant in report.entrants if entrant.id}
        found: dict[str, int] = {}
        for scheme in schemes_of(on_list):
            found |= register.by_identifier(connection, scheme, wanted - found.keys())
        roll.numbers[draughts] = found
    roll.same_names |= {spelled(entrant.name): [] for one in asked for entrant in roll.unnumbered(one)}
    roll.same_names |= same_names(connection, roll.same_names) if roll.same_names else {}
    found_by_name = {person.id for same in roll.same_names.values() for person in same}
    everybody = {
        *decided,
        *found_by_name,
        *(p for numbers in roll.numbers.values() for p in numbers.values()),
    }
    everybody |= {roll.kept_instead(player) for player in everybody}
    _load_people(connection, roll, everybody)
    return roll


def _load_people(connection: Connection, roll: PlayerLookup, everybody: Iterable[int]) -> None:
    for player, (name, facts, _) in register.load_people(connection, everybody).rows.items():
        died = date.fromisoformat(facts.died) if facts.died else None
        roll.people[player] = RegisteredPlayer(name, to_birth(facts.born), facts.affiliation, died)


def place_on_lists(connection: Connection, roll: PlayerLookup, days: Iterable[tuple[ListName, date]]) -> None:
    """Add where everybody stands on the lists in force on some first days."""
    wanted = {*days} - roll.placed.keys()
    bring = {(on_list, day) for on_list, day in wanted if roll.takes_standard(on_list, day)}
    beside = {(ListName.STANDARD, day) for _, day in bring} - roll.placed.keys()
    everybody = sorted(roll.people)
    found: dict[int, dict[int, ListEntry]] = {}
    out: dict[ListName, tuple[lists.Publication, ...]] = {}
    for on_list, day in wanted | beside:
        if on_list not in out:
            out[on_list] = lists.all_publications(connection, on_list)
        publication = list_in_force(out[on_list], day)
        if publication is not None and publication.id not in found:
            found[publication.id] = _placed(connection, publication.id, everybody)
        roll.placed[on_list, day] = found[publication.id] if publication is not None else {}
    for on_list, day in bring:
        roll.placed[on_list, day] = _with_standard(
            roll.placed[on_list, day], roll.placed[ListName.STANDARD, day]
        )


def _with_standard(here: Mapping[int, ListEntry], standard: Mapping[int, ListEntry]) -> dict[int, ListEntry]:
    """A list with the standard ratings of those who have none on it; all else is as this list has it."""
    brought = {
        player: here.get(player, _NOWHERE)._replace(rating=placed.rating, from_standard=True)
        for player, placed in standard.items()
        if placed.rating is not None and here.get(player, _NOWHERE).rating is None
    }
    return {**here, **brought}


def _placed(connection: Connection, publication: int, everybody: Sequence[int]) -> dict[int, ListEntry]:
    states = lists.states(connection, publication, everybody, with_empty=True)
    return {player: _told(state) for player, state in states.items()}


@lru_cache(maxsize=16_384)
def _told(state: str) -> ListEntry:
    """What a state says; many are alike."""
    said = load(state).get
    return ListEntry(
        said("rating"),
        said("k"),
        said("games", _USUAL.games),
        said("peak", _USUAL.peak),
        bool(said("tranches")),
    )
