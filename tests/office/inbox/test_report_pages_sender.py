"""The desk of an arbiter: each report with its next step, replaced, withdrawn, sent twice."""

import re

import httpx

from tests.builders.site_fixtures import OPEN, Served, compact, proof


def send(client: httpx.Client, text: str, replaces: str = "") -> str:
    """Send a report; return its number."""
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": text, "replaces": replaces}
    return str(client.post("/desk/send", data=form).headers["location"]).rpartition("/")[2]


def section(client: httpx.Client, heading: str) -> str:
    """Return a section of the arbiter's desk."""
    return next(part for part in compact(client.get("/desk").text).split("<h2>") if part.startswith(heading))


def test_a_report_from_sending_to_acceptance(own: Served) -> None:
    arbiter, officer = own.client("arbiter"), own.client("officer")
    for heading in ("To correct", "Sent", "Accepted"):
        assert re.search(r"Nothing to|No report", section(arbiter, heading))
    number = send(arbiter, OPEN.decode())
    report = f"/desk/reports/{number}"

    told = arbiter.get(report).text
    assert f"Report {number} was sent." in told
    assert "The rating officer will look at it." in told
    assert "was sent." not in arbiter.get(report).text  # once
    assert report in section(arbiter, "Sent")
    assert send(arbiter, OPEN.decode()) == number
    assert f"This file was sent before: it is report {number}." in arbiter.get(report).text

    reason = {"csrf": proof(officer, report), "reason": "Round 7 is missing."}
    assert (
        officer.post(
            "/desk/acts/return", data=reason | {"report": report.rpartition("/")[2], "from": report}
        ).status_code
        == 303
    )
    to_correct = section(arbiter, "To correct")
    assert "Round 7 is missing." in to_correct
    assert f'href="/check?replaces={number}"' in to_correct
    editor = arbiter.get(f"/check?replaces={number}").text
    assert "012 Open di Primavera" in editor
    assert f'name="replaces" value="{number}"' in editor
    assert "012 Open" not in officer.get(f"/check?replaces={number}").text  # not the officer's own report

    better = send(arbiter, OPEN.decode().replace("Bellariva", "Forlì"), number)
    assert (
        f"Report {better} was sent. It replaces the earlier version."
        in arbiter.get(f"/desk/reports/{better}").text
    )
    form = {"csrf": proof(officer, f"/desk/reports/{better}"), "reason": ""}
    assert officer.post("/desk/acts/accept", data=form | {"report": str(better)}).status_code == 303
    accepted = section(arbiter, "Accepted")
    assert f"/desk/reports/{better}" in accepted
    assert "It counts for the list of" in accepted
    assert "Withdrawn or replaced" in arbiter.get("/desk").text


def test_a_sender_replaces_and_withdraws_what_nobody_has_accepted(own: Served) -> None:
    arbiter, officer = own.client("arbiter"), own.client("officer")
    first = send(arbiter, OPEN.decode())
    second = send(arbiter, OPEN.decode().replace("Bellariva", "Forlì"), first)

    waiting = compact(officer.get("/desk/reports").text).partition("<h2>Waiting")[2].partition("<h2>")[0]
    assert f"/desk/reports/{second}" in waiting
    assert f"/desk/reports/{first}" not in waiting
    assert f"Replaced by report {second}." in officer.get(f"/desk/reports/{first}").text

    address, page = "/desk/acts/withdraw", f"/desk/reports/{second}"
    form = {"csrf": proof(arbiter, page), "report": str(second), "reason": "wrong event"}
    assert own.client("bound").post(address, data=form).status_code == 403
    assert arbiter.post(address, data=form).status_code == 303
    assert f"Report {second} is withdrawn." in arbiter.get(f"/desk/reports/{second}").text
    assert f"/desk/reports/{second}" not in section(arbiter, "Sent")


def test_an_error_that_was_set_aside_says_by_whom_and_why(own: Served) -> None:
    arbiter, officer = own.client("arbiter"), own.client("officer")
    text = OPEN.decode().replace("062 15", "062 17")
    number = send(arbiter, text)
    report = f"/desk/reports/{number}"
    codes = re.findall(r'name="overrule" value="([a-z-]+)"', officer.get(report).text)
    form = {"csrf": proof(officer, report), "overrule": codes, "reason": "Two players never came."}
    assert officer.post("/desk/acts/accept", data=form | {"report": str(number)}).status_code == 303

    told = compact(officer.get(report).text)
    assert '<span class="tag">set aside</span>' in told
    assert "Set aside by Officer on" in told
    assert "Two players never came." in told
    assert '<li class="error">' not in told
    form = {"csrf": proof(arbiter, report), "report": str(number), "reason": "no"}
    assert arbiter.post("/desk/acts/withdraw", data=form).status_code == 403  # accepted: only an officer
