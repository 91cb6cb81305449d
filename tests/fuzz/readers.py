"""Every reader of input from outside as one function: it succeeds or raises an error with a sentence."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from arpad.explain.rated_report import document
from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.canonical import read_canonical, write_canonical
from arpad.lists.list_file import read_list_tables
from arpad.lists.reconciliation_inputs import read_dated_list
from arpad.lists.reference import read_reference
from arpad.model.errors import ArpadError
from arpad.model.rules import Finding, ListName
from arpad.office.backup.acts import restore
from arpad.office.inbox.incoming_files import ARCHIVES, IncomingFiles
from arpad.proofs.signed_notes import ED25519, PublicKey
from arpad.publishing.bundle import MANIFEST, verify_bundle
from arpad.publishing.evidence import answers_alone, read_thing
from arpad.rating import arguments
from arpad.rating.preview import rate
from arpad.regulations.fee_table import read_fee_table
from arpad.regulations.tie_breaks import read_tie_break, read_tie_breaks
from arpad.reports.event_facts import read_facts
from arpad.reports.formats import read_report, write_report
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.draughts_list_csv import read as read_capitals
from arpad.reports.formats.lists.list_csv import read_cells, read_register
from arpad.reports.formats.pdn import read as read_pdn
from arpad.reports.formats.pgn import read as read_pgn
from arpad.reports.formats.sheet import read as read_sheet
from arpad.reports.formats.trf import read as read_trf
from arpad.reports.report import Report
from arpad.reports.report_games import games_in_columns
from arpad.reports.stages import read_filed
from arpad.reports.time_control import read_time_control

CORPUS = Path(__file__).parent / "corpus"
FOUND = Path(__file__).parent / "found"
MOST_ROWS = 2000


def _has_words(findings: Iterable[Finding]) -> None:
    for finding in findings:
        for language in LANGUAGES:
            assert load_words(language).finding(finding)


def _put(data: bytes, name: str) -> Path:
    """The bytes as a file, in the place where the next input goes as well."""
    path = Path(_folder().name) / name
    path.unlink(missing_ok=True)  # a reader may still have the file before it mapped into memory
    path.write_bytes(data)
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is deleted with this process."""
    memory = Path("/dev/shm")  # noqa: S108  a folder of its own inside
    return tempfile.TemporaryDirectory(prefix="arpad-fuzz-", dir=memory if memory.is_dir() else None)


# ----------------------------------------------------------------------------------------------------- reports


def _reported(report: Report) -> None:
    _has_words(report.findings)
    _has_words(write_report(report, report.format)[1])


def _trf(data: bytes) -> None:
    """Read it; a regular report has its games in columns."""
    report = read_trf(data)
    games = games_in_columns(report)
    if games is not None:
        assert (games.size, games.rounds) == (report.size, len(report.rounds))
        assert len(games.opponents) == 4 * len(games.results) == 4 * games.size * games.rounds
    _reported(report)


def _sheet(data: bytes) -> None:
    _reported(read_sheet(data, "x.csv"))


def _pgn(data: bytes) -> None:
    _reported(read_pgn(data))


def _pdn(data: bytes) -> None:
    _reported(read_pdn(data))


def _rated(data: bytes) -> None:
    """Every readable report can be checked, rated and described in both languages."""
    rated = rate(read_report(data))
    for language in LANGUAGES:
        document(rated, load_words(language))


_WORKBOOK = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}
_PARTS = (
    "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
)


def _workbook(data: bytes) -> None:
    """A workbook; or one part of a workbook, which the first byte names, inside a container that is whole."""
    if not data.startswith(b"PK"):
        part = _PARTS[data[0] % len(_PARTS)] if data else _PARTS[0]
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as packed:
            for name, text in _WORKBOOK.items():
                if name != part:
                    packed.writestr(name, text)
            packed.writestr(part, data[1:])
        data = made.getvalue()
    _reported(read_report(data, "x.xlsx"))


# ------------------------------------------------------------------------------------------------------- lists


def _rating_list(data: bytes) -> None:
    """Read it in each way in which a list is used."""
    path = _put(data, "list")
    _rows_or_refusal(read_reference(path, date(2026, 1, 1)).table.iter_rows() for _ in (1,))
    _rows_or_refusal(read_cells(path, {"id": 1, "name": 2}))
    _rows_or_refusal(
        read_dated_list(path, date(2026, 1, 1), ListName.STANDARD, (), "ITA").players for _ in (1,)
    )
    rows = _rows_or_refusal(
        row for table in read_list_tables(path, ListName.STANDARD) for row in table.iter_rows(named=True)
    )
    if isinstance(rows, ArpadError):
        raise rows
    assert all(row["id"] > 0 for row in rows)


