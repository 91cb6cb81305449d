"""Erasing a player: name, birth and other bodies' numbers go from register, reports, lists and ledger.

What the office has published cannot be proved to the last letter afterwards: the digests of what is left stand in the
act of erasure, which the ledger's chain seals. Before anything is erased the whole office is verified, and after it
every list is computed again, so that nothing but the erased texts can have changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, delete, insert, select, table, update

from arpad.lists.canonical import canonical_line, listed_player
from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.published import DRAUGHTS
from arpad.lists.standings import NO_STATE, StandingRow, list_digest, standings_digest
from arpad.model.errors import BadInput
from arpad.model.json_values import dump, from_birth, from_capital, load, to_birth, to_capital
from arpad.model.people import Birth, birth_year
from arpad.office.erasures import VERB, erasures
from arpad.office.office import ActContext, Office, record_act
from arpad.office.publish import inputs_of
from arpad.office.register import known_player
from arpad.office.verify import verify
from arpad.publishing.public_bundle import bare, needed_birth, without_person
from arpad.regulations.chess.rules import add_months
from arpad.reports.formats import format_names, read_report, write_report
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import ledger, lists
from arpad.store import reports as report_rows
from arpad.store import triggers as protect
from arpad.store.bulk import fetch_rows
from arpad.store.hidden_players import all_numbers, hidden_players
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.name_index import spelled
from arpad.store.schema import (
    decisions,
    entrants,
    identifier_changes,
    identifiers,
    name_keys,
    player_facts,
    players,
    reports,
    standings,
)
from arpad.store.schema import ledger as acts

_TABLES = (
    "players", "player_facts", "identifiers", "identifier_changes", "reports", "decisions", "standings", "ledger",
)  # fmt: skip
_GONE = "[erased]"
_SHORTEST = 4
"""Shorter names would be found inside other words."""


@dataclass(frozen=True, slots=True)
class Erased:
    """The reports, acts and lists in which an erasure replaced something."""

    player: int
    numbers: tuple[int, ...]
    """Every number of the player, those of merged ones too."""

    reports: tuple[int, ...]
    acts: tuple[int, ...]
    lists: tuple[int, ...]
    """The publications in which something was erased."""


@dataclass(slots=True)
class _Person:
    """The personal texts of a player that an erasure looks for, and what replaces them."""

    numbers: frozenset[int]
    names: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    """Births and numbers of other bodies, as texts."""

    births: dict[str, str] = field(default_factory=dict)
    """Each birth on record → what is left of it."""

    def name(self, number: int) -> str:
        return f"Erased {number}"

    def year(self, born: int | None) -> int | None:
        """Return the year of birth that is left on a list that showed one."""
        left = {birth_year(to_birth(text)): birth_year(to_birth(to)) for text, to in self.births.items()}
        return left.get(born) if born is not None else None

    def text(self, text: str) -> str:
        """Return a text without the names of the player."""
        for name in sorted(_spellings(self.names), key=len, reverse=True):
            text = re.sub(re.escape(name), _GONE, text, flags=re.IGNORECASE)
        return text

    def value(self, value: Any, *, own: bool) -> Any:
        """Return a value of JSON without the player's names, and where it is about the player, births and numbers."""
        if isinstance(value, str):
            return _GONE if own and value in self.values else self.text(value)
        if isinstance(value, list):
            return [self.value(item, own=own) for item in value]
        if isinstance(value, dict):
            return {name: self.value(item, own=own) for name, item in value.items()}
        return value


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """Yield each name as it is kept, and with its parts the other way round."""
    for name in names:
        family, comma, given = (part.strip() for part in name.partition(","))
        forms = (name, f"{given} {family}", f"{family} {given}") if comma and given else (name,)
        yield from (form for form in forms if len(form) >= _SHORTEST)


