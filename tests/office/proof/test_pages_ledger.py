"""The activity log for people: who, what and when, filtered, and as CSV; signatures stand with the act before."""

import csv
import io
import re
from dataclasses import replace

from arpad.office.proof.checkpoints import record_checkpoint
from arpad.office.settings.acts import change_settings
from tests.builders.site_fixtures import Served, compact

LOG = "/desk/ledger"


def rows(page: str) -> list[str]:
    return re.findall(r'<tr id="act-\d+">.*?</tr>', page, re.DOTALL)


def changed(own: Served, **settings: str) -> None:
    change_settings(replace(own.office, author="administrator"), set_=settings, reason="asked")


def test_an_act_is_a_sentence_with_the_name_and_the_clock_of_the_office(own: Served) -> None:
    changed(own, time_zone="Europe/Rome")
    changed(own, contact="ratings@example.org")
    first = compact(rows(own.client("officer").get(LOG).text)[0])
    assert '<td class="nowrap">15 January 2025, 10:00</td>' in first  # 9:00 in UTC
    assert '<th scope="row">Administrator</th>' in first
    assert "<b>Settings changed</b>" in first
    assert "asked" in first


def test_a_signature_stands_with_the_act_before(own: Served) -> None:
    changed(own, contact="ratings@example.org")
    record_checkpoint(replace(own.office, author="arpad work"))
    officer = own.client("officer")
    page = officer.get(LOG).text
    assert "Ledger signed" not in page
    assert "signed</summary>" in compact(rows(page)[0])
    asked = rows(officer.get(f"{LOG}?verb=checkpoint").text)
    assert asked
    assert all("Ledger signed" in it for it in asked)


def test_acts_are_found_by_person_kind_tournament_and_day(own: Served) -> None:
    changed(own, contact="ratings@example.org")
    officer = own.client("officer")
    by_person = rows(officer.get(f"{LOG}?author=administrator").text)
    assert len(by_person) == 1
    accepted = rows(officer.get(f"{LOG}?verb=accept").text)
    assert accepted
    assert all("Report accepted" in it for it in accepted)
    about = rows(officer.get(f"{LOG}?report=1").text)
    assert 1 < len(about) < 10
    assert all('href="/desk/reports/1"' in it for it in about)
    assert len(rows(officer.get(f"{LOG}?first=2025-01-15&until=2025-01-15").text)) == len(
        rows(officer.get(f"{LOG}?first=2025-01-15").text)
    )
    assert rows(officer.get(f"{LOG}?until=2000-01-01").text) == []
    assert "Nothing like this was done." in officer.get(f"{LOG}?until=2000-01-01").text


def test_a_filter_that_cannot_be_understood_comes_back(own: Served) -> None:
    officer = own.client("officer")
    for asked in ("first=soon", "report=nobody at all"):
        answer = officer.get(f"{LOG}?{asked}")
        assert (answer.status_code, 'id="refused"' in answer.text) == (422, True), asked


def test_older_acts_follow_with_the_same_filter(served: Served) -> None:
    officer = served.client("officer")
    page = officer.get(LOG).text
    older = re.search(r'rel="next" href="([^"]+)"', page)
    assert older is not None
    numbers = [set(re.findall(r'id="act-(\d+)"', officer.get(it).text)) for it in (LOG, older[1])]
    assert len(numbers[0]) == 100
    assert not numbers[0] & numbers[1]


def test_what_is_shown_is_a_table_to_save(own: Served) -> None:
    answer = own.client("officer").get(f"{LOG}/acts.csv?verb=accept")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    table = list(csv.reader(io.StringIO(answer.text)))
    assert table[0] == ["Entry", "Time", "Person", "What", "About", "Reason"]
    assert len(table) > 20
    assert {row[3] for row in table[1:]} == {"report accepted"}
    assert own.client("bound").get(f"{LOG}/acts.csv").status_code == 403
