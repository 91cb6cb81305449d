"""Editions as values: in order, by date, amended, compared, and a federation's own."""

from dataclasses import fields, replace
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

import arpad
from arpad.model.chess import EntryValue, Performance
from arpad.model.errors import BadInput, NoEdition, NoList
from arpad.model.rules import CHESS_LISTS, Edition, ListName, Rule
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import (
    CHESS_EDITIONS,
    always,
    by_date,
    chess_edition,
    compare,
    dated,
    digest,
    editions_in,
    in_force,
    in_turn,
    provisions,
)
from arpad.regulations.fide.change import adjust_once
from arpad.regulations.fide.editions import FIDE_2009, FIDE_2017, PROCEDURES
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.own_editions import own_edition
from tests.commands import refusal, run, run_json
from tests.thinning import one_in

STANDARD, RAPID, BLITZ = ListName.STANDARD, ListName.RAPID, ListName.BLITZ


@pytest.mark.parametrize(
    ("on_list", "day", "name"),
    [
        (STANDARD, date(2009, 7, 1), "fide-2009"),
        (STANDARD, date(2011, 6, 30), "fide-2009"),
        (STANDARD, date(2012, 6, 30), "fide-2011"),
        (STANDARD, date(2012, 7, 1), "fide-2012"),
        (STANDARD, date(2014, 6, 30), "fide-2013"),
        (STANDARD, date(2017, 7, 1), "fide-2017"),
        (STANDARD, date(2020, 10, 31), "fide-2017"),
        (STANDARD, date(2021, 1, 31), "fide-2020-11"),
        (STANDARD, date(2021, 12, 31), "fide-2021"),
        (STANDARD, date(2022, 10, 31), "fide-2022-10"),
        (STANDARD, date(2022, 11, 1), "fide-2022-11"),
        (STANDARD, date(2023, 12, 25), "fide-2023-12"),
        (STANDARD, date(2025, 9, 30), "fide-2025-09"),
        (STANDARD, date(2025, 12, 31), "fide-2025"),
        (STANDARD, date(2026, 11, 15), "fide-2026"),
        (RAPID, date(2012, 1, 1), "fide-2012"),
        (BLITZ, date(2012, 6, 30), "fide-2012"),
        (RAPID, date(2013, 7, 1), "fide-2013"),
    ],
)
def test_the_edition_in_force_on_the_first_day(on_list: ListName, day: date, name: str) -> None:
    assert in_force(CHESS_EDITIONS, on_list, day).id == name


def test_before_the_first_edition_is_an_error() -> None:
    for on_list, day in ((STANDARD, date(2009, 6, 30)), (RAPID, date(2011, 12, 31))):
        with pytest.raises(NoEdition):
            in_force(CHESS_EDITIONS, on_list, day)
    with pytest.raises(NoList):
        chess_edition("fide-2009").on(RAPID)


def test_every_rule_has_an_article_and_every_edition_its_papers() -> None:
    for edition in CHESS_EDITIONS:
        assert edition.source
        assert edition.checked
        for item in provisions(edition):
            assert item.rule is None or item.rule.article, (edition.id, item.field)
        for rules in edition.lists.values():
            assert set(rules.articles) <= set(FIDE_2009.lists[STANDARD].articles)
            assert all(rules.articles.values())


@pytest.mark.parametrize("on_list", CHESS_LISTS)
def test_by_date_is_the_edition_in_force(on_list: ListName) -> None:
    editions = by_date(on_list)
    begins = [one.starts(on_list) for one in dated(CHESS_EDITIONS, on_list)]
    for day in (day + timedelta(more) for day in begins for more in (0, 1, 40)):
        assert editions(day) is in_force(CHESS_EDITIONS, on_list, day)
    assert editions(begins[0] - timedelta(1)) is editions(begins[0])  # before the first, the first


def test_an_edition_takes_its_turn_on_the_day_it_begins_for_the_list() -> None:
    first, second = chess_edition("fide-2014"), chess_edition("fide-2017")
    late = replace(second, begins={STANDARD: Rule(date(2018, 1, 1), "own 1")})
    assert in_turn(STANDARD, [late, first])(date(2017, 12, 31)) is first
    assert in_turn(STANDARD, [late, first])(date(2018, 1, 1)) is late
    assert in_turn(ListName.RAPID, [late, first])(date(2017, 12, 31)) is late


def test_the_editions_that_take_turns() -> None:
    edition = chess_edition("fsi-2012")
    assert editions_in(always(edition)) == (edition,)
    assert always(edition)(date(1990, 1, 1)) is edition
    assert editions_in(by_date(STANDARD)) == tuple(dated(CHESS_EDITIONS, STANDARD))
    assert editions_in(lambda _: edition) == ()