def _rows_or_refusal(rows: Iterable[Any]) -> list[Any] | ArpadError:
    try:
        return list(islice(rows, MOST_ROWS))
    except ArpadError as error:
        return error


def _canonical(data: bytes) -> None:
    assert write_canonical(read_canonical(data)) == data


def _capitals(data: bytes) -> None:
    read_capitals(data)


def _register(data: bytes) -> None:
    for row in read_register(data):
        assert row.facts["name"]
        assert len(dict(row.numbers)) == len(row.numbers)


def _arbiters(data: bytes) -> None:
    from arpad.office.arbiters.acts import read_rows

    assert all(facts["name"] for facts, _ in read_rows(data))


def _clubs(data: bytes) -> None:
    """Clubs, then memberships: two files with a line of dashes between them."""
    from arpad.office.clubs.imports import read_memberships, read_units

    clubs, _, members = data.partition(b"\n---\n")
    assert all(row.code for row in read_units(clubs))
    list(read_memberships(members, ("fide",)))


def _event(data: bytes) -> None:
    """The name of a rating system, then its question: a line of dashes between them."""
    from arpad.rating.event_question import answer_event, read_file, read_question

    name, _, question = data.partition(b"\n---\n")
    system = "icu" if name == b"icu" else "dwz" if name == b"dwz" else "glicko2"
    answer_event(read_question(system, read_file(_put(question, "event.json"))))


def _states(data: bytes) -> None:
    from arpad.rating.event_question import read_states
    from arpad.regulations.systems import system_named

    assert all(read_states(_put(data, "states.csv"), system_named("dwz")))


def _tie_breaks(data: bytes) -> None:
    known, _ = read_tie_breaks(data.decode("utf-8", "replace"))
    assert all(read_tie_break(it.code) == it for it in known)


def _fees(data: bytes) -> None:
    table = read_fee_table(arguments.read_toml(str(_put(data, "fees.toml"))))
    assert all(fee.amount >= 0 for fee in table.fees)


def _history(data: bytes) -> None:
    """Games, then players: two files with a line of dashes between them."""
    from arpad.studies.history_files import read_history

    games, _, players = data.partition(b"\n---\n")
    read_history(_put(games, "games.csv"), _put(players, "players.csv") if players else None)


def _games(data: bytes) -> None:
    from arpad.studies.game_table import read_games
    from arpad.studies.history_files import read_history

    path = _put(data, "games.parquet")
    read_history(path)
    for batch in read_games(path):
        assert len(batch) >= 0


# -------------------------------------------------------------------------------------------- facts and editions


def _facts(data: bytes) -> None:
    read_facts(arguments.read_toml(str(_put(data, "facts.toml"))))


def _edition(data: bytes) -> None:
    edition = arguments.any_edition(str(_put(data, "edition.toml")))
    assert edition.id


