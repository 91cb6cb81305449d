"""Games that are not rated, in an office: what the sender said is kept, published, and recomputed from the bundle."""

from datetime import date

from arpad.model.rules import Body
from arpad.office.decisions.acts import decide
from arpad.reports.event_facts import EventFacts, facts_document, facts_from
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept, verify

JAN, FEB = date(2025, 1, 1), date(2025, 2, 1)
FOUR = """
1 1500 | 2w1 3w1
2 1500 | 1b0 4w1
3 1500 | 4w1 1b0
4 1500 | 3b0 2b0
"""


def four(desk: Desk) -> None:
    desk.list(JAN, *(listed(number, 1500, 20, born=1980) for number in (1, 2, 3, 4)))


def test_a_game_taken_out_is_not_rated_and_the_list_can_be_recomputed(desk: Desk) -> None:
    """K 20 among equals: a win is +10. Without the game of 1 and 2: 1 and 2 won once, 3 won and lost, 4 lost twice."""
    four(desk)
    desk.report(
        event("Fair", FOUR, date(2025, 1, 10), time_control="90+30"),
        facts=EventFacts(taken_out=("1:2:fair-play",)),
    )
    out = desk.publish(FEB)
    found = {number: desk.rating(number, FEB) for number in (1, 2, 3, 4)}
    assert found == {1: 1510, 2: 1510, 3: 1500, 4: 1480}
    assert verify(desk.office).intact
    assert out.list == STANDARD


def test_in_a_part_of_an_event_its_own_rounds_are_meant(sqlite_desk: Desk) -> None:
    """Round 2 alone is rated, and of it the game of 1 and 3 is taken out: 2 beats 4."""
    desk = sqlite_desk
    four(desk)
    facts = EventFacts(taken_out=("1:3:fair-play", "2:1:force-majeure"))
    sent = desk.send(event("Long", FOUR, date(2025, 1, 10), time_control="90+30"), facts=facts)
    decide(
        desk.office, "rounds", report=sent.report, value={"first": "2", "last": "2"}, reason="interim report"
    )
    accept(desk.office, sent.report)
    desk.publish(FEB)
    assert [desk.rating(number, FEB) for number in (1, 2, 3, 4)] == [1500, 1510, 1500, 1490]


def test_a_decision_cites_the_edition_of_its_event(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    four(desk)
    new = desk.send(event("New", FOUR, date(2025, 1, 10), time_control="90+30")).report
    old = desk.send(event("Old", FOUR, date(2018, 1, 10), time_control="90+30")).report
    quick = desk.send(event("Quick", FOUR, date(2025, 1, 12), time_control="15+10")).report
    reports = {"0.4": new, "0.5": old, "RB 0.4": quick}
    cited = {
        article: decide(desk.office, "not-rated", report=report, reason="test").article
        for article, report in reports.items()
    }
    assert cited == {article: article for article in reports}
    k = decide(desk.office, "k", player=1, list_=STANDARD, date_=FEB, value={"k": "20"}, reason="test")
    assert k.article == "8.3.3"
    gone = decide(desk.office, "suspended", federation="ABC", date_=date(2018, 1, 1), reason="test")
    assert gone.article == "13.1"


def test_the_new_facts_are_kept_as_json() -> None:
    facts = EventFacts(
        hybrid=True, hybrid_approved=True, games_sent=False, fast_approved=True, match_waived=True,
        late_registration_by=Body.PRESIDENT, taken_out=("3:7:fair-play",),
    )  # fmt: skip
    assert facts_from(facts_document(facts)) == facts
    assert facts_document(facts)["taken_out"] == ["3:7:fair-play"]
