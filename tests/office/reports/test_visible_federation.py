"""An officer who is bound to a federation reads at the desk and with a token only what is of that federation."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import httpx
import pytest

from arpad.office.arbiters.acts import register_arbiter
from arpad.office.fees.acts import set_fee_table
from arpad.office.office import Office
from arpad.office.privacy.acts import hide_player
from arpad.office.registrations.acts import register_event
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.norms import enter_norm
from tests.builders.offices import WIN, trf
from tests.builders.site_fixtures import Served, proof, serving_copy
from tests.builders.users import issue_token
from tests.builders.verbs import accept, decide_entrants, declare_distinct, register_player, submit
from tests.web.every_route import routes
from tests.web.test_reader import CLOSED, filled

FOREIGN, OWN = "Zita", "Odile"
"""Words in everything of ITA, of which a bound officer of FRA must read nothing, and of FRA."""

FOR_ALL = {
    "/desk/lists", "/desk/draft", "/desk/import", "/desk/corrections", "/desk/draughts",
}  # fmt: skip
"""Pages about all federations: they answer a bound officer with 403."""

SHOWN_TO_ALL = {
    "/desk/ledger", "/desk/events", "/desk/arbiters", "/desk/decisions", "/desk/titles", "/desk/players?q=Zita",
    "/desk/duplicates", "/desk/choices/player?q={player}", "/desk/choices/report?q={report}", "/desk/players/{player}",
    "/desk/reports/{report}", "/desk/titles?player={player}", "/desk/fees?year=2025", "/desk/aliases",
    "/api/v1/arbiters", "/api/v1/deadlines", "/api/v1/duplicates", "/api/v1/aliases", "/api/v1/fees",
    "/api/v1/players/{player}/norms",
}  # fmt: skip
"""Addresses on which an officer of all federations reads about ITA; so the walk below looks for something."""


def _furnish(office: Office, federation: str, word: str) -> dict[str, int]:
    """Enter something of every kind about a federation; return the numbers of the player and the report."""
    why = f"because of {word}"
    player = register_player(office, f"Rossi, {word}", federation=federation, reason=why).id
    other = register_player(office, f"Rossi, {word} M.", federation=federation, born=date(1990, 2, 3)).id
    third = register_player(office, f"Bianchi, {word} K.", federation=federation, born=date(1990, 2, 3)).id
    register_player(office, f"Bianchi, {word} K.", federation=federation, born=date(1990, 2, 3))
    declare_distinct(office, player, other, reason=why)
    report = event(f"Open {word}", WIN, date(2025, 1, 10))
    entrants = tuple(
        replace(entrant, name=f"{name}, {word}", federation=federation, id="")
        for entrant, name in zip(report.entrants, ("Verdi", "Neri"), strict=True)
    )
    header = replace(report.header, federation=federation)
    filed = submit(office, trf(replace(report, entrants=entrants, header=header)), f"{word}.trf").report
    decide_entrants(office, filed, {1: third}, reason=why)
    accept(office, filed, overrule=["match-with-unrated"], reason=why)
    decide(office, "not-rated", reason=why, report=filed)
    hide_player(office, player, reason=why)
    enter_norm(office, player, event=f"Cup {word}", reason=why)
    register_arbiter(office, f"Gialli, {word}", federation=federation, since=date(2024, 1, 1), reason=why)
    register_event(
        office, f"Spring {word}", federation=federation, first_day=date(2025, 3, 1), last_day=date(2025, 3, 2),
        reason=why,
    )  # fmt: skip
    return {"player": player, "report": filed}


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demo office with data of ITA and of FRA."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("own")) as served:
        office = replace(served.office, author="made")
        set_fee_table(office, 'currency = "EUR"\n[[fee]]\nname = "Fee"\nper = "player"\namount = "1.00"\n')
        foreign, own = _furnish(office, "ITA", FOREIGN), _furnish(office, "FRA", OWN)
        served.made = {"ITA": foreign, "FRA": own}  # type: ignore[attr-defined]  # only here
        yield served


def _clients(site: Served, login: str) -> tuple[httpx.Client, httpx.Client]:
    """Return a browser and a program of an officer."""
    scopes = ["submit", "running", "decide", "register", "lists"]
    token = issue_token(replace(site.office, author="made"), login, "walk", scopes)
    program = site.client()
    program.headers["authorization"] = f"Bearer {token}"
    return site.client(login), program


def _addresses(site: Served, federation: str) -> Iterator[tuple[str, str]]:
    """Return every closed route that is read, filled with numbers of a federation, and more addresses."""
    made = site.made[federation]  # type: ignore[attr-defined]  # of the fixture
    for method, path in routes():
        admitted = CLOSED.get(f"{method} {path}")
        if method != "GET" or admitted is None or ("o" not in admitted and not path.startswith("/api/")):
            continue
        number = made["report"] if re.search("reports", path) else made["player"]
        yield path, filled(path.replace("{number:int}", str(number)))
    for path in SHOWN_TO_ALL:
        yield path, path.format(**made)


def test_a_bound_officer_reads_nothing_of_another_federation(site: Served) -> None:
    browser, program = _clients(site, "bound")
    answers = {}
    for path, address in _addresses(site, "ITA"):
        client = program if address.startswith("/api/") else browser
        answer = client.get(address)
        answers[path] = answer.status_code
        shown = re.sub('q=Zita|“Zita”|value="Zita"', "", answer.text)  # what was typed
        assert FOREIGN not in shown, (address, answer.status_code)
        assert answer.status_code < 500, address
    assert {path for path, status in answers.items() if status == 403} >= FOR_ALL
    assert answers["/desk/players/{player}"] == answers["/desk/reports/{report}"] == 403
    for path in ("/desk/ledger", "/desk/events", "/desk/arbiters", "/desk/decisions", "/api/v1/deadlines"):
        assert answers[path] == 200


def test_an_officer_of_all_reads_it_there(site: Served) -> None:
    browser, program = _clients(site, "officer")
    for path in SHOWN_TO_ALL:
        address = path.format(**site.made["ITA"])  # type: ignore[attr-defined]  # of the fixture
        client = program if address.startswith("/api/") else browser
        assert FOREIGN in client.get(address).text, address


def test_a_bound_officer_reads_what_is_of_the_own_federation(site: Served) -> None:
    browser, program = _clients(site, "bound")
    for path in SHOWN_TO_ALL - {"/desk/players?q=Zita"}:
        address = path.format(**site.made["FRA"])  # type: ignore[attr-defined]  # of the fixture
        client = program if address.startswith("/api/") else browser
        answer = client.get(address)
        assert (answer.status_code, OWN in answer.text) == (200, True), address
    assert OWN in browser.get("/desk/players", params={"q": OWN}).text


def test_the_ledger_of_a_bound_officer_goes_back_step_by_step(site: Served) -> None:
    browser, _ = _clients(site, "bound")
    page = browser.get("/desk/ledger").text
    assert "because of Odile" in page
    assert "limited" not in page
    assert "/desk/verify" not in page
    assert "Odile" not in browser.get("/desk/ledger?before=2").text
    assert browser.get("/desk/ledger?before=x").status_code == 200


def test_files_and_acts_of_all_federations_are_refused(site: Served) -> None:
    browser, _ = _clients(site, "bound")
    form = {"csrf": proof(browser, "/desk/arbiters")}
    assert browser.post("/desk/verify", data=form).status_code == 403
    name = re.search(r"/lists/(standard-[^/\"]+)\"", browser.get("/lists").text)
    assert name is not None
    bundle = f"/lists/{name[1]}/files/{name[1]}.bundle.zip"
    assert browser.get(bundle).status_code == 403
    assert site.client("officer").get(bundle).status_code == 200
