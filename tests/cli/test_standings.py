"""``arpad standings``: the final table of a report with the tie-breaks that are asked for."""

import re
from pathlib import Path

import pytest

from tests.commands import refusal, run, run_json
from tests.paths import EXAMPLES

OPEN = str(EXAMPLES / "open.trf")


def test_the_table_has_the_usual_tie_breaks_and_the_ranks_of_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = run_json(capsys, "standings", OPEN)
    assert (document["schema"], document["edition"], document["ranks_of_report"]) == (
        "arpad.standings/1",
        "c07-2009",
        True,
    )
    assert document["tie_breaks"][0] == {"code": "BH/C1", "article": "8.1"}
    assert document["rows"][0] == {
        "rank": 1, "number": 2, "name": "Bortolotti, Elena", "points": "5", "tie_breaks": ["25.5", "26", "17"],
    }  # fmt: skip


def test_the_tie_breaks_that_are_asked_for_rank(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "standings", OPEN, "--tie-breaks", "WIN,BWG,de,KS/L+1")
    assert [it["code"] for it in document["tie_breaks"]] == ["WIN", "BWG", "DE", "KS/L+1"]
    assert document["ranks_of_report"] is False
    keys = [
        (-float(row["points"]), -int(row["tie_breaks"][0]), -int(row["tie_breaks"][1]))
        for row in document["rows"]
    ]
    assert keys == sorted(keys)
    text = run(capsys, "standings", OPEN, "--tie-breaks", "KS/L+1", "--lang", "it")[1]
    assert "KS/L+1: Koya, limite spostato di 1 mezzo punto (C.07, 9.2)" in text
    assert re.search(r"1 +Bortolotti, Elena +5 ", text)


def test_a_code_that_does_not_exist_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "“XX” is unknown: accepted are DE, WIN" in refusal(
        capsys, "standings", OPEN, "--tie-breaks", "BH/C1,XX"
    )
    assert "none.trf" in refusal(capsys, "standings", str(tmp_path / "none.trf"))


def test_a_report_of_teams_has_the_table_of_the_teams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "teams.trf"
    rows = (("1.5", "   3 w 1     4 b ="), ("1.5", "   4 b =     3 w 1"), ("0.0", "   1 b 0     2 b 0"),
        ("1.0", "   2 w =     1 w ="))  # fmt: skip
    lines = [
        f"001 {number:4} m    {f'Player {number}':<33} 2000 ITA {'':11} {'':10}  {points} {number:4}  {cells}"
        for number, (points, cells) in enumerate(rows, start=1)
    ]
    teams = [
        f"013 {name:<32}{first:4} {second:4}" for name, first, second in (("Home", 1, 2), ("Guests", 3, 4))
    ]
    report.write_text("\n".join(["012 Match", "042 2026/05/01", *lines, *teams, ""]))
    document = run_json(capsys, "standings", str(report))
    assert [(it["rank"], it["name"], it["match_points"], it["game_points"]) for it in document["teams"]] == [
        (1, "Home", "4", "3"),
        (2, "Guests", "0", "1"),
    ]
    text = run(capsys, "standings", str(report), "--lang", "it")[1]
    assert "Home" in text
    assert "Punti squadra" in text
    assert "Player 1" not in text