def test_how_surely_each_edition_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """The texts of 2009, 2017 (standard) and 2024 are read whole; what is known of the others differs by rule."""

    def marks(name: str, on_list: ListName) -> set[str]:
        return {
            str(it.rule.confidence)
            for it in provisions(chess_edition(name))
            if it.rule and it.list == on_list
        }

    for name, on_list in (
        ("fide-2009", STANDARD), ("fide-2017", STANDARD), ("fide-2024", STANDARD), ("fide-2024", BLITZ),
        ("fide-2025", STANDARD),
    ):  # fmt: skip
        assert marks(name, on_list) == {"verified"}
    assert marks("fide-2022", STANDARD) == {"verified", "secondary", "inferred", "unknown"}
    assert marks("fide-2017", RAPID) == {"verified", "secondary", "inferred"}
    rules = chess_edition("fide-2022-11").on(STANDARD)
    assert (rules.inactive_months.confidence, rules.cap.confidence) == ("inferred", "verified")
    assert chess_edition("fide-2026").on(STANDARD).k_new.confidence == "verified"
    shown = run_json(capsys, "editions", "show", "fide-2022")["rules"]["blitz"]["time_bounds"]
    assert (shown["article"], shown["confidence"]) == ("RB 1.1.2", "secondary")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("3 days (0.2)*", "24 (notice 2020)~", "* from federations", "~ inferred", "? unknown")),
        ("it", ("3 giorni (0.2)*", "24 (avviso 2020)~", "* da federazioni", "~ dedotto", "? ignoto")),
    ],
)
def test_show_marks_what_is_not_sure(
    language: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "editions", "show", "fide-2022", "--lang", language)
    assert [word for word in words if word not in " ".join(out.split())] == []


def test_one_off_adjustments() -> None:
    of_2024 = chess_edition("fide-2024").on(STANDARD).one_off_adjustment
    assert of_2024 is not None
    assert of_2024.value.on == date(2024, 3, 1)
    assert [adjust_once(rating, of_2024.value) for rating in (1000, 1001, 1500, 1700, 1999, 2000, 2400)] == [
        1400, 1401, 1700, 1820, 1999, 2000, 2400,
    ]  # fmt: skip
    of_2022 = chess_edition("fide-2022-10").on(RAPID).one_off_adjustment
    assert of_2022 is not None
    assert adjust_once(2283, of_2022.value, standard=2732) == 2632
    assert adjust_once(2700, of_2022.value, standard=2732) == 2700
    assert adjust_once(1500, of_2022.value) == 1500
    assert chess_edition("fide-2022-10").on(STANDARD).one_off_adjustment is None
    assert chess_edition("fide-2024-12").on(STANDARD).one_off_adjustment is None


def test_an_edition_of_ones_own_needs_no_other_change() -> None:
    """Two changed numbers and one changed procedure, and nothing else in the code."""

    def median_opponent(performances: object, rules: ChessRules) -> EntryValue:
        assert isinstance(performances, list)
        first: Performance = performances[0]
        return EntryValue(first.average + 7, first.average, ())

    base = FIDE_2017.lists[STANDARD]
    rules = replace(
        base,
        cap=Rule(200, "own 1"),
        k_times_games=Rule(100, "own 2"),
        entry_formula=Rule(median_opponent, "own 3"),
    )
    made_up: Edition[ChessRules] = replace(FIDE_2017, id="made-up", lists={STANDARD: rules})
    # 2000 beats 1700, counted as 200: .24 a game; K 40 falls to 100 // 5 = 20: 5 x .24 x 20 = 24.
    change = arpad.rating_change(2000, [(1700, 1)] * 5, k=40, edition=made_up)
    assert (change.k_applied, change.change, change.new_rating) == (20, Fraction(24), 2024)
    assert "own 1" in {step.article for game in change.games for step in game.steps}
    assert arpad.entry_rating([([1800] * 5, 2)], edition=made_up).rating == 1807
    assert {field for _, field, _, _ in compare(FIDE_2017, made_up)} >= {
        "cap",
        "k_times_games",
        "entry_formula",
    }


OWN = """
id = "club-2018"
base = "fide-2017"
effective = 2018-01-01
source = "Decision of the board"

[every]
floor = { value = 1200, article = "own 2" }
championship = "none"
registration = { value = { days = 14 }, article = "own 3" }
entry_bonus = { value = "25/2", article = "own 4" }
list_months = { value = [1, 7], article = "own 5" }
time_bounds = "none"

[rapid]
cap_rule = { value = "cap_one_game_per_event", article = "own 6" }
"""


