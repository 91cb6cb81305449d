"""FIDE's lists beside the register, what the federation sends to FIDE, and FIDE's list beside our calculation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from typing import Annotated, Literal

from arpad.explain.documents import FindingDocument, finding_document
from arpad.explain.reconciliation_document import ReconciliationDocument, csv_text, document
from arpad.explain.words import Words
from arpad.lists.reconciled import Reconciliation
from arpad.model.declared import Accepts, CsvFile, TextFile
from arpad.model.errors import BadInput
from arpad.model.people import Birth
from arpad.model.rules import ListName
from arpad.office.declared import Reading, Reason, ReportNumber, act, costly, query, task
from arpad.office.fide import rows
from arpad.office.fide.exchange import fide_report, numbers_needed, pairing_players, reconcile_office
from arpad.office.fide.name_rows import rebuild_words
from arpad.office.fide.reference import find_in_reference, known_at_fide, listed_at_fide, reference_history
from arpad.office.fide.rows import Reference
from arpad.office.office import ActContext, Office
from arpad.office.register.acts import Player, register_player
from arpad.office.reports.acts import OF_REPORT
from arpad.office.users import officer, officer_of, officer_of_all
from arpad.publishing.pairing_players import write_players
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.register_facts import ChangedFact

FideNumber = Annotated[int, Accepts("2500036", word="fide-number")]
NameOrNumber = Annotated[str, Accepts("Rossi", longest=100, word="name-or-number")]
MostFound = Annotated[int, Accepts("20", high=100, word="most-found")]
ReferenceDays = Annotated[Sequence[date], Accepts("2025-01-01", word="reference-days")]
ReferenceDay = Annotated[date, Accepts("2025-01-01", word="reference-day")]
ChessList = Annotated[Literal["standard", "rapid", "blitz"], Accepts("standard", word="list")]
Format = Annotated[Literal["trf16", "trf26"], Accepts("trf16", word="fide-format")]

OFFICER = officer("register")


@dataclass(frozen=True, slots=True)
class KeptReference:
    """A reference list on record."""

    day: date
    source: str
    lists: tuple[ListName, ...]
    players: int
    file: str
    sha256: str
    digest: str


@dataclass(frozen=True, slots=True)
class References:
    """The reference lists that the office keeps."""

    references: tuple[KeptReference, ...]


@dataclass(frozen=True, slots=True)
class RemovedReferences:
    """The reference lists that were removed, and their days."""

    removed: tuple[KeptReference, ...]
    days: str


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of a reference list."""

    number: int
    name: str
    federation: str
    sex: str
    born: Birth
    title: str
    women_title: str
    other_titles: str
    inactive: bool
    standard: int | None
    standard_k: int | None
    rapid: int | None
    rapid_k: int | None
    blitz: int | None
    blitz_k: int | None


@dataclass(frozen=True, slots=True)
class ListedMonth:
    """What the reference list of a day says about a number."""

    day: date
    player: ListedPlayer


@dataclass(frozen=True, slots=True)
class ListedMonths:
    """What the reference lists say about a number, the newest first."""

    number: int
    months: tuple[ListedMonth, ...]


@dataclass(frozen=True, slots=True)
class ListedPlayers:
    """Players of the newest reference list."""

    asked: str
    players: tuple[ListedPlayer, ...]


@dataclass(frozen=True, slots=True)
class WithoutNumber:
    """A player of a report who has no FIDE ID."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class FideChanges:
    """How the file for FIDE differs from the report that came, and what it lacks."""

    report: int
    format: str
    changes: tuple[ChangedFact, ...]
    without_number: tuple[WithoutNumber, ...]
    findings: tuple[FindingDocument, ...]


@dataclass(frozen=True, slots=True)
class NeededNumber:
    """A player without a FIDE ID, with the last event that needs it."""

    player: int
    name: str
    federation: str
    sex: str
    born: Birth
    report: int
    event: str
    last_day: date | None


@dataclass(frozen=True, slots=True)
class NeededNumbers:
    """The players of accepted reports who have no FIDE ID, by name."""

    players: tuple[NeededNumber, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """FIDE's list beside the office's own calculation."""

    result: Reconciliation
    words: Words

    def document(self) -> ReconciliationDocument:
        """Return the comparison in the reader's language."""
        return document(self.result, self.words)


# ------------------------------------------------------------------------------------------------ reference lists


@task(
    "fide enter",
    officer_of("register", lambda connection, given: listed_at_fide(connection, given["number"]).federation),
    says="register.entered",
    page="/desk/players/{id}",
)
def enter_listed(office: Office, number: FideNumber, *, reason: Reason = "") -> Player:
    """Enter a player of FIDE's newest reference list into the register, with what the list says."""
    listed = known_at_fide(office, number)
    return register_player(
        office, listed.name, federation=listed.federation, sex="F" if listed.sex == "F" else "M",
        born=listed.born, title=listed.title, women_title=listed.women_title,
        identifiers={"fide": str(number)}, reason=reason,
    )  # fmt: skip


