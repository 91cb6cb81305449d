"""The commands and the page: what other programs rely on, one sentence for bad input, nothing loaded from elsewhere."""

import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arpad.explain.charts import Bar, bars, ticks
from arpad.explain.words import LANGUAGES, load_words
from arpad.regulations.editions import EditionByDay
from arpad.studies.commands.output import tell
from arpad.studies.conclusions import measured, of_drift, sentence
from arpad.studies.drift import GroupDrift
from arpad.studies.figures import Figures
from arpad.studies.history import HistoryPlayer
from arpad.studies.report import MonitorReport
from arpad.studies.report_page import page
from arpad.studies.signals import Signal
from arpad.studies.simulate import Plan, SimulatedWorld, play
from arpad.studies.statistics import Interval
from tests.builders.planted_worlds import world
from tests.commands import refusal, run, run_json
from tests.paths import MESSAGES
from tests.thinning import one_in

MADE = ("--simulated", "7", "--edition", "fide-2017")


WORLDS: dict[tuple[str, str], SimulatedWorld] = {}


def play_once(plan: Plan, editions: EditionByDay, **_: object) -> SimulatedWorld:
    key = (repr(plan), repr(editions))
    if key not in WORLDS:
        WORLDS[key] = play(plan, editions)
    return WORLDS[key]


@pytest.fixture(autouse=True)
def simulated_worlds_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands share their simulated worlds, since playing one takes longer than most of the questions."""
    monkeypatch.setattr("arpad.studies.simulate.play", play_once)


def test_the_ledger_as_json_balances(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "monitor", "points", *MADE)
    assert document["schema"] == "arpad.monitor-points/1"
    assert len(document["periods"]) == 12
    for period in document["periods"]:
        assert period["unexplained"] == 0
        assert (
            sum(map(Fraction, period["causes"].values()))
            == period["change"]
            == period["after"] - period["before"]
        )


@pytest.mark.parametrize(
    ("verb", "fields"),
    one_in(
        2,
        [
            ("drift", {"lists", "cohort", "groups", "settling"}),
            ("calibration", {"games", "bins", "scores"}),
            ("islands", {"crossing", "pools", "between", "communities"}),
            ("integrity", {"signals"}),
        ],
    ),
)
def test_every_question_as_json_and_in_both_languages(
    capsys: pytest.CaptureFixture[str], verb: str, fields: set[str]
) -> None:
    document = run_json(capsys, "monitor", verb, *MADE)
    assert document["schema"] == f"arpad.monitor-{verb}/1"
    assert fields <= document.keys()
    assert all(one["text"] for one in document["conclusions"])
    said = {language: run(capsys, "monitor", verb, *MADE, "--lang", language)[1] for language in LANGUAGES}
    assert said["it"] != said["en"]


def test_a_world_written_can_be_watched(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "world")
    plan = ("--players", "50", "--years", "1", "--seed", "3", "--edition", "fide-2017")
    document = run_json(capsys, "simulate", *plan, "--out", folder)
    assert (document["schema"], document["plan"]["seed"], len(document["distances"])) == (
        "arpad.simulate/1",
        3,
        13,
    )
    ledger = run_json(capsys, "monitor", "points", folder, "--edition", "fide-2017")
    assert {period["unexplained"] for period in ledger["periods"]} == {0}
    compared = run_json(capsys, "whatif", folder, "--edition", "fide-2017", "--set", "k_usual=10")
    assert (compared["schema"], compared["base"]) == ("arpad.whatif/1", "fide-2017")
    assert compared["moved"] > 0


def test_several_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "simulate --players 30 --years 1 --seeds 2 --edition fide-2017")
    assert [one["seed"] for one in document["worlds"]] == [1, 2]
    over_all = document["over_all"]
    assert over_all["error"] > 0
    for name, interval in over_all["intervals"].items():
        assert interval["low"] < interval["value"] < interval["high"]
        assert interval["value"] == over_all[name]


def test_a_rule_is_tried_on_several_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    tried = ("whatif", "--simulated", "7", "--seeds", "3", "--edition", "fide-2017", "--set", "k_usual=10")
    document = run_json(capsys, *tried)
    assert (document["schema"], document["seeds"]) == ("arpad.whatif-worlds/1", [7, 8, 9])
    alone = [
        run_json(capsys, "whatif", "--simulated", str(seed), *tried[5:])["would"]["average"]
        for seed in document["seeds"]
    ]
    average = document["figures"]["average"]
    assert average["would"] == pytest.approx(sum(alone) / 3)
    assert average["change"]["value"] == pytest.approx(average["would"] - average["was"], abs=1e-5)
    assert average["change"]["low"] < average["change"]["value"] < average["change"]["high"]
    said = run(capsys, *tried, "--lang", "en")[1]
    assert "Over 3 worlds the average rating would move by" in said
    assert "95 % interval" in said


def test_editions_show_prints_the_names_that_a_trial_takes(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "editions", "show", "fide-2017", "--lang", "en")[1]
    for name in ("k_new_games", "floor", "cap_rule"):
        assert re.search(rf"\b{name}\b", shown), name


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "--players", "40", "--years", "1", "--edition", "fide-2017"),
        ("simulate", "--players", "30", "--years", "1", "--seeds", "2", "--edition", "fide-2017"),
        ("whatif", *MADE, "--set", "k_usual=10"),
    ],
)
@pytest.mark.parametrize("language", one_in(3, LANGUAGES))
def test_the_page_of_a_trial_loads_nothing_from_elsewhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...], language: str
) -> None:
    out = tmp_path / "page.html"
    assert run(capsys, *command, "--page", str(out), "--lang", language)[0] == 0
    text = out.read_text(encoding="utf-8")
    assert f"<html lang='{language}'>" in text
    assert not re.search(r"<script|<link|src=|href=|url\(|@import", text)
    for plot in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        ET.fromstring(plot)  # noqa: S314  our own
    assert "<svg" in text
    assert "class='told'" in text


def test_a_made_world_asks_no_office(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The variable of an office may be set for other commands."""
    monkeypatch.setenv("ARPAD_DB", "nowhere/office.db")
    told = refusal(capsys, "whatif", "--simulated", "7", "--set", "floor=low", "--lang", "en")
    assert "floor cannot be low" in told


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("monitor", "points"), "HISTORY"),
        (("monitor", "drift", "nowhere"), "nowhere"),
        (("monitor", "lists"), "--db"),
        (("monitor", "keep"), "--db"),
        (("monitor", "calibration", "--simulated", "7", "--list", "italiana"), "--list"),
        (("monitor", "drift", "--simulated", "x"), "--simulated"),
        (("simulate", "--players", "3"), "--players"),
        (("simulate", "--begins", "soon"), "--begins"),
        (("simulate", "--players", "20", "--years", "1", "--out", "/dev/null/world"), "/dev/null/world"),
        (("monitor", "points", "/dev/null"), "/dev/null"),
        (("whatif", "--simulated", "7"), "--set"),
        (("whatif", "nowhere", "--seeds", "2", "--set", "floor=1400"), "--simulated"),
        (
            ("whatif", "--simulated", "7", "--edition", "fide-2017", "--set", "flor=1"),
            "--set: there is no rule flor; perhaps floor?",
        ),
        (
            ("whatif", "--simulated", "7", "--set", "floor=low"),
            "--set: floor cannot be low; accepted: 0, 1, 2, …",
        ),
        (("monitor", "report", "--simulated", "7", "--out", "nowhere/page.html"), "nowhere/page.html"),
    ],
)
def test_bad_input_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], part: str
) -> None:
    monkeypatch.delenv("ARPAD_DB", raising=False)
    assert part in refusal(capsys, *arguments)


