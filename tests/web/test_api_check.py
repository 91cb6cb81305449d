"""The check of a report in the API: proposed corrections as data, and the corrected file."""

from __future__ import annotations

from arpad.checks.proposals import correct_file
from arpad.reports.formats import read_report
from tests.builders.site_fixtures import Served
from tests.checks.test_proposals_formats import workbook
from tests.rating.test_event_slips import self_paired


def test_a_check_proposes_corrections_and_the_corrected_file_comes_on_request(served: Served) -> None:
    client = served.client()
    document = client.post("/api/v1/check", params={"name": "open.xlsx"}, content=workbook()).json()
    keys = {proposal["key"]: proposal["edits"] for proposal in document["proposals"]}
    one = client.post("/api/v1/check/corrected", params={"apply": "count-of-players-6-2"}, content=workbook())
    every = client.post("/api/v1/check/corrected", content=workbook())
    unknown = client.post("/api/v1/check/corrected", params={"apply": "no-such"}, content=workbook())

    assert keys["count-of-players-6-2"] == [
        {"line": 6, "column": 2, "cell": "Event!B6", "old": "7", "new": "5"}
    ]
    assert {"cell": "Crosstable!J6"}.items() <= keys["points-not-the-sum-6-10"][0].items()
    assert read_report(one.content).header.players == 5
    assert every.content == correct_file(workbook(), "open.xlsx").data
    assert (unknown.status_code, unknown.json()["code"]) == (400, "correction-unknown")


def test_a_player_who_is_their_own_opponent_is_a_finding(served: Served) -> None:
    client = served.client()
    for address in ("check", "rate"):
        response = client.post(f"/api/v1/{address}", params={"name": "slip.trf"}, content=self_paired())
        assert response.status_code == 200
        found = [(finding["code"], finding["player"]) for finding in response.json()["findings"]]
        assert ("paired-with-himself", 7) in found
