"""Values with which the acts and queries of titles work in the office of the demo."""

from datetime import date
from typing import Any

from arpad.office.office import Office
from arpad.office.reports.entrant_rows import NEW
from arpad.office.titles.acts import record_norm
from arpad.regulations.fide.titles.rules import NormTitle
from tests.builders.example_report import NUMBER
from tests.builders.norm_reports import TRF
from tests.builders.verbs import accept, submit

OF_REPORT = {"report": NUMBER}
OF_NORM = {**OF_REPORT, "fact": {"official": "Bianchi, Anna"}}

GIVEN: dict[str, dict[str, Any]] = {
    "title norm": {"title": "IM"},
    "title record": OF_REPORT,
    "title report-norms": OF_REPORT,
    "title certificate": OF_NORM,
    "title it1": OF_NORM,
    "title tournament": OF_NORM,
    "title it3": OF_NORM,
    "title apply": {"fact": {"birth_place": "Torino"}},
    "title it2": {"fact": {"birth_place": "Torino"}},
}


def prepare(office: Office) -> None:
    """Accept a report in which a player made norms for GM and IM, and put another norm on record."""
    sent = submit(office, TRF.encode(), "norms.trf")
    codes = {finding.code for finding in sent.findings}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(office, sent.report, matches=new, overrule=codes, reason="a made report")
    record_norm(
        office,
        1,
        NormTitle.IM,
        event="Open di Torino",
        first_day=date(2024, 5, 1),
        last_day=date(2024, 5, 9),
        games=9,
    )
