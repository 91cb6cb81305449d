"""The board of deadlines, the page of a registration, and the public calendar."""

import re

import httpx

from tests.builders.site_fixtures import Served
from tests.web.test_forms import sent

BOARD, NEW, ACTS = "/desk/events", "/desk/events/new", "/desk/acts/tournament"


def registered(client: httpx.Client, **form: str) -> str:
    """Register a tournament; return the address of its page."""
    answer = sent(client, NEW, f"{ACTS}/register", federation="ITA", **form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_the_board_shows_the_next_deadline_and_a_tab_for_each_state(own: Served) -> None:
    client = own.client("officer")
    page = registered(client, name="Open", first_day="2018-05-05", last_day="2018-05-06")
    registered(client, name="Later", first_day="2025-05-05", last_day="2025-05-06")
    assert "report by the arbiter: 13 May 2018" in " ".join(client.get(page).text.split())
    board = client.get(BOARD).text
    assert board.index(">Open<") < board.index(">Later<")
    assert f'href="{page}"' in board
    overdue = client.get(f"{BOARD}?state=overdue").text
    assert (">Open<" in overdue, ">Later<" in overdue) == (True, False)
    assert client.get(f"{BOARD}?state=nonsense").text.count(">Later<") == 1


def test_several_reports_are_marked_as_sent_at_once(own: Served) -> None:
    client = own.client("officer", "it")
    board = client.get(BOARD).text
    numbers = re.findall(r'name="report" value="(\d+)"', board)
    assert len(numbers) > 2
    assert f"/desk/files/fide/report-file?report={numbers[0]}" in board
    assert sent(client, BOARD, f"{ACTS}/sent").status_code == 422  # nothing was ticked
    refused = sent(client, BOARD, f"{ACTS}/sent", report=[numbers[0], "999"])
    ticked = re.findall(r'name="report" value="(\d+)"[^>]*checked', refused.text)
    assert (refused.status_code, ticked, "999" in refused.text) == (422, numbers[:1], True)
    answer = sent(client, BOARD, f"{ACTS}/sent", report=numbers[:2], day="2025-01-14")
    assert answer.status_code == 303, answer.text
    board = client.get(BOARD).text
    assert "2 rapporti segnati come inviati alla FIDE il 14 gennaio 2025." in board
    assert not {*numbers[:2]} & {*re.findall(r'name="report" value="(\d+)"', board)}


def test_a_registration_is_changed_refused_and_in_force_again(own: Served) -> None:
    client = own.client("officer")
    days = {"first_day": "2025-05-05", "last_day": "2025-05-06"}
    wrong = sent(client, NEW, f"{ACTS}/register", schedule="2025-05-09 1", name="Open of May", **days)
    assert (wrong.status_code, "the tournament is from 5 May 2025" in wrong.text) == (422, True)
    page = registered(client, name="Open of May", schedule="2025-05-05 15:00 19:30\n2025-05-06 1", **days)
    assert "2025-05-05 15:00 19:30" in client.get(page).text
    assert "Open of May" in own.client().get("/calendar").text

    def change(verb: str, **fields: str) -> str:
        answer = sent(client, page, f"{ACTS}/{verb}", event=page.rpartition("/")[2], **fields)
        assert (answer.status_code, answer.headers["location"]) == (303, page)
        return client.get(page).text

    text = change("change", city="Rimini", schedule="2025-05-06 3", reason="moved")
    assert "Rimini" in text
    assert "2025-05-05 15:00" not in text
    text = change("change", city="", schedule="")
    assert "Rimini" not in text
    assert "2025-05-06 3" not in text
    assert "no arbiter at all" in change("refuse", reason="no arbiter at all")
    assert "Open of May" in client.get(f"{BOARD}?state=ended").text
    assert "Open of May" not in own.client().get("/calendar").text
    change("reinstate", reason="found")
    assert own.client("bound").get(page).status_code == 403
