"""A report on file as it is shown: an accepted one asks nothing, one without a day is compared with no list."""

from dataclasses import replace
from datetime import date

from arpad.office.inbox.entrant_decisions import matched_entrant
from arpad.office.reports.status import errors_set_aside
from arpad.reports.entrant_match import Outcome
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import WIN, Desk, listed, trf
from tests.builders.verbs import accept, report_detail, submit, withdraw

JAN = date(2018, 1, 1)
TABLE = """
1 2000 | 3w1 2w1
2 1900 | 4w= 1b0
3 0 | 1b0 4w=
4 0 | 2b= 3b=
"""


def played() -> Report:
    """Two players of the list, one of them under another name, and two newcomers of nearly one name."""
    report = event("Open", TABLE, date(2018, 1, 10))
    names = ("Player 1", "Short, Nigel", "Nuovi, Giacomo", "Nuovi, Giacoma")
    entrants = [
        replace(entrant, name=name, id="") for entrant, name in zip(report.entrants, names, strict=True)
    ]
    return replace(report, entrants=tuple(entrants))


@DEEP_ON_POSTGRESQL
def test_an_accepted_report_no_longer_asks_who_is_who(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900, name="Short, Nigel D."))
    desk.on(date(2018, 1, 12))
    sent = desk.send(played()).report
    asked = report_detail(desk.office, sent)
    assert [match.entrant.number for match in asked.checked.matches if match.undecided] == [1, 2]
    accept(desk.office, sent, matches={1: 1, 2: 2})

    detail = report_detail(desk.office, sent)

    assert not {"match-ambiguous", "match-other-name", "match-twice"} & {
        item.code for item in detail.findings
    }
    assert [(match.player, match.outcome, match.decided) for match in detail.checked.matches] == [
        (1, Outcome.CERTAIN, True),
        (2, Outcome.CERTAIN, True),
        (3, Outcome.NEW, False),
        (4, Outcome.NEW, False),
    ]
    assert [matched_entrant(match).player for match in detail.checked.matches] == [1, 2, 3, 4]
    assert [match.candidates for match in detail.checked.matches] == [()] * 4
    withdraw(desk.office, sent, reason="by mistake")
    assert not any(match.undecided for match in report_detail(desk.office, sent).checked.matches)


def test_the_errors_that_an_officer_set_aside_are_known(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 12))
    sent = desk.send(event("Open", WIN.replace("1b0", "1b="), date(2018, 1, 10)))
    codes = sorted({finding.code for finding in sent.errors})
    assert codes
    accept(desk.office, sent.report, overrule=codes, reason="checked by telephone")

    aside = errors_set_aside(report_detail(desk.office, sent.report).history)

    assert sorted(aside) == codes
    assert {act.reason for act in aside.values()} == {"checked by telephone"}


def test_without_a_day_no_rating_is_compared_with_a_list(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 12))
    data = trf(event("Open", WIN, date(2018, 1, 10)))
    lines = [line for line in data.splitlines(keepends=True) if not line.startswith((b"042", b"052", b"132"))]
    dated = submit(desk.office, data.replace(b"2000", b"2010"), "dated.trf")
    assert "rating-differs" in {finding.code for finding in dated.findings}

    sent = submit(desk.office, b"".join(lines), "undated.trf")

    codes = {finding.code for finding in sent.findings}
    assert {"rating-differs", "rating-only-told", "rating-only-listed"}.isdisjoint(codes)
    assert [
        entrant.rating for entrant in report_detail(desk.office, sent.report).checked.listed.entrants
    ] == [2000, 1900]
