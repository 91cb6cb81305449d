"""Categories, the year's end, conversions, and editions of one's own."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.explain.words import load_words
from arpad.model.draughts import Category, DraughtsState, Title, category_named, rank_named
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import ListName, Rule
from arpad.regulations.editions import in_force, named
from arpad.regulations.own_editions import own_edition
from arpad.regulations.rubele.capital import change
from arpad.regulations.rubele.categories import category_of, held_after
from arpad.regulations.rubele.editions import EDITIONS, PROCEDURES, RUBELE_2008, RUBELE_2021
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import by_decision, from_fmjd, from_other_list, newcomer
from arpad.regulations.rubele.year_end import year_end

ITALIANA, INTERNAZIONALE = RUBELE_2008.on(ListName.ITALIANA), RUBELE_2008.on(ListName.INTERNAZIONALE)
P, R, N, CM, M = Category

# ---------------------------------------------------------------------------------------- tables 11 and 12


@pytest.mark.parametrize(
    ("rules", "thresholds"),
    [(ITALIANA, (1000, 2000, 3000, 3900)), (INTERNAZIONALE, (1700, 2500, 3300, 3800))],
    ids=["table 12", "table 11"],
)
def test_a_category_begins_exactly_at_its_threshold(
    rules: DraughtsRules, thresholds: tuple[int, ...]
) -> None:
    for threshold, below, reached in zip(thresholds, (P, R, N, CM), (R, N, CM, M), strict=True):
        assert category_of(threshold - 1, rules) is below
        assert category_of(threshold, rules) is reached


def test_a_held_category_rises_and_never_falls() -> None:
    assert held_after(CM, 100, ITALIANA) is CM
    assert held_after(P, 3900, ITALIANA) is M


def test_newcomers_begin_with_the_starting_capital() -> None:
    assert (newcomer(ITALIANA).category, newcomer(ITALIANA).capital) == (P, 300)
    assert (newcomer(INTERNAZIONALE).category, newcomer(INTERNAZIONALE).capital) == (P, 500)


@pytest.mark.parametrize("text", ["M.N.", "mn", "Maestro", "maestro nazionale", "M"])
def test_a_national_master_is_a_plain_master(text: str) -> None:
    assert category_named(text) is M


def test_categories_are_read_as_people_write_them() -> None:
    assert (
        category_named("Candidato  Maestro")
        is category_named("candidato-maestro")
        is category_named("CM")
        is CM
    )
    assert rank_named("G.M.I.") is Title.GMI
    for text in ("granduca", "gmi", ""):
        with pytest.raises(BadInput) as caught:
            category_named(text)
        assert "provinciale, regionale, nazionale, candidato-maestro, maestro" in load_words("it").error(
            caught.value
        )


# ---------------------------------------------------------------------------------------- tables 20, 21, 22


@pytest.mark.parametrize(
    ("held", "category", "capital"), [(M, N, 2500), (CM, R, 1700), (N, P, 1000), (R, P, 500), (P, P, 500)]
)
def test_table_20(held: Category, category: Category, capital: int) -> None:
    debut = from_other_list(held, INTERNAZIONALE)
    assert (debut.category, debut.capital) == (category, capital)
    assert debut.steps[0].article == "Tab. 20"


@pytest.mark.parametrize(
    ("held", "category", "capital"),
    [
        (Title.GMI, N, 2700), (Title.MI, N, 2700), (Title.MF, N, 2300), (M, N, 2000),
        (CM, R, 1500), (N, R, 1000), (R, P, 300), (P, P, 300),
    ],
)  # fmt: skip
def test_table_21(held: Category | Title, category: Category, capital: int) -> None:
    debut = from_other_list(held, ITALIANA)
    assert (debut.category, debut.capital) == (category, capital)
    assert debut.steps[0].article == "Tab. 21"


def test_titles_convert_to_italiana_only() -> None:
    with pytest.raises(BadInput) as caught:
        from_other_list(Title.MF, INTERNAZIONALE)
    assert caught.value.code == "no-conversion"


@pytest.mark.parametrize(
    ("fmjd", "capital"),
    [
        (1000, 1800),
        (2000, 3600),
        (2001, 4402),
        (2200, 4840),
        (2201, 5282),
        (2300, 5520),
        (2301, 5753),
        (2400, 6000),
    ],
)
def test_table_22_and_its_boundaries(fmjd: int, capital: int) -> None:
    assert from_fmjd(fmjd, INTERNAZIONALE).capital == capital


@given(st.integers(1, 9998))
def test_a_higher_fmjd_rating_never_gives_less(fmjd: int) -> None:
    assert from_fmjd(fmjd, INTERNAZIONALE).capital <= from_fmjd(fmjd + 1, INTERNAZIONALE).capital


def test_fmjd_ratings_that_cannot_be() -> None:
    for rating in (0, -5, 10000):
        with pytest.raises(BadInput):
            from_fmjd(rating, INTERNAZIONALE)
    with pytest.raises(BadInput):
        from_fmjd(2000, ITALIANA)
    assert from_fmjd(10, INTERNAZIONALE).capital == 100


def test_a_decision_needs_author_and_reason() -> None:
    debut = by_decision(1800, "CTF", "maestro russo senza rating FMJD", INTERNAZIONALE)
    assert (debut.capital, debut.category) == (1800, R)
    assert (
        load_words("it")
        .step(debut.steps[0])
        .endswith("per decisione di CTF: maestro russo senza rating FMJD")
    )
    for author, reason in (("", "x"), ("CTF", " ")):
        with pytest.raises(BadInput):
            by_decision(1800, author, reason, INTERNAZIONALE)
    with pytest.raises(BadInput):
        by_decision(99, "CTF", "x", INTERNAZIONALE)


# ------------------------------------------------------------------------------------------------ table 18

IDLE = DraughtsState("Anna", 2000, N, last_event=date(2007, 5, 1))


def years(standing: DraughtsState, count: int, rules: DraughtsRules = ITALIANA) -> list[int | None]:
    capitals = []
    for year in range(2008, 2008 + count):
        (standing,) = year_end([standing], year, rules).standings
        capitals.append(standing.capital)
    return capitals


def test_fifty_a_year_and_450_in_all() -> None:
    assert years(IDLE, 11) == [1950, 1900, 1850, 1800, 1750, 1700, 1650, 1600, 1550, 1550, 1550]


def test_who_played_keeps_everything() -> None:
    closed = year_end([replace(IDLE, last_event=date(2008, 1, 1), idle_years=3)], 2008, ITALIANA)
    assert (closed.standings[0].capital, closed.standings[0].idle_years) == (2000, 0)
    assert not closed.deductions


def test_the_malus_stops_at_the_minimum_and_only_what_was_taken_counts() -> None:
    closed = year_end([replace(IDLE, capital=130)], 2008, ITALIANA)
    assert (closed.standings[0].capital, closed.standings[0].malus) == (100, 30)
    assert closed.deductions[0].taken == 30
    assert years(replace(IDLE, capital=100), 2) == [100, 100]


def test_the_malus_never_demotes() -> None:
    closed = year_end([IDLE], 2008, ITALIANA)
    assert closed.standings[0].category is N
    assert category_of(1950, ITALIANA) is R


def test_the_register_lists_everyone_with_points_taken() -> None:
    played = replace(IDLE, name="Bruno", malus=100, last_event=date(2008, 7, 1))
    never = replace(IDLE, name="Carla", last_event=date(2008, 7, 1))
    closed = year_end([IDLE, played, never], 2008, ITALIANA)
    assert [(s.name, s.malus) for s in closed.register] == [("Anna", 50), ("Bruno", 100)]
    assert (
        load_words("it")
        .step(closed.deductions[0].step)
        .startswith("Nessuna gara nell'anno: 2000 − 50 = 1950")
    )


def test_a_foreign_player_loses_fifty_and_then_everything() -> None:
    foreign = replace(IDLE, foreign=True)
    assert years(foreign, 3) == [1950, None, None]
    (standing,) = year_end([foreign], 2008, ITALIANA).standings
    closed = year_end([standing], 2009, ITALIANA)
    assert [entry.before.capital for entry in closed.cancelled] == [1950]
    assert not year_end(closed.standings, 2010, ITALIANA).cancelled


def test_a_year_is_closed_once() -> None:
    closed = year_end([IDLE], 2008, ITALIANA)
    with pytest.raises(BadInput) as caught:
        year_end(closed.standings, 2008, ITALIANA)
    assert load_words("it").error(caught.value) == "la fine del 2008 è già stata applicata a Anna"


def test_years_without_an_event_are_counted_from_the_last_event() -> None:
    # a list that was not closed in 2007 and does not know of it
    forgotten = replace(IDLE, foreign=True, last_event=date(2006, 5, 1))
    assert years(forgotten, 1) == [None]


def test_a_list_that_has_gone_on_cannot_be_closed() -> None:
    for standing in (replace(IDLE, last_event=date(2009, 1, 1)), replace(IDLE, history_known=False)):
        with pytest.raises(BadInput):
            year_end([standing], 2008, ITALIANA)


@given(st.integers(100, 5000), st.integers(0, 450), st.booleans())
def test_the_malus_never_breaks_its_limits(capital: int, malus: int, foreign: bool) -> None:
    (after,) = year_end(
        [replace(IDLE, capital=capital, malus=malus, foreign=foreign)], 2008, ITALIANA
    ).standings
    assert after.capital is not None
    assert 100 <= after.capital <= capital
    assert after.malus <= 450
    assert capital - after.capital == after.malus - malus <= 50


# ------------------------------------------------------------------------------------------------ editions


def test_editions_are_found_by_name_and_by_date() -> None:
    assert named("rubele-2008", EDITIONS) is RUBELE_2008
    assert in_force(EDITIONS, ListName.ITALIANA, date(2020, 12, 31)) is RUBELE_2008
    assert in_force(EDITIONS, ListName.INTERNAZIONALE, date(2021, 1, 1)) is RUBELE_2021
    with pytest.raises(NoEdition):
        in_force(EDITIONS, ListName.ITALIANA, date(2007, 12, 31))


def test_2021_changes_bonus_and_quota_only() -> None:
    for name, quota in ((ListName.ITALIANA, 10), (ListName.INTERNAZIONALE, 15)):
        old, new = RUBELE_2008.on(name), RUBELE_2021.on(name)
        assert new.quota is not None
        assert new.quota.value == quota
        assert replace(new, bonus=old.bonus, quota=None) == old


OWN = """
id = "rubele-1994"
base = "rubele-2008"
source = "CTF, 16 January 1994"

