"""``arpad calc``: a rating change, an entry rating, K or an expectation, without any file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.calculations import answer, command_of, print_steps
from arpad.cli.common import (
    DateOption,
    EditionOption,
    Json,
    Lang,
    ListOption,
    console,
    derivation,
    table,
    words_for,
)
from arpad.cli.norm_tables import print_norm
from arpad.cli.typer_groups import Commands
from arpad.explain.calculations import CHANGE, EXPECTED, INITIAL, PERFORMANCE, ROUND_ROBIN, K
from arpad.explain.calculator_documents import entry_verdict
from arpad.explain.editions import edition_name
from arpad.explain.norm_documents import NORM
from arpad.explain.words import Words
from arpad.model.chess import Change, Entry, GameChange
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import Fact
from arpad.rating.calculator import Answer
from arpad.rating.round_robin import RoundRobinFigures, RoundRobinRating
from arpad.regulations.fide.performance_rating import PerformanceRating


def _title(calculator: str, found: Answer[Any], words: Words, **facts: Fact) -> str:
    return words.text(
        f"calc.{calculator}-title",
        edition=edition_name(found.edition.id, words),
        list=str(found.list),
        **facts,
    )


def _print_change(found: Answer[Change], words: Words) -> None:
    title = _title("change", found, words, rating=found.result.rating)
    print_steps(found, title, words, _games_table(found.result, words))


def _games_table(change: Change, words: Words) -> Any:
    headings = ("own", "opponent", "difference", "score", "expected", "change")
    return table(
        [(words.text(f"column.{heading}"), "right") for heading in headings],
        [
            (
                str(item.game.own),
                str(item.game.opponent),
                words.number(item.difference, signed=True) + (" *" if item.capped else ""),
                words.number(points(item.game.score)),
                words.number(from_hundredths(item.expected), places=2) if item.rated else "–",
                words.number(from_hundredths(item.change), signed=True, places=2) if item.rated else "–",
            )
            for item in change.games
        ],
    )


def _print_initial(found: Answer[Entry], words: Words) -> None:
    out = console()
    out.print(_title("initial", found, words))
    out.print()
    out.print(derivation(found.steps, words))
    out.print()
    out.print(entry_verdict(found.result, words))


def _print_round_robin(found: Answer[RoundRobinRating], words: Words) -> None:
    rating, out = found.result, console()
    out.print(_title("round-robin", found, words))
    for finding in rating.findings:
        out.print(words.labelled(words.text(f"severity.{finding.severity}"), words.cited_finding(finding)))
    out.print(_round_robin_table(rating, words))
    out.print(words.text("calc.round-robin-tournament"))
    out.print(derivation(rating.table.steps, words))
    for player in rating.players:
        out.print()
        out.print(words.text("calc.round-robin-player", number=player.number, name=player.name).rstrip())
        out.print(derivation(player.steps, words))
        if player.entry is not None:
            out.print(entry_verdict(player.entry, words))


def _round_robin_table(rating: RoundRobinRating, words: Words) -> Any:
    headings = (
        "rating",
        "score",
        "p",
        "dp",
        "rc",
        "ru",
        "rc-new",
        "ru-new",
        "expected",
        "k-applied",
        "change",
    )
    columns = [("", "right"), (words.text("column.name"), "left")]
    columns += [(words.text(f"column.{heading}"), "right") for heading in headings]
    return table(columns, [_round_robin_row(player, words) for player in rating.players])


def _round_robin_row(player: RoundRobinFigures, words: Words) -> tuple[str, ...]:
    unrated, change = player.unrated, player.change
    ratings = (unrated.rc, unrated.ru, unrated.rc_new, unrated.ru_new) if unrated else ("", "", "", "")
    figures = ("", "", "")
    if change is not None:
        expected = from_hundredths(sum(game.expected for game in change.games))
        figures = (
            words.number(expected, places=2),
            str(change.k_applied),
            words.number(change.change, signed=True),
        )
    return (
        str(player.number),
        player.name,
        str(player.rating or "–"),
        words.number(points(player.score)),
        words.number(from_hundredths(player.p), places=2) if player.p is not None else "",
        words.number(player.dp, signed=True) if player.dp is not None else "",
        *map(str, ratings),
        *figures,
    )


def _print_k(found: Answer[int], words: Words) -> None:
    print_steps(found, _title("k", found, words, k=found.result), words)


def _print_performance(found: Answer[PerformanceRating], words: Words) -> None:
    print_steps(found, _title("performance", found, words, rating=found.result.rating), words)


def _print_expected(found: Answer[GameChange], words: Words) -> None:
    print_steps(found, _title("expected", found, words), words)


def event(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The event as JSON (see the reference).")],
    system: Annotated[
        str,
        typer.Option(
            "--system", metavar="NAME", help="The rating system, as icu; an unknown name lists all."
        ),
    ],
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Rate one event or period under any rating system: every player before and after, pass by pass.

    Example: arpad calc event --system icu ireland/event.json
    """
    from arpad.cli.calc_event import rate_question

    if status := rate_question(file, system, words_for(lang), json=json):
        raise typer.Exit(status)


app = Commands()
app.add(event, "event")
app.add(command_of(CHANGE, _print_change), "change")
app.add(command_of(INITIAL, _print_initial), "initial")
app.add(command_of(ROUND_ROBIN, _print_round_robin), "round-robin")
app.add(command_of(K, _print_k), "k")
app.add(command_of(PERFORMANCE, _print_performance), "performance")


@app.command()
def expected(
    own: Annotated[
        str | None, typer.Argument(metavar="[RATING]", help="The player's rating, 0 to 4000.")
    ] = None,
    other: Annotated[str | None, typer.Argument(metavar="[OPPONENT]", help="The opponent's rating.")] = None,
    rating: Annotated[str | None, typer.Option("--rating", metavar="N", help="Instead of RATING.")] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", metavar="N", help="Instead of OPPONENT.")
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the expected score against an opponent (8.1b, 8.54).

    Example: arpad calc expected 1850 2000

    Example: arpad calc expected 1850 2000 --edition fide-2017
    """
    values = {
        "rating": rating or own, "opponent": opponent or other, "edition": edition, "date": date_, "list": list_,
    }  # fmt: skip
    answer(EXPECTED, values, _print_expected, json=json, lang=lang)


app.add(command_of(NORM, lambda found, words: print_norm(found.result, words)), "norm")
