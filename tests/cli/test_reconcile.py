"""``arpad reconcile`` on files: two of FIDE's lists and the reports between them."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from arpad.reports.formats import write_report
from tests.builders.chess import event
from tests.commands import run, run_json

HEADER = "ID Number      Name                              Fed  Sex Tit  {month}  Gms  K  B-day Flag"
NAMES = {9001: "Player 1", 9002: "Player 2", 9003: "Player 3", 9004: "Player 4"}
BEFORE = {9001: (2000, 0), 9002: (2100, 0), 9003: (1900, 0), 9004: (1850, 0)}

# round 1: 1 beats 2 (+.64), 3 draws with 4; round 2: 3 beats 1 (-.64), 2 beats 4
TABLE = "1 2000 | 2w1 3b0\n2 2100 | 1b0 4w1\n3 1900 | 4w= 1w1\n4 1850 | 3b= 2b0\n"
AFTER = {9001: (2000, 2), 9002: (2091, 2), 9003: (1911, 2), 9004: (1848, 2)}


def write_list(path: Path, month: str, rows: Mapping[int, tuple[int, int]], k: int = 20) -> str:
    lines = [HEADER.format(month=month)]
    lines += [
        f"{number:<14} {NAMES[number]:<33} ITA  M        {rating:>5}  {games:>3}  {k} 1980  "
        for number, (rating, games) in rows.items()
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    report = event("Open", TABLE, date(2018, 5, 5), date(2018, 5, 6))
    trf = tmp_path / "open.trf"
    trf.write_bytes(write_report(report, "trf16")[0])
    return {
        "before": write_list(tmp_path / "before.txt", "MAY18", BEFORE),
        "after": write_list(tmp_path / "after.txt", "JUN18", AFTER),
        "report": str(trf),
        "folder": str(tmp_path),
    }


def arguments(files: Mapping[str, str], *more: str) -> tuple[str, ...]:
    return ("reconcile", "--before", files["before"], "--after", files["after"], files["report"], *more)


def test_a_list_that_agrees_is_one_sentence(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *arguments(files, "--lang", "en"))
    assert (status, err) == (0, "")
    assert "All 4 players compared: rating and games are as calculated." in out


def test_a_difference_is_named_in_both_languages(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_list(Path(files["after"]), "JUN18", AFTER | {9003: (1923, 2)})
    status, out, _ = run(capsys, *arguments(files, "--lang", "en"))
    assert status == 1
    assert "4 players compared: 3 agree, 1 differ (all explained)." in out
    assert "FIDE used K 40 instead of 20" in out
    _, italian, _ = run(capsys, *arguments(files, "--lang", "it"))
    assert "la FIDE ha usato K 40 invece di 20" in italian


def test_the_comparison_is_data_and_a_file(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    write_list(Path(files["after"]), "JUN18", AFTER | {9003: (1923, 2)})
    table = Path(files["folder"]) / "difference.csv"
    status, text, _ = run(capsys, *arguments(files, "--csv", str(table), "--json", "--lang", "en"))
    assert status == 1
    assert '"schema": "arpad.reconcile/1"' in text
    rows = table.read_text().splitlines()
    assert rows[1].startswith("9003,Player 3,1900,1911,1923,12,2,2,FIDE used K 40")
    assert len(rows) == 5


def test_each_player_has_the_events_behind_the_figure(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    data = run_json(capsys, *arguments(files))
    assert (data["compared"], data["differing"], data["edition"]) == (4, 0, "fide-2017")
    third = next(player for player in data["players"] if player["id"] == 9003)
    # draw with 1850: .5 - .57 = -.07; win over 2000: 1 - .36 = .64; .57 x 20 = 11.4
    assert third["events"] == [{"event": "open.trf", "games": 2, "k": 20, "change": "11.4"}]


@pytest.mark.parametrize(
    ("name", "month", "sentence"),
    [("after.txt", "MAY18", "is not later than"), ("after.txt", "SRtng", "state it with --after-day")],
)
def test_lists_whose_days_are_wrong_or_unknown_are_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], name: str, month: str, sentence: str
) -> None:
    write_list(Path(files["folder"]) / name, month, AFTER)
    status, _, err = run(capsys, *arguments(files, "--lang", "en"))
    assert (status, sentence in err) == (2, True), err


def test_the_name_of_the_file_or_an_option_gives_the_day(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    after = write_list(Path(files["folder"]) / "standard_jun18frl.txt", "SRtng", AFTER)
    assert run(capsys, *arguments(files | {"after": after}))[0] == 0
    plain = write_list(Path(files["folder"]) / "list.txt", "SRtng", AFTER)
    assert run(capsys, *arguments(files | {"after": plain}, "--after-day", "2018-06-01"))[0] == 0


def test_a_number_twice_on_a_list_is_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files["after"])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[1], ""]))
    status, _, err = run(capsys, *arguments(files, "--lang", "en"))
    assert (status, "number 9001 is on the list twice" in err) == (2, True)


def test_a_report_without_days_is_refused(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(files["report"])
    lines = [line for line in path.read_text().splitlines() if line[:3] not in ("042", "052", "132")]
    path.write_text("\n".join(lines) + "\n")
    status, _, err = run(capsys, *arguments(files, "--lang", "en"))
    assert (status, "no readable first day" in err) == (2, True)


def test_a_report_of_another_list_is_left_out_and_named(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    rapid = event("Rapid", TABLE, date(2018, 5, 5), time_control="15 min + 10 sec per move from move one")
    path = Path(files["folder"]) / "rapid.trf"
    path.write_bytes(write_report(rapid, "trf16")[0])
    status, out, _ = run(capsys, *arguments(files, str(path), "--lang", "en"))
    assert status == 0
    assert "rapid.trf is rated on the rapid list and was left out." in out