def _time_control(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    text, _, code = text.partition("\n")
    control = read_time_control(text, code)
    assert control.readable or control.problem


def _text(data: bytes) -> None:
    found = read_text(data)
    _has_words(found.findings)


# ------------------------------------------------------------------------------------------- bundles and backups


def _members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@cache
def _whole(kind: str) -> dict[str, bytes]:
    return _members(CORPUS / kind / "whole.zip")


def _replaced(kind: str, data: bytes) -> bytes:
    """An archive that is whole but for one member, named by the first byte, whose digest fits all the same."""
    members = dict(_whole(kind))
    names = sorted(members)
    name = names[data[0] % len(names)] if data else MANIFEST
    members[name] = data[1:]
    if name != MANIFEST:
        manifest: dict[str, Any] = json.loads(members[MANIFEST])
        kept = manifest["files" if "files" in manifest else "sha256"]
        key = name if name in kept else name.removesuffix(".jsonl")
        kept[key] = sha256(data[1:]).hexdigest()
        if "rows" in manifest:
            manifest["rows"][key] = len(data[1:].splitlines())
        members[MANIFEST] = json.dumps(manifest).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for each, content in members.items():
            archive.writestr(each, content)
    return out.getvalue()


def _archive(data: bytes) -> None:
    """The first byte chooses the kind, as the end of its name does."""
    kind = ARCHIVES[data[0] % len(ARCHIVES)] if data else ".zip"
    with IncomingFiles([_put(data[1:], f"reports{kind}")]) as there:
        for file in there.files:
            assert isinstance(file.read(), bytes)


def _bundle(data: bytes) -> None:
    path = _put(data if data.startswith(b"PK") else _replaced("bundle", data), "bundle.zip")
    for place in verify_bundle(path).altered:
        for language in LANGUAGES:
            assert load_words(language).text(f"altered.{place.code}", **place.facts)


def _backup(data: bytes) -> None:
    path = _put(data if data.startswith(b"PK") else _replaced("backup", data), "backup.zip")
    database = Path(_folder().name) / "restored.db"
    try:
        restore(path, str(database))
    finally:
        for leftover in database.parent.glob("restored.db*"):
            leftover.unlink()


def _kept(data: bytes) -> None:
    thing = read_thing(str(_put(data, "standard-2018-02-01-r1.kept")))
    for answer in answers_alone(thing, [PublicKey("ratings.example.org", ED25519, bytes(32))]):
        for language in LANGUAGES:
            assert load_words(language).text(answer.key, **answer.facts)


def _stages(data: bytes) -> None:
    _has_words(read_filed(data).findings)


READERS: dict[str, Callable[[bytes], None]] = {
    "archive": _archive,
    "backup": _backup,
    "bundle": _bundle,
    "arbiters": _arbiters,
    "canonical": _canonical,
    "capitals": _capitals,
    "clubs": _clubs,
    "edition": _edition,
    "event": _event,
    "facts": _facts,
    "fees": _fees,
    "games": _games,
    "history": _history,
    "pdn": _pdn,
    "pgn": _pgn,
    "kept": _kept,
    "rated": _rated,
    "rating-list": _rating_list,
    "register": _register,
    "sheet": _sheet,
    "stages": _stages,
    "text": _text,
    "time-control": _time_control,
    "trf": _trf,
    "workbook": _workbook,
    "states": _states,
    "tie-breaks": _tie_breaks,
}

ENTRANCES = {
    "adopted.read_own": "edition",
    "acts.restore": "backup",
    "bundle.verify_bundle": "bundle",
    "arguments.read_toml": "facts",
    "canonical.read_canonical": "canonical",
    "imports.read_memberships": "clubs",
    "imports.read_units": "clubs",
    "draughts_list_csv.read": "capitals",
    "draughts_list_csv.read_rows": "capitals",
    "encoding.read_text": "text",
    "event_facts.read_facts": "facts",
    "event_question.read_file": "event",
    "fee_table.read_fee_table": "fees",
    "fide_list.open_list": "rating-list",
    "fide_list.read_list": "rating-list",
    "fide_list.read_players": "rating-list",
    "formats.read_bytes": "rated",
    "formats.read_file": "rated",
    "formats.read_report": "rated",
    "game_table.read_games": "games",
    "game_table.read_tables": "games",
    "history_files.read_beginning": "history",
    "history_files.read_history": "history",
    "acts.read_rows": "arbiters",
    "incoming_files.read_file": "archive",
    "input_files.read_guests": "bundle",
    "event_question.read_games": "event",
    "evidence.read_thing": "kept",
    "lists.read_list": "rating-list",
    "list_pdf.read_printed": "kept",
    "witnesses.read_shown": "kept",
    "list_csv.read_cells": "rating-list",
    "list_csv.read_csv_list": "rating-list",
    "list_file.read_list_tables": "rating-list",
    "pdn.read": "pdn",
    "pgn.read": "pgn",
    "rating_lookup.read_list_rows": "rating-list",
    "event_question.read_rows": "states",
    "event_question.read_states": "states",
    "reconciliation_inputs.read_dated_list": "rating-list",
    "reference.read_reference": "rating-list",
    "list_csv.read_register": "register",
    "sheet.read": "sheet",
    "sheet_xlsx.read_workbook": "workbook",
    "spreadsheet_cells.restore": "sheet",
    "stages.read_filed": "stages",
    "tie_breaks.read_tie_breaks": "tie-breaks",
    "trf.read": "trf",
}
"""Every function that gets bytes, a stream, a file or a whole text from outside, and the reader that reaches it."""


def survives(name: str, data: bytes) -> None:
    """Read it; a refusal must have its sentence in both languages."""
    try:
        READERS[name](data)
    except ArpadError as error:
        for language in LANGUAGES:
            sentence = load_words(language).error(error)
            assert sentence
            assert "\n" not in sentence
