"""A federation's own edition of the title regulations, adopted by an office from a day on (B.01 0.2)."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.explain.certificates import CertificateFacts, norm_certificate
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.editions.acts import editions_here, title_editions
from arpad.office.office import today
from arpad.office.reports.entrant_rows import NEW
from arpad.office.titles.acts import norms_of, record_norms
from arpad.office.titles.applications import check_titles, norms_of_report
from arpad.office.verify.acts import verify
from arpad.regulations.editions import in_force
from arpad.regulations.fide.titles.rules import NormTitle
from tests.builders.norm_cases import NORMS
from tests.builders.norm_reports import report_of
from tests.builders.norms import enter_norm
from tests.builders.offices import Desk, listed
from tests.builders.verbs import accept, adopt_edition, own_editions, revoke_edition
from tests.commands import run_json

OWN = """
id = "bellariva-titles"
base = "titles-2024"
effective = 2024-02-01
source = "Decision of the board"

[standard]
application_games = { value = 18, article = "own 1" }
"""
FIRST = date(2024, 2, 1)
MADE = next(
    it for it in NORMS if it["expected"]["norm"] and "field" not in it and it["edition"] == "titles-2024"
)


@pytest.fixture
def desk(sqlite_desk: Desk) -> Desk:
    """An office that adopted a title edition in February, with a norm of March on record."""
    sqlite_desk.list(date(2024, 1, 1), listed(1, 2410, 10))
    adopt_edition(sqlite_desk.office, OWN, reason="decided")
    sqlite_desk.on(date(2024, 3, 9))
    enter_norm(sqlite_desk.office, 1)
    return sqlite_desk


def test_the_first_day_chooses_the_edition(desk: Desk) -> None:
    with desk.office.store.reading() as connection:
        titles, ratings = title_editions(connection), editions_here(connection)
    assert in_force(titles, ListName.STANDARD, date(2024, 1, 31)).id == "titles-2024"
    assert in_force(titles, ListName.STANDARD, FIRST).id == "bellariva-titles"
    assert "bellariva-titles" not in {edition.id for edition in ratings}
    assert verify(desk.office).intact


def test_the_norms_and_certificates_of_a_report_follow_the_own_edition(desk: Desk) -> None:
    case = report_of(MADE)
    days = replace(case.header, first_day=date(2024, 3, 1), last_day=date(2024, 3, 9))
    sent = desk.send(replace(case, header=days))
    codes = {it.code for it in sent.findings}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(desk.office, sent.report, matches=new, overrule=codes, reason="a made report")
    assert record_norms(desk.office, sent.report).norms
    with desk.office.store.reading() as connection:
        filed = norms_of_report(connection, sent.report)
    player = filed.result.players[0]
    paper = norm_certificate(filed.result, player.entrant.number, player.norms[0], CertificateFacts())
    assert paper.edition == "bellariva-titles"
    assert {norm.edition for norm in norms_of(desk.office, filed.made[0].player).norms} == {
        "bellariva-titles"
    }


def test_a_tournament_with_fast_games_puts_no_norm_on_record(desk: Desk) -> None:
    """B.01 1.1.3: two hours for sixty moves; 60 minutes and 30 seconds a move are ninety minutes."""
    case = report_of(MADE)
    fast = replace(
        case.header,
        first_day=date(2024, 3, 1),
        last_day=date(2024, 3, 9),
        time_control="60 min + 30 sec per move",
    )
    sent = desk.send(replace(case, header=fast))
    codes = {it.code for it in sent.findings}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(desk.office, sent.report, matches=new, overrule=codes, reason="a made report")
    with desk.office.store.reading() as connection:
        filed = norms_of_report(connection, sent.report)
    assert filed.made == []
    player = filed.result.players[0]
    assert {it.name for it in player.norms[0].failed} == {"minutes"}
    with pytest.raises(BadInput, match="no-norm"):
        norm_certificate(filed.result, player.entrant.number, player.norms[0], CertificateFacts())


def test_an_application_is_checked_by_the_own_edition(desk: Desk) -> None:
    with desk.office.store.reading() as connection:
        checks = check_titles(connection, 1, today(desk.office, connection))
    (check,) = [it for it in checks if it.title is NormTitle.IM]
    games = next(item for item in check.requirements if item.requirement == "application-games")
    assert (check.edition, games.required, games.article) == ("bellariva-titles", 18, "own 1")


def test_the_command_shows_and_compares_the_own_edition(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {it["id"] for it in run_json(capsys, "editions", "--db", desk.place)["editions"]}
    assert {"bellariva-titles", "titles-2024", "fide-2017"} <= names
    compared = run_json(capsys, "editions", "diff", "titles-2024", "bellariva-titles", "--db", desk.place)
    assert [it["rule"] for it in compared["changes"]] == ["application_games"]
    shown = run_json(capsys, "editions", "show", "bellariva-titles", "--db", desk.place)
    assert shown["rules"]["standard"]["application_games"]["value"] == 18


def test_norms_on_record_keep_their_edition(desk: Desk) -> None:
    (own,) = own_editions(desk.office).editions
    with pytest.raises(BadInput, match="title-edition-used"):
        revoke_edition(desk.office, own.adoption, reason="a mistake")
    with pytest.raises(BadInput, match="edition-overlaps"):
        adopt_edition(desk.office, OWN, since=date(2025, 1, 1), reason="again")
    other = OWN.replace("bellariva-titles", "other-titles")
    with pytest.raises(BadInput, match="title-edition-late"):
        adopt_edition(desk.office, other, since=date(2024, 2, 20), reason="too late")


def test_a_title_edition_without_norms_is_revoked(sqlite_desk: Desk) -> None:
    (adoption,) = adopt_edition(sqlite_desk.office, OWN, reason="decided").adoptions
    assert [own.about for own in own_editions(sqlite_desk.office).editions] == ["titles"]
    revoke_edition(sqlite_desk.office, adoption, reason="a mistake")
    assert own_editions(sqlite_desk.office).editions == ()
