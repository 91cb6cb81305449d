"""The pages of arbiters and of deadlines: an officer enters an arbiter, adds a licence, and sees what is due."""

from __future__ import annotations

from tests.web.conftest import Served
from tests.web.test_forms import sent

ARBITER = {"name": "Rossi, Mario", "fide": "800123", "federation": "ITA", "title": "IA"}


def test_an_officer_enters_an_arbiter_and_a_licence(own: Served) -> None:
    client = own.client("officer")
    assert sent(client, "/desk/arbiters", "/desk/arbiters", **ARBITER).status_code == 303
    page = client.get("/desk/arbiters").text
    assert "Rossi, Mario" in page
    assert "no licence today" in page
    licence = {"licence_from": "2020-01-01"}
    assert sent(client, "/desk/arbiters", "/desk/arbiters/1/licence", **licence).status_code == 303
    page = client.get("/desk/arbiters").text
    assert "from 1 January 2020" in page
    assert "no licence today" not in page


def test_a_wrong_arbiter_is_refused_beside_the_field(own: Served) -> None:
    client = own.client("officer")
    backwards = {"licence_from": "2020-05-01", "licence_until": "2020-04-30"}
    answer = sent(client, "/desk/arbiters", "/desk/arbiters", **ARBITER, **backwards)
    assert answer.status_code == 422
    assert "before it begins" in answer.text
    assert "Rossi, Mario" in answer.text  # what was filled in stays
    assert "No arbiter has been entered yet." in answer.text


def test_a_registered_tournament_shows_its_deadlines(own: Served) -> None:
    client = own.client("officer")
    days = {"first_day": "2018-05-05", "last_day": "2018-05-06"}
    assert (
        sent(client, "/desk/events", "/desk/events", name="Open", federation="ITA", **days).status_code == 303
    )
    page = client.get("/desk/events").text
    assert "report by the arbiter: 13 May 2018" in " ".join(page.split())
    assert "overdue" in page


def test_a_report_that_is_not_accepted_cannot_be_sent_to_fide(own: Served) -> None:
    client = own.client("officer")
    answer = sent(client, "/desk/events", "/desk/events/sent", report="999")
    assert answer.status_code == 422
    assert "999" in answer.text
