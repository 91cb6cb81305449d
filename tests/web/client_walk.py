"""A walk through the API with the client that openapi-python-client made: ``client_walk.py ADDRESS TOKEN REPORT``.

It runs in the environment of the tools, since the client needs ``attrs``.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from arpad_client import AuthenticatedClient, Client
from arpad_client.api.calculators import calculate_change
from arpad_client.api.changes import list_changes
from arpad_client.api.lists import get_list, list_lists
from arpad_client.api.players import get_player, get_player_by_number, search_players
from arpad_client.api.reports import (
    check_report,
    find_report_norms,
    list_own_reports,
    rate_report,
    submit_report,
)
from arpad_client.api.tournaments import get_tournament, list_tournaments
from arpad_client.models import Problem
from arpad_client.types import File


def walk(address: str, token: str, report: bytes) -> None:
    """Ask for a bit of everything, and check that the answers fit together."""
    client = Client(base_url=address, raise_on_unexpected_status=True)
    read_published(client)
    look_at_report(client, report)
    missing = get_player.sync(2**31 - 1, client=client)
    assert isinstance(missing, Problem)
    assert (missing.status, missing.code) == (404, "no-player")
    assert missing.type_.endswith("#problem-not-found")
    sender = AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)
    number = submit_report.sync(client=sender, body=file_of(report), name="open.trf").report
    assert number in [item.report for item in pages(list_own_reports.sync, sender, "reports")]
    assert isinstance(list_own_reports.sync(client=client), Problem)


def read_published(client: Any) -> None:
    """Read lists, players, tournaments and changes."""
    names = [entry.name for entry in pages(list_lists.sync, client, "lists")]
    assert names
    assert len(set(names)) == len(names)
    rows = list(pages(get_list.sync, client, "rows", name="standard", cut="all"))
    total = get_list.sync("standard", client=client, cut="all").total
    assert len({row.id for row in rows}) == len(rows) == total
    player = get_player.sync(rows[0].id, client=client)
    assert rows[0].rating in [standing.rating for standing in player.standings]
    fide = player.player.identifiers["fide"]
    assert get_player_by_number.sync("fide", fide, client=client) == player
    assert player.player in search_players.sync(client=client, q=player.player.name).players
    events = list(pages(list_tournaments.sync, client, "tournaments"))
    assert len(get_tournament.sync(events[0].id, client=client).players) > 1
    changes = list(pages(list_changes.sync, client, "changes"))
    assert {change.publication for change in changes if change.publication} >= {names[0]}


def look_at_report(client: Any, report: bytes) -> None:
    """Calculate, check, rate, and look for norms."""
    change = calculate_change.sync(client=client, rating="1850", game=["1900:1", "2000:0.5"], k="20")
    assert change.new_rating == 1865
    checked = check_report.sync(client=client, body=file_of(report), name="open.trf")
    rated = rate_report.sync(client=client, body=file_of(report), name="open.trf")
    assert (checked.event, checked.edition) == (rated.event, rated.edition)
    assert rated.players
    assert find_report_norms.sync(client=client, body=file_of(report), name="open.trf").players is not None


def file_of(report: bytes) -> File:
    """Return a report as the body of a request."""
    return File(payload=BytesIO(report), file_name="open.trf")


def pages(ask: Any, client: Any, items: str, **asked: Any) -> Any:
    """Yield the items of all pages."""
    after = ""
    while True:
        page = ask(client=client, after=after, **asked)
        yield from getattr(page, items)
        if not page.more:
            return
        after = page.next_


if __name__ == "__main__":
    walk(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_bytes())
