"""The register of arbiters, from a form or a file, and what it says about a submitted report."""

from datetime import date

import pytest

from arpad.model.declared import Upload
from arpad.model.errors import ArpadError, BadInput
from arpad.office.arbiters.acts import (
    arbiters,
    change_arbiter,
    import_arbiters,
    license_arbiter,
    register_arbiter,
)
from arpad.office.office import Office
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk
from tests.builders.verbs import ledger, verify

FIRST, LAST = date(2018, 1, 1), date(2018, 12, 31)


def imported(office: Office, text: str) -> tuple[int, int]:
    """Import a file; return how many arbiters are new, and how many were changed."""
    done = import_arbiters(office, Upload("arbiters.csv", text.encode()))
    return done.entered, done.changed


def test_an_arbiter_is_entered_changed_and_licensed(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    number = register_arbiter(office, " Rossi, Mario ", fide="800123", federation="ITA", title="FA").arbiter
    change_arbiter(office, number, set_={"title": "IA"})
    license_arbiter(office, number, since=FIRST, until=LAST)
    license_arbiter(office, number, since=FIRST, until=date(2018, 6, 30))
    (arbiter,) = arbiters(office).arbiters
    assert (arbiter.name, arbiter.fide, arbiter.title) == ("Rossi, Mario", "800123", "IA")
    assert arbiter.licences == ({"from": FIRST, "until": date(2018, 6, 30)},)
    acts = len(list(ledger(office)))
    change_arbiter(office, number, set_={"title": "IA"})
    assert len(list(ledger(office))) == acts
    assert verify(office).intact


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": " "}, "value-missing"),
        ({"title": "GM"}, "value-unknown"),
        ({"fide": "80 0"}, "bad-form"),
        ({"fide": "800123"}, "arbiter-number-taken"),
    ],
)
def test_a_wrong_fact_is_refused_and_nothing_is_written(
    sqlite_desk: Desk, values: dict[str, str], code: str
) -> None:
    register_arbiter(sqlite_desk.office, "Rossi, Mario", fide="800123")
    with pytest.raises(BadInput) as refused:
        register_arbiter(sqlite_desk.office, **({"name": "Bianchi, Anna"} | values))  # type: ignore[arg-type]
    assert refused.value.code == code
    assert len(arbiters(sqlite_desk.office).arbiters) == 1


def test_a_licence_cannot_end_before_it_begins_nor_belong_to_nobody(sqlite_desk: Desk) -> None:
    with pytest.raises(BadInput, match="no-arbiter"):
        license_arbiter(sqlite_desk.office, 7, since=FIRST)
    number = register_arbiter(sqlite_desk.office, "Rossi, Mario").arbiter
    with pytest.raises(BadInput, match="licence-backwards"):
        license_arbiter(sqlite_desk.office, number, since=date(2018, 5, 1), until=date(2018, 4, 30))
    with pytest.raises(BadInput, match="value-missing"):
        register_arbiter(sqlite_desk.office, "Bianchi, Anna", until=LAST)


FILE = """name;fide;federation;title;licence_from;licence_until
Rossi, Mario;800123;ITA;IA;2018-01-01;2018-12-31
Bianchi, Anna;;ITA;FA;;
"""


def test_a_file_is_imported_twice_without_doubling(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    assert imported(office, FILE) == (2, 0)
    assert imported(office, FILE) == (0, 0)
    assert imported(office, FILE.replace("FA;;", "IA;2018-05-01;")) == (0, 1)
    assert arbiters(office).arbiters[1].licences == ({"from": date(2018, 5, 1), "until": None},)


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("Bianchi, Anna;;", ";;", "value-missing", 3),
        ("2018-12-31", "31 dicembre", "not-a-date", 2),
        ("2018-01-01", "", "value-missing", 2),
        ("2018-12-31", "2017-12-31", "licence-backwards", 2),
        ("IA;", "XY;", "value-unknown", 2),
        ("Anna;;", "Anna;800123;", "", 0),
        ("name;", "surname;", "arbiter-column", 1),
    ],
)
def test_a_wrong_row_is_refused_with_its_line_and_nothing_is_written(
    sqlite_desk: Desk, old: str, new: str, code: str, line: int
) -> None:
    office, text = sqlite_desk.office, FILE.replace(old, new)
    if not code:  # the second row changes the arbiter of the first: the same number
        assert imported(office, text) == (1, 1)
        return
    with pytest.raises(ArpadError) as refused:
        imported(office, text)
    assert (refused.value.code, refused.value.facts["line"]) == (code, line)
    assert arbiters(office).arbiters == ()


def test_a_submitted_report_is_checked_against_the_register(sqlite_desk: Desk) -> None:
    """``event`` names IA Rossi as the chief arbiter."""
    office = sqlite_desk.office
    sqlite_desk.on(date(2018, 5, 10))
    number = register_arbiter(office, "Rossi", title="IA").arbiter
    codes = {finding.code for finding in sqlite_desk.send(event("Open", WIN, date(2018, 5, 5))).findings}
    assert {"arbiter-licence-missing", "arbiters-not-licensed"} <= codes
    license_arbiter(office, number, since=FIRST, until=LAST)
    codes = {finding.code for finding in sqlite_desk.send(event("Cup", WIN, date(2018, 5, 6))).findings}
    assert not {code for code in codes if "arbiter" in code or "licen" in code}
