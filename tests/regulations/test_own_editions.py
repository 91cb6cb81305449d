"""A federation's own edition, value by value and refusal by refusal; how an edition is read, named and told apart."""

import tomllib
from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest

from arpad.explain.editions import edition_about, edition_source
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import Body, Edition, ListName, Rule
from arpad.regulations.editions import (
    ALL,
    CHESS_EDITIONS,
    DRAUGHTS_EDITIONS,
    Provision,
    adopted,
    chess_edition,
    compare,
    digest,
    in_force,
    named,
    plain,
    provisions,
    with_own,
)
from arpad.regulations.fide.editions import PROCEDURES
from arpad.regulations.fide.rules import ChessRules, Notice, OneOffAdjustment, SmallField, TimeBounds
from arpad.regulations.own_editions import _by_field, own_edition
from arpad.regulations.rubele import editions as rubele

STANDARD, RAPID, BLITZ = ListName.STANDARD, ListName.RAPID, ListName.BLITZ
IDS = ", ".join(edition.id for edition in CHESS_EDITIONS)
FIELDS = ", ".join(item.name for item in fields(ChessRules) if item.name != "articles")
RULE = '{ value = …, article = "…" }'


def own(text: str) -> Edition[ChessRules]:
    return own_edition(f"base = 'fide-2017'\n{text}", CHESS_EDITIONS, PROCEDURES)


def test_what_is_left_out_comes_from_the_base() -> None:
    found = own("")
    base = chess_edition("fide-2017")
    assert (found.id, found.base, found.effective, found.body) == (
        "fide-2017-own",
        "fide-2017",
        base.effective,
        "fide",
    )
    assert (found.source, found.adopted, found.by_name_only, found.begins) == ("", "", True, {})
    assert found.lists == base.lists
    assert own_edition("base = 'fide-2012'", CHESS_EDITIONS, PROCEDURES).begins == {}


