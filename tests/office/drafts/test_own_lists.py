"""A list of the office's own beside FIDE's: computed by a rating system, published, corrected and verified."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.lists.system_list import read_system_list
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.corrections.acts import revise
from arpad.office.corrections.take_back import take_back
from arpad.office.decisions.acts import decide
from arpad.office.drafts.acts import preview_draft
from arpad.office.lists.acts import add_list
from arpad.office.lists.line_rows import canonical_text, public_list
from arpad.office.lists.rows import Publication
from arpad.office.live.acts import update_live_list
from arpad.office.open_data.acts import write_open_data
from arpad.office.privacy.acts import erase_player, hide_player
from arpad.office.rankings.pages import file_bytes
from arpad.office.verify.acts import verify
from arpad.office.who_is_who.acts import merge
from arpad.publishing.bundle import verify_bundle
from arpad.store.list_names import list_named
from arpad.web.requests import Refused
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import explain, import_list
from tests.commands import refusal, run_json

ROUND_ROBIN = """
1 2000 | 2w1 3b= 4w1
2 1900 | 1b0 4w1 3w=
3 1800 | 4w1 1w= 2b=
4 1700 | 3b0 2b0 1b0
"""


JAN = date(2018, 1, 1)


def ireland(desk: Desk, system: str = "icu") -> ListName:
    add_list(desk.office, "ireland", system=system, since=date(2018, 1, 1))
    with desk.office.store.reading() as connection:
        return list_named(connection, "ireland")


def text(desk: Desk, publication: Publication) -> bytes:
    with desk.office.store.reading() as connection:
        return canonical_text(connection, publication)


def begun(desk: Desk) -> None:
    desk.list(date(2018, 1, 1), *(listed(n, 2100 - 100 * n) for n in range(1, 5)))


STATES = "id,rating,games\n9001,1800,100\n9002,1700,100\n9003,1600,100\n"
"""The fourth player is new."""


def taken_over(desk: Desk, own: ListName, states: str = STATES) -> None:
    path = desk.folder / "icu.csv"
    path.write_text(states)
    import_list(desk.office, path, own, date(2018, 1, 1))


def test_accepted_events_count_on_both_lists(desk: Desk) -> None:
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published = desk.publish(date(2018, 2, 1), own)
    official = desk.publish(date(2018, 2, 1))
    assert desk.rating(1, official.day) == 2005
    canonical = read_system_list(text(desk, published))
    assert (canonical.on_list, canonical.system, canonical.number) == ("ireland", "icu", 2)
    assert len(canonical.rows) == 4
    assert verify(desk.office).intact
    bundle = desk.folder / "lists" / f"{published.name}.bundle.zip"
    assert verify_bundle(bundle).intact
    rows = write_open_data(desk.office, desk.folder / "open-data")
    assert rows["lists"] == 2, "the open data has the lists of FIDE"
    assert (desk.folder / "lists" / f"{published.name}.canonical.txt").read_bytes() == text(desk, published)


def test_commands_know_the_lists_of_their_office(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    begun(sqlite_desk)
    taken_over(sqlite_desk, ireland(sqlite_desk))
    database = ("--db", sqlite_desk.place)
    drafted = run_json(capsys, "office", "draft", "ireland", "2018-02-01", *database)
    assert drafted["list"] == "ireland"
    assert "ireland" in refusal(capsys, "office", "draft", "wales", "2018-02-01", *database)


def test_a_late_event_counts_in_its_order_and_the_draft_says_what_it_changes(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    first = desk.publish(date(2018, 2, 1), own)
    desk.report(event("Cork", WIN, date(2018, 1, 2), date(2018, 1, 3)))
    draft = preview_draft(desk.office, own, date(2018, 3, 1))
    assert [filed.name for filed in draft.reports] == ["Dublin", "Cork"]
    assert {it.player for it in draft.restated} >= {1, 2}
    assert {it.publication.id for it in draft.restated} == {first.id}
    second = desk.publish(date(2018, 3, 1), own)
    rows = {row.player: row for row in read_system_list(text(desk, second)).rows}
    explained = explain(desk.office, 1, own).change
    assert explained is not None
    assert (explained.before, explained.after) == (rows[1].figure - (rows[1].change or 0), rows[1].figure)
    assert verify(desk.office).intact
    revised = revise(desk.office, own, reason="Cork came late")
    assert [it.publication.revision for it in revised.revisions] == [2, 2]
    assert verify(desk.office).intact


def test_an_officer_decides_which_events_count(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    dublin = desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    decide(
        desk.office, "not-rated", report=dublin, list_=own, reason="the national office did not approve it"
    )
    assert not preview_draft(desk.office, own, date(2018, 2, 1)).reports
    assert len(preview_draft(desk.office, STANDARD, date(2018, 2, 1)).reports) == 1
    decide(desk.office, "rated", report=dublin, list_=own, reason="approved after all")
    assert len(preview_draft(desk.office, own, date(2018, 2, 1)).reports) == 1


def test_a_merged_player_keeps_one_line(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", WIN, date(2018, 1, 5), date(2018, 1, 7)))
    desk.publish(date(2018, 2, 1), own)
    merge(desk.office, 1, 3, reason="the same person", confirmed=True)
    published = desk.publish(date(2018, 3, 1), own)
    assert [row.player for row in read_system_list(text(desk, published)).rows] == [1, 2]
    assert verify(desk.office).intact


@pytest.mark.parametrize("system", ["dwz", "glicko2", "uschess"])
def test_every_system_makes_lists(sqlite_desk: Desk, system: str) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk, system)
    fields = {
        "dwz": "id,rating,index,born\n9001,1800,20,1980\n9002,1700,20,1980\n",
        "glicko2": "id,rating,rd,volatility\n9001,1800,80,0.06\n9002,1700,90,0.06\n",
        "uschess": "id,rating,games\n9001,1800,100\n9002,1700,100\n",
    }
    taken_over(desk, own, fields[system])
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published = desk.publish(date(2018, 2, 1), own)
    canonical = read_system_list(text(desk, published))
    assert canonical.system == system
    assert any(row.printed != str(row.figure) for row in canonical.rows) or system == "uschess"
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / f"{published.name}.bundle.zip").intact


def test_what_a_system_does_not_have_is_refused_in_a_sentence(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    dublin = desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    for refused in (
        lambda: update_live_list(desk.office, own),
        lambda: decide(desk.office, "k", player=1, list_=own, date_=JAN, value={"k": "20"}, reason="x"),
        lambda: decide(desk.office, "rated", report=dublin, list_=STANDARD, reason="x"),
    ):
        with pytest.raises(BadInput) as raised:
            refused()
        assert raised.value.code in ("own-list-live", "own-list-decision", "own-list-only")


def test_a_bad_start_is_refused(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    for states, code in (
        ("id,rating\n9001,10000\n", "out-of-range"),
        ("rating\n1800\n", "states-without-id"),
        ("id,rating\n7777,1800\n", "own-list-nobody"),
    ):
        with pytest.raises(BadInput) as raised:
            taken_over(desk, own, states)
        assert raised.value.code == code


def test_a_list_of_its_own_is_hidden_from_erased_and_taken_back_as_any_other(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published = desk.publish(date(2018, 2, 1), own)
    hide_player(desk.office, 2, reason="asked")
    with desk.office.store.reading() as connection:
        shown = public_list(connection, published)
        assert [row.player for row in read_system_list(shown.text).rows] == [1, 3, 4]
        with pytest.raises(Refused):  # it has births, also of who is hidden
            file_bytes(desk.office, connection, published, f"{published.name}.public.zip")
    assert verify(desk.office).intact
    erase_player(desk.office, 3, confirm=3, reason="asked")
    assert verify(desk.office).intact
    take_back(desk.office, own, published.day, reason="published by mistake")
    assert verify(desk.office).intact
