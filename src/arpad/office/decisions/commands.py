"""``arpad office``: an officer's decisions, an appeal against one of them, and its outcome (0.5)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from arpad.cli.common import list_named
from arpad.cli.office.options import Reason, WriteOptions, day_of, pairs
from arpad.model.errors import BadInput


def decide(
    desk: WriteOptions,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="As fact, not-rated, official, k, result, suspended.")
    ],
    reason: Reason,
    report: Annotated[int | None, typer.Option(help="The report it is about.")] = None,
    player: Annotated[int | None, typer.Option(help="The player it is about.")] = None,
    federation: Annotated[str | None, typer.Option(help="The federation it is about.")] = None,
    list_: Annotated[str | None, typer.Option("--list", metavar="LIST")] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="YYYY-MM-DD", help="A list's day, or the day from which it applies."),
    ] = None,
    value: Annotated[
        list[str], typer.Option("--value", metavar="NAME=VALUE", help="As k=20, kind=swiss.")
    ] = [],  # noqa: B006  typer never changes it
) -> None:
    """Enter an officer's decision.

    It is about an event, a player or a federation.

    The decision ``fact`` states what the report or its sender did not, or corrects it: any fact that --facts can hold,
    as kind=swiss, national_championship=yes, time_control=15+10, list=rapid, players.3.k=20. NAME=unknown takes one
    back.
    """
    from arpad.office.decisions.acts import decide as enter
    from arpad.office.decisions.acts import states_facts
    from arpad.office.decisions.articles import article_behind

    options = dict(pairs(value, "value"))
    facts = options if states_facts(kind) else {}
    values: dict[str, int | str] = {
        name: int(text) if text.isdecimal() and name != "result" else text
        for name, text in options.items()
        if name not in facts
    }
    if reserved := sorted(
        {"report", "player", "federation", "day", "list", "reason", "facts", "on_list"} & values.keys()
    ):
        raise BadInput("bad-form", option="value", value=reserved[0], accepted="NAME=VALUE")
    with desk.acting() as office, _as_options():
        number = enter(
            office, kind, reason=reason, report=report, player=player, federation=federation,
            on_list=list_named(list_) if list_ else None, day=day_of(date, "date"), facts=facts, **values,
        )  # fmt: skip
        article = article_behind(office, number)
    sentence = desk.words.text(
        "office.decided-by" if article else "office.decided", decision=number, article=article
    )
    desk.tell(sentence, "arpad.office-decide/1", {"decision": number, "article": article or None})


@contextmanager
def _as_options() -> Iterator[None]:
    """Name what a decision lacks as it is typed on the command line."""
    typed = {
        "report": "--report",
        "player": "--player",
        "federation": "--federation",
        "list": "--list",
        "day": "--date",
    }
    try:
        yield
    except BadInput as error:
        if error.code == "decision-needs":
            names = str(error.facts["missing"]).split(", ")
            error.facts["missing"] = ", ".join(typed.get(name, f"--value {name}=…") for name in names)
        raise


def revoke(
    desk: WriteOptions,
    decision: Annotated[int, typer.Argument(metavar="DECISION", help="The decision's number.")],
    reason: Reason,
) -> None:
    """Revoke a decision."""
    from arpad.office.decisions.acts import revoke as undo

    with desk.acting() as office:
        undo(office, decision, reason)
    desk.done({"decision": decision})


def appeal(
    desk: WriteOptions,
    decision: Annotated[int, typer.Argument(metavar="DECISION", help="The decision's number.")],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who appeals.")],
    reason: Reason,
) -> None:
    """Enter an organiser's appeal against a decision (0.5).

    It must arrive within the days that the edition gives.
    """
    from arpad.office.decisions.acts import appeal as enter

    with desk.acting() as office:
        number = enter(office, decision, by=by, reason=reason)
    facts = {"appeal": number, "decision": decision}
    desk.tell(desk.words.text("office.appealed", **facts), "arpad.office-appeal/1", facts)


def settle(
    desk: WriteOptions,
    number: Annotated[int, typer.Argument(metavar="APPEAL", help="The appeal's number.")],
    outcome: Annotated[
        str, typer.Argument(metavar="upheld|rejected", help="If upheld, the decision is revoked.")
    ],
    reason: Reason,
) -> None:
    """Enter the outcome of an appeal. If it is upheld, the decision is revoked."""
    from arpad.office.decisions.acts import settle as enter

    with desk.acting() as office:
        enter(office, number, outcome, reason)
    facts = {"appeal": number, "outcome": outcome}
    desk.tell(desk.words.text("office.settled", appeal=number), "arpad.office-settle/1", facts)
