"""Print a rated report on a terminal, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from arpad.cli.common import console, derivation, naming_file, print_games, print_json, table
from arpad.explain.editions import edition_name
from arpad.explain.findings import excerpt_of, group_findings, verdict_key
from arpad.explain.words import Words
from arpad.model.errors import ArpadError
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.findings import first_few

if TYPE_CHECKING:
    from rich.text import Text

    from arpad.rating.preview import RatedEntrant, RatedReport
    from arpad.reports.report import Report
    from arpad.store.ledger import Act


Looked: TypeAlias = "tuple[Path, RatedReport | ArpadError]"
"""A file, and what it holds or why it cannot be read."""


def readable(looked: Looked) -> RatedReport:
    """Return the only report of a command; refuse an unreadable one with its name."""
    path, item = looked
    with naming_file(path):
        if isinstance(item, ArpadError):
            raise item
    return item


def print_documents(schema: str, rated: Sequence[Looked], document: Any, words: Words) -> None:
    """Print one document for one report; for several, a list with the file of each, or why it is unreadable."""
    if len(rated) == 1:
        print_json(schema, document(readable(rated[0]), words))
        return
    documents = []
    for path, item in rated:
        if isinstance(item, ArpadError):
            documents.append({"file": str(path), "error": {"code": item.code, "message": words.error(item)}})
        else:
            documents.append({"schema": schema, "file": str(path), **document(item, words)})
    print_json("arpad.reports/1", {"reports": documents})


def print_rated(rated: RatedReport, words: Words, *, verbose: bool) -> None:
    """Print a rated report: the event, a row for each player, and the problems."""
    header = rated.report.header
    out = console()
    out.print(header.name or words.text("page.untitled"), style="bold")
    days = words.days(header.first_day, header.last_day)
    where = " · ".join(text for text in (header.city, header.federation, days) if text)
    if where:
        out.print(where)
    edition = edition_name(rated.edition.id, words) if rated.edition else "–"
    kind, treated = (words.text(f"kind.{name}") for name in (rated.kind, rated.treated_as))
    key = "page.facts-as-declared" if kind == treated else "page.facts"
    out.print(words.text(key, edition=edition, list=str(rated.on_list), kind=kind, treated=treated))
    print_verdict(rated.findings, words)
    print_preview(rated, words)
    print_problems(rated.findings, words, verbose=verbose)


def print_verdict(findings: Iterable[Finding], words: Words) -> None:
    """Print in one line whether the report is ready, with the number of errors and warnings."""
    key, counts = verdict_key(findings)
    console().print(words.text(key, **counts), style="bold red" if counts["errors"] else "bold green")


def print_preview(rated: RatedReport, words: Words) -> None:
    """Print a row for each player: score, expectation, change."""
    from arpad.explain.rated_report import PLAYER_COLUMNS, player_cells

    headings = [
        (words.text(f"column.{name}"), "left" if name == "name" else "right") for name in PLAYER_COLUMNS
    ]
    rows, first_results = [], []
    for player in rated.players:
        *figures, result = player_cells(player, words)
        if player.change is None and player.initial is not None:  # words below the table leave room for names
            first_results.append(f"{player.entrant.number} {player.entrant.name}: {result}")
            result = str(player.initial.rating or "–")
        rows.append((*figures, result))
    console().print(table(headings, rows))
    for sentence in first_results:
        console().print(f"  {sentence}")


OF_A_KIND = 3
"""Findings of one kind that are printed; the players of the others are named by their start numbers."""


def print_problems(
    findings: Sequence[Finding], words: Words, report: Report | None = None, *, verbose: bool
) -> None:
    """Print the errors and warnings, with their lines if the report is given; how many notes there are, or all."""
    shown = [finding for finding in findings if verbose or finding.severity != Severity.INFO]
    if shown:
        print_findings(shown, words, report)
    if hidden := len(findings) - len(shown):
        console().print(words.text("verdict.notes-hidden", notes=hidden), style="dim")


def print_findings(
    findings: Iterable[Finding],
    words: Words,
    report: Report | None = None,
    set_aside: Mapping[str, Act] | None = None,
) -> None:
    """Print one line for each finding: severity, position, sentence, article; of many with one code only the first.

    With the report, each finding has its line of the file below it, with carets under the very characters. Errors with
    a code that is ``set_aside`` are shown with the act that set them aside.
    """
    out = console()
    groups = group_findings(findings)
    for group in groups:
        act = (set_aside or {}).get(group.first.code) if group.severity == Severity.ERROR else None
        for finding in group.findings[:OF_A_KIND]:
            out.print(_line(finding, words, aside=act is not None))
            if report is not None:
                _print_excerpt(finding, report)
        if rest := group.findings[OF_A_KIND:]:
            players = first_few(finding.player for finding in rest if finding.player is not None)
            key = "page.more-of-players" if players else "page.more-of-a-kind"
            out.print(words.text(key, more=len(rest), players=players))
        if act is not None:
            facts = {
                "author": act.author,
                "day": words.day(date.fromisoformat(act.at[:10])),
                "reason": act.reason,
            }
            out.print(f"  {words.text('site.set-aside-by', **facts)}", style="dim")
    if not groups:
        out.print(words.text("page.no-findings"))


def _print_excerpt(finding: Finding, report: Report) -> None:
    from rich.text import Text

    out = console()
    width = min(out.width, _WIDEST) - _MARGIN - 3
    excerpt = excerpt_of(finding, report.source, width, report.file_map.delimiter)
    if excerpt is None:
        return
    number = f"{finding.line:>{_MARGIN - 2}}"
    line = Text(f"{number} | ", style="dim")
    line.append(excerpt.before, style="default")
    line.append(excerpt.marked, style=_STYLES[finding.severity])
    line.append(excerpt.after, style="default")
    caret = Text(f"{'':{_MARGIN - 2}} | ", style="dim")
    caret.append(excerpt.caret, style=_STYLES[finding.severity])
    for text in (line, caret):
        out.print(text, no_wrap=True, crop=False, soft_wrap=True)


_MARGIN, _WIDEST = 6, 100
"""The width of the line numbers, and the longest excerpt on a wide terminal."""

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}


def _line(finding: Finding, words: Words, *, aside: bool = False) -> Text:
    from rich.text import Text

    from arpad.explain.rated_report import position_text

    where = position_text(finding, words)
    line = Text()
    kind = words.text("site.set-aside" if aside else f"severity.{finding.severity}")
    line.append(kind, style="dim" if aside else _STYLES[finding.severity])
    line.append((f" {where}" if where else "") + words.form.colon, style="dim")
    line.append(f" {words.cited_finding(finding)}")
    return line


def print_summary(rated: Sequence[Looked], words: Words) -> None:
    """Print one row for each of several reports."""
    columns = ("file", "event", "edition", "players", "rated-games", "errors", "warnings")
    headings = [
        (words.text(f"column.{name}"), "left" if name in columns[:3] else "right") for name in columns
    ]
    console().print(table(headings, list(_summary_rows(rated, words))))


def _summary_rows(rated: Sequence[Looked], words: Words) -> Iterator[tuple[str, ...]]:
    for path, item in rated:
        if isinstance(item, ArpadError):
            yield (path.name, words.error(item), "–", "–", "–", "–", "–")
            continue
        counted = sum(game.rated for player in item.players for game in player.games)
        severities = [finding.severity for finding in item.findings]
        yield (
            path.name,
            item.report.header.name or words.text("page.untitled"),
            edition_name(item.edition.id, words) if item.edition else "–",
            str(len(item.players)),
            str(counted),
            str(severities.count(Severity.ERROR)),
            str(severities.count(Severity.WARNING)),
        )


def print_player(player: RatedEntrant, rated: RatedReport, words: Words) -> None:
    """Print one player game by game, with the derivation."""
    from arpad.explain.rated_report import GAME_COLUMNS, entry_text, game_cells

    out = console()
    entrant = player.entrant
    out.print(
        f"{entrant.number}. {entrant.name} ({player.rating or words.text('page.unrated')})", style="bold"
    )
    edition = edition_name(rated.edition.id, words) if rated.edition else "–"
    out.print(f"{rated.report.header.name} · {edition} · {rated.on_list}")
    print_games(GAME_COLUMNS, [game_cells(game, rated, words) for game in player.games], words)
    out.print(derivation(player.derivation, words))
    if player.change is None:
        out.print(entry_text(player, words), style="bold")