def erase_player(office: Office, player: int, *, by: str = "", reason: str) -> Erased:
    """Erase a player for good: it cannot be undone."""
    with office.store.reading() as connection:
        known_player(connection, player)
        if any(player in act.facts["numbers"] for act in erasures(connection).acts):
            raise BadInput("erased-already", player=player)
        names = _read(connection, frozenset(all_numbers(connection, {player})), date.max).names
    if not verify(office).intact:
        raise BadInput("erase-altered")
    said = _Person(frozenset(), names).text(reason)
    with record_act(office, VERB, said, reason_needed=True) as doing:
        person = _read(doing.connection, frozenset(all_numbers(doing.connection, {player})), doing.today)
        if doing.connection.dialect.name == "sqlite":
            doing.connection.exec_driver_sql("PRAGMA secure_delete = ON")
        with protect.lifted(doing.connection, _TABLES):
            found = _erase(doing, person)
        _hide(doing.connection, person)
        doing.record(player=player, numbers=sorted(person.numbers), by=by.strip() or office.author, **found)
    return Erased(
        player,
        tuple(sorted(person.numbers)),
        tuple(sorted(map(int, found["reports"]))),
        tuple(sorted(map(int, found["ledger"]))),
        tuple(sorted(map(int, found["lists"]))),
    )


def _read(connection: Connection, numbers: frozenset[int], today: date) -> _Person:
    """Return everything on record that tells who the player is."""
    person = _Person(numbers)
    births: set[str] = set()
    for row in connection.execute(select(players.c.name, players.c.born).where(players.c.id.in_(numbers))):
        person.names.add(row.name)
        births.add(row.born)
    facts = select(player_facts.c.field, player_facts.c.value).where(player_facts.c.player.in_(numbers))
    for row in connection.execute(facts):
        if row.field == "name":
            person.names.add(row.value)
        elif row.field == "born":
            births.add(row.value)
    held = select(identifiers.c.value).where(identifiers.c.player.in_(numbers))
    person.values |= set(connection.execute(held).scalars())
    days = {today} if today != date.max else set()
    for publication in lists.all_publications(connection):
        days |= {publication.day, add_months(publication.day, -1)}
    births.discard("")
    left = {text: needed_birth(to_birth(text), days) for text in births}
    for text, birth in left.items():
        same_year = [
            other for one, other in left.items() if birth_year(to_birth(one)) == birth_year(to_birth(text))
        ]
        kept: Birth = birth if birth is not None or not any(same_year) else birth_year(to_birth(text))
        person.births[text] = from_birth(kept)
        if len(text) > len("1990"):
            person.values |= {text, text.replace("-", "/")}
    return person


def _erase(doing: ActContext, person: _Person) -> dict[str, Any]:
    connection = doing.connection
    places = _places(connection, person)
    keys = _keys(connection, places)
    _erase_register(connection, person)
    done_reports = {str(number): seal for number, seal in _erase_reports(connection, person, places, keys)}
    _erase_decisions(connection, person, keys)
    done_acts = {str(seq): seal for seq, seal in _erase_ledger(connection, person, keys)}
    changed: dict[str, dict[str, str]] = {}
    for publication in lists.ever_published(connection):
        if parts := _erase_list(connection, publication, person):
            changed[str(publication.id)] = parts
    return {"reports": done_reports, "ledger": done_acts, "lists": changed}


def _hide(connection: Connection, person: _Person) -> None:
    """Show the player no more, and forget what was made of the office for administrators."""
    connection.execute(delete(hidden_players).where(hidden_players.c.player.in_(person.numbers)))
    connection.execute(insert(hidden_players), [{"player": number} for number in sorted(person.numbers)])
    connection.execute(delete(table("watched")))


# --------------------------------------------------------------------------------------------------- the register


