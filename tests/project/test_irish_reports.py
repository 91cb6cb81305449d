"""An office for Ireland with real reports: national numbers, guests without numbers, clubs instead of federations."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run, run_json
from tests.shared_data import real_file

RATED_WITH_ICU = ("armstrong_2011", "bunratty_challengers_2011", "bunratty_major_2011", "bunratty_masters_2011",
                  "bunratty_minor_2011", "irish_intermediate_champs_2011", "irish_junior_champs_2011")  # fmt: skip
OTHERS = (
    "galway_major_2011",
    "junior_championships_u19_2010",
    "kilbunny_masters_2011",
    "kilkenny_masters_2011",
)

LIKELY = 92
NOW = ("--now", "2011-12-10T10:00:00Z")
OVERRULED = ("time-too-short", "no-list", "round-robin-few-rated", "round-robin-small-few-rated")


def make_office(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the office with FIDE's list, and submit the reports."""
    listed = real_file("lists", "fide-txt", "jan04frl.txt.gz")
    (tmp_path / "fide.txt.gz").write_bytes(listed.read_bytes())
    with gzip.open(listed) as stream:
        (tmp_path / "irish.txt").write_bytes(b"".join(line for line in stream if b" IRL " in line))
    (tmp_path / "reports").mkdir()
    for folder, names in (("icu_tournament", RATED_WITH_ICU), ("icu_ratings_app", OTHERS)):
        for name in names:
            data = real_file("trf", folder, f"{name}.tab").read_bytes()
            (tmp_path / "reports" / f"{name}.tab").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "irl.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    begun = ("--now", "2010-09-01T10:00:00Z")
    first = ("--columns", "fide-2004")
    for command in (
        ("init", "--federation", "IRL", "--name", "Irish Chess Union", "--time-zone", "Europe/Dublin"),
        ("import-list", "irish.txt", *first, "--date", "2010-09-01", "--yes"),
        ("reference", "add", "fide.txt.gz", *first, "--list", "standard", "--day", "2010-09-01"),
        ("settings", "--set", "owned_standard=home"),
        ("scheme", "icu", "--name", "Irish Chess Union", "--pattern", "9{1-5}"),
        ("source", "--discipline", "chess", "--scheme", "icu"),
    ):
        status, _, err = run(capsys, "office", *command, *begun)
        assert status == 0, err
    run(capsys, "office", "submit", "reports", *NOW)
    for report in (9, 10):
        run_json(
            capsys,
            "office decide fact --report",
            str(report),
            "--value",
            "time_control=90+30",
            "--reason",
            "letter of the arbiter",
            *NOW,
        )
    run_json(capsys, "office decide fact --report 1 --value league=yes --reason league", *NOW)


@pytest.mark.deep
def test_an_office_for_ireland_with_the_real_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests without a number are found at FIDE, and newcomers without a federation are the office's own."""
    make_office(tmp_path, capsys, monkeypatch)
    guests = {
        match["name"]: [candidate["fide"] for candidate in match["candidates"] if candidate["fide"]]
        for match in run_json(capsys, "office", "matches", "4")["matches"]
    }
    assert guests["Williams, Simon"] == ["404454"]
    assert "400025" in guests["Short, Nigel"]
    for report in range(1, 12):
        if report == 6:  # its rounds are dated ten years before the event
            continue
        decided = list(decisions(run_json(capsys, "office", "matches", str(report))["matches"]))
        if decided:
            status, _, err = run(capsys, "office", "match", str(report), *decided, "--reason", "known", *NOW)
            assert status == 0, err
        overruled = [part for code in OVERRULED for part in ("--overrule", code)]
        status, _, err = run(
            capsys, "office", "accept", str(report), *overruled, "--reason", "rated then", *NOW
        )
        assert status == 0, (report, err)
    preview = {it["name"]: it["rating"] for it in run_json(capsys, "office", "report", "4")["preview"]}
    assert (preview["Williams, Simon"], preview["Short, Nigel"]) == (2396, 2702)
    draft = run_json(capsys, "office", "draft", "standard", "2012-01-01", "--special", *NOW)
    run_json(capsys, "office", "settings", "--set", "owned_standard=all", *NOW)
    of_all = run_json(capsys, "office", "draft", "standard", "2012-01-01", "--special", *NOW)
    foreign = {guest["player"] for guest in draft["guests"]}
    assert newcomers(of_all) - foreign == newcomers(draft), "unknown is not foreign"
    assert len(newcomers(draft)) > 80
    named = {guest["name"]: guest["rating"] for guest in draft["guests"]}
    assert (named["Williams, Simon"], named["Short, Nigel D."]) == (2396, 2702), sorted(named)
    assert all(guest["federation"] not in ("", "IRL") for guest in draft["guests"])
    assert run(capsys, "office", "verify")[0] == 0


def newcomers(draft: dict[str, Any]) -> set[int]:
    """The players of a draft who enter, or still have no first rating."""
    return {*draft["entered"], *(it["player"] for it in draft["pending"])}


def decisions(matches: list[dict[str, Any]]) -> Iterator[str]:
    """Decide each doubt for the likeliest candidate whom no other entrant has; nobody else is known, so new."""
    taken: set[str] = set()
    for match in matches:
        keys = [
            str(it["player"] or f"fide:{it['fide']}") for it in match["candidates"] if it["score"] >= LIKELY
        ]
        key = next((key for key in keys if key not in taken), "new")
        taken.add(key)
        yield f"{match['number']}={key}"
