"""Tables 20 and 21: who comes from the other discipline begins by the category held on the day of the first event."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.rules import ListName, Severity
from arpad.office.inbox.check_report import check
from arpad.office.reports.entrant_rows import NEW
from arpad.publishing.bundle import verify_bundle
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_entries import category, enrol, publish, regionale
from tests.builders.draughts_lists import (
    DRAW,
    INTERNAZIONALE,
    ITALIANA,
    ONE_GAME,
    begin,
    capital,
    played,
    standing,
)
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Desk
from tests.builders.verbs import (
    accept,
    change_settings,
    draft,
    explain,
    merge,
    ratings_in_force,
    register_player,
    revise,
    take_back,
    verify,
)
from tests.builders.verbs import publish as office_publish


def all_capitals(desk: Desk, day: date, on_list: ListName = ITALIANA) -> dict[int, int]:
    return ratings_in_force(desk.office, on_list, day)


FOUR_MORE = """
1 0 | 3w1 4w1
3 0 | 1b0 5w=
4 0 | 5b1 1b0
5 0 | 4w0 3b=
"""


@DEEP_ON_POSTGRESQL
def test_a_debut_stays_when_the_category_of_the_other_discipline_rises_later(desk: Desk) -> None:
    """A year: debut in February as a Regionale (300), Nazionale of dama internazionale in September.

    February: 300 beats 2000. The difference of 1700 gives 0.31 and 1.69 expected (table 19), S = 150 (table 17):
    300 + 1.69 x 150 = 553.5, rounded 554, and 2000 - 253.5 = 1746.5, rounded 1747; the bonus of ten each (table 18a).
    """
    enrol(desk)
    begin(desk, *(standing(number, 2000) for number in range(2, 7)))
    begin(desk, regionale(1), regionale(7), on_list=INTERNAZIONALE)
    played(desk, "Esordio", ONE_GAME, date(2018, 2, 10))
    publish(desk, date(2018, 2, 28))
    february = {1: 564, 2: 1757, 3: 2000, 4: 2000, 5: 2000, 6: 2000}
    assert all_capitals(desk, date(2018, 2, 28)) == february

    # 2490 beats 2490: S = 160, 2650 and the bonus: a Nazionale of dama internazionale (table 11)
    played(desk, "Internazionale", "1 0 | 7w1\n7 0 | 1b0", date(2018, 9, 8), INTERNAZIONALE)
    publish(desk, date(2018, 9, 30), INTERNAZIONALE)
    assert category(desk, 1, date(2018, 9, 30), INTERNAZIONALE) == "nazionale"

    publish(desk, date(2018, 10, 31))
    assert all_capitals(desk, date(2018, 10, 31)) == february
    assert category(desk, 1, date(2018, 10, 31)) == "provinciale"

    # a further event goes on from the same capitals, and the year's end too
    played(desk, "Novembre", FOUR_MORE, date(2018, 11, 10))
    publish(desk, date(2018, 11, 30))
    after = all_capitals(desk, date(2018, 11, 30))
    # 564 against 2000 twice, both won: 1436 below gives 0.39 each (1415-1445); 564 + (4 - 0.78) x 150 = 1047
    assert after[1] == 1047
    assert category(desk, 1, date(2018, 11, 30)) == "regionale"
    publish(desk, date(2018, 12, 31))
    assert all_capitals(desk, date(2018, 12, 31)) == {**after, 6: 1950}

    # nothing to correct: the category of September is none of the debut's business
    assert revise(desk.office, ITALIANA, reason="check").revisions == ()
    assert verify(desk.office).intact
    for bundle in (desk.folder / "lists").glob("*.bundle.zip"):
        assert verify_bundle(bundle).intact


def test_a_list_of_the_other_discipline_that_comes_out_late_does_not_move_a_published_debut(
    sqlite_desk: Desk,
) -> None:
    """The list of 31 January is published in April only: what stood on the list of February stays."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(1), regionale(7), on_list=INTERNAZIONALE)
    played(desk, "Internazionale", "1 0 | 7w1\n7 0 | 1b0", date(2018, 1, 20), INTERNAZIONALE)
    played(desk, "Esordio", ONE_GAME, date(2018, 2, 10))
    publish(desk, date(2018, 2, 28))
    assert all_capitals(desk, date(2018, 2, 28)) == {1: 564, 2: 1757}
    desk.on(date(2018, 4, 5))
    office_publish(desk.office, INTERNAZIONALE, date(2018, 1, 31))

    publish(desk, date(2018, 4, 30))

    assert all_capitals(desk, date(2018, 4, 30)) == {1: 564, 2: 1757}
    # a correction takes what is known now: a Nazionale begins with 1000 (table 21); 1000 against 2000 gives 0.54
    # (1000-1025), 1000 + 1.46 x 150 = 1219 and 2000 - 219 = 1781, the bonus of ten each
    revised = decide(
        desk.office, "capital", player=7, on_list=ITALIANA, capital=500, reason="something to look at"
    )
    assert revised
    revise(desk.office, ITALIANA, reason="the list of January")
    assert all_capitals(desk, date(2018, 4, 30)) == {1: 1229, 2: 1791}
    # the next list goes on from what was corrected
    publish(desk, date(2018, 5, 31))
    assert all_capitals(desk, date(2018, 5, 31)) == {1: 1229, 2: 1791}
    assert verify(desk.office).intact


