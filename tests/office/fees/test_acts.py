"""The year's account of fees of an office."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arpad.office.verbs import verify, withdraw
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
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
    fees, account = tmp_path / "fees.toml", tmp_path / "account.csv"
    fees.write_text(TABLE)
    command = ("office", "fees", "2018", "--table", str(fees), "--db", desk.place)
    data = run_json(capsys, *command, "--csv", str(account))
    assert [(item["report"], item["total"]) for item in data["events"]] == [(1, "3.00")]
    assert data["total"] == "3.00"
    assert (
        account.read_text().splitlines()[1] == "1,Open,ITA,2018-05-05,2018-05-05,Rating fee,2,1.50,3.00,EUR"
    )
    _, out, _ = run(capsys, *command, "--lang", "it")
    assert "Tutti i tornei: 3,00 EUR" in out


def test_a_wrong_table_is_refused(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fees = tmp_path / "fees.toml"
    fees.write_text(TABLE.replace("1.50", "-1.50"))
    sentence = refusal(
        capsys, "office", "fees", "2018", "--table", str(fees), "--db", desk.place, "--lang", "en"
    )
    assert "negative amount" in sentence


def test_the_office_keeps_its_table_and_writes_an_invoice(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fees, paper = tmp_path / "fees.toml", tmp_path / "invoice.pdf"
    fees.write_text(TABLE)
    office = ("--db", desk.place, "--lang", "en")
    head = ("--pdf", str(paper), "--to", "Circolo")
    assert "no fee table" in refusal(capsys, "office", "invoice", "1", *head, *office)
    assert run(capsys, "office", "fee-table", str(fees), *office)[0] == 0
    assert run(capsys, "office", "fee-table", *office)[1] == TABLE
    assert run_json(capsys, "office", "fees", "2018", "--db", desk.place)["total"] == "3.00"
    assert run(capsys, "office", "invoice", "1", *head, *office)[0] == 0
    assert paper.read_bytes().startswith(b"%PDF")
    assert "for whom the invoice is" in refusal(capsys, "office", "invoice", "1", *head[:2], *office)
    assert "withdrawn" in refusal(capsys, "office", "invoice", "2", *head, *office)
    fees.write_text(TABLE.replace("1.50", "-1.50"))
    assert "negative amount" in refusal(capsys, "office", "fee-table", str(fees), *office)
    assert verify(desk.office).intact
