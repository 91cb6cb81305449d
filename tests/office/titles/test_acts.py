"""Titles in the office: norms on record, the check of an application, and titles that a rating gives."""

from datetime import date
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import Severity
from arpad.office.office import today
from arpad.office.reports.entrant_rows import NEW
from arpad.office.titles.acts import norms_of, record_norms, revoke_norm
from arpad.office.titles.applications import check_titles, proposed_titles
from arpad.office.verify.acts import verify
from arpad.regulations.fide.titles.rules import NormTitle
from tests.builders.norm_cases import NORMS
from tests.builders.norm_reports import report_of
from tests.builders.norms import enter_norm
from tests.builders.offices import Desk, listed
from tests.builders.verbs import accept, change_player, merge
from tests.commands import run, run_json

FIRST, LAST = date(2024, 3, 1), date(2024, 3, 9)
SPECIAL: dict[str, Any] = {"single_days": 9, "special": True}


@pytest.fixture
def desk(sqlite_desk: Desk) -> Desk:
    """An office whose players have 2410, 2310 and 2010, the last a woman; all have played enough."""
    sqlite_desk.list(date(2024, 1, 1), listed(1, 2410, 10), listed(2, 2310, 20), listed(3, 2010, 20, sex="F"))
    sqlite_desk.on(date(2024, 6, 1))
    return sqlite_desk


def failing(desk: Desk, title: NormTitle, reached: int | None = None) -> list[tuple[str, object, object]]:
    with desk.office.store.reading() as connection:
        checks = check_titles(connection, 1, today(desk.office, connection), reached=reached)
    (check,) = [it for it in checks if it.title is title]
    return [(item.requirement, item.required, item.actual) for item in check.requirements if not item.met]


def test_three_norms_and_the_rating_make_an_international_master(desk: Desk) -> None:
    for month in (3, 4):
        enter_norm(desk.office, 1, days=(date(2024, month, 1), date(2024, month, 9)), **SPECIAL)
    assert failing(desk, NormTitle.IM) == [("application-games", 27, 18)]
    enter_norm(desk.office, 1, days=(date(2024, 5, 1), date(2024, 5, 9)), **SPECIAL)
    assert failing(desk, NormTitle.IM) == []
    assert ("application-games", 27, 0) in failing(desk, NormTitle.GM)  # norms for IM do not serve there
    assert verify(desk.office).intact


def test_a_higher_norm_serves_for_the_lower_title(desk: Desk) -> None:
    for month in (3, 4, 5):
        day = date(2024, month, 1)
        enter_norm(desk.office, 1, NormTitle.GM, (day, day), **SPECIAL)
    assert failing(desk, NormTitle.IM) == []
    assert failing(desk, NormTitle.GM) == [("title-rating", 2500, 2410)]
    assert failing(desk, NormTitle.GM, reached=2501) == []


def test_two_norms_of_one_tournament_count_once(desk: Desk) -> None:
    enter_norm(desk.office, 1, NormTitle.GM, **SPECIAL)
    enter_norm(desk.office, 1, games=11, **SPECIAL)
    assert ("application-games", 27, 11) in failing(desk, NormTitle.IM)
    assert ("application-games", 27, 9) in failing(desk, NormTitle.GM)


def test_norms_with_an_exemption_alone_are_not_enough(desk: Desk) -> None:
    for month in (3, 4, 5):
        day = date(2024, month, 1)
        enter_norm(desk.office, 1, days=(day, day), single_days=9, exempt=True)
    assert [name for name, _, _ in failing(desk, NormTitle.IM)] == ["normal-norms", "special-norms"]


def test_a_revoked_norm_does_not_count(desk: Desk) -> None:
    number = enter_norm(desk.office, 1, **SPECIAL)
    revoke_norm(desk.office, number, reason="the tournament was not rated")
    assert norms_of(desk.office, 1).norms == ()
    with pytest.raises(BadInput, match="no-norm"):
        revoke_norm(desk.office, number, reason="again")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"last_day": date(2024, 2, 1)}, "norm-days"),
        ({"games": 14}, "out-of-range"),
        ({"player": 99}, "no-player"),
        ({"title": NormTitle.WGM}, "norm-for-women"),
        ({"first_day": date(1990, 1, 1)}, "norms-before-editions"),
    ],
)
def test_a_norm_that_cannot_be_right_is_refused(desk: Desk, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        enter_norm(desk.office, **{"player": 1} | changes)
    assert refused.value.code == code
    assert norms_of(desk.office, 1).norms == ()


def test_merged_players_share_their_norms(desk: Desk) -> None:
    enter_norm(desk.office, 2)
    merge(desk.office, 1, 2, reason="the same person", confirmed=True)
    assert [norm.player for norm in norms_of(desk.office, 1).norms] == [1]


def test_titles_are_proposed_for_the_players_of_the_federation(desk: Desk) -> None:
    desk.publish(date(2024, 2, 1))
    change_player(desk.office, 1, since=date(2024, 1, 1), reason="a transfer", set_={"federation": "FRA"})
    assert {it.player: it.title for it in proposed_titles(desk.office)} == {2: "FM", 3: "WCM"}


def test_a_list_proposes_titles_by_rating(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    # the imported K says that the first thirty games are over only once a list was published
    desk.publish(date(2024, 2, 1))
    proposals = {it.player: it.title for it in proposed_titles(desk.office)}
    assert proposals == {1: "FM", 2: "FM", 3: "WCM"}
    change_player(desk.office, 2, since=date(2024, 1, 1), set_={"title": "IM"}, reason="awarded")
    change_player(desk.office, 1, since=date(2024, 1, 1), set_={"title": "CM"}, reason="awarded")
    assert {it.player: it.title for it in proposed_titles(desk.office)} == {1: "FM", 3: "WCM"}
    moment = ("--now", "2024-03-01T10:00:00Z")
    published = run_json(capsys, "office", "publish", "standard", "2024-03-01", *moment, "--db", desk.place)
    assert [(it["player"], it["title"]) for it in published["titles"]] == [(1, "FM"), (3, "WCM")]
    data = run_json(capsys, "office", "title", "propose", "--db", desk.place)
    assert [(it["player"], it["title"]) for it in data["proposals"]] == [(1, "FM"), (3, "WCM")]


def test_the_check_in_words(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "office", "title", "check", "1", "--db", desk.place, "--lang", "it")
    assert status == 0
    assert "partite di tutte le norme" in out


def test_the_norms_of_an_accepted_report_are_recorded_once(sqlite_desk: Desk) -> None:
    case = next(
        case
        for case in NORMS
        if case["expected"]["norm"] and "field" not in case and case["given"]["title"] == "GM"
    )
    report = report_of(case)
    assert report.header.last_day is not None
    sqlite_desk.on(report.header.last_day)
    sent = sqlite_desk.send(report)
    with pytest.raises(BadInput, match="report-status"):
        record_norms(sqlite_desk.office, sent.report)
    errors = {finding.code for finding in sent.findings if finding.severity is Severity.ERROR}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(sqlite_desk.office, sent.report, matches=new, overrule=errors, reason="a made report")
    numbers = record_norms(sqlite_desk.office, sent.report).norms
    assert {norm.title for norm in norms_of(sqlite_desk.office, 1).norms} >= {NormTitle.GM}
    assert len(numbers) == len(norms_of(sqlite_desk.office, 1).norms)
    assert record_norms(sqlite_desk.office, sent.report).norms == ()
    (norm, *_) = norms_of(sqlite_desk.office, 1).norms
    assert (norm.event, norm.report, norm.edition) == (report.header.name, sent.report, case["edition"])
