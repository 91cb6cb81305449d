"""``arpad office``: likely duplicates in the register, and pairs of players who are two people."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Reason, WriteOptions
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_within

MOST = 1000


def duplicates(
    look: ReadOptions,
    most: Annotated[int, typer.Option("--most", help="At most this many pairs.")] = 50,
) -> None:
    """Show players of the register who are likely the same person.

    `merge` makes one of two; `two-people` says that they are two.
    """
    from arpad.model.people import birth_year
    from arpad.office.register.documents import person_document
    from arpad.office.who_is_who.duplicates import likely_duplicates

    words = look.words
    check_within(most, "most", 1, MOST)
    with look.opened() as office:
        pairs = likely_duplicates(office, most)
    if look.json:
        documents = [
            {
                "keep": person_document(pair.player), "drop": person_document(pair.other), "score": pair.score,
                "reasons": list(pair.reasons),
            }
            for pair in pairs
        ]  # fmt: skip
        print_json("arpad.office-duplicates/1", {"duplicates": documents})
        return
    names = ("player", "candidate", "score", "reasons")
    columns = [(words.text(f"column.{name}"), "right" if name == "score" else "left") for name in names]
    rows = [
        (
            *(
                f"{person.id} {person.name}, {person.federation} {birth_year(person.born) or ''}".rstrip(", ")
                for person in (pair.player, pair.other)
            ),
            str(pair.score),
            ", ".join(words.text(f"match-reason.{reason}") for reason in pair.reasons),
        )
        for pair in pairs
    ]
    console().print(table(columns, rows) if rows else words.text("office.no-duplicates"))


def two_people(
    desk: WriteOptions,
    player: Annotated[int | None, typer.Argument(metavar="[PLAYER]", help="A player's number.")] = None,
    other: Annotated[int | None, typer.Argument(metavar="[OTHER]", help="The other's number.")] = None,
    reason: Reason = "",
    revoke: Annotated[
        int | None, typer.Option("--revoke", metavar="DECISION", help="Revoke this decision.")
    ] = None,
) -> None:
    """Say that two players with similar names are two people, or revoke it."""
    from arpad.office.who_is_who.duplicates import declare_distinct, revoke_distinct_pair

    if (revoke is None) == (player is None or other is None):
        raise BadInput("two-people-or-revoke")
    with desk.acting() as office:
        if revoke is not None:
            revoke_distinct_pair(office, revoke, reason=reason)
            sentence = desk.words.text("office.distinct-revoked", pair=revoke)
            desk.tell(sentence, "arpad.office-done/1", {"pair": revoke})
        elif player is not None and other is not None:
            pair = declare_distinct(office, player, other, reason=reason)
            sentence = desk.words.text("office.distinct", player=player, other=other, pair=pair)
            desk.tell(sentence, "arpad.office-done/1", {"pair": pair})
