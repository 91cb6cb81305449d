"""The home page, and the federation's identity on every page: name, logo, contact, privacy."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from arpad.office.registrations.acts import register_event
from arpad.office.settings.acts import change_settings
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed
from tests.builders.site_fixtures import OPEN, Served, compact, proof, serving
from tests.builders.verbs import change_settings as office_change_settings

NEWCOMER = """
1 2000 | 6b1 .Z .Z .Z .Z
2 2000 | .Z 6w0 .Z .Z .Z
3 2000 | .Z .Z 6b= .Z .Z
4 2000 | .Z .Z .Z 6w1 .Z
5 2000 | .Z .Z .Z .Z 6b0
6 0 | 1w0 2b1 3w= 4b0 5w1
"""
LOGO = "/desk/acts/settings/logo"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(60)


def test_home_says_what_this_is_which_lists_are_out_and_which_come_next(own: Served) -> None:
    office = replace(own.office, author="tests")
    register_event(
        office, "Open di Primavera", city="Bellariva", first_day=date(2025, 2, 1), last_day=date(2025, 2, 3)
    )

    text = re.sub(r"\s+", " ", own.client().get("/").text)

    for sentence in (
        "Why did my rating change?", "List of 1 January 2025", "Biggest changes",
        "The next one is that of 1 February 2025, with tournaments that end by 29 January 2025.",
        "tournaments in the last twelve months", "players on the standard list",
        "▲", "Open di Primavera", "1–3 February 2025 · Bellariva", "Latest tournaments",
    ):  # fmt: skip
        assert sentence in text, sentence
    assert "Prossimi tornei" in own.client(language="it").get("/").text
    assert "More</h2>" not in text
    heading = re.search(r"<h1>(.*?)</h1>", text)
    assert heading is not None
    assert heading[1] == "Official ratings", "the name is in the header"


def test_the_numbers_of_the_home_page_are_those_of_lists_and_tournaments(served: Served) -> None:
    client = served.client()
    figures = re.findall(r'<span class="figure">([\d,]+)</span>', client.get("/").text)
    tournaments = client.get("/api/v1/tournaments?size=100").json()["tournaments"]
    year = [it for it in tournaments if it["last_day"] >= "2024-01-01"]
    total = client.get("/api/v1/lists/standard?cut=all").json()["total"]
    players = [len(client.get(f"/api/v1/tournaments/{it['id']}").json()["players"]) for it in year]
    assert [int(it) for it in figures] == [total, len(year), sum(players)]


def test_the_home_page_names_who_is_rated_for_the_first_time(tmp_path: Path) -> None:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    try:
        desk.list(date(2018, 1, 1), *(listed(number, 2000) for number in range(1, 6)))
        desk.report(event("Open", NEWCOMER, date(2018, 1, 10), date(2018, 1, 14)))
        desk.publish(date(2018, 2, 1))
        with serving(desk.office) as site:
            text = compact(site.client().get("/").text)
    finally:
        desk.office.close()
    assert re.search(
        r'<h2>New on the list\s*<small>standard</small></h2>.*?href="/players/6\?list=standard">.*?>2000</td>',
        text,
    )


def test_an_administrator_sets_what_every_page_shows_of_the_federation(own: Served) -> None:
    boss, visitor = own.client("administrator"), own.client()
    assert visitor.get("/logo").status_code == 404
    form = {"csrf": proof(boss, "/admin"), "from": "/admin"}
    svg = boss.post(LOGO, data=form, files={"file": ("a.svg", b"<svg onload='x'/>", "image/png")})
    assert svg.status_code == 422
    assert "must be a PNG, JPEG or WebP image" in svg.text
    assert boss.post(LOGO, data=form, files={"file": ("a.png", PNG, "text/html")}).status_code == 303
    values = {
        "contact": "info@example.org",
        "website": "https://example.org/",
        "privacy": "We keep little.\nAsk us.",
    }
    office_change_settings(replace(own.office, author="tests"), set_=values)

    for address in ("/", "/lists/standard", "/tournaments/40", "/check", "/no-page"):
        text = visitor.get(address).text
        assert re.search(r"<title>[^<]+ – Federazione dimostrativa di Bellariva</title>", text), address
        assert '<a href="mailto:info@example.org">' in text, address
        assert re.search(r'<img src="/logo\?v=\w+" alt=""', text), address
        assert "Arpad 0." not in text.partition("<footer")[2], address
    logo = visitor.get("/logo")
    assert (logo.content, logo.headers["content-type"]) == (PNG, "image/png")
    privacy = own.client(language="it").get("/privacy").text
    assert "<p>We keep little.</p>" in privacy
    assert "Il giorno di nascita non è mai mostrato" in privacy
    assert boss.post("/desk/acts/settings/remove-logo", data=form).status_code == 303
    assert visitor.get("/logo").status_code == 404


def test_another_language_keeps_the_page_and_the_uploaded_report(served: Served) -> None:
    client = served.client()
    data = {"csrf": proof(client, "/check")}
    checked = client.post("/check", data=data, files={"file": ("open.trf", OPEN, "text/plain")}).text
    assert re.search(r'<button class="linklike" form="report" formaction="/check\?lang=it"', checked)
    assert '<form id="report" method="post"' in checked
    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", checked, re.DOTALL)
    assert text is not None
    again = {**data, "name": "open.trf", "text": text[1]}
    assert '<html lang="it">' in client.post("/check?lang=it", data=again).text

    assert (
        'href="/lists/standard?cut=women&amp;lang=it"'
        in served.client().get("/lists/standard?cut=women").text
    )


def test_the_privacy_page_says_how_long_data_is_kept_as_the_office_set_it(own: Served) -> None:
    client = own.client()
    page = re.sub(r"\s+", " ", client.get("/privacy").text)
    assert "How long data is kept" in page
    assert "30 days" in page
    change_settings(replace(own.office, author="tests"), set_={"keep_jobs": "45"})
    assert "45 days" in client.get("/privacy").text
    assert "45 giorni" in own.client(language="it").get("/privacy").text
    settings = own.client("administrator").get("/admin").text
    assert 'name="set.keep_jobs"' in settings
    assert "Needed before the site is public" in settings


def test_an_officer_makes_the_file_with_a_players_data(own: Served) -> None:
    client = own.client("officer")
    form = {"csrf": proof(client, "/desk/players/1"), "reason": "asked by letter"}
    answer = client.post("/desk/players/1/data", data=form)
    assert answer.headers["content-disposition"] == 'attachment; filename="player-1.json"'
    assert answer.json()["player"] == 1
    assert answer.headers["cache-control"] == "no-store"
    assert "asked by letter" in client.get("/desk/ledger").text
    bound = own.client("bound")
    form["csrf"] = proof(bound, "/desk/arbiters")
    assert bound.post("/desk/players/1/data", data=form).status_code == 403


def test_a_site_offers_the_games_whose_lists_it_publishes(sqlite_desk: Desk) -> None:
    """A chess office has no calculators and regulations of draughts; a new office has those of both games."""
    with serving(sqlite_desk.office) as site:
        assert all("Draughts" in site.client().get(f"/{it}").text for it in ("calculators", "regulations"))
    sqlite_desk.list(date(2024, 1, 1), listed(1, 2000))
    with serving(sqlite_desk.office) as site:
        for name in ("calculators", "regulations"):
            text = site.client().get(f"/{name}").text
            assert "<h2>Chess</h2>" in text
            assert "<h2>Draughts</h2>" not in text
        assert site.client().get("/calculators/capital").status_code == 200
        assert 'value="rubele-2008"' not in site.client().get("/regulations").text
