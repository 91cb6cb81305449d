"""Files and the cache: what is sent again, and that no private value is part of an ETag or page that visitors see."""

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import update

from arpad import __version__
from arpad.model.canonical_json import dump, load
from arpad.model.json_values import from_finding
from arpad.model.people import Person
from arpad.model.rules import Finding, Severity
from arpad.office.office import Office, today
from arpad.office.players.history import player_history
from arpad.office.privacy.acts import hide_player
from arpad.office.rankings import files as list_making
from arpad.office.register import rows as register
from arpad.office.register.number_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.tables import ACCEPTED, reports
from arpad.publishing.files import list_files
from arpad.store import triggers as protect
from arpad.store.written_rows import end_collecting
from arpad.web import cache
from arpad.web.site_settings import SiteSettings
from tests.builders.chess import event as made_event
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.site_fixtures import Served, copied, serving
from tests.builders.verbs import all_settings, change_player, change_settings, revise
from tests.web.test_cache import both, two_workers

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
FOLDER = cache.cache_folder
"""The real function; servers of other tests have folders of their own."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", FOLDER)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache.cached_file(bytes, "the first makes the folder")
    (found,) = tmp_path.iterdir()
    for path in found.iterdir():
        path.unlink()
    return found


class Maker:
    """Makes files and records their names."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def ask(self, name: str, *more: str) -> bytes:
        def make() -> bytes:
            self.made.append(name)
            return name.encode() * 1000

        return cache.cached_file(make, name, *more)


def test_a_file_is_made_once_for_each_thing_it_depends_on(folder: Path) -> None:
    maker = Maker()
    for key in (("a",), ("b",), ("a",), ("a", "Federazione"), ("a", "Federazione")):
        assert maker.ask(*key) == key[0].encode() * 1000
    assert maker.made == ["a", "b", "a"]
    assert len(list(folder.iterdir())) == 3


def test_another_version_makes_its_own_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maker = Maker()
    maker.ask("a")
    monkeypatch.setattr(cache, "__version__", "99.0")
    maker.ask("a")
    assert maker.made == ["a", "a"]
    assert len(list(folder.iterdir())) == 2


def test_the_size_is_bounded_and_the_least_recently_used_file_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_FILE_BYTES", 4500)
    maker = Maker()
    for name in "abcd":
        maker.ask(name)
    for at, path in enumerate(sorted(folder.iterdir(), key=lambda path: path.read_bytes())):
        os.utime(path, (at, at))  # a clock that tells them apart: d is the latest
    maker.ask("a")
    maker.ask("e")  # b goes
    maker.ask("a")
    assert maker.made == [*"abcde"]
    maker.ask("b")
    assert maker.made == [*"abcdeb"]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 4500


def test_a_file_larger_than_a_quarter_of_the_cache_is_not_cached(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_FILE_BYTES", 3999)
    assert Maker().ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []


def test_nothing_is_cached_on_a_full_disk_or_in_a_folder_of_another_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as stream:
            stream.write(data[:10])
        raise OSError(28, "No space left on device")

    maker = Maker()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        assert maker.ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []

    folder.chmod(0o755)  # others may read it, so it is not the one we made
    assert maker.ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []
    assert maker.made == ["a", "a"]


def test_requests_wait_for_a_file_that_is_being_made(folder: Path) -> None:
    assert folder.is_dir()
    begun, go_on = Event(), Event()
    made: list[int] = []

    def slow() -> bytes:
        made.append(1)
        begun.set()
        assert go_on.wait(60)
        return b"slow"

    with ThreadPoolExecutor(12) as visitors:
        asked = [visitors.submit(cache.cached_file, slow, "slow") for _ in range(3)]
        assert begun.wait(60)
        others = [visitors.submit(Maker().ask, name) for name in "abcdefgh"]
        assert wait(others, 60, FIRST_COMPLETED).done, "hardly anybody waits for another file"
        go_on.set()
        assert [one.result(60) for one in asked] == [b"slow"] * 3
    assert len(made) == 1


def test_a_download_is_made_once_and_never_out_of_date(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    files: Any = list_files

    def recorded(*arguments: Any, **options: Any) -> Any:
        made.append(str(arguments[0].name))
        return files(*arguments, **options)

    monkeypatch.setattr(list_making, "list_files", recorded)
    desk = Desk.made(place, tmp_path, Clock())
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    desk.report(made_event("Open", WIN, date(2018, 1, 5)))
    desk.publish(FEBRUARY)
    first = "/lists/standard-2018-02-01-r1/files/standard-2018-02-01-r1.csv"
    with closing(desk.office), two_workers(desk) as workers:
        text = both(workers, first)
        assert (made, "2007" in text) == (["standard-2018-02-01-r1"], True)

        late = desk.report(made_event("Altra prova", WIN, date(2018, 1, 8)))
        revise(desk.office, STANDARD, add=[late], reason="a report was lost", kinds=())
        assert both(workers, first) == text, "what was published stays as it is"
        assert "2014" in both(workers, first.replace("-r1", "-r2"))
        assert made == ["standard-2018-02-01-r1", "standard-2018-02-01-r2"]

        hide_player(desk.office, 2, reason="asked for it")
        assert "Player 2" in text
        assert "Player 2" not in both(workers, first), (
            "a file made before the request is not given out after it"
        )
        assert made.pop() == "standard-2018-02-01-r1"

        change_settings(desk.office, set_={"name": "Altro nome"})
        both(workers, first)
        assert made[2:] == ["standard-2018-02-01-r1"], "a PDF names who publishes it"
        assert workers[0].get(first.replace(".csv", "-federation-XYZ.csv")).status_code == 404


DECEASED = Finding(
    Severity.WARNING,
    "player-deceased-before",
    player=1,
    facts={"name": "Somebody", "died": date(1899, 8, 7), "first": date(2024, 1, 1)},
)


def births(office: Office) -> dict[int, date]:
    """The players of whom the register knows the day of birth."""
    with office.store.reading() as connection:
        rows = connection.exec_driver_sql("SELECT id, born FROM players WHERE length(born) = 10").all()
        merged = merge_targets(connection)
    return {number: date.fromisoformat(day) for number, day in rows if number not in merged}


def days_of(year: int) -> Iterator[date]:
    first = date(year, 1, 1)
    return (first + timedelta(number) for number in range(366) if (first + timedelta(number)).year == year)


def guessed(office: Office, person: Person, etag: str) -> date | None:
    """The day of birth whose digest, with everything that is public, is the ETag of the player's page."""
    assert isinstance(person.born, date)
    with office.store.reading() as connection:
        past = player_history(connection, person.id)
        day, texts = today(office, connection), all_settings(office)
    settings = SiteSettings(
        texts["name"], language=texts["language"], languages=tuple(texts["languages"].split())
    )
    digests = [point.publication.digest for found in past.values() for point in found]
    shown = next(iter(past), None)
    for born in days_of(person.born.year):
        for affiliation in ("", "IBCA", "ICSC", "IPCA"):
            one = replace(person, born=born, affiliation=affiliation)
            told: tuple[object, ...] = (__version__, "en", settings, one, shown, 1, day, [], *digests)
            if f'"{sha256("|".join(map(str, told)).encode()).hexdigest()[:24]}"' == etag:
                return born
    return None


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.deep)])
def test_no_day_of_birth_is_recovered_from_an_etag(served: Served, step: int) -> None:
    """An attack recovered 36 of 36."""
    client = served.client()
    known = births(served.office)
    assert len(known) > 30
    with served.office.store.reading() as connection:
        people = register.load_people(connection, list(known))
    recovered = [
        number
        for number, person in list(people.items())[::step]
        if guessed(served.office, person, client.get(f"/players/{number}").headers["etag"]) is not None
    ]
    assert recovered == []


