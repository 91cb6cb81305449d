"""Titles in the office: norms on record, what an application lacks, the papers, and titles that a rating gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeVar

from arpad.explain.certificates import (
    FACT_NAMES,
    CertificateFacts,
    NormCertificate,
    TournamentReport,
    certificate_of,
    tournament_report,
)
from arpad.explain.norm_documents import ReportNormsDocument, report_norms_document
from arpad.explain.title_applications import ApplicationFacts, TitleApplication
from arpad.model.declared import Accepts, PdfFile
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.declared import PlayerNumber, Reading, Reason, ReportNumber, act, costly, query
from arpad.office.office import ActContext
from arpad.office.register.acts import OF_PLAYER, known_player
from arpad.office.reports.acts import OF_REPORT
from arpad.office.titles.applications import (
    APPLICATION_FACTS,
    TitleCheck,
    TitleProposal,
    check_titles,
    norms_of_report,
    proposed_titles,
    title_application,
    title_edition,
)
from arpad.office.titles.rows import RecordedNorm, norms_on_record, player_norms
from arpad.office.titles.tables import norm_revocations, norms
from arpad.office.users import officer, officer_of_all
from arpad.regulations.fide.titles.rules import WOMEN_TITLES, NormTitle

Title = Annotated[NormTitle, Accepts("GM", word="norm-title")]
Event = Annotated[str, Accepts("Open di Torino", word="norm-event", personal=False)]
Place = Annotated[str, Accepts("Torino", word="norm-place", personal=False)]
Begins = Annotated[date, Accepts("2024-03-01", word="norm-begins")]
Ends = Annotated[date, Accepts("2024-03-09", word="norm-ends")]
Games = Annotated[int, Accepts("9", high=99, word="norm-games")]
SingleDays = Annotated[int, Accepts("9", low=0, high=99, word="norm-single-days")]
Exempt = Annotated[bool, Accepts(word="norm-exempt")]
Special = Annotated[bool, Accepts(word="norm-special")]
ByBye = Annotated[bool, Accepts(word="norm-by-bye")]
NormNumber = Annotated[int, Accepts("1", word="norm-number")]
StartNumber = Annotated[int, Accepts("1", high=99_999, word="start-number")]
CheckDay = Annotated[date, Accepts("2025-01-15", word="on-day")]
Reached = Annotated[int, Accepts("2500", low=0, high=4000, word="rating-reached")]
ReportFacts = Annotated[
    dict[str, str], Accepts("official=Bianchi, Anna", word="certificate-facts", fields=FACT_NAMES)
]
PlayerFacts = Annotated[
    dict[str, str], Accepts("birth_place=Torino", word="certificate-facts", fields=APPLICATION_FACTS)
]
F = TypeVar("F", CertificateFacts, ApplicationFacts)


@dataclass(frozen=True, slots=True)
class PlayerNorms:
    """The norms of a player that are on record."""

    player: int
    norms: tuple[RecordedNorm, ...]


@dataclass(frozen=True, slots=True)
class NextTitles:
    """The titles above those that a player holds, with what an application for each needs."""

    player: int
    titles: tuple[TitleCheck, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The numbers of norms that were put on record."""

    norms: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class RevokedNorm:
    """A norm that was revoked."""

    norm: int


@dataclass(frozen=True, slots=True)
class Proposals:
    """The titles that the newest standard list gives by rating."""

    proposals: tuple[TitleProposal, ...]


# ------------------------------------------------------------------------------------------------ norms on record


@act(
    "title norm",
    OF_PLAYER,
    says="title.recorded",
    page="/desk/titles?player={player}",
    verb="record-norm",
)
def record_norm(  # noqa: PLR0913  a norm has as many facts
    act: ActContext,
    player: PlayerNumber,
    title: Title,
    *,
    event: Event,
    first_day: Begins,
    last_day: Ends,
    games: Games,
    place: Place = "",
    single_days: SingleDays = 0,
    exempt: Exempt = False,
    special: Special = False,
    by_bye: ByBye = False,
    reason: Reason = "",
) -> Recorded:
    """Put a norm that was made elsewhere on record, under the edition of the tournament's first day."""
    connection = act.connection
    if last_day < first_day:
        raise BadInput("norm-days", option="last_day", first=first_day, last=last_day)
    edition = title_edition(connection, first_day)
    most = edition.on(ListName.STANDARD).most_games.value
    if games > most:
        raise BadInput("out-of-range", option="games", value=games, low=1, high=most)
    person = known_player(connection, player)
    if title in WOMEN_TITLES and person.sex != "F":
        raise BadInput("norm-for-women", option="title", title=str(title), name=person.name)
    norm = RecordedNorm(
        player, title, event, place, first_day, last_day, edition.id, games, not exempt, single_days, special, by_bye
    )  # fmt: skip
    number = act.add(norms, **norm.row)
    act.record(norm=number)
    return Recorded((number,), 1)


@costly
@act(
    "title record", OF_REPORT, says="title.recorded", page="/desk/reports/{report}/norms", verb="record-norms"
)
def record_norms(act: ActContext, report: ReportNumber, *, reason: Reason = "") -> Recorded:
    """Put the norms of an accepted report on record, except those that are there."""
    made = norms_of_report(act.connection, report).made
    there = {(norm.player, norm.title) for norm in norms_on_record(act.connection) if norm.report == report}
    new = [norm for norm in made if (norm.player, norm.title) not in there]
    numbers = tuple(act.add(norms, **norm.row) for norm in new)
    act.unchanged = not numbers
    act.record(norms=list(numbers))
    return Recorded(numbers, len(numbers))


