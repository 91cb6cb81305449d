"""``arpad rubele change``, ``expected`` and ``convert``: print the answers of the calculators of Elo-Rubele."""

from typing import Any

from arpad.cli.calculations import print_steps
from arpad.cli.common import console, table
from arpad.explain.editions import edition_name
from arpad.explain.words import Words
from arpad.model.exact import from_hundredths
from arpad.rating.calculator import Answer
from arpad.rating.draughts_calculator import ExpectedPoints
from arpad.regulations.rubele.capital import CapitalChange
from arpad.regulations.rubele.starting_capital import Debut


def print_change(found: Answer[CapitalChange], words: Words) -> None:
    """Print a capital after an event."""
    print_steps(found, _title("change", found, words), words)


def print_expected(found: Answer[ExpectedPoints], words: Words) -> None:
    """Print the points expected against each opponent, and in all."""
    screen, result = console(), found.result
    screen.print(_title("expected", found, words))
    headings = [
        (words.text(f"column-draughts.{key}"), "right") for key in ("opponent", "difference", "expected")
    ]
    rows = [
        (
            str(other),
            words.number(result.capital - other, signed=True),
            words.number(from_hundredths(value), places=2),
        )
        for other, value in result.games
    ]
    screen.print(table(headings, rows))
    total = from_hundredths(result.total)
    screen.print(words.text("rubele.total-expected", value=total, games=len(result.games)))


def print_debut(found: Answer[Debut], words: Words) -> None:
    """Print a starting category and capital."""
    category = words.text(f"category.{found.result.category}")
    name = words.text(f"discipline.{found.list}")
    capital = found.result.capital
    title = words.text("rubele.debut-title", discipline=name, category=category, capital=capital)
    print_steps(found, title, words)


def _title(calculator: str, found: Answer[Any], words: Words) -> str:
    name = words.text(f"discipline.{found.list}")
    edition = edition_name(found.edition.id, words)
    return words.text(f"rubele.{calculator}-title", discipline=name, edition=edition)
