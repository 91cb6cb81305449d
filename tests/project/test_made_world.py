"""The made world of the benchmarks, small: readable by Arpad, sound, and the same every time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from runpy import run_path

import pytest

from arpad.checks import check_file
from arpad.model.chess import EventKind
from arpad.model.rules import Severity
from arpad.rating.preview import rate
from arpad.regulations.fide.event_kind import meetings
from arpad.reports.formats import read_file
from arpad.reports.formats.lists.fide_list import open_list
from tests.paths import BENCHMARKS


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    make = run_path(str(BENCHMARKS / "world.py"), run_name="world")["make"]
    out = tmp_path_factory.mktemp("world")
    make(out / "one", 0.01, xml=True)
    make(out / "again", 0.01)
    return out


def test_the_same_every_time(made: Path) -> None:
    told = json.loads((made / "one" / "world.json").read_text(encoding="utf-8"))
    assert told == json.loads((made / "again" / "world.json").read_text(encoding="utf-8"))
    assert (told["players"], told["rated"], told["reports"]) == (17_000, 5_000, 40)


def test_the_register_is_read_in_both_layouts(made: Path) -> None:
    with open_list(made / "one" / "register.txt") as rows:
        text = list(rows)
        assert rows.combined
    with open_list(made / "one" / "register.xml") as rows:
        xml = list(rows)
    assert len(text) == len({row.id for row in text}) == 17_000
    assert sum(row.rating is not None for row in text) == 5_000
    same = ("id", "name", "federation", "sex", "title", "women_title", "rating", "games", "k", "born", "flag")
    assert [[getattr(row, name) for name in same] for row in xml] == [
        [getattr(row, name) for name in same] for row in text
    ]


def test_the_reports_are_sound_and_of_every_kind(made: Path) -> None:
    kinds: Counter[EventKind] = Counter()
    letters: Counter[str] = Counter()
    entries = unrated = 0
    with open_list(made / "one" / "register.txt") as rows:
        listed = {str(row.id): row for row in rows}
    for path in sorted((made / "one" / "reports").iterdir()):
        found = read_file(path)
        assert found.findings == (), path.name
        assert [f for f in check_file(found) if f.severity == Severity.ERROR] == [], path.name
        kinds[meetings(found).kind] += 1
        letters.update("".join(cells.results for cells in found.rounds))
        entries += len(found.entrants)
        unrated += sum(entrant.rating is None for entrant in found.entrants)
        for entrant in found.entrants:
            if entrant.id:
                assert (listed[entrant.id].name, listed[entrant.id].rating) == (entrant.name, entrant.rating)
    assert set(kinds) == {EventKind.SWISS, EventKind.ROUND_ROBIN, EventKind.TEAM}
    assert 0.1 < unrated / entries < 0.3
    assert all(letters[letter] for letter in "10=+-UHZ")


def test_the_reports_are_rated_without_an_error(made: Path) -> None:
    for path in sorted((made / "one" / "reports").iterdir()):
        rated = rate(read_file(path))
        assert [f.code for f in rated.findings if f.severity == Severity.ERROR] == [], path.name
        assert sum(player.change is not None for player in rated.players) > 3
