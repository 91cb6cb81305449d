"""What is told along the way, in full: every step with its table and facts, every refusal, every finding."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.checks.draughts import check_report
from arpad.model.draughts import Category, DraughtsState, Title
from arpad.model.errors import BadInput
from arpad.model.rules import Fact, Finding, ListName, Rule, Severity, Step
from arpad.rating.draughts_calculator import (
    parse_capital,
    parse_count,
    parse_discipline,
    parse_expectation,
    parse_scored,
    parse_weight,
)
from arpad.rating.draughts_event import DraughtsEvent, RatedEvent, in_order, run_season
from arpad.regulations.rubele.capital import change, check_scored
from arpad.regulations.rubele.editions import RUBELE_2008, RUBELE_2021
from arpad.regulations.rubele.groups import (
    Contender,
    limits,
    minimum_players,
    seeded,
    share_out,
    split,
    whole_table,
)
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut, by_decision, from_fmjd, from_other_list, newcomer
from arpad.regulations.rubele.year_end import year_end
from arpad.reports.report import Report
from tests.builders.draughts import round_of, small_event

ITALIANA, INTERNAZIONALE = RUBELE_2008.on(ListName.ITALIANA), RUBELE_2008.on(ListName.INTERNAZIONALE)
QUOTA = RUBELE_2021.on(ListName.INTERNAZIONALE)


def refused(code: str, work: Callable[[], object], **facts: Any) -> None:
    with pytest.raises(BadInput) as caught:
        work()
    assert (caught.value.code, caught.value.facts) == (code, facts)


# ------------------------------------------------------------------------------------------------- a capital


def test_player_1_of_table_14_and_the_bonus() -> None:
    found = change(3479, 14, 930, ITALIANA, first_of_year=True)
    pa, d = Fraction("9.30"), Fraction("4.70")
    assert list(found.steps) == [
        Step("Tab. 17", "CI", 3479),
        Step("Tab. 19", "PA", pa),
        Step("Tab. 17", "PO", Fraction(14)),
        Step("Tab. 17", "D", d, {"scored": 14, "expected": pa}),
        Step("Tab. 17", "S", 100),
        Step("Tab. 17", "V", Fraction(470), {"deviation": d, "s": 100}),
        Step(
            "Tab. 17",
            "threshold-up",
            3900,
            {"would_be": 3949, "excess": 49, "old_s": 100, "new_s": 50, "scaled": Fraction(49, 2)},
        ),
        Step(
            "Tab. 17",
            "capital-reached",
            Fraction("3924.5"),
            {"base": 3900, "sign": "+", "amount": Fraction(49, 2)},
        ),
        Step("Capo VI art. 6", "capital-rounded", 3925, {"unrounded": Fraction("3924.5")}),
        Step("Tab. 18a", "bonus", Fraction(3935), {"base": 3925, "sign": "+", "amount": Fraction(10)}),
        Step("Tab. 17", "CF", 3935, {"change": 456}),
    ]
    assert (found.variation, found.added, found.deviation, found.s) == (Fraction(470), 10, d, 100)


def test_player_2_of_table_14_goes_down() -> None:
    found = change(4000, 9, 1174, ITALIANA)
    facts = {"would_be": 3863, "excess": 37, "old_s": 50, "new_s": 100, "scaled": 74}
    assert found.steps[6] == Step("Tab. 17", "threshold-down", 3900, facts)
    assert found.steps[7].facts == {"base": 3900, "sign": "-", "amount": 74}
    assert "capital-rounded" not in {step.quantity for step in found.steps}


def test_nothing_won_and_nothing_lost() -> None:
    found = change(2000, 1, 100, ITALIANA)
    assert found.steps[6] == Step(
        "Tab. 17", "capital-reached", Fraction(2000), {"base": 2000, "sign": "+", "amount": 0}
    )
    assert (found.final, found.crossings) == (2000, ())


def test_two_thresholds_in_one_event() -> None:
    """2900 and D = 10: 100/150 to 3000, 9 to 3900, a third of a point left at 50: 3916.67."""
    found = change(2900, 10, 0, ITALIANA)
    assert [step.value for step in found.steps if step.quantity == "threshold-up"] == [3000, 3900]
    reached = next(step for step in found.steps if step.quantity == "capital-reached")
    assert reached.facts == {"base": 3900, "sign": "+", "amount": Fraction(50, 3)}
    assert (found.final, found.unrounded) == (3917, Fraction(11750, 3))


def test_a_threshold_passed_by_a_point_or_less() -> None:
    """3890 + 11 is one point beyond 3900, worth half of it; 3910 - 10.5 half a point below, worth one."""
    up = change(3890, 1, 89, ITALIANA)
    assert (up.unrounded, up.steps[6].quantity) == (Fraction("3900.5"), "threshold-up")
    down = change(3910, 0, 21, ITALIANA)
    assert (down.unrounded, down.steps[6].quantity) == (Fraction(3899), "threshold-down")
    assert change(3010, 0, 50, ITALIANA).unrounded == 2940
    small = change(4500, 0, 1, ITALIANA)
    assert small.steps[6].facts == {"base": 4500, "sign": "-", "amount": Fraction(1, 2)}


def test_half_weight_and_q() -> None:
    """2000 in internazionale, 3 points of 2.00 expected, half weight: D 0.50, V 80, Q 15."""
    found = change(2000, 3, 200, QUOTA, weight=Fraction(1, 2))
    assert found.steps[4] == Step("", "D-weighted", Fraction(1, 2), {"percent": 50, "deviation": 1})
    assert found.steps[-2] == Step("CTF 2021", "Q", Fraction(2095), {"base": 2080, "sign": "+", "amount": 15})
    assert (found.final, found.added) == (2095, 15)


def test_the_minimum_is_told_where_it_bites() -> None:
    """245 - 150 = 95, below 100; 250 - 150 is just 100 and needs no step."""
    found = change(245, 0, 100, ITALIANA)
    assert Step("Capo VI art. 6", "capital-minimum", 100, {"capital": 95}) in found.steps
    assert "capital-minimum" not in {step.quantity for step in change(250, 0, 100, ITALIANA).steps}
    assert change(100, 2, 100, ITALIANA).final == 250
    # table 11 says the same of the other list: 200 - 240 is below
    assert change(200, 0, 100, INTERNAZIONALE).final == 100
    refused("capital-below-minimum", lambda: change(99, 0, 100, ITALIANA), capital=99, minimum=100)


def test_points_that_games_cannot_hold() -> None:
    for scored, pa in ((0, 0), (6, 600), (6, 0), (0, 600)):
        check_scored(scored, pa, 3)
    refused("scored-beyond-games", lambda: check_scored(7, 0, 3), scored=7, games=3, most=6)
    refused("scored-beyond-games", lambda: check_scored(-1, 0, 3), scored=-1, games=3, most=6)
    for pa in (601, -1):
        facts = {"expected": Fraction(pa, 100), "games": 3, "most": 6}
        refused("expected-beyond-games", lambda pa=pa: check_scored(0, pa, 3), **facts)  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------- beginnings


def test_beginnings_are_told_with_their_table() -> None:
    assert newcomer(INTERNAZIONALE) == Debut(Category.PROVINCIALE, 500, (Step("Tab. 11", "debut-new", 500),))
    assert from_other_list(Title.MF, ITALIANA) == Debut(
        Category.NAZIONALE,
        2300,
        (Step("Tab. 21", "debut-converted", 2300, {"held": "mf", "category": "nazionale"}),),
    )
    facts: dict[str, Fact] = {"rating": 2301, "factor": Fraction(5, 2), "exact": Fraction("5752.5")}
    assert from_fmjd(2301, INTERNAZIONALE) == Debut(
        Category.MAESTRO, 5753, (Step("Tab. 22", "debut-fmjd", 5753, facts),)
    )
    given = {"author": "CTF", "reason": "caso particolare"}
    assert by_decision(100, " CTF ", " caso particolare ", ITALIANA) == Debut(
        Category.PROVINCIALE, 100, (Step("Tab. 12", "debut-decided", 100, given),)
    )


def test_beginnings_that_cannot_be() -> None:
    accepted = "maestro, candidato-maestro, nazionale, regionale, provinciale"
    refused("no-conversion", lambda: from_other_list(Title.MI, INTERNAZIONALE), given="mi", accepted=accepted)
    refused("no-fmjd-conversion", lambda: from_fmjd(2000, ITALIANA))
    for rating in (0, 10000):
        facts = {"rating": rating, "least": 1, "most": 9999}
        refused("fmjd-out-of-range", lambda rating=rating: from_fmjd(rating, INTERNAZIONALE), **facts)  # type: ignore[misc]
    assert from_fmjd(1, INTERNAZIONALE).capital == 100
    assert from_fmjd(9999, INTERNAZIONALE).capital == 24998
    for author, reason in (("", "x"), ("x", " ")):
        refused(
            "decision-unsigned",
            lambda author=author, reason=reason: by_decision(500, author, reason, ITALIANA),  # type: ignore[misc]
        )
    refused(
        "capital-below-minimum", lambda: by_decision(99, "CTF", "caso", ITALIANA), capital=99, minimum=100
    )


# -------------------------------------------------------------------------------------------------- the year

IDLE = DraughtsState("Anna", 2000, Category.NAZIONALE, last_event=date(2007, 5, 1))


def test_what_a_years_end_tells() -> None:
    closed = year_end([replace(IDLE, malus=100)], 2008, ITALIANA)
    (entry,) = closed.deductions
    facts = {"before": 2000, "after": 1950, "total": 150, "limit": 450}
    assert entry.step == Step("Tab. 18b", "malus", 50, facts)
    assert (entry.taken, closed.year, closed.register) == (50, 2008, closed.standings)
    assert closed.standings[0].idle_years == 1
    gone = year_end([replace(IDLE, foreign=True, last_event=date(2006, 5, 1))], 2008, ITALIANA)
    (cancelled,) = gone.cancelled
    assert cancelled.step == Step("Tab. 22", "capital-cancelled", None, {"years": 2})
    assert gone.standings[0].idle_years == 2


def test_a_capital_that_is_gone_loses_nothing_more() -> None:
    gone = replace(IDLE, capital=None, foreign=False, malus=50)
    closed = year_end([gone], 2008, ITALIANA)
    assert (closed.deductions, closed.cancelled) == ((), ())
    assert closed.standings == (replace(gone, idle_years=1),)
    assert closed.register == closed.standings
    assert [entry.before for entry in year_end([gone, IDLE], 2008, ITALIANA).deductions] == [IDLE]


def test_who_never_played_counts_the_years_one_by_one() -> None:
    never = replace(IDLE, last_event=None, idle_years=3)
    assert year_end([never], 2008, ITALIANA).standings[0].idle_years == 4
    played = replace(IDLE, last_event=date(2008, 12, 31), idle_years=3)
    assert year_end([played], 2008, ITALIANA).standings == (replace(played, idle_years=0),)


def test_a_malus_never_gives() -> None:
    """A list from elsewhere may hold less than the minimum, or more malus than the limit."""
    for odd in (replace(IDLE, capital=50), replace(IDLE, malus=500)):
        closed = year_end([odd], 2008, ITALIANA)
        assert (closed.deductions[0].taken, closed.standings[0].capital) == (0, odd.capital)


def test_years_that_cannot_be_closed() -> None:
    unknown = replace(IDLE, history_known=False)
    refused("year-end-without-history", lambda: year_end([unknown], 2008, ITALIANA), player="Anna")
    later = replace(IDLE, last_event=date(2009, 1, 1))
    facts = {"year": 2008, "player": "Anna", "day": date(2009, 1, 1)}
    refused("year-end-too-late", lambda: year_end([later], 2008, ITALIANA), **facts)
    again = replace(IDLE, idle_years=1)
    refused("year-closed-already", lambda: year_end([again], 2008, ITALIANA), year=2008, player="Anna")
    assert year_end([again], 2009, ITALIANA).standings[0].idle_years == 2


# -------------------------------------------------------------------------------------------------- groups


def test_groups_that_cannot_be() -> None:
    refused("groups-out-of-range", lambda: limits(40, 6, 1, ITALIANA), groups=1, least=2, most=6)
    refused("groups-out-of-range", lambda: limits(99, 6, 7, ITALIANA), groups=7, least=2, most=6)
    refused("rounds-not-positive", lambda: limits(40, 0, 2, ITALIANA), rounds=0)
    refused("players-not-positive", lambda: limits(0, 6, 2, ITALIANA), players=0)
    refused(
        "rounds-without-minimum",
        lambda: limits(40, 4, 2, ITALIANA),
        option="minimum",
        rounds=4,
        least=5,
        most=10,
    )
    refused("minimum-too-small", lambda: minimum_players(6, ITALIANA, 1), minimum=1, least=2)
    assert minimum_players(6, ITALIANA, 2) == 2
    for group in (0, 3):
        refused(
            "no-such-group",
            lambda group=group: split(40, 6, 2, ITALIANA, free=[group]),  # type: ignore[misc]
            group=group,
            most=2,
        )
    assert limits(1, 1, 2, ITALIANA, minimum=2).first_group_cap == 3


def test_the_way_out_of_too_few_players() -> None:
    """18 players in two groups: 6 rounds ask for 10 each; 5 rounds for 8, and one group for 10."""
    facts: dict[str, Any] = {"players": 18, "groups": 2, "rounds": 6, "minimum": 10, "needed": 20}
    refused(
        "too-few-for-groups-try-rounds-try-groups",
        lambda: split(18, 6, 2, ITALIANA),
        **facts,
        try_rounds=5,
        try_groups=1,
    )
    refused(
        "too-few-for-groups-try-groups",
        lambda: split(18, 6, 2, ITALIANA, minimum=10),
        **facts,
        try_rounds=None,
        try_groups=1,
    )
    refused(
        "too-few-for-groups",
        lambda: split(9, 6, 2, ITALIANA, free=[1]),
        **{**facts, "players": 9, "needed": 12},
        try_rounds=None,
        try_groups=None,
    )
    refused(
        "too-few-for-groups-try-groups",
        lambda: split(29, 6, 3, ITALIANA, minimum=10),
        **{**facts, "players": 29, "groups": 3, "needed": 30},
        try_rounds=None,
        try_groups=2,
    )


def test_a_free_group_needs_two() -> None:
    assert split(12, 6, 2, ITALIANA, free=[1]).sizes == (2, 10)
    assert split(12, 6, 2, ITALIANA, free=[2]).sizes == (10, 2)


def test_players_in_their_groups() -> None:
    def player(name: str, capital: int, category: Category = Category.REGIONALE) -> Contender:
        return Contender(name, capital, category)

    bruno, anna, carla = player("Bruno", 1500), player("anna", 1500), player("Carla", 1600)
    held = player("Zeno", 1500, Category.NAZIONALE)
    assert seeded([bruno, anna, carla, held]) == (carla, held, anna, bruno)
    assert share_out([bruno, anna, carla, held], (1, 3)) == ((carla,), (held, anna, bruno))
    assert anna.id == ""


def test_the_whole_table_has_every_case() -> None:
    found = list(whole_table(ITALIANA))
    assert len(found) == 5 * 6 * 183
    first, last = found[0][0], found[-1][0]
    assert (first.groups, first.rounds, first.players) == (2, 5, 18)
    assert (last.groups, last.rounds, last.players) == (6, 10, 200)
    none = {(bounds.groups, bounds.rounds, bounds.players) for bounds, sizes in found if sizes is None}
    assert (2, 6, 19) in none
    assert (2, 6, 20) not in none


# ----------------------------------------------------------------------------------------- rules and arguments


@pytest.mark.parametrize(
    ("field", "value", "code", "facts"),
    [
        (
            "s_coefficients",
            (150, 100),
            "rules-length",
            {"field": "s_coefficients", "given": 2, "accepted": 3},
        ),
        ("promotions", (1000, 2000), "rules-length", {"field": "promotions", "given": 2, "accepted": 4}),
        ("s_thresholds", (3900, 3000), "rules-order", {"field": "s_thresholds", "given": (3900, 3000)}),
        ("s_thresholds", (3000, 3000), "rules-order", {"field": "s_thresholds", "given": (3000, 3000)}),
        (
            "promotions",
            (1000, 3000, 2000, 3900),
            "rules-order",
            {"field": "promotions", "given": (1000, 3000, 2000, 3900)},
        ),
        (
            "s_coefficients",
            (150, 100, 0),
            "rules-positive",
            {"field": "s_coefficients", "given": (150, 100, 0)},
        ),
        ("minimum_capital", -1, "rules-start", {"start": 300, "minimum": -1}),
        ("minimum_capital", 301, "rules-start", {"start": 300, "minimum": 301}),
        *(
            (
                "group_numbers",
                given,
                "own-edition-value",
                {"field": "group_numbers", "value": str(list(given)), "accepted": "[2, …, 99]"},
            )
            for given in ((1, 6), (6, 2), (0, 0), (-5, -1), (2, 100))
        ),
    ],
)
def test_rules_that_cannot_be_followed(field: str, value: object, code: str, facts: dict[str, Any]) -> None:
    changed = {field: Rule(value, "own")}
    refused(code, lambda: replace(ITALIANA, **changed), **facts)  # type: ignore[arg-type]


def test_rules_just_inside_their_bounds() -> None:
    assert replace(ITALIANA, minimum_capital=Rule(300, "own")).minimum_capital.value == 300
    assert replace(ITALIANA, group_numbers=Rule((2, 99), "own")).group_numbers.value == (2, 99)
    assert replace(ITALIANA, group_numbers=Rule((3, 3), "own")).group_numbers.value == (3, 3)
    assert replace(ITALIANA, minimum_capital=Rule(0, "own")).minimum_capital.value == 0
    assert replace(ITALIANA, s_coefficients=Rule((150, 100, 1), "own")).s_coefficients.value[2] == 1
    one = replace(ITALIANA, s_thresholds=Rule((3000,), "own"), s_coefficients=Rule((150, 100), "own"))
    assert change(2970, 9, 691, one).final == 3189
    refused(
        "rules-order",
        lambda: replace(ITALIANA, s_thresholds=Rule((), "own"), s_coefficients=Rule((150,), "own")),
        field="s_thresholds",
        given=(),
    )


def test_arguments_within_bounds() -> None:
    assert parse_discipline("italiana") is ListName.ITALIANA
    assert [parse_count(text, "n", 1, 9) for text in ("1", " 9 ")] == [1, 9]
    assert [parse_capital(text, "c", ITALIANA) for text in ("100", "99999")] == [100, 99999]
    assert [parse_scored(text) for text in ("0", "2000")] == [0, 2000]
    texts = ("0", "9,30", "9.3", " 9.30 ", ".5", "2000", "2000.00", "7.")
    assert [parse_expectation(text) for text in texts] == [0, 930, 930, 930, 50, 200000, 200000, 700]
    assert [parse_weight(text) for text in ("1", "50%", " 100 ")] == [Fraction(1, 100), Fraction(1, 2), 1]


def test_arguments_out_of_bounds() -> None:
    both = "italiana, internazionale"
    refused(
        "unknown-discipline", lambda: parse_discipline("x"), option="discipline", given="x", accepted=both
    )
    refused("unknown-discipline", lambda: parse_discipline("x", "d"), option="d", given="x", accepted=both)
    for text in ("0", "10", "x", "", "1.5", "²", "1234567890", "--1"):
        facts: dict[str, Any] = {"option": "n", "given": text, "least": 1, "most": 9}
        refused("not-a-count", lambda text=text: parse_count(text, "n", 1, 9), **facts)  # type: ignore[misc]
    assert parse_count("-123456789", "n", -(10**9), 0) == -123456789
    long = {"option": "n", "given": "1000000000", "least": 0, "most": 10**10}
    refused("not-a-count", lambda: parse_count("1000000000", "n", 0, 10**10), **long)
    assert parse_expectation("000002000") == 200000
    for text in ("100000", "x"):
        facts = {"option": "c", "given": text, "minimum": 100, "most": 99999}
        refused("not-a-capital", lambda text=text: parse_capital(text, "c", ITALIANA), **facts)  # type: ignore[misc]
    below = {"option": "c", "capital": 99, "minimum": 100}
    refused("capital-below-minimum", lambda: parse_capital("99", "c", ITALIANA), **below)
    for text in ("-1", "2001", "x"):
        refused("not-points", lambda text=text: parse_scored(text), option="scored", given=text)  # type: ignore[misc]
    for text in ("", ".", "x", "1.234", "-1", "2000.01", "1.-1", "²", "1234567890", "0000002000", "1,2,3"):
        refused(
            "not-an-expectation",
            lambda text=text: parse_expectation(text),  # type: ignore[misc]
            option="expected",
            given=text,
        )
    for text in ("0", "101", "x", "%"):
        refused("not-a-weight", lambda text=text: parse_weight(text), option="weight", given=text)  # type: ignore[misc]


# -------------------------------------------------------------------------------------------------- findings


def test_findings_of_a_report() -> None:
    """2 has a letter that is none, 3 a win against nobody; 1 plays himself; 4 and 5 disagree; 6 forfeits to 7."""
    good = round_of(7, [(4, 5, "1"), (6, 7, "-")])
    odd = replace(good, opponents=(1, 0, 0, 5, 4, 7, 6), results="1?1==-+")
    report = small_event([2000] * 7, odd)
    numbered = replace(report.entrants[6], number=6)

    def cell(
        code: str,
        number: int,
        opponent: int,
        result: str,
        severity: Severity = Severity.ERROR,
        article: str = "",
    ) -> Finding:
        facts: dict[str, Fact] = {"number": number, "opponent": opponent, "result": result}
        return Finding(severity, code, article, player=number, round=1, facts=facts)

    assert list(check_report(report)) == [
        cell("draughts-pairing", 1, 1, "1"),
        cell("draughts-result-unknown", 2, 0, "?"),
        cell("draughts-no-opponent", 3, 0, "1"),
        cell("draughts-not-counted", 6, 7, "-", Severity.INFO, "Capo VI art. 7"),
    ]
    twice = replace(report, entrants=(*report.entrants[:6], numbered), rounds=())
    assert list(check_report(twice)) == [
        Finding(Severity.ERROR, "draughts-number-twice", player=6, facts={"number": 6}),
        Finding(Severity.ERROR, "stopped-early", facts={"played": 0, "planned": 1}),
    ]
    undated = replace(report.header, first_day=None, last_day=None)
    assert list(check_report(replace(report, header=undated, rounds=()))) == [
        Finding(Severity.WARNING, "draughts-no-date", "Tab. 18a"),
        Finding(Severity.ERROR, "stopped-early", facts={"played": 0, "planned": 1}),
    ]
    ended = replace(undated, last_day=date(2008, 5, 4))
    assert list(check_report(replace(report, header=replace(ended, rounds=0), rounds=()))) == [
        Finding(Severity.ERROR, "no-games")
    ]


def test_a_letter_that_is_none_has_no_points() -> None:
    odd = replace(round_of(2, []), results="?F")
    report = small_event([2000, 2000], odd)
    claims = tuple(
        replace(entrant, half_points=points) for entrant, points in zip(report.entrants, (0, 2), strict=True)
    )
    found = check_report(replace(report, entrants=claims))
    assert [finding.code for finding in found] == ["draughts-result-unknown", "stopped-early"]


def test_both_may_lose_by_forfeit_but_not_by_play() -> None:
    lost = replace(round_of(2, [(1, 2, "-")]), results="--")
    assert [found.code for found in check_report(small_event([2000, 2000], lost))] == ["draughts-not-counted"]
    both = replace(lost, results="00")
    codes = [found.code for found in check_report(small_event([2000, 2000], both))]
    assert codes == ["draughts-result-mismatch", "draughts-result-mismatch"]
    elsewhere = replace(round_of(3, [(1, 2, "=")]), opponents=(2, 3, 1), results="===")
    assert len(list(check_report(small_event([2000] * 3, elsewhere)))) == 3


def test_points_that_differ_are_told_with_their_line() -> None:
    report = small_event([2000] * 3, round_of(3, [(1, 2, "1")], {3: "F"}), round_of(3, [(2, 1, "=")]))
    claimed = {1: 6, 2: 2, 3: 9}
    lines = tuple(
        replace(entrant, half_points=claimed[entrant.number], line=10 * entrant.number)
        for entrant in report.entrants
    )
    (found,) = check_report(replace(report, entrants=lines))
    # two for a win: 3 and 1 points as claimed; the third has 2, and nobody more than 4 of two rounds
    facts = {"number": 3, "claimed": 4, "points": 2, "most": 4}
    assert found == Finding(
        Severity.ERROR, "draughts-points-beyond-games", "Tab. 17", 30, player=3, facts=facts
    )
    least = (*lines[:2], replace(lines[2], half_points=8))
    (found,) = check_report(replace(report, entrants=least))
    assert (found.code, found.facts["claimed"]) == ("draughts-points-differ", 4)


# ------------------------------------------------------------------------------------------------- the chain


def passed(report: Report, *standings: DraughtsState, rules: DraughtsRules = ITALIANA) -> RatedEvent:
    return run_season([DraughtsEvent("e", report)], standings, lambda day: rules).events[0]


def game(*capitals: int | None, day: date | None = date(2008, 5, 4)) -> Report:
    return small_event(capitals, round_of(2, [(1, 2, "=")]), names=("Anna", "Bruno"), day=day)


def about(code: str, severity: Severity = Severity.WARNING, article: str = "", **facts: Any) -> Finding:
    told = {"number": 1, "name": "Anna", **facts}
    return Finding(severity, code, article, player=1, facts=told)


BRUNO = DraughtsState("Bruno", 2000, Category.NAZIONALE)


@pytest.mark.parametrize(
    ("standing", "capital", "finding"),
    [
        (None, None, about("draughts-newcomer", article="Tab. 12", capital=300)),
        (None, 1500, about("draughts-not-listed", capital=1500)),
        (None, 100, about("draughts-not-listed", capital=100)),
        (
            None,
            99,
            about(
                "draughts-capital-below-minimum", Severity.ERROR, "Capo VI art. 6", capital=99, minimum=100
            ),
        ),
        (
            DraughtsState("Anna", 1500, Category.REGIONALE),
            1501,
            about("draughts-capital-differs", article="Tab. 17", report=1501, list=1500),
        ),
        (
            DraughtsState("Anna", None, Category.REGIONALE, foreign=True, title=Title.MI),
            None,
            about("draughts-returned", Severity.INFO, "Tab. 22", basis="MI", capital=2700),
        ),
        (
            DraughtsState("Anna", None, Category.REGIONALE, foreign=True),
            None,
            about("draughts-returned-undecided", Severity.ERROR, "Tab. 22", capital=300),
        ),
    ],
)
def test_findings_about_a_player(
    standing: DraughtsState | None, capital: int | None, finding: Finding
) -> None:
    known = [standing] if standing else []
    event = passed(game(capital, 2000), *known, BRUNO)
    assert finding in event.findings
    assert {found.code for found in event.findings} <= {finding.code, "draughts-bonus-unknown"}


def test_a_return_by_fmjd() -> None:
    gone = DraughtsState("Anna", None, Category.MAESTRO, foreign=True, fmjd=2000, title=Title.MI)
    event = passed(game(None, 2000), gone, BRUNO, rules=INTERNAZIONALE)
    assert event.findings[0] == about(
        "draughts-returned", Severity.INFO, "Tab. 22", basis="FMJD 2000", capital=3600
    )
    assert event.players[0].participant.debut[0].quantity == "debut-fmjd"


def test_a_title_that_the_table_does_not_convert() -> None:
    gone = DraughtsState("Anna", None, Category.MAESTRO, foreign=True, title=Title.MI)
    event = passed(game(None, 2000), gone, BRUNO, rules=INTERNAZIONALE)
    assert event.findings[0] == about("draughts-returned-undecided", Severity.ERROR, "Tab. 22", capital=500)


def test_who_has_played_this_year_is_known_and_no_first_timer() -> None:
    anna = DraughtsState("Anna", 2000, Category.NAZIONALE, last_event=date(2008, 1, 6))
    event = passed(game(2000, 2000), anna, BRUNO)
    assert event.findings == ()
    assert [player.final for player in event.players] == [2000, 2010]


def test_events_go_by_last_day_and_the_rules_by_the_first() -> None:
    """The edition is asked for by the first day, or by the last where it stands alone; a year by its last day."""
    report = game(None, None)
    header = report.header
    across = replace(report, header=replace(header, first_day=date(2008, 12, 30), last_day=date(2009, 1, 2)))
    later = replace(report, header=replace(header, first_day=None, last_day=date(2010, 5, 1)))
    undated = replace(report, header=replace(header, first_day=None, last_day=None))
    events = [DraughtsEvent("c", undated), DraughtsEvent("b", later), DraughtsEvent("a", across)]
    assert [in_order(event) for event in events] == [
        (date.max, date.max, "c"),
        (date(2010, 5, 1), date(2010, 5, 1), "b"),
        (date(2009, 1, 2), date(2008, 12, 30), "a"),
    ]
    asked: list[date | None] = []

    def rules_on(day: date | None) -> DraughtsRules:
        asked.append(day)
        return ITALIANA

    found = run_season(events, [], rules_on, close_years=True)
    assert asked == [date(2008, 12, 30), date(2009, 12, 31), date(2010, 5, 1), None]
    assert [event.event.id for event in found.events] == ["a", "b", "c"]
    assert [year.year for year in found.years] == [2009]
    assert run_season(events, [], rules_on).years == ()


def test_a_rank_that_is_none() -> None:
    report = game(2000, 2000)
    entrants = (replace(report.entrants[0], title=" granduca "), report.entrants[1])
    event = passed(replace(report, entrants=entrants), BRUNO)
    accepted = "provinciale, regionale, nazionale, candidato-maestro, maestro, gmi, mi, mf"
    assert event.findings[0] == about("draughts-category-unknown", given="granduca", accepted=accepted)


def test_a_bonus_that_nobody_can_judge() -> None:
    event = run_season([DraughtsEvent("e", game(2000, 2000))], None, lambda day: ITALIANA).events[0]
    assert event.findings == (
        Finding(Severity.INFO, "draughts-bonus-unknown", "Tab. 18a", facts={"players": 2, "bonus": 10}),
    )


def test_who_expects_nothing_expects_nothing() -> None:
    """5000 points apart: 0.00 for the lower, who draws and gains 150; a letter that is no result has no points."""
    event = passed(
        game(100, 5100), DraughtsState("Anna", 100, Category.PROVINCIALE, last_event=date(2008, 1, 1))
    )
    first = event.players[0]
    assert first.change is not None
    assert (first.change.expected, first.final) == (0, 250)
    odd = small_event(
        [2000, 2000], replace(round_of(2, [(1, 2, "=")]), results="?="), names=("Anna", "Bruno")
    )
    assert [player.cells[0].points for player in passed(odd, BRUNO).players] == [0, 1]


def test_a_player_twice() -> None:
    report = small_event([2000, 2000], round_of(2, [(1, 2, "=")]), names=("Anna", "ANNA"))
    event = passed(report, DraughtsState("Anna", 2000, Category.NAZIONALE))
    facts: dict[str, Fact] = {"number": 2, "name": "ANNA"}
    assert event.findings == (Finding(Severity.ERROR, "draughts-player-twice", "", player=2, facts=facts),)


def test_a_list_with_a_player_twice() -> None:
    refused("player-listed-twice", lambda: passed(game(2000, 2000), BRUNO, BRUNO), player="Bruno")


def test_the_standing_after_an_event() -> None:
    """An even game and the bonus; who did not play stays as he was; without a day nobody's history begins."""
    anna = DraughtsState("Anna", 2000, Category.NAZIONALE, idle_years=1, last_event=date(2006, 1, 1))
    found = run_season([DraughtsEvent("e", game(2000, 2000))], [anna, BRUNO], lambda day: ITALIANA)
    assert found.standings[0] == replace(anna, capital=2010, idle_years=0, last_event=date(2008, 5, 4))
    undated = run_season([DraughtsEvent("e", game(2000, 2000, day=None))], [anna], lambda day: ITALIANA)
    assert undated.standings[0] == replace(anna, idle_years=0)
    assert undated.standings[1].history_known is False
    assert undated.standings[1].last_event is None
    bye = small_event([2000, 2000], round_of(2, [], {1: "F", 2: "F"}), names=("Anna", "Bruno"))
    idle = run_season([DraughtsEvent("e", bye)], [anna, BRUNO], lambda day: ITALIANA)
    assert idle.standings == (anna, BRUNO)
