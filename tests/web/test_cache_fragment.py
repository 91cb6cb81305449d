"""Parts of the desk are kept until the next act: what was done is shown at once, and nobody gets another's form."""

import re
import time
from datetime import date
from typing import Any

import httpx
import pytest

from arpad.model.rules import ListName
from arpad.office.corrections import pages as publishing
from arpad.office.drafts.rows import read_draft
from arpad.office.inbox import report_pages as reports_inbox
from tests.builders.site_fixtures import OPEN, Served, proof

PROOFS = re.compile(r'name="csrf" value="([0-9a-f]+)"')
DRAFT = "/desk/draft?list=standard&day=2025-02-01"


def sent(client: httpx.Client) -> str:
    """Send a report; return its address."""
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": OPEN.decode()}
    return str(client.post("/desk/send", data=form).headers["location"])


def register_event(officer: httpx.Client) -> None:
    days = {"first_day": "2025-03-01", "last_day": "2025-03-02"}
    form = {"csrf": proof(officer, "/desk/events"), "name": "Torneo di marzo", "federation": "ITA", **days}
    assert officer.post("/desk/acts/tournament/register", data=form).status_code == 303


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[str]:
    """Count the calls of a function."""
    calls: list[str] = []
    called = getattr(module, name)

    def counting(*arguments: Any, **named: Any) -> Any:
        calls.append(name)
        return called(*arguments, **named)

    monkeypatch.setattr(module, name, counting)
    return calls


def test_an_act_is_on_every_page_at_once(own: Served) -> None:
    officer = own.client("officer")
    pages = ("/desk/reports", "/desk/ledger", "/desk/events", DRAFT)
    before = {address: officer.get(address).text for address in pages}
    assert {address: officer.get(address).text for address in pages} == before

    report = sent(own.client("arbiter"))
    assert report not in before["/desk/reports"]
    assert f'href="{report}"' in officer.get("/desk/reports").text
    assert f'href="{report}"' in officer.get("/desk/ledger").text

    register_event(officer)
    assert "Torneo di marzo" in officer.get("/desk/events").text
    assert "Torneo di marzo" not in before["/desk/events"]


def test_a_draft_is_computed_again_after_an_act_only(own: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = counted(monkeypatch, publishing, "preview_draft")
    officer = own.client("officer")
    assert officer.get(DRAFT).text == officer.get(DRAFT).text
    assert len(drafts) == 1
    sent(own.client("arbiter"))
    officer.get(DRAFT)
    assert len(drafts) == 2
    special = officer.get(f"{DRAFT}&special=yes")
    assert (special.status_code, len(drafts)) == (200, 3), "another draft"


def test_the_draft_that_an_officer_saw_is_stored_for_publishing(own: Served) -> None:
    page = own.client("officer").get(DRAFT).text
    stored, deadline = None, time.monotonic() + 60
    while stored is None and time.monotonic() < deadline:  # it is stored after the page was sent
        time.sleep(0.05)
        with own.office.store.reading() as connection:
            stored = read_draft(connection, ListName.STANDARD, date(2025, 2, 1))
    assert stored is not None
    assert f'name="standard.digest" value="{stored.digest}"' in page
    assert f'name="standard.inputs" value="{stored.inputs_digest}"' in page


@pytest.mark.parametrize("address", ["/desk/events", DRAFT])
def test_each_session_has_the_proofs_of_its_own_forms(own: Served, address: str) -> None:
    one, other = own.client("officer"), own.client("officer", new_session=True)
    proofs = [set(PROOFS.findall(client.get(address).text)) for client in (one, other, one)]
    assert [len(each) for each in proofs] == [1, 1, 1]
    assert proofs[0] == proofs[2]
    assert proofs[0] != proofs[1]


def test_a_refused_form_is_neither_kept_nor_hidden_by_what_was_kept(own: Served) -> None:
    officer = own.client("officer")
    kept = officer.get("/desk/events").text
    form = {"csrf": proof(officer, "/desk/events"), "report": "x", "from": "/desk/events"}
    refused = officer.post("/desk/acts/tournament/sent", data=form)
    assert (refused.status_code, 'role="alert"' in refused.text) == (422, True)
    assert officer.get("/desk/events").text == kept


def test_the_page_of_a_report_does_not_rate_it(own: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    report = sent(own.client("arbiter"))
    rated = counted(monkeypatch, reports_inbox, "_result")
    officer = own.client("officer")
    page, contents = officer.get(report).text, officer.get(f"{report}/contents").text
    assert len(rated) == 1

    stated = {"csrf": proof(officer, report), "reason": "letter", "list": "blitz"}
    assert officer.post(f"{report}/facts", data=stated).status_code == 303
    assert officer.get(report).text != page
    assert officer.get(f"{report}/contents").text != contents
