"""A list of the office's own beside FIDE's: computed by a rating system, published, corrected and verified."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from zlib import compress

import pytest
from sqlalchemy import update

from arpad.lists import chain
from arpad.lists.canonical import read_canonical
from arpad.lists.chain import walk
from arpad.lists.chain_checkpoints import _seal
from arpad.model.errors import BadInput
from arpad.office.corrections.acts import revise
from arpad.office.corrections.publishing import take_back
from arpad.office.decisions.acts import decide
from arpad.office.drafts.acts import draft, preview_draft
from arpad.office.drafts.checkpoint_rows import read_checkpoints
from arpad.office.drafts.tables import chain_checkpoints
from arpad.office.lists.history_rows import canonical_text, public_list
from arpad.office.lists.in_force import inputs_as_of
from arpad.office.lists.rows import Publication
from arpad.office.live.acts import update_live_list
from arpad.office.open_data.acts import write_open_data
from arpad.office.players import explain as explain_module
from arpad.office.privacy.acts import erase_player, hide_player
from arpad.office.rankings.pages import file_bytes
from arpad.office.register.acts import report_death
from arpad.office.verify.acts import verify
from arpad.office.who_is_who.acts import merge
from arpad.publishing.bundle import verify_bundle
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk
from tests.builders.own_lists import ROUND_ROBIN, begun, ireland, taken_over
from tests.builders.verbs import accept, explain
from tests.commands import refusal, run_json

JAN = date(2018, 1, 1)


def text(desk: Desk, publication: Publication) -> bytes:
    with desk.office.store.reading() as connection:
        return canonical_text(connection, publication)


def test_accepted_events_count_on_both_lists(desk: Desk) -> None:
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published = desk.publish(date(2018, 2, 1), own)
    official = desk.publish(date(2018, 2, 1))
    assert desk.rating(1, official.day) == 2005
    canonical = read_canonical(text(desk, published))
    assert (canonical.on_list, canonical.on_list.system, canonical.number) == ("ireland", "icu", 2)
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


def test_a_late_event_counts_in_its_order_and_the_draft_says_what_it_changes(desk: Desk) -> None:
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
    rows = {row.player: row for row in read_canonical(text(desk, second)).rows}
    explained = explain(desk.office, 1, own).change
    assert explained is not None
    assert (explained.before, explained.after) == (
        (rows[1].rating or 0) - (rows[1].change or 0),
        rows[1].rating,
    )
    against = [
        step.facts["opponent"] for it in explained.events for step in it.steps if "opponent" in step.facts
    ]
    assert against, "each game is a step"
    assert {*against} <= {row.name for row in rows.values()}, "a reader knows names, not numbers"
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
    assert [row.player for row in read_canonical(text(desk, published)).rows] == [1, 2]
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
    canonical = read_canonical(text(desk, published))
    assert canonical.on_list.system == system
    assert any(row.printed != str(row.rating) for row in canonical.rows) or system == "uschess"
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / f"{published.name}.bundle.zip").intact


def test_what_a_system_does_not_have_is_refused_in_a_sentence(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    dublin = desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    for refused in (
        lambda: update_live_list(desk.office, own),
        lambda: decide(
            desk.office, "category", player=1, list_=own, date_=JAN, value={"category": "CM"}, reason="x"
        ),
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
        ("id,rating,games\n7777,1800,9\n", "own-list-nobody"),
        ("id,rating,rd\n9001,1800,50\n", "list-of-other-system"),
        ("id,rating,index\n9001,1800,5\n", "list-of-other-system"),
    ):
        with pytest.raises(BadInput) as raised:
            taken_over(desk, own, states)
        assert raised.value.code == code


def test_commands_refuse_a_bad_start_in_a_sentence(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sqlite_desk
    begun(desk)
    ireland(desk)
    path = desk.folder / "start.csv"
    command = ("office", "import-list", str(path), "--list", "ireland", "--date", "2018-01-01", "--yes")
    for states, sentence in (
        ("id,rating,games\n9001,1800,-1\n", "start.csv: 9001.games is -1, but must be between 1 and 1000000"),
        ("id,rating\n9001,1800\n", "start.csv: 9001.games is missing"),
        (
            "id,rating,rd\n9001,1800,50\n",
            "the file has the ratings of glicko2, and icu computes the list ireland",
        ),
    ):
        path.write_text(states)
        assert sentence in refusal(capsys, *command, "--lang", "en", "--db", desk.place)


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
        public = read_canonical(shown.text)
        assert [row.player for row in public.rows] == [1, 3, 4]
        assert (public.left_off, public.whole_digest) == (1, published.digest)
        path = desk.folder / "public.zip"
        path.write_bytes(file_bytes(desk.office, connection, published, f"{published.name}.public.zip"))
    checked = verify_bundle(path)
    assert (checked.intact, checked.counted["left_off"]) == (True, 1)
    assert verify(desk.office).intact
    erase_player(desk.office, 3, confirm=3, reason="asked")
    assert verify(desk.office).intact
    take_back(desk.office, own, published.day, reason="published by mistake")
    assert verify(desk.office).intact


def test_who_died_is_rated_and_not_on_the_list(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    february = desk.publish(date(2018, 2, 1), own)
    desk.on(date(2018, 2, 20))
    report_death(desk.office, 2, date(2018, 2, 3), reason="family")
    march = desk.publish(date(2018, 3, 1), own)
    assert [row.player for row in read_canonical(text(desk, february)).rows] == [1, 2, 3, 4]
    assert [row.player for row in read_canonical(text(desk, march)).rows] == [1, 3, 4]
    assert verify(desk.office).intact
    made_before = march.making.replace(',"without_dead":true', "")
    assert [inputs_as_of(replace(march, making=it)).shows_dead for it in (march.making, made_before)] == [
        False,
        True,
    ]


def test_a_draft_and_a_page_rate_only_from_the_nearest_checkpoint(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, rated = sqlite_desk, list[str]()

    def counted(*given: Any, **named: Any) -> Iterator[Any]:
        for step in walk(*given, **named):
            rated.append(step[0].name)
            yield step

    def rated_by(run: Callable[[], object]) -> list[str]:
        rated.clear()
        explain_module._CHAINS.clear()
        explain_module.CACHE = explain_module._ExplanationCache(10)
        run()
        return rated.copy()

    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    for month in range(1, 7):
        day = date(2018, month, 10)
        desk.report(event(f"Month {month}", ROUND_ROBIN, day, day + timedelta(days=2)))
        desk.publish(date(2018, month + 1, 1), own)
    monkeypatch.setattr(chain, "walk", counted)
    august = date(2018, 8, 1)
    assert rated_by(lambda: preview_draft(desk.office, own, august)) == []
    assert rated_by(lambda: explain(desk.office, 1, own, date(2018, 4, 2))) == []
    desk.report(event("Late", WIN, date(2018, 6, 5), date(2018, 6, 6)))
    assert rated_by(lambda: draft(desk.office, own, august)) == ["Late", "Month 6"]
    assert rated_by(lambda: draft(desk.office, own, august)) == []
    desk.publish(august, own)
    assert rated_by(lambda: explain(desk.office, 1, own)) == ["Late"], "the event before which it stands"
    assert verify(desk.office).intact


@pytest.mark.parametrize("forged", [False, True])
def test_an_altered_checkpoint_is_found(sqlite_desk: Desk, *, forged: bool) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    desk.publish(date(2018, 2, 1), own)
    with desk.office.store.unlogged_writing() as connection:
        (kept,) = read_checkpoints(connection, own)
        other = kept.text.replace('rating\\":', 'rating\\":1', 1)
        values: dict[str, Any] = {"data": compress(other.encode())}
        if forged:
            values["seal"] = _seal(kept.digest, kept.events, kept.place, other)
        connection.execute(update(chain_checkpoints).values(**values))
    (altered,) = verify(desk.office).altered
    assert (altered.code, altered.facts["table"]) == ("row-derived", "chain_checkpoints")


def test_articles_of_fide_do_not_prevent_what_counts_on_own_lists_alone(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    own = ireland(desk)
    short = event("Fast", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7), time_control="61 min")
    accepted = desk.report(short)
    assert [it.id for it in preview_draft(desk.office, own, date(2018, 2, 1)).reports] == [accepted]
    broken = replace(short, rounds=(replace(short.rounds[0], results="1   "), *short.rounds[1:]))
    with pytest.raises(BadInput, match="cannot be accepted"):
        desk.report(broken)


def test_an_event_left_off_the_list_of_fide_needs_only_the_other_list(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    short = event("Fast", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7), time_control="61 min")
    with pytest.raises(BadInput, match="cannot be accepted"):
        desk.report(short)
    decide(desk.office, "not-rated", report=1, reason="too fast for FIDE")
    accept(desk.office, 1)
    assert len(preview_draft(desk.office, own, date(2018, 2, 1)).reports) == 1
    assert not preview_draft(desk.office, STANDARD, date(2018, 2, 1)).reports
    assert verify(desk.office).intact
