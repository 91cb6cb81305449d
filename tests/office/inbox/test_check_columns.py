"""Reports checked in columns are prepared as if each entrant had been looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from runpy import run_path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from arpad.office.inbox import prepare_reports
from arpad.office.inbox.check_columns import check_columns
from arpad.office.inbox.matched_entrants import check_entrants
from arpad.office.inbox.player_lookup import ReportToCheck
from arpad.office.inbox.prepare_reports import (
    BatchOptions,
    Outcome,
    PreparedReport,
    ReportFile,
    prepare_files,
)
from arpad.office.register.number_rows import adopt_numbers, kept_numbers, load_numbers
from arpad.office.register.rows import load_people
from arpad.office.register.table_rows import add_register_parts
from arpad.office.reports.entrant_rows import NEW
from arpad.office.verbs import change_player, import_list, merge, remove_identifier, report_death
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.trf_tables import read_tables
from tests.builders.changed_reports import changed_files, made_files
from tests.builders.offices import STANDARD, Clock, Desk
from tests.paths import BENCHMARKS
from tests.thinning import examples

NOW = date(2025, 6, 28)


@pytest.fixture(scope="module", params=["by query", "in columns"])
def desk(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Desk:
    """An office that knows the rated players of the made world; their numbers are looked up by query or in columns."""
    folder = tmp_path_factory.mktemp("office")
    world = run_path(str(BENCHMARKS / "world.py"), run_name="world")
    lines = [line for line in world["register_lines"](world["world"](300, 1)) if line[114:118].strip()]
    (folder / "register.txt").write_bytes((world["HEADING"] + "".join(lines)).encode())
    desk = Desk.made(str(folder / "office.db"), folder, Clock(date(2025, 6, 1)))
    import_list(desk.office, folder / "register.txt", STANDARD, date(2025, 6, 1))
    desk.on(NOW)
    if request.param == "in columns":
        with desk.office.store.unlogged_writing() as connection:
            add_register_parts(connection, enough=1)
        with desk.office.store.reading() as connection:
            adopt_numbers(connection.engine, load_numbers(connection))
            assert kept_numbers(connection) is not None
    return desk


def prepared(desk: Desk, files: Sequence[bytes], few: int = 0) -> list[Outcome]:
    """Prepare files for submission, in columns if there are more than a few."""
    reports = [ReportFile(f"{index}.trf", f"{index}.trf", data) for index, data in enumerate(files)]
    with desk.office.store.reading() as connection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(prepare_reports, "FEW_REPORTS", few)
        return prepare_files(connection, reports, BatchOptions(NOW)).outcomes


def by_entrants(desk: Desk, files: Sequence[bytes]) -> list[Outcome]:
    """Prepare files without tables."""
    return prepared(desk, files, few=len(files))


def told(outcomes: Sequence[Outcome]) -> list[Any]:
    return [outcome if isinstance(outcome, PreparedReport) else repr(outcome) for outcome in outcomes]


def test_the_reports_of_a_month_are_prepared_alike(desk: Desk) -> None:
    outcomes = prepared(desk, made_files())
    assert told(outcomes) == told(by_entrants(desk, made_files()))
    assert any(isinstance(it, PreparedReport) and it.newcomers for it in outcomes)
    assert any(isinstance(it, PreparedReport) and None not in it.players[:5] for it in outcomes)


def test_nearly_all_reports_are_checked_in_columns(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    by_entrant: list[int] = []

    def noted(connection: Connection, reports: Mapping[int, ReportToCheck], matches: Any) -> Any:
        by_entrant.extend(reports)
        return check_entrants(connection, reports, matches)

    monkeypatch.setattr(prepare_reports, "check_entrants", noted)
    assert len(prepared(desk, made_files())) == len(made_files())
    assert len(by_entrant) < len(made_files()) // 4


@settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files=st.lists(changed_files(), min_size=1, max_size=3))
def test_whatever_is_changed_reports_are_prepared_alike(desk: Desk, files: list[bytes]) -> None:
    assert told(prepared(desk, files)) == told(by_entrants(desk, files))


@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_reports_with_decisions_about_entrants_are_checked_alike(desk: Desk, data: st.DataObject) -> None:
    several = data.draw(st.lists(changed_files() | st.sampled_from(made_files()), min_size=1, max_size=3))
    reports = {
        key: ReportToCheck(report, EventFacts(received=NOW))
        for key, report in enumerate(read_tables(several))
        if report is not None
    }
    matches = {
        key: data.draw(
            st.dictionaries(st.integers(1, item.report.size + 2), st.sampled_from((NEW, 1, 2, 3, 40, 41, 50)))
        )
        for key, item in reports.items()
    }
    with desk.office.store.reading() as connection:
        in_columns = check_columns(connection, reports, matches)
        assert in_columns == {
            key: checked
            for key, checked in check_entrants(connection, reports, matches).items()
            if key in in_columns
        }


def test_a_decision_does_not_prevent_columns(desk: Desk) -> None:
    reports = {
        key: ReportToCheck(report, EventFacts(received=NOW))
        for key, report in enumerate(read_tables(made_files()))
        if report is not None
    }
    matches = {key: {1: NEW, 2: key + 1} for key in reports}
    with desk.office.store.reading() as connection:
        in_columns = check_columns(connection, reports, matches)
        assert in_columns.items() <= check_entrants(connection, reports, matches).items()
    assert len(in_columns) > len(reports) // 2


def test_a_decision_about_a_start_number_that_a_report_does_not_have_is_ignored(desk: Desk) -> None:
    reports = {
        key: ReportToCheck(report, EventFacts(received=NOW))
        for key, report in enumerate(read_tables(made_files()))
        if report is not None
    }
    nobody = {key: {item.report.size + 1: 1} for key, item in reports.items()}
    with desk.office.store.reading() as connection:
        assert check_columns(connection, reports, nobody) == check_columns(connection, reports, {})


def test_what_changed_since_the_columns_were_loaded_counts(desk: Desk) -> None:
    before = prepared(desk, made_files())
    first, second = (it for it in before[:2] if isinstance(it, PreparedReport))
    renamed, without_number, dead = [player for player in first.players if player is not None][:3]
    kept, dropped = [player for player in second.players if player is not None][:2]
    change_player(desk.office, renamed, set_={"name": "Entirely, Different"}, since=NOW, reason="a test")
    with desk.office.store.reading() as connection:
        number = dict(load_people(connection, [without_number])[without_number].identifiers)["fide"]
    remove_identifier(desk.office, without_number, "fide", number, reason="a test")
    report_death(desk.office, dead, date(2020, 1, 1), reason="a test")
    merge(desk.office, kept, dropped, reason="a test", confirmed=True)
    after = prepared(desk, made_files())
    assert told(after) == told(by_entrants(desk, made_files()))
    assert told(after[:2]) != told(before[:2])