@act(
    "title revoke", officer_of_all("register"), says="title.revoked", page="/desk/titles", verb="revoke-norm"
)
def revoke_norm(act: ActContext, norm: NormNumber, *, reason: Reason) -> RevokedNorm:
    """Revoke a norm on record."""
    if norm not in {known.norm for known in norms_on_record(act.connection)}:
        raise BadInput("no-norm", option="norm", norm=norm)
    act.revoke(norm_revocations, norm)
    return RevokedNorm(norm)


@query(
    "title norms",
    OF_PLAYER,
    columns=("norm", "title", "event", "place", "first_day", "last_day", "games"),
    path="/players/{player}/norms",
    says="title.no-norms",
)
def norms_of(reading: Reading, player: PlayerNumber) -> PlayerNorms:
    """List the norms of a player, those of merged numbers included."""
    return PlayerNorms(player, tuple(player_norms(reading.connection, player)))


@costly
@query("title report-norms", OF_REPORT, path="/reports/{report}/norms")
def report_norms(reading: Reading, report: ReportNumber) -> ReportNormsDocument:
    """Show the title norms of an accepted report, by the edition of its first day in this office."""
    return report_norms_document(norms_of_report(reading.connection, report).result, reading.words)


# -------------------------------------------------------------------------------------------------- applications


@query("title check", OF_PLAYER, path="/players/{player}/titles")
def next_titles(
    reading: Reading, player: PlayerNumber, *, on: CheckDay | None = None, reached: Reached | None = None
) -> NextTitles:
    """Check whether a player could apply for a title, article by article."""
    checks = check_titles(reading.connection, player, on or reading.today, reached=reached)
    return NextTitles(player, tuple(checks))


@costly
@query("title apply", OF_PLAYER, path="/players/{player}/it2/{title}")
def application(
    reading: Reading,
    player: PlayerNumber,
    title: Title,
    *,
    fact: PlayerFacts | None = None,
    on: CheckDay | None = None,
    reached: Reached | None = None,
) -> TitleApplication:
    """Fill the application of a player for a title (IT2); ``missing`` names the facts to be asked for."""
    facts = _facts(ApplicationFacts, fact)
    return title_application(reading.office, player, title, reading.words, facts, on=on, reached=reached)


@costly
@query("title it2", OF_PLAYER, path="/players/{player}/it2/{title}/it2.pdf")
def application_paper(
    reading: Reading,
    player: PlayerNumber,
    title: Title,
    *,
    fact: PlayerFacts | None = None,
    on: CheckDay | None = None,
    reached: Reached | None = None,
) -> PdfFile:
    """Write the application of a player for a title (IT2) as PDF."""
    from arpad.publishing.certificate_pdf import application_pdf

    filled = application.function(reading, player, title, fact=fact, on=on, reached=reached)
    return PdfFile(f"it2-{player}-{title.lower()}.pdf", application_pdf(filled, reading.words))


@query(
    "title propose",
    officer("register"),
    columns=("title", "player", "name", "rating", "edition", "article"),
    path="/title-proposals",
    says="title.no-proposals",
)
def proposals(reading: Reading) -> Proposals:
    """List the titles that the newest list gives by rating (B.01 1.3)."""
    proposed = proposed_titles(reading.office)
    return Proposals(tuple(it for it in proposed if reading.caller.officer_of(it.federation)))


# -------------------------------------------------------------------------------------------- papers of a report


@costly
@query("title certificate", OF_REPORT, path="/reports/{report}/it1/{entrant}/{title}")
def certificate(
    reading: Reading,
    report: ReportNumber,
    entrant: StartNumber,
    title: Title,
    *,
    fact: ReportFacts | None = None,
) -> NormCertificate:
    """Fill the certificate of a norm (IT1); ``missing`` names the facts to be asked for."""
    result = norms_of_report(reading.connection, report).result
    return certificate_of(result, entrant, title, _facts(CertificateFacts, fact))


@costly
@query("title it1", OF_REPORT, path="/reports/{report}/it1/{entrant}/{title}/it1.pdf")
def certificate_paper(
    reading: Reading,
    report: ReportNumber,
    entrant: StartNumber,
    title: Title,
    *,
    fact: ReportFacts | None = None,
) -> PdfFile:
    """Write the certificate of a norm (IT1) as PDF."""
    from arpad.publishing.certificate_pdf import norm_pdf

    filled = certificate.function(reading, report, entrant, title, fact=fact)
    return PdfFile(f"it1-{report}-{entrant}-{title.lower()}.pdf", norm_pdf(filled, reading.words))


@costly
@query("title tournament", OF_REPORT, path="/reports/{report}/it3")
def tournament(
    reading: Reading, report: ReportNumber, *, fact: ReportFacts | None = None
) -> TournamentReport:
    """Fill the report of a tournament (IT3); ``missing`` names the facts to be asked for."""
    result = norms_of_report(reading.connection, report).result
    return tournament_report(result, _facts(CertificateFacts, fact), reading.words)


@costly
@query("title it3", OF_REPORT, path="/reports/{report}/it3.pdf")
def tournament_paper(reading: Reading, report: ReportNumber, *, fact: ReportFacts | None = None) -> PdfFile:
    """Write the report of a tournament (IT3) as PDF."""
    from arpad.publishing.certificate_pdf import tournament_pdf

    return PdfFile(
        f"it3-{report}.pdf", tournament_pdf(tournament.function(reading, report, fact=fact), reading.words)
    )


def _facts(kind: type[F], given: Mapping[str, str] | None) -> F:
    return kind(**(given or {}))