def _erase_register(connection: Connection, person: _Person) -> None:
    for row in list(connection.execute(select(players).where(players.c.id.in_(person.numbers)))):
        left = {"name": person.name(row.id), "born": person.births.get(row.born, "")}
        connection.execute(update(players).where(players.c.id == row.id).values(**left))
    for row in list(
        connection.execute(select(player_facts).where(player_facts.c.player.in_(person.numbers)))
    ):
        if row.field in ("name", "born"):
            value = person.name(row.player) if row.field == "name" else person.births.get(row.value, "")
            connection.execute(update(player_facts).where(player_facts.c.id == row.id).values(value=value))
    held = set(
        fetch_rows(
            connection,
            select(identifiers.c.scheme, identifiers.c.value).where(identifiers.c.player.in_(person.numbers)),
        )
    )
    for row in list(connection.execute(select(identifier_changes))):
        if row.player in person.numbers or (row.player is None and (row.scheme, row.value) in held):
            connection.execute(delete(identifier_changes).where(identifier_changes.c.id == row.id))
    connection.execute(delete(identifiers).where(identifiers.c.player.in_(person.numbers)))
    connection.execute(delete(name_keys).where(name_keys.c.player.in_(person.numbers)))


# ---------------------------------------------------------------------------------------------------- the reports


def _places(connection: Connection, person: _Person) -> dict[int, dict[int, int]]:
    """Report → place → the player's number there; a report that nobody accepted yet is searched for the player."""
    found: dict[int, dict[int, int]] = {}
    query = select(entrants.c.report, entrants.c.place, entrants.c.player)
    for report, place, player in fetch_rows(connection, query.where(entrants.c.player.in_(person.numbers))):
        found.setdefault(report, {})[place] = player
    accepted = set(connection.execute(select(entrants.c.report).distinct()).scalars())
    spellings = {spelled(name) for name in person.names}
    for number, filed in report_rows.filed(connection).items():
        if number in accepted:
            continue
        read = read_filed(report_rows.data(connection, number), filed.file)
        for place, entrant in enumerate(read.entrants):
            if entrant.id in person.values or spelled(entrant.name) in spellings:
                found.setdefault(number, {})[place] = min(person.numbers)
    return found


def _keys(connection: Connection, places: Mapping[int, Mapping[int, int]]) -> dict[int, dict[str, str]]:
    """Return under which keys the facts about each report may name the player: key → start number."""
    found: dict[int, dict[str, str]] = {}
    for number, filed in report_rows.filed(connection, places).items():
        entrants = read_filed(report_rows.data(connection, number), filed.file).entrants
        mine = [entrants[place] for place in places[number]]
        found[number] = {key: str(one.number) for one in mine for key in (one.id, str(one.number))}
    return found


def _erase_reports(
    connection: Connection,
    person: _Person,
    places: Mapping[int, Mapping[int, int]],
    keys: Mapping[int, Mapping[str, str]],
) -> Iterator[tuple[int, str]]:
    for number, here in sorted(places.items()):
        row = connection.execute(select(reports).where(reports.c.id == number)).mappings().one()
        data, file = _erased_report(bytes(row["data"]), row["file"], person, here, number)
        left = {
            "data": data, "file": person.text(file), "name": person.text(row["name"]),
            "facts": dump(_erased_facts(load(row["facts"]), keys[number])),
            "findings": dump(_findings(load(row["findings"]), person, keys[number].keys())),
        }  # fmt: skip
        connection.execute(update(reports).where(reports.c.id == number).values(**left))
        yield number, sha256(data).hexdigest()


def _findings(found: list[dict[str, Any]], person: _Person, gone: AbstractSet[str]) -> list[dict[str, Any]]:
    """Findings without the player's texts; those about the player alone lose births and numbers too."""
    return [person.value(item, own=str(item.get("player")) in gone) for item in found]


