"""Titles at the desk and for programs: from an accepted report to the certificate, the record and the application."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from arpad.office.reports.entrant_rows import NEW
from arpad.office.verbs import accept, submit
from tests.builders.site_fixtures import Served, serving_copy
from tests.builders.users import issue_token
from tests.office.inbox.test_jobs_norms import TRF
from tests.web.test_forms import sent

NORM = {"title": "IM", "event": "Open", "first": "2024-03-01", "last": "2024-03-09", "games": "9"}


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demo office of its own."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("titles")) as served:
        yield served


@pytest.fixture(scope="module")
def report(site: Served) -> int:
    """An accepted report in which the first player made norms for GM and IM."""
    assert site.office is not None
    office = replace(site.office, author="officer")
    filed = submit(office, TRF.encode(), "norms.trf")
    codes = {finding.code for finding in filed.findings}
    new = {it.entrant.number: NEW for it in filed.doubts}
    accept(office, filed.report, matches=new, overrule=codes, reason="a made report")
    return filed.report


@pytest.fixture(scope="module")
def program(site: Served) -> httpx.Client:
    """A program of the officer with a token."""
    assert site.office is not None
    client = site.client()
    token = issue_token(replace(site.office, author="officer"), "officer", "titles", ["register"])
    client.headers["authorization"] = f"Bearer {token}"
    return client


def test_an_officer_certifies_records_and_applies(site: Served, report: int) -> None:
    client = site.client("officer")
    assert f'href="/desk/reports/{report}/norms"' in client.get(f"/desk/reports/{report}").text
    page = client.get(f"/desk/reports/{report}/norms").text
    assert "Put on record" in page
    assert 'value="1:GM"' in page
    for address, name in (
        (f"/desk/reports/{report}/it3.pdf?fact-official=Bianchi", f"it3-{report}.pdf"),
        (f"/desk/reports/{report}/it1.pdf?norm=1:GM", f"it1-{report}-1-gm.pdf"),
    ):
        paper = client.get(address)
        assert (paper.status_code, paper.content[:4]) == (200, b"%PDF")
        assert name in paper.headers["content-disposition"]
    assert client.get(f"/desk/reports/{report}/it1.pdf?norm=2:GM").status_code == 400
    assert sent(client, f"/desk/reports/{report}/norms", f"/desk/reports/{report}/norms").status_code == 303
    page = client.get(f"/desk/reports/{report}/norms").text
    assert ("on record" in page, "Put on record" in page) == (True, False)

    titles = client.get("/desk/titles").text
    assert f"/desk/reports/{report}/norms" in titles
    player = titles.partition("/desk/titles?player=")[2].partition('"')[0]
    checked = client.get(f"/desk/titles?player={player}").text
    assert "games of all norms" in checked
    paper = client.get(
        "/desk/titles/it2.pdf", params={"player": player, "title": "GM", "fact-official": "Bianchi"}
    )
    assert (paper.status_code, paper.content[:4]) == (200, b"%PDF")


def test_a_norm_is_entered_and_revoked_at_the_desk(site: Served) -> None:
    client = site.client("officer", "it")
    norm = {"player": "1", "title": "IM", "event": "Open di Torino", "first": "2024-03-01", "games": "9"}
    late = sent(client, "/desk/titles", "/desk/titles/norms", **norm, last="2024-02-01")
    assert (late.status_code, "Open di Torino" in late.text) == (422, True)
    assert sent(client, "/desk/titles", "/desk/titles/norms", **norm, last="2024-03-09").status_code == 303
    page = client.get("/desk/titles").text
    number = page.partition("/desk/titles/norms/")[2].partition("/")[0]
    address = f"/desk/titles/norms/{number}/revoke"
    assert sent(client, "/desk/titles", address).status_code == 422
    assert sent(client, "/desk/titles", address, reason="non valutato").status_code == 303


def test_a_program_reads_and_enters_what_the_desk_does(program: httpx.Client, report: int) -> None:
    norms = program.get(f"/api/v1/reports/{report}/norms").json()
    assert [(it["title"], it["norm"]) for it in norms["players"][0]["norms"]] == [("GM", True), ("IM", True)]
    paper = program.get(
        f"/api/v1/reports/{report}/it1/1/GM", params={"fact": "official=Bianchi, Anna"}
    ).json()
    assert (paper["official"], paper["edition"]) == ("Bianchi, Anna", "titles-2024")
    assert [name for name in paper["missing"] if paper[name]] == []
    (number,) = program.post("/api/v1/players/3/norms", params=NORM).json()["norms"]
    document = program.get("/api/v1/players/3/norms").json()
    assert [it["norm"] for it in document["norms"]] == [number]
    assert {it["requirement"] for it in document["titles"][0]["requirements"]} >= {"application-games"}
    assert program.post(f"/api/v1/norms/{number}/revoke", params={"reason": "no"}).json() == {"norm": number}
    refused = program.get(f"/api/v1/reports/{report}/it1/2/GM").json()
    assert (refused["status"], refused["code"]) == (400, "no-norm-made")
    assert program.get("/api/v1/fees").json()["code"] == "no-fee-table"
    assert program.get("/api/v1/reconciliation").status_code == 400


@pytest.mark.parametrize(
    ("address", "params", "status", "code"),
    [
        ("players/3/norms", NORM | {"title": "XX"}, 400, "value-unknown"),
        ("players/99999/norms", NORM, 404, "no-player"),
        ("norms/99999/revoke", {"reason": "again"}, 400, "no-norm"),
    ],
)
def test_a_wrong_entry_of_a_program_is_a_problem_document(
    program: httpx.Client, address: str, params: dict[str, str], status: int, code: str
) -> None:
    answer = program.post(f"/api/v1/{address}", params=params)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"].startswith("application/problem+json")
