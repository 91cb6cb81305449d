"""One history under several editions: which players move and by how much, list by list, in one or more processes."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arpad.lists.engine import replay as replaying
from tests.builders.clusters import thread_cluster
from tests.commands import refusal, run, run_json
from tests.lists.engine.test_replay import written

BASE = ("--start", "2000", "--edition", "fide-2017")


def test_a_rule_replaced_is_compared_list_by_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "replay", str(written(tmp_path)), *BASE, "--set", "k_new=20")

    # K 40: 2020, 1980, 2000; then 1 loses to 3 from 20 above (.53): 1999, 1980, 2021
    # K 20: 2010, 1990, 2000; then 1 loses to 3 from 10 above (.51), 10.2: 2000, 1990, 2010
    (tried,) = document["scenarios"]
    assert tried["name"] == "fide-2017 k_new=20"
    assert tried["comparison"] == [
        {"date": "2018-02-01", "players": 3, "moved": 2, "mean": "+0.00", "distance": "6.67", "gained": 0, "lost": 0,
         "largest": -10},
        {"date": "2018-03-01", "players": 3, "moved": 3, "mean": "+0.00", "distance": "7.33", "gained": 0, "lost": 0,
         "largest": -11},
    ]  # fmt: skip
    assert tried["movers"] == [
        {"player": 3, "was": 2021, "would": 2010},
        {"player": 2, "was": 1980, "would": 1990},
        {"player": 1, "was": 1999, "would": 2000},
    ]


def test_a_higher_floor_takes_players_off_the_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, "replay", str(written(tmp_path)), *BASE, "--set", "floor=1990")

    # 2 falls to 1980 on the first list and is off; 1 and 3 go on as before
    assert [
        (one["gained"], one["lost"], one["players"]) for one in document["scenarios"][0]["comparison"]
    ] == [
        (0, 1, 2),
        (0, 1, 2),
    ]


def test_lists_that_only_one_edition_has_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The edition of 2009 has a list every other month: that of February is not there."""
    document = run_json(capsys, "replay", str(written(tmp_path)), *BASE, "--edition", "fide-2009")

    assert [one["date"] for one in document["scenarios"][0]["lists"]] == ["2018-03-01"]
    assert [one["date"] for one in document["scenarios"][0]["comparison"]] == ["2018-03-01"]
    # 2009, K 30: 2000, 1985, 2015 where 2017 has 1999, 1980, 2021
    assert document["scenarios"][0]["comparison"][0]["largest"] == -6


def test_all_editions_of_their_days_with_a_rule_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, "replay", str(written(tmp_path)), "--start", "2000", "--set", "k_new=20")

    assert document["edition"] is None
    assert {one["edition"] for one in document["scenarios"][0]["lists"]} == {"fide-2017+"}
    assert document["scenarios"][0]["movers"][0] == {"player": 3, "was": 2021, "would": 2010}


@pytest.mark.deep
def test_scenarios_side_by_side_give_the_same_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaying, "WORTH_SENDING", 1)
    others = ("--edition", "fide-2009", "--edition", "fide-2024", "--set", "k_new=20")
    several = ("replay", str(written(tmp_path)), *BASE, *others)
    alone = run_json(capsys, *several)

    assert run_json(capsys, *several, "--jobs", "2") == alone
    with thread_cluster(workers=2) as cluster:
        assert run_json(capsys, *several, "--cluster", cluster.scheduler_address) == alone


def test_one_scenario_in_processes_gives_the_same_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replaying, "WORTH_SENDING", 1)
    command = ("replay", str(written(tmp_path)), *BASE)

    assert run_json(capsys, *command, "--jobs", "2") == run_json(capsys, *command)


def test_what_games_alone_cannot_tell_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path))

    (finding,) = run_json(capsys, "replay", path, *BASE)["findings"]
    assert (finding["severity"], finding["code"], finding["article"]) == ("info", "replay-all-swiss", "8.21b")
    assert run_json(capsys, "replay", path, "--edition", "fide-2024")["findings"] == []
    status, out, _ = run(capsys, "replay", path, *BASE, "--lang", "it")
    assert status == 0
    assert "gironi all'italiana" in out


def test_the_tables_name_who_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "replay", str(written(tmp_path)), *BASE, "--set", "k_new=20", "--lang", "en")

    assert status == 0
    assert "Who moves furthest" in out
    assert [row.split() for row in out.splitlines() if "2010" in row.split()] == [["3", "2021", "2010"]]


def test_every_scenario_writes_its_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "lists"

    run_json(capsys, "replay", str(written(tmp_path)), *BASE, "--set", "k_new=20", "--out", str(out))

    assert {path.name for path in out.iterdir()} == {
        f"standard-2018-{month}-01-fide-2017{change}.parquet"
        for month in ("02", "03")
        for change in ("", "-k_new=20")
    }


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--jobs", "0"), "--jobs"),
        (("--cluster", "nowhere"), "--cluster"),
        (("--edition", "fide-2017", "--edition", "fide-2017"), "fide-2017"),
        (("--set", "k_new"), "--set"),
        (("--set", "beauty=3"), "beauty"),
    ],
)
def test_wrong_scenarios(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    assert named in refusal(capsys, "replay", str(written(tmp_path)), *arguments)


def test_row_groups_in_disorder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns: dict[str, Any] = {
        "date": [date(2018, 1, 10), date(2018, 1, 12), date(2018, 1, 11), date(2018, 2, 12)],
        "white": [1, 2, 1, 2],
        "black": [2, 3, 3, 1],
        "score": [2, 1, 0, 2],
    }
    path = tmp_path / "games.parquet"
    for size in (1, 2, 3, 4):
        pq.write_table(pa.table(columns), path, row_group_size=size)
        for jobs in ("1", "2"):
            assert "date" in refusal(capsys, "replay", str(path), "--jobs", jobs)


def test_without_distributed_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['distributed'] = None\n"
        f"sys.argv = ['arpad', 'replay', {str(written(tmp_path))!r}, '--cluster', 'local', '--lang', 'en']\n"
        "from arpad import cli; cli.main()\n"
    )

    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "arpad: this needs the package distributed, which is not installed:"
        " install Arpad with its extra, arpad[cluster]\n"
    )


@pytest.mark.deep
def test_many_worlds_on_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    made = ("simulate", "--players", "30", "--years", "1", "--seeds", "3", "--edition", "fide-2017")

    assert run_json(capsys, *made, "--cluster", "local:1") == run_json(capsys, *made)
