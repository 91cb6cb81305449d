"""How ``arpad office live show`` prints a live list."""

from datetime import datetime

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.live.acts import LiveList, live_list

SHOWN = 20


def _show(found: LiveList, words: Words) -> None:
    at = words.moment(datetime.fromisoformat(found.computed)) + " UTC"
    day = datetime.fromisoformat(found.day).date()
    console().print(words.text("live.head", list=found.list, day=day, at=at))
    if not found.rows:
        console().print(words.text("live.nobody"))
        return
    names = ("player", "official", "now", "change", "games", "events")
    lines = [
        (
            f"{row.id} {row.name}", _figure(row.official), _figure(row.rating),
            "–" if row.change is None else words.number(row.change, signed=True), str(row.games), str(row.events),
        )
        for row in found.rows[:SHOWN]
    ]  # fmt: skip
    columns = [(words.text(f"live.{name}"), "left" if name == "player" else "right") for name in names]
    console().print(table(columns, lines))
    if found.total > SHOWN:
        console().print(words.text("bulk.and-more", more=found.total - SHOWN))


def _figure(rating: int | None) -> str:
    return "–" if rating is None else str(rating)


COMMANDS = {"live show": command_of(live_list, _show)}
