"""``arpad calc``: a rating change, an entry rating, K or an expectation, without any file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arpad.cli.calc_event import event
from arpad.cli.common import (
    DateOption,
    EditionOption,
    Json,
    Lang,
    ListOption,
    console,
    derivation,
    print_json,
    table,
    words_for,
)
from arpad.cli.norm_tables import print_norm
from arpad.cli.typer_groups import Commands
from arpad.explain.calculator_documents import (
    change_document,
    coefficient_document,
    entry_document,
    entry_verdict,
    expected_document,
    performance_document,
    round_robin_document,
)
from arpad.explain.editions import edition_name
from arpad.explain.norm_documents import norm_document
from arpad.explain.words import Words
from arpad.model.chess import Change
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import Fact, Severity
from arpad.rating.calculator import (
    Answer,
    Question,
    answer_change,
    answer_coefficient,
    answer_entry,
    answer_expected,
    answer_performance,
    answer_round_robin,
)
from arpad.rating.norm_arguments import GAME_FORM, answer_norm
from arpad.rating.round_robin import FORM, RoundRobinFigures, RoundRobinRating

app = Commands()
app.command(name="event")(event)

Rating = Annotated[str, typer.Option("--rating", metavar="N", help="The player's rating, 0 to 4000.")]
Peak = Annotated[str, typer.Option("--peak", metavar="N", help="The highest rating ever published.")]
Born = Annotated[str | None, typer.Option("--born", metavar="YYYY-MM-DD|YYYY", help="Date or year of birth.")]
FromStandard = Annotated[
    bool,
    typer.Option("--from-standard", help="The rating is the standard one; this list has none (RB 7.2.1)."),
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="YYYY-MM-DD", help="The first day of the period; default: --date."),
]


@app.command()
def change(
    rating: Rating,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="OPPONENT:SCORE[:OWN[:EVENT]]", help="A game; repeat for each one."),
    ] = None,
    k: Annotated[
        str | None, typer.Option("--k", metavar="N", help="K; default: from the facts below.")
    ] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="N", help="Games rated so far, for K.")
    ] = None,
    peak: Peak = "0",
    born: Born = None,
    on: On = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    from_standard: FromStandard = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the rating change of a player over one period (8.5).

    Example: arpad calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1 --game 2000:0.5
    """
    words = words_for(lang)
    answer = answer_change(
        Question.from_options(
            rating=rating, game=game, k=k, games=games, peak=peak, born=born, on=on, edition=edition, date=date_,
            list=list_, from_standard=from_standard,
        )
    )  # fmt: skip
    if json:
        print_json("arpad.calc-change/1", change_document(answer, words))
        return
    _print(
        answer,
        _title("change", answer, words, rating=answer.result.rating),
        words,
        _games_table(answer.result, words),
    )


def _title(calculator: str, answer: Answer[Any], words: Words, **facts: Fact) -> str:
    return words.text(
        f"calc.{calculator}-title",
        edition=edition_name(answer.edition.id, words),
        list=str(answer.list),
        **facts,
    )


def _print(answer: Answer[Any], title: str, words: Words, *tables: Any) -> None:
    """Print the title of an answer, its tables, and its derivation."""
    out = console()
    out.print(title)
    for rows in tables:
        out.print(rows)
    out.print(derivation(answer.steps, words))


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


