"""A draft is stored, and publishing adopts it as long as its inputs are the same."""

import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import text

from arpad.lists.inputs import Inputs
from arpad.lists.packed_files import unpack_files
from arpad.model.rules import ListName
from arpad.office.drafts.rows import stored_drafts
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.verbs import (
    Office,
    change_player,
    change_settings,
    draft,
    emit,
    erase_player,
    merge,
    open_office,
    preview_draft,
    publish,
    verify,
    verify_bundle,
)

JAN, FEB, MAR = date(2018, 1, 1), date(2018, 2, 1), date(2018, 3, 1)


@pytest.fixture
def drafted(desk: Desk) -> Desk:
    """An office with a draft of its list of February."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.on(FEB)
    draft(desk.office, STANDARD, FEB)
    return desk


def no_computing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Inputs) -> NoReturn:
        raise AssertionError("the list is computed again")

    monkeypatch.setattr(sys.modules["arpad.office.drafts.checkpoint_rows"], "compute_list", refuse)


def count(desk: Desk, table: str) -> int:
    with desk.office.store.reading() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())  # noqa: S608


def test_publishing_adopts_the_draft(drafted: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = draft(drafted.office, STANDARD, FEB)
    no_computing(monkeypatch)
    published = publish(drafted.office, STANDARD, FEB)
    assert (published.digest, published.inputs_digest) == (seen.result.digest, seen.inputs_digest)
    assert [count(drafted, table) for table in ("drafts", "draft_blocks", "draft_inputs")] == [0, 0, 0]
    monkeypatch.undo()
    assert verify(drafted.office).intact


def no_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("the inputs are loaded again")

    monkeypatch.setattr(sys.modules["arpad.office.drafts.acts"], "load_inputs", refuse)


def test_without_an_act_since_the_draft_the_inputs_are_not_loaded_again(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The bundle is the same as that of a list whose inputs were loaded."""
    with monkeypatch.context() as refusing:
        no_loading(refusing)
        published = publish(drafted.office, STANDARD, FEB, tmp_path / "adopted", kinds=("canonical",))
    assert verify(drafted.office).intact
    emit(drafted.office, published, tmp_path / "loaded", ("canonical",))
    adopted, loaded = (files_of(tmp_path / name) for name in ("adopted", "loaded"))
    assert adopted == loaded
    assert f"{published.name}.bundle.zip" in adopted


