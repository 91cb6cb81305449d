"""What features add to others that do not know them: each function here asks the features that are present.

A feature that answers has ``PARTS`` in its package: the name of a function here, and the module of the feature in which
the function of that name is. So what every office has imports nothing that an office can do without, and the
machinery imports no feature; without the feature the answer is empty. What only pages show is also left
out while the office has the feature switched off; what lists, proofs and privacy need is not.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection

from arpad.office.features import FEATURES
from arpad.office.switches import features_off


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a field of a form may name: its number or code, its name, and what tells it from others."""

    value: str
    name: str
    about: str = ""

    @property
    def text(self) -> str:
        """What the field shows once it is chosen; the server takes the value at its beginning."""
        return f"{self.value}{CHOSEN}{self.name}"


CHOSEN = " · "
MOST_CHOICES = 8
"""So many choices are offered at once."""


def answers(name: str) -> tuple[Callable[..., Any], ...]:
    """Return the functions of a name, of all features that have one."""
    return tuple(_answers(name).values())


@cache
def _answers(name: str) -> dict[str, Callable[..., Any]]:
    found = {}
    for feature in FEATURES:
        offered = getattr(import_module(f"arpad.office.{feature}"), "PARTS", {})
        if name in offered:
            found[feature] = getattr(import_module(f"arpad.office.{feature}.{offered[name]}"), name)
    return found


def _shown(connection: Connection, name: str, *given: Any) -> Iterator[Any]:
    """Yield the answers of the features that are switched on, for what is only shown."""
    answering = _answers(name)
    off = features_off(connection) if answering else frozenset()
    return (answer(*given) for feature, answer in answering.items() if feature not in off)


def _shown_union(connection: Connection, name: str, *given: Any) -> dict[Any, Any]:
    return dict(item for found in _shown(connection, name, connection, *given) for item in found.items())


def _shown_list(connection: Connection, name: str, *given: Any) -> list[Any]:
    return [item for found in _shown(connection, name, connection, *given) for item in found]


def _one(name: str, default: Any, *given: Any, **named: Any) -> Any:
    """Return the answer of the feature that has one, or what is true without it."""
    return next((answer(*given, **named) for answer in answers(name)), default)


def _union(name: str, *given: Any, **named: Any) -> dict[Any, Any]:
    """Return the answers of all features in one mapping."""
    found: dict[Any, Any] = {}
    for answer in answers(name):
        found |= answer(*given, **named)
    return found


def _each(name: str, *given: Any) -> Iterator[Any]:
    """Yield what all features answer."""
    for answer in answers(name):
        yield from answer(*given)


# ---------------------------------------------------------------------------------------------- the office itself


def add_first_rows(connection: Connection, given: Mapping[str, Any]) -> dict[str, str]:
    """Write what a feature keeps from the beginning; return the details for the act of a new office."""
    return _union("add_first_rows", connection, given)


def rotated_secrets(connection: Connection, change: Callable[[str | int, str], str]) -> dict[str, list[int]]:
    """Encrypt the secrets of features again; ``change`` takes owner and secret. Return their owners, for the ledger."""
    return _union("rotated_secrets", connection, change)


def has_secrets(connection: Connection) -> bool:
    """Return whether a feature keeps encrypted secrets."""
    return any(answer(connection) for answer in answers("has_secrets"))


def fill_after_migration(connection: Connection) -> None:
    """Fill the derived tables of features that a migration created."""
    for answer in answers("fill_after_migration"):
        answer(connection)


def federations_of(connection: Connection, kind: str) -> dict[int, str]:
    """Return the federation of each thing of a kind that acts are about, by number."""
    return _union("federations_of", connection, kind)


# ------------------------------------------------------------------------------------------- privacy and proofs


def held_about(connection: Connection, person: Any) -> dict[str, Any]:
    """Return what features hold about a person, each under its own name."""
    return _union("held_about", connection, person)


def end_follows_of_players(connection: Connection, players: Collection[int], names: Collection[str]) -> None:
    """End what visitors wanted to be told about players who are not shown any more."""
    for answer in answers("end_follows_of_players"):
        answer(connection, players, names)


def erase_texts(connection: Connection, person: Any) -> dict[str, Any]:
    """Erase a person from the tables of features; return the details for the ledger."""
    return _union("erase_texts", connection, person)


def altered_tables(
    connection: Connection, facts_by_act: Mapping[int, Mapping[str, Any]], erased: Any
) -> Iterator[Any]:
    """Yield what is altered in the tables of features, for ``verify``."""
    return _each("altered_tables", connection, facts_by_act, erased)


