"""The desk's decisions: an appeal against one, its outcome, and a decision that is revoked."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import httpx

from arpad.model.rules import ListName
from arpad.office.verbs import (
    decide,
    decisions_in_force,
    report_file,
    reports_on_file,
    revise,
    revoke,
    withdraw,
)
from tests.builders.site_fixtures import Served, proof


def send(client: httpx.Client, address: str, **texts: str) -> httpx.Response:
    return client.post(address, data={"csrf": proof(client, "/desk/decisions"), **texts})


def test_a_decision_is_appealed_against_settled_and_revoked(own: Served) -> None:
    assert own.office is not None
    officer = own.client("officer")
    report = next(it.id for it in reports_on_file(own.office) if it.status == "accepted")
    answer = send(officer, "/desk/decisions", kind="not-rated", report=str(report), reason="no arbiter")
    assert answer.status_code == 303, answer.text
    decision = decisions_in_force(own.office)[-1]
    assert (decision.kind, decision.report) == ("not-rated", report)

    against = f"/desk/decisions/{decision.id}"
    assert send(officer, f"{against}/appeal", by="", reason="it had one").status_code == 422
    assert send(officer, f"{against}/appeal", by="Bellariva", reason="it had one").status_code == 303
    appeal = decisions_in_force(own.office)[-1]
    assert "Bellariva" in officer.get("/desk/decisions").text
    settled = send(officer, f"/desk/decisions/{appeal.id}/settle", outcome="upheld", reason="a letter")
    assert settled.status_code == 303, settled.text
    assert decision.id not in {it.id for it in decisions_in_force(own.office)}


def test_a_revoked_decision_is_no_longer_in_force(own: Served) -> None:
    assert own.office is not None
    officer = own.client("officer")
    send(officer, "/desk/decisions", kind="official", report="1", reason="team event")
    number = decisions_in_force(own.office)[-1].id
    assert send(officer, f"/desk/decisions/{number}/revoke", reason="").status_code == 422
    assert send(officer, f"/desk/decisions/{number}/forget", reason="x").status_code == 422
    assert number in {it.id for it in decisions_in_force(own.office)}
    assert send(officer, f"/desk/decisions/{number}/revoke", reason="an error").status_code == 303
    assert number not in {it.id for it in decisions_in_force(own.office)}


def rated_report(own: Served) -> int:
    """The latest tournament that a chess list rates."""
    tournaments = own.client().get("/api/v1/tournaments").json()["tournaments"]
    return int(next(it["id"] for it in tournaments if it["rated_with"] and it["list"] == "standard"))


def test_a_tournament_that_is_not_rated_by_decision_says_so_and_shows_no_changes(
    own: Served, tmp_path: Path
) -> None:
    assert own.office is not None
    client, number = own.client(), rated_report(own)
    page, api = f"/tournaments/{number}", f"/api/v1/tournaments/{number}"
    assert "Published in the list" in client.get(page).text
    assert any(it["change"] for it in client.get(api).json()["players"])
    office = replace(own.office, author="officer")
    before = client.get(page).headers["etag"]

    decision = decide(office, "not-rated", report=number, reason="no arbiter")

    shown = client.get(page, headers={"if-none-match": before})
    assert (shown.status_code, "Not rated by decision of 15 January 2025" in shown.text) == (200, True)
    assert not any(it["change"] for it in client.get(api).json()["players"])
    revise(office, ListName.STANDARD, tmp_path, reason="no arbiter", kinds=("canonical",))
    shown_text = client.get(page).text
    assert "Not rated by decision of 15 January 2025" in shown_text
    assert "Published in the list" not in shown_text
    assert "It will be rated with the next list" not in shown_text
    assert client.get(api).json()["tournament"]["not_rated"] == "2025-01-15"
    assert client.get(api).json()["tournament"]["rated_with"] == []
    name = report_file(office, number)[0].name
    overview = client.get("/tournaments", params={"q": name}).text
    assert "not rated" in overview
    if f'href="{page}"' in client.get("/").text:
        assert re.search(rf'href="{page}".*?not rated', client.get("/").text, re.DOTALL)
    revoke(office, decision, reason="there was one")
    assert "Not rated by decision" not in client.get(page).text


def test_a_withdrawn_tournament_says_so(own: Served) -> None:
    assert own.office is not None
    client, number = own.client(), rated_report(own)
    withdraw(replace(own.office, author="officer"), number, "the games were never played")
    shown = client.get(f"/tournaments/{number}")
    assert shown.status_code == 200
    assert "This tournament was withdrawn on 15 January 2025" in shown.text
    assert "Won by" not in shown.text
    assert client.get(f"/tournaments/{number}/files/{number}.csv").status_code == 404
    assert f'href="/tournaments/{number}"' not in client.get("/tournaments").text
