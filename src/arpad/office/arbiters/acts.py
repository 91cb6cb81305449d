"""The register of arbiters: enter an arbiter, change facts, add a licence, import a file, list them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.model.declared import Accepts, Upload
from arpad.model.errors import BadInput, Unreadable
from arpad.model.names import stored_form
from arpad.model.people import ARBITER_TITLES, Arbiter, Licence
from arpad.model.typed_values import check_among, parse_day
from arpad.office.arbiters.rows import add_arbiter_facts, load_arbiters
from arpad.office.arbiters.tables import FIELDS, arbiter_licences
from arpad.office.arbiters.tables import arbiters as arbiters_table
from arpad.office.declared import FederationCode, Reading, Reason, act, query
from arpad.office.office import ActContext
from arpad.office.users import Permission, Role, User, officer, officer_of, officer_of_all
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.lists.list_csv import headings, named_cells

LONGEST = 200


def known_arbiter(connection: Connection, arbiter: int) -> Arbiter:
    """Return an arbiter; refuse an unknown number."""
    for known in load_arbiters(connection):
        if known.id == arbiter:
            return known
    raise BadInput("no-arbiter", option="arbiter", arbiter=arbiter)


def known_fide(text: str, parameter: str) -> str:
    """Return a FIDE ID; refuse a text that is none."""
    if text and not (text.isdecimal() and text.isascii()):
        raise BadInput("bad-form", option=parameter, value=text[:40], accepted="800123")
    return text


def checked_facts(values: Mapping[str, str]) -> dict[str, str]:
    """Return facts without surrounding blanks; refuse those that cannot be right."""
    stripped = {name: value.strip()[:LONGEST] for name, value in values.items()}
    stripped["name"] = stored_form(stripped["name"])
    if not stripped["name"]:
        raise BadInput("value-missing", option="name")
    if title := stripped.get("title"):
        check_among(title, "title", ARBITER_TITLES)
    known_fide(stripped.get("fide", ""), "fide")
    return stripped


def checked_licence(since: date, until: date | None) -> Licence:
    """Return a licence; refuse one that ends before it begins."""
    if until is not None and until < since:
        raise BadInput("licence-backwards", option="until", since=since, until=until)
    return Licence(since, until)


def refuse_number_of_another(connection: Connection, fide: str, arbiter: int | None) -> None:
    """Refuse a FIDE ID that another arbiter has."""
    for known in load_arbiters(connection) if fide else ():
        if known.fide == fide and known.id != arbiter:
            raise BadInput(
                "arbiter-number-taken", option="fide", fide=fide, name=known.name, arbiter=known.id
            )


COLUMNS = ("name", "fide", "federation", "title", "licence_from", "licence_until")
"""The columns of a CSV file; only the name is needed."""


def read_rows(data: bytes) -> Iterator[tuple[dict[str, str], Licence | None]]:
    """Yield each row; refuse a file without names, and a row that cannot be read."""
    if unknown := [name for name in headings(read_text(data).lines[0]) if name not in COLUMNS]:
        raise Unreadable("arbiter-column", line=1, column_name=unknown[0], accepted=", ".join(COLUMNS))
    for cells in map(dict, named_cells(data, {name: name for name in COLUMNS}, ("name",))):
        texts = dict.fromkeys(COLUMNS, "") | {name: cell.text for name, cell in cells.items()}
        try:
            yield checked_facts({name: texts[name] for name in FIELDS}), _licence(texts)
        except BadInput as error:
            error.facts.setdefault("line", cells["name"].line)
            raise


def _licence(texts: Mapping[str, str]) -> Licence | None:
    """Return the licence of a row; a last day without a first day is refused."""
    first, last = texts["licence_from"], texts["licence_until"]
    if not first and not last:
        return None
    if not first:
        raise BadInput("value-missing", option="licence_from")
    return checked_licence(
        parse_day(first, "licence_from"), parse_day(last, "licence_until") if last else None
    )


ArbiterNumber = Annotated[int, Accepts("1", word="arbiter")]
Name = Annotated[str, Accepts("Rossi, Mario", word="arbiter-name", personal=True)]
Fide = Annotated[str, Accepts("800124", longest=12, word="arbiter-fide", read=known_fide, personal=True)]
Title = Annotated[
    str,
    Accepts(
        "IA",
        longest=10,
        word="arbiter-title",
        personal=False,
        read=lambda text, parameter: text and check_among(text, parameter, ARBITER_TITLES),
    ),
]
Changes = Annotated[dict[str, str], Accepts("title=IA", word="arbiter-changes", fields=FIELDS, personal=True)]
Since = Annotated[date, Accepts("2025-01-01", word="licence-since")]
Until = Annotated[date, Accepts("2028-12-31", word="licence-until")]
ArbitersFile = Annotated[Upload, Accepts(word="arbiters-file")]


def _may_change(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether an officer may decide for the federation of an arbiter, and for a new one."""
    known = known_arbiter(connection, given["arbiter"]).federation
    return all(user.may(Role.OFFICER, it) for it in (known, given["set"].get("federation", known)))


OF_FEDERATION = officer_of("register", lambda _, given: str(given["federation"]))
OF_ARBITER = officer_of(
    "register", lambda connection, given: known_arbiter(connection, given["arbiter"]).federation
)


@dataclass(frozen=True, slots=True)
class ArbiterEntry:
    """An arbiter with all licences, each with its first day (``from``) and its last, if it has one."""

    arbiter: int
    name: str
    fide: str | None
    federation: str
    title: str
    licences: tuple[dict[str, date | None], ...]

    @property
    def licensed(self) -> str:
        """The days of all licences, for a table."""
        return ", ".join(f"{it['from']} – {it['until'] or ''}".strip() for it in self.licences)


