"""What one request may cost: games, time, memory, the size of the answer, and how often.

The files here are small and the limits smaller still, so that no test needs much memory or time.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.office.inbox import check_pages as check_page
from arpad.office.inbox import checked_reports, report_pages
from arpad.office.inbox import jobs as report_jobs
from arpad.office.inbox import report_api as reports
from arpad.office.rankings import files as list_files
from arpad.rating import wins_left_out
from arpad.reports.formats import write_report
from arpad.web import limited_process
from arpad.web.limited_process import Bounds, run_limited
from tests.builders.norm_reports import winners
from tests.builders.site_fixtures import OPEN, Served, copied, proof, serving
from tests.builders.users import issue_token
from tests.thinning import one_in
from tests.web import limited_jobs

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


FIVE = ("GM:2500:FRA:a", ":2501:ESP:b", "GM:2502:ITA:c", ":2503:FRA:d", "GM:2504:ESP:e")
NORM = "title=GM&federation=ITA&" + "&".join(f"game={number}:1:{FIVE[number % 5]}" for number in range(1, 20))
"""Nineteen wins against five opponents."""

LARGE = swiss(120, 60)
"""Some 3,600 games in 84 KiB: read by a process of its own."""


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> dict[str, Bounds]:
    """Limits that a test may set, by who may cost what."""
    limits = {"visitor": USUAL, "signed_in": USUAL, "file": replace(USUAL, seconds=120, memory=4096)}
    for module in (check_page, reports, report_pages, list_files):
        monkeypatch.setattr(module, "bounds", lambda who: limits[who])
    return limits


# --------------------------------------------------------------------------------------------- in a process apart


def test_a_limited_job_runs_in_another_process() -> None:
    assert run_limited("report", USUAL, limited_jobs.process_id) != os.getpid()


def test_a_limited_job_raises_its_error_here() -> None:
    with pytest.raises(BadInput) as caught:
        run_limited("report", USUAL, limited_jobs.refuses)
    assert caught.value.code == "file-empty"


@pytest.mark.parametrize(
    ("job", "limits"),
    [
        (limited_jobs.takes_memory, replace(USUAL, memory=512)),
        (limited_jobs.takes_time, replace(USUAL, seconds=1)),
        (limited_jobs.sleeps, limited_jobs.ImpatientBounds(games=1, seconds=20, memory=768, answer=16)),
        (limited_jobs.breaks, USUAL),
    ],
)
def test_a_job_that_costs_too_much_is_refused(job: object, limits: Bounds) -> None:
    with pytest.raises(BadInput) as caught:
        run_limited("report", limits, job)  # type: ignore[arg-type]  # each takes the bounds and nothing else
    assert caught.value.code == "work-too-costly"
    for language in LANGUAGES:
        assert str(limits.memory) in load_words(language).error(caught.value)


def test_jobs_that_run_and_wait_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """One works, one waits; the next is refused at once."""
    monkeypatch.setattr(limited_process, "MOST_WAITING", 1)
    monkeypatch.setattr(limited_process, "reports_at_once", lambda: 1)
    limited_process._queues.cache_clear()
    begun, go_on = Event(), Event()

    def work() -> None:
        with limited_process._turn("report"):
            begun.set()
            assert go_on.wait(60)

    try:
        with ThreadPoolExecutor(2) as visitors:
            first = visitors.submit(work)
            assert begun.wait(60)
            second = visitors.submit(work)
            while limited_process._queues("report")[1]._value:  # the second waits
                time.sleep(0.01)
            with pytest.raises(BadInput) as caught, limited_process._turn("report"):
                pass
            assert caught.value.code == "server-busy"
            go_on.set()
            first.result(60)
            second.result(60)
    finally:
        limited_process._queues.cache_clear()


# ------------------------------------------------------------------------------------------------------ on the site


@pytest.mark.parametrize(
    "address",
    one_in(5, ["/check", "/api/v1/check", "/api/v1/rate", "/api/v1/rate?format=csv", "/api/v1/norms"], 2),
)
@pytest.mark.parametrize(
    ("limits", "status", "code"),
    [
        (replace(USUAL, games=3000), 413, "too-many-games"),
        (replace(USUAL, memory=16), 422, "work-too-costly"),
    ],
)
def test_a_visitor_who_asks_for_too_much_is_refused(
    bare: Served, bounded: dict[str, Bounds], address: str, limits: Bounds, status: int, code: str
) -> None:
    bounded["visitor"] = limits
    for language in LANGUAGES if address in {"/check", "/api/v1/check"} else ("en",):
        client = bare.client(language=language)
        if address == "/check":
            form = {"csrf": proof(client, "/check")}
            answer = client.post(address, data=form, files={"file": ("a.trf", LARGE)})
            assert answer.headers["content-type"].startswith("text/html")
        else:
            answer = client.post(address, content=LARGE)
            assert answer.json()["code"] == code
        assert answer.status_code == status
        assert "Arpad on your own computer" in answer.text
        assert len(answer.content) < 20_000


def test_an_answer_that_would_be_too_large_is_refused(
    bare: Served, bounded: dict[str, Bounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here no answer may have a byte."""
    bounded["visitor"] = replace(USUAL, answer=0)
    answer = bare.client().post("/api/v1/rate", content=OPEN)
    assert (answer.status_code, answer.json()["code"]) == (413, "answer-too-large")


