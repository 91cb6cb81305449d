"""``arpad office follower``: the addresses of visitors who follow something by mail."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, WriteOptions
from arpad.cli.typer_groups import Commands
from arpad.model.errors import BadInput

app = Commands(help="List and delete the addresses of visitors who follow something by mail.")


@app.command("list")
def list_(look: ReadOptions) -> None:
    """List the addresses with what each follows."""
    from arpad.office.notices.acts import followers_of

    words = look.words
    with look.opened() as office:
        followers = followers_of(office)
    if look.json:
        documents = [
            {
                "address": follower.address, "language": follower.language, "made": follower.made,
                "follows": [
                    {"kind": it.kind, "target": it.target, "confirmed": it.confirmed or None} for it in follows
                ],
            }
            for follower, follows in followers
        ]  # fmt: skip
        print_json("arpad.office-followers/1", {"followers": documents})
        return
    if not followers:
        sys.stdout.write(words.text("follow.none") + "\n")
        return
    columns = [(words.text(f"follow.{name}"), "left") for name in ("number", "address", "what")]
    unconfirmed = words.text("follow.unconfirmed")
    rows = [
        (
            str(follower.id),
            follower.address,
            ", ".join(
                f"{it.kind} {it.target}" + ("" if it.confirmed else f" ({unconfirmed})") for it in follows
            ),
        )
        for follower, follows in followers
    ]
    console().print(table(columns, rows))


@app.command()
def forget(
    desk: WriteOptions,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The mail address.")],
) -> None:
    """Delete an address, everything it follows and every mail to it."""
    from arpad.office.notices.acts import forget_address

    with desk.acting() as office:
        if not forget_address(office, address):
            raise BadInput("no-follower")
    desk.tell(desk.words.text("follow.forgotten"), "arpad.office-done/1", {"forgotten": True})
