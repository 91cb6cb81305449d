"""The real files: the made negative cases give what they were made for, and nothing makes a check raise."""

from __future__ import annotations

from pathlib import Path

import pytest

from arpad.checks import check_event, check_file
from arpad.explain.words import load_words
from arpad.model.errors import Unreadable
from arpad.model.rules import Finding
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.reports.formats import read_report
from tests.builders.trf import case
from tests.shared_data import real_file, real_files
from tests.thinning import one_in


def everything(path: Path) -> list[Finding]:
    """What reading and checking have to say of a file."""
    report = read_report(path.read_bytes(), path.name)
    return [*report.findings, *check_file(report)]


@pytest.mark.parametrize(
    ("name", "code", "player", "round_number"),
    [
        ("incompatible_color", "colours-clash", 2, 5),
        ("incompatible_result", "both-win", 2, 5),
        ("incorrect_points", "points-not-the-sum", 2, None),
        ("missing_result", "pairing-one-sided", 2, 5),
        ("missing_starting_number", "start-numbers-missing", None, None),
        ("invalid_code", "line-unknown", None, None),
        ("too_many_results", "cells-surplus", 2, None),
    ],
)
def test_a_file_made_to_be_wrong(name: str, code: str, player: int | None, round_number: int | None) -> None:
    found = [f for f in everything(real_file("trf", "py4swiss", f"{name}.trf")) if f.code == code]

    assert [(finding.player, finding.round) for finding in found] == [(player, round_number)]


@pytest.mark.parametrize(
    "name",
    [
        "icu_tournament/valid.tab",
        "sharly-chess/trf-import-test.trf",
        "sharly-chess/example_trf26.trf",
        "chesspairing-go/bbp-8p5r-output.trf",
    ],
)
def test_a_file_in_order(name: str) -> None:
    report = read_report(real_file("trf", *name.split("/")).read_bytes())
    assert check_file(report) == ()


@pytest.mark.parametrize(
    ("name", "played", "planned"),
    [("trf-kt/tournament1.trf", 4, 9), ("echecsjs-trf/javafo_sample2.trf", 4, 9)],
)
def test_an_event_that_stopped_early(name: str, played: int, planned: int) -> None:
    found = everything(real_file("trf", *name.split("/")))

    assert {"played": played, "planned": planned} in [f.facts for f in found if f.code == "stopped-early"]
    assert "points-not-the-sum" not in {f.code for f in found}  # the byes of round 5 stand there already


def test_points_that_do_not_add_up() -> None:
    found = everything(real_file("trf", "icu_tournament", "irish_intermediate_champs_2011.tab"))
    assert [f.code for f in found if f.severity == "warning" and f.code.startswith("points")] == [
        "points-not-the-sum"
    ]


@pytest.mark.parametrize(
    "path", one_in(3, real_files("trf")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_no_real_file_makes_a_check_raise(path: Path) -> None:
    try:
        report = read_report(path.read_bytes(), path.name)
    except Unreadable:
        pytest.skip("not readable")
    words = load_words("it")
    for finding in check_file(report):
        assert words.finding(finding)
    for edition in CHESS_EDITIONS:
        for name in edition.lists:
            for finding in check_event(case(report, edition.id, on_list=str(name))):
                assert words.finding(finding)
