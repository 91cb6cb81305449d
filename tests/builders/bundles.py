"""The bundle of a small list, without an office."""

from datetime import date
from pathlib import Path

from arpad.lists.compute import compute_list
from arpad.lists.inputs import EventInput, Inputs
from arpad.model.chess import PlayerState
from arpad.model.json_values import from_state
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.publishing.bundle import bundle_bytes
from arpad.reports.formats import write_report
from tests.builders.chess import event
from tests.builders.offices import WIN

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
BASE = "ab" * 32
RATINGS = {1: 2000, 2: 1900}


def written_bundle(folder: Path) -> Path:
    """Write the bundle of a list with one event of one game: 2000 beats 1900."""
    data, _ = write_report(event("Match", WIN, date(2018, 1, 10)), "trf16")
    inputs = Inputs(
        ListName.STANDARD, FEB, JAN, 2, 1, BASE, "", "fide-2017",
        {player: from_state(PlayerState(player, rating, 40, rating)) for player, rating in RATINGS.items()},
        lists={BASE: RATINGS},
        in_force={date(2018, 1, 10): BASE},
        events=(EventInput("1", "match.trf", data, (1, 2)),),
        people={player: Person(player, f"Player {player}", "ITA") for player in RATINGS},
    )  # fmt: skip
    result = compute_list(inputs)
    assert result.ratings == {1: 2007, 2: 1893}
    path = folder / "list.bundle.zip"
    path.write_bytes(bundle_bytes(inputs, result))
    return path
