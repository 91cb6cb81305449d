"""What one request may cost: games, time, memory, the size of the answer, and how often.

The files here are small and the bounds smaller still: nothing takes a machine's memory to show that it would not.
"""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest

from arpad.accounts import issue_token
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.web import (
    check_page as uploads,
)
from arpad.web import (
    cost_limits as bounds,
)
from arpad.web import (
    limited_process as apart,
)
from arpad.web import (
    list_files as list_making,
)
from arpad.web import (
    report_jobs as looking,
)
from arpad.web.api import reports
from arpad.web.cost_limits import Bounds
from arpad.web.limited_process import run_limited
from tests.web.conftest import OPEN, Served, copied, proof, serving

USUAL = Bounds(games=25_000, seconds=20, memory=768, answer=16)


def swiss(players: int, rounds: int) -> bytes:
    """A report of that size: in round ``r`` those meet whose numbers add up to ``r``, counted in circles."""
    lines = ["012 Open", "042 2018/01/05", "052 2018/01/14", "102 Conti", "122 90+30"]
    for number in range(1, players + 1):
        cells = ""
        for turn in range(rounds):
            other = (turn - number) % players or players
            colour = "w" if number < other else "b"
            cells += (
                f"  {other:4} {colour} {'1' if number < other else '0'}" if other != number else "  0000 - H"
            )
        person = (
            f"001 {number:4} m    {f'Player {number}':<33} {1500 + number % 500:4} ITA {900000 + number:11}"
        )
        lines.append(f"{person} 1990/05/17  0.0 {number:4}{cells}")
    return "".join(f"{line}\n" for line in lines).encode()


LARGE = swiss(120, 60)
"""Some 3,600 games in 84 KiB: read by a process of its own."""


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> dict[str, Bounds]:
    """Bounds that a test may set: who may cost what."""
    given = {"visitor": USUAL, "signed_in": USUAL, "file": replace(USUAL, seconds=120, memory=4096)}
    for module in (uploads, reports, list_making):
        monkeypatch.setattr(module, "bounds", lambda who: given[who])
    return given


# --------------------------------------------------------------------------------------------- in a process apart


def own_process(_bounds: Bounds) -> int:
    return os.getpid()


def takes_memory(_bounds: Bounds) -> int:
    return len(bytes(2 * 1024**3))


def takes_time(_bounds: Bounds) -> int:
    while True:
        pass


def sleeps(_bounds: Bounds) -> None:
    time.sleep(600)


def refuses(_bounds: Bounds) -> None:
    print("libraries may print")  # noqa: T201  what this is about
    raise BadInput("file-empty")


def breaks(_bounds: Bounds) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_work_apart_is_done_by_another_process() -> None:
    assert run_limited("report", USUAL, own_process) != os.getpid()


def test_work_apart_refuses_as_it_would_here() -> None:
    with pytest.raises(BadInput) as caught:
        run_limited("report", USUAL, refuses)
    assert caught.value.code == "file-empty"


@pytest.mark.parametrize(
    ("job", "limits"),
    [
        (takes_memory, replace(USUAL, memory=512)),
        (takes_time, replace(USUAL, seconds=2)),
        (sleeps, replace(USUAL, seconds=1)),
        (breaks, USUAL),
    ],
)
def test_work_that_costs_too_much_ends_in_one_sentence(
    job: object, limits: Bounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput) as caught:
        run_limited("report", limits, job)  # type: ignore[arg-type]  # each takes the bounds and nothing else
    assert caught.value.code == "work-too-costly"
    for language in LANGUAGES:
        assert str(limits.memory) in load_words(language).error(caught.value)


