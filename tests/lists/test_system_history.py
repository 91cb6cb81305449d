"""``arpad history``: a folder of reports as a chain, killed and taken up again, with a late and a corrected report."""

import json
import shutil
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from arpad.lists.canonical import read_canonical
from arpad.lists.chain import walk
from arpad.lists.system_history import list_days, rate_history
from arpad.lists.system_list import compute_system_list
from arpad.lists.system_units import state_of
from arpad.regulations.system_fields import written
from arpad.regulations.units import Unit
from tests.builders.system_worlds import BEGINS, World, made_world
from tests.builders.trf import player, text
from tests.commands import refusal, run, run_json

LETTER = {0: "0", 1: "=", 2: "1"}
EVERY = 7


def report_of(unit: Unit[Any]) -> bytes:
    """Return a report of an event, with the players' numbers as their IDs."""
    places = {name: number for number, name in enumerate(unit.entrants, start=1)}
    cells = {name: dict.fromkeys(range(1, 8), "0000 - -") for name in unit.entrants}
    for game in unit.games:
        assert game.round is not None
        for side in (game, game.turned()):
            letter = LETTER[int(2 * side.score)]
            cells[side.player][game.round] = f"{places[side.opponent]:>4} w {letter}"
    for game in unit.games:
        assert game.round is not None
        cell = cells[game.opponent][game.round]
        cells[game.opponent][game.round] = cell.replace(" w ", " b ")
    born = next(iter(unit.entrants.values())).facts.get("born", 1996)
    birth = f"{born:%Y/%m/%d}" if isinstance(born, date) else str(born)
    lines = [
        player(place, *cells[name].values(), name=f"Player {name}", federation="IRL", id=name, born=birth)
        for name, place in places.items()
    ]
    head = [f"012 {unit.name}", f"042 {unit.first_day:%Y/%m/%d}", f"052 {unit.last_day:%Y/%m/%d}"]
    return text(*head, *lines)


def write_start(path: Path, world: World, guests: Iterable[Unit[Any]]) -> None:
    """Write the list to start from, with the facts of everybody, and the guests."""
    names = [it.name for it in world.system.fields]
    facts = next(iter(world.units[1].entrants.values())).facts
    lines = [["id", "name", *names, "fixed"]]
    states = {
        str(number): world.system.parse(
            {"fixed": False, **facts_of(world, text), **facts}, "start"
        )
        for number, text in world.start.items()
    }  # fmt: skip
    states |= {name: it for unit in guests for name, it in unit.entrants.items() if it.fixed}
    for name, entrant in states.items():
        values = written(world.system.values(entrant))
        cells = (json.dumps(it) if isinstance(it, list) else it for it in map(values.get, names))
        lines.append([name, f"Player {name}", *("" if it is None else str(it) for it in cells)])
        lines[-1].append("true" if entrant.fixed else "")
    path.write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")


def facts_of(world: World, state: str) -> dict[str, Any]:
    """Return the typed values of a state."""
    read = {it.name: it for it in world.system.fields}
    values = json.loads(state)
    assert state_of(world.system, state)
    return {name: read[name].read(value, name) for name, value in values.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "events" / "first").mkdir(parents=True)
    return tmp_path / "events"


def written_world(name: str, folder: Path) -> World:
    """Write the events of a world as reports, and its list to start from beside the folder."""
    world = made_world(name)
    for number, unit in enumerate(world.units):
        place = folder / "first" if number < 20 else folder
        (place / f"{number:02}.trf").write_bytes(report_of(unit))
    write_start(folder.parent / "start.csv", world, world.units)
    return world


