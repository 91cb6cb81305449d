"""``arpad calc``: a rating change, an entry rating, K or an expectation, without any file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arpad.cli.common import (
    DateOption,
    EditionOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    derivation,
    print_json,
    table,
    words_for,
)
from arpad.cli.typer_groups import Commands
from arpad.explain.documents import (
    change_document,
    entry_document,
    entry_verdict,
    expectation_document,
    round_robin_document,
    step_documents,
)
from arpad.explain.words import Words
from arpad.model.chess import Change, GameChange, PlayerFacts
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import Edition, ListName, Severity
from arpad.rating import calculator as calc
from arpad.rating.round_robin import (
    FORM,
    NEWEST,
    RoundRobinFigures,
    RoundRobinRating,
    parse_player,
    rate_round_robin,
    with_earlier_events,
)
from arpad.regulations.chess.rules import ChessRules

app = Commands()

Rating = Annotated[str, typer.Option("--rating", metavar="N", help="The player's rating, 0 to 4000.")]
Peak = Annotated[str, typer.Option("--peak", metavar="N", help="The highest rating ever published.")]
Born = Annotated[str | None, typer.Option("--born", metavar="YYYY-MM-DD|YYYY", help="Date or year of birth.")]
FromStandard = Annotated[
    bool,
    typer.Option(
        "--from-standard", help="The rating is the standard one: there is none on this list (RB 7.2.1)."
    ),
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="YYYY-MM-DD", help="The first day of the period; default: --date."),
]


def _edition(
    edition: str | None, day: str | None, on_list: ListName
) -> tuple[Edition[ChessRules], ChessRules]:
    chosen = calc.choose_edition(edition, calc.parse_day(day, "date") if day else None, on_list)
    return chosen, chosen.on(on_list)


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
    """The change of a rated player over one period (8.5).

    Example: arpad calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1 --game 2000:0.5
    """
    words = words_for(lang)
    on_list = chess_list(list_)
    chosen, rules = _edition(edition, date_, on_list)
    own = calc.parse_integer(rating, "rating")
    parsed = [calc.parse_game(text, own) for text in game or []]
    if k is not None:
        coefficient = calc.Coefficient(calc.parse_integer(k, "k"), ())
    else:
        # Without --games the player is past the newcomers' limit, or has no game where there is no rating.
        unsaid = 0 if from_standard else rules.k_new_games.value
        so_far = calc.parse_integer(games, "games") if games is not None else unsaid
        coefficient = _coefficient(own, so_far, peak, born, on or date_, chosen, rules, from_standard)
    found = calc.change(own, parsed, coefficient.k, rules)
    steps = (*coefficient.steps, *found.steps)
    if json:
        document = {"edition": chosen.id, "list": str(on_list), **change_document(found)}
        print_json("arpad.calc-change/1", {**document, "steps": step_documents(steps, words)})
        return
    out = console()
    out.print(words.text("calc.change-title", rating=own, edition=chosen.id, list=str(on_list)))
    out.print(_games_table(found, words))
    out.print(derivation((*_notable(found.games), *steps), words))


def _coefficient(
    rating: int,
    games: int,
    peak: str,
    born: str | None,
    on: str | None,
    edition: Edition[ChessRules],
    rules: ChessRules,
    from_standard: bool,
) -> calc.Coefficient:
    facts = PlayerFacts(
        rating,
        games,
        calc.parse_integer(peak, "peak"),
        calc.parse_birth(born, "born") if born else None,
        from_standard,
    )
    return calc.k_of(facts, calc.parse_day(on, "on") if on else edition.effective, rules)


def _games_table(found: Change, words: Words) -> Any:
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
            for item in found.games
        ],
    )


def _notable(games: tuple[GameChange, ...]) -> tuple[Any, ...]:
    """The steps of single games that a table row cannot tell: caps, exemptions, games too far apart; once each."""
    told = ("capped", "exempt", "not-capped-again", "too-far")
    found = {
        (step.quantity, step.value): step for item in games for step in item.steps if step.quantity in told
    }
    return tuple(found.values())


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
    """The entry rating of an unrated player (8.2, 8.3, 7.14).

    Example: arpad calc initial --edition fide-2009 --event 2220,2220,2220:1 --event 2150,2150,2150,2150,2150:3
    """
    words = words_for(lang)
    on_list = chess_list(list_)
    events = [calc.parse_event(text) for text in event or []]
    if edition is None and date_ is None:
        latest = max((item.last_day for item in events if item.last_day), default=None)
        date_ = latest.isoformat() if latest else None
    chosen, rules = _edition(edition, date_, on_list)
    found = calc.initial(events, rules, affiliated=affiliated)
    if json:
        document = {"edition": chosen.id, "list": str(on_list), **entry_document(found, words)}
        print_json("arpad.calc-initial/1", {**document, "steps": step_documents(found.steps, words)})
        return
    out = console()
    out.print(words.text("calc.initial-title", edition=chosen.id, list=str(on_list)))
    out.print()
    out.print(derivation(found.steps, words))
    out.print()
    out.print(entry_verdict(found, words))


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
            help="An unrated player who has an event that counts already.",
        ),
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    double: Annotated[bool, typer.Option("--double", help="Everybody met everybody twice.")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """A round robin with unrated players: their ratings, and the changes of the rated (8.21b, 8.25, 8.58).

    Players come in the order of the cross-table. K of a rated player is that of one with at least thirty games,
    unless it is given. The editions from 2022 on have no such articles; without --edition and --date, the last one
    that has them.

    Example: arpad calc round-robin --player 2000:3 --player 1900:2.5 --player 1850:2 --player 1800:1.5 --player -:1
    """
    words = words_for(lang)
    on_list = chess_list(list_)
    chosen = NEWEST if edition is None and date_ is None else _edition(edition, date_, on_list)[0]
    players = with_earlier_events([parse_player(text) for text in player or []], counted_before or [])
    found = rate_round_robin(
        players,
        chosen,
        on_list,
        cycles=2 if double else 1,
        day=calc.parse_day(date_, "date") if date_ else None,
    )
    if json:
        document = {"edition": chosen.id, "list": str(on_list), **round_robin_document(found, words)}
        print_json("arpad.calc-round-robin/1", document)
    else:
        _print_round_robin(found, chosen, on_list, words)
    if any(finding.severity == Severity.ERROR for finding in found.findings):
        raise typer.Exit(1)


def _print_round_robin(
    found: RoundRobinRating, chosen: Edition[ChessRules], on_list: ListName, words: Words
) -> None:
    out = console()
    out.print(words.text("calc.round-robin-title", edition=chosen.id, list=str(on_list)))
    for finding in found.findings:
        out.print(
            f"{words.text(f'severity.{finding.severity}')}: {words.finding(finding)} ({finding.article})"
        )
    out.print(_round_robin_table(found, words))
    out.print(words.text("calc.round-robin-tournament"))
    out.print(derivation(found.table.steps, words))
    for mine in found.players:
        out.print()
        out.print(words.text("calc.round-robin-player", number=mine.number, name=mine.name).rstrip())
        out.print(derivation(mine.steps, words))
        if mine.entry is not None:
            out.print(entry_verdict(mine.entry, words))


def _round_robin_table(found: RoundRobinRating, words: Words) -> Any:
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
    return table(columns, [_round_robin_row(player, words) for player in found.players])


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
    """The development coefficient K of a player (8.56).

    Example: arpad calc k --edition fide-2017 --rating 2350 --games 40 --peak 2410 --born 2001-05-05 --on 2017-09-01
    """
    words = words_for(lang)
    on_list = chess_list(list_)
    if edition is None and date_ is None:
        date_ = on
    chosen, rules = _edition(edition, date_, on_list)
    own, so_far = calc.parse_integer(rating, "rating"), calc.parse_integer(games, "games")
    found = _coefficient(own, so_far, peak, born, on or date_, chosen, rules, from_standard)
    if json:
        document = {"edition": chosen.id, "list": str(on_list), "k": found.k}
        print_json("arpad.calc-k/1", {**document, "steps": step_documents(found.steps, words)})
        return
    out = console()
    out.print(words.text("calc.k-title", k=found.k, edition=chosen.id, list=str(on_list)))
    out.print(derivation(found.steps, words))


@app.command()
def expected(
    rating: Rating,
    opponent: Annotated[str, typer.Option("--opponent", metavar="N", help="The opponent's rating.")],
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """What a player may expect against an opponent (8.1b, 8.54).

    Example: arpad calc expected --edition fide-2017 --rating 1850 --opponent 2000
    """
    words = words_for(lang)
    on_list = chess_list(list_)
    chosen, rules = _edition(edition, date_, on_list)
    own, other = calc.parse_integer(rating, "rating"), calc.parse_integer(opponent, "opponent")
    found = calc.expected(own, other, rules)
    steps = [step for step in found.steps if step.quantity != "delta"]
    if json:
        document = {"edition": chosen.id, "list": str(on_list), **expectation_document(found)}
        print_json("arpad.calc-expected/1", {**document, "steps": step_documents(steps, words)})
        return
    out = console()
    out.print(words.text("calc.expected-title", edition=chosen.id, list=str(on_list)))
    out.print(derivation(steps, words))
