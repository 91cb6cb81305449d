"""The national categories of an office whose own edition has them: lists, explanation, decisions, files, commands."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.categories.acts import categories_on, category_changes, player_categories
from arpad.office.lists.rows import Publication, all_publications
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.verbs import adopt_edition, publish, revoke, verify
from tests.commands import refusal, run, run_json

FSI = """
id = "fsi-2021"
base = "fide-2017"
source = "RTF 2021"

[standard]
categories = { article = "4.3.1", value = [
    { name = "3N", rating = 1500, article = "4.3.1.1" },
    { name = "2N", rating = 1600, article = "4.3.1.2" },
    { name = "1N", rating = 1800, article = "4.3.1.3" },
    { name = "CM", rating = 2000, article = "4.3.1.4" },
] }
"""
JAN, FEB, MAR = (date(2018, month, 1) for month in (1, 2, 3))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """1990 beats 1790 in January and loses in February; the edition is in force from February on."""
    folder = tmp_path_factory.mktemp("national")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    desk.list(JAN, listed(1, 1990), listed(2, 1790), listed(3, 1450))
    desk.on(date(2018, 1, 5))
    adopt_edition(desk.office, FSI, lists=[STANDARD], since=date(2018, 1, 2), reason="RTF")
    desk.report(event("Match", WIN.replace("2000", "1990").replace("1900", "1790"), date(2018, 1, 10)))
    desk.publish(FEB)
    lost = "1 1990 | 2w0\n2 1790 | 1b1\n"
    desk.report(event("Second", lost, date(2018, 2, 10)))
    desk.on(MAR)
    publish(desk.office, STANDARD, MAR, folder / "lists", kinds=("csv", "txt", "xlsx", "canonical"))
    with closing(desk.office):
        yield desk


def published(desk: Desk, day: date) -> Publication:
    with desk.office.store.reading() as connection:
        return next(p for p in all_publications(connection, STANDARD) if p.day == day)


def test_categories_follow_the_lists_in_force(desk: Desk) -> None:
    with desk.office.store.reading() as connection:
        assert categories_on(connection, published(desk, JAN)) == {}  # before the edition
        february = categories_on(connection, published(desk, FEB))
        march = categories_on(connection, published(desk, MAR))
        changes = category_changes(connection, published(desk, MAR))
    ratings = {day: [desk.rating(player, day) or 0 for player in (1, 2)] for day in (FEB, MAR)}
    assert ratings[FEB][1] < 1800
    assert february == {1: "1N", 2: "2N"}
    assert ratings[MAR][1] >= 1800, ratings
    assert march == {1: "1N", 2: "1N"}
    assert [(it.player, it.before, it.category, it.article) for it in changes] == [(2, "2N", "1N", "4.3.1.3")]


def test_the_player_and_the_explanation_name_list_and_article(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    with desk.office.store.reading() as connection:
        steps = player_categories(connection, 2, STANDARD, MAR)
        assert player_categories(connection, 3, STANDARD, MAR) == []
        assert player_categories(connection, 2, ListName.RAPID, MAR) == []
    assert [(it.category, it.list) for it in steps] == [
        ("2N", "standard-2018-02-01-r1"), ("1N", "standard-2018-03-01-r1"),
    ]  # fmt: skip
    place = ("--db", desk.place)
    story = run_json(capsys, "office", "explain", "2", "--date", "2018-03-01", *place)
    assert [it["category"] for it in story["categories"]] == ["2N", "1N"]
    _, text, _ = run(capsys, "office", "explain", "2", "--date", "2018-03-01", "--lang", "en", *place)
    assert "1N was reached with the list of 1 March 2018" in text
    assert "(4.3.1.3)" in text


def test_the_proposal_for_the_federation(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    place = ("--db", desk.place)
    _, text, _ = run(capsys, "office category list standard --date 2018-03-01 --lang it", *place)
    assert text.startswith("2 Player 2: 1N raggiunta con la lista del 1° marzo 2018")
    rows = run_json(capsys, "office", "category", "list", "standard", "--date", "2018-02-01", *place)[
        "changes"
    ]
    assert [(row["player"], row["category"]) for row in rows] == [(1, "1N"), (2, "2N")]
    wrong = refusal(capsys, "office category list standard --date 2018-01-01 --lang en", *place)
    assert "has no national categories" in wrong
    assert "standard, rapid, blitz" in refusal(capsys, "office", "category", "list", "italiana", *place)


def test_a_draft_proposes_the_categories(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    lost = "3 1450 | 1w1\n1 1990 | 3b0\n"
    desk.report(event("Third", lost, date(2018, 3, 10)))
    document = run_json(capsys, "office", "draft", "standard", "2018-04-01", "--db", desk.place)
    assert document["categories"] == []  # 1450 wins some points, and not enough for 3N
    since = date(2018, 3, 15)
    decision = decide(
        desk.office, "category", player=3, on_list=STANDARD, day=since, category="2N", reason="champion"
    )
    try:
        document = run_json(capsys, "office", "draft", "standard", "2018-04-01", "--db", desk.place)
        assert [(it["player"], it["category"]) for it in document["categories"]] == [(3, "2N")]
        _, text, _ = run(capsys, "office draft standard 2018-04-01 --db", desk.place, "--lang", "en")
        assert f"2N was given by decision {decision}" in text
    finally:
        revoke(desk.office, decision, reason="test")


def test_files_have_the_category_and_fides_have_not(desk: Desk) -> None:
    folder = desk.folder / "lists"
    rows = (folder / "standard-2018-03-01-r1.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].split(",")[13] == "category"
    assert [row.split(",")[13] for row in rows[1:] if "Player" in row][:2] == ["1N", "1N"]
    assert "1N" not in (folder / "standard-2018-03-01-r1.txt").read_text(encoding="latin-1")
    assert "1N" not in (folder / "standard-2018-03-01-r1.canonical.txt").read_text(encoding="utf-8")
    sheet = pl.read_csv(folder / "standard-2018-03-01-r1.csv")
    assert sheet["category"].to_list()[:2] == ["1N", "1N"]
    assert verify(desk.office).intact


def test_a_decision_gives_a_category(tmp_path: Path) -> None:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    with closing(desk.office):
        desk.list(JAN, listed(1, 1450), listed(2, 1700))
        desk.on(date(2018, 1, 5))
        with pytest.raises(BadInput, match="decision-value"):
            decide(
                desk.office, "category", player=1, on_list=STANDARD, day=FEB, category="CM", reason="champion"
            )
        adopt_edition(desk.office, FSI, lists=[STANDARD], since=date(2018, 1, 2), reason="RTF")
        with pytest.raises(BadInput, match="decision-value"):
            decide(
                desk.office, "category", player=1, on_list=STANDARD, day=FEB, category="GM", reason="champion"
            )
        decide(desk.office, "category", player=1, on_list=STANDARD, day=FEB, category="CM", reason="champion")
        publication = desk.publish(FEB)
        with desk.office.store.reading() as connection:
            (change, _) = category_changes(connection, publication)
        assert (change.player, change.category, change.decision) == (1, "CM", 1)
