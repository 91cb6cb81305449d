"""The inbox and the desk for officers' programs: reports accepted together; nobody else gets in."""

from dataclasses import replace
from datetime import date

from arpad.office.arbiters.acts import register_arbiter
from arpad.office.registrations.acts import register_event
from tests.builders.site_fixtures import OPEN, Served
from tests.builders.users import issue_token

DESK = ("inbox", "inbox/clean", "arbiters", "deadlines", "references", "pairing-players.csv")


def test_an_officers_program_accepts_clean_reports_and_reads_the_desk(own: Served) -> None:
    client, office = own.client(), replace(own.office, author="tests")
    officer, bound, arbiter = (
        {"authorization": f"Bearer {issue_token(office, login, 'club', ['submit', 'decide', 'register'])}"}
        for login in ("officer", "bound", "arbiter")
    )
    report = client.post("/api/v1/reports?name=open.trf", content=OPEN, headers=officer).json()["report"]
    waiting = client.get("/api/v1/inbox", headers=officer).json()
    assert (waiting["reports"][0]["report"], waiting["reports"][0]["sender"]) == (report, "officer")
    assert (
        client.get("/api/v1/inbox", params={"after": waiting["next"]}, headers=officer).json()["reports"]
        == []
    )
    clean = [item["report"] for item in client.get("/api/v1/inbox/clean", headers=officer).json()["reports"]]
    results = client.post("/api/v1/office/inbox/accept", json={"reports": [report]}, headers=officer).json()
    assert (report in results["accepted"]) == (report in clean)
    assert [item["report"] for item in results["left"]] == [report] * (report not in clean)
    assert all(item["code"] and item["detail"] for item in results["left"])
    refused = client.post("/api/v1/office/inbox/accept", json={"reports": [report]}, headers=bound)
    assert (refused.status_code, refused.json()["code"]) == (403, "bound-officer")

    register_arbiter(office, "Neri, Anna", federation="ITA", since=date(2024, 1, 1))
    register_event(office, "Open", federation="ITA", first_day=date(2025, 1, 10), last_day=date(2025, 1, 12))
    (entered,) = client.get("/api/v1/arbiters", headers=officer).json()["arbiters"]
    assert (entered["name"], entered["licences"]) == ("Neri, Anna", [{"from": "2024-01-01", "until": None}])
    events = client.get("/api/v1/deadlines", headers=officer).json()["events"]
    (event,) = (item for item in events if item["name"] == "Open")
    assert event["deadlines"]
    assert all(item["article"] for item in event["deadlines"])
    assert client.get("/api/v1/references", headers=officer).json() == {"references": []}
    lines = client.get("/api/v1/pairing-players.csv", headers=officer).text.splitlines()
    assert len(lines) > 50
    for name in DESK:
        assert client.get(f"/api/v1/{name}", headers=arbiter).status_code == 403, name
        assert client.get(f"/api/v1/{name}").status_code == 401, name
