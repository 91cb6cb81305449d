"""Players who ask not to be shown, for their data, or to be erased."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import digest_inputs
from arpad.lists.table import lines_bytes, rows_of, standings_bytes, table_of
from arpad.model.act_seal import text_digest
from arpad.model.canonical_json import dump, load
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.names import spelled
from arpad.model.people import Birth
from arpad.office.declarations import personal_keys
from arpad.office.declared import PlayerNumber, Reason, act, costly, task
from arpad.office.drafts.checkpoint_rows import delete_checkpoints
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.rows import delete_drafts
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_players, read_table, replace_rows
from arpad.office.lists.history_rows import player_history, renew_derived
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import ActContext, Office, record_act, utc
from arpad.office.parts import end_follows_of_players, erase_texts, held_about
from arpad.office.proof import erasure_rows as rows
from arpad.office.proof.checkpoints import lines_to_keep
from arpad.office.proof.erased_texts import (
    ERASED,
    PersonalTexts,
    erased_facts,
    erased_findings,
    erased_list_row,
    erased_name,
    erased_report,
)
from arpad.office.proof.erasure_rows import rows_naming
from arpad.office.proof.erasures import VERB, load_erasures
from arpad.office.register.acts import OF_PLAYER, known_player
from arpad.office.register.number_rows import all_numbers, set_hidden
from arpad.office.reports import rows as report_rows
from arpad.office.reports.acts import subjects_of
from arpad.office.reports.entrant_rows import renew_games
from arpad.office.reports.rows import all_decisions
from arpad.office.users import officer_of_all
from arpad.office.verify.acts import verify
from arpad.regulations.fide.rules import add_months
from arpad.regulations.rating_system import System
from arpad.regulations.systems import edition_of, system_named, system_of
from arpad.regulations.units import Unit
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.columns import delete_parts
from arpad.store.declared_tables import is_lasting
from arpad.store.monitor_pages import delete_pages
from arpad.store.settings import own_lists_of, read_setting

Entries = Mapping[int, Mapping[int, int]]
"""Report → index among its entrants → the player's number there."""

Keys = Mapping[int, Mapping[str, str]]
"""Report → key under which its facts may name the player → start number."""


@dataclass(frozen=True, slots=True)
class Erased:
    """The reports, acts and lists in which an erasure replaced something."""

    player: int
    numbers: tuple[int, ...]
    """Every number of the player, also those merged into it."""

    reports: tuple[int, ...]
    acts: tuple[int, ...]
    lists: tuple[int, ...]
    """The publications in which something was erased."""


def erase(office: Office, player: int, by: str, reason: str) -> Erased:
    """Erase a player for good; a rehearsal finds out only whether it may be done, since it verifies the office."""
    with office.store.reading() as connection:
        known_player(connection, player)
        if any(player in act.facts["numbers"] for act in load_erasures(connection).acts):
            raise BadInput("erased-already", option="player", player=player)
        numbers = all_numbers(connection, {player})
        names = rows.personal_values(connection, numbers).names
    if office.rehearsing:
        return Erased(player, tuple(sorted(numbers)), (), (), ())
    if not verify(office).intact:
        raise BadInput("erase-altered")
    reason = PersonalTexts(frozenset(), names).without_names(reason)
    with record_act(office, VERB, reason, reason_needed=True) as act:
        person = personal_texts(act.connection, player, act.today)
        end_follows(act.connection, person.numbers)
        with rows.erasing(act.connection):
            erased = _erase(act.connection, person)
        set_hidden(act.connection, person.numbers, hidden=True)
        delete_pages(act.connection)  # they may show the name
        delete_drafts(act.connection)
        delete_checkpoints(act.connection)
        delete_parts(act.connection)
        act.record(player=player, numbers=sorted(person.numbers), by=by or office.author, **erased)
    return Erased(
        player,
        tuple(sorted(person.numbers)),
        tuple(sorted(map(int, erased["reports"]))),
        tuple(sorted(map(int, erased["ledger"]))),
        tuple(sorted(map(int, erased["lists"]))),
    )


def end_follows(connection: Connection, players: Collection[int]) -> None:
    """End the follows of players who are not shown any more, without a mail, and remove them from waiting mails."""
    names = rows.personal_values(connection, players).names
    end_follows_of_players(connection, players, sorted(names))


