"""Groups: the formulas of table 23 and the splits that follow."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.explain.words import load_words
from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.regulations.rubele.editions import RUBELE_2008
from arpad.regulations.rubele.groups import Contender, limits, seeded, share_out, split, whole_table
from tests.paths import SHARED

RULES = RUBELE_2008.on(ListName.ITALIANA)
CAPS = SHARED / "rules" / "rubele-group-caps.csv"
MINIMUMS = {5: 8, 6: 10, 7: 10, 8: 12, 9: 12, 10: 14}

# rounds, then for 2, 3, 4, 5, 6 groups: critical number, first players with an increment, cap at 200 players
WORKED = {
    5: ((40, 44, 95), (60, 66, 61), (80, 88, 45), (100, 110, 35), (120, 132, 27)),
    6: ((48, 52, 94), (72, 78, 60), (96, 104, 44), (120, 130, 34), (144, 156, 26)),
    7: ((56, 60, 93), (84, 90, 59), (112, 120, 43), (140, 150, 33), (168, 180, 25)),
    8: ((64, 68, 92), (96, 102, 58), (128, 136, 42), (160, 170, 32), (192, None, 24)),
    9: ((72, 76, 91), (108, 114, 57), (144, 152, 41), (180, 190, 31), (216, None, 27)),
    10: ((80, 84, 90), (120, 126, 56), (160, 168, 40), (200, None, 30), (240, None, 30)),
}


@pytest.mark.parametrize(("rounds", "groups"), [(t, g) for t in WORKED for g in range(2, 7)])
def test_the_formulas_of_table_23(rounds: int, groups: int) -> None:
    critical, first, cap = WORKED[rounds][groups - 2]
    found = limits(200, rounds, groups, RULES)
    assert (found.critical, found.first_group_cap, found.minimum) == (critical, cap, MINIMUMS[rounds])
    rising = [n for n in range(18, 201) if limits(n, rounds, groups, RULES).increment]
    assert next(iter(rising), None) == first
    assert limits(critical, rounds, groups, RULES).first_group_cap == 3 * rounds


def test_every_cap_of_the_computed_table() -> None:
    if not CAPS.exists():
        pytest.skip("the shared rules are not here")
    rows = list(csv.DictReader(CAPS.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 5 * 6 * 183
    table = {
        (bounds.rounds, bounds.groups, bounds.players): (bounds, found)
        for bounds, found in whole_table(RULES)
    }
    assert len(table) == len(rows)
    for row in rows:
        bounds, found = table[int(row["rounds"]), int(row["groups"]), int(row["players"])]
        assert (bounds.critical, bounds.increment) == (int(row["critical"]), int(row["increment"]))
        assert (bounds.first_group_cap, bounds.minimum) == (
            int(row["first_group_cap"]),
            int(row["min_per_group"]),
        )
        assert (found is not None) == (row["feasible"] == "yes")
        if found is not None:
            assert found.sizes[0] == int(row["first_group_cap_leaving_min"])


# worked by hand: cap, then the rest as even as can be, the odd ones below
@pytest.mark.parametrize(
    ("players", "rounds", "groups", "sizes"),
    [
        (18, 5, 2, (10, 8)),  # cap 15, but the second group needs 8
        (23, 5, 2, (15, 8)),
        (40, 5, 2, (15, 25)),
        (44, 5, 2, (17, 27)),
        (30, 5, 3, (14, 8, 8)),
        (44, 5, 3, (15, 14, 15)),
        (60, 6, 4, (18, 14, 14, 14)),
        (61, 6, 4, (18, 14, 14, 15)),
        (62, 6, 4, (18, 14, 15, 15)),
        (200, 10, 6, (30, 34, 34, 34, 34, 34)),
        (200, 5, 3, (61, 69, 70)),
    ],
)
def test_the_first_group_is_full_and_the_others_even(
    players: int, rounds: int, groups: int, sizes: tuple[int, ...]
) -> None:
    assert split(players, rounds, groups, RULES).sizes == sizes


@given(st.integers(1, 260), st.integers(5, 10), st.integers(2, 6))
def test_no_split_breaks_a_minimum_it_could_keep(players: int, rounds: int, groups: int) -> None:
    least = MINIMUMS[rounds]
    if players < groups * least:
        with pytest.raises(BadInput):
            split(players, rounds, groups, RULES)
        return
    found = split(players, rounds, groups, RULES)
    first, *rest = found.sizes
    assert sum(found.sizes) == players
    assert min(found.sizes) >= least
    assert first <= found.limits.first_group_cap
    assert max(rest) - min(rest) <= 1
    assert rest == sorted(rest)
    # one more in the first group would pass its cap or take a player whom the others need
    assert first == found.limits.first_group_cap or players - first == (groups - 1) * least


@given(
    st.integers(4, 100), st.integers(1, 12), st.integers(2, 6), st.integers(2, 20), st.sets(st.integers(1, 6))
)
def test_a_minimum_binds_only_the_groups_that_are_not_free(
    players: int, rounds: int, groups: int, minimum: int, free: set[int]
) -> None:
    free = {group for group in free if group <= groups}
    minimums = [2 if group in free else minimum for group in range(1, groups + 1)]
    if players < sum(minimums):
        with pytest.raises(BadInput):
            split(players, rounds, groups, RULES, minimum=minimum, free=free)
        return
    sizes = split(players, rounds, groups, RULES, minimum=minimum, free=free).sizes
    assert sum(sizes) == players
    assert all(size >= least for size, least in zip(sizes, minimums, strict=True))


@pytest.mark.parametrize(
    ("players", "rounds", "groups", "sentence"),
    [
        (18, 6, 2, ("18 giocatori non bastano per 2 gruppi in 6 turni: ne servono 20, almeno 10 per gruppo "
                   "italo-svizzero; bastano con 5 turni, o per 1 gruppo")),
        (30, 8, 3, ("30 giocatori non bastano per 3 gruppi in 8 turni: ne servono 36, almeno 12 per gruppo "
                   "italo-svizzero; bastano con 7 turni, o per 2 gruppi")),
        (16, 5, 3, ("16 giocatori non bastano per 3 gruppi in 5 turni: ne servono 24, almeno 8 per gruppo "
                   "italo-svizzero; bastano per 2 gruppi")),
        (15, 10, 2, ("15 giocatori non bastano per 2 gruppi in 10 turni: ne servono 28, almeno 14 per gruppo "
                    "italo-svizzero; bastano per 1 gruppo")),
        (5, 5, 2, ("5 giocatori non bastano per 2 gruppi in 5 turni: ne servono 16, almeno 8 per gruppo "
                  "italo-svizzero")),
    ],
)  # fmt: skip
def test_the_nearest_way_out_is_proposed(players: int, rounds: int, groups: int, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        split(players, rounds, groups, RULES)
    assert load_words("it").error(caught.value) == sentence


def test_a_proposal_does_what_it_promises() -> None:
    for players in range(8, 90):
        for rounds in MINIMUMS:
            for groups in range(2, 7):
                try:
                    split(players, rounds, groups, RULES)
                except BadInput as error:
                    if error.facts["try_rounds"]:
                        split(players, error.facts["try_rounds"], groups, RULES)
                    if (error.facts["try_groups"] or 1) > 1:
                        split(players, rounds, error.facts["try_groups"], RULES)


@pytest.mark.parametrize(
    ("players", "rounds", "groups", "minimum"),
    [
        (40, 11, 2, None),
        (40, 4, 2, None),
        (40, 5, 1, None),
        (40, 5, 7, None),
        (40, 0, 2, 8),
        (0, 5, 2, None),
        (9, 5, 2, 1),
    ],
)
def test_what_the_table_does_not_provide_for_is_refused(
    players: int, rounds: int, groups: int, minimum: int | None
) -> None:
    with pytest.raises(BadInput) as caught:
        split(players, rounds, groups, RULES, minimum=minimum)
    for language in ("it", "en"):
        assert load_words(language).error(caught.value)


def test_rounds_outside_the_table_take_an_explicit_minimum() -> None:
    assert split(60, 11, 2, RULES, minimum=14).sizes == (33, 27)


def test_equal_capitals_are_ordered_by_category_then_name() -> None:
    players = [
        Contender("Bruno", 2000, Category.NAZIONALE),
        Contender("anna", 2000, Category.NAZIONALE),
        Contender("Zeno", 2000, Category.MAESTRO),
        Contender("Carla", 2001, Category.PROVINCIALE),
    ]
    assert [player.name for player in seeded(players)] == ["Carla", "Zeno", "anna", "Bruno"]
    groups = share_out(players, (1, 3))
    assert [[player.name for player in group] for group in groups] == [["Carla"], ["Zeno", "anna", "Bruno"]]
