"""Stages of one event rated together in the office (2009 6.2): preliminaries and a final as one report."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.publishing.bundle import verify_bundle
from arpad.reports.report import Report
from arpad.reports.stages import holds_stages
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed, report_file, trf
from tests.builders.verbs import (
    accept,
    join_stages,
    ledger,
    reinstate,
    reports_on_file,
    revise,
    submit_together,
    verify,
    withdraw,
)
from tests.builders.verbs import draft as office_draft

JAN, MAR = date(2010, 1, 1), date(2010, 3, 1)

GROUP = """
1 2000 | 5w1 4w1 3w= 2w=
2 2000 | 4w1 3w1 5w= 1b=
3 2000 | .Z  2b0 1b= 4w1
4 2000 | 2b0 1b0 .Z  3b0
5 0    | 1b0 .Z  2b= .Z
"""
"""Preliminaries: the newcomer, number 5, plays two games against rated players and scores half a point."""

FINAL = """
1 2000 | .Z  2w1
2 2000 | .Z  1b0
3 2000 | 5w= .Z
5 0    | 3b= .Z
"""
"""The final: a third game against a third opponent, and another half point."""


def stages() -> tuple[Report, Report]:
    first = event("Preliminaries", GROUP, date(2010, 1, 11), date(2010, 1, 14))
    final = event("Final", FINAL, date(2010, 1, 20), date(2010, 1, 21))
    return first, final


@pytest.fixture
def ready(desk: Desk) -> Desk:
    desk.list(JAN, *[listed(number, 2000) for number in range(1, 5)])
    desk.on(date(2010, 1, 22))
    return desk


def first_tests(desk: Desk) -> list[str]:
    draft = office_draft(desk.office, STANDARD, MAR)
    return [reason for _, reason in draft.result.pending]


def test_the_newcomers_three_games_count_only_together(ready: Desk) -> None:
    """A first event needs three rated opponents and a point (6.41, 8.21): each stage alone falls short."""
    apart = [ready.report(stage) for stage in stages()]
    assert first_tests(ready) == ["first-event-score"]

    joint = join_stages(ready.office, apart, reason="6.2")

    assert [it.severity for it in joint.findings if it.severity == "error"] == []
    assert [one.status for one in reports_on_file(ready.office)] == ["superseded", "superseded", "received"]
    accept(ready.office, joint.report)
    assert first_tests(ready) == ["too-few-games"]
    ready.publish(MAR)
    # eight games of the first stage and two of the final: 1 wins against 4 and 2, draws with 3 and 2
    # (those with the newcomer do not count): 3 of 4 against 2000, expected 2, K 20: +20
    assert ready.rating(1, MAR) == 2020
    assert verify(ready.office).intact
    bundles = sorted((ready.folder / "lists").glob("*.zip"))
    assert bundles
    assert all(verify_bundle(bundle).intact for bundle in bundles)
    revise(ready.office, STANDARD, reason="nothing changes")
    assert ready.rating(1, MAR) == 2020


def test_files_are_sent_together(ready: Desk) -> None:
    files = [(f"{number}.trf", trf(stage)) for number, stage in enumerate(stages(), start=1)]
    sent = submit_together(ready.office, files)
    filed, data, _ = report_file(ready.office, sent.report)
    assert holds_stages(data)
    assert (filed.first_day, filed.last_day) == (date(2010, 1, 11), date(2010, 1, 21))
    assert submit_together(ready.office, files).again
    accept(ready.office, sent.report)
    assert first_tests(ready) == ["too-few-games"]


def test_an_edition_without_the_article_says_so(ready: Desk) -> None:
    later = [replace(one, header=replace(one.header, first_day=date(2018, 1, 20))) for one in stages()]
    moved = [replace(one, header=replace(one.header, last_day=date(2018, 1, 26))) for one in later]
    ready.on(date(2018, 1, 27))
    sent = submit_together(ready.office, [("1.trf", trf(moved[0])), ("2.trf", trf(moved[1]))])
    assert "stages-not-provided" in [finding.code for finding in sent.findings]


def test_joined_by_mistake(ready: Desk) -> None:
    apart = [ready.report(stage) for stage in stages()]
    joint = join_stages(ready.office, apart, reason="6.2").report
    with pytest.raises(BadInput, match="reinstate-held"):
        reinstate(ready.office, apart[0], reason="no")
    withdraw(ready.office, joint, reason="two events")
    assert [reinstate(ready.office, number, reason="two events").status for number in apart] == [
        "accepted"
    ] * 2
    again = join_stages(ready.office, apart, reason="one event after all")
    assert not again.again
    accept(ready.office, again.report)
    assert first_tests(ready) == ["too-few-games"]


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(
    ("numbers", "code"), [([1], "stages-count"), ([1, 1], "stages-count"), ([1, 9], "no-report")]
)
def test_what_cannot_be_joined(ready: Desk, numbers: list[int], code: str) -> None:
    ready.report(stages()[0])
    acts = len(ledger(ready.office))
    with pytest.raises(BadInput, match=code):
        join_stages(ready.office, numbers, reason="6.2")
    assert len(ledger(ready.office)) == acts


def test_what_is_joined_is_not_joined_again(ready: Desk) -> None:
    apart = [ready.send(stage).report for stage in stages()]
    joint = join_stages(ready.office, apart, reason="6.2").report
    other = ready.send(event("Other", "1 2000 | 2w1\n2 2000 | 1b0", date(2010, 1, 12))).report
    with pytest.raises(BadInput, match="stages-joined-already"):
        join_stages(ready.office, [joint, other], reason="6.2")


@pytest.mark.parametrize("mode", ["lists", "base"])
def test_a_stage_that_a_list_has_rated_is_corrected_before_the_joined_event_is_rated(
    sqlite_desk: Desk, mode: str
) -> None:
    """The preliminaries were rated in March, the final ended later: no game may count twice."""
    desk = sqlite_desk
    desk.list(JAN, *[listed(number, 2000) for number in range(1, 5)])
    first, _ = stages()
    final = event("Final", FINAL, date(2010, 3, 10), date(2010, 3, 11))
    desk.on(date(2010, 1, 22))
    one = desk.report(first)
    desk.publish(MAR)
    desk.on(date(2010, 3, 12))
    joint = join_stages(desk.office, [one, desk.report(final)], reason="6.2").report
    accept(desk.office, joint)

    draft = office_draft(desk.office, STANDARD, date(2010, 5, 1))
    assert draft.reports == ()
    assert [left.reason for left in draft.left_out] == ["corrects-published"]

    revise(desk.office, STANDARD, reason="stages joined", mode=mode)
    assert [filed.id for filed in office_draft(desk.office, STANDARD, date(2010, 5, 1)).reports] == [joint]
