"""Two numbers of one player: the games of both count as one player's, on every list that is made again.

Expected scores come from table 8.1.2: a difference of 0 to 3 gives 0.50, of 4 to 10 gives 0.51, of 11 to 17 gives 0.52.
"""

import json
import zipfile
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.json_values import to_state
from arpad.model.rules import ListName
from arpad.publishing.bundle import verify_bundle
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_lists import ITALIANA, begin, played, standing
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import (
    explain,
    ledger,
    lists_to_revise,
    publications,
    ratings_in_force,
    register_player,
    revise,
    take_back,
    unmerge,
    verify,
)
from tests.builders.verbs import merge as office_merge
from tests.builders.verbs import publish as office_publish
from tests.commands import run, run_json

JAN, FEB, MAR, APR, MAY = (date(2018, month, 1) for month in range(1, 6))
FILES = ("canonical",)
AGAINST_THREE = """
6 0 | 3w1
3 1800 | 6b0
4 1800 | 5w=
5 1800 | 4b=
"""
"""The duplicate beats player 3; two equals draw."""


def publish(desk: Desk, day: date, on_list: ListName = STANDARD) -> None:
    desk.on(day)
    office_publish(desk.office, on_list, day, desk.folder / "lists", kinds=FILES)


def to_revise(desk: Desk) -> list[tuple[ListName, date, int]]:
    return [(it.list, it.first, it.lists) for it in lists_to_revise(desk.office)]


def split(desk: Desk) -> int:
    """Player 1 wins in January, and in February under a new number; the lists to March are out. Return the number.

    January: 1800 beats 1800, 0.50 x 20 = 10: 1810 and 1790. February: the duplicate is unrated and beats player 3,
    whose game against an unrated opponent is not rated.
    """
    desk.list(JAN, *(listed(n, 1800) for n in range(1, 6)))
    desk.report(event("January", "1 1800 | 2w1\n2 1800 | 1b0", date(2018, 1, 10)))
    publish(desk, FEB)
    desk.on(date(2018, 2, 5))
    double = register_player(desk.office, "Player 6", federation="ITA", identifiers={"fide": "9006"}).id
    desk.report(event("February", AGAINST_THREE, date(2018, 2, 10)))
    publish(desk, MAR)
    assert desk.rating(1, MAR) == 1810
    assert desk.rating(3, MAR) == 1800
    assert desk.rating(double, MAR) is None
    return double


def test_a_revision_counts_the_games_of_both_numbers(desk: Desk) -> None:
    """1810 beats 1800: 0.49 x 20 = 9.8, so 1819.8 and 1790.2."""
    double = split(desk)
    desk.on(date(2018, 3, 10))
    merge = office_merge(desk.office, 1, double, reason="the same person", confirmed=True).merge

    assert to_revise(desk) == [(STANDARD, MAR, 1)]
    assert ledger(desk.office)[-1].facts == {
        "merge": merge, "kept": 1, "dropped": double, "confirmed": True,
        "revise": [{"list": "standard", "first": "2018-03-01", "lists": 1, "cause": "merges"}],
    }  # fmt: skip
    found = revise(desk.office, STANDARD, desk.folder / "lists", reason="merge", kinds=FILES)

    assert [r.publication.day for r in found.revisions] == [MAR]
    assert {(d.player, d.before, d.after) for d in found.revisions[0].differences} == {
        (1, 1810, 1820),
        (3, 1800, 1790),
    }
    assert verify(desk.office).intact
    assert not revise(desk.office, STANDARD, reason="once more").revisions
    assert to_revise(desk) == []


