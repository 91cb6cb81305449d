"""The desk's page of a report: facts stated by decision, a report moved, a withdrawal undone, a report sent again."""

import re
from html import unescape

import pytest

from tests.builders.site_fixtures import OPEN, Served, proof
from tests.office.inbox.test_report_pages import sent


def facts_shown(text: str) -> dict[str, str]:
    """The facts as the form holds them: what is chosen, what is filled in."""
    form = text.partition('/facts"')[2].partition("</form>")[0]
    found = dict(re.findall(r'<input name="(\w+)" type="\w+" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]*)" selected', options)
        found[name] = chosen[0] if chosen else ""
    return found


def test_an_officer_states_facts_and_the_page_tells_them(own: Served) -> None:
    report = sent(own, OPEN.decode())
    officer = own.client("officer")
    form = facts_shown(officer.get(report).text)
    assert (form["kind"], form["national_championship"], form["list"]) == ("", "", "standard")

    stated = form | {"kind": "swiss", "national_championship": "yes", "reason": "letter of 3 May"}
    answer = officer.post(f"{report}/facts", data={"csrf": proof(officer, report), **stated})

    assert answer.status_code == 303
    text = officer.get(report).text
    assert (facts_shown(text)["kind"], facts_shown(text)["national_championship"]) == ("swiss", "yes")
    told = unescape(re.sub(r"<[^>]+>", "", text))
    assert "facts stated: Kind of tournament Swiss; National championship yes" in told
    assert "letter of 3 May" in told
    italian = unescape(re.sub(r"<[^>]+>", "", own.client("officer", "it").get(report).text))
    assert "Tipo di torneo svizzero; Campionato nazionale sì" in italian
    assert "Tipo di torneo: svizzero" in own.client("officer", "it").get("/desk/decisions").text


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ({"registered": "yesterday"}, "registered"),
        ({"kind": "knockout"}, "kind"),
        ({"official": "perhaps"}, "official"),
        ({}, ""),
    ],
)
def test_what_cannot_be_stated_is_refused_beside_its_field(
    own: Served, stated: dict[str, str], field: str
) -> None:
    report = sent(own, OPEN.decode())
    officer = own.client("officer")
    form = facts_shown(officer.get(report).text) | stated | {"reason": "x"}
    answer = officer.post(f"{report}/facts", data={"csrf": proof(officer, report), **form})
    assert answer.status_code == 422
    marked = re.findall(r'name="(\w+)"[^>]* aria-invalid', answer.text)
    assert marked == ([field] if field else [])


def test_an_arbiter_states_no_facts_and_undoes_nothing(own: Served) -> None:
    report = sent(own, OPEN.decode())
    arbiter = own.client("arbiter")
    assert "/facts" not in arbiter.get(report).text
    number = report.rpartition("/")[2]
    for address in (f"{report}/facts", "/desk/acts/reinstate"):
        form = {"csrf": proof(arbiter, report), "report": number, "reason": "x", "kind": "swiss"}
        assert arbiter.post(address, data=form).status_code == 403


def test_a_withdrawal_is_undone_on_the_page(own: Served) -> None:
    report = sent(own, OPEN.decode())
    officer = own.client("officer")
    for verb, shown in (("withdraw", "withdrawn"), ("reinstate", "received")):
        form = {"csrf": proof(officer, report), "report": report.rpartition("/")[2], "reason": "why not"}
        assert officer.post(f"/desk/acts/{verb}", data=form).status_code == 303
        assert re.search(rf'<span class="tag[^"]*">{shown}</span>', officer.get(report).text)


def test_a_returned_report_is_sent_again_with_other_facts(own: Served) -> None:
    sender, officer = own.client("arbiter"), own.client("officer")
    form = {"name": "open.trf", "text": OPEN.decode(), "licensed_arbiters": "no"}
    report = sender.post("/desk/send", data={"csrf": proof(sender, "/check"), **form}).headers["location"]
    reason = {"csrf": proof(officer, report), "reason": "licences?"}
    assert (
        officer.post("/desk/acts/return", data=reason | {"report": report.rpartition("/")[2]}).status_code
        == 303
    )
    number = report.rpartition("/")[2]

    page = sender.get(f"/check?replaces={number}").text
    assert re.search(r'<select name="licensed_arbiters">.*?<option value="no" selected', page, re.DOTALL)
    again = form | {"licensed_arbiters": "yes", "replaces": number, "csrf": proof(sender, "/check")}
    anew = sender.post("/desk/send", data=again).headers["location"]

    assert anew != report
    assert f'href="/desk/reports/{number}"' in sender.get(anew).text
    assert "licensed" not in " ".join(re.findall(r'<li class="error">(.*?)</li>', sender.get(anew).text))
