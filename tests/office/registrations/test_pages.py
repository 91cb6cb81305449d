"""The page of registered tournaments: what is due, and what officers do with a registration."""

from __future__ import annotations

import re

from tests.builders.site_fixtures import Served
from tests.web.test_forms import sent

PAGE, ACTS = "/desk/events", "/desk/acts/tournament"


def test_a_registered_tournament_shows_its_deadlines(own: Served) -> None:
    client = own.client("officer")
    days = {"first_day": "2018-05-05", "last_day": "2018-05-06"}
    assert sent(client, PAGE, f"{ACTS}/register", name="Open", federation="ITA", **days).status_code == 303
    page = client.get("/desk/events").text
    assert "report by the arbiter: 13 May 2018" in " ".join(page.split())
    assert "overdue" in page


def test_a_report_that_is_not_accepted_cannot_be_sent_to_fide(own: Served) -> None:
    client = own.client("officer")
    answer = sent(client, PAGE, f"{ACTS}/sent", report="999")
    assert answer.status_code == 422
    assert "999" in answer.text


def test_a_registration_is_changed_refused_and_in_force_again(own: Served) -> None:
    client = own.client("officer")
    days = {"first_day": "2025-05-05", "last_day": "2025-05-06"}
    form = {"name": "Open of May", "federation": "ITA", **days}
    wrong = sent(client, PAGE, f"{ACTS}/register", schedule="2025-05-09 1", **form)
    assert (wrong.status_code, "the tournament is from 5 May 2025" in wrong.text) == (422, True)
    sent(client, PAGE, f"{ACTS}/register", schedule="2025-05-05 15:00 19:30\n2025-05-06 1", **form)
    page = client.get(PAGE).text
    assert "2025-05-05 15:00 19:30" in page
    number = max(re.findall(r'name="event" value="(\d+)"', page), key=int)
    changed = form | {"event": number, "city": "Rimini", "schedule": "2025-05-06 3", "reason": "moved"}
    assert sent(client, PAGE, f"{ACTS}/change", **changed).status_code == 303
    page = client.get(PAGE).text
    assert "Rimini" in page
    assert "2025-05-05 15:00" not in page
    emptied = {"event": number, "city": "", "schedule": ""}
    assert sent(client, PAGE, f"{ACTS}/change", **emptied).status_code == 303
    page = client.get(PAGE).text
    assert "Rimini" not in page
    assert "2025-05-06 3" not in page
    refused = {"event": number, "reason": "no arbiter at all"}
    assert sent(client, PAGE, f"{ACTS}/refuse", **refused).status_code == 303
    assert "no arbiter at all" in client.get("/desk/events?page=9").text
    assert sent(client, PAGE, f"{ACTS}/reinstate", event=number, reason="found").status_code == 303
