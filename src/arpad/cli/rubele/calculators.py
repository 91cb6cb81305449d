"""``arpad rubele change``, ``expected`` and ``convert``: the calculators of Elo-Rubele."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.common import DateOption, Json, Lang, console, derivation, print_json, table, words_for
from arpad.cli.rubele.options import CalculatorEdition, Discipline, Weight
from arpad.explain.draughts_documents import capital_document, conversion_document, points_document
from arpad.explain.editions import edition_name
from arpad.model.exact import from_hundredths
from arpad.rating.calculator import Question
from arpad.rating.draughts_calculator import answer_capital, answer_conversion, answer_points


def change(
    discipline: Discipline,
    capital: Annotated[str, typer.Option("--capital", metavar="CI", help="The capital before the event.")],
    scored: Annotated[str, typer.Option("--scored", metavar="PO", help="The points scored, two for a win.")],
    expected: Annotated[str, typer.Option("--expected", metavar="PA", help="The points expected, as 9.30.")],
    edition: CalculatorEdition = None,
    date_: DateOption = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="N", help="How many games, as a check.")
    ] = None,
    weight: Weight = "100",
    *,
    first_of_year: Annotated[
        bool, typer.Option("--first-of-year", help="It is the player's first event of the year.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the capital after an event (tables 14, 16, 17).

    Example: arpad rubele change --discipline italiana --capital 3479 --scored 14 --expected 9.30 --edition rubele-2008
    """
    words = words_for(lang)
    answer = answer_capital(
        Question.from_options(
            discipline=discipline, capital=capital, scored=scored, expected=expected, edition=edition, date=date_,
            games=games, weight=weight, first_of_year=first_of_year,
        )
    )  # fmt: skip
    if json:
        print_json("arpad.rubele-change/1", capital_document(answer, words))
        return
    screen = console()
    name = words.text(f"discipline.{answer.list}")
    screen.print(
        words.text("rubele.change-title", discipline=name, edition=edition_name(answer.edition.id, words))
    )
    screen.print(derivation(answer.steps, words))


def expected(
    discipline: Discipline,
    capital: Annotated[str, typer.Option("--capital", metavar="CI", help="The player's capital.")],
    opponent: Annotated[
        list[str], typer.Option("--opponent", metavar="CI", help="An opponent; repeat for each.")
    ],
    edition: CalculatorEdition = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the expected points against opponents (table 19).

    Example: arpad rubele expected --discipline italiana --capital 3479 --opponent 4000 --opponent 3482
    """
    words = words_for(lang)
    answer = answer_points(
        Question.from_options(
            discipline=discipline, capital=capital, opponent=opponent, edition=edition, date=date_
        )
    )
    if json:
        print_json("arpad.rubele-expected/1", points_document(answer))
        return
    screen, result = console(), answer.result
    name = words.text(f"discipline.{answer.list}")
    screen.print(
        words.text("rubele.expected-title", discipline=name, edition=edition_name(answer.edition.id, words))
    )
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


def convert(
    to: Annotated[
        str,
        typer.Option("--to", metavar="italiana|internazionale", help="The list on which the player begins."),
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="CATEGORY", help="Category or title held on the other list."),
    ] = None,
    fmjd: Annotated[
        str | None, typer.Option("--fmjd", metavar="RATING", help="FMJD rating of a foreign player.")
    ] = None,
    capital: Annotated[
        str | None, typer.Option("--capital", metavar="N", help="A capital given by decision.")
    ] = None,
    author: Annotated[str, typer.Option("--author", help="Who decided it.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "",
    edition: CalculatorEdition = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate a starting category and capital (tables 20, 21, 22, or a decision).

    Example: arpad rubele convert --to italiana --from maestro
    """
    words = words_for(lang)
    answer = answer_conversion(
        Question.from_options(
            to=to,
            from_=from_,
            fmjd=fmjd,
            capital=capital,
            author=author,
            reason=reason,
            edition=edition,
            date=date_,
        )
    )
    if json:
        print_json("arpad.rubele-convert/1", conversion_document(answer, words))
        return
    screen, debut = console(), answer.result
    names = {
        "discipline": words.text(f"discipline.{answer.list}"),
        "category": words.text(f"category.{debut.category}"),
    }
    screen.print(words.text("rubele.debut-title", **names, capital=debut.capital))
    screen.print(derivation(debut.steps, words))