def test_a_list_is_to_be_revised_again_when_the_correction_is_taken_back(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    double = split(desk)
    office_merge(desk.office, 1, double, reason="the same person", confirmed=True)
    revise(desk.office, STANDARD, reason="merge")
    assert to_revise(desk) == []

    take_back(desk.office, STANDARD, MAR, reason="too early")

    assert to_revise(desk) == [(STANDARD, MAR, 1)]


def test_the_merge_travels_with_the_bundle(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    double = split(desk)
    office_merge(desk.office, 1, double, reason="the same person", confirmed=True)
    revise(desk.office, STANDARD, desk.folder / "lists", reason="merge", kinds=FILES)

    path = desk.folder / "lists" / "standard-2018-03-01-r2.bundle.zip"
    assert verify_bundle(path).intact
    with zipfile.ZipFile(path) as bundle:
        assert json.loads(bundle.read("period.json"))["merged"] == {str(double): 1}
        assert json.loads(bundle.read("events/2.json"))["players"] == [1, 3, 4, 5]
    with zipfile.ZipFile(desk.folder / "lists" / "standard-2018-03-01-r1.bundle.zip") as bundle:
        assert "merged" not in json.loads(bundle.read("period.json"))


@DEEP_ON_POSTGRESQL
def test_the_next_list_starts_from_the_corrected_base(desk: Desk) -> None:
    """Mode base: the list of March stays, that of April starts from 1820 and 1790."""
    double = split(desk)
    desk.on(date(2018, 3, 10))
    office_merge(desk.office, 1, double, reason="the same person", confirmed=True)
    revise(desk.office, STANDARD, reason="merge", mode="base")
    assert to_revise(desk) == []
    publish(desk, APR)

    assert (desk.rating(1, MAR), desk.rating(1, APR), desk.rating(3, APR)) == (1810, 1820, 1790)
    assert verify(desk.office).intact


@DEEP_ON_POSTGRESQL
def test_a_merge_before_the_list_needs_no_revision(desk: Desk) -> None:
    """The report of the duplicate waits when the merge is made: the list of March counts both, and 1810 is in force."""
    desk.list(JAN, *(listed(n, 1800) for n in range(1, 6)))
    desk.report(event("January", "1 1800 | 2w1\n2 1800 | 1b0", date(2018, 1, 10)))
    publish(desk, FEB)
    desk.on(date(2018, 2, 5))
    double = register_player(desk.office, "Player 6", federation="ITA", identifiers={"fide": "9006"}).id
    desk.report(event("February", AGAINST_THREE, date(2018, 2, 10)))
    desk.on(MAR)
    office_merge(desk.office, 1, double, reason="the same person", confirmed=True)
    assert to_revise(desk) == []
    publish(desk, MAR)

    assert (desk.rating(1, MAR), desk.rating(3, MAR)) == (1820, 1790)
    assert verify(desk.office).intact


def test_undoing_a_merge_and_revising_gives_the_first_list_again(desk: Desk) -> None:
    double = split(desk)
    merge = office_merge(desk.office, 1, double, reason="the same person", confirmed=True).merge
    revise(desk.office, STANDARD, reason="merge")
    desk.on(date(2018, 3, 12))

    unmerge(desk.office, merge, reason="they are two")
    assert to_revise(desk) == [(STANDARD, MAR, 1)]
    found = revise(desk.office, STANDARD, reason="two players")

    assert [(r.publication.day, r.publication.revision) for r in found.revisions] == [(MAR, 3)]
    assert {(d.player, d.before, d.after) for d in found.revisions[0].differences} == {
        (1, 1820, 1810),
        (3, 1790, 1800),
    }
    assert verify(desk.office).intact


def test_an_unmerge_before_any_revision_affects_nothing(sqlite_desk: Desk) -> None:
    double = split(sqlite_desk)
    merge = office_merge(sqlite_desk.office, 1, double, reason="the same person", confirmed=True).merge
    unmerge(sqlite_desk.office, merge, reason="they are two")
    assert to_revise(sqlite_desk) == []
    assert not revise(sqlite_desk.office, STANDARD, reason="nothing").revisions


@DEEP_ON_POSTGRESQL
def test_merges_in_a_chain_count_as_one_player(desk: Desk) -> None:
    """Player 1 has two more numbers, 6 and 7, each with a game; 7 goes to 6 and 6 to 1.

    On the list of February everybody has 1800. In February 1800 beats 3 (1800) as 6 and draws with 2 (1800) as 7:
    0.5 x 20 = 10 and 0, so 1810; 3 falls to 1790 and 2 stays.
    """
    desk.list(JAN, *(listed(n, 1800) for n in range(1, 6)))
    publish(desk, FEB)
    doubles = [
        register_player(desk.office, f"Player {n}", federation="ITA", identifiers={"fide": f"900{n}"}).id
        for n in (6, 7)
    ]
    desk.report(event("One", AGAINST_THREE, date(2018, 2, 10)))
    desk.report(event("Two", "7 0 | 2w=\n2 1800 | 7b=\n4 1800 | 5w=\n5 1800 | 4b=", date(2018, 2, 12)))
    publish(desk, MAR)
    office_merge(desk.office, doubles[0], doubles[1], reason="the same person", confirmed=True)
    office_merge(desk.office, 1, doubles[0], reason="the same person", confirmed=True)
    assert to_revise(desk) == [(STANDARD, MAR, 1)]
    revise(desk.office, STANDARD, reason="merges")

    assert (desk.rating(1, MAR), desk.rating(2, MAR), desk.rating(3, MAR)) == (1810, 1800, 1790)
    assert verify(desk.office).intact


@DEEP_ON_POSTGRESQL
def test_the_pools_of_two_unrated_numbers_are_one_pool(desk: Desk) -> None:
    """2017 8.2: five games against rated opponents, three under one number and two under the other.

    All opponents have 1800 and the score is 2.5 of 5, half: the entry rating is their average, 1800. Alone, neither
    number has five games.
    """
    rated = [listed(n, 1800) for n in range(1, 6)]
    desk.list(JAN, *rated)
    one, two = (
        register_player(desk.office, f"Player {n}", federation="ITA", identifiers={"fide": f"900{n}"}).id
        for n in (6, 7)
    )
    first = """
    6 0    | 1w1 2b= 3w0
    1 1800 | 6b0 4w= 5w=
    2 1800 | 3w= 6w= 4b=
    3 1800 | 2b= 5w= 6b1
    4 1800 | 5w= 1b= 2w=
    5 1800 | 4b= 3b= 1b=
    """
    desk.report(event("One", first, date(2018, 1, 10), date(2018, 1, 12)))
    second = """
    7 0    | 4w1 5b0
    4 1800 | 7b0 2w=
    5 1800 | 3b= 7w1
    1 1800 | 2w= 3b=
    2 1800 | 1b= 4b=
    3 1800 | 5w= 1w=
    """
    desk.report(event("Two", second, date(2018, 2, 10), date(2018, 2, 11)))
    publish(desk, FEB)
    publish(desk, MAR)
    assert (desk.rating(one, MAR), desk.rating(two, MAR)) == (None, None)

    desk.on(date(2018, 3, 10))
    office_merge(desk.office, one, two, reason="the same person", confirmed=True)
    publish(desk, APR)

    assert desk.rating(one, APR) == 1800
    assert verify(desk.office).intact


@DEEP_ON_POSTGRESQL
def test_the_games_of_both_numbers_decide_k(desk: Desk) -> None:
    """8.56 counts rated games for K: 18 under one number and 12 under the other are 30 games of one player."""
    desk.list(JAN, listed(1, 1800, 40), listed(6, 1800, 40), *(listed(n, 1800) for n in range(10, 28)))
    eighteen = " ".join(f"{n}{'wb'[n % 2]}=" for n in range(10, 28))
    rows = [f"1 1800 | {eighteen}"]
    for n in range(10, 28):
        cells = " ".join(f"1{'bw'[n % 2]}=" if n == m else ".Z" for m in range(10, 28))
        rows.append(f"{n} 1800 | {cells}")
    desk.report(event("Eighteen", "\n".join(rows), date(2018, 1, 2), date(2018, 1, 25)))
    twelve = " ".join(f"{n}{'wb'[n % 2]}=" for n in range(10, 22))
    rows = [f"6 1800 | {twelve}"]
    for n in range(10, 22):
        cells = " ".join(f"6{'bw'[n % 2]}=" if n == m else ".Z" for m in range(10, 22))
        rows.append(f"{n} 1800 | {cells}")
    desk.report(event("Twelve", "\n".join(rows), date(2018, 1, 2), date(2018, 1, 25)))
    publish(desk, FEB)
    before = games_of(desk, 1, FEB)
    office_merge(
        desk.office, 1, 2, reason="the same person", confirmed=True
    )  # 9006 is the second row of the list
    revise(desk.office, STANDARD, reason="merge")

    assert games_of(desk, 1, FEB) == before + 12


def games_of(desk: Desk, player: int, day: date) -> int:
    publication = publications(desk.office, STANDARD)[-1]
    assert publication.day == day
    with desk.office.store.reading() as connection:
        from arpad.office.lists.history_rows import states

        return to_state(player, states(connection, publication.id)[player]).games


@DEEP_ON_POSTGRESQL
def test_a_number_with_no_games_of_its_own_revises_nothing(desk: Desk) -> None:
    """The lists say what is right under the other number: only the number changes, from the next list on."""
    split(desk)
    fresh = register_player(desk.office, "Player 1", federation="ITA").id
    office_merge(desk.office, fresh, 1, reason="the right number", confirmed=True)
    assert to_revise(desk) == []
    assert not revise(desk.office, STANDARD, reason="nothing").revisions
    publish(desk, APR)
    assert (desk.rating(fresh, APR), desk.rating(1, APR)) == (1810, None)


def test_two_entrants_of_one_event_are_two_players(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 1800), listed(2, 1800))
    number = desk.report(event("Match", "1 1800 | 2w1\n2 1800 | 1b0", date(2018, 1, 10)))
    acts = len(ledger(desk.office))
    with pytest.raises(BadInput) as caught:
        office_merge(desk.office, 1, 2, reason="the same person", confirmed=True)
    assert (caught.value.code, caught.value.facts["report"]) == ("merge-same-event", number)
    assert len(ledger(desk.office)) == acts


def test_a_decision_on_k_follows_the_merged_player(sqlite_desk: Desk) -> None:
    """K 40 was decided for the duplicate: 1800 beats 1800, 0.50 x 40 = 20."""
    desk = sqlite_desk
    desk.list(JAN, listed(1, 1800), listed(2, 1800), listed(6, 1800))
    decide(desk.office, "k", player=3, on_list=STANDARD, day=FEB, k=40, reason="so decided")
    office_merge(desk.office, 1, 3, reason="the same person", confirmed=True)
    desk.report(event("January", "1 1800 | 2w1\n2 1800 | 1b0", date(2018, 1, 10)))
    publish(desk, FEB)
    assert desk.rating(1, FEB) == 1820
    assert verify(desk.office).intact


def test_the_explanation_contains_the_games_of_both_numbers(sqlite_desk: Desk) -> None:
    double = split(sqlite_desk)
    office_merge(sqlite_desk.office, 1, double, reason="the same person", confirmed=True)
    revise(sqlite_desk.office, STANDARD, reason="merge")
    told = explain(sqlite_desk.office, 1, STANDARD, date(2018, 3, 10))
    assert told.change is not None
    assert [event.name for event in told.change.events] == ["February"]
    assert [game.rating for event in told.change.events for game in event.games] == [1800]


def test_a_draughts_list_is_revised_too(desk: Desk) -> None:
    """Table 18: equals of 2000 who draw gain the bonus of 10 each, as in the tests of the year.

    Player 3 is a duplicate of player 1 with 1500 and a draw against 2 (2000) on the list of 31 March; as one player
    both have 2000, so the draw is between equals.
    """
    begin(desk, standing(1, 2000), standing(2, 2000), standing(3, 1500))
    played(desk, "Gara", "2 0 | 3w=\n3 0 | 2b=", date(2018, 3, 10))
    desk.on(date(2018, 3, 31))
    office_publish(desk.office, ITALIANA, date(2018, 3, 31), desk.folder / "lists", kinds=("csv",))
    before = ratings_in_force(desk.office, ITALIANA, date(2018, 3, 31))
    assert before[1] == 2000
    office_merge(desk.office, 1, 3, reason="one person", confirmed=True)
    assert to_revise(desk) == [(ITALIANA, date(2018, 3, 31), 1)]

    revise(desk.office, ITALIANA, desk.folder / "lists", reason="merge", kinds=("csv",))

    assert ratings_in_force(desk.office, ITALIANA, date(2018, 3, 31)) == {1: 2010, 2: 2010}
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / "italiana-2018-03-31-r2.bundle.zip").intact


