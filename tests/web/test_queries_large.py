"""Pages of a large office: as much work for the database as in a small one, and never a page that is no longer true."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event

from arpad import accounts
from arpad import office as verbs
from arpad.office.office import Office, open_office
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.web import site_settings as settled
from arpad.web.http_cache import LONGEST_ADDRESS
from arpad.web.middleware import Message, Receive, Scope, Send
from arpad.web.page_cache import PageCache
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.offices import event as made_event
from tests.web.conftest import serving

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
DRAW = """
1 2000 | 2w=
2 1900 | 1b=
"""
FEW, MANY = 400, 4000
FIRST = ("Anna", "Bruno", "Carla", "Dario", "Elsa", "Furio", "Gaia", "Hugo")
FEDERATIONS = ("ITA", "FRA", "ESP", "GER")


def somebody(number: int) -> ListRow:
    """Player of a number; surnames come in fifties, ratings in sevens."""
    name = f"Cognome{_letters(number // 50)}, {FIRST[number % 8]}"
    return ListRow(
        900_000 + number, name, FEDERATIONS[number % 4], "F" if number % 3 == 0 else "M", born=1940 + number % 70,
        rating=1400 + number * 7919 % 1200 // 7 * 7, games=0, k=20,
    )  # fmt: skip


def _letters(number: int) -> str:
    return chr(97 + number // 26) + chr(97 + number % 26)


def filled(place: str, folder: Path, players: int) -> Desk:
    folder.mkdir(exist_ok=True)
    desk = Desk.made(place, folder, Clock())
    known = (listed(1, 2000), listed(2, 1900))
    desk.list(JANUARY, *known, *(somebody(number) for number in range(players)))
    desk.on(JANUARY)
    return desk


# ------------------------------------------------------------------------------------------------------- the work

PAGES = (
    "/",
    "/players?q=cognomeab",
    "/players?q=anna",
    "/players?q=gaia+cognomeab",
    "/players?q=kognomeab",
    "/players?q=zzz",
    "/players/77",
    "/lists",
    "/lists/standard",
    "/lists/standard?cut=all&page=2",
    "/lists/standard?cut=all&page=40",
    "/lists/standard?cut=women",
    "/lists/standard?federation=ita&page=4",
    "/tournaments",
    "/api/v1/search?q=cognomeac",
    "/api/v1/lists/standard?cut=juniors",
    "/api/v1/players/77",
)


class Work:
    """What SQLite has done for a page: its machine's instructions, by the hundred, and the questions put to it."""

    def __init__(self, office: Office) -> None:
        self.steps = self.questions = 0
        office.store.engine.dispose()
        event.listen(office.store.engine, "connect", self._watch)
        event.listen(office.store.engine, "before_cursor_execute", self._asked)

    def _watch(self, connection: object, _record: object) -> None:
        connection.set_progress_handler(self._step, 100)  # type: ignore[attr-defined]

    def _step(self) -> int:
        self.steps += 1
        return 0

    def _asked(self, *_: object) -> None:
        self.questions += 1


def work_for(desk: Desk) -> dict[str, tuple[int, int]]:
    """Instructions and questions for each page, asked a second time so that nothing is read for the first time."""
    work = Work(desk.office)
    found = {}
    with serving(replace(desk.office, author="")) as running:
        for address in PAGES:
            for language in ("it", "en"):  # a kept page of the other language is of no use
                before = work.steps, work.questions
                assert running.client(language=language).get(address).status_code == 200, address
                found[address] = work.steps - before[0], work.questions - before[1]
    return found


def test_a_page_costs_the_same_in_an_office_ten_times_as_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a slow machine would ask for the settings in between
    monkeypatch.setattr(settled, "KEPT_SECONDS", 3600.0)
    few = work_for(filled(str(tmp_path / "few.db"), tmp_path / "few", FEW))
    many = work_for(filled(str(tmp_path / "many.db"), tmp_path / "many", MANY))

    for address in PAGES:
        assert many[address][0] <= 2 * few[address][0] + 60, (address, few[address], many[address])
        assert many[address][1] <= few[address][1] + 2, (address, few[address], many[address])


# ----------------------------------------------------------------------------------------------- never out of date


@contextmanager
def two_workers(desk: Desk) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """The same office served twice, each with what it keeps by itself."""
    offices = [open_office(desk.place, now=desk.clock) for _ in range(2)]
    with serving(offices[0]) as one, serving(offices[1]) as two:
        yield one.client(), two.client()


def both(workers: tuple[httpx.Client, httpx.Client], address: str) -> str:
    """A page that both workers tell alike, twice."""
    found = {worker.get(address).text for worker in (*workers, *workers)}
    assert len(found) == 1, address
    return found.pop()


