"""The year's account of fees of an office."""

from datetime import date
from pathlib import Path

import pytest

from arpad.office.fees.acts import set_fee_table
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import ledger, verify, withdraw
from tests.commands import refusal, run, run_json

TABLE = 'currency = "EUR"\n[[fee]]\nname = "Rating fee"\nper = "player"\namount = "1.50"\n'


@pytest.fixture
def desk(sqlite_desk: Desk) -> Desk:
    """An office with two accepted reports of 2018, of which one is withdrawn, and one of 2019."""
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    for name, day in (("Open", date(2018, 5, 5)), ("Gone", date(2018, 6, 5)), ("Next", date(2019, 1, 5))):
        sqlite_desk.report(event(name, WIN, day))
    withdraw(sqlite_desk.office, 2, reason="test")
    return sqlite_desk


def test_the_account_of_a_year_has_its_accepted_reports(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, office = tmp_path / "account.csv", ("--db", desk.place)
    assert "no fee table" in refusal(capsys, "office", "fee", "account", "2018", *office, "--lang", "en")
    set_fee_table(desk.office, TABLE)
    data = run_json(capsys, "office", "fee", "account", "2018", *office)
    assert [(item["report"], item["total"]) for item in data["events"]] == [(1, "3.00")]
    assert data["total"] == "3.00"
    run(capsys, "office", "fee", "account-csv", "2018", "--out", str(file), *office)
    assert file.read_text().splitlines()[1] == "1,Open,ITA,2018-05-05,2018-05-05,Rating fee,2,1.50,3.00,EUR"
    _, out, _ = run(capsys, "office", "fee", "account", "2018", *office, "--lang", "it")
    assert "Tutti i tornei: 3,00 EUR" in out


def test_the_office_keeps_its_table_until_another_follows(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fees, office = tmp_path / "fees.toml", ("--db", desk.place, "--lang", "en")
    fees.write_text(TABLE)
    assert run(capsys, "office", "fee", "set-table", str(fees), *office)[0] == 0
    assert run(capsys, "office", "fee", "table", *office)[1] == TABLE
    acts = len(list(ledger(desk.office)))
    set_fee_table(desk.office, TABLE)
    assert len(list(ledger(desk.office))) == acts
    assert "withdrawn" in refusal(capsys, "office", "fee", "invoice", "2", "--to", "Circolo", *office)
    fees.write_text(TABLE.replace("1.50", "-1.50"))
    assert "negative amount" in refusal(capsys, "office", "fee", "set-table", str(fees), *office)
    set_fee_table(desk.office, "")
    assert "no fee table" in run(capsys, "office", "fee", "table", *office)[1]
    assert verify(desk.office).intact
