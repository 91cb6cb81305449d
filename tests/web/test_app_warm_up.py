"""A server asks itself for the pages that most visitors ask for, before the first of them comes."""

from typing import Any

from arpad.web.app import ask_first_pages, read_for_desk
from tests.builders.offices import Desk
from tests.builders.verbs import ledger

LINKS = (
    '<a href="/players/12?list=rapid">A</a><a href="/lists/rapid-2025-01-01-r1">B</a><a href="/guides">C</a>'
    '<a href="/lists/rapid-2024-12-01-r1">D</a><a href="/lists/blitz-2025-01-01-r1">E</a><a href="/players/13">F</a>'
)


def test_it_asks_for_a_page_of_each_kind_and_the_first_player_list_and_tournament() -> None:
    asked: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])
        assert (await receive())["body"] == b""
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": LINKS.encode() if scope["path"] == "/" else b""})

    ask_first_pages(application)  # type: ignore[arg-type]  # any application does

    assert asked[:4] == ["/", "/lists", "/players", "/tournaments"]
    assert sorted(asked[7:]) == ["/lists/blitz-2025-01-01-r1", "/lists/rapid-2025-01-01-r1", "/players/12"]


def test_it_reads_what_officers_look_at(desk: Desk) -> None:
    """An office without any report or tournament has it too."""
    acts = len(ledger(desk.office))
    read_for_desk(desk.office)
    assert len(ledger(desk.office)) == acts
