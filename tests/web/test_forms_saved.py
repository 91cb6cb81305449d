"""A session that ends in the middle of a form: nothing is done, and nothing that was typed is lost."""

from __future__ import annotations

import html
import re

import httpx
import pytest

from arpad.office.accounts.sessions import sign_out
from tests.builders.site_fixtures import OPEN, PASSWORD, Served, proof

TEXT = OPEN.decode().replace("Open di Primavera", 'Open "di Primavera" & <d\'autunno>')


def hidden(text: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', text.partition("<main")[2])
    return {name: html.unescape(value) for name, value in found}


def ended(
    own: Served, fields: dict[str, str], path: str = "/desk/send"
) -> tuple[httpx.Client, httpx.Response]:
    """A form that is sent after the session was closed elsewhere; the browser still has its cookie."""
    client = own.client("arbiter")
    form = {"csrf": proof(client, "/check"), **fields}
    assert own.office is not None
    sign_out(own.office, client.cookies["arpad_session"])
    return client, client.post(path, data=form)


def test_a_report_waits_while_its_sender_signs_in_again(own: Served) -> None:
    client, answer = ended(own, {"name": "open.trf", "text": TEXT, "registered": "2018-04-01"})
    assert answer.status_code == 401
    assert "Nothing has been lost" in answer.text

    wrong = client.post(
        "/sign-in", data={**hidden(answer.text), "login": "arbiter", "password": "not this one"}
    )
    assert wrong.status_code == 400
    back = client.post("/sign-in", data={**hidden(wrong.text), "login": "arbiter", "password": PASSWORD})
    assert back.status_code == 200
    assert 'action="/desk/send"' in back.text

    held = hidden(back.text)
    assert held["text"].splitlines() == TEXT.splitlines()
    assert held["registered"] == "2018-04-01"
    place = client.post("/desk/send", data=held).headers["location"]
    assert "Open &#34;di Primavera&#34; &amp; &lt;d&#39;autunno&gt;" in client.get(place).text


def test_who_checked_a_report_before_signing_in_sends_that_very_report(served: Served) -> None:
    client = served.client()
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": TEXT}
    assert 'formaction="/desk/send"' in client.post("/check", data=form).text
    asked = client.post("/desk/send", data=form)
    assert asked.status_code == 401
    assert hidden(asked.text)["held-text"].splitlines() == TEXT.splitlines()


@pytest.mark.parametrize(
    "header", [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_nothing_is_held_that_comes_from_another_site(served: Served, header: dict[str, str]) -> None:
    answer = served.client().post("/desk/send", data={"text": "012 Trap"}, headers=header)
    assert answer.status_code == 401
    assert "012 Trap" not in answer.text


def test_only_what_was_typed_at_the_desk_is_held_and_nobody_is_led_elsewhere(own: Served) -> None:
    client, answer = ended(own, {"old": PASSWORD, "password": "a new one for me"}, "/account/password")
    assert answer.status_code == 401
    assert "a new one for me" not in answer.text
    form = {"csrf": proof(client, "/sign-in"), "login": "arbiter", "password": PASSWORD, "held-a": "b"}
    led = client.post("/sign-in", data={**form, "resume": "https://elsewhere.example/desk/send"})
    assert (led.status_code, led.headers["location"]) == (303, "/desk")