def personal_texts(connection: Connection, player: int, today: date) -> PersonalTexts:
    """Return the texts that tell who a player is, under every number of theirs."""
    numbers = frozenset(all_numbers(connection, {player}))
    days = {today}
    for publication in lists.all_publications(connection):
        days |= {publication.day, add_months(publication.day, -1)}
    takes = _taken_from_birth(connection, numbers)
    return PersonalTexts.of(numbers, rows.personal_values(connection, numbers), days, takes)


def _taken_from_birth(connection: Connection, numbers: frozenset[int]) -> Callable[[Birth], object]:
    """Return what the rating systems of the office's own lists take from a birth in a player's events."""
    filed = report_rows.filed(connection, rows.entries_of(connection, numbers)).values()
    rated: list[tuple[System[Any, Any], Unit[Any], Any]] = []
    for own in own_lists_of(connection).values():
        system = system_named(own.name.system)
        for it in filed:
            unit: Unit[Any] = Unit(entrants={}, games=(), first_day=it.first_day, last_day=it.last_day)
            if it.last_day is not None and it.last_day >= own.since:
                rated.append((system, unit, edition_of(system, unit).rules))
    return lambda born: [system.takes_from_day("born", born, unit, rules) for system, unit, rules in rated]


def _erase(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Erase everywhere; return the new digests of the reports, acts and lists that changed."""
    entries = entries_of(connection, person)
    keys = _keys(connection, entries)
    of_features = erase_texts(connection, person)
    rows.erase_from_register(connection, person.numbers, erased_name, person.births)
    reports = {str(number): digest for number, digest in _erase_reports(connection, person, entries, keys)}
    renew_games(connection, entries)
    _erase_decisions(connection, person, keys)
    acts = {str(seq): texts for seq, texts in _erase_ledger(connection, person, keys)}
    changed: dict[str, dict[str, Any]] = {}
    publications = lists.ever_published(connection)
    for publication in publications:
        if digests := _erase_list(connection, publication, person):
            changed[str(publication.id)] = digests
    for publication in publications:
        if str(publication.id) in changed:
            renew_derived(connection, publication)
    left = {
        "reports": reports,
        "ledger": acts,
        "lists": changed,
        "rows": rows.forget_earlier_rows(connection),
    }
    return {**left, **of_features}


# ---------------------------------------------------------------------------------------------------- the reports


def entries_of(connection: Connection, person: PersonalTexts) -> Entries:
    """Return where the player is entered; reports that were not accepted are searched for the player."""
    entries = rows.entries_of(connection, person.numbers)
    matched = rows.matched_reports(connection)
    spellings = {spelled(name) for name in person.names}
    for number, filed in report_rows.filed(connection).items():
        if number in matched:
            continue
        report = read_filed(report_rows.data(connection, number), filed.file)
        for index, entrant in enumerate(report.entrants):
            if entrant.id in person.values or spelled(entrant.name) in spellings:
                entries.setdefault(number, {})[index] = min(person.numbers)
    return entries


def _keys(connection: Connection, entries: Entries) -> Keys:
    keys: dict[int, dict[str, str]] = {}
    for number, filed in report_rows.filed(connection, entries).items():
        entrants = read_filed(report_rows.data(connection, number), filed.file).entrants
        own = [entrants[index] for index in entries[number]]
        keys[number] = {
            key: str(entrant.number) for entrant in own for key in (entrant.id, str(entrant.number))
        }
    return keys


def _erase_reports(
    connection: Connection, person: PersonalTexts, entries: Entries, keys: Keys
) -> Iterator[tuple[int, str]]:
    for number, own in sorted(entries.items()):
        row = rows.report_row(connection, number)
        data, file = erased_report(bytes(row["data"]), row["file"], person, own, number)
        left = {
            "data": data, "file": person.without_names(file), "name": person.without_names(row["name"]),
            "facts": dump(erased_facts(load(row["facts"]), keys[number])),
            "findings": dump(erased_findings(load(row["findings"]), person, keys[number].keys())),
        }  # fmt: skip
        rows.replace_values(connection, "reports", number, **left)
        yield number, sha256(data).hexdigest()


def _erase_decisions(connection: Connection, person: PersonalTexts, keys: Keys) -> None:
    for decision in all_decisions(connection):
        stated = erased_facts(load(decision.value), keys.get(decision.report or 0, {}))
        value = dump(person.without_texts(stated, own=False))
        if value != decision.value:
            rows.replace_values(connection, "decisions", decision.id, value=value)


def _without_numbers(added: Mapping[str, list[str]], person: PersonalTexts) -> dict[str, list[str]]:
    """Return the numbers that an acceptance added to players, without those of the erased player."""
    own = {str(number) for number in person.numbers}
    return {player: [ERASED for _ in values] if player in own else values for player, values in added.items()}


def _blank(key: str, value: Any) -> Any:
    """Return what is left of a personal detail: its texts are erased; numbers, digests and days last."""
    if isinstance(value, dict):
        return {name: _blank(name, item) for name, item in value.items()}
    if isinstance(value, list):
        return [_blank(key, item) for item in value]
    return ERASED if isinstance(value, str) and value and not is_lasting(key, value) else value


def _erase_ledger(
    connection: Connection, person: PersonalTexts, keys: Keys
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Erase the player's texts from acts; yield each with the digests of its texts as they were sealed, and now."""
    earlier, marked = load_erasures(connection).ledger, personal_keys()
    for entry in list(ledger.acts(connection)):
        facts = entry.facts
        stated, own = facts.get("value"), keys.get(facts.get("report", 0))
        if own and isinstance(stated, dict):
            facts = {**facts, "value": erased_facts(stated, own)}
        if added := facts.get("numbers") if entry.verb == "accept" else None:
            facts = {**facts, "numbers": _without_numbers(added, person)}
        about_player = facts.get("player") in person.numbers
        if about_player:
            keys_here = marked.get(entry.verb, frozenset()) & facts.keys()
            facts = {**facts, **{key: _blank(key, facts[key]) for key in keys_here}}
        details = dump(person.without_texts(facts, own=about_player))
        left = {"details": details, "reason": person.without_names(entry.reason)}
        before = {"details": entry.details, "reason": entry.reason}
        if left != before:
            rows.replace_values(connection, "ledger", entry.seq, **left)
            yield (
                entry.seq,
                {
                    name: [
                        earlier.get(entry.seq, {}).get(name, (text_digest(before[name]), ""))[0],
                        text_digest(text),
                    ]
                    for name, text in left.items()
                    if text != before[name]
                },
            )


# ------------------------------------------------------------------------------------------------------ the lists


def _erase_list(connection: Connection, publication: Publication, person: PersonalTexts) -> dict[str, Any]:
    """Erase the player's texts from a list; return the digests that changed."""
    system = system_of(publication.list)
    lines = lines_to_keep(connection, publication, person.numbers)
    own_rows = rows_of(read_players(connection, publication.id, person.numbers))
    left = [erased_list_row(row, person, system) for row in own_rows]
    replace_rows(connection, publication.id, table_of(left, system))
    table = read_table(connection, publication.id)
    now = {"standings": sha256(standings_bytes(table)).hexdigest()}
    if publication.head:
        now["digest"] = sha256(lines_bytes(table, publication.head)).hexdigest()
    if publication.kind == PUBLISHED and publication.taken_back is None:
        inputs = inputs_of(connection, publication)
        now["inputs"] = digest_inputs(inputs)
        computed = compute_list(inputs)
        if (computed.digest, computed.standings_digest) != (now["digest"], now["standings"]):
            raise BadInput("erase-list", list=publication.name)
    before = {
        "digest": publication.digest, "standings": publication.standings_digest, "inputs": publication.inputs_digest,
    }  # fmt: skip
    changed = {name: digest for name, digest in now.items() if digest != before[name]}
    return {**changed, **lines} if "digest" in changed else changed


Repeated = Annotated[int, Accepts("1", word="erase-confirm")]
DecidedBy = Annotated[str, Accepts("the board", word="erase-by", personal=True)]


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether a player is shown."""

    player: int
    hidden: bool


@act("privacy hide", OF_PLAYER, says="privacy.hidden", page="/desk/players/{player}", verb="hide-player")
def hide_player(act: ActContext, player: PlayerNumber, *, reason: Reason) -> Shown:
    """Hide a player, at their request: they are on no page, in no file and on no list made from now on.

    Published lists stay as they are; `privacy files` writes their files again without the player.
    """
    known_player(act.connection, player)
    set_hidden(act.connection, {player}, hidden=True)
    end_follows(act.connection, all_numbers(act.connection, {player}))
    return Shown(player, hidden=True)


@act("privacy show", OF_PLAYER, says="privacy.shown-again", page="/desk/players/{player}", verb="show-player")
def show_player(act: ActContext, player: PlayerNumber, *, reason: Reason) -> Shown:
    """Show a player again who was hidden."""
    known_player(act.connection, player)
    set_hidden(act.connection, all_numbers(act.connection, {player}), hidden=False)
    return Shown(player, hidden=False)


@costly
@act("privacy data", OF_PLAYER, says="office.done", verb="player-data")
def player_data(act: ActContext, player: PlayerNumber, *, reason: Reason = "") -> PlayerData:
    """Return everything that the office holds about a player, for that person."""
    return data_of(act.connection, player, act.today, utc(act.office.now()))


@costly
@task("privacy erase", officer_of_all("register"), says="privacy.erased", page="/desk/players/{player}")
def erase_player(
    office: Office, player: PlayerNumber, *, confirm: Repeated, by: DecidedBy = "", reason: Reason
) -> Erased:
    """Erase a player's name, birth and numbers from register, reports, lists and ledger. This cannot be undone.

    The number is repeated, so that nobody is erased by a slip.
    """
    if confirm != player:
        raise BadInput("erase-confirm", option="confirm", player=player)
    return erase(office, player, by, reason)


SCHEMA = "arpad.player-data/1"


PlayerData = dict[str, Any]
"""What the office holds about a player; each feature adds what it holds under a name of its own."""


def data_of(connection: Connection, player: int, today: date, made: str) -> PlayerData:
    """Return everything that the office holds about a player, as JSON has it."""
    known_player(connection, player)
    held = _document(connection, personal_texts(connection, player, today))
    whole: PlayerData = json.loads(json.dumps({"made": made, "player": player, **held}, default=str))
    return whole


def player_data_bytes(data: PlayerData) -> bytes:
    """Return the document as a file of JSON."""
    return (json.dumps({"schema": SCHEMA, **data}, ensure_ascii=False, indent=1) + "\n").encode()


def _document(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    numbers = sorted(person.numbers)
    entries = entries_of(connection, person)
    return {
        "office": {name: read_setting(connection, name) for name in ("name", "federation", "contact", "website")},
        "numbers": numbers,
        "rows": rows_naming(connection, numbers),
        "reports": _reports(connection, entries),
        "lists": _lists(connection, numbers),
        **held_about(connection, person),
        "acts": _acts(connection, person),
    }  # fmt: skip


def _reports(connection: Connection, entries: Entries) -> list[dict[str, Any]]:
    """Return the reports in which the player is entered, with the player's own line and games."""
    filed = report_rows.filed(connection, entries)
    found = []
    for number, own in sorted(entries.items()):
        on_file = filed[number]
        report = read_filed(report_rows.data(connection, number), on_file.file)
        found.append(
            {
                "report": number,
                "event": on_file.name,
                "list": str(on_file.list),
                "status": on_file.status,
                "first_day": on_file.first_day,
                "last_day": on_file.last_day,
                "received": on_file.received,
                "entries": [_entry(report, index) for index in sorted(own)],
            }
        )
    return found


def _entry(report: Report, index: int) -> dict[str, Any]:
    """Return what a report says of an entrant; opponents by their start numbers, since they are other people."""
    entrant = report.entrants[index]
    games = [
        {
            "round": at,
            "day": cells.day,
            "opponent": cells.opponents[index],
            "colour": cells.colours[index],
            "result": cells.results[index],
        }
        for at, cells in enumerate(report.rounds, start=1)
    ]
    return {**asdict(entrant), "games": games}


def _lists(connection: Connection, numbers: Collection[int]) -> list[dict[str, Any]]:
    """Return the player on every published list."""
    published = {publication.id: publication for publication in lists.ever_published(connection)}
    return [
        {"player": number, "list": str(of.list), "day": of.day, "revision": of.revision, **row._asdict()}
        for number in numbers
        for publication, row in player_history(connection, number).items()
        if (of := published.get(publication)) is not None
    ]


def _acts(connection: Connection, person: PersonalTexts) -> list[dict[str, Any]]:
    """Return the acts that name the player by number or by name."""
    return [
        {
            "act": act.seq,
            "at": act.at,
            "author": act.author,
            "verb": act.verb,
            "details": facts,
            "reason": act.reason,
        }
        for act in ledger.acts(connection)
        if (facts := act.facts) is not None
        and (
            subjects_of(facts).numbers["player"] & person.numbers
            or _names(person, f"{act.details}\n{act.reason}")
        )
    ]


def _names(person: PersonalTexts, text: str) -> bool:
    return person.without_names(text) != text