def test_a_large_report_comes_in_pages(
    bare: Served, bounded: dict[str, Bounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has 10,000 rounds of players, here 100: sixteen players with six rounds each, then the others."""
    assert limited_process.MOST_CELLS_ANSWERED == 10_000
    monkeypatch.setattr(report_jobs, "MOST_CELLS_ANSWERED", 100)
    client, data = bare.client(), swiss(25, 6)
    first = client.post("/api/v1/rate", content=data).json()
    second = client.post(f"/api/v1/rate?after={first['next']}", content=data).json()
    last = client.post("/api/v1/rate?after=99", content=data).json()
    assert [player["number"] for player in first["players"]] == list(range(1, 17))
    assert [player["number"] for player in second["players"]] == list(range(17, 26))
    assert (first["more"], second["more"], last["more"]) == (True, False, False)
    assert last["players"] == []
    assert first["findings"]
    assert second["findings"] == []


@pytest.mark.deep
def test_a_page_shows_a_large_report_in_part(bare: Served, bounded: dict[str, Bounds]) -> None:
    """A page shows 6,000 rounds of players: a hundred players of sixty rounds."""
    client = bare.client(language="it")
    form = {"csrf": proof(client, "/check"), "name": "mine.trf"}
    answer = client.post("/check", data=form, files={"file": ("mine.trf", LARGE)})
    assert answer.status_code == 200
    assert "arpad rate mine.trf" in answer.text
    assert 'id="p60"' in answer.text
    assert len(answer.content) < 4 * 1024 * 1024
    message = load_words("it").text("site.preview-of-first", players=100, all=120, name="mine.trf")
    assert message.split("`", maxsplit=1)[0] in answer.text


@pytest.mark.deep
def test_a_large_report_is_rated_like_a_small_one(bare: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client = bare.client()
    here = client.post("/api/v1/rate", content=OPEN)
    monkeypatch.setattr(checked_reports, "SMALL", 0)
    there = client.post("/api/v1/rate", content=OPEN)
    assert here.json() == there.json()


@pytest.mark.deep
def test_an_arbiter_has_higher_limits(
    own: Served, bounded: dict[str, Bounds], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limited process takes an arbiter's report that a visitor may not send; the arbiter has a limit too."""
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    headers = {"authorization": f"Bearer {token}"}
    bounded["visitor"] = replace(USUAL, games=100)
    small = swiss(30, 11)
    refused = own.client().post("/api/v1/check", content=small)
    assert refused.status_code == 413

    monkeypatch.setattr(checked_reports, "SMALL", 0)
    sent = own.client().post("/api/v1/reports", content=small, headers=headers)
    assert sent.status_code == 201, sent.text
    assert sent.json()["received"] == "2025-01-15", "the day of the office's own clock"
    checked = own.client("arbiter")
    form = {"csrf": proof(checked, "/check")}
    assert checked.post("/check", data=form, files={"file": ("a.trf", small)}).status_code == 200

    bounded["signed_in"] = replace(USUAL, games=100)
    other = own.client().post("/api/v1/reports", content=swiss(30, 12), headers=headers)
    assert (other.status_code, other.json()["code"]) == (413, "too-many-games")


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
            client.get(f"/api/v1/calc/norm?{NORM}"),
            client.get(f"/calculators/norm?{NORM}"),
        ):
            assert again.status_code == 429
        assert client.get("/check").status_code == 200
        assert client.get("/calculators/norm").status_code == 200
        assert client.get("/calculators/expected?rating=1800&opponent=1900").status_code != 429
        assert client.get("/lists").status_code == 200


@pytest.mark.parametrize("path", [f"/api/v1/calc/norm?{NORM}", f"/calculators/norm?{NORM}"])
def test_a_long_search_for_a_norm_runs_in_another_process(
    bare: Served, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nineteen games against opponents met twice (741 letters) took twelve seconds of a thread."""
    client, limited = bare.client(), []

    def note(*arguments: object, **options: object) -> object:
        limited.append(arguments[2])
        return run_limited(*arguments, **options)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(report_jobs, "run_limited", note)
    begun = time.monotonic()
    quick = client.get(path)
    assert time.monotonic() - begun < 10
    assert (quick.status_code, limited) == (200, [])
    monkeypatch.setattr(wins_left_out, "QUICK_STEPS", 0)
    assert client.get(path).text == quick.text
    assert limited == [report_jobs._answer_norm]


def test_norms_of_a_small_report_that_take_long_are_searched_in_another_process(
    bare: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, limited = bare.client(), []

    def note(*arguments: object, **options: object) -> object:
        limited.append(arguments[2])
        return run_limited(*arguments, **options)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(report_jobs, "run_limited", note)
    report = write_report(winners(6, 13, titled=True), "trf16")[0]
    quick = client.post("/api/v1/norms?title=GM", content=report)
    assert (quick.status_code, limited) == (200, [])
    monkeypatch.setattr(wins_left_out, "QUICK_STEPS", 0)
    assert client.post("/api/v1/norms?title=GM", content=report).json() == quick.json()
    assert limited == [report_jobs.norms_document]


def test_a_limit_that_is_no_number_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARPAD_VISITOR_GAMES", "many")
    with (
        patch.object(limited_process, "bounds", limited_process.bounds.__wrapped__),
        pytest.raises(ArpadError) as caught,
    ):
        limited_process.check_environment()
    assert "ARPAD_VISITOR_GAMES" in load_words("en").error(caught.value)
    monkeypatch.setenv("ARPAD_VISITOR_GAMES", "12")
    assert limited_process.bounds.__wrapped__("visitor").games == 12


# -------------------------------------------------------------------------------------------------------- the files


def test_a_pdf_is_made_by_another_process_and_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six ask at the same moment: one process makes it, and this one never loads the typesetter."""
    file = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.en.pdf"
    kinds: list[str] = []

    def note_kind(kind: str, *arguments: object) -> bytes:
        kinds.append(kind)
        data: bytes = run_limited(kind, *arguments)  # type: ignore[arg-type]  # as they came
        return data

    monkeypatch.setattr(list_files, "run_limited", note_kind)
    with ThreadPoolExecutor(6) as visitors:
        answers = list(visitors.map(lambda _: served.client().get(file), range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.content[:5] for answer in answers} == {b"%PDF-"}
    assert len({answer.content for answer in answers}) == 1
    assert kinds == ["file"]


@pytest.mark.deep
def test_a_file_that_takes_too_much_memory_is_refused(own: Served, bounded: dict[str, Bounds]) -> None:
    bounded["file"] = replace(USUAL, memory=100)
    answer = own.client().get("/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.it.pdf")
    assert answer.status_code == 422


def test_a_name_that_no_file_has_is_not_found(served: Served) -> None:
    name = "standard-2024-08-01-r2"
    for file in (f"{name}.xx.pdf", f"{name}-federation-XYZ.csv", f"{name}.exe", f"{name}.xx.public.zip"):
        assert served.client().get(f"/lists/{name}/files/{file}").status_code == 404