def test_the_json_document_has_the_path_of_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "page.html"
    found = run_json(capsys, "monitor", "report", *MADE, "--out", str(out))
    assert found == {"schema": "arpad.monitor-report/1", "list": "standard", "page": str(out)}
    assert out.read_text().startswith("<!doctype html>")


def test_without_the_extra_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arpad.system.extras.find_spec", lambda _: None)
    assert "arpad[studies]" in refusal(capsys, "monitor", "drift", *MADE, "--lang", "en")


# ---------------------------------------------------------------------------------------------------- the page


@pytest.fixture(scope="module")
def examined() -> MonitorReport:
    played = world(1)
    return MonitorReport("standard", played.history.people, played.history, played.periods)


def with_answers(report: MonitorReport, **answers: object) -> MonitorReport:
    """The same report with some answers as if they had been found."""
    planted = replace(report)
    vars(planted).update(answers)
    return planted


@pytest.mark.parametrize("language", one_in(3, LANGUAGES))
def test_the_page_loads_nothing_from_elsewhere(examined: MonitorReport, language: str) -> None:
    text = page(examined, load_words(language))
    assert f"<html lang='{language}'>" in text
    assert text.count("<svg") >= 5
    assert not re.search(r"<script|<link|src=|href=|url\(|@import", text)
    for plot in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        ET.fromstring(plot)  # noqa: S314  our own
    assert "nan" not in text


def test_the_public_page_names_nobody(examined: MonitorReport) -> None:
    text = page(examined, load_words("en"), public=True)
    assert load_words("en").text("monitor.integrity") not in text
    assert load_words("en").text("monitor.drift") in text
    assert not any(person.name in text for person in examined.people.values())


