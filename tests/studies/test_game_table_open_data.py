"""An office's open data through replay, what-if and monitor: one layout, and the lists that the office published."""

from contextlib import closing
from datetime import date
from pathlib import Path
from statistics import fmean

import pytest

from arpad.office.office import open_office
from arpad.office.open_data.acts import write_open_data
from arpad.office.privacy.acts import hide_player
from arpad.regulations.editions import always, by_date, chess_edition
from arpad.reports.report import PLAYED
from arpad.studies.history_files import read_history
from arpad.studies.office_history import history_of
from arpad.studies.replay import ratings_of, replay
from arpad.studies.whatif import amended, whatif
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.commands import refusal, run_json

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
JANUARY = "1 2000 | 2w1 3b=\n2 1900 | 1b0 4w1\n3 1800 | 4w1 1w=\n4 1700 | 3b0 2b0"
FEBRUARY = "1 2000 | 4w= 2b0\n2 1900 | 3w= 1w1\n3 1800 | 2b= 4w0\n4 1700 | 1b= 3b1"


@pytest.fixture
def published(desk: Desk, tmp_path: Path) -> Path:
    """An office with two lists, and its open data."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800), listed(4, 1700))
    desk.report(event("January", JANUARY, date(2018, 1, 10)))
    desk.publish(FEB)
    desk.report(event("February", FEBRUARY, date(2018, 2, 10)))
    desk.publish(MAR)
    write_open_data(desk.office, tmp_path / "data")
    return tmp_path / "data"


def means(desk: Desk) -> list[str]:
    history, run = history_of(desk.office, STANDARD)
    assert history.opened == JAN
    ratings = [[it.rating or 0 for it in closed.period.standings.values()] for closed in run]
    return [f"{sum(column) / len(column):.2f}" for column in ratings]


def test_a_replay_of_open_data_gives_the_lists_of_the_office(
    desk: Desk, published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, "replay", str(published))

    lists = [(row["date"], row["games"], row["rated_players"]) for row in document["lists"]]
    assert lists == [("2018-02-01", 4, 4), ("2018-03-01", 4, 4)]
    assert [row["mean"] for row in document["lists"]] == means(desk)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_rule_tried_on_open_data_does_what_it_does_in_the_office(
    desk: Desk, published: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in published.iterdir():
        if file.suffix != f".{kind}":
            file.unlink()
    edition = chess_edition("fide-2017")
    office, _ = history_of(desk.office, STANDARD)
    expected = whatif(office, always(edition), always(amended(edition, ["k_usual=10"], "standard")))

    found = run_json(capsys, "whatif", str(published), "--edition", "fide-2017", "--set", "k_usual=10")

    movers = {(it["player"], it["was"], it["would"]) for it in found["movers"]}
    assert movers == {(it.player, it.was, it.would) for it in expected.movers}
    assert found["moved"] == expected.moved > 0
    points = run_json(capsys, "monitor", "points", str(published), "--edition", "fide-2017")
    assert [period["unexplained"] for period in points["periods"]] == [0, 0]


def test_games_against_hidden_players_are_left_out(desk: Desk, published: Path) -> None:
    hide_player(desk.office, 4, reason="wishes it")
    write_open_data(desk.office, published.parent / "later")

    games = [len(it.boards) for it in read_history(published.parent / "later").tournaments]

    assert games == [2, 2]
    assert [len(it.boards) for it in read_history(published).tournaments] == [4, 4]


def test_a_folder_without_its_tournaments_is_refused(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in published.glob("events.*"):
        file.unlink()

    for command in (("replay",), ("whatif", "--set", "floor=1400"), ("monitor", "drift")):
        assert "no table events" in refusal(capsys, *command, str(published), "--lang", "en")


@pytest.mark.deep
def test_the_demo_is_replayed_from_its_open_data(demo_office: str, tmp_path: Path) -> None:
    with closing(open_office(demo_office)) as office:
        write_open_data(office, tmp_path / "data")
        history, run = history_of(office, STANDARD)
    read = read_history(tmp_path / "data")
    played = [board for it in history.tournaments for board in it.boards if board.result in PLAYED]
    assert sum(len(it.boards) for it in read.tournaments) == len(played)
    assert read.opened == history.opened
    edition = by_date(STANDARD)
    ratings = [ratings_of(closed.period.standings) for closed in replay(read, edition)]
    published = [ratings_of(closed.period.standings) for closed in run]
    assert ratings[:2] == published[:2]
    for one, other in zip(ratings, published, strict=True):  # decisions and corrections are not in the data
        assert one.keys() == other.keys()
        assert abs(fmean(one.values()) - fmean(other.values())) < 4
