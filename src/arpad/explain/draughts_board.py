"""The board of a draughts event (tables 13 and 15): opponents, each result over its expectation, and the capitals.

A round robin is shown by opponent, any other event by round; the layouts are for a terminal, as HTML and as PDF.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from arpad.explain.editions import edition_name
from arpad.explain.templates import fill_template, typeset
from arpad.explain.words import Words
from arpad.model.exact import from_hundredths
from arpad.model.rules import ListName
from arpad.rating.draughts_event import GameSide, PlayerResult, RatedEvent
from arpad.regulations.rubele.capital import FULL, CapitalChange

MOST_BY_OPPONENT = 16
"""With more players than this, even a round robin is shown by round."""

SIGNS = {"1": "2", "=": "1", "0": "0", "+": "+", "-": "−", "W": "+", "D": "=", "L": "−"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square of the board."""

    result: str = ""
    expected: str = ""
    opponent: str = ""
    own: bool = False
    """The player's own square."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One player's row."""

    number: str
    name: str
    category: str
    squares: tuple[Square, ...]
    figures: tuple[str, ...]
    """CI first, which is shown before the squares; then PO, PA, D, S, V, the points added (if any), CF, CF − CI."""

    promoted: str = ""


@dataclass(frozen=True, slots=True)
class EventBoard:
    """A board in words and numbers, ready to be laid out."""

    language: str
    title: str
    subtitle: str
    facts: tuple[str, ...]
    headings: tuple[str, ...]
    """Of all columns, the squares included."""

    lines: tuple[BoardRow, ...]
    totals: tuple[str, ...]
    """The word for total, PO and PA."""

    crossings: tuple[str, ...]
    promotions: tuple[str, ...]
    labels: dict[str, str]


def board_of(rated: RatedEvent, discipline: ListName, edition: str, words: Words) -> EventBoard:
    """Return the board of a rated event (tables 13, 15)."""
    by_opponent = meet_everyone(rated)
    added = any(player.change and player.change.added for player in rated.players)
    labels = {
        key: words.text(f"board.{key}") for key in ("crossings", "promotions", "no-promotions", "signature")
    }
    labels["legend"] = words.text("board.legend")
    if not by_opponent:
        labels["legend"] += " " + words.text("board.legend-rounds")
    if added:
        labels["legend"] += " " + words.text("board.legend-added")
    changes = [player.change for player in rated.players if player.change]
    expected = from_hundredths(sum(change.expected for change in changes))
    scored = sum(change.scored for change in changes)
    name = words.text(f"discipline.{discipline}")
    return EventBoard(
        language=words.language,
        title=rated.event.report.header.name or rated.event.id,
        subtitle=f"{words.text('board.title')} – {name}",
        facts=tuple(_facts(rated, edition, words)),
        headings=tuple(_headings(rated, words, by_opponent=by_opponent, added=added)),
        lines=tuple(
            _line(player, rated, words, by_opponent=by_opponent, added=added) for player in rated.players
        ),
        totals=(words.text("board.totals"), str(scored), words.number(expected, places=2)),
        crossings=tuple(_crossings(rated, words)),
        promotions=tuple(_promotions(rated, words)),
        labels=labels,
    )


