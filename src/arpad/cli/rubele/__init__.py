"""``arpad rubele``: Elo-Rubele, the draughts ratings, from the group split to the printed board."""

from arpad.cli.calculations import command_of
from arpad.cli.rubele import calculators, events, groups
from arpad.cli.typer_groups import Commands
from arpad.explain.draughts_documents import CAPITAL, CONVERSION, POINTS

app = Commands()
app.add(events.event, "event")
app.add(events.board, "board")
app.add(events.promotions, "promotions")
app.add(events.year_end_command, "year-end")
app.add(command_of(CAPITAL, calculators.print_change), "change")
app.add(command_of(POINTS, calculators.print_expected), "expected")
app.add(command_of(CONVERSION, calculators.print_debut), "convert")
app.add(groups.groups, "groups")