def altered_derived_tables(connection: Connection, day: date, stale: list[Any]) -> Iterator[Any]:
    """Yield the rows of features that do not follow from the rest of the office; add to ``stale`` what is older."""
    return _each("altered_derived_tables", connection, day, stale)


# --------------------------------------------------------------------------------------------- players and clubs


def members_on(connection: Connection, day: date, clubs: Iterable[str] | None = None) -> dict[int, str]:
    """Return the members of clubs on a day: player → code of the club; or only those of some clubs."""
    return _union("members_on", connection, day, clubs)


def units_on(connection: Connection, day: date) -> dict[str, Any]:
    """Return all clubs and regions by code, as they are on a day."""
    return _shown_union(connection, "units_on", day)


def clubs_of_player(connection: Connection, player: int) -> dict[date, str]:
    """Return the clubs of a player: first day → code, in order."""
    return _shown_union(connection, "clubs_of_player", player)


def club_codes(report: Any, home: str) -> dict[int, str]:
    """Return the codes of clubs in a report, by the place of the entrant."""
    return _union("club_codes", report, home)


def load_arbiters(connection: Connection) -> list[Any]:
    """Return all arbiters."""
    return list(_each("load_arbiters", connection))


def player_norms(connection: Connection, player: int) -> list[Any]:
    """Return the title norms of a player."""
    return _shown_list(connection, "player_norms", player)


def title_checks(connection: Connection, person: Any, day: date, norms: Sequence[Any]) -> list[Any]:
    """Return whether an application for each title not held would succeed."""
    return list(_each("title_checks", connection, person, day, norms))


def proposed_titles(office: Any) -> list[Any]:
    """Return the titles that players reached by their ratings, as proposals."""
    return list(_each("proposed_titles", office))


def norms_on_record(connection: Connection) -> list[Any]:
    """Return the title norms of all players."""
    return list(_each("norms_on_record", connection))


def player_record(office: Any, on_list: Any, player: int) -> Any:
    """Return the record of a player on a draughts list, or None."""
    return _one("player_record", None, office, on_list, player)


# --------------------------------------------------------------------------------------------------------- lists


def has_categories(connection: Connection, on_list: Any, day: date) -> bool:
    """Return whether a list has national categories on a day."""
    return bool(_one("has_categories", None, connection, on_list, day))


def with_categories(connection: Connection, publication: Any, table: Any) -> Any:
    """Return a list with the column of national categories, if it has them."""
    return _one("with_categories", table, connection, publication, table)


def categories_on(connection: Connection, publication: Any, players: Collection[int]) -> dict[int, str]:
    """Return the national categories of some players with a list."""
    return _union("categories_on", connection, publication, players)


def player_categories(connection: Connection, player: int, on_list: Any, day: date) -> list[Any]:
    """Return every change of a player's national category."""
    return _shown_list(connection, "player_categories", player, on_list, day)


def draft_changes(connection: Connection, draft: Any) -> list[Any]:
    """Return who would reach or lose a national category with a draft."""
    return _shown_list(connection, "draft_changes", draft)


def live_ratings(connection: Connection, player: int, elsewhere: Collection[Any]) -> dict[Any, Any]:
    """Return a player on the live lists that visitors may see."""
    return _shown_union(connection, "live_ratings", player, elsewhere)


def live_changes(connection: Connection, on_list: Any, report: int, players: Iterable[int]) -> dict[int, Any]:
    """Return how the live list rates an accepted report for its players, if visitors see that list."""
    return _shown_union(connection, "live_changes", on_list, report, players)


def live_standings(connection: Connection, player: int) -> list[Any]:
    """Return a player on the live lists, for programs."""
    return _shown_list(connection, "live_standings", player)


def live_lists_shown(connection: Connection) -> list[Any]:
    """Return the lists that have a live list which visitors may see."""
    return _shown_list(connection, "live_lists_shown")


def rows_version(connection: Connection) -> int:
    """Return a number that changes if rows change that pages show and no act writes."""
    return sum(answer(connection) for answer in answers("rows_version"))


# ---------------------------------------------------------------------------------------------- reference lists


def rated_guests(
    connection: Connection, players: Collection[int], on_list: Any, day: date, *, takes_standard: bool
) -> Any:
    """Return guests of a list's events with their ratings on a reference list; None if none is in force."""
    return _one("rated_guests", None, connection, players, on_list, day, takes_standard=takes_standard)


def references(connection: Connection) -> list[Any]:
    """Return the reference lists that are kept, by day."""
    return list(_each("references", connection))


def reference_players(connection: Connection, numbers: Iterable[int]) -> dict[int, Any]:
    """Return what the newest reference list says about some numbers."""
    return _union("reference_players", connection, numbers)


