"""``arpad rate``, ``check``, ``explain``, ``convert``: work on a report without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from arpad.cli.common import (
    EditionOption,
    Json,
    Lang,
    chess_list,
    console,
    naming_file,
    print_json,
    watched,
    words_for,
)
from arpad.cli.report_tables import (
    Looked,
    print_documents,
    print_findings,
    print_player,
    print_problems,
    print_rated,
    print_summary,
    print_verdict,
    readable,
)
from arpad.explain.documents import finding_document, proposal_documents, step_documents
from arpad.explain.rated_report import heading
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import Finding, Severity
from arpad.model.typed_values import parse_day, parse_integer
from arpad.rating.event import refuse_draughts
from arpad.rating.preview import RatedReport, ordered
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.reports.formats import read_bytes, read_file
from arpad.reports.player_choice import find_player
from arpad.reports.report import Report
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.checks.proposals import Proposal

Files: TypeAlias = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help="Reports: TRF, CSV, XLSX or PGN.")
]
RatingsOption: TypeAlias = Annotated[
    Path | None, typer.Option("--ratings", metavar="FILE", help="The list in force: FIDE TXT or XML, or CSV.")
]
FactsOption: TypeAlias = Annotated[
    Path | None, typer.Option("--facts", metavar="FILE", help="Facts that the report lacks, as TOML.")
]
ListChoice: TypeAlias = Annotated[
    str | None, typer.Option("--list", metavar="standard|rapid|blitz", help="Default: by the time control.")
]
Registered: TypeAlias = Annotated[
    str | None, typer.Option("--registered", metavar="YYYY-MM-DD", help="The day the event was registered.")
]
Received: TypeAlias = Annotated[
    str | None, typer.Option("--received", metavar="YYYY-MM-DD", help="The day the report arrived.")
]
MatchGames: TypeAlias = Annotated[
    str | None, typer.Option("--match-games", metavar="N", help="The planned length of a match.")
]
Together: TypeAlias = Annotated[
    bool, typer.Option("--together", help="The files are stages or groups of one event: rate them as one.")
]
Verbose: TypeAlias = Annotated[bool, typer.Option("--verbose", "-v", help="Show the notes too.")]


@dataclass(frozen=True)
class RatingOptions:
    """How a report is rated: rules, ratings, and facts that the report lacks."""

    edition: EditionOption = None
    list_: ListChoice = None
    ratings: RatingsOption = None
    facts: FactsOption = None
    match_games: MatchGames = None

    def event_facts(self) -> EventFacts:
        """Return the facts about the event that the report lacks."""
        facts = EventFacts()
        if self.facts is not None:
            from arpad.rating.arguments import read_toml

            facts = read_facts(read_toml(str(self.facts)))
        if self.list_ is not None:
            facts = replace(facts, list=chess_list(self.list_))
        if self.match_games is not None:
            facts = replace(facts, match_games=parse_integer(self.match_games, "match-games"))
        return facts


@dataclass(frozen=True)
class FullTerms(RatingOptions):
    """The same, with the days that a check needs."""

    registered: Registered = None
    received: Received = None

    def event_facts(self) -> EventFacts:
        """Return the facts about the event that the report lacks."""
        facts = super().event_facts()
        if self.registered is not None:
            facts = replace(facts, registered=parse_day(self.registered, "registered"))
        if self.received is not None:
            facts = replace(facts, received=parse_day(self.received, "received"))
        return facts


def rate(
    files: Files,
    terms: FullTerms,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="An HTML page to print or mail.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="A CSV file, one row for each player.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system", metavar="NAME", help="Another rating system, as dwz; --ratings has its states."
        ),
    ] = None,
    *,
    verbose: Verbose = False,
    together: Together = False,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Check and rate reports: all problems and changes.

    Example: arpad rate open.trf --ratings list.txt --html open.html
    """
    words = words_for(lang)
    if system is not None:
        from arpad.cli.calc_event import rate_under_system

        given = {
            "--html": html,
            "--csv": csv,
            "--facts": terms.facts,
            "--list": terms.list_,
            "--together": together,
        }
        return rate_under_system(system, files, terms.ratings, terms.edition, given, words, json=json)
    rated = _rated(files, terms, words, together=together)
    results = [item for _, item in rated if not isinstance(item, ArpadError)]
    _write_papers(results, html, csv, words)
    if json:
        from arpad.explain.rated_report import document

        print_documents("arpad.rate/1", rated, document, words)
    elif len(rated) == 1:
        print_rated(readable(rated[0]), words, verbose=verbose)
    else:
        print_summary(rated, words)
    return _status(rated)


Fix: TypeAlias = Annotated[
    bool, typer.Option("--fix", help="Write a corrected copy: sums, mirrored results, counts, days.")
]
FixOut: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="The copy that --fix writes.")
]
Overwrite: TypeAlias = Annotated[
    bool, typer.Option("--overwrite", help="Let --fix write over a file, also over the report itself.")
]