def test_a_late_event_that_comes_first_brings_its_own_category(sqlite_desk: Desk) -> None:
    """Debut in October as a Nazionale; then an event of February arrives, when the player was a Regionale."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(1), regionale(7), on_list=INTERNAZIONALE)
    played(desk, "Internazionale", "1 0 | 7w1\n7 0 | 1b0", date(2018, 9, 8), INTERNAZIONALE)
    publish(desk, date(2018, 9, 30), INTERNAZIONALE)
    played(desk, "Ottobre", ONE_GAME, date(2018, 10, 10))
    publish(desk, date(2018, 10, 31))
    assert capital(desk, 1, date(2018, 10, 31)) == 1229

    played(desk, "Febbraio", DRAW, date(2018, 2, 10))
    made = draft(desk.office, ITALIANA, date(2018, 11, 30))

    # February from 300: 300 + 0.69 x 150 = 403.5, rounded 404, and the bonus: 414; 2000 - 103.5 = 1896.5, 1897, 1907.
    # October: 1493 apart gives 0.37 (1478-1509): 414 + 1.63 x 150 = 658.5, rounded 659; 1907 - 244.5 = 1662.5, 1663
    assert made.result.ratings == {1: 659, 2: 1663}


def test_the_explanation_says_how_the_debut_came_about(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(1), on_list=INTERNAZIONALE)
    played(desk, "Esordio", ONE_GAME, date(2018, 2, 10))
    publish(desk, date(2018, 2, 28))

    change = explain(desk.office, 1, ITALIANA, date(2018, 2, 28)).change

    assert change is not None
    step = change.events[0].steps[0]
    assert (step.article, step.quantity, step.value) == ("Tab. 21", "debut-converted", 300)
    assert step.facts["held"] == "regionale"


def test_a_list_published_anew_after_it_was_taken_back_is_no_correction(sqlite_desk: Desk) -> None:
    """The list of April comes out twice; between, the other discipline's list of January came out late."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(1), regionale(7), on_list=INTERNAZIONALE)
    played(desk, "Internazionale", "1 0 | 7w1\n7 0 | 1b0", date(2018, 1, 20), INTERNAZIONALE)
    played(desk, "Esordio", ONE_GAME, date(2018, 2, 10))
    publish(desk, date(2018, 2, 28))
    desk.on(date(2018, 4, 5))
    office_publish(desk.office, INTERNAZIONALE, date(2018, 1, 31))
    publish(desk, date(2018, 4, 30))
    take_back(desk.office, ITALIANA, date(2018, 4, 30), reason="a mistake")

    publish(desk, date(2018, 4, 30))

    # as on the list of February: the debut of a Regionale stays until somebody corrects it
    assert all_capitals(desk, date(2018, 4, 30)) == {1: 564, 2: 1757}
    publish(desk, date(2018, 5, 31))
    assert all_capitals(desk, date(2018, 5, 31)) == {1: 564, 2: 1757}
    assert verify(desk.office).intact


