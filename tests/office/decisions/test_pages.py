"""The desk's decisions: an appeal against one, its outcome, and a decision that is revoked."""

import re
from dataclasses import replace
from pathlib import Path

import httpx

from arpad.explain.words import load_words
from arpad.model.rules import ListName
from arpad.office.decisions.acts import KINDS
from tests.builders.decisions import decide
from tests.builders.offices import report_file
from tests.builders.site_fixtures import Served, proof
from tests.builders.verbs import decisions_in_force, revise, revoke, withdraw

NEW_K = "/desk/decisions/new/k"


def preview(client: httpx.Client, **texts: str) -> httpx.Response:
    return client.post(NEW_K, data={"csrf": proof(client, NEW_K), "from": NEW_K, **texts})


def test_a_decision_is_seen_as_a_sentence_before_it_is_recorded(own: Served) -> None:
    officer, before = own.client("officer"), decisions_in_force(own.office)
    fields = set(re.findall(r'name="([a-z.]+)"', officer.get(NEW_K).text.partition("<main")[2]))
    assert fields == {"csrf", "from", "player", "list", "date", "value.k", "reason"}, "only those of the kind"
    about = {"player": "1", "list": "standard", "date": "2025-03-01", "reason": "junior"}
    refused = preview(officer, **about, **{"value.k": "ten"})
    assert refused.status_code == 422
    assert re.search(r'name="value.k"[^>]*value="ten"[^>]*aria-invalid="true"', refused.text)
    assert 'value="junior"' in refused.text, "nothing else of the form is lost"
    assert preview(officer, **about).status_code == 422

    seen = preview(officer, **about, **{"value.k": "10"}).text
    assert "K of Ravistri, Sandro is 10 on the list of 1 March 2025 (standard)." in seen
    assert decisions_in_force(own.office) == before, "nothing is stored yet"
    confirmed = dict(
        re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', seen.partition("asked")[2])
    )
    done = officer.post("/desk/acts/decide", data=confirmed)
    assert done.status_code == 303
    page = officer.get(done.headers["location"]).text
    assert "is recorded" in page
    assert "K of Ravistri, Sandro is 10 on the list of 1 March 2025 (standard)." in page
    assert decisions_in_force(own.office)[-1].value == '{"k":10}'


def test_a_tournament_offers_the_decisions_about_it_alone(own: Served) -> None:
    officer = own.client("officer")
    kinds = re.findall(
        r"/desk/decisions/new/([a-z-]+)\?report=40", officer.get("/desk/decisions?report=40").text
    )
    assert {"not-rated", "result", "rounds"} < {*kinds}
    assert "k" not in kinds
    assert 'value="40"' in officer.get("/desk/decisions/new/not-rated?report=40").text
    assert officer.get("/desk/decisions/new/nonsense").status_code == 404


def test_every_kind_of_decision_has_a_sentence(own: Served) -> None:
    for kind in set(KINDS) - {"fact"}:
        assert own.client("officer", "fr").get(f"/desk/decisions/new/{kind}").status_code == 200
        assert all(load_words(language).has(f"decided.{kind}") for language in ("en", "it", "fr"))


def rated_report(own: Served) -> int:
    """The latest tournament that a chess list rates."""
    tournaments = own.client().get("/api/v1/tournaments").json()["tournaments"]
    return int(next(it["id"] for it in tournaments if it["rated_with"] and it["list"] == "standard"))


def test_a_tournament_that_is_not_rated_by_decision_says_so_and_shows_no_changes(
    own: Served, tmp_path: Path
) -> None:
    client, number = own.client(), rated_report(own)
    page, api = f"/tournaments/{number}", f"/api/v1/tournaments/{number}"
    assert "Published in the list" in client.get(page).text
    assert any(it["change"] for it in client.get(api).json()["players"])
    office = replace(own.office, author="officer")
    before = client.get(page).headers["etag"]

    decision = decide(office, "not-rated", report=number, reason="no arbiter")

    shown = client.get(page, headers={"if-none-match": before})
    assert (shown.status_code, "Not rated by decision of 15 January 2025" in shown.text) == (200, True)
    assert not any(it["change"] for it in client.get(api).json()["players"])
    revise(office, ListName.STANDARD, tmp_path, reason="no arbiter", kinds=("canonical",))
    shown_text = client.get(page).text
    assert "Not rated by decision of 15 January 2025" in shown_text
    assert "Published in the list" not in shown_text
    assert "It will be rated with the next list" not in shown_text
    assert client.get(api).json()["tournament"]["not_rated"] == "2025-01-15"
    assert client.get(api).json()["tournament"]["rated_with"] == []
    name = report_file(office, number)[0].name
    overview = client.get("/tournaments", params={"q": name}).text
    assert "not rated" in overview
    if f'href="{page}"' in client.get("/").text:
        assert re.search(rf'href="{page}".*?not rated', client.get("/").text, re.DOTALL)
    revoke(office, decision, reason="there was one")
    assert "Not rated by decision" not in client.get(page).text


def test_a_withdrawn_tournament_says_so(own: Served) -> None:
    client, number = own.client(), rated_report(own)
    withdraw(replace(own.office, author="officer"), number, reason="the games were never played")
    shown = client.get(f"/tournaments/{number}")
    assert shown.status_code == 200
    assert "This tournament was withdrawn on 15 January 2025" in shown.text
    assert "Won by" not in shown.text
    assert client.get(f"/tournaments/{number}/files/{number}.csv").status_code == 404
    assert f'href="/tournaments/{number}"' not in client.get("/tournaments").text
