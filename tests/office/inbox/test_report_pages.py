"""The desk: long lists come page by page, and everybody sees what is his."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from arpad.office.inbox import pages as desk
from arpad.office.inbox.submit import submit
from arpad.office.reports import rows as report_rows
from arpad.web.requests import paginate
from tests.builders.site_fixtures import OPEN, Served, proof


@pytest.mark.parametrize(
    ("asked", "shown"), [(1, ([1, 2], 1, 3)), (3, ([5], 3, 3)), (0, ([1, 2], 1, 3)), (99, ([5], 3, 3))]
)
def test_a_page_of_some_items(asked: int, shown: tuple[list[int], int, int]) -> None:
    assert paginate([1, 2, 3, 4, 5], asked, 2) == shown
    assert paginate([], asked, 2) == ([], 1, 1)


def test_long_lists_come_page_by_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_SHOWN", 10)
    officer = served.client("officer")
    first, second = officer.get("/desk/reports").text, officer.get("/desk/reports?page=2").text

    assert 'rel="next" href="/desk/reports?page=2"' in first
    assert 'rel="prev" href="/desk/reports?page=1"' in second
    assert not set(re.findall(r"/desk/reports/\d+", first)) & set(re.findall(r"/desk/reports/\d+", second))
    assert officer.get("/desk/reports?page=x").status_code == 200


def test_the_desk_reads_no_more_reports_than_it_shows(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    as_it_was = report_rows.filed

    def noting(connection: Connection, ids: Iterable[int] | None = None) -> dict[int, report_rows.Filed]:
        found = as_it_was(connection, ids)
        read.append(len(found))
        return found

    monkeypatch.setattr(report_rows, "filed", noting)
    monkeypatch.setattr(desk, "MOST_SHOWN", 10)
    officer = served.client("officer")
    for address in ("/desk/reports", "/desk/reports?page=3", "/desk/events", "/desk/corrections"):
        assert officer.get(address).status_code == 200
    assert max(read) == 10


def test_an_officer_of_one_federation_finds_its_reports_in_the_inbox(own: Served) -> None:
    """All reports of the demo are of ITA; this one is made one of FRA."""
    sender = own.client("arbiter")
    text = re.sub("(?m)^032 ITA", "032 FRA", OPEN.decode())
    assert "032 FRA" in text
    form = {"csrf": proof(sender, "/check"), "name": "open.trf", "text": text}
    report = sender.post("/desk/send", data=form).headers["location"]

    for login, shown in (("bound", {report}), ("arbiter", {report})):
        assert set(re.findall(r"/desk/reports/\d+", own.client(login).get("/desk/reports").text)) == shown
    assert len(set(re.findall(r"/desk/reports/\d+", own.client("officer").get("/desk/reports").text))) > 30


def about(report: str, form: dict[str, Any]) -> dict[str, Any]:
    """The form of an act about the report of a page."""
    return form | {"report": report.rpartition("/")[2], "from": report}


def sent(own: Served, text: str) -> str:
    """Where a report stands that was sent."""
    sender = own.client("arbiter")
    form = {"csrf": proof(sender, "/check"), "name": "open.trf", "text": text}
    return str(sender.post("/desk/send", data=form).headers["location"])


def test_who_decides_second_is_told_what_the_first_decided(own: Served) -> None:
    """Two officers have the same report before them; the form of the second is gone from the page."""
    report = sent(own, OPEN.decode())
    first, second = own.client("officer"), own.client("officer", "it")
    forms = [(client, {"csrf": proof(client, report), "reason": "again"}) for client in (first, second)]
    assert first.post("/desk/acts/return", data=about(report, forms[0][1])).status_code == 303
    answer = second.post("/desk/acts/accept", data=about(report, forms[1][1]))

    assert answer.status_code == 422
    number = report.rpartition("/")[2]
    told = re.findall(r'role="alert" id="refused"[^>]*>([^<]*)<', answer.text)
    assert told == [
        f"Il rapporto {number} è già restituito; si può fare solo con i rapporti in stato: ricevuto."
    ]


def test_errors_that_remain_are_said_in_words_and_stand_first(own: Served) -> None:
    lines = OPEN.decode().splitlines(keepends=True)
    report = sent(own, "".join(line.replace("Quaglia, Teodoro", "Marchesi, Leonardo") for line in lines))
    officer = own.client("officer")
    text = officer.get(report).text
    graveness = re.findall(r'<li class="(error|warning|info)">', text)
    assert set(graveness) == {"error", "warning", "info"}
    assert graveness == sorted(graveness, key=("error", "warning", "info").index)
    answer = officer.post(
        "/desk/acts/accept", data=about(report, {"csrf": proof(officer, report), "reason": ""})
    )
    codes = re.findall(r'name="overrule" value="([a-z-]+)"', answer.text)
    (told,) = re.findall(r'role="alert" id="refused"[^>]*>([^<]*)<', answer.text)
    assert codes
    assert told.startswith("The report still has errors")


def test_a_tournament_that_is_on_file_already_is_told_before_it_is_refused_and_replaces_the_other(
    own: Served,
) -> None:
    officer = own.client("officer")
    there = officer.get("/desk/reports/1/file").text
    report = sent(own, re.sub("(?m)^022 .*$", "022 Elsewhere", there))
    text = officer.get(report).text
    boxes = re.findall(r'name="overrule" value="([a-z-]+)"', text)
    assert "event-on-file" not in boxes
    assert re.findall(r'name="replaces" value="([0-9]+)"', text) == ["1"]
    form = {"csrf": proof(officer, report), "overrule": [*boxes, "event-on-file"], "reason": "played twice"}
    refused = officer.post("/desk/acts/accept", data=about(report, form))
    assert refused.status_code == 422
    assert "rated twice" in refused.text
    form = {"csrf": proof(officer, report), "overrule": boxes, "replaces": "1", "reason": "sent twice"}
    assert officer.post("/desk/acts/accept", data=about(report, form)).status_code == 303


def beside(client: httpx.Client, report: str) -> dict[str, str]:
    """The reports to which the page of a report leads as the previous and the next one that waits."""
    return dict(re.findall(r'<a rel="(prev|next)" href="([^"]+)"', client.get(report).text))


def test_a_report_leads_to_the_next_one_that_waits(own: Served) -> None:
    names = ("Quaglia, Teodoro", "Quaglia, Tiberio", "Quaglia, Tancredi")
    first, second, third = (sent(own, OPEN.decode().replace(names[0], name)) for name in names)
    officer = own.client("officer")
    assert beside(officer, first) == {"next": second}
    assert beside(officer, second) == {"prev": first, "next": third}
    officer.post("/desk/acts/return", data=about(second, {"csrf": proof(officer, second), "reason": "no"}))
    assert beside(officer, second) == {"prev": first, "next": third}, "one that is decided leads on"
    assert beside(officer, third) == {"prev": first}
    assert "2 reports wait" in officer.get(third).text
    assert beside(own.client("arbiter"), second) == {}


def test_a_sentence_says_that_facts_were_stated(own: Served) -> None:
    report = sent(own, OPEN.decode())
    officer = own.client("officer")
    form = {"csrf": proof(officer, report), "registered": "2018-03-01", "reason": "letter"}
    done = officer.post(f"{report}/facts", data=form)
    assert "is recorded" in officer.get(done.headers["location"]).text


def test_a_report_names_the_people_who_acted(own: Served) -> None:
    filed = submit(replace(own.office, author="officer"), OPEN, "open.trf")
    page = own.client("officer").get(f"/desk/reports/{filed.report}").text
    assert "<dd>Officer</dd>" in page
    assert re.search(r"· \d+ \w+ 2025 · Officer\b", page)
