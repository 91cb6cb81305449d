"""``arpad office``: an appeal against a decision, and its outcome (0.5)."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.face import Json, Lang, reader
from arpad.cli.office_desk import Author, Db, Now, Reason, opened, tell


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    for command in (appeal, settle):
        app.command()(command)


def appeal(
    decision: Annotated[int, typer.Argument(metavar="DECISION", help="The decision's number.")],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who appeals.")],
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Enter an organiser's appeal against a decision, within the days the edition gives (0.5)."""
    from arpad.office import appeal as enter

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        number = enter(office, decision, by=by, reason=reason)
    told = {"appeal": number, "decision": decision}
    tell(
        say.text("office.appealed", appeal=number, decision=decision),
        "arpad.office-appeal/1",
        told,
        json=json,
    )


def settle(
    number: Annotated[int, typer.Argument(metavar="APPEAL", help="The appeal's number.")],
    outcome: Annotated[str, typer.Argument(metavar="upheld|rejected", help="Upheld: the decision falls.")],
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Enter the outcome of an appeal: upheld, the decision falls; rejected, it stands."""
    from arpad.office import settle as enter

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        enter(office, number, outcome, reason)
    told = {"appeal": number, "outcome": outcome}
    tell(say.text("office.settled", appeal=number), "arpad.office-settle/1", told, json=json)
