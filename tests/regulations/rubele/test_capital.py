"""The change of a capital: every printed example, and what must hold for all of them."""

import csv
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.rules import ListName, Rule
from arpad.regulations.rubele.capital import change, check_scored, expected
from arpad.regulations.rubele.editions import RUBELE_2008, RUBELE_2021
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.tables import TABLE_19
from tests.paths import MESSAGES, SHARED


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


CASES = rows(Path(__file__).parent / "rubele-cases.csv")

RULES = st.sampled_from([RUBELE_2008.on(ListName.ITALIANA), RUBELE_2008.on(ListName.INTERNAZIONALE)])
CAPITALS = st.integers(100, 6500)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['case']} {case['discipline']}")
def test_each_example_gives_its_capital_and_passes_its_thresholds(case: dict[str, str]) -> None:
    rules = RUBELE_2008.on(ListName(case["discipline"]))
    found = change(int(case["ci"]), int(case["po"]), int(Fraction(case["pa"]) * 100), rules)
    assert found.unrounded == Fraction(case["unrounded"])
    assert found.final == int(case["cf"])
    assert [crossing.threshold for crossing in found.crossings] == [
        int(text) for text in case["crossed"].split()
    ]


def test_the_shared_vectors_agree_where_they_are_at_hand() -> None:
    path = SHARED / "rules" / "rubele-vectors.csv"
    if not path.exists():
        pytest.skip("the shared rules are not here")
    names = {"it": ListName.ITALIANA, "int": ListName.INTERNAZIONALE}
    vectors = rows(path)
    assert len(vectors) == 25
    for row in vectors:
        rules = RUBELE_2008.on(names[row["discipline"]])
        found = change(int(row["ci"]), int(row["po"]), int(Fraction(row["pa"]) * 100), rules)
        assert found.final == int(row["cf"]), row["id"]


def test_steps_are_those_the_federation_prints() -> None:
    found = change(3479, 14, 930, RUBELE_2008.on(ListName.ITALIANA))
    assert [(step.quantity, step.value) for step in found.steps] == [
        ("CI", 3479),
        ("PA", Fraction(930, 100)),
        ("PO", 14),
        ("D", Fraction(470, 100)),
        ("S", 100),
        ("V", 470),
        ("threshold-up", 3900),
        ("capital-reached", Fraction(7849, 2)),
        ("capital-rounded", 3925),
        ("CF", 3925),
    ]
    sentences = [load_words("it").step(step) for step in found.steps]
    assert sentences[3] == "Differenza (D) = 14 − 9,30 = +4,70"
    assert sentences[5] == "Variazione (V) = +4,70 × 100 = +470"
    assert "non sarà 3949" in sentences[6]
    assert "49 × (50 : 100) = 24,5" in sentences[6]
    assert sentences[7] == "3900 + 24,5 = 3924,5"
    assert sentences[-1] == "Capitale finale (CF) = 3925 (+446)"


def test_the_way_down_is_told_as_in_table_14() -> None:
    found = change(4000, 9, 1174, RUBELE_2008.on(ListName.ITALIANA))
    sentences = [load_words("it").step(step) for step in found.steps]
    assert "Variazione (V) = -2,74 × 50 = -137" in sentences
    assert any("non sarà 3863" in text and "37 × (100 : 50) = 74" in text for text in sentences)
    assert "3900 - 74 = 3826" in sentences
    assert "Final capital (CF) = 3826 (-174)" in [load_words("en").step(step) for step in found.steps]


# ------------------------------------------------------------------------------- bonus, Q, minimum, weight


def test_bonus_comes_after_rounding_and_is_not_scaled() -> None:
    italiana = RUBELE_2008.on(ListName.ITALIANA)
    assert change(3479, 14, 930, italiana, first_of_year=True).final == 3935
    assert (
        change(3895, 0, 0, italiana, first_of_year=True).final == 3905
    )  # 3895 + 10, though 3900 lies between


def test_q_comes_at_every_event_and_no_bonus_any_more() -> None:
    assert change(3479, 14, 930, RUBELE_2021.on(ListName.ITALIANA), first_of_year=True).final == 3935
    assert change(3479, 14, 930, RUBELE_2021.on(ListName.ITALIANA)).final == 3935
    assert change(2479, 14, 930, RUBELE_2021.on(ListName.INTERNAZIONALE)).final == 3131


def test_the_minimum_comes_before_the_bonus_unless_the_edition_says_otherwise() -> None:
    italiana = RUBELE_2008.on(ListName.ITALIANA)
    after = replace(italiana, floor_before_added=Rule(value=False, article="own"))
    # 245 - 1.00 × 150 = 95
    assert change(245, 0, 100, italiana, first_of_year=True).final == 110
    assert change(245, 0, 100, after, first_of_year=True).final == 105
    assert change(150, 0, 100, after, first_of_year=True).final == 100