def check(
    files: Files,
    terms: FullTerms,
    out: FixOut = None,
    *,
    fix: Fix = False,
    overwrite: Overwrite = False,
    verbose: Verbose = False,
    together: Together = False,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Check a report: whether it is ready, and every problem with its place.

    Example: arpad check open.trf --fix --out corrected.trf
    """
    words = words_for(lang)
    corrected = None
    if fix:
        corrected = write_corrected(files, out, overwrite=overwrite)
        files = [corrected.path]
    elif out is not None or overwrite:
        raise BadInput("fix-options", option="--overwrite" if out is None else "--out")
    rated = _rated(files, terms, words, together=together)
    if json:
        print_documents("arpad.check/1", rated, partial(check_document, corrected=corrected), words)
        return _status(rated)
    if corrected is not None:
        corrected.print_changes(words)
    for path, item in rated:
        if len(rated) > 1:
            console().print(str(path), style="bold")
        if isinstance(item, ArpadError) and len(rated) > 1:
            console().print(words.error(item))
            continue
        _print_checked(readable((path, item)), words, verbose=verbose)
    return _status(rated)


def _print_checked(rated: RatedReport, words: Words, *, verbose: bool) -> None:
    """Print the verdict, the problems with their lines, and what else can be asked for."""
    from arpad.checks.proposals import propose_for_file

    print_verdict(rated.findings, words)
    print_problems(rated.findings, words, rated.report, verbose=verbose)
    if proposals := propose_for_file(rated.report):
        console().print(words.text("verdict.fixable", proposals=len(proposals)), style="dim")
    elif any(finding.severity == Severity.ERROR for finding in rated.findings):
        console().print(words.text("verdict.not-fixable"), style="dim")


def explain(
    file: Annotated[Path, typer.Argument(metavar="REPORT", help="A report.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Start number, id or name.")],
    terms: RatingOptions,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Explain one player of a report, game by game, with the articles.

    Example: arpad explain open.trf 12
    """
    words = words_for(lang)
    (looked,) = _rated([file], terms, words)
    item = readable(looked)
    entrant = find_player(
        item.players, player, lambda result: (result.entrant.number, result.entrant.id, result.entrant.name)
    )
    if json:
        from arpad.explain.rated_report import heading, player_document

        figures = vars(player_document(entrant, words))
        steps = step_documents(entrant.derivation, words)
        games = [
            {**vars(game), "steps": step_documents(cell.change.steps if cell.change else (), words)}
            for game, cell in zip(figures["games"], entrant.games, strict=True)
        ]
        print_json(
            "arpad.explain/1", {**heading(item), "player": {**figures, "games": games}, "steps": steps}
        )
        return 0
    print_player(entrant, item, words)
    return 0


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A report in any format.")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; its ending gives the format.")
    ],
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="The format, if not by the ending.")
    ] = None,
    event: Annotated[
        str | None, typer.Option("--event", metavar="NAME", help="Which event, if a PGN has several.")
    ] = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Convert a report to another format.

    What the other format cannot hold is listed.

    IN may be "template": then OUT becomes an empty sheet to fill in. Example: arpad convert open.trf open.xlsx
    """
    from arpad.reports.formats import format_for, pgn, read_bytes, read_file, write_report

    words = words_for(lang)
    if str(source) == "template":
        data, findings, name = _template(target, to, words)
    else:
        with naming_file(source):
            report = pgn.read(read_bytes(source), source.name, event) if event else read_file(source)
        name = to or format_for(target.name, report)
        data, losses = write_report(report, name)
        findings = (*report.findings, *losses)
    write_file(target, data)
    if json:
        from arpad.explain.documents import finding_document

        documents = [finding_document(finding, words) for finding in findings]
        print_json("arpad.convert/1", {"out": str(target), "format": name, "findings": documents})
    else:
        out = console()
        out.print(words.text("report.written", path=str(target), format=name))
        if findings:
            print_findings(findings, words)
    return int(any(finding.severity == Severity.ERROR for finding in findings))


# -------------------------------------------------------------------------------------------- reading, rating


def _rated(
    files: Sequence[Path], terms: RatingOptions, words: Words, *, together: bool = False
) -> list[Looked]:
    """Return every file rated, or the error that makes it unreadable."""
    from arpad.lists.rating_lookup import look_up_ratings, rate_listed
    from arpad.reports.duplicates import repeated_events

    facts = terms.event_facts()
    chosen = None
    if terms.edition:
        from arpad.rating.arguments import choose_edition

        chosen = choose_edition(terms.edition)
    read = _read(files, words, together=together)
    reports = [(path.name, item) for path, item in read if not isinstance(item, ArpadError)]
    again = {id(reports[index][1]): finding for index, finding in repeated_events(reports).items()}
    lookup = None
    if terms.ratings and reports:
        with naming_file(terms.ratings):
            lookup = look_up_ratings(terms.ratings, [report for _, report in reports])
    results: list[Looked] = []
    for path, item in watched(words.text("report.rating"))(read):
        if isinstance(item, ArpadError):
            results.append((path, item))
            continue
        rated = rate_listed(item, lookup, facts=facts, edition=chosen)
        if id(item) in again:
            rated = replace(rated, findings=ordered([*rated.findings, again[id(item)]]))
        results.append((path, rated))
    return results


def _read(files: Sequence[Path], words: Words, *, together: bool) -> list[tuple[Path, Report | ArpadError]]:
    """Return every file read, or the error that makes it unreadable; with --together, one report."""
    from arpad.reports.stages import merge_stages as one_event

    read: list[tuple[Path, Report | ArpadError]] = []
    for path in watched(words.text("report.reading"))(files):
        try:
            report = read_file(path)
            refuse_draughts(report)
            read.append((path, report))
        except ArpadError as error:
            read.append((path, error))
    reports = [item for _, item in read if not isinstance(item, ArpadError)]
    if together and len(reports) == len(read) > 1:
        return [(files[0], one_event(reports))]
    return read


def _status(rated: Sequence[Looked]) -> int:
    """Return 2 if a file is unreadable, 1 if there are errors among the findings, else 0."""
    if any(isinstance(item, ArpadError) for _, item in rated):
        return 2
    return int(any(not isinstance(item, ArpadError) and item.worst == Severity.ERROR for _, item in rated))


# ------------------------------------------------------------------------------------------------- writing


def _write_papers(results: Sequence[RatedReport], html: Path | None, csv: Path | None, words: Words) -> None:
    if (html or csv) and len(results) != 1:
        raise BadInput("one-report-only", option="html" if html else "csv")
    if html is not None:
        from arpad.explain.rated_report import page

        write_file(html, page(results[0], words).encode())
    if csv is not None:
        from arpad.explain.rated_report import csv_text

        write_file(csv, csv_text(results[0], words).encode())


def _template(target: Path, to: str | None, words: Words) -> tuple[bytes, tuple[Finding, ...], str]:
    from arpad.reports.formats.sheet import template

    kind = {".csv": "csv", ".tsv": "csv", ".xlsx": "xlsx"}.get(target.suffix.lower())
    if kind is None:
        raise BadInput("suffix-unknown", name=target.name, accepted=(".csv", ".tsv", ".xlsx"))
    layout = (to or "crosstable").removesuffix("-xlsx")
    return template(layout, words.language, kind), (), layout if kind == "csv" else f"{layout}-xlsx"


@dataclass(frozen=True, slots=True)
class CorrectedCopy:
    """A corrected copy of a report, and the corrections in it."""

    path: Path
    proposals: tuple[Proposal, ...]

    def print_changes(self, words: Words) -> None:
        """Print every correction with its reason."""
        out = console()
        if not self.proposals:
            out.print(words.text("proposal.none", path=str(self.path)))
            return
        out.print(words.text("proposal.written", path=str(self.path), proposals=len(self.proposals)))
        for proposal in self.proposals:
            out.print(f"  {words.text(f'proposal.{proposal.finding.code}')}")
            for edit in proposal.edits:
                key = "proposal.item-cell" if edit.cell else "proposal.item"
                sentence = words.text(
                    key, line=edit.line, column=edit.column, cell=edit.cell, old=edit.old, new=edit.new
                )
                out.print(f"    {sentence}", style="dim")


def write_corrected(files: Sequence[Path], out: Path | None, *, overwrite: bool) -> CorrectedCopy:
    """Write the corrected copy: beside the report unless ``out`` names it, and never over a file unless asked.

    If there is nothing to correct, no copy is written, and the report itself is returned.
    """
    from arpad.checks.proposals import correct_file

    if len(files) != 1:
        raise BadInput("fix-several")
    (path,) = files
    target = out or (path if overwrite else path.with_name(f"{path.stem}.corrected{path.suffix}"))
    with naming_file(path):
        corrected = correct_file(read_bytes(path), path.name)
    if not corrected.proposals:
        return CorrectedCopy(path, ())
    if target.exists() and not overwrite:
        raise BadInput("fix-exists", path=str(target))
    write_file(target, corrected.data)
    return CorrectedCopy(target, corrected.proposals)


def check_document(rated: RatedReport, words: Words, corrected: CorrectedCopy | None) -> dict[str, Any]:
    """Return the findings of a report, the corrections that are proposed, and those that were made."""
    from arpad.checks.proposals import propose_for_file

    document = {
        **heading(rated),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "proposals": proposal_documents(propose_for_file(rated.report), words),
    }
    if corrected is not None:
        document |= {"out": str(corrected.path), "corrected": proposal_documents(corrected.proposals, words)}
    return document
