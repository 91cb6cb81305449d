"""Names are stored in one form, through whichever door they come; matching and the bytes of files stay."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.model.declared import Upload
from arpad.model.names import spelled, stored_column, stored_form
from arpad.office.fide.reference import add_reference, find_in_reference
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed, report_file, trf
from tests.builders.reference import row, write_reference
from tests.builders.verbs import (
    accept,
    change_player,
    find_players,
    import_list,
    import_register,
    register_player,
    verify,
)

RAW, STORED = "Griffiths,Ryan-Rhys", "Griffiths, Ryan-Rhys"
FOUR = "1 0 | 2w1 3b1\n2 0 | 1b0 4w1\n3 0 | 4b1 1w0\n4 0 | 3w0 2b0"
JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        (RAW, STORED),
        (STORED, STORED),
        ("Griffiths , Ryan-Rhys", STORED),
        ("  Griffiths,\tRyan-Rhys ", STORED),
        ("Baburin, Alexander,", "Baburin, Alexander"),
        ("De  La Cruz,Juan,Jr.", "De La Cruz, Juan, Jr."),
        ("O'Connor", "O'Connor"),
        ("Jose\N{COMBINING ACUTE ACCENT}", "José"),
        (",", ""),
    ],
)
def test_the_form_of_a_name(name: str, stored: str) -> None:
    assert stored_form(name) == stored
    assert stored_column(pl.Series("name", [name, "Other, Name"])).to_list() == [stored, "Other, Name"]


@given(st.text(max_size=30))
def test_the_form_is_stable_the_same_in_columns_and_spelled_alike(name: str) -> None:
    stored = stored_form(name)
    assert stored_form(stored) == stored
    assert stored_column(pl.Series("name", [name])).to_list() == [stored]
    if name.isascii():
        assert spelled(stored) == spelled(name)


def names(desk: Desk) -> set[str]:
    return {person.name for person in find_players(desk.office, "Griffiths")}


def test_a_newcomer_of_a_report_is_stored_in_the_form_and_found_again(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.on(date(2018, 1, 12))
    report = event("Open", FOUR, date(2018, 1, 10))
    raw = replace(report, entrants=(replace(report.entrants[0], name=RAW), *report.entrants[1:]))
    sent = desk.send(raw)
    accept(desk.office, sent.report)
    assert names(desk) == {STORED}
    assert report_file(desk.office, sent.report)[1] == trf(raw), "the bytes are as they came"

    later = desk.send(replace(raw, header=replace(raw.header, name="Later", first_day=date(2018, 1, 11))))

    assert later.doubts == ()
    assert verify(desk.office).intact


def test_lists_officers_and_register_files_use_the_same_form(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000, name=RAW), listed(2, 1900))
    assert names(desk) == {STORED}
    acts = register_player(desk.office, "Griffiths ,Ann").id
    assert names(desk) == {STORED, "Griffiths, Ann"}
    change_player(desk.office, acts, since=JAN, reason="marriage", set_={"name": "Griffiths,Anna"})
    assert names(desk) == {STORED, "Griffiths, Anna"}
    path = desk.folder / "register.csv"
    path.write_text('name,federation,born\nGriffiths,WLS,1990\n"Griffiths,Bob",WLS,1991\n', encoding="utf-8")
    import_register(desk.office, Upload.of(path), date_=JAN)
    assert names(desk) == {STORED, "Griffiths, Anna", "Griffiths", "Griffiths, Bob"}
    assert import_register(desk.office, Upload.of(path), date_=JAN).changed == 0


def test_an_import_of_the_same_names_changes_nobody(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000, name=RAW))
    path = desk.folder / "feb.txt"
    path.write_bytes((desk.folder / f"{STANDARD}-{JAN}.txt").read_bytes())
    desk.on(FEB)
    assert import_list(desk.office, path, STANDARD, FEB).changed == 0


def test_a_reference_list_is_stored_in_the_form(sqlite_desk: Desk, tmp_path: Path) -> None:
    add_reference(sqlite_desk.office, write_reference(tmp_path, "feb.txt", row(9001, RAW, "WLS", "M")), FEB)
    (found,) = find_in_reference(sqlite_desk.office, "Griffiths")
    assert found.name == STORED
