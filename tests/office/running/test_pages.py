"""The pages, the desk and the API of tournaments in progress."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from arpad.office.office import Office
from arpad.office.privacy.acts import hide_player, show_player
from arpad.office.reports import rows as reports
from arpad.office.running.acts import may_replace
from arpad.office.running.rows import RunningTournament
from arpad.office.users import Grant, Role, User
from arpad.reports.formats import read_report, write_report
from arpad.reports.report import Report
from arpad.reports.standings import pairings
from tests.builders.site_fixtures import Served, compact, proof, serving_copy
from tests.builders.users import issue_token
from tests.builders.verbs import change_settings

ADDRESS = "/api/v1/running/open-2026"


def after(whole: Report, rounds: int, *, paired: bool = False) -> bytes:
    """Return a tournament after some rounds, with the pairings of the next one if asked."""
    columns = list(whole.rounds[:rounds])
    if paired:
        columns.append(replace(whole.rounds[rounds], results=" " * len(whole.entrants)))
    return write_report(replace(whole, rounds=tuple(columns)), "trf16")[0]


@pytest.fixture(scope="module")
def whole(site: Served) -> Report:
    """A tournament of the demo that is played once more in January, without unrated players."""
    with office_of(site).store.reading() as connection:
        swiss = [
            filed
            for filed in reports.filed(connection).values()
            if filed.list == "standard" and filed.rounds > 4
        ]
        played = read_report(reports.data(connection, swiss[-1].id), swiss[-1].file)
    header = replace(
        played.header,
        name="Winter Open",
        first_day=date(2025, 1, 10),
        last_day=date(2025, 1, 14),
        days_to_come=(),
    )
    return replace(played, header=header, rounds=tuple(replace(cells, day=None) for cells in played.rounds))


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An office to which the arbiter sends a tournament."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("running")) as running:
        yield running


@pytest.fixture(scope="module")
def program(site: Served) -> httpx.Client:
    """A pairing program with a token of the arbiter."""
    client = site.client()
    client.headers["authorization"] = f"Bearer {token(site, 'arbiter', 'running')}"
    return client


def token(site: Served, login: str, *scopes: str) -> str:
    return issue_token(replace(office_of(site), author="tests"), login, "pairing", scopes)


def office_of(site: Served) -> Office:
    return site.office


def test_a_program_sends_each_round_and_visitors_see_it(
    site: Served, program: httpx.Client, whole: Report
) -> None:
    first = program.post(ADDRESS, content=after(whole, 1, paired=True))
    assert first.status_code == 200, first.text
    assert (first.json()["tournament"]["version"], first.json()["again"]) == (1, False)
    visitor = site.client()
    page = visitor.get("/running/open-2026")
    assert page.status_code == 200
    assert "Not official." in page.text
    assert "After round 1" in page.text
    assert page.headers["cache-control"] == "public, max-age=10"
    same = visitor.get("/running/open-2026", headers={"if-none-match": page.headers["etag"]})
    assert same.status_code == 304
    assert "/running/open-2026" in visitor.get("/running").text
    assert 'href="/running/open-2026"' in visitor.get("/").text
    assert "Non ufficiale." in site.client(language="it").get("/running/open-2026").text
    before, _, _ = page.text.partition("<h2>Standings</h2>")
    boards = re.findall(r"<tr><td>.*?</td><td>.*?</td></tr>", before)
    assert ("Round 2: pairings" in before, len(boards)) == (True, len(pairings(whole, 2)))
    standings = visitor.get(ADDRESS).json()
    assert standings["official"] is False
    assert standings["next_round"] == 2
    assert all(row["next"]["win"] > row["next"]["loss"] for row in standings["standings"] if row["change"])
    assert program.post(ADDRESS, content=after(whole, 1, paired=True)).json()["again"] is True
    assert program.post(ADDRESS, content=after(whole, 3)).json()["tournament"]["version"] == 2
    newer = visitor.get("/running/open-2026", headers={"if-none-match": page.headers["etag"]})
    assert newer.status_code == 200
    assert "After round 3" in newer.text
    older = program.post(ADDRESS, content=after(whole, 2))
    assert (older.status_code, older.json()["code"]) == (409, "running-older")
    assert program.post(ADDRESS, params={"older": "true"}, content=after(whole, 2)).status_code == 200


def test_a_hidden_player_has_no_name_on_the_page(site: Served, program: httpx.Client, whole: Report) -> None:
    """Hiding takes effect at once, also for a version that arrived before."""
    office = replace(office_of(site), author="tests")
    program.post(ADDRESS, content=after(whole, 4, paired=True)).raise_for_status()
    row = next(row for row in site.client().get(ADDRESS).json()["standings"] if row["id"])
    assert row["name"] in site.client().get("/running/open-2026").text
    hide_player(office, row["id"], reason="asked")
    try:
        page = site.client().get("/running/open-2026").text
        assert row["name"] not in page
        assert row["name"] not in site.client().get(ADDRESS).text
        assert "name not shown" in page
    finally:
        show_player(office, row["id"], reason="asked again")


def test_others_may_not_continue_it(site: Served, program: httpx.Client, whole: Report) -> None:
    program.post(ADDRESS, content=after(whole, 4, paired=True)).raise_for_status()
    stranger = site.client()
    bound = token(site, "bound", "running")
    stranger.headers["authorization"] = f"Bearer {bound}"
    refused = stranger.post(ADDRESS, content=after(whole, 5))
    assert (refused.status_code, refused.json()["code"]) == (403, "running-not-yours")
    ended = stranger.post("/api/v1/office/running/end", json={"name": "open-2026"})
    assert (ended.status_code, ended.json()["code"]) == (403, "running-not-yours")
    without_scope = site.client()
    without_scope.headers["authorization"] = f"Bearer {token(site, 'arbiter', 'submit')}"
    assert without_scope.post(ADDRESS, content=after(whole, 5)).status_code == 403


def test_the_command_that_the_desk_shows_works(site: Served, whole: Report) -> None:
    """Read the curl command as a shell does, and send what it would send."""
    page = site.client("arbiter").get("/desk/running").text
    shown = unescape(page.partition("<pre>")[2].partition("</pre>")[0])
    program, flag, header, data, file, address = shlex.split(shown)
    assert (program, flag, data, file) == ("curl", "-H", "--data-binary", "@open.trf")
    name, _, value = header.replace("…", token(site, "arbiter", "running")).partition(": ")
    client = site.client()
    address = address.replace("open-2026", "sent-by-curl")  # other tests send later rounds of the first
    answer = client.post(address, content=after(whole, 1), headers={
        name: value, "content-type": "application/x-www-form-urlencoded",  # curl says so unless told otherwise
    })  # fmt: skip
    assert answer.status_code == 200, answer.text
    assert "Winter Open" in client.get(urlsplit(address).path.replace("/api/v1", "")).text


def test_the_desk_sends_and_ends_it(site: Served, whole: Report) -> None:
    desk = site.client("arbiter")
    form = {"csrf": proof(desk, "/desk/running"), "address": "club-night"}
    sent = desk.post("/desk/running", data=form, files={"file": ("open.trf", after(whole, 1))})
    assert sent.status_code == 303, sent.text
    page = compact(desk.get(sent.headers["location"]).text)
    assert "Version 1 is shown." in page
    assert "curl" in page
    wrong = desk.post(
        "/desk/running", data={**form, "address": "Club Night"}, files={"file": ("o.trf", after(whole, 1))}
    )
    assert wrong.status_code == 422
    assert "cannot be the name" in wrong.text
    assert (
        desk.post("/desk/acts/running/end", data={"csrf": form["csrf"], "name": "club-night"}).status_code
        == 303
    )
    assert "no longer kept up to date" in desk.get("/running/club-night").text
    assert "/running/club-night" not in desk.get("/running").text


def test_the_office_can_close_the_pages(site: Served, program: httpx.Client, whole: Report) -> None:
    office = replace(office_of(site), author="tests")
    change_settings(office, set_={"running_tournaments": "hidden"})
    try:
        for address in ("/running", "/running/open-2026", ADDRESS):
            assert site.client().get(address).status_code == 404
        assert program.post(ADDRESS, content=after(whole, 5)).status_code == 404
    finally:
        change_settings(office, set_={"running_tournaments": "shown"})


@pytest.mark.parametrize(
    ("user", "allowed"),
    [
        (User(1, "anna", "Anna", (Grant(Role.ARBITER),)), True),
        (User(2, "bea", "Beatrice Bianchi", (Grant(Role.ARBITER),)), True),
        (User(3, "carl", "Bianchi", (Grant(Role.ARBITER),)), False),
        (User(4, "dora", "Dora Verdi", (Grant(Role.OFFICER),)), True),
        (User(5, "eva", "Eva Neri", (Grant(Role.OFFICER, "FRA"),)), False),
    ],
)
def test_sender_arbiters_and_officers_may_continue_it(user: User, *, allowed: bool) -> None:
    tournament = RunningTournament(
        "open", "Open", "ITA", "standard", "2018-01-01", "2018-01-02", "anna", "IA Rossi, Mario\nFA Bianchi, Beatrice",
        1, 1, 4, "", "", "", None, "", b"", b"", "",
    )  # fmt: skip
    assert may_replace(user)(tournament) is allowed
