"""How a rated report looks on a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.cli.face import console, derivation, print_json, table
from arpad.errors import ArpadError
from arpad.exact import from_hundredths, points
from arpad.explain import Words
from arpad.model import Finding, Severity

if TYPE_CHECKING:
    from arpad.rate import RatedCell, RatedEntrant, RatedReport


def print_documents(
    schema: str, rated: Sequence[tuple[Path, RatedReport | ArpadError]], document: Any, say: Words
) -> None:
    """One document for one report; several stand together, each with its file, unreadable ones with the reason."""
    if len(rated) == 1:
        only = rated[0][1]
        if isinstance(only, ArpadError):
            raise only
        print_json(schema, document(only, say))
        return
    documents = []
    for path, item in rated:
        if isinstance(item, ArpadError):
            documents.append({"file": str(path), "error": {"code": item.code, "message": say.error(item)}})
        else:
            documents.append({"schema": schema, "file": str(path), **document(item, say)})
    print_json("arpad.reports/1", {"reports": documents})


def print_rated(rated: RatedReport, say: Words) -> None:
    """A rated report: what it is, a row for each player, and the findings."""
    header = rated.report.header
    out = console()
    out.print(header.name or say.text("page.untitled"), style="bold")
    days = " – ".join(say.day(day) for day in (header.first_day, header.last_day) if day)
    where = " · ".join(text for text in (header.city, header.federation, days) if text)
    if where:
        out.print(where)
    edition = rated.edition.id if rated.edition else "–"
    kind, treated = (say.text(f"kind.{name}") for name in (rated.kind, rated.treated_as))
    out.print(say.text("page.facts", edition=edition, list=str(rated.on_list), kind=kind, treated=treated))
    columns = ("number", "name", "rating", "k", "score", "rated-games", "expected", "change", "new-rating")
    headings = [(say.text(f"column.{name}"), "left" if name == "name" else "right") for name in columns]
    out.print(table(headings, [_player_row(player, say) for player in rated.players]))
    print_findings(rated.findings, say)


def _player_row(player: RatedEntrant, say: Words) -> tuple[str, ...]:
    from arpad.papers.rated_page import entry_text

    first = (str(player.entrant.number), player.entrant.name, str(player.rating or "–"), str(player.k or "–"))
    counted = str(sum(game.rated for game in player.games))
    score = say.number(points(player.score))
    if player.change is None:
        return (*first, score, counted, "–", "–", entry_text(player, say))
    expected = from_hundredths(sum(game.expected for game in player.change.games if game.rated))
    change = say.number(player.change.change, signed=True)
    return (*first, score, counted, say.number(expected, places=2), change, str(player.change.new_rating))


def print_findings(findings: Iterable[Finding], say: Words) -> None:
    """One line for each finding: how grave, where, what, and the article."""
    from rich.text import Text

    from arpad.papers.rated_page import place

    out = console()
    styles = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
    empty = True
    for finding in findings:
        empty = False
        line = Text()
        line.append(say.text(f"severity.{finding.severity}"), style=styles[finding.severity])
        where = place(finding, say)
        line.append(f" {where}:" if where else ":", style="dim")
        line.append(f" {say.finding(finding)}")
        if finding.article:
            line.append(f" ({finding.article})", style="dim")
        out.print(line)
    if empty:
        out.print(say.text("page.no-findings"))


def print_summary(rated: Sequence[tuple[Path, RatedReport | ArpadError]], say: Words) -> None:
    """One row for each of several reports."""
    columns = ("file", "event", "edition", "players", "rated-games", "errors", "warnings")
    headings = [(say.text(f"column.{name}"), "left" if name in columns[:3] else "right") for name in columns]
    console().print(table(headings, list(_summary_rows(rated, say))))


def _summary_rows(
    rated: Sequence[tuple[Path, RatedReport | ArpadError]], say: Words
) -> Iterator[tuple[str, ...]]:
    for path, item in rated:
        if isinstance(item, ArpadError):
            yield (path.name, say.error(item), "–", "–", "–", "–", "–")
            continue
        counted = sum(game.rated for player in item.players for game in player.games)
        severities = [finding.severity for finding in item.findings]
        yield (
            path.name,
            item.report.header.name,
            item.edition.id if item.edition else "–",
            str(len(item.players)),
            str(counted),
            str(severities.count(Severity.ERROR)),
            str(severities.count(Severity.WARNING)),
        )


def print_player(player: RatedEntrant, rated: RatedReport, say: Words) -> None:
    """One player game by game, and how the result came about."""
    from arpad.papers.rated_page import entry_text

    out = console()
    entrant = player.entrant
    out.print(f"{entrant.number}. {entrant.name} ({player.rating or say.text('page.unrated')})", style="bold")
    edition = rated.edition.id if rated.edition else "–"
    out.print(f"{rated.report.header.name} · {edition} · {rated.on_list}")
    columns = ("round", "opponent", "rating", "difference", "score", "expected", "change", "note")
    headings = [
        (say.text(f"column.{name}"), "left" if name in ("opponent", "note") else "right") for name in columns
    ]
    out.print(table(headings, [_game_row(game, rated, say) for game in player.games]))
    out.print(derivation(player.derivation, say))
    if player.change is None:
        out.print(entry_text(player, say), style="bold")


def _game_row(game: RatedCell, rated: RatedReport, say: Words) -> tuple[str, ...]:
    from arpad.papers.rated_page import note

    opponent = rated.report.entrants[game.cell.opponent].name if game.cell.opponent is not None else "–"
    worth = game.change if game.rated else None
    return (
        str(game.cell.round),
        opponent,
        str(game.opponent_rating or "–"),
        say.number(worth.difference, signed=True) if worth else "–",
        say.number(points(game.cell.score)),
        say.number(from_hundredths(worth.expected), places=2) if worth else "–",
        say.number(from_hundredths(worth.change), signed=True, places=2) if worth else "–",
        note(game, rated, say),
    )