def meet_everyone(rated: RatedEvent) -> bool:
    """Return whether the event is a single or double round robin small enough to be shown by opponent."""
    players = len(rated.players)
    if not 2 <= players <= MOST_BY_OPPONENT:  # noqa: PLR2004 (two make a game)
        return False
    pairs = Counter(
        frozenset((player.number, cell.opponent))
        for player in rated.players
        for cell in player.cells
        if cell.opponent
    )
    # each pairing is seen from both sides; a withdrawal may leave some of them out
    return (
        bool(pairs) and max(pairs.values()) <= 2 * 2 and 4 * len(pairs) >= 3 * (players * (players - 1) // 2)
    )


def _facts(rated: RatedEvent, edition: str, words: Words) -> Iterator[str]:
    header = rated.event.report.header
    if header.city:
        yield header.city
    if days := words.days(header.first_day, header.last_day or rated.event.last_day):
        yield days
    yield words.text("board.players", players=len(rated.players), rounds=len(rated.event.report.rounds))
    yield words.text("board.edition", edition=edition_name(edition, words))
    if rated.event.weight != FULL:
        yield words.text("board.weight", percent=100 * rated.event.weight)
    if header.chief_arbiter:
        yield words.text("board.arbiter", name=header.chief_arbiter)


def _headings(rated: RatedEvent, words: Words, *, by_opponent: bool, added: bool) -> Iterator[str]:
    yield from (words.text(f"board.{key}") for key in ("number", "name", "category", "ci"))
    if by_opponent:
        yield from (str(player.number) for player in rated.players)
    else:
        rounds = range(1, len(rated.event.report.rounds) + 1)
        yield from (words.text("board.round", round=number) for number in rounds)
    figures = ("po", "pa", "d", "s", "v", *(("bonus",) if added else ()), "cf", "gain")
    yield from (words.text(f"board.{key}") for key in figures)
    yield words.text("board.promoted")


def _line(
    player: PlayerResult, rated: RatedEvent, words: Words, *, by_opponent: bool, added: bool
) -> BoardRow:
    category, reached = player.participant.standing.category, player.held_after
    if by_opponent:
        squares = tuple(_against(player, opponent, words) for opponent in rated.players)
    else:
        rounds = len(rated.event.report.rounds)
        by_round = {cell.round: cell for cell in player.cells}
        squares = tuple(_in_round(by_round.get(number), words) for number in range(1, rounds + 1))
    return BoardRow(
        number=str(player.number),
        name=player.name,
        category=words.text(f"category-short.{category}"),
        squares=squares,
        figures=(str(player.participant.capital), *_figures(player, words, added=added)),
        promoted=words.text(f"category.{reached}") if reached is not category else "",
    )


def _against(player: PlayerResult, opponent: PlayerResult, words: Words) -> Square:
    if opponent is player:
        return Square(own=True)
    games = [cell for cell in player.cells if cell.opponent == opponent.number]
    expected = next((cell.expected for cell in games if cell.expected is not None), None)
    return Square(
        " ".join(_sign(cell) for cell in games),
        words.number(from_hundredths(expected), places=2) if expected is not None else "",
    )


def _in_round(cell: GameSide | None, words: Words) -> Square:
    if cell is None:
        return Square()
    if not cell.opponent:
        return Square(result="–")
    expected = words.number(from_hundredths(cell.expected), places=2) if cell.expected is not None else ""
    return Square(_sign(cell), expected, str(cell.opponent))


def _sign(cell: GameSide) -> str:
    return SIGNS.get(cell.result, "?") if cell.counted or cell.result not in "1=0" else f"({cell.result})"


def _figures(player: PlayerResult, words: Words, *, added: bool) -> tuple[str, ...]:
    change = player.change
    if change is None:
        return ("–",) * (6 if added else 5) + (str(player.final), "0")
    return (
        str(change.scored),
        words.number(from_hundredths(change.expected), places=2),
        deviation_text(change, words),
        "→".join(map(str, (change.s, *(crossing.new_s for crossing in change.crossings)))),
        words.number(change.variation, signed=True) + ("*" if change.crossings else ""),
        *((words.number(change.added, signed=True),) if added else ()),
        str(change.final),
        words.number(change.final - change.capital, signed=True),
    )


def deviation_text(change: CapitalChange, words: Words) -> str:
    """Return D with two decimals, or with more if a reduced weight needs them."""
    hundredths = (100 * change.deviation).denominator == 1
    return words.number(change.deviation, signed=True, places=2 if hundredths else None)


def _crossings(rated: RatedEvent, words: Words) -> Iterator[str]:
    for player in rated.players:
        change: CapitalChange | None = player.change
        for crossing in change.crossings if change else ():
            yield words.text(
                "board.crossing-up" if crossing.excess > 0 else "board.crossing-down",
                number=player.number,
                name=player.name,
                threshold=crossing.threshold,
                old_s=crossing.old_s,
                new_s=crossing.new_s,
                excess=abs(crossing.excess),
                scaled=abs(crossing.scaled),
            )


def _promotions(rated: RatedEvent, words: Words) -> Iterator[str]:
    for promotion in rated.promotions:
        yield words.text(
            "board.promotion",
            name=promotion.name,
            held=words.text(f"category.{promotion.held}"),
            reached=words.text(f"category.{promotion.reached}"),
            capital=promotion.capital,
            threshold=promotion.threshold,
        )


# ------------------------------------------------------------------------------------------------------ layout


def text_rows(board: EventBoard) -> Iterator[tuple[str, ...]]:
    """Return the lines for a terminal: result above expectation in one cell."""
    for line in board.lines:
        ci, *figures = line.figures
        squares = ("■" if square.own else _stacked(square) for square in line.squares)
        yield (line.number, line.name, line.category, ci, *squares, *figures, line.promoted)


def _stacked(square: Square) -> str:
    head = f"{square.opponent}:{square.result}" if square.opponent else square.result
    return f"{head}\n{square.expected}" if square.expected else head


def html_board(board: EventBoard) -> str:
    """Return a self-contained HTML page that prints on A4 landscape (table 13)."""
    before, figures = 4, len(board.lines[0].figures) if board.lines else 0
    end = len(board.headings) - figures
    heads = "".join(
        f'<th class="{"name" if column == 1 else "square" if before <= column < end else ""}">{escape(text)}</th>'
        for column, text in enumerate(board.headings)
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
    return fill_template("board", parts)


def _html_line(line: BoardRow) -> str:
    ci, *figures = line.figures
    cells = [
        f"<td>{escape(line.number)}</td>",
        f'<th scope="row" class="name">{escape(line.name)}</th>',
        f"<td>{escape(line.category)}</td>",
        f'<td class="capital">{escape(ci)}</td>',
        *(_html_square(square) for square in line.squares),
        *(
            f'<td class="{"capital final" if column == len(figures) - 2 else "figure"}">{escape(text)}</td>'
            for column, text in enumerate(figures)
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
    """Return the board as PDF on A4 landscape; the heading is repeated on each sheet (table 13)."""
    return typeset("board", board)