@pytest.mark.parametrize("value", ["born", "affiliation"])
def test_a_private_value_changes_no_etag(own: Served, value: str) -> None:
    """The register learns another day of the same year, or an affiliation: visitors see no difference at all."""
    number, born = next(iter(births(own.office).items()))
    client = own.client()
    addresses = [
        f"/players/{number}",
        f"/api/v1/players/{number}",
        f"/api/v1/players/{number}/history",
        f"/api/v1/search?q={number}",
        "/",
    ]
    before = {address: client.get(address) for address in addresses}

    other = date(born.year, 12 if born.month < 12 else 1, 9)
    facts = {"born": str(other)} if value == "born" else {"affiliation": "IBCA"}
    desk = replace(own.office, author="tests")
    change_player(desk, number, since=date(2020, 1, 1), reason="a certificate", set_=facts)

    for address, answer in before.items():
        again = client.get(address)
        assert again.headers.get("etag") == answer.headers.get("etag"), address
        assert again.text == answer.text, address


def test_a_bundle_with_births_is_not_cached(served: Served) -> None:
    address = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.bundle.zip"
    answer = served.client("officer").get(address)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
    for login in ("", "arbiter"):
        refused = served.client(login).get(address, headers={"if-none-match": "*"})
        assert refused.status_code in (401, 403)
        assert "no-store" in refused.headers["cache-control"]

    public = served.client().get(address.replace(".bundle.zip", ".public.zip"))
    assert public.status_code == 200
    assert public.headers["cache-control"].startswith("public")


def test_no_etag_reveals_who_is_hidden(demo_folder: Path, tmp_path: Path) -> None:
    """Two copies of an office, in each of which another player is hidden: no page of others has another tag."""
    tags: list[dict[str, str]] = []
    for hidden in (40, 41):
        (tmp_path / str(hidden)).mkdir()
        with serving(copied(demo_folder, tmp_path / str(hidden))) as running:
            hide_player(replace(running.office, author="tests"), hidden, reason="asked in writing")
            client = running.client()
            event = client.get("/api/v1/tournaments").json()["tournaments"][0]["id"]
            addresses = (
                "/", "/lists/standard", "/players/2", f"/tournaments/{event}", "/lists/standard?cut=all&page=2",
            )  # fmt: skip
            tags.append({address: client.get(address).headers["etag"] for address in addresses})
            tags[-1]["api"] = client.get("/api/v1/lists/standard?cut=women").headers["etag"]
    assert tags[0] == tags[1]


def test_no_page_of_a_tournament_reveals_a_death(own: Served) -> None:
    """The check of a report repeats the day of death from the register, for the office alone."""
    desk = replace(own.office, author="tests")
    with desk.store.reading() as connection:
        number = rows.latest(connection, ACCEPTED, 1)[0]
        findings = [*load(rows.filed(connection, [number])[number].findings), from_finding(DECEASED)]
    with desk.store.writing() as connection, protect.allow_changes(connection, ["reports"]):
        end_collecting(connection)
        values = {"findings": dump(findings)}
        connection.execute(update(reports).where(reports.c.id == number).values(**values))
    client = own.client()
    for address in (f"/tournaments/{number}", f"/api/v1/tournaments/{number}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "1899" not in answer.text, address
