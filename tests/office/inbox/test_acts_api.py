"""The inbox for officers' programs: reports accepted together; nobody else gets in."""

from dataclasses import replace

from tests.builders.site_fixtures import OPEN, Served
from tests.builders.users import issue_token


def test_an_officers_program_accepts_clean_reports(own: Served) -> None:
    client, office = own.client(), replace(own.office, author="tests")
    officer, bound = (
        {"authorization": f"Bearer {issue_token(office, login, 'club', ['submit', 'decide', 'register'])}"}
        for login in ("officer", "bound")
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