def test_publishing_reads_states_and_ratings_from_the_lists_that_were_in_force(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An event that began before the last list counts with the list before that one: two lists are needed."""
    publish(drafted.office, STANDARD, FEB)
    drafted.report(event("Across", WIN, date(2018, 1, 28), date(2018, 2, 3)))
    drafted.report(event("Later", WIN, date(2018, 2, 10)))
    drafted.on(MAR)
    seen = draft(drafted.office, STANDARD, MAR)
    with drafted.office.store.reading() as connection:
        (stored,) = stored_drafts(connection)
    tables = {name for name in seen.files.digests if name.endswith(".tsv")}
    assert len(tables) == 4  # the states, two lists and the register
    assert tables & unpack_files(stored.inputs).keys() == {"register.tsv"}
    with monkeypatch.context() as refusing:
        no_loading(refusing)
        published = publish(drafted.office, STANDARD, MAR, tmp_path, kinds=())
    assert (published.digest, published.inputs_digest) == (seen.result.digest, seen.inputs_digest)
    assert verify_bundle(tmp_path / f"{published.name}.bundle.zip").intact


def test_an_act_that_changes_no_input_leaves_the_draft(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = draft(drafted.office, STANDARD, FEB)
    change_settings(drafted.office, set_={"name": "Another name"})
    no_computing(monkeypatch)
    assert publish(drafted.office, STANDARD, FEB).digest == seen.result.digest


def test_a_list_of_owned_players_is_adopted_too(drafted: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    change_settings(drafted.office, set_={"federation": "ITA", "owned_standard": "home"})
    seen = draft(drafted.office, STANDARD, FEB)
    no_computing(monkeypatch)
    assert publish(drafted.office, STANDARD, FEB).digest == seen.result.digest
    monkeypatch.undo()
    assert verify(drafted.office).intact


def test_a_draft_with_other_inputs_is_computed_anew(drafted: Desk) -> None:
    before = draft(drafted.office, STANDARD, FEB)
    change_player(drafted.office, 1, since=JAN, set_={"name": "Other, Name"}, reason="wedding")
    published = publish(drafted.office, STANDARD, FEB)
    assert published.digest != before.result.digest
    assert verify(drafted.office).intact


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE draft_blocks SET data = seals",
        "UPDATE draft_blocks SET digest = 'x'",
        "UPDATE draft_inputs SET data = (SELECT data FROM draft_blocks LIMIT 1)",
        "UPDATE draft_inputs SET digest = 'x'",
        "DELETE FROM draft_inputs",
        "UPDATE drafts SET inputs_digest = 'x'",
        "UPDATE drafts SET ledger = 'x'",
        "UPDATE drafts SET version = '0'",
        "UPDATE drafts SET head = 'arpad-list/1'",
    ],
)
def test_an_altered_draft_is_computed_anew(drafted: Desk, statement: str) -> None:
    digest = draft(drafted.office, STANDARD, FEB).result.digest
    with drafted.office.store.writing() as connection:
        connection.execute(text(statement))
    assert publish(drafted.office, STANDARD, FEB).digest == digest
    assert verify(drafted.office).intact


def test_a_draft_that_is_stored_is_not_written_again_and_is_right_after_a_later_act(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> NoReturn:
        raise AssertionError("the draft is written again")

    change_settings(drafted.office, set_={"name": "Another name"})
    with monkeypatch.context() as refusing:
        refusing.setattr(sys.modules["arpad.office.drafts.acts"], "packed_blocks", refuse)
        seen = draft(drafted.office, STANDARD, FEB)
    no_loading(monkeypatch)
    assert publish(drafted.office, STANDARD, FEB).digest == seen.result.digest


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE draft_blocks SET data = seals",
        "DELETE FROM draft_blocks",
        "UPDATE draft_inputs SET digest = 'x'",
        "DELETE FROM draft_inputs",
        "UPDATE drafts SET head = 'arpad-list/1'",
        "UPDATE drafts SET version = '0'",
    ],
)
def test_an_altered_draft_is_stored_anew_by_the_next(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    with drafted.office.store.writing() as connection:
        connection.execute(text(statement))
    seen = draft(drafted.office, STANDARD, FEB)
    no_loading(monkeypatch)
    assert publish(drafted.office, STANDARD, FEB).digest == seen.result.digest


def test_a_large_office_drafts_with_a_thread_and_a_small_one_without_it(
    drafted: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = preview_draft(drafted.office, STANDARD, FEB)
    monkeypatch.setattr(
        sys.modules["arpad.office.drafts.acts"], "thread_if", lambda *, much: ThreadPoolExecutor(1)
    )
    large = draft(drafted.office, STANDARD, FEB)
    assert (large.result.text, large.files.contents, large.packed) == (
        small.result.text, small.files.contents, small.packed,
    )  # fmt: skip
    assert verify(drafted.office).intact


def test_there_is_one_draft_of_a_list(drafted: Desk) -> None:
    draft(drafted.office, STANDARD, date(2018, 1, 15), special=True)
    draft(drafted.office, STANDARD, FEB)
    assert count(drafted, "drafts") == 1


def test_a_draft_needs_nobody_to_stop_writing(drafted: Desk) -> None:
    """While somebody writes, the draft is computed and not stored."""
    change_player(drafted.office, 1, since=JAN, set_={"name": "Other, Name"}, reason="wedding")
    with (
        closing(open_office(drafted.place, author="A", now=drafted.clock)) as other,
        other.store.writing() as connection,
    ):
        connection.execute(text("UPDATE drafts SET version = version"))
        assert draft(drafted.office, STANDARD, FEB).result.listed == 2


@pytest.mark.parametrize(
    ("on_list", "day"),
    [("rapid", date(2025, 2, 1)), ("italiana", date(2025, 6, 30))],
    ids=["chess", "draughts"],
)
def test_a_list_of_the_demo_is_adopted_with_the_same_files(
    on_list: str, day: date, demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo_folder, tmp_path / "demo")
    database = str(tmp_path / "demo" / "office.db")
    with closing(open_office(database, author="A", now=Clock(day - timedelta(days=2)))) as office:
        seen = draft(office, ListName(on_list), day)
        with monkeypatch.context() as refusing:
            no_loading(refusing)
            published = publish(office, ListName(on_list), day, tmp_path / "adopted", kinds=("csv",))
        emit(office, published, tmp_path / "loaded", ("csv",))
    assert (published.digest, published.inputs_digest) == (seen.result.digest, seen.inputs_digest)
    assert files_of(tmp_path / "adopted") == files_of(tmp_path / "loaded")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "act",
    [
        lambda office: erase_player(office, 1, confirm=1, reason="asked"),
        lambda office: merge(office, 1, 2, reason="the same player", confirmed=True).merge,
    ],
    ids=["erased", "merged"],
)
def test_the_draft_names_the_states_as_they_are_published(
    desk: Desk, act: Callable[[Office], object], tmp_path: Path
) -> None:
    """The digest of the states is that of the list before, unless an erasure or a merge changed them."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    act(desk.office)
    desk.on(FEB)
    seen = draft(desk.office, STANDARD, FEB)
    published = publish(desk.office, STANDARD, FEB, tmp_path, kinds=(), inputs=seen.inputs_digest)
    assert published.inputs_digest == seen.inputs_digest
    assert verify_bundle(tmp_path / f"{published.name}.bundle.zip").intact
    assert verify(desk.office).intact