@pytest.mark.parametrize("name", ["dwz", "uschess"])
def test_the_lists_are_those_of_the_chain(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = written_world(name, folder)
    day = BEGINS[name] + timedelta(days=500)
    out = folder.parent / "out"
    common = ["history", str(folder), "--system", name, "--start", str(folder.parent / "start.csv")]
    told = run_json(capsys, *common, "--out", str(out), "--list-day", str(day))
    assert (told["events"], told["rated"]) == (48, 48)
    ours = read_canonical((out / "lists" / f"history-{day}-r1.txt").read_bytes())
    plain = compute_system_list(world.inputs(day)).published
    # who comes into the federation later gets facts from the first report only
    assert {row.player: row.printed for row in ours.rows} == {row.player: row.printed for row in plain.rows}

    onwards = folder.parent / "onwards"
    later = folder.parent / "later"
    shutil.copytree(folder, later)
    for path in later.rglob("*.trf"):
        path.write_bytes(path.read_bytes().replace(b"042 20", b"042 21").replace(b"052 20", b"052 21"))
    common[1], common[5] = str(later), str(out / "states.csv")
    told = run_json(capsys, *common, "--out", str(onwards), "--months", "1")
    assert told["rated"] == 48, "the states after a history are a list to start from"
    assert len(told["lists"]) > 20


class Killed(Exception):
    """The machine stops."""


def test_a_history_goes_on_after_it_was_killed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written_world("icu", folder)
    monkeypatch.setattr(rate_history, "__kwdefaults__", {"every": EVERY})
    start, out, whole = folder.parent / "start.csv", folder.parent / "out", folder.parent / "whole"
    common = ["history", str(folder), "--system", "icu", "--start", str(start), "--months", "3", "--out"]
    first = run_json(capsys, *common, str(whole))
    assert first["rated"] == 48

    real = walk

    def walk_a_little(*given: Any, **named: Any) -> Iterator[Any]:
        for number, step in enumerate(real(*given, **named)):
            if number == 30:
                raise Killed
            yield step

    monkeypatch.setattr("arpad.lists.system_history.walk", walk_a_little)
    assert run(capsys, *common, str(out))[0] == 2
    monkeypatch.setattr("arpad.lists.system_history.walk", real)
    again = run_json(capsys, *common, str(out))
    assert again["rated"] == 48 - 28
    assert again["lists"] == first["lists"]
    assert again["findings"] == first["findings"]
    assert contents(out) == contents(whole)

    last = folder / "47.trf"
    late = last.read_bytes().replace(b"012 Event 47", b"012 Late").replace(b"  w 1", b"  w =")
    late = late.replace(b" w 1", b" w =").replace(b" b 0", b" b =")
    late = late.replace(b" w 0", b" w =").replace(b" b 1", b" b =")
    (folder / "late.trf").write_bytes(late)
    told = run_json(capsys, *common, str(out))
    assert (told["events"], told["rated"]) == (49, 49 - 42)
    shutil.rmtree(whole)
    run_json(capsys, *common, str(whole))
    assert contents(out) == contents(whole)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "lists").iterdir()} | {
        "states": (folder / "states.csv").read_bytes()
    }


def test_periods_end_on_the_days_of_the_lists(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written_world("glicko2", folder)
    facts, out = folder.parent / "facts.json", folder.parent / "out"
    facts.write_text('{"tau": "0.3"}', encoding="utf-8")
    common = ["history", str(folder), "--system", "glicko2", "--start", str(folder.parent / "start.csv")]
    status, told, _ = run(
        capsys, *common, "--months", "6", "--facts", str(facts), "--out", str(out), "--lang", "en"
    )
    assert status == 0
    assert "5 events" in told, "its periods"
    assert "±" in next((out / "lists").glob("*.csv")).read_text(encoding="utf-8")


def test_what_cannot_be_rated_is_said_in_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(folder.parent / "out")
    common = ["history", str(folder), "--out", out, "--lang", "en", "--system"]
    assert "contains no file" in refusal(capsys, *common, "icu")
    (folder / "a.trf").write_bytes(report_of(made_world("icu").units[0]))
    assert "accepted are dwz, fide, glicko2, icu, rubele, uschess" in refusal(capsys, *common, "ingo")
    assert "needs list days" in refusal(capsys, *common, "glicko2")
    (folder / "b.trf").write_bytes(b"012 No day\n")
    status, told, said = run(capsys, *common, "icu")
    assert (status, told) == (2, "")
    assert said.splitlines()[-1].startswith("arpad: 1 of 2 files cannot be read as reports")
    assert "b.trf" in said.splitlines()[0]


def test_list_days_are_of_the_calendar() -> None:
    first = BEGINS["icu"]
    days = list_days([first, first + timedelta(days=400)], 4)
    assert [str(day) for day in days] == ["2012-05-01", "2012-09-01", "2013-01-01"]
