"""One setting read from the file of an office, as the help of commands needs it."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from arpad.office.settings.acts import change_settings
from arpad.store.file_setting import file_setting
from arpad.store.settings import read_setting
from tests.builders.site_fixtures import copied


def test_a_setting_is_the_one_that_the_store_reads(demo_folder: Path, tmp_path: Path) -> None:
    office = replace(copied(demo_folder, tmp_path), author="tests")
    database = office.store.address
    with closing(office):
        for contact in ("rating@example.org", "lists@example.org"):
            with office.store.reading() as connection:
                assert file_setting(database, "contact") == read_setting(connection, "contact") != contact
            change_settings(office, set_={"contact": contact})
            assert file_setting(database, "contact") == contact
    assert file_setting(database, "no_such_setting") == ""


def test_what_is_no_office_in_a_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database")
    for place in (tmp_path / "text.db", tmp_path / "none.db", "postgresql://office"):
        assert file_setting(str(place), "contact") is None
    assert not (tmp_path / "none.db").exists()