@pytest.mark.parametrize(
    ("field", "given", "value"),
    [
        ("floor", "1200", 1200),
        ("official_always_rated", "false", False),
        ("entry_bonus", "15", Fraction(15)),
        ("entry_bonus", '"25/2"', Fraction(25, 2)),
        ("list_months", "[1, 7]", (1, 7)),
        ("list_months", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", tuple(range(1, 13))),
        ("cutoff_days", "36525", 36_525),
        ("appeal_to", '"council"', Body.COUNCIL),
        ("time_bands", "[[2200, 120], [1600, 90], [0, 60]]", ((2200, 120), (1600, 90), (0, 60))),
        ("time_bands", "[[2000, 120], [0, 60]]", ((2000, 120), (0, 60))),
        ("registration", "{ days = 14 }", Notice(days=14)),
        ("round_robin_small", "{ below = 8, rated = 3 }", SmallField(8, 3)),
        (
            "time_bounds",
            "{ least = 5, least_allowed = true, most = 9, most_allowed = false }",
            TimeBounds(5, least_allowed=True, most=9, most_allowed=False),
        ),
        (
            "one_off_adjustment",
            '{ on = 2024-01-01, below = 1900, share = "1/2" }',
            OneOffAdjustment(date(2024, 1, 1), 1900, Fraction(1, 2)),
        ),
    ],
)
def test_each_kind_of_value(field: str, given: str, value: object) -> None:
    found = own(f'[standard]\n{field} = {{ value = {given}, article = "own 1" }}')
    assert getattr(found.on(STANDARD), field) == Rule(value, "own 1")
    assert getattr(found.on(RAPID), field) == getattr(chess_edition("fide-2017").on(RAPID), field)


@pytest.mark.parametrize("given", ["{ value = false, article = 'own 2' }", "'none'"])
def test_a_rule_that_does_not_hold_is_none(given: str) -> None:
    """Whoever goes by it asks whether there is such a rule: a false one must not be there."""
    found = own(f"[every]\nlicensed_arbiters = {given}\n[rapid]\nentry_takes_standard = {given}")
    assert chess_edition("fide-2017").on(RAPID).entry_takes_standard == Rule(True, "RB 2012")
    assert (found.on(STANDARD).licensed_arbiters, found.on(RAPID).entry_takes_standard) == (None, None)


def test_its_papers() -> None:
    found = own('id = "club"\nsource = "Board, 2018"\neffective = 2018-01-01')
    assert (found.id, found.source, found.effective) == ("club", "Board, 2018", date(2018, 1, 1))


def test_a_procedure_goes_by_its_name() -> None:
    found = own('[every]\nrounding = { value = "round_new_rating", article = "own" }')
    for on_list in (STANDARD, RAPID, BLITZ):
        assert found.on(on_list).rounding.value.__name__ == "round_new_rating"


@pytest.mark.parametrize(
    ("text", "code", "facts"),
    [
        (
            "effective = 'soon'",
            "own-edition-value",
            {"field": "effective", "value": "soon", "accepted": "2018-01-31"},
        ),
        (
            "[senior]",
            "own-edition-key",
            {"key": "senior", "accepted": "id, base, effective, source, every, standard, rapid, blitz"},
        ),
        (
            "standard = 3",
            "own-edition-key",
            {"key": "standard", "accepted": "id, base, effective, source, every, standard, rapid, blitz"},
        ),
        ("[standard]\nflor = 1", "own-edition-key", {"key": "flor", "accepted": FIELDS}),
        ("[standard]\narticles = 1", "own-edition-key", {"key": "articles", "accepted": FIELDS}),
        (
            "[standard]\nfloor = 'none'",
            "own-edition-value",
            {"field": "floor", "value": "none", "accepted": RULE},
        ),
        (
            "[standard]\none_off_adjustment = 'nothing'",
            "own-edition-value",
            {"field": "one_off_adjustment", "value": "nothing", "accepted": RULE + ', "none"'},
        ),
        (
            "[standard]\nfloor = { value = 1 }",
            "own-edition-value",
            {"field": "floor", "value": "{'value': 1}", "accepted": RULE},
        ),
        (
            "[standard]\nfloor = { value = 'x', article = 'y' }",
            "own-edition-value",
            {"field": "floor", "value": "x", "accepted": "0, 1, 2, …"},
        ),
        (
            "[standard]\nfloor = { value = true, article = 'y' }",
            "own-edition-value",
            {"field": "floor", "value": "True", "accepted": "0, 1, 2, …"},
        ),
        (
            "[standard]\nentry_bonus = { value = '1/0', article = 'y' }",
            "own-edition-value",
            {"field": "entry_bonus", "value": "1/0", "accepted": "15, 25/2"},
        ),
        (
            "[standard]\nentry_bonus = { value = 'x', article = 'y' }",
            "own-edition-value",
            {"field": "entry_bonus", "value": "x", "accepted": "15, 25/2"},
        ),
        (
            "[standard]\nentry_bonus = { value = true, article = 'y' }",
            "own-edition-value",
            {"field": "entry_bonus", "value": "True", "accepted": "15, 25/2"},
        ),
        (
            "[standard]\ncap_rule = { value = 'never', article = 'y' }",
            "own-edition-value",
            {"field": "cap_rule", "value": "never", "accepted": "cap_every_game, cap_one_game_per_event"},
        ),
        (
            "[standard]\nrounding = { value = 'cap_every_game', article = 'y' }",
            "own-edition-value",
            {"field": "rounding", "value": "cap_every_game", "accepted": "round_change, round_new_rating"},
        ),
        (
            "[every]\nround_robin_entry = { value = 'as_one_tournament', article = 'y' }",
            "own-edition-value",
            {
                "field": "round_robin_entry",
                "value": "as_one_tournament",
                "accepted": "all_games, all_games_or_rated_ones",
            },
        ),
        (
            "[every]\nreport_within_lists = { value = -1, article = 'y' }",
            "own-edition-value",
            {"field": "report_within_lists", "value": "-1", "accepted": "0–1200"},
        ),
        (
            "[standard]\nregistration = { value = { weeks = 2 }, article = 'y' }",
            "own-edition-value",
            {"field": "registration", "value": "{'weeks': 2}", "accepted": "days, months"},
        ),
        (
            "[standard]\nregistration = { value = 3, article = 'y' }",
            "own-edition-value",
            {"field": "registration", "value": "3", "accepted": "days, months"},
        ),
        (
            "[standard]\nround_robin_small = { value = { below = 8 }, article = 'y' }",
            "own-edition-value",
            {"field": "round_robin_small", "value": "{'below': 8}", "accepted": "below, rated"},
        ),
        (
            "[standard]\nregistration = { value = { days = 'x' }, article = 'y' }",
            "own-edition-value",
            {"field": "registration.days", "value": "x", "accepted": "0, 1, 2, …"},
        ),
        (
            "[standard]\nlist_months = { value = [1, 'x'], article = 'y' }",
            "own-edition-value",
            {"field": "list_months", "value": "x", "accepted": "0, 1, 2, …"},
        ),
        (
            "[standard]\nlist_months = { value = 3, article = 'y' }",
            "own-edition-value",
            {"field": "list_months", "value": "3", "accepted": "[…, …]"},
        ),
        (
            "[standard]\ncap = { value = -5, article = 'y' }",
            "own-edition-value",
            {"field": "cap", "value": "-5", "accepted": "0–9999"},
        ),
        (
            "[standard]\ncap = { value = 100000, article = 'y' }",
            "own-edition-value",
            {"field": "cap", "value": "100000", "accepted": "0–9999"},
        ),
        (
            "[standard]\ntime_bands = { value = [[2400]], article = 'y' }",
            "own-edition-value",
            {"field": "time_bands", "value": "[2400]", "accepted": "[…, …]"},
        ),
        (
            "[standard]\ntime_bands = { value = [[2400, 90, 1]], article = 'y' }",
            "own-edition-value",
            {"field": "time_bands", "value": "[2400, 90, 1]", "accepted": "[…, …]"},
        ),
        (
            "[standard]\nfloor = { value = [1], article = 'y' }",
            "own-edition-value",
            {"field": "floor", "value": "[1]", "accepted": "0, 1, 2, …"},
        ),
        (
            "[standard]\nfloor = { value = 'cap_every_game', article = 'y' }",
            "own-edition-value",
            {"field": "floor", "value": "cap_every_game", "accepted": "0, 1, 2, …"},
        ),
        (
            "effective = 2018-01-01T10:00:00",
            "own-edition-value",
            {"field": "effective", "value": "2018-01-01 10:00:00", "accepted": "2018-01-31"},
        ),
        (
            "effective = 9999-01-01",
            "own-edition-value",
            {"field": "effective", "value": "9999-01-01", "accepted": "2018-01-31"},
        ),
        (
            "[every]\nentry_bonus = { value = '1e999999999', article = 'y' }",
            "own-edition-value",
            {"field": "entry_bonus", "value": "1e999999999", "accepted": "15, 25/2"},
        ),
        (
            "[every]\nlist_months = { value = [], article = 'y' }",
            "own-edition-value",
            {"field": "list_months", "value": "[]", "accepted": "[…, …]"},
        ),
        (
            "[every]\nlist_months = { value = [1, 13], article = 'y' }",
            "own-edition-value",
            {"field": "list_months", "value": "[1, 13]", "accepted": "[1, …, 12]"},
        ),
        (
            "[standard]\ntime_bands = { value = [], article = 'y' }",
            "own-edition-value",
            {"field": "time_bands", "value": "[]", "accepted": "[…, …]"},
        ),
        (
            "[standard]\ntime_bands = { value = [[2200, 120], [1600, 90]], article = 'y' }",
            "own-edition-value",
            {
                "field": "time_bands",
                "value": "[[2200, 120], [1600, 90]]",
                "accepted": "[[2200, 120], …, [0, 60]]",
            },
        ),
        (
            "[standard]\ntime_bands = { value = [[1600, 90], [2200, 120], [0, 60]], article = 'y' }",
            "own-edition-value",
            {
                "field": "time_bands",
                "value": "[[1600, 90], [2200, 120], [0, 60]]",
                "accepted": "[[2200, 120], …, [0, 60]]",
            },
        ),
        (
            "[every]\nregistration = { value = { months = 99999999 }, article = 'y' }",
            "own-edition-value",
            {"field": "registration.months", "value": "99999999", "accepted": "0–1200"},
        ),
        (
            "[every]\nregistration_norms = { value = { days = -1 }, article = 'y' }",
            "own-edition-value",
            {"field": "registration_norms.days", "value": "-1", "accepted": "0–36525"},
        ),
        (
            "[every]\nwindow = { value = 1201, article = 'y' }",
            "own-edition-value",
            {"field": "window", "value": "1201", "accepted": "0–1200"},
        ),
        (
            "[every]\ninactive_listed_months = { value = -1, article = 'y' }",
            "own-edition-value",
            {"field": "inactive_listed_months", "value": "-1", "accepted": "0–1200"},
        ),
        (
            "[every]\nappeal_to = { value = 'king', article = 'y' }",
            "own-edition-value",
            {"field": "appeal_to", "value": "king", "accepted": "qc, president, council"},
        ),
        (
            "[every]\ncutoff_days = { value = 36526, article = 'y' }",
            "own-edition-value",
            {"field": "cutoff_days", "value": "36526", "accepted": "0–36525"},
        ),
    ],
)
def test_each_refusal_names_the_place_and_what_is_accepted(
    text: str, code: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(BadInput) as caught:
        own(text)
    assert (caught.value.code, caught.value.facts) == (code, facts)


def test_every_procedure_has_a_field_to_stand_in() -> None:
    """Else a federation could be offered one that it can put nowhere."""
    known = _by_field(CHESS_EDITIONS, PROCEDURES)
    assert {name for there in known.values() for name in there} == {one.__name__ for one in PROCEDURES}


@pytest.mark.parametrize(
    ("base", "given", "accepted"),
    [("fide-2017", "half_up", "round_change, round_new_rating"), ("rubele-2008", "round_change", "half_up")],
)
def test_chess_takes_no_procedure_of_draughts_nor_the_other_way_round(
    base: str, given: str, accepted: str
) -> None:
    """Both round, each in its own way; an office reads the editions of both."""
    text = f"base = '{base}'\n[every]\nrounding = {{ value = '{given}', article = 'y' }}"
    with pytest.raises(BadInput) as caught:
        own_edition(text, ALL, (*PROCEDURES, *rubele.PROCEDURES))
    assert caught.value.facts == {"field": "rounding", "value": given, "accepted": accepted}


@pytest.mark.parametrize(("text", "value"), [("", "None"), ("base = 7", "7"), ("base = 'x'", "x")])
def test_a_base_must_be_named(text: str, value: str) -> None:
    with pytest.raises(BadInput) as caught:
        own_edition(text, CHESS_EDITIONS, PROCEDURES)
    assert caught.value.facts == {"field": "base", "value": value, "accepted": IDS}
    assert caught.value.code == "own-edition-value"


def test_a_text_that_is_no_toml() -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as plain_error:
        tomllib.loads("base =")
    with pytest.raises(BadInput) as caught:
        own_edition("base =", CHESS_EDITIONS, PROCEDURES)
    assert (caught.value.code, caught.value.facts) == ("own-edition-toml", {"reason": str(plain_error.value)})


# ---------------------------------------------------------------------------------------- reading editions


@dataclass(frozen=True)
class Small:
    """Rules of an edition that fits on a line."""

    first: Rule[int]
    second: Rule[tuple[Fraction, None]] | None
    note: str = "no rule"


ONE = Edition("one", "us", date(2020, 1, 1), "s", date(2020, 1, 1), {STANDARD: Small(Rule(5, "1"), None)})
TWO = Edition(
    "two",
    "us",
    date(2021, 1, 1),
    "s",
    date(2020, 1, 1),
    {STANDARD: Small(Rule(5, "2"), None), RAPID: Small(Rule(7, "1"), Rule((Fraction(1, 2), None), "3"))},
)


def test_the_digest_is_over_every_rule_of_every_list() -> None:
    assert digest(ONE) == sha256(b"one 2020-01-01\nstandard first 5 (1)\nstandard second -").hexdigest()
    lines = [
        "two 2021-01-01",
        "standard first 5 (2)",
        "standard second -",
        "rapid first 7 (1)",
        "rapid second ['1/2', None] (3)",
    ]
    assert digest(TWO) == sha256("\n".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class Later(Small):
    """The same with a rule that came into the program later."""

    third: Rule[int] | None = None


def test_a_later_rule_counts_in_the_digest_only_if_the_edition_has_it() -> None:
    without, with_it = (
        replace(ONE, lists={STANDARD: Later(Rule(5, "1"), None, third=third)})
        for third in (None, Rule(9, "3"))
    )
    assert digest(without) == digest(ONE)
    text = b"one 2020-01-01\nstandard first 5 (1)\nstandard second -\nstandard third 9 (3)"
    assert digest(with_it) == sha256(text).hexdigest()


def test_what_an_edition_sets_and_what_changed() -> None:
    assert list(provisions(ONE)) == [
        Provision(STANDARD, "first", Rule(5, "1")),
        Provision(STANDARD, "second", None),
    ]
    assert list(compare(ONE, TWO)) == [
        (STANDARD, "first", Rule(5, "1"), Rule(5, "2")),
        (RAPID, "first", None, Rule(7, "1")),
        (RAPID, "second", None, Rule((Fraction(1, 2), None), "3")),
    ]
    assert list(compare(ONE, ONE)) == []


def test_values_in_plain_data() -> None:
    assert plain(OneOffAdjustment(date(2024, 3, 1), 2000, Fraction(2, 5))) == {
        "on": "2024-03-01",
        "below": 2000,
        "share": "2/5",
        "standard_minus": None,
    }
    assert [plain(value) for value in (True, 3, "x", None, plain, (1, (2,)))] == [
        True,
        3,
        "x",
        None,
        "plain",
        [1, [2]],
    ]
    assert plain(Notice) == "Notice"


def test_editions_that_are_not_there() -> None:
    with pytest.raises(NoEdition) as caught:
        named("fide-1999", DRAUGHTS_EDITIONS)
    assert (caught.value.code, caught.value.facts) == (
        "unknown-edition",
        {"edition": "fide-1999", "accepted": "rubele-2008, rubele-2021"},
    )
    with pytest.raises(NoEdition) as caught:
        in_force(CHESS_EDITIONS, RAPID, date(2011, 12, 31))
    assert (caught.value.code, caught.value.facts) == (
        "no-edition-yet",
        {"day": date(2011, 12, 31), "list": "rapid", "first": date(2012, 1, 1)},
    )
    assert in_force(CHESS_EDITIONS, RAPID, date(2012, 1, 1)).id == "fide-2012"
    assert in_force(CHESS_EDITIONS, STANDARD, date(2012, 6, 30)).id == "fide-2011"


def test_an_own_edition_is_in_force_beside_one_that_began_earlier_on_its_list_alone() -> None:
    """fide-2012 has rapid ratings from January 2012 on, half a year before its other rules."""
    own = own_edition('id = "circolo-2012"\nbase = "fide-2012"\n', CHESS_EDITIONS, PROCEDURES)
    known = with_own(CHESS_EDITIONS, [adopted(own, RAPID, date(2012, 3, 1))])
    days = (date(2012, 2, 29), date(2012, 3, 1), date(2012, 8, 1))
    assert [in_force(known, RAPID, day).id for day in days] == ["fide-2012", "circolo-2012", "circolo-2012"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["from", "by-name", "renumbered"])
def test_an_own_edition_may_be_called_like_some_sentence(name: str, language: str) -> None:
    text = f'id = "{name}"\nbase = "fide-2017"\nsource = "Decision of the board"\n'
    own = own_edition(text, CHESS_EDITIONS, PROCEDURES)
    assert (
        edition_about(own, load_words(language))
        == edition_source(own, load_words(language))
        == "Decision of the board"
    )


@pytest.mark.parametrize(
    ("field", "given", "accepted"),
    [
        ("list_months", "[0, 1]", "[1, …, 12]"),
        ("cutoff_days", "36526", "0–36525"),
        ("league_exempt", "1", "true, false"),
    ],
)
def test_values_just_beyond_are_refused_with_what_is_accepted(field: str, given: str, accepted: str) -> None:
    with pytest.raises(BadInput) as refused:
        own(f"[standard]\n{field} = {{ value = {given}, article = 'own 1' }}")
    assert (refused.value.code, refused.value.facts["accepted"]) == ("own-edition-value", accepted)


def test_an_adopted_edition_is_in_force_for_one_list_from_its_day_on() -> None:
    """The guide of 2012 is known by name only, and fide-2012 begins later on the rapid list, until adopted."""
    day = date(2011, 1, 1)
    guide, later = (
        adopted(chess_edition("fsi-2012"), STANDARD, day),
        adopted(chess_edition("fide-2012"), RAPID, day),
    )
    assert (guide.by_name_only, guide.starts(STANDARD), tuple(guide.lists)) == (False, day, (STANDARD,))
    assert (later.starts(RAPID), tuple(later.lists), later.begins) == (day, (RAPID,), {})


def test_from_its_first_own_edition_on_a_list_has_only_the_federations() -> None:
    first = adopted(chess_edition("fide-2014"), STANDARD, date(2015, 1, 1))
    second = adopted(chess_edition("fide-2013"), STANDARD, date(2016, 1, 1))
    editions = with_own(CHESS_EDITIONS, [second, first])

    def in_turn(on_list: ListName, *days: date) -> list[tuple[str, date]]:
        found = [in_force(editions, on_list, day) for day in days]
        return [(edition.id, edition.starts(on_list)) for edition in found]

    assert in_turn(STANDARD, date(2014, 12, 31), date(2015, 1, 1), date(2016, 1, 1), date(2025, 1, 1)) == [
        ("fide-2014", date(2014, 7, 1)),
        ("fide-2014", date(2015, 1, 1)),
        ("fide-2013", date(2016, 1, 1)),
        ("fide-2013", date(2016, 1, 1)),
    ]
    assert in_turn(RAPID, date(2018, 1, 1)) == [("fide-2017", date(2017, 7, 1))]


def test_an_own_edition_wins_over_a_printed_one_of_the_same_day() -> None:
    day = chess_edition("fide-2017").starts(STANDARD)
    own_one = adopted(chess_edition("fide-2014"), STANDARD, day)
    editions = with_own(CHESS_EDITIONS, [own_one])
    assert in_force(editions, STANDARD, day).id == "fide-2014"
    never = named("fide-2017", editions)
    assert never.begins == {STANDARD: Rule(date.max, "")}
    assert named("fide-2012", editions) == chess_edition("fide-2012")
