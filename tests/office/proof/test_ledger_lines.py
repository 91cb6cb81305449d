"""The ledger in words: players, reports and lists by name, and a word for each verb."""

import re
from dataclasses import replace
from datetime import date

from arpad.explain.words import load_words
from arpad.model.clubs import UnitKind
from arpad.office.clubs.acts import enter_club
from arpad.office.inbox.submit import submit
from arpad.office.proof.ledger_lines import ledger_lines
from arpad.office.reports import rows as reports
from arpad.store.declared_tables import verbs as all_verbs
from arpad.store.ledger import Act
from tests.builders.site_fixtures import Served, compact


def test_every_verb_has_words_in_both_languages() -> None:
    verbs = all_verbs()
    assert len(verbs) > 30
    for language in ("it", "en"):
        words = load_words(language)
        assert [verb for verb in sorted(verbs) if not words.has(f"site.verb-{verb}")] == []


def test_the_page_names_a_region_and_a_replaced_report(own: Served) -> None:
    office = replace(own.office, author="anna")
    enter_club(office, "PIE", "Piemonte", kind=UnitKind.REGION, since=date(2026, 1, 1))
    enter_club(office, "TOR", "Torino", kind=UnitKind.CLUB, since=date(2026, 1, 1), region="PIE")
    with office.store.reading() as connection:
        first, filed_first = min(reports.filed(connection).items())
        name, data = filed_first.name, reports.data(connection, first)
    filed = submit(office, data + b"\n", "again.trf", replaces=first)

    page = compact(own.client("officer").get("/desk/ledger").text)
    assert re.search(r"<b>Region entered</b>: Piemonte · PIE", page)
    assert re.search(r"<b>Club entered</b>: Torino · TOR", page)
    row = re.search(rf'</b>:<a href="/desk/reports/{filed.report}">(.*?)<details>', page)
    assert row is not None
    assert row[1].startswith(f'{name}</a>·<a href="/desk/reports/{first}">replaces report {first}</a>· ')
    assert row[1].count(name) == 1


def test_the_page_names_what_an_act_was_about(served: Served) -> None:
    officer = served.client("officer")
    pages = [compact(officer.get(f"/desk/ledger?before={number}").text) for number in (0, 200, 100)]
    text = "".join(pages)

    assert re.search(r'<b>Report accepted</b>:<a href="/desk/reports/\d+">[A-Z][^<]+</a>', text)
    assert re.search(
        r'<b>List published</b>:<a href="/lists/\w+-\d{4}-\d\d-\d\d-r1">[a-z ,0-9A-Z]+</a>', text
    )
    assert re.search(r'<a href="/lists/[\w-]+/difference">', text)
    for address in set(re.findall(r'href="(/lists/[\w/-]+)"', text)):
        assert officer.get(address).status_code == 200, address


def test_an_act_about_several_reports_names_them(served: Served) -> None:
    act = Act(1, "2025-01-15T09:00:00Z", "anna", "sent-to-fide", '{"report":[1,2]}', "", "", "", "")
    with served.office.store.reading() as connection:
        (line,) = ledger_lines(connection, [act], load_words("en"))
        titles = reports.report_titles(connection, {1, 2})
    assert [(it.text, it.address) for it in line.pieces] == [
        (titles[number], f"/desk/reports/{number}") for number in (1, 2)
    ]
