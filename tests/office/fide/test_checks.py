"""Entrants are compared with the reference list in force on the first day; each difference is a finding."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.rules import Finding, Severity
from arpad.office.fide.reference import add_reference
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.report import Entrant
from tests.builders.chess import event
from tests.builders.offices import NEW, Clock, Desk, listed, trf
from tests.builders.reference import row, write_reference
from tests.builders.verbs import declare_scheme, init, set_source_scheme, submit

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
TABLE = "\n".join(f"{number} 2000 | .H" for number in range(1, 11))
TABLE = f"\n1 2000 | 2w=\n2 2000 | 1b=\n{chr(10).join(TABLE.splitlines()[2:])}\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("checks")
    made = Desk.made(str(folder / "office.db"), folder, Clock())
    made.list(JAN, *(listed(number, 2000) for number in range(1, 11)))
    lines = [row(9000 + number, f"Player {number}", "ITA", "M", born="1980") for number in range(1, 10)]
    lines[1] = row(9002, "Other, Name", "ITA", "M")
    lines[2] = row(9003, "Player 3", "ITA", "M", born="1980", flag="i")
    add_reference(made.office, write_reference(folder, "feb.txt", *lines), FEB)
    yield made
    made.office.close()


def findings(desk: Desk, day: date, name: str, **changes: object) -> list[Finding]:
    """Return the findings about the reference list of a report whose first entrant is changed."""
    report = event(name, TABLE, day, day)
    first: Entrant = replace(report.entrants[0], **changes)  # type: ignore[arg-type]
    report = replace(report, entrants=(first, *report.entrants[1:]))
    desk.on(date(2018, 2, 20))
    sent = submit(desk.office, trf(report), f"{name}.trf")
    return [finding for finding in sent.findings if finding.code.startswith("reference-")]


ALWAYS = {("reference-name-differs", 2), ("reference-inactive", 3), ("reference-number-unknown", 10)}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, None),
        ({"born": 1981}, "reference-birth-differs"),
        ({"born": date(1980, 5, 5)}, None),
        ({"sex": "w"}, "reference-sex-differs"),
        ({"federation": "FRA"}, "reference-federation-differs"),
    ],
)
def test_each_difference_is_a_finding_at_its_entrant(
    desk: Desk, changes: dict[str, object], code: str | None
) -> None:
    found = findings(desk, date(2018, 2, 10), f"open {sorted(changes)} {changes}"[:40], **changes)
    expected = ALWAYS | ({(code, 1)} if code else set())
    assert {(finding.code, finding.player) for finding in found} == expected
    for finding in found:
        severity = Severity.INFO if finding.code == "reference-inactive" else Severity.WARNING
        assert (finding.severity, finding.line is not None) == (severity, True)
        for language in LANGUAGES:
            assert "{" not in load_words(language).finding(finding)


def test_a_difference_in_a_sheet_names_its_cell(desk: Desk) -> None:
    report = event("sheet", TABLE, date(2018, 2, 11), date(2018, 2, 11))
    desk.on(date(2018, 2, 20))
    sent = submit(desk.office, write_report(report, "crosstable-xlsx")[0], "sheet.xlsx")
    cells = {it.player: it.facts["cell"] for it in sent.findings if it.code.startswith("reference-")}
    assert cells.keys() == {2, 3, 10}
    assert all(cells.values())


def test_before_the_first_reference_list_nothing_is_compared(desk: Desk) -> None:
    assert findings(desk, date(2018, 1, 10), "january") == []


def test_numbers_of_another_scheme_are_not_compared_with_fides_list(tmp_path: Path) -> None:
    """ICU number 1 is on FIDE's list too, under the name of somebody else."""
    settings = {**NEW, "federation": "IRL", "numbers": ()}
    office = init(str(tmp_path / "irl.db"), **settings, now=Clock(date(2018, 2, 20)))
    add_reference(office, write_reference(tmp_path, "feb.txt", row(1, "Other, Name", "ITA", "M")), FEB)
    report = event("Open", "1 0 | 2w1\n2 0 | 1b0", date(2018, 2, 10))
    entrants = tuple(replace(it, id=str(it.number), federation="IRL") for it in report.entrants)
    report = replace(report, entrants=entrants, header=replace(report.header, federation="IRL"))

    def about_numbers(name: str, scheme: str | None) -> list[str]:
        named = replace(report, header=replace(report.header, name=name))
        sent = submit(office, trf(named), f"{name}.trf", facts=EventFacts(number_scheme=scheme))
        return [it.code for it in sent.findings if it.code.startswith(("reference-", "numbers-"))]

    assert about_numbers("Unknown", None) == ["numbers-unknown-scheme"]
    assert about_numbers("FIDE", "fide") == ["reference-name-differs", "reference-number-unknown"]
    declare_scheme(office, "icu", name="Irish Chess Union", pattern="9{1-5}")
    set_source_scheme(office, "federation", "irl", "icu")
    assert about_numbers("ICU", None) == []
    office.close()
