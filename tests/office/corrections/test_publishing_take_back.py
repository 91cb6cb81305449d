"""The newest publication can be taken back as long as nothing refers to it; its record stays."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.register.rows import load_people
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.forgeries import force
from tests.builders.list_blocks import alter_blocks, set_value
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import draft as office_draft
from tests.builders.verbs import (
    import_list,
    ledger,
    publications,
    publish,
    reinstate,
    revise,
    revoke,
    take_back,
    verify,
    withdraw,
)

JAN, FEB, MAR, APR = (date(2018, month, 1) for month in range(1, 5))
RAPID = ListName.RAPID
WHY = "mistyped date"


def taken_back(desk: Desk, day: date, on_list: ListName = STANDARD) -> list[str]:
    return [p.name for p in take_back(desk.office, on_list, day, reason=WHY).publications]


def test_a_list_taken_back_counts_for_nothing_and_its_record_stays(out: Desk) -> None:
    before = ledger(out.office)
    (published,) = [p for p in publications(out.office) if p.kind == "published"]

    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]

    assert [p.day for p in publications(out.office)] == [JAN]
    assert out.rating(1, FEB) == 2000
    act = ledger(out.office)[-1]
    assert ledger(out.office)[:-1] == before
    assert (act.verb, act.author, act.reason) == ("take-back", "T. Officer", WHY)
    assert act.facts["publications"] == [
        {"publication": published.id, "name": published.name, "digest": published.digest}
    ]
    with out.office.store.reading() as connection:
        (kept,) = [p for p in lists.ever_published(connection) if p.taken_back is not None]
        rows = dict(list_rows.ratings(connection, kept.id))
    assert (kept.digest, kept.taken_back) == (published.digest, act.seq)
    assert rows[1] == 2007  # 2000 beats 1900 with K 20: 0.36 x 20 = 7.2
    assert verify(out.office).intact


@DEEP_ON_POSTGRESQL
def test_its_reports_wait_for_the_next_list_under_a_new_revision_number(out: Desk) -> None:
    taken_back(out, FEB)

    draft = office_draft(out.office, STANDARD, FEB)
    assert [filed.id for filed in draft.reports] == [1]
    again = out.publish(FEB)

    assert (again.number, again.revision, again.corrects) == (2, 2, None)
    assert out.rating(1, FEB) == 2007
    # a correction of it is the next revision, and names it
    withdraw(out.office, 1, reason="test")
    (revision,) = revise(out.office, STANDARD, reason="test").revisions
    assert (revision.publication.revision, revision.corrects.id) == (3, again.id)
    assert verify(out.office).intact


@DEEP_ON_POSTGRESQL
def test_after_a_mistake_the_office_publishes_what_it_would_have_published(out: Desk) -> None:
    wanted = office_draft(out.office, STANDARD, MAR).result.digest
    out.on(FEB)
    publish(out.office, STANDARD, date(2020, 2, 1), special=True, reason="a mistake")
    with pytest.raises(BadInput, match="list-out"):
        publish(out.office, STANDARD, MAR)

    taken_back(out, date(2020, 2, 1))

    assert out.publish(MAR).digest == wanted


def test_a_reason_is_needed_and_a_list_that_is_out(sqlite_out: Desk) -> None:
    out = sqlite_out
    with pytest.raises(BadInput, match="value-missing"):
        take_back(out.office, STANDARD, FEB, reason=" ")
    with pytest.raises(BadInput, match="no-publication"):
        take_back(out.office, STANDARD, MAR, reason=WHY)
    taken_back(out, FEB)
    with pytest.raises(BadInput, match="no-publication"):
        take_back(out.office, STANDARD, FEB, reason=WHY)


# ---------------------------------------------------------------------------------------------- what refers to it


def refused(desk: Desk, code: str, day: date = FEB, on_list: ListName = STANDARD) -> dict[str, object]:
    acts = ledger(desk.office)
    with pytest.raises(BadInput, match=code) as error:
        take_back(desk.office, on_list, day, reason=WHY)
    assert ledger(desk.office) == acts
    assert verify(desk.office).intact
    return dict(error.value.facts)


def test_a_later_list_refers_to_it(sqlite_out: Desk) -> None:
    out = sqlite_out
    out.publish(MAR)
    assert refused(out, "taken-back-followed")["by"] == "standard-2018-03-01-r1"
    assert taken_back(out, MAR) == ["standard-2018-03-01-r1"]
    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]


def test_an_import_after_it_refers_to_it(sqlite_out: Desk) -> None:
    out = sqlite_out
    out.list(MAR, listed(1, 2100), listed(2, 1900))
    assert refused(out, "taken-back-followed")["by"] == "standard-2018-03-01-r1"


def test_a_correction_is_taken_back_as_a_whole_and_before_what_it_corrects(out: Desk) -> None:
    out.publish(MAR)
    withdraw(out.office, 1, reason="test")
    revised = revise(out.office, STANDARD, reason="test").revisions
    assert [r.publication.name for r in revised] == ["standard-2018-02-01-r2", "standard-2018-03-01-r2"]

    assert taken_back(out, FEB) == ["standard-2018-02-01-r2", "standard-2018-03-01-r2"]

    assert out.rating(1, MAR) == 2007
    assert verify(out.office).intact


def test_a_corrected_base_is_taken_back_too(sqlite_out: Desk) -> None:
    out = sqlite_out
    withdraw(out.office, 1, reason="test")
    revise(out.office, STANDARD, reason="test", mode="base")
    assert taken_back(out, FEB) == ["standard-2018-02-01-r2"]
    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]


@DEEP_ON_POSTGRESQL
def test_a_report_checked_with_its_ratings_refers_to_it(out: Desk) -> None:
    out.on(date(2018, 2, 12))
    sent = out.send(event("Second", WIN, date(2018, 2, 10)))
    assert refused(out, "taken-back-checked")["report"] == sent.report
    withdraw(out.office, sent.report, reason="test")
    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]


def test_a_report_of_an_event_before_it_does_not_refer_to_it(sqlite_out: Desk) -> None:
    out = sqlite_out
    out.on(date(2018, 2, 12))
    out.send(event("Second", WIN, date(2018, 1, 29)))
    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]


def test_a_decision_about_it_refers_to_it(sqlite_out: Desk) -> None:
    out = sqlite_out
    number = decide(out.office, "k", player=1, on_list=STANDARD, day=FEB, k=10, reason="test")
    assert refused(out, "taken-back-decided")["decision"] == number
    revoke(out.office, number, reason="test")
    assert taken_back(out, FEB) == ["standard-2018-02-01-r1"]


def test_a_decision_taken_before_it_does_not_refer_to_it(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    decide(desk.office, "k", player=1, on_list=STANDARD, day=FEB, k=10, reason="test")
    desk.publish(FEB)
    assert taken_back(desk, FEB) == ["standard-2018-02-01-r1"]


def test_a_rapid_list_made_with_its_ratings_refers_to_it(sqlite_desk: Desk) -> None:
    """From 2024 on an unrated opponent at rapid has his standard rating: the list in force is an input."""
    desk = sqlite_desk
    years = [date(2024, month, 1) for month in (3, 4, 5)]
    desk.list(years[0], listed(1, 2000), listed(2, 1900))
    desk.list(years[0], listed(1, 2000), on_list=RAPID)
    desk.publish(years[1])
    desk.publish(years[1], RAPID)
    facts = EventFacts(registered=years[0], licensed_arbiters=True, match_games=1)
    sent = desk.report(event("Rapid", WIN, date(2024, 4, 10), time_control="15+10"), facts=facts)
    desk.publish(years[2], RAPID)
    withdraw(desk.office, sent, reason="test")

    assert refused(desk, "taken-back-used", years[1])["by"] == "rapid-2024-05-01-r1"

    taken_back(desk, years[2], RAPID)
    desk.on(years[2])
    assert taken_back(desk, years[1]) == ["standard-2024-04-01-r1"]
    assert verify(desk.office).intact


def test_the_lift_of_rapid_ratings_refers_to_the_standard_list_it_took(sqlite_desk: Desk) -> None:
    """On 1 October 2022 a rapid rating is lifted towards the standard rating of that day."""
    desk = sqlite_desk
    before, day = date(2022, 9, 1), date(2022, 10, 1)
    desk.list(before, listed(1, 2000), listed(2, 1900))
    desk.list(before, listed(1, 1500), listed(2, 1900), on_list=RAPID)
    desk.report(event("Match", WIN, date(2022, 9, 10)))
    desk.publish(day)
    desk.publish(day, RAPID)
    assert refused(desk, "taken-back-used", day)["by"] == "rapid-2022-10-01-r1"


def test_a_rapid_list_that_did_not_look_at_it_does_not_refer_to_it(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.list(JAN, listed(1, 2000), listed(2, 1900), on_list=RAPID)
    desk.publish(FEB)
    desk.publish(FEB, RAPID)
    assert taken_back(desk, FEB) == ["standard-2018-02-01-r1"]


def test_an_imported_list_is_taken_back_and_imported_again(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    path = desk.list(date(2027, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.on(JAN)
    assert taken_back(desk, date(2027, 1, 1)) == ["standard-2027-01-01-r1"]
    import_list(desk.office, path, STANDARD, JAN)
    assert taken_back(desk, JAN) == ["standard-2018-01-01-r1"]
    import_list(desk.office, path, STANDARD, JAN)
    assert [p.name for p in publications(desk.office)] == ["standard-2018-01-01-r2"]
    assert verify(desk.office).intact


def test_a_draughts_list_is_taken_back(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    italiana = ListName.ITALIANA
    desk.on(date(2018, 1, 20))
    publish(desk.office, italiana, date(2018, 12, 31), special=True, empty=True, reason="a mistake")
    with pytest.raises(BadInput, match="list-out"):
        publish(desk.office, italiana, date(2018, 1, 31))
    assert taken_back(desk, date(2018, 12, 31), italiana) == ["italiana-2018-12-31-r1"]
    publish(desk.office, italiana, date(2018, 1, 31), empty=True, reason="new office")


# ----------------------------------------------------------------------------------- corrections and moved reports


@DEEP_ON_POSTGRESQL
def test_a_report_is_not_rated_again_when_the_correction_without_it_is_taken_back(out: Desk) -> None:
    withdraw(out.office, 1, reason="test")
    revise(out.office, STANDARD, reason="test")
    taken_back(out, FEB)
    reinstate(out.office, 1, reason="it was right")

    assert out.rating(1, FEB) == 2007
    assert office_draft(out.office, STANDARD, MAR).reports == ()


def moved_to_rapid(desk: Desk, mode: str) -> int:
    """An office in which a report of the standard list of February was moved to rapid, and standard corrected."""
    for on_list in (STANDARD, RAPID):
        desk.list(JAN, listed(1, 2000), listed(2, 1900), on_list=on_list)
    report = desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    decide(desk.office, "fact", report=report, reason="it was rapid", list="rapid")
    revise(desk.office, STANDARD, reason="moved", mode=mode)
    return report


def test_a_report_that_was_moved_waits_again_when_its_new_list_is_taken_back(sqlite_desk: Desk) -> None:
    report = moved_to_rapid(sqlite_desk, "base")
    sqlite_desk.publish(FEB, RAPID)
    taken_back(sqlite_desk, FEB, RAPID)

    assert [filed.id for filed in office_draft(sqlite_desk.office, RAPID, FEB).reports] == [report]


@pytest.mark.parametrize("mode", ["lists", "base"])
def test_a_report_that_was_moved_waits_while_the_correction_of_its_old_list_is_taken_back(
    sqlite_desk: Desk, mode: str
) -> None:
    moved_to_rapid(sqlite_desk, mode)
    taken_back(sqlite_desk, FEB)

    (left,) = office_draft(sqlite_desk.office, RAPID, FEB).left_out
    assert left.reason == "moved-from-published"


# ---------------------------------------------------------------------------------------------------- its proof


def test_a_take_back_that_the_ledger_does_not_know_is_found(sqlite_out: Desk) -> None:
    out = sqlite_out
    force(out, "INSERT INTO taken_back (publication, act) VALUES (2, 1)")
    assert [(a.code, dict(a.facts)) for a in verify(out.office).altered] == [
        ("taken-back", {"list": "standard-2018-02-01-r1"}),
        ("row-added", {"table": "taken_back", "row": "2", "act": 1}),
    ]


def test_a_take_back_that_was_removed_is_found(out: Desk) -> None:
    taken_back(out, FEB)
    force(out, "DELETE FROM taken_back")
    assert ("taken-back", {"list": "standard-2018-02-01-r1"}) in [
        (a.code, dict(a.facts)) for a in verify(out.office).altered
    ]


def test_a_row_of_a_list_taken_back_is_still_sealed(sqlite_out: Desk) -> None:
    out = sqlite_out
    taken_back(out, FEB)
    alter_blocks(out, 2, set_value(1, rating=2500))
    assert verify(out.office).altered[0].facts == {"list": "standard-2018-02-01-r1", "player": 1}


def test_newcomers_who_are_on_another_imported_list_stay(sqlite_desk: Desk) -> None:
    """The standard list is taken back; the rapid list, imported after it, has one of its players."""
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    sqlite_desk.list(date(2018, 1, 1), listed(1, 1950), on_list=ListName.RAPID)
    sqlite_desk.on(date(2018, 1, 2))
    take_back(sqlite_desk.office, ListName.STANDARD, date(2018, 1, 1), reason="the wrong month")
    with sqlite_desk.office.store.reading() as connection:
        assert sorted(load_people(connection, [1, 2])) == [1]
    drafted = office_draft(sqlite_desk.office, ListName.RAPID, date(2018, 2, 1))
    assert [row.player for row in drafted.result.rows] == [1]
    assert verify(sqlite_desk.office).intact