def test_a_name_cannot_break_the_page(examined: MonitorReport) -> None:
    people = {**examined.people, 1: HistoryPlayer(1, "<script>alert(1)</script>")}
    signal = Signal("repeated-matches", (1, 1002), "", {"times": 3})
    planted = with_answers(replace(examined, people=people), signals=(signal,))
    text = page(planted, load_words("en"))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_a_label_is_above_its_bar() -> None:
    plot = bars("t", [Bar("gaps above 400 that count for one side only", 3.0, "+3"), Bar("K", -1.0, "-1")])
    drawn = ET.fromstring(plot)  # noqa: S314  our own
    labels = [one for one in drawn.iter("text") if one.get("text-anchor") == "start"]
    boxes = list(drawn.iter("rect"))
    assert [one.get("x") for one in labels] == ["0", "0"]
    assert all(
        float(label.get("y", "0")) < float(box.get("y", "0"))
        for label, box in zip(labels, boxes, strict=True)
    )
    ends = [(float(box.get("x", "0")), float(box.get("width", "0"))) for box in boxes]
    assert ends[0][1] == pytest.approx(3 * ends[1][1], abs=0.2)
    assert ends[1][0] + ends[1][1] == pytest.approx(ends[0][0], abs=0.1), "both begin at zero"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_has_a_name_for_people(language: str) -> None:
    folder = MESSAGES / language
    said = tomllib.loads((folder / "monitor.toml").read_text(encoding="utf-8"))
    assert said["screen-name"].keys() == said["screen"].keys()
    assert not [name for name, words_ in said["screen-name"].items() if name == words_]


def test_signals_are_shown_without_codes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    signal = Signal("repeated-matches", (1001, 1002), "", {"times": 3})
    monkeypatch.setattr("arpad.studies.report.integrity", lambda *_: (signal,))
    for language, name in (("it", "match ripetuti"), ("en", "repeated matches")):
        told = run(capsys, "monitor", "integrity", *MADE, "--lang", language)[1]
        assert name in told
        assert "repeated-matches" not in told


WOMEN = GroupDrift("sex", "w", 21, 1800.0, 1820.0, Interval(20.0, 12.5, 27.5), 0.00001, 0.00002)


@pytest.mark.parametrize(
    ("language", "women", "certain", "between"),
    [("it", "donne", "<0,0001", "da +12,5 a +27,5"), ("en", "women", "<0.0001", "+12.5 to +27.5")],
)
def test_groups_are_shown_in_words(
    examined: MonitorReport, language: str, women: str, certain: str, between: str
) -> None:
    planted = with_answers(examined, drift=replace(examined.drift, groups=(WOMEN,)))
    text = unescape(page(planted, load_words(language))).replace("\N{NO-BREAK SPACE}", " ")
    assert f"<td class='nowrap'>{women}</td>" in text
    assert ">w</td>" not in text
    assert (certain in text, between in text) == (True, True)
    told = sentence(of_drift(planted.drift)[-1], load_words(language))
    assert women in told


def test_the_terminal_shows_days_and_lists_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "monitor", "points", *MADE, "--lang", "it")[1]
    assert "1° febbraio 2018" in told
    assert "2018-02-01" not in told
    told = run(capsys, "monitor", "drift", *MADE, "--lang", "it")[1]
    assert "fascia d'età" in told
    assert "18–44" in told


def test_zero_has_no_sign() -> None:
    words = load_words("it")
    assert [measured(words, value, 1, signed=True) for value in (0.0, 0.04, -0.04, 0.05, -2.0)] == [
        "0,0", "0,0", "0,0", "+0,1", "-2,0",
    ]  # fmt: skip


def test_a_table_without_rows_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tables = [Figures(("group", "players"), []), Figures(("k", "noise"), [("20", "31.2")])]
    tell("Noise", tables, [], load_words("en"))
    told = capsys.readouterr().out
    assert ("group" in told, "31.2" in told) == (False, True)


def test_a_cut_into_one_has_no_column_of_bands(examined: MonitorReport) -> None:
    white = page(examined, load_words("en")).partition("<h3>White</h3>")[2].partition("</table>")[0]
    assert "<th scope='col' class='r'>games</th>" in white
    assert "band" not in white


def test_a_trial_has_the_name_that_the_command_got(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "whatif", *MADE, "--set", "k_usual=10", "--lang", "en")[1]
    assert told.splitlines()[0] == "What if · fide-2017 → k_usual=10"


def test_ticks_are_round_numbers() -> None:
    assert ticks(0, 100) == [0, 20, 40, 60, 80, 100]
    assert ticks(1432, 1888) == [1400, 1500, 1600, 1700, 1800, 1900]