def test_a_federations_own_edition_from_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = own_edition(OWN, CHESS_EDITIONS, PROCEDURES)
    standard, rapid = own.on(STANDARD), own.on(RAPID)
    assert (own.id, own.base, own.effective, own.by_name_only) == (
        "club-2018",
        "fide-2017",
        date(2018, 1, 1),
        True,
    )
    assert standard.floor == rapid.floor == Rule(1200, "own 2")
    assert standard.championship is None
    assert standard.registration.value.deadline(date(2018, 2, 1)) == date(2018, 1, 18)
    assert standard.entry_bonus == Rule(Fraction(25, 2), "own 4")
    assert standard.list_months.value == (1, 7)
    assert rapid.cap_rule.value.__name__ == "cap_one_game_per_event"
    assert standard.cap_rule.value.__name__ == "cap_every_game"
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    document = run_json(capsys, "calc initial --edition", str(path), "--event", "1300,1300,1300,1300,1300:2")
    assert (document["edition"], document["rating"]) == ("club-2018", 1228)
    assert run(capsys, "editions", "diff", "fide-2017", str(path))[0] == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("base = 1", "base"),
        ("base = 'fide-1999'", "fide-1999"),
        ("base = ", "TOML"),
        ("base = 'fide-2017'\n[standard]\nflor = { value = 1, article = 'x' }", "flor"),
        ("base = 'fide-2017'\n[standard]\nfloor = 1200", "floor"),
        ("base = 'fide-2017'\n[standard]\nfloor = { value = 'x', article = 'x' }", "floor"),
        ("base = 'fide-2017'\n[standard]\nfloor = 'none'", "floor"),
        ("base = 'fide-2017'\n[standard]\nfloor = { value = true, article = 'x' }", "floor"),
        ("base = 'fide-2017'\n[standard]\ncap_rule = { value = 'sometimes', article = 'x' }", "sometimes"),
        ("base = 'fide-2017'\n[standard]\nregistration = { value = { weeks = 2 }, article = 'x' }", "weeks"),
        ("base = 'fide-2017'\n[standard]\nentry_bonus = { value = '1/0', article = 'x' }", "1/0"),
        ("base = 'fide-2017'\n[standard]\narticles = { value = 1, article = 'x' }", "articles"),
        ("base = 'fide-2017'\n[senior]\nfloor = { value = 1, article = 'x' }", "senior"),
        ("base = 'fide-2017'\neffective = 'soon'", "soon"),
    ],
)
def test_a_bad_edition_file_is_refused_in_one_sentence(
    text: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput):
        own_edition(text, CHESS_EDITIONS, PROCEDURES)
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    assert part in refusal(capsys, "editions", "show", str(path))


def test_the_digest_changes_with_any_rule() -> None:
    rules = FIDE_2017.lists[STANDARD]
    changed = replace(
        FIDE_2017, lists={**FIDE_2017.lists, STANDARD: replace(rules, floor=Rule(1001, "7.14d"))}
    )
    assert digest(FIDE_2017) == digest(replace(FIDE_2017))
    assert digest(changed) != digest(FIDE_2017)
    assert len({digest(edition) for edition in CHESS_EDITIONS}) == len(CHESS_EDITIONS)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("edition", one_in(3, [edition.id for edition in CHESS_EDITIONS]))
def test_every_edition_can_be_read(edition: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "editions", "show", edition, "--lang", language)
    assert (status, err) == (0, "")
    assert edition in out
    shown = run_json(capsys, "editions", "show", edition)
    assert set(shown["rules"]["standard"]) == {item.name for item in fields(ChessRules)} - {"articles"}


def test_list_of_editions(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "editions")
    assert [item["id"] for item in document["editions"]] == [
        *(edition.id for edition in CHESS_EDITIONS),
        "rubele-2008",
        "rubele-2021",
        *(edition.id for edition in TITLE_EDITIONS),
    ]
    assert run(capsys, "editions", "--lang", "it")[0] == 0


def test_the_guide_changes_the_standard_list_alone() -> None:
    guide, fide = chess_edition("fsi-2012"), chess_edition("fide-2012")
    assert guide.on(RAPID) == fide.on(RAPID)
    assert guide.on(BLITZ) == fide.on(BLITZ)
    assert guide.on(STANDARD).entry_formula != fide.on(STANDARD).entry_formula
