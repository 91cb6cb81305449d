"""Parts of the draughts commands: their options, the edition of an event, reading reports and lists."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from arpad.cli.common import DateOption, naming_file
from arpad.explain.draughts_documents import EditionOn
from arpad.model.draughts import Category, DraughtsState
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, Finding, ListName, Severity
from arpad.model.typed_values import parse_day
from arpad.rating.arguments import choose_draughts
from arpad.rating.draughts_calculator import parse_discipline
from arpad.regulations.editions import in_force
from arpad.regulations.rubele.editions import EDITIONS, NEWEST, RUBELE_2008
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.reports.formats import draughts_list, pdn, read_bytes, read_file
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.report import Report

Discipline: TypeAlias = Annotated[
    str, typer.Option("--discipline", metavar="italiana|internazionale", help="The list.")
]


def _edition_option(explanation: str) -> Any:
    return typer.Option("--edition", metavar="NAME|FILE.toml", help=explanation)


DraughtsEdition: TypeAlias = Annotated[
    str | None, _edition_option("Edition by name; default: in force on the event's first day.")
]
YearEdition: TypeAlias = Annotated[
    str | None, _edition_option("Edition by name; default: in force on 31 December.")
]
Capitals: TypeAlias = Annotated[
    Path | None, typer.Option("--capitals", metavar="LIST.csv", help="The list before the first event.")
]
Weight: TypeAlias = Annotated[
    str, typer.Option("--weight", metavar="PERCENT", help="How much the event counts, such as 50.")
]
FirstOfYear: TypeAlias = Annotated[
    bool,
    typer.Option("--first-of-year", help="The first event of the year for players without a known past."),
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="LIST.csv", help="Write the list afterwards into a file.")
]
ByDate: TypeAlias = Annotated[
    bool, typer.Option("--by-date", help="Each event under the edition of its first day (the default).")
]


@dataclass(frozen=True)
class EventOptions:
    """How an event is rated: list, rules, capitals before it, and weight."""

    discipline: Discipline
    edition: DraughtsEdition = None
    date_: DateOption = None
    capitals: Capitals = None
    weight: Weight = "100"
    by_date: ByDate = False
    first_of_year: FirstOfYear = False

    @property
    def on_list(self) -> ListName:
        """The list of the discipline."""
        return parse_discipline(self.discipline)

    @cached_property
    def edition_on(self) -> EditionOn:
        """The edition named, for all events; else the one in force on each event's first day."""
        if self.by_date and (self.edition is not None or self.date_ is not None):
            raise BadInput("by-date-alone")
        return edition_of_event(self.edition, self.date_, self.on_list)


def edition_of_event(edition: str | None, date_: str | None, on_list: ListName) -> EditionOn:
    """Return a function from an event's first day to its edition: the one named, else by day, else the newest.

    The source document serves for days before it took effect.
    """
    if edition is not None or date_ is not None:
        asked_for = choose_draughts(edition, parse_day(date_, "date") if date_ else None, on_list)
        return lambda _: asked_for

    def by_day(first: date | None) -> Edition[DraughtsRules]:
        if first is None:
            return NEWEST
        if first < RUBELE_2008.starts(on_list):
            return RUBELE_2008
        return in_force(EDITIONS, on_list, first)

    return by_day


# --------------------------------------------------------------------------------------------------- files


def read_event(path: Path, discipline: ListName) -> Report:
    """Read a draughts report; refuse games of another discipline, or of chess."""
    with naming_file(path):
        report = read_file(path)
    if report.format == "pgn":
        if path.suffix.lower() != ".pdn":
            raise BadInput("not-draughts", file=path.name, format="PGN")
        report = pdn.read(read_bytes(path), path.name)
    declared = draughts_list(report)
    if declared not in (None, discipline):
        raise BadInput("wrong-discipline", file=path.name, given=str(declared), wanted=str(discipline))
    return report


def read_capitals(path: Path, rules: DraughtsRules) -> tuple[DraughtsState, ...]:
    """Read a list file; refuse a capital below the minimum, with its player."""
    by_capital = dict(zip(rules.promotions.value, tuple(Category)[1:], strict=True))
    with naming_file(path):
        standings = capitals.read(read_bytes(path), by_capital)
    minimum = rules.minimum_capital.value
    for standing in standings:
        if standing.capital is not None and standing.capital < minimum:
            facts = {"player": standing.name, "capital": standing.capital, "minimum": minimum}
            raise BadInput("listed-below-minimum", **facts)
    return standings


def exit_on_errors(findings: Iterable[Finding]) -> None:
    """Exit with status 1 if a finding is an error."""
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise typer.Exit(1)