@dataclass(frozen=True, slots=True)
class Arbiters:
    """The arbiters, by number."""

    arbiters: tuple[ArbiterEntry, ...]


@dataclass(frozen=True, slots=True)
class ImportedArbiters:
    """How many arbiters of a file are new, and how many were changed."""

    entered: int
    changed: int


@query(
    "arbiter list",
    officer("register"),
    columns=("arbiter", "name", "fide", "federation", "title", "licensed"),
    path="/arbiters",
    says="arbiter.none",
)
def arbiters(reading: Reading) -> Arbiters:
    """List the arbiters with their licences."""
    return Arbiters(tuple(entry_of(it) for it in arbiters_of(reading)))


def arbiters_of(reading: Reading) -> list[Arbiter]:
    """Return the arbiters whom the reader may see, by number: an officer of one federation sees its own."""
    return [it for it in load_arbiters(reading.connection) if reading.caller.officer_of(it.federation)]


@act("arbiter register", OF_FEDERATION, says="arbiter.entered", page="/desk/arbiters")
def register_arbiter(
    act: ActContext,
    name: Name,
    *,
    fide: Fide = "",
    federation: FederationCode = "",
    title: Title = "",
    since: Since | None = None,
    until: Until | None = None,
    reason: Reason = "",
) -> ArbiterEntry:
    """Enter an arbiter, with a licence if there is one; a FIDE ID belongs to one arbiter only.

    Example: arpad office arbiter register "Rossi, Mario" --fide 800123 --title IA --since 2025-01-01 --db office.db
    """
    if until is not None and since is None:
        raise BadInput("value-missing", option="since")
    values = checked_facts({"name": name, "fide": fide, "federation": federation, "title": title})
    refuse_number_of_another(act.connection, fide, None)
    number = _enter(act, values, checked_licence(since, until) if since else None)
    act.record(arbiter=number, **values)
    return entry_of(known_arbiter(act.connection, number))


@act(
    "arbiter change",
    Permission(Role.OFFICER, "register", _may_change),
    says="arbiter.changed",
    page="/desk/arbiters",
)
def change_arbiter(
    act: ActContext, arbiter: ArbiterNumber, *, set_: Changes, reason: Reason = ""
) -> ArbiterEntry:
    """Change facts about an arbiter from today on: name, fide, federation or title."""
    known = known_arbiter(act.connection, arbiter)
    checked = checked_facts({"name": known.name, **set_})
    changed = {name: checked[name] for name in set_ if getattr(known, name) != checked[name]}
    act.unchanged = not changed
    refuse_number_of_another(act.connection, changed.get("fide", ""), arbiter)
    add_arbiter_facts(act.connection, arbiter, changed, act.today, act.seq)
    act.record(**changed)
    return entry_of(known_arbiter(act.connection, arbiter))


@act("arbiter license", OF_ARBITER, says="arbiter.licensed", page="/desk/arbiters")
def license_arbiter(
    act: ActContext, arbiter: ArbiterNumber, *, since: Since, until: Until | None = None, reason: Reason = ""
) -> ArbiterEntry:
    """Add a licence of an arbiter, or another end to the one with the same first day."""
    known_arbiter(act.connection, arbiter)
    _add_licence(act, arbiter, checked_licence(since, until))
    return entry_of(known_arbiter(act.connection, arbiter))


@act(
    "arbiter import",
    officer_of_all("register"),
    says="arbiter.imported",
    page="/desk/arbiters",
    verb="import-arbiters",
)
def import_arbiters(act: ActContext, file: ArbitersFile, *, reason: Reason = "") -> ImportedArbiters:
    """Enter the arbiters of a CSV file, all or none.

    An arbiter is recognised by the FIDE ID, else by the name if only one has it.
    """
    entered = changed = 0
    for values, licence in read_rows(file.data):
        known = _same(load_arbiters(act.connection), values)
        if known is None:
            _enter(act, values, licence)
            entered += 1
            continue
        new = {name: value for name, value in values.items() if value and getattr(known, name) != value}
        add_arbiter_facts(act.connection, known.id, new, act.today, act.seq)
        fresh = None if licence in known.licences else licence
        if fresh is not None:
            _add_licence(act, known.id, fresh)
        changed += bool(new or fresh)
    act.unchanged = not (entered or changed)
    act.record(entered=entered, changed=changed)
    return ImportedArbiters(entered, changed)


def entry_of(arbiter: Arbiter) -> ArbiterEntry:
    """Return an arbiter as an answer."""
    licences = tuple({"from": it.since, "until": it.until} for it in arbiter.licences)
    return ArbiterEntry(
        arbiter.id, arbiter.name, arbiter.fide or None, arbiter.federation, arbiter.title, licences
    )


def _enter(act: ActContext, values: Mapping[str, str], licence: Licence | None) -> int:
    """Append an arbiter with facts and a licence; return the number."""
    number = act.add(arbiters_table)
    add_arbiter_facts(act.connection, number, values, act.today, act.seq)
    if licence is not None:
        _add_licence(act, number, licence)
    return number


def _add_licence(act: ActContext, arbiter: int, licence: Licence) -> None:
    """Append a licence; one with the same first day is replaced by it."""
    act.add(arbiter_licences, arbiter=arbiter, since=str(licence.since), until=str(licence.until or ""))


def _same(known: list[Arbiter], values: Mapping[str, str]) -> Arbiter | None:
    if values["fide"]:
        return next((it for it in known if it.fide == values["fide"]), None)
    named = [it for it in known if it.name == values["name"]]
    return named[0] if len(named) == 1 else None