def test_only_so_many_work_and_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One works, one waits; whoever comes then is told to come again, at once."""
    monkeypatch.setattr(apart, "MOST_WAITING", 1)
    monkeypatch.setattr(apart, "reports_at_once", lambda: 1)
    apart._queues.cache_clear()
    begun, go_on = Event(), Event()

    def work() -> None:
        with apart._turn("report"):
            begun.set()
            assert go_on.wait(60)

    try:
        with ThreadPoolExecutor(2) as visitors:
            first = visitors.submit(work)
            assert begun.wait(60)
            second = visitors.submit(work)
            while apart._queues("report")[1]._value:  # the second waits
                time.sleep(0.01)
            with pytest.raises(BadInput) as caught, apart._turn("report"):
                pass
            assert caught.value.code == "server-busy"
            go_on.set()
            first.result(60)
            second.result(60)
    finally:
        apart._queues.cache_clear()


# ------------------------------------------------------------------------------------------------------ on the site


@pytest.mark.parametrize("address", ["/check", "/api/v1/check", "/api/v1/rate", "/api/v1/rate.csv"])
@pytest.mark.parametrize(
    ("limits", "status", "code"),
    [
        (replace(USUAL, games=3000), 413, "too-many-games"),
        (replace(USUAL, memory=16), 422, "work-too-costly"),
    ],
)
def test_a_visitor_who_asks_for_too_much_gets_a_sentence(
    bare: Served, bounded: dict[str, Bounds], address: str, limits: Bounds, status: int, code: str
) -> None:
    bounded["visitor"] = limits
    for language in LANGUAGES:
        client = bare.client(language=language)
        if address == "/check":
            form = {"csrf": proof(client, "/check")}
            answer = client.post(address, data=form, files={"file": ("a.trf", LARGE)})
            assert answer.headers["content-type"].startswith("text/html")
        else:
            answer = client.post(address, content=LARGE)
            assert answer.json()["error"]["code"] == code
        assert answer.status_code == status
        assert "arpad rate FILE" in answer.text
        assert len(answer.content) < 20_000


def test_an_answer_that_would_be_too_large_is_refused(
    bare: Served, bounded: dict[str, Bounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here no answer may have a byte."""
    bounded["visitor"] = replace(USUAL, answer=0)
    answer = bare.client().post("/api/v1/rate", content=OPEN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "answer-too-large")


def test_a_large_report_comes_in_pages(bare: Served, bounded: dict[str, Bounds]) -> None:
    """A page holds 10,000 rounds of players: 166 players with 60 rounds each, then the others."""
    client, data = bare.client(), swiss(250, 60)
    first, second, last = (
        client.post(f"/api/v1/rate?page={number}", content=data).json() for number in (1, 2, 99)
    )
    assert [player["number"] for player in first["players"]] == list(range(1, 167))
    assert [player["number"] for player in second["players"]] == list(range(167, 251))
    assert (first["page"], first["pages"], second["page"]) == (1, 2, 2)
    assert last == second
    assert first["findings"]
    assert second["findings"] == []


def test_a_page_shows_a_large_report_in_part(bare: Served, bounded: dict[str, Bounds]) -> None:
    """A page shows 6,000 rounds of players: a hundred players of sixty rounds."""
    for language in LANGUAGES:
        client = bare.client(language=language)
        form = {"csrf": proof(client, "/check"), "name": "mine.trf"}
        answer = client.post("/check", data=form, files={"file": ("mine.trf", LARGE)})
        assert answer.status_code == 200
        assert "arpad rate mine.trf" in answer.text
        assert 'id="p60"' in answer.text
        assert len(answer.content) < 4 * 1024 * 1024
        told = load_words(language).text("site.preview-of-first", players=100, all=120, name="mine.trf")
        assert told.split("`", maxsplit=1)[0] in answer.text


