"""The public names of the library, and one name for one thing: JSON of a command, columns of a table, attributes."""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tools import library_page
from typer.main import get_command

import arpad
from arpad import library
from arpad.cli.program import build
from arpad.library.tables import Rows
from arpad.web.app import create
from tests.commands import run, run_json
from tests.library.same_names import differences

LINES, COLUMNS = 24, 80
"""A small terminal."""

OURS = ("Check", "Explanation", "Norms", "Rating", "RatingList", "Report")
"""The classes that only the library has; the others are values of the parts of Arpad."""


def test_every_exported_name_exists_once() -> None:
    assert arpad.__all__ == library.__all__ == sorted(arpad.__all__)
    assert all(hasattr(arpad, name) for name in arpad.__all__)
    with pytest.raises(AttributeError, match="report_norms"):
        _ = arpad.report_norms


def test_tab_offers_exactly_the_public_names() -> None:
    assert dir(arpad) == sorted([*arpad.__all__, "__version__"])


def test_loading_the_package_loads_only_its_version() -> None:
    program = "import sys, arpad; print(*[name for name in sys.modules if name.startswith('arpad.')])"
    run = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["arpad.model", "arpad.model.errors", "arpad.model.version"]


def test_an_error_is_a_sentence_although_the_library_is_not_loaded() -> None:
    program = (
        "from arpad.model.errors import BadInput; print(BadInput('bad-receipt')); print(BadInput('x', a=1)); "
        "import sys; print('arpad.library' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert run.stdout.splitlines() == [
        "this is not a receipt of Arpad, or it was damaged",
        "x {'a': 1}",
        "False",
    ]


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """One object of each class that only the library has."""
    report = arpad.read(arpad.example("open.trf"))
    ratings = tmp_path_factory.mktemp("list") / "list.csv"
    ratings.write_text("id,name,federation,rating\n12,Rossi Anna,ITA,2001\n", encoding="utf-8")
    rating = report.rate()
    return [report, rating, rating.explain(8), report.check(), report.norms(), arpad.read_list(ratings)]


def test_the_first_screen_of_a_class_names_all_that_it_has(ours: list[object]) -> None:
    assert sorted(type(item).__name__ for item in ours) == sorted(OURS)
    for item in ours:
        text = type(item).__doc__ or ""
        members = {member for member in dir(item) if not member.startswith("_")} - {"COLUMNS"}

        assert {member for member in members if not re.search(rf"\b{member}\b", text)} == set(), type(item)
        assert isinstance(item, arpad.Report) or "to_polars" in text


def test_the_public_names_have_the_signatures_that_were_recorded() -> None:
    assert library_page.RECORD.read_text(encoding="utf-8") == library_page.signatures(), (
        "a public name changed: see docs/project/versions.md, then `python -m tools.library_page`"
    )


def test_the_page_names_every_public_name_once() -> None:
    headings = re.findall(r"^### (.+)$", library_page.page(), flags=re.MULTILINE)
    assert sorted(headings) == sorted(arpad.__all__)


OPEN = arpad.example("open.trf")
NORM_GAMES = [f"{number}:1:GM:2500:{'FRA' if number < 4 else 'ESP'}" for number in range(1, 9)]

