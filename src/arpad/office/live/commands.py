"""``arpad office live``: the live lists."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, list_named, print_json, table
from arpad.cli.office.options import Now, ReadOptions

if TYPE_CHECKING:
    from arpad.model.rules import ListName
    from arpad.office.live.rows import LiveRow, LiveState
    from arpad.office.office import Office

SHOWN = 20


def live(
    look: ReadOptions,
    list_: Annotated[
        str, typer.Argument(metavar="LIST", help="A list; without it, all lists that are published.")
    ] = "",
    *,
    update: Annotated[
        bool, typer.Option("--update", help="Compute what changed since the last computation.")
    ] = False,
    received: Annotated[
        bool, typer.Option("--received", help="With the reports that are not accepted yet.")
    ] = False,
    now: Now = None,
) -> None:
    """Show the live lists: what would be published now, for the players who moved. Not official.

    A worker keeps them if the setting live_lists is public. --update computes them here and now.

    Example: arpad office live standard --update --db office.db
    """
    from arpad.office.live.acts import update_live
    from arpad.office.live.rows import ACCEPTED, RECEIVED, moved_rows, read_reports, read_state

    layer = RECEIVED if received else ACCEPTED
    documents: list[dict[str, Any]] = []
    with look.opened(now=now) as office:
        for on_list in [list_named(list_, "LIST")] if list_ else _published(office):
            if update:
                update_live(office, on_list)
            with office.store.reading() as connection:
                state = read_state(connection, on_list, layer)
                rows = moved_rows(connection, on_list, layer)
                reports = len(read_reports(connection, on_list, layer))
            if look.json:
                documents.append(_document(on_list, state, rows, reports))
            else:
                _print(look, on_list, state, rows)
    if look.json:
        print_json("arpad.office-live/1", {"lists": documents})


def _published(office: Office) -> list[ListName]:
    """Return the lists that are published."""
    from arpad.office.lists.in_force import publications

    return sorted({publication.list for publication in publications(office)})


def _document(
    on_list: ListName, state: LiveState | None, rows: list[LiveRow], reports: int
) -> dict[str, Any]:
    """Return a live list for JSON."""
    if state is None:
        return {"list": str(on_list), "computed": None}
    return {
        "list": str(on_list),
        "official": False,
        "date": str(state.day),
        "computed": state.at,
        "act": state.act,
        "reports": reports,
        "players": [
            {
                "player": row.player, "name": row.values.get("name", ""), "official": row.before, "rating": row.rating,
                "change": row.change, "games": row.games, "events": row.events,
            }
            for row in rows
        ],
    }  # fmt: skip


def _print(look: ReadOptions, on_list: ListName, state: LiveState | None, rows: list[LiveRow]) -> None:
    words = look.words
    if state is None:
        console().print(words.text("live.none", list=str(on_list)))
        return
    at = words.moment(datetime.fromisoformat(state.at)) + " UTC"
    console().print(words.text("live.head", list=str(on_list), day=state.day, at=at))
    if not rows:
        console().print(words.text("live.nobody"))
        return
    names = ("player", "official", "now", "change", "games", "events")
    lines = [
        (
            f"{row.player} {row.values.get('name', '')}", _figure(row.before), _figure(row.rating),
            "–" if row.change is None else words.number(row.change, signed=True), str(row.games), str(row.events),
        )
        for row in rows[:SHOWN]
    ]  # fmt: skip
    columns = [(words.text(f"live.{name}"), "left" if name == "player" else "right") for name in names]
    console().print(table(columns, lines))
    if len(rows) > SHOWN:
        console().print(words.text("bulk.and-more", more=len(rows) - SHOWN))


def _figure(rating: int | None) -> str:
    return "–" if rating is None else str(rating)