def test_a_large_report_is_looked_at_as_a_small_one_is(bare: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client = bare.client()
    here = client.post("/api/v1/rate", content=OPEN)
    monkeypatch.setattr(looking, "SMALL", 0)
    there = client.post("/api/v1/rate", content=OPEN)
    assert here.json() == there.json()


def test_an_arbiter_has_more_room_and_no_more_than_that(
    own: Served, bounded: dict[str, Bounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused to a visitor is filed by an arbiter, by a process of its own; beyond his bound nothing is."""
    assert own.office is not None
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    headers = {"authorization": f"Bearer {token}"}
    bounded["visitor"] = replace(USUAL, games=100)
    small = swiss(30, 11)
    refused = own.client().post("/api/v1/check", content=small)
    assert refused.status_code == 413

    monkeypatch.setattr(looking, "SMALL", 0)
    sent = own.client().post("/api/v1/submissions", content=small, headers=headers)
    assert sent.status_code == 201, sent.text
    assert sent.json()["received"] == "2025-01-15", "the day of the office's own clock"
    checked = own.client("arbiter")
    form = {"csrf": proof(checked, "/check")}
    assert checked.post("/check", data=form, files={"file": ("a.trf", small)}).status_code == 200

    bounded["signed_in"] = replace(USUAL, games=100)
    other = own.client().post("/api/v1/submissions", content=swiss(30, 12), headers=headers)
    assert (other.status_code, other.json()["error"]["code"]) == (413, "too-many-games")


def test_costly_addresses_are_counted(demo_folder: Path, tmp_path: Path) -> None:
    """Two a minute here: of reports on the page and by the API together, and of files; pages are not counted."""
    file = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.csv"
    with serving(copied(demo_folder, tmp_path), most_costly=2) as served:
        client = served.client()
        form = {"csrf": proof(client, "/check")}
        assert client.post("/check", data=form, files={"file": ("a.trf", OPEN)}).status_code == 200
        assert client.post("/api/v1/check", content=OPEN).status_code == 200
        for again in (
            client.post("/check", data=form, files={"file": ("a.trf", OPEN)}),
            client.post("/api/v1/rate", content=OPEN),
            client.get(file),
        ):
            assert again.status_code == 429
        assert client.get("/check").status_code == 200
        assert client.get("/lists").status_code == 200


def test_a_limit_that_is_no_number_is_said_before_anything_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARPAD_VISITOR_GAMES", "many")
    with patch.object(bounds, "bounds", bounds.bounds.__wrapped__), pytest.raises(ArpadError) as caught:
        bounds.check_environment()
    assert "ARPAD_VISITOR_GAMES" in load_words("en").error(caught.value)
    monkeypatch.setenv("ARPAD_VISITOR_GAMES", "12")
    assert bounds.bounds.__wrapped__("visitor").games == 12


# -------------------------------------------------------------------------------------------------------- the files


def test_a_pdf_is_made_by_another_process_and_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six ask at the same moment: one process makes it, and this one never loads the typesetter."""
    file = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.en.pdf"
    made: list[str] = []

    def noted(kind: str, *given: object) -> bytes:
        made.append(kind)
        found: bytes = run_limited(kind, *given)  # type: ignore[arg-type]  # as they came
        return found

    monkeypatch.setattr(list_making, "run_limited", noted)
    with ThreadPoolExecutor(6) as visitors:
        answers = list(visitors.map(lambda _: served.client().get(file), range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.content[:5] for answer in answers} == {b"%PDF-"}
    assert len({answer.content for answer in answers}) == 1
    assert made == ["file"]


def test_a_file_that_takes_too_much_memory_is_refused(own: Served, bounded: dict[str, Bounds]) -> None:
    bounded["file"] = replace(USUAL, memory=100)
    answer = own.client().get("/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.it.pdf")
    assert answer.status_code == 422


def test_a_name_that_no_file_has_is_not_found(served: Served) -> None:
    name = "standard-2024-08-01-r2"
    for file in (f"{name}.xx.pdf", f"{name}-federation-XYZ.csv", f"{name}.exe", f"{name}.xx.public.zip"):
        assert served.client().get(f"/lists/{name}/files/{file}").status_code == 404
