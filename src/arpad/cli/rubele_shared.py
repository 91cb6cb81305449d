"""What the draughts commands share: their options, the edition, files in and out, rows for JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from arpad.calc import parse_day
from arpad.capitals import Category, Standing
from arpad.cli.face import plain_value
from arpad.draughts.capital import CapitalChange
from arpad.draughts.rules import DraughtsRules
from arpad.errors import BadInput
from arpad.exact import decimal_text, from_hundredths
from arpad.explain import Words
from arpad.formats import capitals, pdn, read_file
from arpad.model import Edition, Finding, ListName, Severity
from arpad.regulations import in_force, named
from arpad.regulations.own import own_edition
from arpad.regulations.rubele import EDITIONS, PROCEDURES, RUBELE_2008
from arpad.report import Report

Discipline: TypeAlias = Annotated[
    str, typer.Option("--discipline", metavar="italiana|internazionale", help="The list.")
]
DraughtsEdition: TypeAlias = Annotated[
    str | None,
    typer.Option("--edition", metavar="NAME|FILE.toml", help="Edition by name; default: rubele-2008."),
]
Capitals: TypeAlias = Annotated[
    Path | None, typer.Option("--capitals", metavar="LIST.csv", help="The list before the first event.")
]
Weight: TypeAlias = Annotated[
    str, typer.Option("--weight", metavar="PERCENT", help="How much the event counts, such as 50.")
]
FirstOfYear: TypeAlias = Annotated[
    bool,
    typer.Option("--first-of-year", help="The first event of the year for all whose past no list tells."),
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="LIST.csv", help="Write the list afterwards into a file.")
]


def choose_edition(name: str | None, day: str | None, on_list: ListName) -> Edition[DraughtsRules]:
    """The edition of that name or TOML file, else the one in force on the day, else the source document."""
    if name is not None and day is not None:
        raise BadInput("edition-or-date", option="edition")
    if name is not None and name.endswith(".toml"):
        return own_edition(read_bytes(Path(name)).decode("utf-8", "replace"), EDITIONS, PROCEDURES)
    if name is not None:
        return named(name, EDITIONS)
    return in_force(EDITIONS, on_list, parse_day(day, "date")) if day else RUBELE_2008


def edition_by_event(
    name: str | None, day: str | None, on_list: ListName, *, by_date: bool
) -> Callable[[date | None], Edition[DraughtsRules]]:
    """One edition for all events, or for each the one in force on its first day."""
    if not by_date:
        fixed = choose_edition(name, day, on_list)
        return lambda _: fixed
    if name is not None or day is not None:
        raise BadInput("edition-or-date", option="by-date")
    return lambda first: in_force(EDITIONS, on_list, first) if first else RUBELE_2008


# --------------------------------------------------------------------------------------------------- files


def read_bytes(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error


def read_event(path: Path, discipline: ListName) -> Report:
    """A draughts report; games of another discipline, or of chess, are refused."""
    report = read_file(path)
    if report.format == "pgn":
        if path.suffix.lower() != ".pdn":
            raise BadInput("not-draughts", file=path.name, format="PGN")
        report = pdn.read(read_bytes(path), path.name)
    declared = pdn.discipline(report)
    if declared not in (None, discipline):
        raise BadInput("wrong-discipline", file=path.name, given=str(declared), wanted=str(discipline))
    return report


def read_capitals(path: Path, rules: DraughtsRules) -> tuple[Standing, ...]:
    """A list file; a capital below the minimum is refused with its player."""
    by_capital = dict(zip(rules.promotions.value, tuple(Category)[1:], strict=True))
    standings = capitals.read(read_bytes(path), by_capital)
    minimum = rules.minimum_capital.value
    for standing in standings:
        if standing.capital is not None and standing.capital < minimum:
            facts = {"player": standing.name, "capital": standing.capital, "minimum": minimum}
            raise BadInput("listed-below-minimum", **facts)
    return standings


# ---------------------------------------------------------------------------------------------------- JSON


def change_document(change: CapitalChange) -> dict[str, Any]:
    """The figures of a capital's change."""
    return {
        "capital": change.capital,
        "final": change.final,
        "change": change.final - change.capital,
        "scored": str(change.scored),
        "expected": decimal_text(from_hundredths(change.expected), places=2),
        "deviation": decimal_text(change.deviation),
        "s": change.s,
        "variation": decimal_text(change.variation),
        "unrounded": decimal_text(change.unrounded),
        "added": change.added,
        "crossings": [
            {
                "threshold": crossing.threshold,
                "would_be": decimal_text(crossing.would_be),
                "excess": decimal_text(crossing.excess),
                "old_s": crossing.old_s,
                "new_s": crossing.new_s,
                "scaled": decimal_text(crossing.scaled),
            }
            for crossing in change.crossings
        ],
    }


def finding_document(finding: Finding, say: Words) -> dict[str, Any]:
    """A finding with its place and its sentence."""
    return {
        "severity": str(finding.severity),
        "code": finding.code,
        "article": finding.article,
        "line": finding.line,
        "column": finding.column,
        "player": finding.player,
        "round": finding.round,
        "message": say.finding(finding),
    }


def standing_document(standing: Standing) -> dict[str, Any]:
    """Where a player stands."""
    return {
        "id": standing.id or None,
        "name": standing.name,
        "capital": standing.capital,
        "category": str(standing.category),
        "title": plain_value(standing.title),
        "foreign": standing.foreign,
        "last_event": plain_value(standing.last_event),
        "idle_years": standing.idle_years,
        "malus": standing.malus,
        "fmjd": standing.fmjd,
    }


def leave(findings: Iterable[Finding]) -> None:
    """End with status 1 where a finding is an error."""
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise typer.Exit(1)


def percent_text(weight: Fraction) -> str:
    """A weight in percent."""
    return decimal_text(100 * weight)
