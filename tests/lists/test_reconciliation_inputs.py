"""The entrants of reports are found on FIDE's list."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.lists.reconciled import DatedList, FideEntry
from arpad.lists.reconciliation_inputs import NamedReport, events_of
from arpad.model.rules import ListName
from tests.builders.chess import event

DAY = date(2018, 3, 1)


@pytest.mark.parametrize(("federation", "found"), [("ITA", True), ("", True), ("ST.", True), ("FRA", False)])
def test_the_code_of_a_club_does_not_hide_an_entrant_without_a_number(federation: str, found: bool) -> None:
    made = event("Open", "1 2000 | 2w1\n2 1900 | 1b0", DAY, DAY)
    entrants = tuple(replace(it, id="", federation=federation) for it in made.entrants)
    players = {9000 + n: FideEntry(2000, name=f"Player {n}", federation="ITA") for n in (1, 2)}

    played = events_of(
        [NamedReport("open.trf", replace(made, entrants=entrants))],
        [DatedList(DAY, players)],
        ListName.STANDARD,
    )

    assert (played.unidentified == ()) == found
