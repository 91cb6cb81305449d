"""Draughts in the same office: capitals event by event, a late event, the year's end."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_lists import (
    DRAW,
    INTERNAZIONALE,
    ITALIANA,
    ONE_GAME,
    begin,
    capital,
    closed_years,
    played,
    standing,
)
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Desk
from tests.builders.verbs import (
    accept,
    change_player,
    draft,
    explain,
    merge,
    publish,
    ratings_in_force,
    revise,
    verify,
    verify_bundle,
    withdraw,
)


def test_an_event_moves_capitals_and_the_first_of_the_year_brings_the_bonus(desk: Desk) -> None:
    """Both at 2000: PA = 1 of 2, D = +1 and -1, S = 150: below 3000 the first band (table 17); bonus 10 each."""
    begin(desk, standing(1, 2000), standing(2, 2000))
    played(desk, "Gara", ONE_GAME, date(2018, 3, 10))
    desk.on(date(2018, 3, 31))
    publication = publish(
        desk.office, ITALIANA, date(2018, 3, 31), desk.folder / "lists", kinds=("canonical", "csv")
    )

    # 2000 + 150 x (2 - 1) + 10 and 2000 + 150 x (0 - 1) + 10
    assert [capital(desk, player, date(2018, 3, 31)) for player in (1, 2)] == [2160, 1860]
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / f"{publication.name}.bundle.zip").intact


def test_a_drawn_game_between_equals_brings_the_bonus_alone(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000))
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    played(desk, "Seconda", DRAW, date(2018, 3, 20))
    desk.on(date(2018, 3, 31))
    publish(desk.office, ITALIANA, date(2018, 3, 31))

    # ten points for the first event of the year, none for the second (table 18a)
    assert [capital(desk, player, date(2018, 3, 31)) for player in (1, 2)] == [2010, 2010]


@DEEP_ON_POSTGRESQL
def test_a_late_event_takes_its_place_in_the_chain(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000), standing(3, 2000))
    played(desk, "March", DRAW, date(2018, 3, 10))
    desk.on(date(2018, 3, 31))
    publish(desk.office, ITALIANA, date(2018, 3, 31))
    # an event of February comes in later: the third player gets his bonus, the first keeps his one
    played(desk, "February", "1 0 | 3w=\n3 0 | 1b=", date(2018, 2, 10))
    desk.on(date(2018, 4, 30))
    publish(desk.office, ITALIANA, date(2018, 4, 30))

    assert [capital(desk, player, date(2018, 3, 31)) for player in (1, 2, 3)] == [2010, 2010, 2000]
    found = [capital(desk, player, date(2018, 4, 30)) for player in (1, 2, 3)]
    # February: equals, bonus for 1 and 3. March: 1 has 2010 against 2000, expected a little more than half.
    assert found[2] == 2010
    assert found[0] is not None
    assert found[0] <= 2010
    assert verify(desk.office).intact


def test_the_year_ends_with_the_malus_of_who_did_not_play(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000), standing(3, 2000))
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    desk.on(date(2018, 12, 31))
    publish(desk.office, ITALIANA, date(2018, 12, 31))

    # table 18b: fifty points for a year without an event
    assert [capital(desk, player, date(2018, 12, 31)) for player in (1, 2, 3)] == [2010, 2010, 1950]
    told = explain(desk.office, 3, ITALIANA, date(2018, 12, 31))
    assert told.change is not None
    assert told.change.steps[0].quantity == "malus"


def test_the_next_year_starts_from_the_annual_list_and_years_are_closed_one_by_one(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000), standing(3, 2000))
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    with pytest.raises(BadInput, match="year-open"):
        draft(desk.office, ITALIANA, date(2019, 2, 1))
    desk.on(date(2018, 12, 31))
    publish(desk.office, ITALIANA, date(2018, 12, 31))
    played(desk, "New year", DRAW, date(2019, 1, 20))
    desk.on(date(2019, 2, 1))
    publish(desk.office, ITALIANA, date(2019, 2, 1))

    # the bonus again, once for the new year; the list of 2018 is not computed a second time
    assert [capital(desk, player, date(2019, 2, 1)) for player in (1, 2, 3)] == [2020, 2020, 1950]


def test_a_newcomer_starts_with_the_capital_of_table_12_or_by_decision(desk: Desk) -> None:
    begin(desk, standing(1, 300))
    report = event("Gara", "1 0 | 2w=\n2 0 | 1b=\n3 0 | .Z", date(2018, 3, 10))
    desk.on(date(2018, 3, 11))
    sent = desk.send(report, facts=EventFacts(list=ITALIANA))
    accepted = accept(desk.office, sent.report)
    assert accepted.newcomers == (2, 3)
    desk.on(date(2018, 3, 31))
    assert draft(desk.office, ITALIANA, date(2018, 3, 31)).result.ratings[2] == 310

    decide(desk.office, "capital", player=2, on_list=ITALIANA, capital=1500, reason="former champion")

    made = draft(desk.office, ITALIANA, date(2018, 3, 31))
    assert (made.result.ratings[2] or 0) > 1400


def test_a_player_of_the_other_discipline_is_converted_by_his_category(desk: Desk) -> None:
    """Table 20: a Nazionale of the Italian game begins the international one with 1000."""
    begin(desk, standing(1, 2200), standing(2, 2200))
    report = event("Internazionale", DRAW, date(2018, 3, 10))
    desk.on(date(2018, 3, 11))
    sent = desk.send(report, facts=EventFacts(list=INTERNAZIONALE))
    accept(desk.office, sent.report)
    desk.on(date(2018, 3, 31))

    made = draft(desk.office, INTERNAZIONALE, date(2018, 3, 31))

    # equals, a draw, and the bonus of the first event
    assert made.result.ratings == {1: 1010, 2: 1010}


def test_a_revision_of_the_annual_list_moves_the_next_one(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000), standing(3, 2000))
    gara = played(desk, "Gara", DRAW, date(2018, 3, 10))
    desk.on(date(2018, 12, 31))
    publish(desk.office, ITALIANA, date(2018, 12, 31))
    played(desk, "New year", DRAW, date(2019, 1, 20))
    desk.on(date(2019, 2, 1))
    publish(desk.office, ITALIANA, date(2019, 2, 1))
    withdraw(desk.office, gara, reason="never played")

    revised = revise(desk.office, ITALIANA, reason="never played")

    # without the event of 2018 both lose fifty at its end, and gain the bonus of 2019
    assert [
        (r.publication.name, [(d.player, d.before, d.after) for d in r.differences])
        for r in revised.revisions
    ] == [
        ("italiana-2018-12-31-r2", [(1, 2010, 1950), (2, 2010, 1950)]),
        ("italiana-2019-02-01-r2", [(1, 2020, 1960), (2, 2020, 1960)]),
    ]
    assert replace(revised).mode == "lists"
    assert verify(desk.office).intact


def test_a_corrected_base_counts_each_event_of_the_year_once(desk: Desk) -> None:
    """Every list of a year begins at the year's start: the events before June are not counted again for December.

    Without the withdrawn event there is one won game between equals, 150 points and the bonus of 10 (above); the year's
    end takes nothing from whoever played.
    """
    begin(desk, standing(1, 2000), standing(2, 2000))
    wrong = played(desk, "Gara", DRAW, date(2018, 2, 10))
    played(desk, "Seconda", ONE_GAME, date(2018, 3, 10))
    for day in (date(2018, 6, 30), date(2018, 12, 31)):
        desk.on(day)
        publish(desk.office, ITALIANA, day)
    withdraw(desk.office, wrong, reason="never played")

    revise(desk.office, ITALIANA, mode="base", reason="withdrawn")

    desk.on(date(2019, 6, 30))
    publish(desk.office, ITALIANA, date(2019, 6, 30))
    assert [capital(desk, player, date(2019, 6, 30)) for player in (1, 2)] == [2160, 1860]


def test_a_corrected_base_may_be_empty(sqlite_desk: Desk) -> None:
    """The one event of a list is withdrawn: the next list begins from nothing, not from what it was."""
    desk = sqlite_desk
    wrong = played(desk, "Gara", ONE_GAME, date(2018, 2, 10))
    desk.on(date(2018, 12, 31))
    publish(desk.office, ITALIANA, date(2018, 12, 31))
    played(desk, "Seconda", DRAW, date(2019, 3, 10))
    desk.on(date(2019, 12, 31))
    publish(desk.office, ITALIANA, date(2019, 12, 31))
    withdraw(desk.office, wrong, reason="never played")

    (base,) = revise(desk.office, ITALIANA, mode="base", reason="withdrawn").revisions

    # newcomers of 300 each who drew: the bonus of the year's first event alone
    assert {one.after for one in base.differences} == {310}


def test_a_corrected_report_of_a_closed_year_waits_for_a_revision(sqlite_desk: Desk) -> None:
    """It takes the place of the one that the closed year rates; in the open year it would be counted a second time."""
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    wrong = played(desk, "Gara", ONE_GAME, date(2018, 2, 10))
    desk.on(date(2018, 12, 31))
    publish(desk.office, ITALIANA, date(2018, 12, 31))
    desk.on(date(2019, 1, 10))
    right = desk.send(event("Gara", DRAW, date(2018, 2, 10)), facts=EventFacts(list=ITALIANA), replaces=wrong)
    accept(desk.office, right.report)

    made = draft(desk.office, ITALIANA, date(2019, 6, 30))
    assert [(left.report.id, left.reason) for left in made.left_out] == [(right.report, "corrects-published")]
    assert made.reports == ()

    revise(desk.office, ITALIANA, reason="the result was wrong")
    desk.on(date(2019, 6, 30))
    publish(desk.office, ITALIANA, date(2019, 6, 30))
    assert [capital(desk, player, date(2019, 6, 30)) for player in (1, 2)] == [2010, 2010]


def test_who_plays_for_another_federation_is_cancelled_after_two_years(desk: Desk) -> None:
    """Table 22: a newcomer from France is foreign, though no imported list says so."""
    begin(desk, standing(1, 300))
    report = event("Gara", DRAW, date(2018, 3, 10))
    french = replace(
        report,
        entrants=tuple(
            replace(e, federation=f) for e, f in zip(report.entrants, ("ITA", "FRA"), strict=True)
        ),
    )
    desk.on(date(2018, 3, 11))
    accept(desk.office, desk.send(french, facts=EventFacts(list=ITALIANA)).report)
    closed_years(desk, 2018, 2019)
    ending = draft(desk.office, ITALIANA, date(2020, 12, 31)).result
    assert (ending.movements, ending.delisted) == (((1, 260, 210),), (2,))
    closed_years(desk, 2020)

    # 300 and the bonus; fifty taken for 2019; two years running without an event
    assert [capital(desk, 2, date(year, 12, 31)) for year in (2018, 2019, 2020)] == [310, 260, None]
    # the other loses fifty a year, and who is gone has not merely moved
    assert [capital(desk, 1, date(year, 12, 31)) for year in (2018, 2019, 2020)] == [310, 260, 210]
    assert verify(desk.office).intact


def test_the_register_decides_who_is_foreign_once_it_names_a_federation(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000, foreign=True), standing(3, 2000, foreign=True))
    change_player(desk.office, 2, since=date(2018, 1, 1), reason="moved", set_={"federation": "ITA"})
    closed_years(desk, 2018, 2019)

    # 2017 was played; 2018 costs fifty, 2019 fifty or everything
    assert [capital(desk, player, date(2019, 12, 31)) for player in (1, 2, 3)] == [1900, 1900, None]


def test_the_commission_decides_with_what_a_cancelled_player_returns(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000, foreign=True))
    closed_years(desk, 2018, 2019)
    undecided = "draughts-returned-undecided"
    played(desk, "Return", DRAW, date(2020, 3, 10), overrule=undecided)
    desk.on(date(2020, 3, 31))
    # no FMJD rating and no title: a newcomer's capital until it is decided (300 against 1900: 0.34 expected)
    assert draft(desk.office, ITALIANA, date(2020, 3, 31)).result.ratings == {1: 1811, 2: 409}

    decide(desk.office, "capital", player=2, on_list=ITALIANA, capital=1900, reason="art. 3")
    closed_years(desk, 2020)
    assert [capital(desk, player, date(2020, 12, 31)) for player in (1, 2)] == [1910, 1910]

    # away again for two years: the decision of 2020 was about another return
    closed_years(desk, 2021, 2022)
    played(desk, "Second return", DRAW, date(2023, 3, 10), overrule=undecided)
    desk.on(date(2023, 3, 31))
    assert (draft(desk.office, ITALIANA, date(2023, 3, 31)).result.ratings[2] or 0) < 500
    assert verify(desk.office).intact


def test_merged_players_have_one_capital(desk: Desk) -> None:
    begin(desk, standing(1, 2000), standing(2, 2000), replace(standing(3, 1500), category=Category.MAESTRO))
    played(desk, "Gara", "2 0 | 3w=\n3 0 | 2b=", date(2018, 3, 10))
    desk.on(date(2018, 3, 20))
    merge(desk.office, 1, 3, reason="one person", confirmed=True)
    desk.on(date(2018, 3, 31))
    publication = publish(desk.office, ITALIANA, date(2018, 3, 31), desk.folder / "lists", kinds=("csv",))

    # the first stays with his capital; the third's draw is his, and the category he had reached
    assert ratings_in_force(desk.office, ITALIANA, date(2018, 3, 31)) == {1: 2010, 2: 2010}
    assert "maestro" in next((desk.folder / "lists").glob(f"{publication.name}*.csv")).read_text("utf-8")
    assert verify(desk.office).intact


def test_a_title_of_draughts_is_not_measured_by_fides(sqlite_desk: Desk) -> None:
    begin(sqlite_desk, standing(1, 2300))
    report = event("Gara", DRAW, date(2018, 3, 10))
    titled = replace(report, entrants=(report.entrants[0], replace(report.entrants[1], title="MF")))
    sqlite_desk.on(date(2018, 3, 11))
    sent = sqlite_desk.send(titled, facts=EventFacts(list=ITALIANA))
    assert "title-unknown" not in {finding.code for finding in sent.findings}
    accept(sqlite_desk.office, sent.report)
    # table 21: M.F. begins with 2300; equals, a draw, and the bonus
    made = draft(sqlite_desk.office, ITALIANA, date(2018, 3, 31))
    assert made.result.ratings == {1: 2310, 2: 2310}
