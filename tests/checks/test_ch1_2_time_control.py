"""The list that a time control belongs to, and the list that an event says it belongs to."""

import pytest

from arpad.checks import classify, minutes_required
from arpad.checks.ch1_2_time_control import declared_list, time_by_game
from arpad.model.rules import ListName
from arpad.reports.time_control import parse_text
from tests.builders.trf import EDITIONS, case, report, some_rounds


@pytest.mark.parametrize(
    ("edition", "control", "highest", "belongs"),
    [
        ("fide-2009", "90+30", 2700, "standard"),
        ("fide-2009", "25 min", 1500, None),
        ("fide-2012", "15 min", 2700, "rapid"),
        ("fide-2012", "14 min", 2700, "blitz"),
        ("fide-2012", "4 min", 2700, None),
        ("fide-2017", "90 min", 2199, "standard"),
        ("fide-2017", "90 min", 2200, None),
        ("fide-2017", "60 min", 1599, "standard"),
        ("fide-2017", "60 min", 1600, None),
        ("fide-2017", "60 min", None, "standard"),
        ("fide-2017", "50 min + 10 sec", 1599, "standard"),
        ("fide-2017", "59 min", 2700, "rapid"),
        ("fide-2017", "10 min", 2700, "blitz"),
        ("fide-2017", "3 min + 2 sec", 2700, "blitz"),
        ("fide-2017", "4 min", 2700, None),
        ("fide-2024", "60 min", 2700, "standard"),
        ("fide-2024", "4 min", 2700, "blitz"),
        ("fide-2024", "3 min", 2700, None),
        # case 30 of the text of 2024
        ("fide-2024", "10 min", 2000, "blitz"),
        ("fide-2024", "10+1", 2000, "rapid"),
        ("fide-2024", "3+1", 2000, "blitz"),
        ("fide-2024", "1+2", 2000, None),
        ("fide-2024", "6+5", 2000, "rapid"),
        ("fide-2024", "7+3", 2000, "blitz"),
        ("fide-2024", "25+10", 2000, "rapid"),
        ("fide-2024", "40+20", 2000, "standard"),
        ("fide-2021", "90 min", 2200, "standard"),
        ("fide-2022", "60 min", 2700, "standard"),
        ("fide-2022", "4 min", 2700, "blitz"),
        ("fide-2014", "12 min", 2700, "rapid"),
        ("fide-2017", "as the arbiter likes", 2000, None),
    ],
)
def test_classify(edition: str, control: str, highest: int | None, belongs: str | None) -> None:
    found = classify(parse_text(control), highest, EDITIONS[edition].lists)
    assert found == (ListName(belongs) if belongs else None)


@pytest.mark.parametrize(
    ("edition", "highest", "minutes"),
    [
        ("fide-2017", None, 60), ("fide-2017", 1599, 60), ("fide-2017", 1600, 90), ("fide-2017", 2200, 120),
        ("fide-2022", 1799, 60), ("fide-2022", 1800, 90), ("fide-2022", 2399, 90), ("fide-2022", 2400, 120),
    ],
)  # fmt: skip
def test_minutes_required(edition: str, highest: int | None, minutes: int) -> None:
    assert minutes_required(EDITIONS[edition].on(ListName.STANDARD), highest) == minutes
    if ListName.RAPID in EDITIONS[edition].lists:
        assert minutes_required(EDITIONS[edition].on(ListName.RAPID), highest) is None


@pytest.mark.parametrize(
    ("kind", "name", "declared"),
    [
        ("Individual: Swiss-System (Standard)", "Open", "standard"),
        ("", "Semilampo di Natale", "rapid"),
        ("", "Torneo Lampo", "blitz"),
        ("Swiss", "European Rapidplay Championship", "rapid"),
        ("Swiss", "World Rapid and Blitz", None),
        ("Swiss", "Festival di Trani", None),
    ],
)
def test_declared_list(kind: str, name: str, declared: str | None) -> None:
    assert declared_list((kind, name)) == (ListName(declared) if declared else None)


def test_a_time_too_short_for_anyone_gives_one_finding() -> None:
    made = report(some_rounds(4, 2), [2500, 1900, 1800, 1700], control="59 min")
    found = [finding.code for finding in time_by_game(case(made, "fide-2024"))]
    assert found == ["time-too-short-for-anyone"]


def test_how_many_games_were_too_fast() -> None:
    # 1 (1800) and 3 (1850) call for ninety minutes; in two rounds of four players only 2-4 may be in time.
    made = report(some_rounds(4, 2), [1800, 1700, 1850, 1600], control="60 min")
    (found,) = time_by_game(case(made, "fide-2024"))
    games = [{white, black} for row in some_rounds(4, 2) for white, black, _ in row]
    assert found.facts["games"] == len([pair for pair in games if pair != {2, 4}])
    assert found.facts["players"] == (1, 3)