@app.command()
def initial(
    event: Annotated[
        list[str] | None,
        typer.Option(
            "--event", metavar="R,R,…:SCORE[@YYYY-MM-DD]", help="A Swiss event; repeat for each one."
        ),
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    affiliated: Annotated[
        bool, typer.Option("--affiliated", help="A member of IBCA, ICSC or IPCA (7.14g).")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the initial rating of an unrated player (8.2, 8.3, 7.14).

    Example: arpad calc initial --edition fide-2009 --event 2220,2220,2220:1 --event 2150,2150,2150,2150,2150:3
    """
    words = words_for(lang)
    answer = answer_entry(
        Question.from_options(event=event, affiliated=affiliated, edition=edition, date=date_, list=list_)
    )
    if json:
        print_json("arpad.calc-initial/1", entry_document(answer, words))
        return
    out = console()
    out.print(_title("initial", answer, words))
    out.print()
    out.print(derivation(answer.steps, words))
    out.print()
    out.print(entry_verdict(answer.result, words))


@app.command(name="round-robin")
def round_robin_command(
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar=FORM, help="A player, - if unrated, with points in all or a row as x1=0."
        ),
    ] = None,
    counted_before: Annotated[
        list[str] | None,
        typer.Option(
            "--counted-before",
            metavar="N",
            help="An unrated player with an earlier event that counts.",
        ),
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    double: Annotated[bool, typer.Option("--double", help="A double round robin.")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Rate a round robin with unrated players (8.21b, 8.25, 8.58).

    Players come in the order of the crosstable. K of a rated player is that of one with at least thirty games,
    unless it is given. The editions from 2022 on have no such articles; without --edition and --date, the last one
    that has them.

    Example: arpad calc round-robin --player 2000:3 --player 1900:2.5 --player 1850:2 --player 1800:1.5 --player -:1
    """
    words = words_for(lang)
    answer = answer_round_robin(
        Question.from_options(
            player=player,
            counted_before=counted_before,
            double=double,
            edition=edition,
            date=date_,
            list=list_,
        )
    )
    if json:
        print_json("arpad.calc-round-robin/1", round_robin_document(answer, words))
    else:
        _print_round_robin(answer, words)
    if any(finding.severity == Severity.ERROR for finding in answer.result.findings):
        raise typer.Exit(1)


def _print_round_robin(answer: Answer[RoundRobinRating], words: Words) -> None:
    rating, out = answer.result, console()
    out.print(_title("round-robin", answer, words))
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


@app.command(name="k")
def k_command(
    rating: Rating,
    games: Annotated[str, typer.Option("--games", metavar="N", help="Games rated so far on this list.")],
    peak: Peak = "0",
    born: Born = None,
    on: On = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    from_standard: FromStandard = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the development coefficient K of a player (8.56).

    Example: arpad calc k --edition fide-2017 --rating 2350 --games 40 --peak 2410 --born 2001-05-05 --on 2017-09-01
    """
    words = words_for(lang)
    answer = answer_coefficient(
        Question.from_options(
            rating=rating, games=games, peak=peak, born=born, on=on, edition=edition, date=date_, list=list_,
            from_standard=from_standard,
        )
    )  # fmt: skip
    if json:
        print_json("arpad.calc-k/1", coefficient_document(answer, words))
        return
    _print(answer, _title("k", answer, words, k=answer.result), words)


@app.command()
def performance(
    opponents: Annotated[
        list[str] | None, typer.Argument(metavar="RATING…", help="The ratings of the opponents, one a game.")
    ] = None,
    score: Annotated[str | None, typer.Option("--score", metavar="N", help="The points scored.")] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Calculate the performance rating: the average of the opponents plus dp (8.1a).

    Example: arpad calc performance 2400 2350 2300 --score 2
    """
    words = words_for(lang)
    answer = answer_performance(
        Question.from_options(opponents=opponents, score=score, edition=edition, date=date_, list=list_)
    )
    if json:
        print_json("arpad.calc-performance/1", performance_document(answer, words))
        return
    _print(answer, _title("performance", answer, words, rating=answer.result.rating), words)


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
    words = words_for(lang)
    answer = answer_expected(
        Question.from_options(
            rating=rating or own, opponent=opponent or other, edition=edition, date=date_, list=list_
        )
    )
    if json:
        print_json("arpad.calc-expected/1", expected_document(answer, words))
        return
    _print(answer, _title("expected", answer, words), words)


@app.command()
def norm(
    title: Annotated[str, typer.Option("--title", metavar="GM|IM|WGM|WIM", help="The title sought.")],
    federation: Annotated[
        str,
        typer.Option(
            "--federation", metavar="CODE", help="The player's federation; FID/RUS with its origin."
        ),
    ],
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar=GAME_FORM, help="A round; RESULT as in TRF: 1 = 0 + - U H Z."),
    ] = None,
    sex: Annotated[str | None, typer.Option("--sex", metavar="m|f", help="For norms of women.")] = None,
    system: Annotated[
        str,
        typer.Option(
            "--system", metavar="swiss|round-robin|double-round-robin|team|knockout", help="System."
        ),
    ] = "swiss",
    rounds: Annotated[
        str | None,
        typer.Option("--rounds", metavar="N", help="Rounds of the event; default: the last one given."),
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="CODE", help="The federation of the event.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="world-team|world-cup|national-championship|national-team|zonal",
            help="Kind of event.",
        ),
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    *,
    strong_field: Annotated[
        bool, typer.Option("--strong-field", help="Every round has the foreign field of 1.4.3d.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Say whether a player made a title norm, with which games, article by article (B.01 1.4).

    Example: arpad calc norm --title GM --federation HUN --rounds 9 --game 1:1:GM:2500:GER --game 2:=:IM:2450:FRA
    """
    words = words_for(lang)
    answer = answer_norm(
        Question.from_options(
            title=title, federation=federation, game=game, sex=sex, system=system, rounds=rounds, host=host, kind=kind,
            edition=edition, date=date_, strong_field=strong_field,
        )
    )  # fmt: skip
    if json:
        print_json("arpad.calc-norm/1", norm_document(answer.result, words))
        return
    print_norm(answer.result, words)
