"""``arpad rubele``: Elo-Rubele, the draughts ratings, from the group split to the printed board."""

from __future__ import annotations

from arpad.cli.rubele import calculators, events, groups
from arpad.cli.typer_groups import Commands

app = Commands()
app.add(events.event, "event")
app.add(events.board, "board")
app.add(events.promotions, "promotions")
app.add(events.year_end_command, "year-end")
app.add(calculators.change, "change")
app.add(calculators.expected, "expected")
app.add(calculators.convert, "convert")
app.add(groups.groups, "groups")
