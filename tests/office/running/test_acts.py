"""Tournaments in progress: each version replaces the one before, and no list ever reads one."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.explain.running_document import RunningDocument, RunningEntry, RunningNext
from arpad.model.errors import BadInput
from arpad.office.running.acts import end_tournament, running_page, running_pages
from arpad.office.running.rows import RunningTournament, versions_of
from arpad.office.running.versions import Sent, send_version
from arpad.reports.formats import write_report
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.norm_reports import unfinished
from tests.builders.offices import STANDARD, Clock, Desk, listed, trf
from tests.builders.verbs import accept, change_settings, draft, erase_player, reports_on_file, return_

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
FIRST, LAST = date(2018, 1, 12), date(2018, 1, 14)
ONE = """
1 2000 | 2w1
2 1900 | 1b0
3 1800 | 4w=
4 0    | 3b=
"""
TWO = """
1 2000 | 2w1 3b1
2 1900 | 1b0 4w1
3 1800 | 4w= 1w0
4 0    | 3b= 2b0
"""


def tournament(table: str = ONE, name: str = "Open", city: str = "Bellariva") -> Report:
    report = event(name, table, FIRST, LAST)
    return replace(report, header=replace(report.header, city=city))


def paired(report: Report, *pairs: tuple[int, int]) -> Report:
    """Return a report with one more round, paired and without results; the first of each pair has White."""
    opponents = {
        number: other for white, black in pairs for number, other in ((white, black), (black, white))
    }
    whites = {white for white, _ in pairs}
    numbers = [entrant.number for entrant in report.entrants]
    following = replace(
        report.rounds[0],
        opponents=tuple(opponents.get(number, 0) for number in numbers),
        colours="".join("w" if number in whites else "b" for number in numbers),
        results=" " * len(numbers),
    )
    return replace(report, rounds=(*report.rounds, following))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    desk.list(JAN, listed(1, 2000, 20), listed(2, 1900, 40), listed(3, 1800, 20))
    desk.on(FIRST)
    yield desk
    desk.office.close()


def shown(desk: Desk, name: str = "open") -> RunningDocument:
    with desk.office.store.reading() as connection:
        page = running_page(connection, name)
    assert page is not None
    assert page.document is not None
    return page.document


def send(desk: Desk, report: Report, name: str = "open", **more: Any) -> Sent:
    return send_version(desk.office, trf(report), "open.trf", name, **more)


def refused(desk: Desk, report: Report, name: str = "open", **more: Any) -> str:
    with pytest.raises(BadInput) as raised:
        send(desk, report, name, **more)
    return raised.value.code


def test_the_page_has_standings_exact_changes_and_the_next_game(desk: Desk) -> None:
    send(desk, paired(tournament(), (3, 1), (2, 4)))
    document = shown(desk)
    assert [(p.rank, p.number, p.player, p.score) for p in document.players] == [
        (1, 1, 1, "1"), (2, 3, 3, "0.5"), (3, 4, None, "0.5"), (4, 2, 2, "0"),
    ]  # fmt: skip
    first, newcomer = document.players[0], document.players[2]
    assert (first.rating, first.k, first.change, first.after) == (2000, 20, 720, 2007)
    assert first.next == RunningNext(2, 3, "b", 480, -520, -1520)
    assert (document.rounds, document.next_round, first.rounds) == (1, 2, ("2w1", "3b"))
    assert newcomer.next == RunningNext(2, 2, "b", None, None, None)
    assert newcomer.entry == RunningEntry(1, 5, 1800, None, "too-few-games")


def test_the_page_says_who_is_on_the_way_to_a_norm(tmp_path: Path) -> None:
    """After seven rounds of nine 5.5 points against 2470: one point of two is enough for a norm of a GM."""
    report = unfinished(7)
    entrants = tuple(replace(entrant, id=str(9000 + entrant.number)) for entrant in report.entrants)
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    rows = [
        listed(it.number, it.rating, name=it.name, title=it.title, federation=it.federation)
        for it in entrants
    ]
    desk.list(date(2024, 12, 1), *rows)
    desk.on(date(2024, 12, 20))
    data = write_report(replace(report, entrants=entrants), "trf26")[0]  # it says how many rounds there are
    send_version(desk.office, data, "open.trf", "open")
    norms = [norm for norm in shown(desk).norms if norm.number == 1 and norm.title == "GM"]
    desk.office.close()
    needs = "Needs 1 point from 2 rounds against an average of 2470."
    assert [(norm.made, norm.words["en"]) for norm in norms] == [(False, needs)]


def test_a_version_replaces_the_one_before_and_the_same_bytes_change_nothing(desk: Desk) -> None:
    assert send(desk, tournament()).tournament.version == 1
    assert send(desk, tournament()).again
    assert send(desk, tournament(TWO)).tournament.version == 2
    with desk.office.store.reading() as connection:
        versions = [(sent.version, sent.rounds, sent.author) for sent in versions_of(connection, "open")]
        (page,) = running_pages(connection)
    assert versions == [(2, 2, "T. Officer"), (1, 1, "T. Officer")]
    assert (page.tournament.version, page.tournament.rounds, page.tournament.players) == (2, 2, 4)
    assert shown(desk).rounds == 2


def test_an_older_version_is_refused_unless_that_is_stated(desk: Desk) -> None:
    wrong = tournament(TWO, city="Elsewhere")
    send(desk, wrong)
    send(desk, tournament(TWO))
    assert refused(desk, tournament()) == "running-older"
    assert refused(desk, wrong) == "running-sent-before"
    assert send(desk, tournament(), older=True).tournament.version == 3
    assert shown(desk).rounds == 1


def test_only_those_who_may_replace_it(desk: Desk) -> None:
    send(desk, tournament())

    def nobody(_tournament: RunningTournament) -> bool:
        return False

    assert refused(desk, tournament(TWO), may_replace=nobody) == "running-not-yours"
    assert shown(desk).rounds == 1


@pytest.mark.parametrize("name", ["", "Open", "a b", "-open", "x/y", "a" * 61])
def test_a_name_that_no_address_can_have_is_refused(desk: Desk, name: str) -> None:
    assert refused(desk, tournament(), name) == "running-name"


def test_the_office_may_show_none(desk: Desk) -> None:
    change_settings(desk.office, set_={"running_tournaments": "hidden"})
    assert refused(desk, tournament()) == "running-not-shown"


def test_no_list_and_no_draft_reads_a_version(desk: Desk) -> None:
    """Publish with and without a tournament in progress: draft, list, inbox and history are the same."""
    desk.report(event("Cup", "1 2000 | 2w=\n2 1900 | 1b=\n", date(2018, 1, 5)))
    desk.on(LAST)
    before = draft(desk.office, STANDARD, FEB)
    send(desk, tournament(TWO))
    after = draft(desk.office, STANDARD, FEB)
    assert after.result.digest == before.result.digest
    assert after.inputs_digest == before.inputs_digest
    assert [report.name for report in reports_on_file(desk.office)] == ["Cup"]
    publication = desk.publish(FEB)
    assert publication.digest == before.result.digest
    assert desk.rating(1, FEB) == 1997


def test_the_final_report_ends_it_and_its_games_are_rated_once(desk: Desk) -> None:
    send(desk, tournament())
    desk.on(LAST)
    final = desk.send(tournament(TWO))
    with desk.office.store.reading() as connection:
        page = running_page(connection, "open")
    assert page is not None
    assert (page.report, page.accepted) == (final.report, False)
    assert refused(desk, tournament(TWO, city="Elsewhere")) == "running-final"
    return_(desk.office, final.report, reason="a result is wrong")
    send(desk, tournament(TWO, city="Elsewhere"))
    again = desk.send(tournament(TWO, city="Bellariva al Mare"))
    accept(desk.office, again.report)
    with desk.office.store.reading() as connection:
        page = running_page(connection, "open")
        assert running_pages(connection) == []
    assert page is not None
    assert (page.report, page.accepted) == (again.report, True)
    desk.publish(FEB)
    assert desk.rating(1, FEB) == 2012  # 7.2 and 4.8, once


def test_the_final_report_is_recognised_by_its_games_under_another_name(desk: Desk) -> None:
    send(desk, tournament())
    desk.on(LAST)
    final = desk.send(tournament(TWO, name="Trofeo Banca"))
    with desk.office.store.reading() as connection:
        page = running_page(connection, "open")
    assert page is not None
    assert page.report == final.report


def test_an_ended_tournament_keeps_nothing_of_its_players(desk: Desk) -> None:
    send(desk, tournament())
    end_tournament(desk.office, "open", reason="rain")
    with desk.office.store.reading() as connection:
        page = running_page(connection, "open")
        assert running_pages(connection) == []
    assert page is not None
    assert (page.document, page.tournament.data, page.tournament.marks) == (None, b"", b"")
    with pytest.raises(BadInput, match="running-unknown"):
        end_tournament(desk.office, "open")
    send(desk, tournament(TWO))  # ended too early: it goes on
    assert shown(desk).rounds == 2


def test_one_that_nobody_continues_ends_by_itself_when_another_is_sent(desk: Desk) -> None:
    send(desk, tournament())
    desk.on(date(2018, 2, 20))
    send(desk, event("Other", ONE, date(2018, 2, 20)), "other")
    with desk.office.store.reading() as connection:
        assert [page.tournament.name for page in running_pages(connection)] == ["other"]
        page = running_page(connection, "open")
    assert page is not None
    assert page.tournament.data == b""


def test_an_erased_player_is_in_no_version(desk: Desk) -> None:
    send(desk, tournament())
    erase_player(desk.office, 2, confirm=2, reason="asked")
    assert "Player 2" not in Path(desk.place).read_bytes().decode("latin-1")
    with desk.office.store.reading() as connection:
        page = running_page(connection, "open")
    assert page is not None
    assert "Player 2" not in page.tournament.document
    assert b"Player 2" not in page.tournament.data