def reference_record(connection: Connection, number: str) -> Any:
    """Return what the newest reference list says about a number, with the list; None if nothing."""
    return next(_shown(connection, "reference_record", connection, number), None)


def load_references(connection: Connection, lookup: Any, days: Collection[Any]) -> dict[Any, Any]:
    """Return what the reference lists say about the players of some reports, by list and first day."""
    return _union("load_references", connection, lookup, days)


def fide_numbers_in(report: Any, found: Any, lookup: Any) -> dict[int, int]:
    """Return the FIDE IDs in a report, by start number."""
    return _union("fide_numbers_in", report, found, lookup)


def load_listed(connection: Connection, lookup: Any, entrants: Iterable[Any]) -> None:
    """Load the players of the newest reference list with the names of some entrants."""
    _one("load_listed", None, connection, lookup, entrants)


def listed_candidates(lookup: Any, entrant: Any, meaning: Any) -> list[Any]:
    """Return the players of the reference list who may be an entrant, the likeliest first."""
    return list(_each("listed_candidates", lookup, entrant, meaning))


def must_be_decided(lookup: Any, entrant: Any, meaning: Any) -> bool:
    """Return whether an entrant without candidates may not simply be new."""
    return bool(_one("must_be_decided", None, lookup, entrant, meaning))


def new_listed_person(connection: Connection, number: int, player: int, home: str) -> Any:
    """Return a player of the newest reference list as a new one of the register; None without such lists."""
    return _one("new_listed_person", None, connection, number, player, home)


# ------------------------------------------------------------------------------------------ tournaments, reports


def registered_event(connection: Connection, number: int) -> dict[str, Any] | None:
    """Return a registered tournament as it is now."""
    event: dict[str, Any] | None = _one("registered_event", None, connection, number)
    return event


def registered_events(connection: Connection, days: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Return the registered tournaments as they are now, those that begin on some days if given."""
    return list(_each("registered_events", connection, days))


def upcoming_events(connection: Connection, day: date, most: int) -> list[dict[str, Any]]:
    """Return the registered tournaments that end on a day or later."""
    return _shown_list(connection, "upcoming_events", day, most)


def event_deadlines(office: Any, *, everything: bool = False) -> list[Any]:
    """Return what registered tournaments still owe the office."""
    return list(_one("event_deadlines", (), office, everything=everything))


def near_deadlines(connection: Connection, day: date, days: int) -> list[Any]:
    """Return the open deadlines of registered tournaments that are over or within so many days."""
    return _shown_list(connection, "near_deadlines", day, days)


def shown_running(connection: Connection, most: int) -> list[Any]:
    """Return the tournaments in progress that visitors may see."""
    return _shown_list(connection, "shown_running", most)


def playing_now(connection: Connection, player: int) -> list[Any]:
    """Return the tournaments in progress in which a player plays, and that visitors may see."""
    return _shown_list(connection, "playing_now", player)


def read_running(connection: Connection, name: str) -> Any:
    """Return what the page of a tournament in progress shows; None without such pages."""
    return _one("read_running", None, connection, name)


def reports_of_events(connection: Connection) -> dict[int, Any]:
    """Return the reports of all registered tournaments, by tournament."""
    return _union("reports_of_events", connection)


def with_registration(facts: Any, event: Mapping[str, Any]) -> Any:
    """Return the facts of a report with what its registration is now."""
    return _one("with_registration", facts, facts, event)


def days_due(connection: Connection, reports: Iterable[Any]) -> dict[int, date]:
    """Return by which day each of these reports must be sent on."""
    return _shown_union(connection, "days_due", reports)


def expected_reports(connection: Connection) -> list[Callable[[Any, int], None]]:
    """Return functions that take a new report and its number: what was expected of it, as a tournament in progress."""
    return [answer(connection) for answer in answers("expected_reports")]


# ---------------------------------------------------------------------------------------------- what the site asks


def find_choices(kind: str, reading: Any, text: str) -> list[Choice]:
    """Return the players, reports, tournaments or clubs that a text of a reader may mean, by name or number."""
    found = _shown(reading.connection, f"{kind}_choices", reading, text)
    return [choice for choices in found for choice in choices][:MOST_CHOICES]


def names_players(mail: str) -> bool:
    """Return whether the lines of a mail name players, some of whom may be hidden by now."""
    return any(answer(mail) for answer in answers("names_players"))


def site_facts(office: Any, connection: Connection) -> dict[str, Any]:
    """Return what the pages of the site say about an office: its settings, its logo, its editions."""
    return _union("site_facts", office, connection)


def waiting_reports(connection: Connection, user: Any, federations: Collection[str]) -> int:
    """Return how many reports wait for somebody."""
    return sum(answer(connection, user, federations) for answer in answers("waiting_reports"))
