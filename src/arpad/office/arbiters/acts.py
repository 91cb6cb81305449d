"""Keep the register of arbiters: enter an arbiter, change facts, add a licence; from a form or from a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

from sqlalchemy import Connection

from arpad.model.arbiters import TITLES, Arbiter, Licence
from arpad.model.errors import BadInput, Unreadable
from arpad.model.names import stored_form
from arpad.model.typed_values import parse_day
from arpad.office.arbiters.rows import add_arbiter, add_arbiter_facts, add_licence, load_arbiters
from arpad.office.arbiters.tables import FIELDS
from arpad.office.office import Office, record_act
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.list_csv import headings, separator
from arpad.system.spreadsheet_cells import restore

COLUMNS = ("name", "fide", "federation", "title", "licence_from", "licence_until")
"""The columns of a CSV file; only the name is needed."""

LONGEST = 200


def arbiters_of(office: Office) -> list[Arbiter]:
    """Return all arbiters, by number."""
    with office.store.reading() as connection:
        return load_arbiters(connection)


def register_arbiter(
    office: Office,
    name: str,
    *,
    fide: str = "",
    federation: str = "",
    title: str = "",
    licence: Licence | None = None,
    reason: str = "",
) -> int:
    """Enter an arbiter; a FIDE number belongs to one arbiter only. Return the number in the register."""
    with record_act(office, "register-arbiter", reason) as act:
        values = _checked({"name": name, "fide": fide, "federation": federation, "title": title})
        number = _enter(act.connection, values, licence, act.today, act.seq)
        act.record(arbiter=number, **values, **_licence_details(licence))
    return number


def change_arbiter(office: Office, arbiter: int, values: Mapping[str, str], *, reason: str = "") -> None:
    """Change facts about an arbiter from today on."""
    with record_act(office, "change-arbiter", reason) as act:
        known = _known(act.connection, arbiter)
        checked = _checked({"name": known.name, **values})
        changed = {name: checked[name] for name in values if getattr(known, name) != checked[name]}
        if not changed:
            return
        _refuse_number_of_another(act.connection, changed.get("fide", ""), arbiter)
        add_arbiter_facts(act.connection, arbiter, changed, act.today, act.seq)
        act.record(arbiter=arbiter, **changed)


def license_arbiter(office: Office, arbiter: int, licence: Licence, *, reason: str = "") -> None:
    """Add a licence of an arbiter, or another end to the one with the same first day."""
    with record_act(office, "license-arbiter", reason) as act:
        _known(act.connection, arbiter)
        _check_licence(licence)
        add_licence(act.connection, arbiter, licence, act.seq)
        act.record(arbiter=arbiter, **_licence_details(licence))


def import_arbiters(office: Office, path: Path, *, reason: str = "") -> tuple[int, int]:
    """Enter the arbiters of a CSV file, all or none; return how many are new, and how many were changed.

    An arbiter is recognised by the FIDE number, else by the name if only one has it.
    """
    rows = list(_read_rows(path))
    with record_act(office, "import-arbiters", reason) as act:
        connection, entered, changed = act.connection, 0, 0
        for line, values, licence in rows:
            known = _same(load_arbiters(connection), values)
            try:
                if known is None:
                    _enter(connection, values, licence, act.today, act.seq)
                    entered += 1
                    continue
            except BadInput as error:
                error.facts.setdefault("line", line)
                raise
            new = {name: value for name, value in values.items() if value and getattr(known, name) != value}
            if new:
                add_arbiter_facts(connection, known.id, new, act.today, act.seq)
            fresh = licence is not None and licence not in known.licences
            if licence is not None and fresh:
                add_licence(connection, known.id, licence, act.seq)
            changed += bool(new or fresh)
        if entered or changed:
            act.record(file=path.name, entered=entered, changed=changed)
    return entered, changed


# ---------------------------------------------------------------------------------------------------- checking


def _enter(
    connection: Connection, values: Mapping[str, str], licence: Licence | None, today: date, act: int
) -> int:
    _refuse_number_of_another(connection, values["fide"], None)
    if licence is not None:
        _check_licence(licence)
    number = add_arbiter(connection, act)
    add_arbiter_facts(connection, number, values, today, act)
    if licence is not None:
        add_licence(connection, number, licence, act)
    return number


def _known(connection: Connection, arbiter: int) -> Arbiter:
    for known in load_arbiters(connection):
        if known.id == arbiter:
            return known
    raise BadInput("no-arbiter", arbiter=arbiter)


def _checked(values: Mapping[str, str]) -> dict[str, str]:
    """Return facts without surrounding blanks; refuse those that cannot be right."""
    stripped = {name: value.strip()[:LONGEST] for name, value in values.items()}
    if "name" in stripped:
        stripped["name"] = stored_form(stripped["name"])
    if not stripped.get("name"):
        raise BadInput("value-missing", option="name")
    title, fide = stripped.get("title", ""), stripped.get("fide", "")
    if title and title not in TITLES:
        raise BadInput("value-unknown", option="title", value=title, accepted=", ".join(TITLES))
    if fide and not (fide.isdecimal() and fide.isascii()):
        raise BadInput("bad-form", option="fide", value=fide, accepted="800123")
    return stripped


def _refuse_number_of_another(connection: Connection, fide: str, arbiter: int | None) -> None:
    for known in load_arbiters(connection) if fide else ():
        if known.fide == fide and known.id != arbiter:
            raise BadInput("arbiter-number-taken", fide=fide, name=known.name, arbiter=known.id)


def _check_licence(licence: Licence) -> None:
    if licence.until is not None and licence.until < licence.since:
        raise BadInput("licence-backwards", since=licence.since, until=licence.until)


def _licence_details(licence: Licence | None) -> dict[str, str]:
    if licence is None:
        return {}
    return {"since": str(licence.since), "until": str(licence.until) if licence.until else ""}


def _same(arbiters: Iterable[Arbiter], values: Mapping[str, str]) -> Arbiter | None:
    arbiters = list(arbiters)
    if values["fide"]:
        return next((known for known in arbiters if known.fide == values["fide"]), None)
    named = [known for known in arbiters if known.name == values["name"]]
    return named[0] if len(named) == 1 else None


# ------------------------------------------------------------------------------------------------------ reading


def _read_rows(path: Path) -> Iterator[tuple[int, dict[str, str], Licence | None]]:
    """Yield each row with its line; refuse a file without names, and a row that cannot be read."""
    try:
        lines = read_text(path.read_bytes()).lines
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    columns = headings(lines[0])
    if unknown := [name for name in columns if name not in COLUMNS]:
        accepted = ", ".join(COLUMNS)
        raise Unreadable("arbiter-column", line=1, column_name=unknown[0], accepted=accepted)
    if "name" not in columns:
        raise Unreadable("list-column", line=1, column_name="name", accepted=", ".join(COLUMNS))
    rows = csv.reader(lines[1:], delimiter=separator(lines[0]), strict=True)
    line = 2
    try:
        for cells in rows:
            texts = dict.fromkeys(COLUMNS, "") | dict(zip(columns, map(restore, cells), strict=False))
            if any(text.strip() for text in texts.values()):
                yield line, *_row(texts, line)
            line = rows.line_num + 2
    except csv.Error:
        raise Unreadable("sheet-quotes", line=line, column=1) from None


def _row(texts: Mapping[str, str], line: int) -> tuple[dict[str, str], Licence | None]:
    try:
        return _checked({name: texts[name] for name in FIELDS}), _licence(texts)
    except BadInput as error:
        error.facts.setdefault("line", line)
        raise


def _licence(texts: Mapping[str, str]) -> Licence | None:
    """Return the licence of a row; a last day without a first day is refused."""
    first, last = texts["licence_from"].strip(), texts["licence_until"].strip()
    if not first and not last:
        return None
    if not first:
        raise BadInput("value-missing", option="licence_from")
    licence = Licence(parse_day(first, "licence_from"), parse_day(last, "licence_until") if last else None)
    _check_licence(licence)
    return licence
