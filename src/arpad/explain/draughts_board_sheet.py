"""A board laid out: for a terminal, as a self-contained HTML page, and as PDF on A4 landscape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from arpad.explain.draughts_board import BoardRow, EventBoard, Square
from arpad.explain.templates import filled, typeset


def text_rows(board: EventBoard) -> Iterator[tuple[str, ...]]:
    """The lines for a terminal: result over expectation in one cell."""
    for line in board.lines:
        ci, *figures = line.figures
        squares = ("■" if square.own else _stacked(square) for square in line.squares)
        yield (line.number, line.name, line.category, ci, *squares, *figures, line.promoted)


def _stacked(square: Square) -> str:
    head = f"{square.opponent}:{square.result}" if square.opponent else square.result
    return f"{head}\n{square.expected}" if square.expected else head


def html_board(board: EventBoard) -> str:
    """A page of its own: no file beside it, nothing from elsewhere; prints on A4 landscape (table 13)."""
    before, figures = 4, len(board.lines[0].figures) if board.lines else 0
    heads = "".join(
        f'<th class="{"name" if place == 1 else "square" if before <= place < len(board.headings) - figures else ""}">'
        f"{escape(text)}</th>"
        for place, text in enumerate(board.headings)
    )
    parts = {
        "language": board.language,
        "title": escape(board.title),
        "subtitle": escape(board.subtitle),
        "facts": escape(" · ".join(board.facts)),
        "heads": heads,
        "lines": "\n".join(_html_line(line) for line in board.lines),
        "totals": _html_totals(board),
        "promotions": _html_list(
            board.labels["promotions"], board.promotions, board.labels["no-promotions"], "promotions"
        ),
        "crossings": _html_list(board.labels["crossings"], board.crossings, "", "crossings"),
        "legend": escape(board.labels["legend"]),
        "signature": escape(board.labels["signature"]),
    }
    return filled("board", parts)


def _html_line(line: BoardRow) -> str:
    ci, *figures = line.figures
    cells = [
        f"<td>{escape(line.number)}</td>",
        f'<th scope="row" class="name">{escape(line.name)}</th>',
        f"<td>{escape(line.category)}</td>",
        f'<td class="capital">{escape(ci)}</td>',
        *(_html_square(square) for square in line.squares),
        *(
            f'<td class="{"capital final" if place == len(figures) - 2 else "figure"}">{escape(text)}</td>'
            for place, text in enumerate(figures)
        ),
        f'<td class="promoted">{escape(line.promoted)}</td>',
    ]
    row = '<tr class="rises">' if line.promoted else "<tr>"
    return f"{row}{''.join(cells)}</tr>"


def _html_square(square: Square) -> str:
    if square.own:
        return '<td class="square own"></td>'
    opponent = f"<i>{escape(square.opponent)}</i>" if square.opponent else ""
    return f'<td class="square">{opponent}<b>{escape(square.result)}</b><span>{escape(square.expected)}</span></td>'


def _html_totals(board: EventBoard) -> str:
    squares = len(board.lines[0].squares) if board.lines else 0
    label, scored, expected = map(escape, board.totals)
    rest = len(board.headings) - 4 - squares - 2
    return (
        f'<tr class="totals"><td colspan="{4 + squares}">{label}</td><td>{scored}</td><td>{expected}</td>'
        f'<td colspan="{rest}"></td></tr>'
    )


def _html_list(title: str, items: Sequence[str], otherwise: str, name: str) -> str:
    if not items and not otherwise:
        return ""
    listed = "".join(f"<li>{escape(item)}</li>" for item in items)
    body = f"<ul>{listed}</ul>" if items else f"<p>{escape(otherwise)}</p>"
    return f'<section class="{name}"><h2>{escape(title)}</h2>{body}</section>'


def pdf_board(board: EventBoard) -> bytes:
    """The board on A4 landscape, as many sheets as it needs; the heading stands on each (table 13)."""
    return typeset("board", board)
