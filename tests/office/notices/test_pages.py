"""Following by mail on the site: the form, the page of the link, and what strangers learn."""

import re
from dataclasses import replace

import httpx

from arpad.office.privacy.acts import hide_player
from tests.builders.followers import followers_of
from tests.builders.site_fixtures import Served, compact, proof
from tests.office.notices.test_acts import mails, set_up_mail

FORM = "/follow?kind=player&target=1"


def ask(client: httpx.Client, address: str) -> httpx.Response:
    data = {"csrf": proof(client, FORM), "kind": "player", "target": "1", "address": address}
    return client.post("/follow", data=data)


def without_proof(answer: httpx.Response) -> str:
    return re.sub(r'name="csrf" value="[0-9a-f]+"', "", compact(answer.text))


def test_a_visitor_follows_a_player_and_stops(own: Served) -> None:
    office, client = replace(own.office, author="tests"), own.client(language="it")
    page = client.get("/players/1")
    assert 'href="/follow?kind=player&amp;target=1"' in page.text
    assert "set-cookie" not in page.headers  # the page stays in the cache
    assert "non invia e-mail" in client.get(FORM).text
    set_up_mail(office)

    first, again = ask(client, "anna@example.org"), ask(client, "anna@example.org")
    assert "Abbiamo inviato un&#39;e-mail di conferma" in first.text
    assert without_proof(first) == without_proof(again) == without_proof(ask(client, "ugo@example.org"))
    wrong = ask(client, "anna")
    assert wrong.status_code == 422
    assert 'value="anna"' in wrong.text

    link = mails(office, "follow-confirm")[0]["path"]
    opened = client.get(link)
    assert opened.headers["cache-control"] == "private, no-store"
    assert "@" not in opened.text.partition("<main")[2].partition("</main>")[0]
    for verb, expected in (
        ("confirm", "Fatto: riceverai"),
        ("end", "Terminato: niente più"),
        ("forget", "non è conservato nulla"),
    ):
        data = {"csrf": proof(client, link), "kind": "player", "target": "1"}
        answer = client.post(f"{link}/{verb}", data=data, follow_redirects=True)
        assert expected in answer.text, verb
    assert [follower.address for follower, _ in followers_of(office)] == ["ugo@example.org"]
    gone = client.get(link)
    assert gone.status_code == 404
    assert (
        compact(client.get("/follow/none").text).partition("<main")[2]
        == compact(gone.text).partition("<main")[2]
    )


def test_a_mail_program_ends_everything_with_one_click(own: Served) -> None:
    """RFC 8058: a POST with one field, without cookies and without our proof; anything else is refused."""
    office, client = replace(own.office, author="tests"), own.client()
    set_up_mail(office)
    ask(client, "anna@example.org")
    link = mails(office, "follow-confirm")[0]["path"]
    program = httpx.Client(base_url=own.address)
    assert program.post(link, data={"other": "1"}).status_code == 403
    assert len(followers_of(office)) == 1
    answer = program.post(link, data={"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, answer.headers.get("set-cookie")) == (200, None)
    assert followers_of(office) == []
    assert program.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    program.close()


def test_who_cannot_be_followed_and_forged_forms(own: Served) -> None:
    office, client = replace(own.office, author="tests"), own.client()
    assert client.get("/follow?kind=player&target=99999").status_code == 404
    assert (
        client.post("/follow", data={"kind": "player", "target": "1", "address": "a@b.org"}).status_code
        == 403
    )
    hide_player(office, 1, reason="asked")
    unknown, hidden = (client.get(f"/follow?kind=player&target={number}") for number in (99999, 1))
    assert hidden.status_code == 404
    assert hidden.text.replace("target=1&", "").replace("target=99999&", "") == unknown.text.replace(
        "target=99999&", ""
    ).replace("target=1&", "")
    assert "/follow?kind" not in client.get("/players/1").text
