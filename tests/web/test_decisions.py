"""The desk's decisions: an appeal against one, its outcome, and a decision that is revoked."""

from __future__ import annotations

import httpx

from arpad.office import verbs
from tests.web.conftest import Served, proof


def send(client: httpx.Client, address: str, **texts: str) -> httpx.Response:
    return client.post(address, data={"csrf": proof(client, "/desk/decisions"), **texts})


def test_a_decision_is_appealed_against_settled_and_revoked(own: Served) -> None:
    assert own.office is not None
    officer = own.client("officer")
    report = next(it.id for it in verbs.reports_on_file(own.office) if it.status == "accepted")
    answer = send(officer, "/desk/decisions", kind="not-rated", report=str(report), reason="no arbiter")
    assert answer.status_code == 303, answer.text
    decision = verbs.decisions_in_force(own.office)[-1]
    assert (decision.kind, decision.report) == ("not-rated", report)

    against = f"/desk/decisions/{decision.id}"
    assert send(officer, f"{against}/appeal", by="", reason="it had one").status_code == 422
    assert send(officer, f"{against}/appeal", by="Bellariva", reason="it had one").status_code == 303
    appeal = verbs.decisions_in_force(own.office)[-1]
    assert "Bellariva" in officer.get("/desk/decisions").text
    settled = send(officer, f"/desk/decisions/{appeal.id}/settle", outcome="upheld", reason="a letter")
    assert settled.status_code == 303, settled.text
    assert decision.id not in {it.id for it in verbs.decisions_in_force(own.office)}


def test_a_revoked_decision_is_no_longer_in_force(own: Served) -> None:
    assert own.office is not None
    officer = own.client("officer")
    send(officer, "/desk/decisions", kind="official", report="1", reason="team event")
    number = verbs.decisions_in_force(own.office)[-1].id
    assert send(officer, f"/desk/decisions/{number}/revoke", reason="").status_code == 422
    assert send(officer, f"/desk/decisions/{number}/forget", reason="x").status_code == 422
    assert number in {it.id for it in verbs.decisions_in_force(own.office)}
    assert send(officer, f"/desk/decisions/{number}/revoke", reason="an error").status_code == 303
    assert number not in {it.id for it in verbs.decisions_in_force(own.office)}
