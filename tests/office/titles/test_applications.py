"""The application for a title: the figures of own reports, norms entered by hand, and what is missing."""

from datetime import date

import pytest

from arpad.explain.title_applications import ApplicationFacts
from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.model.rules import Severity
from arpad.office.reports.entrant_rows import NEW
from arpad.office.titles.acts import record_norms
from arpad.office.titles.applications import title_application
from arpad.regulations.fide.titles.rules import NormTitle
from tests.builders.norm_cases import NORMS
from tests.builders.norm_reports import report_of
from tests.builders.norms import enter_norm
from tests.builders.offices import Desk
from tests.builders.verbs import accept, change_player, merge, register_player, withdraw
from tests.commands import run


@pytest.fixture
def player(sqlite_desk: Desk) -> int:
    """A player with the norm of thirteen rounds from a report and one norm by hand; return the player's number."""
    case = next(case for case in NORMS if case["name"] == "manual-guideline-13")
    report = report_of(case)
    assert report.header.last_day is not None
    sqlite_desk.on(report.header.last_day)
    sent = sqlite_desk.send(report)
    errors = {finding.code for finding in sent.findings if finding.severity is Severity.ERROR}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(sqlite_desk.office, sent.report, matches=new, overrule=errors, reason="a made report")
    record_norms(sqlite_desk.office, sent.report)
    enter_norm(sqlite_desk.office, 1, NormTitle.GM, single_days=9)
    return 1


def test_an_application_has_the_figures_of_its_norms(sqlite_desk: Desk, player: int) -> None:
    words = load_words("en")
    application = title_application(
        sqlite_desk.office,
        player,
        NormTitle.GM,
        words,
        ApplicationFacts(birth_place="Pécs", reached_on="2024-05-01"),
    )
    assert (application.family_name, application.first_name, application.federation) == (
        "Candidate",
        "Ada",
        "HUN",
    )
    assert (application.complete, application.total_games, application.reached_on) == (
        False,
        21,
        "2024-05-01",
    )
    ours = next(norm for norm in application.norms if norm.event != "Open")
    assert (ours.average, ours.played, ours.played_score, ours.games, ours.score_needed, ours.score) == (
        2482, 13, "9", 12, "8", "8",
    )  # fmt: skip
    assert (ours.host_opponents, ours.foreign_opponents, ours.titled_opponents, ours.unrated_opponents) == (
        8, 12, 8, 0,
    )  # fmt: skip
    assert ours.titles == {"GM": 5, "IM": 2, "WGM": 0, "WIM": 0, "FM": 1, "WFM": 0}
    (elsewhere,) = [norm for norm in application.norms if norm.event == "Open"]
    assert (elsewhere.average, elsewhere.counts_as) == (None, 9)
    assert application.without_report == [elsewhere.norm]
    assert "official" in application.missing
    assert "birth_place" not in application.missing


def test_a_merged_player_keeps_the_figures(sqlite_desk: Desk, player: int) -> None:
    other = register_player(sqlite_desk.office, "Candidate, A.").id
    merge(sqlite_desk.office, other, player, reason="the same person", confirmed=True)
    application = title_application(sqlite_desk.office, player, NormTitle.GM, load_words("it"))
    assert [norm.average for norm in application.norms if norm.event != "Open"] == [2482]


def test_a_report_that_is_no_longer_accepted_gives_no_figures(sqlite_desk: Desk, player: int) -> None:
    withdraw(sqlite_desk.office, 1, reason="sent by mistake")
    application = title_application(sqlite_desk.office, player, NormTitle.GM, load_words("en"))
    assert {norm.average for norm in application.norms} == {None}


def test_nobody_applies_for_a_title_already_held(sqlite_desk: Desk, player: int) -> None:
    change_player(sqlite_desk.office, player, since=date(2024, 1, 1), set_={"title": "GM"}, reason="awarded")
    with pytest.raises(BadInput, match="title-not-above"):
        title_application(sqlite_desk.office, player, NormTitle.IM, load_words("en"))


def test_the_command_asks_for_what_is_missing(
    sqlite_desk: Desk, player: int, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ("office", "title", "apply", str(player), "GM", "--db", sqlite_desk.place, "--lang", "en")
    status, out, err = run(capsys, *call, "--fact", "birth_place=Pécs")
    assert status == 0
    assert "Games of all norms together: 21." in out
    assert "official" in err
    assert "birth_place" not in err
    status, _, err = run(capsys, *call, "--fact", "nothing=1")
    assert (status, "birth_place" in err) == (2, True)