QUESTIONS: Mapping[str, tuple[str, Callable[[], object]]] = {
    "change": (
        "change --rating 1850 --game 1900:1 --game 2700:0.5:1860:Open --games 12 --born 2005 --date 2018-01-01",
        lambda: arpad.rating_change(
            1850, [(1900, 1), (2700, "0.5", 1860, "Open")], games=12, born=2005, date=date(2018, 1, 1)
        ),
    ),
    "change without a game that counts": (
        "change --rating 1850 --game 2700:0 --k 20 --edition fide-2026",
        lambda: arpad.rating_change(1850, [(2700, 0)], k=20, edition="fide-2026"),
    ),
    "initial": (
        "initial --event 2220,2220,2221:1 --event 2150,2150,2150,2150,2150:3 --edition fide-2009",
        lambda: arpad.entry_rating([([2220, 2220, 2221], 1), ([2150] * 5, 3)], edition="fide-2009"),
    ),
    "initial of a day": (
        "initial --event 2220,2220:1@2019-05-01 --affiliated --list rapid",
        lambda: arpad.entry_rating([([2220, 2220], 1, date(2019, 5, 1))], affiliated=True, list="rapid"),
    ),
    "round-robin": (
        "round-robin --player 2000:2 --player 1900:2:10:Rossi --player 1850:1.5 --player -:0.5 --counted-before 4",
        lambda: arpad.rate_round_robin(
            [(2000, 2), (1900, "2", 10, "Rossi"), (1850, 1.5), (None, 0.5)], counted_before=[4]
        ),
    ),
    "k": (
        "k --rating 2350 --games 40 --peak 2410 --born 2001-05-05 --on 2017-09-01",
        lambda: arpad.coefficient(2350, 40, peak=2410, born=date(2001, 5, 5), on=date(2017, 9, 1)),
    ),
    "performance": (
        "performance 2400 2350 2301 --score 2",
        lambda: arpad.performance_rating([2400, 2350, 2301], 2),
    ),
    "expected": (
        "expected 1850 2700 --edition fide-2017",
        lambda: arpad.expected_score(1850, 2700, edition="fide-2017"),
    ),
    "norm": (
        "norm --title GM --federation ITA --rounds 9 " + " ".join(f"--game {game}" for game in NORM_GAMES),
        lambda: arpad.find_norm("GM", NORM_GAMES, federation="ITA", rounds=9),
    ),
}
"""What is asked → the words after ``arpad calc``, and the same question to the library."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_calculator_has_the_names_and_values_of_its_json(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, ask = QUESTIONS[name]
    status, out, _ = run(capsys, "calc", *words.split(), "--lang", "en", "--json")

    assert status == (name == "round-robin"), "its composition is an error, which is a finding"
    assert differences(json.loads(out), ask()) == []


EVENTS: Mapping[str, dict[str, Any]] = {
    "icu": {
        "edition": "icu-2013",
        "players": {"1": {"rating": 1852, "k": 24}, "2": {"rating": 1900, "fixed": True}, "3": {}, "4": {}},
        "games": [["1", "2", 0.5, 1], ["3", "1", 1, 2]],
    },
    "glicko2": {
        "players": {"a": {"rating": 1500, "rd": 200}, "b": {}},
        "periods": [[["a", "b", 1]], []],
        "facts": {"tau": "0.6"},
    },
}


@pytest.mark.parametrize("system", EVENTS)
def test_an_event_has_the_names_and_values_of_its_json(
    system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENTS[system]), encoding="utf-8")
    document = run_json(capsys, "calc", "event", str(file), "--system", system, "--lang", "en")

    assert document["schema"] == "arpad.calc-event/1"
    assert differences(document, arpad.rate_event(EVENTS[system], system=system)) == []
    assert arpad.rate_event(file, system=system) == arpad.rate_event(EVENTS[system], system=system)


def test_a_rated_report_has_the_names_and_values_of_its_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "rate", str(OPEN), "--lang", "en")

    assert differences(document, arpad.read(OPEN).rate()) == []


def test_an_explanation_has_the_names_and_values_of_its_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "explain", str(OPEN), "8", "--lang", "en")
    explanation = arpad.read(OPEN).explain(8)

    assert differences({name: document[name] for name in ("player", "steps")}, explanation) == []


def test_the_norms_of_a_report_have_the_names_and_values_of_their_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--title", "IM", "--rounds", "11")
    document = run_json(capsys, "norms", str(OPEN), *options, "--lang", "it")
    norms = arpad.read(OPEN).norms(title="IM", rounds=11, lang="it")

    assert any(norm["outlook"] for player in document["players"] for norm in player["norms"])
    document["findings"] = []  # their sentences are Italian here; `arpad.sentence` has them in any language
    assert [item for item in differences(document, norms) if not item.startswith("findings has")] == []


def test_every_column_of_a_table_is_an_attribute_of_the_object() -> None:
    report = arpad.read(OPEN)
    rating, norms = report.rate(), report.norms(title=["IM"])
    pairs: list[tuple[Rows, list[object]]] = [
        (rating, [*rating.players]),
        (rating.explain(8), [*rating.explain(8).player.games]),
        (norms, [norm for player in norms.players for norm in player.norms]),
    ]
    for table, objects in pairs:
        of_player = {"number", "id", "name"} if table is norms else set()
        for row, item in zip(table.rows(), objects, strict=True):
            assert list(row) == list(table.COLUMNS)
            assert {name: getattr(item, name) for name in row.keys() - of_player} == {
                name: value for name, value in row.items() if name not in of_player
            }


def test_results_can_be_compared_and_sorted() -> None:
    players = [player for player in arpad.read(OPEN).rate().players if player.change is not None]

    best = max(players, key=lambda player: player.change or 0)
    assert (best.name, best.rating, best.new_rating) == ("Quaglia, Teodoro", 1953, 2000)
    assert arpad.read(OPEN).rate().players == arpad.read(OPEN).rate().players


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "change": arpad.rating_change,
    "initial": arpad.entry_rating,
    "round-robin": arpad.rate_round_robin,
    "k": arpad.coefficient,
    "performance": arpad.performance_rating,
    "expected": arpad.expected_score,
    "norm": arpad.find_norm,
}
"""Name of a calculator on the command line and in the API → its function in the library."""

TWICE = {"own", "other"}
"""Arguments of ``calc expected`` that are the options ``--rating`` and ``--opponent``."""


@pytest.fixture(scope="module")
def addresses() -> dict[str, Any]:
    return create(None).openapi_schema.to_schema()["paths"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_calculator_has_the_same_parameters_everywhere(name: str, addresses: dict[str, Any]) -> None:
    program: Any = get_command(build(["calc", name]))
    command = program.commands["calc"].commands[name]
    options = {str(parameter.name).rstrip("_") for parameter in command.params} - {"json", "help"} - TWICE
    address = addresses[f"/api/v1/calc/{name}"]["get"]
    in_api = {parameter["name"] for parameter in address["parameters"]}
    in_library = set(inspect.signature(FUNCTIONS[name]).parameters)

    assert in_api == options
    assert in_library | {"lang"} == options
