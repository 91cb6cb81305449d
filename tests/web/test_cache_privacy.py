"""No private value is part of an ETag or page that visitors see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

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
from arpad.office.register import rows as register
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.tables import ACCEPTED, reports
from arpad.office.verbs import all_settings, change_player
from arpad.store import triggers as protect
from arpad.store.written_rows import end_notes
from arpad.web.site_settings import SiteSettings
from tests.builders.site_fixtures import Served, copied, serving

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
    assert served.office is not None
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
    assert own.office is not None
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
            assert running.office is not None
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
    assert own.office is not None
    desk = replace(own.office, author="tests")
    with desk.store.reading() as connection:
        number = rows.latest(connection, ACCEPTED, 1)[0]
        findings = [*load(rows.filed(connection, [number])[number].findings), from_finding(DECEASED)]
    with desk.store.writing() as connection, protect.allow_changes(connection, ["reports"]):
        end_notes(connection)
        values = {"findings": dump(findings)}
        connection.execute(update(reports).where(reports.c.id == number).values(**values))
    client = own.client()
    for address in (f"/tournaments/{number}", f"/api/v1/tournaments/{number}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "1899" not in answer.text, address
