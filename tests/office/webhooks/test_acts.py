"""The changes for programs: in order, with a cursor and an ETag; a token adds the reports of its user."""

from dataclasses import replace

from tests.builders.site_fixtures import OPEN, Served
from tests.builders.users import issue_token

ADDRESS = "/api/v1/changes"


def test_everybody_may_ask_for_the_public_changes(served: Served) -> None:
    client = served.client()
    first = client.get(ADDRESS)
    document = first.json()
    kinds = {change["kind"] for change in document["changes"]}
    assert {"list-published", "report-accepted", "report-rated"} <= kinds
    assert not kinds & {"report-received", "report-returned"}
    assert document["next"] == document["changes"][-1]["id"]
    for change in document["changes"][:3]:
        assert client.get(change["address"]).status_code == 200
    known = {"if-none-match": first.headers["etag"]}
    assert client.get(ADDRESS, headers=known).status_code == 304
    nothing = {"changes": [], "next": document["next"], "more": False}
    assert client.get(ADDRESS, params={"after": document["next"]}).json() == nothing
    refused = client.get(ADDRESS, params={"after": "x"})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-cursor")


def test_a_token_adds_the_reports_that_its_user_sent(own: Served) -> None:
    client, office = own.client(), replace(own.office, author="tests")
    known = {"after": client.get(ADDRESS).json()["next"]}
    submit, decide = (
        {"authorization": f"Bearer {issue_token(office, 'arbiter', 'club', [scope])}"}
        for scope in ("submit", "decide")
    )
    sent = client.post("/api/v1/reports", content=OPEN, headers=submit).json()["report"]
    mine = client.get(ADDRESS, params=known, headers=submit)
    assert [(c["kind"], c["tournament"]) for c in mine.json()["changes"]] == [("report-received", sent)]
    assert mine.headers["cache-control"] == "private, no-store"
    assert client.get(ADDRESS, params=known).json()["changes"] == []
    assert client.get(ADDRESS, headers=decide).status_code == 403
    assert client.get(ADDRESS, headers={"authorization": "Bearer x"}).status_code == 401
