"""The page cache: no page is out of date, private, or one too many."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

import httpx
import pytest

from arpad.office.office import open_office
from arpad.office.privacy.acts import hide_player
from arpad.web.cache import LONGEST_ADDRESS, FragmentCache, PageCache
from arpad.web.middleware import Message, Receive, Scope, Send
from tests.builders.chess import event as made_event
from tests.builders.offices import STANDARD, Clock, Desk
from tests.builders.site_fixtures import Served, serving
from tests.builders.verbs import register_player, revise
from tests.office.lists.test_published_cost import filled

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
DRAW = """
1 2000 | 2w=
2 1900 | 1b=
"""


# ---------------------------------------------------------------------------------------------------- two workers


@contextmanager
def two_workers(desk: Desk) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """Serve the same office twice, each with a cache of its own."""
    offices = [open_office(desk.place, now=desk.clock) for _ in range(2)]
    with serving(offices[0]) as one, serving(offices[1]) as two:
        yield one.client(), two.client()


def both(workers: tuple[httpx.Client, httpx.Client], address: str) -> str:
    """Return a page that both workers show twice and alike to readers of the same host."""
    host = {"host": "ratings.example"}
    pages = {worker.get(address, headers=host).text for worker in (*workers, *workers)}
    assert len(pages) == 1, address
    return pages.pop()


def test_a_page_names_the_host_that_its_own_reader_asked_for(served: Served) -> None:
    """Somebody who asks with a made-up host must not leave their address in the pages of others."""
    hosts = ("elsewhere.example", "ratings.example", "elsewhere.example")
    for host in hosts:
        text = served.client().get("/players/3", headers={"host": host}).text
        assert f"http://{host}/players/3/picture.png" in text
        assert not any(other in text for other in {*hosts} - {host})


def test_no_worker_shows_a_page_that_is_out_of_date(place: str, tmp_path: Path) -> None:
    desk = filled(place, tmp_path / "lists", 120)
    with closing(desk.office), two_workers(desk) as workers:
        before = both(workers, "/lists/standard")
        tag = workers[0].get("/lists/standard").headers["etag"]
        assert workers[1].get("/lists/standard", headers={"if-none-match": tag}).status_code == 304
        player = both(workers, "/players/1")
        assert "Open di prova" not in both(workers, "/")
        assert '"/players/2?list=standard"' in both(workers, "/lists/standard?cut=all")

        hide_player(desk.office, 2, reason="asked for it")
        assert '"/players/2?list=standard"' not in both(workers, "/lists/standard?cut=all")
        assert workers[1].get("/lists/standard", headers={"if-none-match": tag}).status_code == 200
        assert both(workers, "/players/1") == player

        desk.report(made_event("Open di prova", DRAW, date(2018, 1, 5), date(2018, 1, 7)))
        assert "Open di prova" in both(workers, "/")
        assert "Open di prova" in both(workers, "/tournaments")

        desk.publish(FEBRUARY)
        desk.on(date(2018, 1, 31))
        assert "List of 1 February 2018" not in both(workers, "/"), "not in force yet"
        desk.on(FEBRUARY)
        assert "List of 1 February 2018" in both(workers, "/"), "the day alone changes the page"
        assert both(workers, "/lists/standard") != before

        first = both(workers, "/lists/standard-2018-02-01-r1")
        late = desk.report(made_event("Altra prova", DRAW, date(2018, 1, 8), date(2018, 1, 9)))
        revise(desk.office, STANDARD, add=[late], reason="a report was lost", kinds=())
        assert both(workers, "/lists/standard-2018-02-01-r1") != first, "it names the revision beside it"


# -------------------------------------------------------------------------------------------------- the page cache


class Application:
    """An application that responds to every address with a page of 1000 bytes, and counts them."""

    def __init__(self) -> None:
        self.rendered = 0
        self.cache_control = "public, no-cache"

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self.rendered += 1
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"etag", b'"one"'),
            (b"cache-control", self.cache_control.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * 1000})


def ask(cache: PageCache, path: str, query: str = "", method: str = "GET", **headers: str) -> int:
    """Return the status of the response."""
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": pairs,
    }  # fmt: skip
    asyncio.run(cache(scope, receive, send))
    return int(sent[0]["status"])


@pytest.fixture
def desk(sqlite_place: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.made(sqlite_place, tmp_path, Clock())
    yield desk
    desk.office.close()


def test_a_page_is_rendered_once_for_all_visitors_of_one_language(desk: Desk) -> None:
    application = Application()
    cache = PageCache(application, desk.office, {})

    for accepted in ("en", "en-GB, xx;q=0.5", "xx, en;q=0.1"):
        assert ask(cache, "/", accept_language=accepted) == 200
    assert application.rendered == 1
    ask(cache, "/", accept_language="it, en")
    ask(cache, "/", accept_language="en", cookie="arpad_lang=it")
    ask(cache, "/", "page=2", accept_language="en")
    assert application.rendered == 4
    assert ask(cache, "/", accept_language="en", if_none_match='W/"one"') == 304
    assert ask(cache, "/", accept_language="en", if_none_match='"another"') == 200
    assert application.rendered == 4


def test_pages_of_a_user_are_not_cached(desk: Desk) -> None:
    application = Application()
    cache = PageCache(application, desk.office, {})
    ask(cache, "/")
    own: list[dict[str, str]] = [
        {"cookie": "arpad_session=x"}, {"cookie": "arpad_lang=it; arpad_form=x"}, {"authorization": "Bearer x"},
    ]  # fmt: skip
    for number, headers in enumerate(own, start=2):
        ask(cache, "/", **headers)
        assert application.rendered == number, headers
    ask(cache, "/", "lang=it")
    ask(cache, "/", method="POST")
    ask(cache, "/api/v1/lists")
    assert application.rendered == 7
    application.cache_control = "private, no-cache"
    ask(cache, "/desk")
    ask(cache, "/desk")
    assert application.rendered == 9


def test_an_act_or_a_new_day_makes_a_cached_page_invalid(desk: Desk) -> None:
    application = Application()
    state: dict[str, object] = {"settings": "old"}
    cache = PageCache(application, desk.office, state)
    ask(cache, "/")
    state["settings"] = "new"
    ask(cache, "/")
    assert (application.rendered, state["settings"]) == (1, "new")

    register_player(desk.office, "Rossi, Mario")
    ask(cache, "/")
    ask(cache, "/")
    assert (application.rendered, state["settings"]) == (2, None), "settings may have changed with it"

    desk.on(date(2018, 1, 2))
    ask(cache, "/")
    assert application.rendered == 3


def test_the_size_is_bounded_and_the_least_recently_used_page_goes_first(desk: Desk) -> None:
    application = Application()
    cache = PageCache(application, desk.office, {}, FragmentCache(most_bytes=3500))
    for path in ("/a", "/b", "/c", "/a", "/d"):
        ask(cache, path)
        assert cache.pages.size <= 3500
    assert application.rendered == 4
    ask(cache, "/a")
    assert application.rendered == 4
    ask(cache, "/b")
    assert application.rendered == 5


def test_pages_with_long_addresses_are_not_cached(desk: Desk) -> None:
    application = Application()
    cache = PageCache(application, desk.office, {})
    for _ in range(2):
        ask(cache, "/", "x=" + "y" * LONGEST_ADDRESS)

    assert (application.rendered, cache.pages.size) == (2, 0)
