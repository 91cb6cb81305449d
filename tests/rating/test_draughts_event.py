"""Events and chains of events."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.explain.words import load_words
from arpad.model.draughts import Category, DraughtsState, Title
from arpad.model.errors import BadInput
from arpad.model.rules import ListName, Rule, Severity
from arpad.rating.draughts_event import DraughtsEvent, RatedEvent, Season, run_season
from arpad.regulations.editions import in_force
from arpad.regulations.rubele.editions import EDITIONS, RUBELE_2008, RUBELE_2021
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.reports.report import Report
from tests.builders.draughts import BOARD, board_report, round_of, small_event

ITALIANA, INTERNAZIONALE = RUBELE_2008.on(ListName.ITALIANA), RUBELE_2008.on(ListName.INTERNAZIONALE)


def rated(report: Report, rules: DraughtsRules = ITALIANA, weight: Fraction = Fraction(1)) -> RatedEvent:
    return run_season([DraughtsEvent("e", report, weight)], None, lambda day: rules).events[0]


def chain(
    *reports: Report,
    standings: tuple[DraughtsState, ...] | None = None,
    close_years: bool = False,
    edition: str = "",
) -> Season:
    def rules_on(day: date | None) -> DraughtsRules:
        if edition:
            return ITALIANA
        assert day is not None
        return in_force(EDITIONS, ListName.ITALIANA, day).on(ListName.ITALIANA)

    events = [DraughtsEvent(f"{place}", report) for place, report in enumerate(reports)]
    return run_season(events, standings, rules_on, close_years=close_years)


def codes(event: RatedEvent) -> set[str]:
    """What the findings say, but for the remark that no list tells who played before."""
    return {finding.code for finding in event.findings} - {"draughts-bonus-unknown"}


# ---------------------------------------------------------------------------------------------- the board

EXPECTED = {1: 930, 2: 1174, 3: 933, 4: 1095, 5: 1015, 6: 691, 7: 751, 8: 894, 9: 779, 10: 738}
SCORED = {1: 14, 2: 9, 3: 10, 4: 12, 5: 9, 6: 9, 7: 7, 8: 8, 9: 6, 10: 6}


@pytest.mark.parametrize(
    ("rules", "less", "final", "crossing"),
    [
        (ITALIANA, 0, (3925, 3826, 3549, 3916, 3541, 3189, 3049, 3305, 2973, 2901), {1, 2, 4, 6, 9, 10}),
        (INTERNAZIONALE, 1000, (3116, 2562, 2589, 2994, 2472, 2314, 2018, 2249, 1812, 1777), {1, 6, 9, 10}),
    ],
    ids=["table 13", "table 15"],
)
def test_the_board_gives_every_stated_number_and_crossing(
    rules: DraughtsRules, less: int, final: tuple[int, ...], crossing: set[int]
) -> None:
    event = rated(board_report(less), rules)
    changes = {player.number: player.change for player in event.players}
    assert not [finding for finding in event.findings if finding.severity is Severity.ERROR]
    assert {number: change.expected for number, change in changes.items() if change} == EXPECTED
    assert {number: change.scored for number, change in changes.items() if change} == SCORED
    assert tuple(change.final for change in changes.values() if change) == final
    assert {number for number, change in changes.items() if change and change.crossings} == crossing
    assert sum(EXPECTED.values()) == 9000
    assert sum(SCORED.values()) == 90


def test_the_capitals_of_the_board_are_those_before_the_event() -> None:
    event = rated(board_report())
    for player in event.players:
        assert player.participant.capital == BOARD[player.number][0]
        assert all(cell.opponent_capital == BOARD[cell.opponent][0] for cell in player.cells)


def test_promoted_players_are_listed_with_day_and_event() -> None:
    promotions = rated(board_report()).promotions
    assert [(p.name, p.held, p.reached, p.capital, p.threshold) for p in promotions] == [
        ("Bianco", Category.CANDIDATO_MAESTRO, Category.MAESTRO, 3925, 3900),
        ("Giallo", Category.CANDIDATO_MAESTRO, Category.MAESTRO, 3916, 3900),
        ("Violetto", Category.NAZIONALE, Category.CANDIDATO_MAESTRO, 3189, 3000),
    ]
    assert {(p.event, p.day) for p in promotions} == {("Torneo dei colori", date(2008, 3, 9))}


def test_the_category_held_stays_when_the_capital_falls() -> None:
    grey = rated(board_report()).players[8]
    assert grey.final == 2973
    assert grey.held_after is Category.CANDIDATO_MAESTRO


# --------------------------------------------------------------------------------------- what does not count


@pytest.mark.parametrize("letter", ["+", "-", "W", "D", "L"])
def test_games_not_played_count_neither_in_po_nor_in_pa(letter: str) -> None:
    report = small_event(
        [2000, 2100, 2300, 2200],
        round_of(4, [(1, 2, "1"), (3, 4, letter)]),
        round_of(4, [(1, 3, letter), (2, 4, "=")]),
    )
    event = rated(report)
    first, third = event.players[0].change, event.players[2].change
    assert first is not None
    assert (first.scored, first.expected) == (
        2,
        95,
    )  # difference 100: 0.95 against 2100, nothing against 2300
    assert third is None
    assert event.players[2].final == 2300
    assert "draughts-not-counted" in codes(event)


@pytest.mark.parametrize("letter", ["H", "F", "U", "Z"])
def test_byes_count_neither_in_po_nor_in_pa(letter: str) -> None:
    event = rated(small_event([2000, 2100, 2300], round_of(3, [(1, 2, "1")], {3: letter})))
    assert event.players[2].change is None
    assert event.players[2].cells[0].expected is None


def test_who_played_no_game_gets_no_bonus_and_has_not_taken_part() -> None:
    # the third is only listed: his first event of the year is still to come
    standings = tuple(
        DraughtsState(f"Giocatore {n}", 2000, Category.NAZIONALE, last_event=date(2007, 5, 1))
        for n in (1, 2, 3)
    )
    found = chain(
        small_event([2000] * 3, round_of(3, [(1, 2, "=")], {3: "U"})), standings=standings, edition="2008"
    )
    assert [standing.capital for standing in found.standings] == [2010, 2010, 2000]
    assert [standing.last_event for standing in found.standings][2] == date(2007, 5, 1)


def test_results_that_disagree_are_errors_and_count_for_nobody() -> None:
    good = round_of(2, [(1, 2, "1")])
    event = rated(small_event([2000, 2000], replace(good, results="11")))
    assert "draughts-result-mismatch" in codes(event)
    assert [player.change for player in event.players] == [None, None]


def test_nobody_plays_himself_or_a_stranger() -> None:
    good = round_of(2, [(1, 2, "=")])
    for opponents in ((1, 1), (9, 1)):
        event = rated(small_event([2000, 2000], replace(good, opponents=opponents)))
        assert "draughts-pairing" in codes(event)
        assert [player.change for player in event.players] == [None, None]


def test_points_claimed_on_either_scale_are_checked() -> None:
    report = small_event([2000, 2000], round_of(2, [(1, 2, "1")]), round_of(2, [(2, 1, "=")]))

    def with_points(*points: int) -> Report:
        entrants = tuple(replace(e, half_points=p) for e, p in zip(report.entrants, points, strict=True))
        return replace(report, entrants=entrants)

    assert not codes(rated(with_points(3, 1)))  # 1.5 and 0.5, as chess writes them
    assert not codes(rated(with_points(6, 2)))  # 3 and 1: two for a win
    assert codes(rated(with_points(6, 4))) == {"draughts-points-differ"}
    assert codes(rated(with_points(3, 9))) == {"draughts-points-beyond-games"}


def test_every_finding_is_said_in_both_languages() -> None:
    report = small_event([50, None], replace(round_of(2, [(1, 2, "1")]), results="11"), day=None)
    entrants = (replace(report.entrants[0], title="granduca"), report.entrants[1])
    event = rated(replace(report, entrants=entrants))
    assert {"draughts-capital-below-minimum", "draughts-newcomer", "draughts-no-date"} <= codes(event)
    for finding in event.findings:
        assert load_words("it").finding(finding) != load_words("en").finding(finding)


def test_a_newcomer_begins_as_provinciale_with_the_starting_capital() -> None:
    event = rated(small_event([None, 300], round_of(2, [(1, 2, "=")])))
    first = event.players[0]
    assert first.participant.capital == 300
    assert first.participant.standing.category is Category.PROVINCIALE
    assert first.final == 310  # an even game, and certainly his first event of the year
    assert event.players[1].final == 300  # nobody knows whether he has played this year


def test_a_title_is_no_category() -> None:
    report = small_event([2500, 2000], round_of(2, [(1, 2, "=")]))
    titled = replace(report, entrants=(replace(report.entrants[0], title="MF"), report.entrants[1]))
    standing = rated(titled).players[0].participant.standing
    assert (standing.title, standing.category) == (Title.MF, Category.NAZIONALE)


@pytest.mark.parametrize("written", ["G.M.I.", "gmi", "M.I.", "MI", "M.F."])
def test_a_title_is_known_as_table_21_writes_it(written: str) -> None:
    report = small_event([2500, 2000], round_of(2, [(1, 2, "=")]))
    titled = replace(report, entrants=(replace(report.entrants[0], title=written), report.entrants[1]))
    event = rated(titled)
    assert event.players[0].participant.standing.title == written.replace(".", "").lower()
    assert "draughts-category-unknown" not in codes(event)


@pytest.mark.parametrize(
    ("rules", "title", "capital", "category", "table"),
    [
        (ITALIANA, "G.M.I.", 2700, Category.NAZIONALE, "Tab. 21"),
        (ITALIANA, "M.F.", 2300, Category.NAZIONALE, "Tab. 21"),
        (INTERNAZIONALE, "M.F.", 500, Category.PROVINCIALE, "Tab. 11"),
    ],
)
def test_a_titled_newcomer_to_italiana_begins_by_the_conversion(
    rules: DraughtsRules, title: str, capital: int, category: Category, table: str
) -> None:
    """Table 12 sends players of dama internazionale who begin in italiana to the conversions."""
    report = small_event([None, 2000], round_of(2, [(1, 2, "=")]))
    titled = replace(report, entrants=(replace(report.entrants[0], title=title), report.entrants[1]))
    event = run_season([DraughtsEvent("e", titled)], None, lambda day: rules).events[0]
    begun = event.players[0].participant
    assert (begun.capital, begun.standing.category, begun.debut[0].article) == (capital, category, table)
    assert begun.first_of_year
    converted = "draughts-converted" if table == "Tab. 21" else "draughts-newcomer"
    said = next(finding for finding in event.findings if finding.code == converted)
    basis = {"basis": title.replace(".", "").upper()} if table == "Tab. 21" else {}
    assert {name: said.facts.get(name) for name in (*basis, "capital")} == {**basis, "capital": capital}


def test_the_category_a_report_names_is_the_one_held() -> None:
    report = small_event([2500, 2000], round_of(2, [(1, 2, "=")]))
    held = replace(report, entrants=(replace(report.entrants[0], title="M.N."), report.entrants[1]))
    event = rated(held)
    assert event.players[0].held_after is Category.MAESTRO
    assert not event.promotions


def test_half_weight_halves_every_variation() -> None:
    full, half = rated(board_report()), rated(board_report(), weight=Fraction(1, 2))
    for one, other in zip(full.players, half.players, strict=True):
        assert one.change is not None
        assert other.change is not None
        assert other.change.deviation * 2 == one.change.deviation
    assert half.players[0].final == 3479 + 235


# --------------------------------------------------------------------------------------------------- chains


def drawn(day: date, capitals: tuple[int | None, int | None] = (None, None), name: str = "Gara") -> Report:
    return small_event(capitals, round_of(2, [(1, 2, "=")]), day=day, name=name, names=("Anna", "Bruno"))


def test_each_event_starts_from_the_last_capital_in_order_of_date() -> None:
    won = small_event([None, None], round_of(2, [(1, 2, "1")]), day=date(2008, 2, 3), names=("Anna", "Bruno"))
    found = chain(drawn(date(2008, 6, 1)), won)
    assert [event.event.report.header.last_day for event in found.events] == [
        date(2008, 2, 3),
        date(2008, 6, 1),
    ]
    # 300 + 150 + 10 and 300 - 150 + 10; then 460 against 160: 1.15 and 0.85, 460 - 22.5, 160 + 22.5
    assert [player.final for player in found.events[0].players] == [460, 160]
    assert [player.final for player in found.events[1].players] == [438, 183]


def test_a_late_event_recomputes_the_chain_and_moves_the_bonus() -> None:
    later = drawn(date(2008, 6, 1), (2000, 2000))
    late = drawn(date(2008, 2, 3), (2000, 2000))
    standings = tuple(
        DraughtsState(name, 2000, Category.NAZIONALE, last_event=date(2007, 9, 1))
        for name in ("Anna", "Bruno")
    )
    alone = chain(later, standings=standings)
    both = chain(later, late, standings=standings)
    assert alone.events[0].players[0].participant.first_of_year
    assert both.events[0].event.report is late
    assert [event.players[0].participant.first_of_year for event in both.events] == [True, False]
    assert both.standings[0].capital == 2010


def test_the_bonus_belongs_to_the_year_of_the_last_day() -> None:
    over = replace(drawn(date(2008, 12, 27), (2000, 2000)))
    over = replace(over, header=replace(over.header, last_day=date(2009, 1, 4)))
    standings = tuple(
        DraughtsState(name, 2000, Category.NAZIONALE, last_event=date(2008, 9, 1))
        for name in ("Anna", "Bruno")
    )
    assert chain(over, standings=standings).standings[0].capital == 2010


def test_on_the_same_last_day_the_earlier_first_day_comes_first_then_the_id() -> None:
    one, two = drawn(date(2008, 3, 2), name="two days"), drawn(date(2008, 3, 2), name="one day")
    one = replace(one, header=replace(one.header, first_day=date(2008, 3, 1)))
    assert [e.event.report.header.name for e in chain(two, one).events] == ["two days", "one day"]
    assert [e.event.id for e in chain(two, replace(two)).events] == ["0", "1"]


def test_a_category_once_reached_is_kept_through_the_chain() -> None:
    up = small_event([995, 995], round_of(2, [(1, 2, "1")]), day=date(2008, 2, 3), names=("Anna", "Bruno"))
    down = small_event([995, 995], round_of(2, [(1, 2, "0")]), day=date(2008, 3, 3), names=("Anna", "Bruno"))
    found = chain(up, down)
    assert [(p.name, p.reached, p.day) for p in found.promotions] == [
        ("Anna", Category.REGIONALE, date(2008, 2, 3)),
        ("Bruno", Category.REGIONALE, date(2008, 3, 3)),  # 845 + 1.15 × 150 = 1017.5
    ]
    anna = found.standings[0]
    assert (anna.capital, anna.category) == (973, Category.REGIONALE)  # 1145 - 1.15 × 150 = 972.5


def test_the_bonus_counts_for_promotion() -> None:
    standings = (
        DraughtsState("Anna", 990, Category.PROVINCIALE, last_event=date(2007, 9, 1)),
        DraughtsState("Bruno", 990, Category.PROVINCIALE, last_event=date(2008, 1, 1)),
    )
    found = chain(drawn(date(2008, 3, 2)), standings=standings)
    assert [(p.name, p.capital) for p in found.promotions] == [("Anna", 1000)]


def test_the_edition_follows_the_events_first_day() -> None:
    found = chain(drawn(date(2020, 12, 31), (2000, 2000)), drawn(date(2021, 1, 1)))
    assert found.standings[0].capital == 2010  # no bonus known of in 2020, Q 10 in 2021


def test_the_list_decides_where_the_report_says_something_else() -> None:
    standings = (DraughtsState("Anna", 2500, Category.NAZIONALE, history_known=False),)
    found = chain(drawn(date(2008, 3, 2), (2000, 2000)), standings=standings)
    event = found.events[0]
    assert event.players[0].participant.capital == 2500
    assert codes(event) == {"draughts-capital-differs", "draughts-not-listed"}


def test_players_are_found_by_number_before_name() -> None:
    standings = (
        DraughtsState("Rossi Anna", 2500, Category.NAZIONALE, id="7"),
        DraughtsState("Rossi Anna", 1500, Category.REGIONALE, id="8"),
    )
    report = drawn(date(2008, 3, 2))
    entrants = (
        replace(report.entrants[0], name="Rossi, Anna", id="8"),
        replace(report.entrants[1], name="ROSSI ANNA", id="9"),
    )
    event = chain(replace(report, entrants=entrants), standings=standings).events[0]
    assert [player.participant.capital for player in event.players] == [1500, 300]
    with pytest.raises(BadInput):
        chain(report, standings=(standings[0], standings[0]))


def test_years_that_end_on_the_way_are_closed() -> None:
    standings = (DraughtsState("Carla", 1000, Category.REGIONALE, last_event=date(2008, 1, 6)),)
    first, second = drawn(date(2008, 3, 2), (2000, 2000)), drawn(date(2010, 3, 2))
    found = chain(first, second, standings=standings, close_years=True)
    assert [year.year for year in found.years] == [2008, 2009]
    assert [standing.capital for standing in found.standings if standing.name == "Carla"] == [950]
    # Anna played in 2008 (no bonus: unknown to the list), not in 2009: 2000 - 50 + 10
    assert [standing.capital for standing in found.standings if standing.name == "Anna"] == [1960]


def test_who_is_on_no_list_and_plays_no_game_does_not_stop_the_years_end() -> None:
    report = small_event(
        [2000, 2000, 1500], round_of(3, [(1, 2, "=")], {3: "Z"}), names=("Anna", "Bruno", "Carla")
    )
    found = chain(report, drawn(date(2010, 3, 2)), standings=(), close_years=True)
    assert [standing.name for standing in found.standings] == ["Anna", "Bruno"]
    assert [year.year for year in found.years] == [2008, 2009]


def test_a_cancelled_foreign_player_returns_by_the_fmjd_conversion() -> None:
    gone = DraughtsState("Anna", None, Category.MAESTRO, foreign=True, fmjd=2201, last_event=date(2005, 1, 1))
    report = small_event([None, 5282], round_of(2, [(1, 2, "=")]), names=("Anna", "Bruno"))
    event = run_season([DraughtsEvent("e", report)], [gone], lambda day: INTERNAZIONALE).events[0]
    assert event.players[0].participant.capital == 5282
    assert "draughts-returned" in codes(event)
    unknown = replace(gone, fmjd=None)
    event = run_season([DraughtsEvent("e", report)], [unknown], lambda day: INTERNAZIONALE).events[0]
    assert event.players[0].participant.capital == 500
    assert "draughts-returned-undecided" in codes(event)


def test_a_cancelled_foreign_player_returns_by_his_title_in_italiana() -> None:
    gone = DraughtsState(
        "Anna", None, Category.NAZIONALE, title=Title.MF, foreign=True, last_event=date(2005, 1, 1)
    )
    report = small_event([None, 2300], round_of(2, [(1, 2, "=")]), names=("Anna", "Bruno"))
    event = run_season([DraughtsEvent("e", report)], [gone], lambda day: ITALIANA).events[0]
    assert event.players[0].participant.capital == 2300
    assert event.players[0].participant.debut[0].article == "Tab. 21"


def test_who_returns_has_the_category_of_his_conversion_before_he_plays() -> None:
    # table 21: M.F. begins as Nazionale with 2300, whatever he held; 2300 against 2299: 1.00 expected, none scored:
    # 2300 - 3 x 150 = 1850 after three games, which is Regionale, and he stays Nazionale
    gone = DraughtsState(
        "Anna", None, Category.PROVINCIALE, title=Title.MF, foreign=True, last_event=date(2005, 1, 1)
    )
    lost = round_of(2, [(1, 2, "0")])
    report = small_event([None, 2299], lost, lost, lost, names=("Anna", "Bruno"))
    found = run_season([DraughtsEvent("e", report)], [gone], lambda day: ITALIANA)
    assert (found.standings[0].capital, found.standings[0].category) == (1860, Category.NAZIONALE)
    assert [promotion.name for promotion in found.promotions] == []
    absent = small_event([None, 2299], round_of(2, [(1, 2, "-")]), names=("Anna", "Bruno"))
    assert run_season([DraughtsEvent("e", absent)], [gone], lambda day: ITALIANA).standings[0] == gone


def test_without_a_date_only_newcomers_get_the_bonus_and_it_is_said() -> None:
    event = rated(small_event([2000, None], round_of(2, [(1, 2, "=")]), day=None))
    assert [player.participant.first_of_year for player in event.players] == [False, True]
    (found,) = (finding for finding in event.findings if finding.code == "draughts-no-date")
    assert load_words("it").finding(found).endswith("il bonus va solo a chi esordisce.")


def test_a_player_who_stands_twice_in_a_report_is_an_error() -> None:
    event = rated(small_event([2000, 2000], round_of(2, [(1, 2, "=")]), names=("Rossi, Anna", "rossi anna")))
    assert codes(event) == {"draughts-player-twice"}


def test_without_a_list_the_bonus_is_said_to_be_unknown() -> None:
    report = small_event([2000, None], round_of(2, [(1, 2, "=")]))
    event = rated(report)
    found = next(finding for finding in event.findings if finding.code == "draughts-bonus-unknown")
    assert (
        load_words("it").finding(found).startswith("Di 1 giocatore non si sa se la gara è la prima dell'anno")
    )
    known = run_season([DraughtsEvent("e", report)], None, lambda day: ITALIANA, assume_first=True).events[0]
    assert "draughts-bonus-unknown" not in {finding.code for finding in known.findings}
    assert known.players[0].participant.first_of_year
    quota = run_season(
        [DraughtsEvent("e", report)], None, lambda day: RUBELE_2021.on(ListName.ITALIANA)
    ).events[0]
    assert "draughts-bonus-unknown" not in {finding.code for finding in quota.findings}


def test_the_malus_starts_again_after_a_return_only_where_the_edition_says_so() -> None:
    standings = (DraughtsState("Anna", 2000, Category.NAZIONALE, malus=450, last_event=date(2000, 1, 1)),)
    afresh = replace(ITALIANA, malus_limit_per_absence=Rule(value=True, article="own"))
    for rules, malus in ((ITALIANA, 450), (afresh, 0)):
        event = DraughtsEvent("e", drawn(date(2008, 3, 2)))
        found = run_season([event], standings, lambda day, rules=rules: rules)  # type: ignore[misc]
        assert found.standings[0].malus == malus