def test_a_category_given_under_a_number_that_was_merged_since_holds_for_the_debut(sqlite_desk: Desk) -> None:
    """Player 7 is player 1: the category given to 7 before the debut of 1 counts from the correction on, and stays.

    A Nazionale begins with 1000 (table 21); 1000 beats 2000: 0.54 expected, 1000 + 1.46 x 150 = 1219, and ten.
    """
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(7), on_list=INTERNAZIONALE)
    decide(
        desk.office, "category", player=7, on_list=INTERNAZIONALE, day=date(2018, 1, 20),
        category="nazionale", reason="by title",
    )  # fmt: skip
    played(desk, "Esordio", ONE_GAME, date(2018, 2, 10))
    merge(desk.office, 1, 7, reason="the same player", confirmed=True)
    publish(desk, date(2018, 2, 28))
    assert all_capitals(desk, date(2018, 2, 28)) == {1: 1229, 2: 1791}

    publish(desk, date(2018, 4, 30))

    assert all_capitals(desk, date(2018, 4, 30)) == {1: 1229, 2: 1791}
    assert verify(desk.office).intact


FOUR_DRAWS = """
1 0 | 2w= 3b= 4w=
2 0 | 1b= 4w= 3b=
3 0 | 4b= 1w= 2w=
4 0 | 3w= 2b= 1b=
"""


def cancelled_abroad(desk: Desk, on_list: ListName, other: Category | None, **more: object) -> None:
    """Begin with player 1, foreign and cancelled on a list at the end of 2019, with a category on the other list.

    The others lose fifty points twice (table 18b): 2600, 2700 and 1800 are left.
    """
    enrol(desk)
    others = [standing(number, capital) for number, capital in ((2, 2700), (3, 2800), (4, 1900))]
    begin(desk, standing(1, 2400, foreign=True, **more), *others, on_list=on_list)
    if other is not None:
        elsewhere = INTERNAZIONALE if on_list is ITALIANA else ITALIANA
        begin(desk, replace(standing(1, 3000, foreign=True), category=other), on_list=elsewhere)
    for year in (2018, 2019):
        publish(desk, date(year, 12, 31), on_list)


def test_a_cancelled_foreigner_returns_by_the_category_on_the_other_list(sqlite_desk: Desk) -> None:
    """Table 22 sends a return to the conversion. Table 20: a Maestro of dama italiana begins with 2500.

    All draws: 2500 is expected 0.95 + 0.90 + 1.33 (table 19), 2500 - 0.18 x 160 = 2471, with the bonus 2481.
    """
    desk = sqlite_desk
    cancelled_abroad(desk, INTERNAZIONALE, Category.MAESTRO)
    played(desk, "Ritorno", FOUR_DRAWS, date(2020, 2, 10), INTERNAZIONALE)
    publish(desk, date(2020, 3, 31), INTERNAZIONALE)

    march = {1: 2481, 2: 2551, 3: 2620, 4: 2054}
    assert all_capitals(desk, date(2020, 3, 31), INTERNAZIONALE) == march
    told = explain(desk.office, 1, INTERNAZIONALE, date(2020, 3, 31))
    assert told.change is not None
    step = told.change.events[0].steps[0]
    assert (step.quantity, step.value, step.article) == ("debut-converted", 2500, "Tab. 20")
    assert verify(desk.office).intact


def test_a_cancelled_foreigner_returns_to_italiana_by_table_21(sqlite_desk: Desk) -> None:
    """A Candidato Maestro of dama internazionale returns with 1500 points; the category held is not lost."""
    desk = sqlite_desk
    cancelled_abroad(desk, ITALIANA, Category.CANDIDATO_MAESTRO)
    played(desk, "Ritorno", "1 0 | 4w=\n4 0 | 1b=", date(2020, 2, 10))
    publish(desk, date(2020, 3, 31))

    # 300 below: 0.85 expected (299-319), 1500 + 0.15 x 150 = 1522.5, rounded 1523, and the bonus
    assert all_capitals(desk, date(2020, 3, 31))[1] == 1533
    assert category(desk, 1, date(2020, 3, 31)) == "nazionale"


