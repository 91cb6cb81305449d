"""A small office: no page leads to what is switched off, and what is off is not there."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from arpad.office.features import FEATURES, features_left_out
from arpad.office.settings.switches import switch_off
from tests.builders.site_fixtures import Served, serving_copy
from tests.builders.verbs import verify

LINK = re.compile(r'(?:href|action|src)="(/[^"#?]*)')
LEFT_ALONE = ("/static/", "/sign-out", "/regulations", "/glossary", "/logo")
"""Addresses that lead to no page of the office."""

PAGES_OF_A_KIND = 2 if os.environ.get("ARPAD_DEEP") else 1
"""So many pages that differ only in a number, a list or a day."""

ONE_OF_EACH = re.compile(
    r"\d+|-r\d+|standard|rapid|blitz|italiana|internazionale|it\b|en\b|fr\b|\d{4}-\d\d-\d\d"
)


@pytest.fixture(scope="module")
def small(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo as an office that needs a register, reports and lists, with the data of everything else."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("small")) as running:
        for name in features_left_out("small"):
            switch_off(
                replace(running.office, author="tests"), name, with_others=True, reason="a small federation"
            )
        yield running


def walk(client: httpx.Client, starts: tuple[str, ...]) -> dict[str, int]:
    """Follow every link of every kind of page; return the statuses by address."""
    statuses: dict[str, int] = {}
    kinds: dict[str, int] = {}
    waiting = list(starts)
    while waiting:
        address = waiting.pop(0)
        kind = ONE_OF_EACH.sub("*", address)
        if address in statuses or address.startswith(LEFT_ALONE) or kinds.get(kind, 0) >= PAGES_OF_A_KIND:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = client.get(address)
        statuses[address] = answer.status_code
        if answer.headers.get("content-type", "").startswith("text/html"):
            waiting += LINK.findall(answer.text)
    return statuses


@pytest.mark.parametrize(
    ("login", "starts"), [("", ("/",)), ("officer", ("/desk", "/")), ("administrator", ("/admin",))]
)
def test_no_link_leads_to_what_is_off(small: Served, login: str, starts: tuple[str, ...]) -> None:
    statuses = walk(small.client(login), starts)
    assert len(statuses) > (10 if login == "administrator" else 30)
    assert [address for address, status in statuses.items() if status in (404, 500)] == []


def test_the_document_of_the_api_has_no_route_of_what_is_off(small: Served) -> None:
    document = small.client().get("/api/openapi.json").json()
    tags = {
        tag for methods in document["paths"].values() for entry in methods.values() for tag in entry["tags"]
    }
    off = set(features_left_out("small"))
    assert tags & off == set()
    assert {tag["name"] for tag in document["tags"]} & off == set()
    assert {"register", "reports", "rankings"} <= tags


def test_a_switched_off_page_says_so(small: Served) -> None:
    pages = {"clubs": "/clubs", "live": "/live/standard", "running": "/running", "notices": "/feeds/en/lists"}
    for address in (page for feature, page in pages.items() if feature in FEATURES):
        answer = small.client().get(address)
        assert (answer.status_code, "switched off by the office" in answer.text) == (404, True), address


def test_what_is_off_is_verified(small: Served) -> None:
    assert verify(small.office).intact
