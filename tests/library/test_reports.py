"""A report as a value: the library gives what the commands print."""

import json
import pickle
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

import arpad
from arpad.explain.rated_report import CSV_COLUMNS
from tests.commands import run, run_json
from tests.shared_data import real_files

OPEN = arpad.example("open.trf")


@pytest.fixture(scope="module")
def report() -> arpad.Report:
    return arpad.read(OPEN)


def test_a_report_is_read_from_a_path_and_from_bytes(report: arpad.Report) -> None:
    assert report == arpad.read(str(OPEN)) == arpad.read(OPEN.read_bytes())
    assert hash(report) == hash(arpad.read(OPEN.read_bytes(), name="open.trf"))
    assert (report.event, report.city, report.federation) == ("Open di Primavera", "Bellariva", "ITA")
    assert (report.first_day, report.last_day, report.format) == (
        date(2018, 4, 28),
        date(2018, 5, 1),
        "trf16",
    )
    assert [player.name for player in report.players][7] == "Quaglia, Teodoro"
    assert repr(report) == "<arpad.Report 'Open di Primavera', 15 players, trf16>"


def test_check_finds_what_the_command_prints(
    report: arpad.Report, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run_json(capsys, "check", str(OPEN), "--lang", "it")
    check = report.check()

    assert check.ready
    assert len(check) == len(printed["findings"]) == 10
    assert check.rows("it") == [{name: row[name] for name in check.COLUMNS} for row in printed["findings"]]
    assert repr(check) == "<arpad.Check 0 error, 0 warning, 10 info>"


def test_a_wrong_report_is_not_ready() -> None:
    wrong = OPEN.read_bytes().replace(b"4.5    3     8 w 1", b"4.5    3     8 w 0")
    check = arpad.read(wrong).check()

    assert not check.ready
    assert arpad.sentence(check.findings[0], "it").startswith("I risultati non concordano")
    assert check.rows()[0]["line"] == 13


def test_rate_gives_what_the_command_prints(report: arpad.Report, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_json(capsys, "rate", str(OPEN))
    rating = report.rate()

    assert (rating.edition, rating.list) == (printed["edition"], printed["list"]) == ("fide-2017", "standard")
    for row, player in zip(rating.rows(), printed["players"], strict=True):
        assert row["initial_rating"] == (player["initial"] or {}).get("rating")
        assert row["initial_reason"] == (player["initial"] or {}).get("reason")
    assert tuple(rating.COLUMNS) == CSV_COLUMNS
    assert len(rating) == len(rating.players) == 15
    assert rating.findings == report.check().findings
    assert repr(rating) == "<arpad.Rating 15 players, standard, fide-2017>"


@pytest.mark.parametrize("asked", [8, "8", "800108", "quaglia teodoro"])
def test_explain_finds_a_player_by_number_id_or_name(report: arpad.Report, asked: int | str) -> None:
    explanation = report.explain(asked)

    assert explanation.player.number == 8
    assert explanation.in_words()[-1] == ("8.57", "1953 +47.4, rounded +47: 2000")
    first = explanation.rows()[0]
    assert (first["opponent_rating"], first["difference"], first["change"]) == (2431, -400, Fraction(-8, 100))
    assert repr(explanation) == "<arpad.Explanation 'Quaglia, Teodoro'>"


def test_options_change_the_rating_as_in_the_command(
    report: arpad.Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = tmp_path / "list.csv"
    ratings.write_text("id,name,federation,rating,k\n800108,Quaglia Teodoro,ITA,2001,10\n", encoding="utf-8")
    options = ("--edition", "fide-2024", "--list", "rapid", "--ratings", str(ratings))
    status, out, _ = run(capsys, "rate", str(OPEN), *options, "--json")
    printed = json.loads(out)
    rating = report.rate(edition="fide-2024", list="rapid", ratings=ratings)

    assert status in {0, 1}
    assert [row["new_rating"] for row in rating.rows()] == [row["new_rating"] for row in printed["players"]]
    assert rating.rows()[7]["rating"] == 2001
    assert len(rating.findings) == len(printed["findings"])
    assert (
        rating.rows()
        == report.rate(edition=arpad.edition("fide-2024"), list="rapid", ratings=str(ratings)).rows()
    )


def test_facts_that_the_report_lacks(report: arpad.Report) -> None:
    registered = {finding.code for finding in report.check(facts={"registered": date(2018, 4, 1)}).findings}

    assert "registration-unknown" not in registered
    with pytest.raises(arpad.BadInput) as caught:
        report.check(facts={"registred": date(2018, 4, 1)})
    assert "registred" in arpad.sentence(caught.value)


def test_norms_of_one_player_and_of_nobody(report: arpad.Report) -> None:
    assert [player.number for player in report.norms("Marchesi", title=["IM"]).players] == [1]
    assert report.norms().players == ()


def test_games_of_draughts_are_read_and_not_rated_as_chess() -> None:
    games = b'[Event "Coppa"]\n[Date "2019.03.01"]\n[White "Rossi"]\n[Black "Bianchi"]\n[GameType "22"]\n'
    games += b'[Result "1-0"]\n\n1. 21-17 12-16 1-0\n'
    draughts = arpad.read(games, name="coppa.pdn")

    assert len(draughts.players) == 2
    for attempt in (draughts.check, draughts.rate, draughts.norms, lambda: draughts.explain(1)):
        with pytest.raises(arpad.ArpadError) as caught:
            attempt()
        assert "draughts" in arpad.sentence(caught.value)


def test_a_report_is_written_in_every_format_and_read_back(report: arpad.Report) -> None:
    for name in arpad.formats():
        if name == "pdn":
            continue  # draughts
        again = arpad.read(report.write(name))
        assert [player.name for player in again.players] != [], name
    assert {finding.severity for finding in report.losses("pgn").findings} == {"warning"}
    assert arpad.read(report.write("trf26")).rate().rows()[7]["new_rating"] == 2000


def test_an_error_says_its_sentence_and_has_its_code_and_facts(report: arpad.Report, tmp_path: Path) -> None:
    for attempt, word in (
        (lambda: arpad.read(tmp_path / "none.trf"), "none.trf"),
        (lambda: arpad.read(b"nothing"), "report"),
        (lambda: report.write("doc"), "trf16"),
        (lambda: report.explain("Nobody"), "Nobody"),
        (lambda: report.rate(edition="fide-1970"), "fide-1970"),
    ):
        with pytest.raises(arpad.ArpadError) as caught:
            attempt()
        error = caught.value
        assert word in str(error)
        assert str(error) == arpad.sentence(error, "en")
        assert error.__notes__ == [f"{error.code} {error.facts}"], "a traceback shows them below the sentence"
        assert repr(error) == f"{type(error).__name__}({error.code!r}, {error.facts!r})"
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own
        assert (repr(again), str(again), again.__notes__) == (repr(error), str(error), error.__notes__)


def test_a_real_report_in_ten_lines() -> None:
    path = next(iter(real_files("trf")), None) or pytest.skip("the real files are not here")
    report = arpad.read(path)
    table = report.rate().to_polars()

    assert len(table) == len(report.players)
    assert table["new_rating"].drop_nulls().len() > 0
    assert report.check().to_polars().columns[0] == "severity"