def test_an_fmjd_rating_goes_before_the_category_on_the_other_list(sqlite_desk: Desk) -> None:
    """Table 22: 1000 x 1.8 = 1800 against 1800."""
    desk = sqlite_desk
    cancelled_abroad(desk, INTERNAZIONALE, Category.MAESTRO, fmjd=1000)
    played(desk, "Ritorno", "1 0 | 4w=\n4 0 | 1b=", date(2020, 2, 10), INTERNAZIONALE)
    publish(desk, date(2020, 3, 31), INTERNAZIONALE)
    assert all_capitals(desk, date(2020, 3, 31), INTERNAZIONALE)[1] == 1810


def test_a_return_without_a_conversion_is_an_error_until_the_commission_decides(sqlite_desk: Desk) -> None:
    """Reading q: nothing to convert from, so the report is not accepted with the newcomer's capital unseen."""
    desk = sqlite_desk
    cancelled_abroad(desk, INTERNAZIONALE, None)
    desk.on(date(2020, 2, 10))
    report = event("Ritorno", "1 0 | 4w=\n4 0 | 1b=", date(2020, 2, 10))
    sent = desk.send(report, facts=EventFacts(list=INTERNAZIONALE))

    undecided = [f for f in sent.findings if f.code == "draughts-returned-undecided"]
    assert [(f.severity, f.article, f.player) for f in undecided] == [(Severity.ERROR, "Tab. 22", 1)]
    with pytest.raises(BadInput, match="report-has-errors"):
        accept(desk.office, sent.report)
    decide(desk.office, "capital", player=1, on_list=INTERNAZIONALE, capital=1800, reason="art. 3")
    accept(desk.office, sent.report)
    publish(desk, date(2020, 3, 31), INTERNAZIONALE)
    assert all_capitals(desk, date(2020, 3, 31), INTERNAZIONALE)[1] == 1810


def test_a_foreign_newcomer_without_fmjd_rating_is_named_to_the_officer(sqlite_desk: Desk) -> None:
    """Table 22, N.B.: art. 3 decides about foreigners who are not in the FMJD rating; the text is not known."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(4, 1900), on_list=INTERNAZIONALE)
    register_player(desk.office, "Jansen, Piet", federation="NED")
    change_settings(desk.office, set_={"federation": "ITA"})
    report = event("Gara", "4 0 | 8b=\n8 0 | 4w=\n9 0 | 4w1", date(2018, 2, 10))
    abroad = [replace(entrant, federation="NED") for entrant in report.entrants[1:]]
    report = replace(report, entrants=(report.entrants[0], *abroad))
    desk.on(date(2018, 2, 10))

    def named(on_list: ListName) -> list[tuple[Severity, str, int | None]]:
        with desk.office.store.reading() as connection:
            checked = check(connection, report, EventFacts(list=on_list), {8: 8, 9: NEW})
        return [
            (f.severity, f.article, f.player)
            for f in checked.findings
            if f.code == "draughts-foreign-undecided"
        ]

    assert named(INTERNAZIONALE) == [(Severity.WARNING, "Tab. 22", 8), (Severity.WARNING, "Tab. 22", 9)]
    # table 22 is about dama internazionale alone
    assert named(ITALIANA) == []
    decide(desk.office, "fmjd", player=8, day=date(2018, 1, 1), fmjd=1000, reason="FMJD list")
    assert named(INTERNAZIONALE) == [(Severity.WARNING, "Tab. 22", 9)]


def test_who_is_entered_and_plays_no_game_has_not_returned(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    cancelled_abroad(desk, INTERNAZIONALE, Category.MAESTRO)
    played(desk, "Assente", "1 0 | 4w- .Z\n2 0 | .Z 4b=\n4 0 | 1b+ 2w=", date(2020, 2, 10), INTERNAZIONALE)
    publish(desk, date(2020, 3, 31), INTERNAZIONALE)
    assert 1 not in all_capitals(desk, date(2020, 3, 31), INTERNAZIONALE)
