"""Values that only acts change: the site keeps them until the next act, commands for one transaction."""

from collections.abc import Iterator

import pytest

from arpad.office.office import Office, init, open_office
from arpad.office.settings.acts import all_settings, change_settings
from arpad.store import bulk
from arpad.store.bulk import keep_between_transactions, kept


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("office") / "office.db")
    init(place, name="Federation", author="tests").close()
    return place


@pytest.fixture
def office(database: str) -> Iterator[Office]:
    office = open_office(database, author="tests")
    yield office
    office.close()


def reads(office: Office, times: int = 2) -> int:
    """Ask for a value in some transactions, twice in each; return how often it was read."""
    asked: list[str] = []

    def read() -> str:
        asked.append("")
        return "value"

    for _ in range(times):
        with office.store.reading() as connection:
            assert kept(connection, "key", read) == kept(connection, "key", read) == "value"
    return len(asked)


def test_a_command_reads_a_value_once_in_a_transaction(office: Office) -> None:
    assert reads(office) == 2


def test_the_site_reads_a_value_once_until_another_process_acts(office: Office, database: str) -> None:
    keep_between_transactions(office.store.engine)
    assert (reads(office), reads(office)) == (1, 0)
    other = open_office(database, author="another")
    change_settings(other, set_={"contact": "office@club.example"})
    other.close()
    assert all_settings(office)["contact"] == "office@club.example"
    assert reads(office) == 1


def test_a_writing_transaction_always_reads(office: Office) -> None:
    keep_between_transactions(office.store.engine)
    reads(office)
    with office.store.writing() as connection:
        assert kept(connection, "key", lambda: "own row") == "own row"


def test_many_values_are_forgotten(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "MOST_VALUES", 3)
    with office.store.reading() as connection:
        values = [kept(connection, number, object) for number in range(4)]
        assert kept(connection, 3, object) is values[3]
        assert kept(connection, 0, object) is not values[0]
