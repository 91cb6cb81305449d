"""The API for programs: pages by cursor, a generated client, the check of a report, undecided lists."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from arpad.checks.proposals import correct_file
from arpad.reports.formats import read_report
from tests.builders.site_fixtures import Served
from tests.builders.users import issue_token
from tests.builders.workbooks import workbook
from tests.office.inbox.test_pages import BULLET, NO_CONTROL
from tests.paths import EXAMPLES, ROOT
from tests.rating.test_event_slips import self_paired

MOST = 1000
"""No sequence of the demo has as many pages."""


def pages_of(client: httpx.Client, address: str, **query: str) -> Iterator[dict[str, Any]]:
    """Yield all pages of an address."""
    for _ in range(MOST):
        page = client.get(address, params=query).json()
        yield page
        if not page["more"]:
            return
        query["after"] = page["next"]
    pytest.fail(f"{address} has no end")


ALL_ITALIANS = {"cut": "all", "federation": "ITA", "size": "30"}
"""Pages of 30 do not end where the pages of the site do."""


def test_pages_of_a_list_do_not_overlap(served: Served) -> None:
    client = served.client()
    pages = list(pages_of(client, "/api/v1/lists/standard", **ALL_ITALIANS))
    players = [row["id"] for page in pages for row in page["rows"]]
    assert len(pages) > 1
    assert len(set(players)) == len(players) == pages[0]["total"]
    ratings = [row["rating"] for row in pages[0]["rows"]]
    assert ratings == sorted(ratings, reverse=True)
    beyond = client.get("/api/v1/lists/standard", params={**ALL_ITALIANS, "after": pages[-1]["next"]})
    assert (beyond.json()["rows"], beyond.json()["more"]) == ([], False)


def test_the_pages_of_a_walk_are_of_one_list(served: Served) -> None:
    """A cursor of an earlier list goes on with that list, also if the address names the list in force."""
    client = served.client()
    earlier, *_ = client.get("/api/v1/lists", params={"list": "standard"}).json()["lists"]
    first = client.get(f"/api/v1/lists/{earlier['name']}").json()
    second = client.get("/api/v1/lists/standard", params={"after": first["next"]}).json()
    assert second["list"]["name"] == earlier["name"]
    other = client.get("/api/v1/lists/rapid", params={"after": first["next"]})
    assert (other.status_code, other.json()["code"]) == (400, "bad-cursor")


def test_a_csv_page_names_the_next_one_in_its_header(served: Served) -> None:
    client, address = served.client(), "/api/v1/lists/standard"
    answer, lines = client.get(address, params=ALL_ITALIANS | {"format": "csv"}), 0
    assert "link" in answer.headers
    while "link" in answer.headers:
        lines += len(answer.text.splitlines()) - 1
        answer = client.get(address + answer.links["next"]["url"])
        assert answer.status_code == 200
    lines += len(answer.text.splitlines()) - 1
    assert lines == client.get("/api/v1/lists/standard", params=ALL_ITALIANS).json()["total"]


def test_tournaments_and_lists_come_in_pages_too(served: Served) -> None:
    client = served.client()
    addresses = {"/api/v1/tournaments": "tournaments", "/api/v1/lists": "lists"}
    whole = {address: client.get(address).json()[key] for address, key in addresses.items()}
    for address, key in addresses.items():
        pages = list(pages_of(client, address, size="7"))
        items = [item for page in pages for item in page[key]]
        assert len(pages) > 1
        assert len({str(item) for item in items}) == len(items)
        assert items[: len(whole[address])] == whole[address]
        end = client.get(address, params={"after": pages[-1]["next"]}).json()
        assert (end[key], end["more"]) == ([], False)
    unknown = client.get("/api/v1/lists", params={"after": "999999"})
    assert (unknown.status_code, unknown.json()["code"]) == (400, "bad-cursor")


TOOLS = ROOT / ".venv" / "tools" / "bin"
WALK = Path(__file__).with_name("client_walk.py")


@pytest.mark.deep
def test_a_generated_client_walks_through_the_api(own: Served, tmp_path: Path) -> None:
    maker = TOOLS / "openapi-python-client"
    if not maker.exists():
        pytest.skip("the tools are not installed: tools/setup tools")
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    document = tmp_path / "openapi.json"
    document.write_text(own.client().get("/api/openapi.json").text, encoding="utf-8")
    target = tmp_path / "arpad_client"
    kinds = tmp_path / "kinds.yml"  # the program knows files only by this name
    kinds.write_text(
        "content_type_overrides:\n  application/pdf: application/octet-stream\n", encoding="utf-8"
    )
    subprocess.run(
        [
            maker,
            "generate",
            "--path",
            document,
            "--meta",
            "none",
            "--output-path",
            target,
            "--config",
            kinds,
            "--fail-on-warning",
        ],
        check=True,
        env=environment,
    )
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    walked = subprocess.run(
        [TOOLS / "python", WALK, own.address, token, EXAMPLES / "open.trf"],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert walked.returncode == 0, walked.stderr


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


def errors(document: Any) -> set[str]:
    return {finding["code"] for finding in document["findings"] if finding["severity"] == "error"}


def test_a_check_says_that_the_list_is_undecided(bare: Served) -> None:
    client = bare.client()
    assert errors(client.post("/api/v1/check", content=NO_CONTROL).json()) == {"list-undecided"}
    stated = client.post("/api/v1/check", params={"facts": 'list = "rapid"'}, content=NO_CONTROL).json()
    assert errors(stated) == set()
    online = errors(client.post("/api/v1/rate", content=BULLET).json())
    assert online >= {"list-undecided", "online-event", "nicknames", "declared-list-differs"}
