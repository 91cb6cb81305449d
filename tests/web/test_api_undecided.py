"""Unknown is not standard, in the API: an undecided list is an error until an officer states it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.builders.site_fixtures import Served
from tests.builders.users import issue_token
from tests.office.inbox.test_pages import BULLET, NO_CONTROL


def errors(document: Any) -> set[str]:
    return {finding["code"] for finding in document["findings"] if finding["severity"] == "error"}


def test_a_check_says_that_the_list_is_undecided(bare: Served) -> None:
    client = bare.client()
    assert errors(client.post("/api/v1/check", content=NO_CONTROL).json()) == {"list-undecided"}
    stated = client.post("/api/v1/check", params={"facts": 'list = "rapid"'}, content=NO_CONTROL).json()
    assert errors(stated) == set()
    online = errors(client.post("/api/v1/rate", content=BULLET).json())
    assert online >= {"list-undecided", "online-event", "nicknames", "declared-list-differs"}


def test_an_officer_states_the_list_of_a_report(own: Served) -> None:
    assert own.office is not None
    token = issue_token(replace(own.office, author="tests"), "officer", "tests", ["submit", "decide"])
    headers = {"authorization": f"Bearer {token}"}
    client = own.client()
    sent = client.post("/api/v1/reports", content=NO_CONTROL, headers=headers).json()
    assert (sent["list"], "list-undecided" in errors(sent)) == (None, True)
    waiting = client.get("/api/v1/inbox", headers=headers).json()["reports"]
    assert [it["list"] for it in waiting if it["report"] == sent["report"]] == [None]
    address = f"/api/v1/reports/{sent['report']}"
    assert "list-undecided" in errors(client.get(f"{address}/preview", headers=headers).json())
    refused = client.post("/api/v1/office/accept", json={"report": sent["report"]}, headers=headers).json()
    assert (refused["code"], "undecided" in refused["detail"]) == ("report-has-errors", True)
    numbers = {"reports": [sent["report"]]}
    several = client.post("/api/v1/office/inbox/accept", json=numbers, headers=headers).json()
    assert (several["accepted"], [it["report"] for it in several["left"]]) == ([], [sent["report"]])
    fact = {"kind": "fact", "report": sent["report"], "value": {"list": "rapid"}, "reason": "letter"}
    assert client.post("/api/v1/office/decide", json=fact, headers=headers).status_code == 200
    assert client.get(address, headers=headers).json()["list"] == "rapid"
    assert "list-undecided" not in errors(client.get(f"{address}/preview", headers=headers).json())