def _erased_facts(facts: dict[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """Return facts about a report in which the player has the start number for a key, and no birth or death."""
    if "players" not in facts:
        return facts
    players: dict[str, dict[str, Any]] = {}
    for key, known in facts["players"].items():
        if key in keys:
            left = {name: value for name, value in known.items() if name not in ("born", "died")}
            players.setdefault(keys[key], {}).update(left)
        else:
            players[key] = known
    return {**facts, "players": players}


def _erased_report(
    data: bytes, file: str, person: _Person, here: Mapping[int, int], number: int
) -> tuple[bytes, str]:
    """Return a report with the same games and without the player, in its own format where that can be written."""
    report = read_filed(data, file)
    left = replace(
        report,
        entrants=tuple(
            without_person(entrant, person.name(here[place])) if place in here else entrant
            for place, entrant in enumerate(report.entrants)
        ),
    )
    own = report.format if report.format in format_names() else "trf16"
    plain = "pdn" if report.format == "pdn" else "trf16"
    for tried, form in ((left, own), (bare(left), plain)):
        written, _ = write_report(tried, form)
        name = file if form == report.format else f"{PurePath(file).stem}.{form[:3]}"
        if _same_games(read_report(written, name), report) and not _names_in(written, person):
            return written, name
    raise BadInput("erase-report", report=number)


def _same_games(one: Report, other: Report) -> bool:
    return (
        [entrant.number for entrant in one.entrants] == [entrant.number for entrant in other.entrants]
        and [(r.opponents, r.results) for r in one.rounds] == [(r.opponents, r.results) for r in other.rounds]
        and (one.header.first_day, one.header.last_day) == (other.header.first_day, other.header.last_day)
    )


def _names_in(data: bytes, person: _Person) -> bool:
    text = data.decode("utf-8", "replace")
    return person.text(text) != text


def _erase_decisions(connection: Connection, person: _Person, keys: Mapping[int, Mapping[str, str]]) -> None:
    for row in list(connection.execute(select(decisions.c.id, decisions.c.report, decisions.c.value))):
        stated = _erased_facts(load(row.value), keys.get(row.report, {}))
        value = dump(person.value(stated, own=False))
        if value != row.value:
            connection.execute(update(decisions).where(decisions.c.id == row.id).values(value=value))


def _erase_ledger(
    connection: Connection, person: _Person, keys: Mapping[int, Mapping[str, str]]
) -> Iterator[tuple[int, str]]:
    for act in list(ledger.acts(connection)):
        facts = act.facts
        stated, mine = facts.get("value"), keys.get(facts.get("report", 0))
        if mine and isinstance(stated, dict):
            facts = {**facts, "value": _erased_facts(stated, mine)}
        about = facts.get("player") in person.numbers
        details, reason = dump(person.value(facts, own=about)), person.text(act.reason)
        if (details, reason) != (act.details, act.reason):
            left = replace(act, details=details, reason=reason)
            connection.execute(
                update(acts).where(acts.c.seq == act.seq).values(details=details, reason=reason)
            )
            yield act.seq, left.sealed()


# ------------------------------------------------------------------------------------------------------ the lists


def _erase_list(connection: Connection, publication: Publication, person: _Person) -> dict[str, str]:
    """Take the player's texts off a list; return the digests that are others now."""
    query = select(standings).where(
        standings.c.publication == publication.id, standings.c.player.in_(person.numbers)
    )
    for row in list(connection.execute(query)):
        line = row.line and _erased_line(row.line, person)
        state = row.state
        if publication.list in DRAUGHTS and state != NO_STATE:
            state = from_capital(replace(to_capital(state), name=person.name(row.player)))
        left = StandingRow(row.player, row.rating, state, line)
        here = (standings.c.publication == publication.id) & (standings.c.player == row.player)
        connection.execute(update(standings).where(here).values(line=line, state=state, seal=left.seal()))
    rows = [row for row, _ in lists.standing_rows(connection, publication.id)]
    shown = [row.line for row in rows if row.line is not None]
    now = {"standings": standings_digest((row.player, row.state) for row in rows)}
    if publication.head:
        now["digest"] = list_digest(publication.head, shown)
    if publication.kind == PUBLISHED and publication.taken_back is None:
        inputs = inputs_of(connection, publication)
        now["inputs"] = inputs_digest(file_digests(write_inputs(inputs)))
        closed = compute_list(inputs)
        if (closed.digest, closed.standings_digest) != (now["digest"], now["standings"]):
            raise BadInput("erase-list", list=publication.name)
    before = {
        "digest": publication.digest, "standings": publication.standings_digest, "inputs": publication.inputs_digest,
    }  # fmt: skip
    return {name: digest for name, digest in now.items() if digest != before[name]}


def _erased_line(line: str, person: _Person) -> str:
    row = listed_player(line)
    return canonical_line(
        row._replace(name=person.name(row.player), born=person.year(row.born), identifiers=())
    )