def test_no_worker_shows_a_page_that_another_has_made_untrue(place: str, tmp_path: Path) -> None:
    desk = filled(place, tmp_path / "lists", 120)
    with closing(desk.office), two_workers(desk) as workers:
        before = both(workers, "/lists/standard")
        tag = workers[0].get("/lists/standard").headers["etag"]
        assert workers[1].get("/lists/standard", headers={"if-none-match": tag}).status_code == 304
        player = both(workers, "/players/1")
        assert "Open di prova" not in both(workers, "/")
        assert '"/players/2"' in both(workers, "/lists/standard?cut=all")

        accounts.hide_player(desk.office, 2, "asked for it")
        assert '"/players/2"' not in both(workers, "/lists/standard?cut=all")
        assert workers[1].get("/lists/standard", headers={"if-none-match": tag}).status_code == 200
        assert both(workers, "/players/1") == player

        desk.report(made_event("Open di prova", DRAW, date(2018, 1, 5), date(2018, 1, 7)))
        assert "Open di prova" in both(workers, "/")
        assert "Open di prova" in both(workers, "/tournaments")

        desk.publish(FEBRUARY)
        desk.on(date(2018, 1, 31))
        assert "1 February 2018" not in both(workers, "/"), "not in force yet"
        desk.on(FEBRUARY)
        assert "1 February 2018" in both(workers, "/"), "the day has come, and nobody has acted"
        assert both(workers, "/lists/standard") != before

        first = both(workers, "/lists/standard-2018-02-01-r1")
        late = desk.report(made_event("Altra prova", DRAW, date(2018, 1, 8), date(2018, 1, 9)))
        verbs.revise(desk.office, STANDARD, add=[late], reason="a report was lost", kinds=())
        assert both(workers, "/lists/standard-2018-02-01-r1") != first, "it names the revision beside it"


# ------------------------------------------------------------------------------------------------- what is kept


class Pages:
    """An application that answers every address with a page of a thousand bytes, and counts them."""

    def __init__(self) -> None:
        self.made = 0
        self.told = "public, no-cache"

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self.made += 1
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"etag", b'"one"'),
            (b"cache-control", self.told.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * 1000})


def ask(kept: PageCache, path: str, query: str = "", method: str = "GET", **headers: str) -> int:
    """The status of an answer."""
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": pairs,
    }  # fmt: skip
    asyncio.run(kept(scope, receive, send))
    return int(sent[0]["status"])


@pytest.fixture
def desk(sqlite_place: str, tmp_path: Path) -> Iterator[Desk]:
    made = Desk.made(sqlite_place, tmp_path, Clock())
    yield made
    made.office.close()


def test_a_page_is_made_once_for_all_visitors_of_one_language(desk: Desk) -> None:
    pages = Pages()
    kept = PageCache(pages, desk.office, {})

    for accepted in ("en", "en-GB, fr;q=0.5", "fr, en;q=0.1"):
        assert ask(kept, "/", accept_language=accepted) == 200
    assert pages.made == 1
    ask(kept, "/", accept_language="it, en")
    ask(kept, "/", accept_language="en", cookie="arpad_lang=it")
    ask(kept, "/", "page=2", accept_language="en")
    assert pages.made == 4
    assert ask(kept, "/", accept_language="en", if_none_match='W/"one"') == 304
    assert ask(kept, "/", accept_language="en", if_none_match='"another"') == 200
    assert pages.made == 4


def test_nobody_gets_a_page_that_is_somebodys_own(desk: Desk) -> None:
    pages = Pages()
    kept = PageCache(pages, desk.office, {})
    ask(kept, "/")
    own: list[dict[str, str]] = [
        {"cookie": "arpad_session=x"}, {"cookie": "arpad_lang=it; arpad_form=x"}, {"authorization": "Bearer x"},
    ]  # fmt: skip
    for number, headers in enumerate(own, start=2):
        ask(kept, "/", **headers)
        assert pages.made == number, headers
    ask(kept, "/", "lang=it")
    ask(kept, "/", method="POST")
    ask(kept, "/api/v1/lists")
    assert pages.made == 7
    pages.told = "private, no-cache"
    ask(kept, "/desk")
    ask(kept, "/desk")
    assert pages.made == 9


def test_an_act_or_a_new_day_ends_what_is_kept(desk: Desk) -> None:
    pages = Pages()
    settled: dict[str, object] = {"settled": "as it was"}
    kept = PageCache(pages, desk.office, settled)
    ask(kept, "/")
    settled["settled"] = "as it is"
    ask(kept, "/")
    assert (pages.made, settled["settled"]) == (1, "as it is")

    verbs.register_player(desk.office, "Rossi, Mario")
    ask(kept, "/")
    ask(kept, "/")
    assert (pages.made, settled["settled"]) == (2, None), "settings may have changed with it"

    desk.on(date(2018, 1, 2))
    ask(kept, "/")
    assert pages.made == 3


def test_what_is_kept_is_bounded_and_the_page_asked_least_lately_goes_first(desk: Desk) -> None:
    pages = Pages()
    kept = PageCache(pages, desk.office, {}, most_bytes=3500)
    for path in ("/a", "/b", "/c", "/a", "/d"):
        ask(kept, path)
        assert kept.size <= 3500
    assert pages.made == 4
    ask(kept, "/a")
    assert pages.made == 4
    ask(kept, "/b")
    assert pages.made == 5


def test_nothing_is_kept_under_an_address_that_only_fills_the_memory(desk: Desk) -> None:
    pages = Pages()
    kept = PageCache(pages, desk.office, {})
    for _ in range(2):
        ask(kept, "/", "x=" + "y" * LONGEST_ADDRESS)

    assert (pages.made, kept.size) == (2, 0)
