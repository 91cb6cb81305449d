"""An office that keeps FIDE's lists compares them with its own accepted reports."""

from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.fide.exchange import reconcile_office
from arpad.office.fide.reference import add_reference
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.reference import row, write_reference
from tests.builders.verbs import withdraw
from tests.commands import run

MAY, JUNE = date(2018, 5, 1), date(2018, 6, 1)
TABLE = "1 2000 | 2w1 3b0\n2 2100 | 1b0 4w1\n3 1900 | 4w= 1w1\n4 1850 | 3b= 2b0\n"
BEFORE = {1: 2000, 2: 2100, 3: 1900, 4: 1850}
AFTER = {1: (2000, 2), 2: (2091, 2), 3: (1911, 2), 4: (1848, 2)}


def lines(ratings: dict[int, tuple[int, int]]) -> list[str]:
    """Return the lines of a reference list; the builder writes no games, so they are put in here."""
    return [
        row(9000 + number, f"Player {number}", rating=rating).replace(
            f"{rating:<6}0   ", f"{rating:<6}{games:<4}"
        )
        for number, (rating, games) in ratings.items()
    ]


@pytest.fixture
def desk(sqlite_desk: Desk, tmp_path: Path) -> Desk:
    """An office of ITA with FIDE's list of May and an accepted report."""
    sqlite_desk.list(date(2018, 1, 1), *(listed(number, rating) for number, rating in BEFORE.items()))
    before = {number: (rating, 0) for number, rating in BEFORE.items()}
    add_reference(sqlite_desk.office, write_reference(tmp_path, "may.txt", *lines(before)), MAY)
    sqlite_desk.report(event("Open", TABLE, date(2018, 5, 5), date(2018, 5, 6)))
    sqlite_desk.on(JUNE)
    return sqlite_desk


def add_june(desk: Desk, after: dict[int, tuple[int, int]]) -> None:
    add_reference(desk.office, write_reference(desk.folder, "june.txt", *lines(after)), JUNE)


def test_one_list_cannot_be_compared(desk: Desk) -> None:
    with pytest.raises(BadInput, match="reconcile-two-lists"):
        reconcile_office(desk.office, STANDARD)
    with pytest.raises(BadInput, match="value-unknown"):
        reconcile_office(desk.office, ListName.ITALIANA)
    add_june(desk, AFTER)
    with pytest.raises(BadInput, match="reference-unknown"):
        reconcile_office(desk.office, STANDARD, date(2018, 7, 1))


def test_the_accepted_reports_give_what_fide_published(desk: Desk) -> None:
    add_june(desk, AFTER)
    result = reconcile_office(desk.office, STANDARD)
    assert (result.opened, result.day, len(result.players)) == (MAY, JUNE, 4)
    assert result.differing() == ()


def test_a_difference_is_explained_and_written(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    add_june(desk, AFTER | {3: (1923, 2)})
    (player,) = reconcile_office(desk.office, STANDARD, JUNE).differing()
    assert (player.player, [cause.code for cause in player.causes]) == (9003, ["other-k"])
    table = desk.folder / "difference.csv"
    place = ("--db", desk.place, "--lang", "en")
    status, out, _ = run(capsys, "office", "fide", "reconcile", *place)
    assert status == 1
    assert "FIDE used K 40 instead of 20" in out
    assert run(capsys, "office", "fide", "reconcile-csv", *place, "--out", str(table))[0] == 0
    assert table.read_text().splitlines()[1].startswith("9003,Player 3,1900,1911,1923,12,2,2,")


def test_a_withdrawn_report_is_not_compared(desk: Desk) -> None:
    withdraw(desk.office, 1, reason="test")
    add_june(desk, AFTER)
    causes = {
        player.player: [cause.code for cause in player.causes]
        for player in reconcile_office(desk.office, STANDARD).differing()
    }
    assert causes == {number: ["games-not-in-reports"] for number in (9001, 9002, 9003, 9004)}