def test_weight_scales_the_difference_only() -> None:
    italiana = RUBELE_2008.on(ListName.ITALIANA)
    found = change(3479, 14, 930, italiana, weight=Fraction(1, 2), first_of_year=True)
    assert found.deviation == Fraction(235, 100)
    assert found.final == 3479 + 235 + 10
    assert "La gara vale il 50 %: D = +4,70 × 50 : 100 = +2,35" in [
        load_words("it").step(s) for s in found.steps
    ]


@pytest.mark.parametrize(("scored", "pa"), [(19, 900), (-1, 900), (9, 1801), (9, -1)])
def test_points_beyond_twice_the_games_are_refused(scored: int, pa: int) -> None:
    check_scored(18, 1800, 9)
    with pytest.raises(BadInput):
        check_scored(scored, pa, 9)


def test_a_capital_below_the_minimum_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        change(99, 1, 100, RUBELE_2008.on(ListName.ITALIANA))
    assert load_words("it").error(caught.value) == "il capitale 99 è sotto il minimo di 100 punti"


# ------------------------------------------------------------------------------------------- the table 19


def test_table_19_is_the_printed_one() -> None:
    points = [TABLE_19.expected(gap) for gap in (0, 9, 10, 30, 31, 521, 1129, 1130, 4929, 4930)]
    assert points == [
        100, 100, 101, 101, 102, 125, 150, 151, 199, 200,
    ]  # fmt: skip
    path = SHARED / "rules" / "rubele-table19.csv"
    if not path.exists():
        pytest.skip("the shared rules are not here")
    for row in rows(path):
        for difference in {int(row["lo"]), int(row["hi"] or 9999)}:
            assert TABLE_19.expected(difference) == int(Fraction(row["pa_plus"]) * 100)
            if difference:
                assert TABLE_19.expected(-difference) == int(Fraction(row["pa_minus"]) * 100)


def test_table_19_is_antisymmetric() -> None:
    for difference in range(6000):
        assert TABLE_19.expected(difference) + TABLE_19.expected(-difference) == 200


@pytest.mark.parametrize(
    ("number", "sum_against_known"), [(1, 505), (2, 653), (3, 508), (5, 556), (6, 363), (9, 415)]
)
def test_the_known_players_of_the_board_expect_these_sums(number: int, sum_against_known: int) -> None:
    capitals = {1: 3479, 2: 4000, 3: 3482, 5: 3656, 6: 2970, 9: 3161}
    rules = RUBELE_2008.on(ListName.ITALIANA)
    found = sum(expected(capitals[number], other, rules) for key, other in capitals.items() if key != number)
    assert found == sum_against_known


# --------------------------------------------------------------------------------------------- properties


def literal(capital: int, deviation: Fraction, rules: DraughtsRules) -> Fraction:
    """The wording of table 17: one S first, then what lies beyond a threshold divided by it, times the new S."""
    thresholds, coefficients = rules.s_thresholds.value, rules.s_coefficients.value
    low, high = thresholds
    if capital < low:
        place = 0
    elif capital <= high:
        place = 1
    else:
        place = 2
    final = capital + coefficients[place] * deviation
    if deviation > 0:
        for index in range(place, 2):
            if final > thresholds[index]:
                beyond = final - thresholds[index]
                final = thresholds[index] + beyond / coefficients[index] * coefficients[index + 1]
    else:
        for index in range(place - 1, -1, -1):
            if final < thresholds[index]:
                beyond = final - thresholds[index]
                final = thresholds[index] + beyond / coefficients[index + 1] * coefficients[index]
    return final


@given(RULES, CAPITALS, st.integers(0, 40), st.integers(0, 4000))
def test_the_walk_equals_the_literal_wording(rules: DraughtsRules, capital: int, po: int, pa: int) -> None:
    found = change(capital, po, pa, rules)
    assert found.unrounded == literal(capital, po - Fraction(pa, 100), rules)
    assert found.final == max(100, half_up(found.unrounded))


@given(RULES, CAPITALS, st.integers(0, 40), st.integers(0, 4000))
def test_more_points_never_lower_the_capital(rules: DraughtsRules, capital: int, po: int, pa: int) -> None:
    fewer, more = change(capital, po, pa, rules), change(capital, po + 1, pa, rules)
    assert fewer.final <= more.final
    assert more.unrounded - fewer.unrounded >= min(rules.s_coefficients.value)


@given(RULES, CAPITALS, st.integers(-1500, 1500))
def test_a_gain_and_the_same_loss_lead_back(rules: DraughtsRules, capital: int, hundredths: int) -> None:
    # as long as nothing is rounded, the walk down is the walk up backwards
    from arpad.regulations.rubele.capital import walk

    _, there = walk(capital, Fraction(hundredths, 100), rules)
    if there.denominator == 1:
        _, back = walk(int(there), Fraction(-hundredths, 100), rules)
        assert back == capital


def test_both_languages_have_the_same_draughts_keys() -> None:
    folder = MESSAGES
    read = {
        lang: tomllib.loads((folder / lang / "draughts.toml").read_text("utf-8")) for lang in ("it", "en")
    }
    assert {s: sorted(k) for s, k in read["it"].items()} == {s: sorted(k) for s, k in read["en"].items()}