# ------------------------------------------------------------------------------------------ what the officer is told


def test_the_commands_say_which_lists_to_revise(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sqlite_desk
    double = split(desk)
    monkeypatch.setenv("ARPAD_DB", desk.place)
    status, told, _ = run(
        capsys, "office", "merge", "1", str(double), "--confirmed", "--reason", "same", "--lang", "en"
    )
    assert status == 0
    assert "standard, 1 published list from 1 March 2018 on" in told
    assert "arpad office revise standard" in told
    wanted = [{"list": "standard", "first": "2018-03-01", "lists": 1, "cause": "merges"}]
    assert run_json(capsys, "office", "draft", "standard", "2018-04-01")["revise"] == wanted
    assert (
        "liste pubblicate" not in run(capsys, "office", "draft", "standard", "2018-04-01", "--lang", "it")[1]
    )
    assert "1 lista pubblicata" in run(capsys, "office", "draft", "standard", "2018-04-01", "--lang", "it")[1]
    run_json(capsys, "office", "revise", "standard", "--reason", "merge")
    assert run_json(capsys, "office", "draft", "standard", "2018-04-01")["revise"] == []
    assert run_json(capsys, "office", "unmerge", "1", "--reason", "two")["revise"] == wanted


@pytest.mark.parametrize(
    ("name", "born", "score"),
    [
        ("King, Melvyn", None, 0),
        ("Jones, Gawain C B", 1987, 100),
        ("Jones, Gawain", date(1987, 12, 11), 118),
        ("Jones, Gawain", 1988, 88),
        ("Jones, Gawain", 1961, 75),
    ],
)
def test_two_people_whose_names_or_births_do_not_agree_are_merged_only_if_confirmed(
    sqlite_desk: Desk, name: str, born: date | int | None, score: int
) -> None:
    """The points of a near name, 18 for the same day of birth, 8 for the year, -12 for a year with one wrong digit."""
    office = sqlite_desk.office
    register_player(office, "Jones, Gawain", born=date(1987, 12, 11))
    register_player(office, name, born=born)
    if score >= 100:
        office_merge(office, 1, 2, reason="one person")
        return
    acts = len(ledger(office))
    with pytest.raises(BadInput, match="merge-differs") as refused:
        office_merge(office, 1, 2, reason="one person")
    assert (refused.value.facts["least"], len(ledger(office))) == (83, acts)
    if name.startswith("Jones"):
        assert refused.value.facts["score"] == score
    else:
        assert refused.value.facts["score"] < 83
    office_merge(office, 1, 2, reason="one person", confirmed=True)
    assert verify(office).intact
