"""TRF lines for tests, laid out by hand: the positions are those of FIDE's description, not of the program."""

from __future__ import annotations

from arpad.model.rules import Finding
from arpad.reports.formats import read_report
from arpad.reports.report import Report


def player(
    number: int | str,
    *cells: str,
    name: str = "Rossi, Mario",
    sex: str = "m",
    title: str = "",
    rating: int | str = 1800,
    federation: str = "ITA",
    id: int | str = "",  # noqa: A002
    born: str = "1990/05/17",
    points: str = "0.0",
    rank: int | str = 1,
) -> str:
    """A player line: each cell is eight characters, ``   2 w 1``."""
    person = f"001 {number:>4} {sex:1}{title:>3} {name:<33} {rating:>4} {federation:<3} {id or '':>11}"
    line = f"{person} {born:<10} {points:>4} {rank:>4}"
    assert len(line) == 89
    return line + "".join(f"  {cell}" for cell in cells)


PAIR = (
    player(1, "   2 w 1", name="Bianchi, Ada", sex="w", rating=2010, id=900001, points="1.0", rank=1),
    player(2, "   1 b 0", name="Verdi, Ugo", rating=1950, id=900002, rank=2),
)
"""Two players who met once."""

HEAD = (
    "012 Open di prova",
    "022 Trani",
    "032 ITA",
    "042 2024/03/01",
    "052 2024/03/03",
    "102 Conti, Elena",
    "122 90 min + 30 sec",
)


def text(*lines: str, end: str = "\n") -> bytes:
    """A file of these lines."""
    return "".join(line + end for line in lines).encode()


def read(*lines: str) -> Report:
    """The report in a file of these lines."""
    return read_report(text(*lines))


def found(report: Report, code: str) -> Finding:
    """The only finding of a code."""
    (finding,) = [finding for finding in report.findings if finding.code == code]
    return finding


def codes(report: Report) -> list[str]:
    """The codes of all findings."""
    return [finding.code for finding in report.findings]