[every]
minimum_capital = { value = 500, article = "CTF 1994" }
starting_capital = { value = 500, article = "CTF 1994" }
malus_limit_per_absence = { value = true, article = "own" }
bonus = "none"
"""


def test_a_federation_writes_its_own_minimum_and_readings_into_a_file() -> None:
    own = own_edition(OWN, EDITIONS, PROCEDURES).on(ListName.ITALIANA)
    assert change(520, 0, 100, own, first_of_year=True).final == 500
    assert year_end([replace(IDLE, capital=520)], 2008, own).standings[0].capital == 500
    assert newcomer(own).capital == 500
    with pytest.raises(BadInput):
        change(499, 0, 100, own)


@pytest.mark.parametrize(
    "line",
    [
        's_coefficients = { value = [150, 100], article = "own" }',
        's_coefficients = { value = [150, 100, 0], article = "own" }',
        's_thresholds = { value = [3900, 3000], article = "own" }',
        'promotions = { value = [1000, 2000, 3000], article = "own" }',
        'minimum_capital = { value = 400, article = "own" }',
    ],
)
def test_rules_that_do_not_fit_together_are_refused(line: str) -> None:
    with pytest.raises(BadInput) as caught:
        own_edition(f'base = "rubele-2008"\n[italiana]\n{line}\n', EDITIONS, PROCEDURES)
    assert load_words("it").error(caught.value)
    assert load_words("en").error(caught.value)


def test_every_rule_has_a_name_and_every_procedure_too() -> None:
    for language in ("it", "en"):
        words = load_words(language)
        for edition in EDITIONS:
            assert words.text(f"edition.{edition.id}")
            for rules in edition.lists.values():
                for field in rules.__dataclass_fields__:
                    rule: Rule[object] | None = getattr(rules, field)
                    assert words.text(f"rule.{field}")
                    assert rule is None or words.rule_value(rule.value)
