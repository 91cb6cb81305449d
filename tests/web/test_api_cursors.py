"""Pages by cursor: they follow each other without gap or repetition, in JSON and in CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.builders.site_fixtures import Served

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
