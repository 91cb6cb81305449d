"""What an act of the officer would do is shown before it, and what was done after it."""

import re
from datetime import date

import httpx

from arpad.model.rules import ListName
from tests.builders.site_fixtures import Served, compact, proof
from tests.builders.verbs import find_players, ledger, reports_on_file

DECEMBER = date(2024, 12, 1)


def post(client: httpx.Client, page: str, address: str, **form: str) -> httpx.Response:
    return client.post(address, data={"csrf": proof(client, page), **form})


def acts(own: Served) -> int:
    return len(ledger(own.office))


def test_a_preview_that_is_refused_keeps_its_form(own: Served) -> None:
    form = {"list": "standard", "mode": "lists", "reason": ""}
    refused = post(own.client("officer"), "/desk/corrections", "/desk/corrections/preview", **form)
    assert (refused.status_code, 'aria-describedby="refused"' in refused.text) == (422, True)


def test_a_correction_is_shown_before_it_is_published(own: Served) -> None:
    officer = own.client("officer")
    form = {"list": "standard", "mode": "lists", "reason": "the report is withdrawn"}
    before = acts(own)

    nothing = post(officer, "/desk/corrections", "/desk/corrections/preview", **form)
    assert "No list changes" in nothing.text
    assert acts(own) == before
    done = post(officer, "/desk/corrections", "/desk/corrections", **form)
    assert done.headers["location"] == "/desk/corrections"
    assert "No list changes, so nothing was published." in officer.get("/desk/corrections").text
    assert acts(own) == before

    on_file = reports_on_file(own.office, status="accepted", on_list=ListName.STANDARD)
    last = max(
        (filed.last_day, filed.id) for filed in on_file if filed.last_day and filed.last_day < DECEMBER
    )
    report = f"/desk/reports/{last[1]}"
    assert (
        post(officer, report, "/desk/acts/withdraw", report=str(last[1]), reason="no arbiter").status_code
        == 303
    )
    before = acts(own)
    shown = compact(post(officer, "/desk/corrections", "/desk/corrections/preview", **form).text)
    would = re.search(r"<h2>(\d+) lists? would be corrected</h2>", shown)
    assert would is not None
    assert "The original lists stay online." in shown
    assert acts(own) == before, "a rehearsal stores nothing"
    hidden = dict(re.findall(r'<input type="hidden" name="(list|mode|reason)" value="([^"]*)"', shown))
    assert hidden == form

    assert post(officer, "/desk/corrections", "/desk/corrections", **hidden).status_code == 303
    assert acts(own) == before + 2  # the correction, and the checkpoint behind it
    after = officer.get("/desk/corrections").text
    assert "The correction is published." in after
    assert after.count("/difference") >= int(would[1])


def test_a_merge_names_both_players_and_its_consequences_before_it_is_done(own: Served) -> None:
    officer = own.client("officer")
    names = [find_players(own.office, number)[0].name for number in ("1", "47")]
    before = acts(own)

    asked = compact(
        post(officer, "/desk/players/1", "/desk/players/1/merge", dropped="47", reason="twins").text
    )
    assert all(name in asked for name in names)
    assert "Merge these two players" in asked
    assert "tournaments of the second number count" in asked
    assert "Names or births do not agree" in asked
    assert 'name="confirmed" value="true" required' in asked
    assert acts(own) == before
    refused = post(officer, "/desk/players/1", "/desk/players/1/merge", dropped="1", reason="twins")
    assert refused.status_code == 422

    form = {"kept": "1", "dropped": "47", "reason": "twins", "from": "/desk/players/1"}
    unsure = post(officer, "/desk/players/1", "/desk/acts/merge", **form)
    assert unsure.status_code == 422
    assert "do not look like one person" in unsure.text
    assert acts(own) == before
    done = post(officer, "/desk/players/1", "/desk/acts/merge", **form, confirmed="true")
    assert done.status_code == 303
    assert "merge 1: 47 is now 1" in officer.get("/desk/players/1").text
    hide = post(officer, "/desk/players/1", "/desk/players/1/hide", reason="asked").text
    assert "disappears from the public pages" in hide
    assert officer.get("/players/1").status_code == 200


def test_an_erasure_says_what_goes_and_what_stays_before_it_is_done(own: Served) -> None:
    officer = own.client("officer", "en")
    asked, before = "/desk/players/1/erase", acts(own)
    form = {"confirm": "1", "by": "The Board", "reason": "asked in writing"}
    assert f'action="{asked}"' in officer.get("/desk/players/1").text

    shown = compact(post(officer, "/desk/players/1", asked, **form).text)
    assert "are deleted from the register, the lists, the activity log and" in shown
    assert "Ratings and games stay under the number 1." in shown
    assert "This cannot be undone." in shown
    assert 'action="/desk/acts/privacy/erase"' in shown
    assert all(f'name="{name}" value="{value}"' in shown for name, value in form.items())
    for wrong in ({"confirm": "2"}, {"reason": ""}):
        assert post(officer, "/desk/players/1", asked, **form | wrong).status_code == 422
    bound = own.client("bound")
    assert (
        post(bound, "/desk/players/40", "/desk/players/40/erase", confirm="40", reason="x").status_code == 403
    )
    assert acts(own) == before


def test_publishing_says_what_it_means_and_what_was_done(own: Served) -> None:
    officer = own.client("officer")
    draft = officer.get("/desk/draft?list=standard&day=2025-02-01").text
    assert "If you publish this list" in draft
    assert "Publish the list of 1 February 2025" in draft
    form = {
        field: re.findall(f'name="{field}" value="([0-9a-f]+)"', draft)[0]
        for field in ("standard.digest", "standard.inputs")
    }

    done = post(officer, "/desk/lists", "/desk/publish", list="standard", day="2025-02-01", **form)
    assert done.headers["location"] == "/desk/lists"
    told = officer.get("/desk/lists").text
    assert "Published for 1 February 2025: standard." in told
    assert 'href="/lists/standard-2025-02-01-r1"' in told
    assert "Published for" not in officer.get("/desk/lists").text