@act(
    "fide remove",
    officer_of_all("lists"),
    says="reference.removed",
    page="/desk/reconciliation",
    verb="remove-reference",
)
def remove_references(act: ActContext, days: ReferenceDays, *, reason: Reason = "") -> RemovedReferences:
    """Remove the reference lists of some days; the lists that were published with them keep what they used."""
    kept, newest = rows.references(act.connection), rows.newest_reference(act.connection)
    for day in sorted({*days} - {it.day for it in kept}):
        raise BadInput("reference-unknown", option="days", day=day)
    removed = tuple(it for it in kept if it.day in days)
    for reference in removed:
        rows.remove_reference(act.connection, reference.id, act.seq)
    if newest in removed:
        rebuild_words(act.connection)
    act.record(references=[it.id for it in removed], days=sorted({str(it.day) for it in removed}))
    return RemovedReferences(tuple(map(kept_reference, removed)), ", ".join(str(it.day) for it in removed))


@query(
    "fide references",
    OFFICER,
    columns=("day", "lists", "players", "file"),
    path="/references",
    says="reference.none",
)
def references(reading: Reading) -> References:
    """List the reference lists that are kept."""
    return References(tuple(map(kept_reference, rows.references(reading.connection))))


@query("fide show", OFFICER, path="/references/{number}")
def listed_months(reading: Reading, number: FideNumber) -> ListedMonths:
    """Show what the reference lists say about a number, month by month."""
    records = reference_history(reading.office, number)
    if not records:
        raise BadInput("reference-number", option="number", number=number)
    months = (ListedMonth(it.reference.day, listed_player(it.player)) for it in records)
    return ListedMonths(number, tuple(months))


@query("fide search", OFFICER, path="/references/players")
def search_listed(reading: Reading, name: NameOrNumber, *, limit: MostFound = 20) -> ListedPlayers:
    """Search the newest reference list by name."""
    found = find_in_reference(reading.office, name, limit)
    return ListedPlayers(name, tuple(map(listed_player, found)))


def kept_reference(reference: Reference) -> KeptReference:
    """Return a reference list as an answer."""
    return KeptReference(
        reference.day, reference.source, reference.lists, reference.rows, reference.file, reference.sha256,
        reference.digest,
    )  # fmt: skip


def listed_player(row: ListRow) -> ListedPlayer:
    """Return a player of a reference list as an answer."""
    return ListedPlayer(
        row.id, row.name, row.federation, row.sex, row.born, row.title, row.women_title, row.other_titles, row.inactive,
        row.rating, row.k, row.rapid_rating, row.rapid_k, row.blitz_rating, row.blitz_k,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- sent to FIDE


@costly
@query("fide report", OF_REPORT, path="/reports/{report}/fide")
def report_changes(reading: Reading, report: ReportNumber, *, to: Format = "trf16") -> FideChanges:
    """Show what the file of an accepted report for FIDE changes, and which players have no FIDE ID."""
    written = fide_report(reading.office, report, to)
    return FideChanges(
        report,
        to,
        written.changes,
        tuple(WithoutNumber(it.id, it.name) for it in written.without_number),
        tuple(finding_document(it, reading.words) for it in written.findings),
    )


@costly
@query("fide report-file", OF_REPORT, path="/reports/{report}/fide.txt")
def report_file(reading: Reading, report: ReportNumber, *, to: Format = "trf16") -> TextFile:
    """Write an accepted report as FIDE takes it, with the register's facts and the decided results."""
    written = fide_report(reading.office, report, to)
    return TextFile(written.file, written.data)


@query(
    "fide numbers",
    OFFICER,
    columns=("player", "name", "federation", "born", "report", "event"),
    path="/fide-numbers",
    says="fide.none-needed",
)
def needed_numbers(reading: Reading) -> NeededNumbers:
    """List the players of accepted reports who have no FIDE ID."""
    needed = [
        NeededNumber(
            it.person.id, it.person.name, it.person.federation, it.person.sex, it.person.born, it.report, it.event,
            it.last_day,
        )
        for it in numbers_needed(reading.office)
        if reading.caller.officer_of(it.person.federation)
    ]  # fmt: skip
    return NeededNumbers(tuple(needed))


@costly
@query("pairing-players", OFFICER, path="/pairing-players.csv")
def list_pairing_players(reading: Reading) -> CsvFile:
    """Write the players of the lists in force with clubs and FIDE ratings, as pairing programs read them."""
    stream = BytesIO()
    write_players(pairing_players(reading.connection, reading.today), stream, "csv")
    return CsvFile("pairing-players.csv", stream.getvalue())


# ---------------------------------------------------------------------------------------------- the reconciliation


@costly
@query("fide reconcile", OFFICER, path="/reconciliation")
def reconcile(
    reading: Reading, *, list_: ChessList = "standard", day: ReferenceDay | None = None
) -> Compared:
    """Compare FIDE's list with the changes calculated from the accepted reports, and say why they differ."""
    return Compared(compared(reading, ListName(list_), day), reading.words)


@costly
@query("fide reconcile-csv", OFFICER, path="/reconciliation.csv")
def reconcile_csv(
    reading: Reading, *, list_: ChessList = "standard", day: ReferenceDay | None = None
) -> CsvFile:
    """Write the whole comparison as CSV."""
    result = compared(reading, ListName(list_), day)
    text = csv_text(result, reading.words)
    return CsvFile(f"reconciliation-{result.on_list}-{result.day}.csv", text.encode())


def compared(reading: Reading, on_list: ListName, day: date | None) -> Reconciliation:
    """Return the comparison with the players whom the reader may see; its events are of all federations."""
    result, caller = reconcile_office(reading.office, on_list, day), reading.caller
    if caller.officer_of(""):
        return result
    players = tuple(it for it in result.players if caller.officer_of(it.listed.federation))
    return replace(result, players=players, other_periods=(), before_first_list=())
