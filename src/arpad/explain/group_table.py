"""The table of splits into groups: for each number of groups, a row for each number of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arpad.explain.templates import fill_template, typeset
from arpad.explain.words import Words
from arpad.regulations.rubele.groups import Limits, Split


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The splits into one number of groups."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def group_tables(splits: Sequence[tuple[Limits, Split | None]], words: Words) -> tuple[GroupTable, ...]:
    """Return one table for each number of groups, with a column for each number of rounds (table 24)."""
    tables = []
    for groups in sorted({bounds.groups for bounds, _ in splits}):
        cells = {
            (bounds.players, bounds.rounds): "+".join(map(str, split.sizes)) if split else "–"
            for bounds, split in splits
            if bounds.groups == groups
        }
        rounds = sorted({number for _, number in cells})
        players = sorted({number for number, _ in cells})
        headings = (
            words.text("rubele.players"),
            *(words.text("rubele.rounds", rounds=number) for number in rounds),
        )
        rows = tuple((str(count), *(cells[count, number] for number in rounds)) for count in players)
        tables.append(GroupTable(words.text("rubele.groups-table-title", groups=groups), headings, rows))
    return tuple(tables)


def html_group_tables(tables: Sequence[GroupTable], words: Words) -> str:
    """Return a self-contained HTML page for A4."""
    parts = {
        "language": words.language,
        "title": escape(words.text("rubele.groups-table-name")),
        "tables": "\n".join(_section(table) for table in tables),
        "note": escape(words.text("rubele.groups-table-note")),
    }
    return fill_template("group_table", parts)


def _section(table: GroupTable) -> str:
    heads = "".join(f"<th>{escape(text)}</th>" for text in table.headings)
    rows = "\n".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in table.rows
    )
    return (
        f"<section><h2>{escape(table.title)}</h2>\n"
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></section>"
    )


def pdf_group_tables(tables: Sequence[GroupTable], words: Words) -> bytes:
    """Return the tables as PDF on A4, each on a new sheet."""
    data = {
        "language": words.language,
        "title": words.text("rubele.groups-table-name"),
        "note": words.text("rubele.groups-table-note"),
        "tables": tables,
    }
    return typeset("group_table", data)
