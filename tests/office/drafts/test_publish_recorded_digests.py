"""Lists that were published once keep their digests: on every database, and with any number of processes."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from arpad.demo.build import build
from arpad.office.office import open_office
from tests.builders.office_fixtures import new_database
from tests.builders.recorded_digests import digests, publish_made_month, recorded


def test_the_record_holds_every_list_of_the_demo() -> None:
    names = [name for name in recorded()["demo"] if name.endswith(" published")]

    assert len(names) == 82


def test_the_lists_of_the_demo_have_the_recorded_digests(demo_folder: Path, tmp_path: Path) -> None:
    database = shutil.copy(demo_folder / "office.db", tmp_path)
    with closing(open_office(str(database))) as office:
        assert digests(office) == recorded()["demo"]


@pytest.mark.deep
def test_the_lists_of_the_demo_have_the_recorded_digests_on_postgresql(
    tmp_path: Path, postgres_server: str
) -> None:
    database = new_database(postgres_server)
    build(tmp_path / "demo", database=database)
    with closing(open_office(database)) as office:
        assert digests(office) == recorded()["demo"]


@pytest.mark.deep
@pytest.mark.parametrize("processes", [1, 3])
def test_the_made_month_has_the_recorded_digests(place: str, tmp_path: Path, processes: int) -> None:
    lists, files = publish_made_month(place, tmp_path, processes)

    assert lists == recorded()["made_month"]
    assert files == recorded()["made_month_files"]
