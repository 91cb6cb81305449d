"""Invoices on record: numbers, payments, credit notes, the list of a year."""

import json
from datetime import date
from pathlib import Path

import pytest

from arpad.explain.fees import invoice_pdf
from arpad.model.errors import BadInput
from arpad.office.fees.acts import (
    InvoiceEntry,
    credit_invoice,
    invoices,
    issue_invoice,
    known_invoice,
    pay_invoice,
    reopen_invoice,
    set_fee_table,
)
from arpad.office.fees.rows import Invoice
from arpad.office.office import Office
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import ledger, verify, withdraw
from tests.commands import refusal, run
from tests.office.fees.test_acts import TABLE


def invoice_on_record(office: Office, number: str) -> Invoice:
    with office.store.reading() as connection:
        return known_invoice(connection, number)


def invoices_of_year(office: Office, year: int) -> list[InvoiceEntry]:
    return list(invoices(office, year).invoices)


@pytest.fixture
def books(desk: Desk) -> Desk:
    """An office with a fee table and three accepted reports, on each database."""
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    for name, day in (("Open", date(2018, 5, 5)), ("Second", date(2018, 6, 5)), ("Next", date(2018, 7, 5))):
        desk.report(event(name, WIN, day))
    set_fee_table(desk.office, TABLE)
    desk.clock.day = date(2018, 8, 1)
    return desk


def issue(desk: Desk, report: int, day: date | None = None, number: str = "") -> str:
    return issue_invoice(desk.office, report, to=["Circolo"], day=day, number=number).number


def test_numbers_follow_each_other_and_each_is_used_once(books: Desk) -> None:
    assert issue(books, 1) == "2018/1"
    with pytest.raises(BadInput, match="invoice-again") as again:
        issue(books, 1)
    assert again.value.facts["number"] == "2018/1"
    with pytest.raises(BadInput, match="invoice-number") as used:
        issue(books, 2, number="2018/1")
    assert used.value.facts["next"] == "2018/2"
    with pytest.raises(BadInput, match="invoice-number"):
        issue(books, 2, number="2018/7")
    assert issue(books, 2, number="2018/2") == "2018/2"
    books.clock.day = date(2019, 1, 3)
    assert issue(books, 3) == "2019/1"
    assert [it.number for it in invoices_of_year(books.office, 2018)] == ["2018/1", "2018/2"]
    assert verify(books.office).intact


def test_the_books_of_a_year_may_begin_later_than_one(books: Desk) -> None:
    assert issue(books, 1, number="2018/7") == "2018/7"
    assert issue(books, 2) == "2018/8"


def test_days_follow_the_numbers_and_are_not_later_than_today(books: Desk) -> None:
    issue(books, 1, date(2018, 7, 20))
    with pytest.raises(BadInput, match="invoice-day"):
        issue(books, 2, date(2018, 7, 19))
    with pytest.raises(BadInput, match="invoice-later"):
        issue(books, 2, date(2018, 8, 2))
    assert len(invoices_of_year(books.office, 2018)) == 1


def test_a_credit_note_has_its_own_number_and_frees_the_report(books: Desk) -> None:
    issue(books, 1)
    credit_invoice(books.office, "2018/1", reason="wrong recipient")
    note = invoice_on_record(books.office, "2018/2")
    assert (note.number, note.credits, note.total, note.state) == ("2018/2", "2018/1", -300, "credit-note")
    assert note.content["facts"][1] == "It cancels invoice 2018/1."
    assert (note.content["title"], note.content["total"]) == ("Credit note 2018/2", "-3.00 EUR")
    credited = invoice_on_record(books.office, "2018/1")
    assert (credited.state, credited.credited_by) == ("credited", "2018/2")
    for number, code in (("2018/1", "invoice-credited"), ("2018/2", "invoice-is-credit-note")):
        with pytest.raises(BadInput, match=code):
            credit_invoice(books.office, number, reason="again")
        with pytest.raises(BadInput, match=code):
            pay_invoice(books.office, number)
    assert issue(books, 1) == "2018/3"
    assert verify(books.office).intact


def test_an_invoice_is_open_until_it_is_paid_on_a_day(books: Desk) -> None:
    issue(books, 1)
    assert invoice_on_record(books.office, "2018/1").state == "open"
    paid = pay_invoice(books.office, "2018/1", day=date(2018, 7, 31))
    assert (paid.state, paid.paid) == ("paid", "2018-07-31")
    with pytest.raises(BadInput, match="invoice-paid"):
        pay_invoice(books.office, "2018/1")
    assert reopen_invoice(books.office, "2018/1", reason="the cheque bounced").state == "open"
    with pytest.raises(BadInput, match="invoice-not-paid"):
        reopen_invoice(books.office, "2018/1", reason="again")
    verbs_used = [act.verb for act in ledger(books.office)][-3:]
    assert verbs_used == ["invoice", "pay-invoice", "reopen-invoice"]
    assert verify(books.office).intact


def test_the_paper_stays_as_issued_when_the_table_and_the_report_change(books: Desk) -> None:
    issue_invoice(books.office, 1, to=["Circolo", "via Roma 1"], language="it")
    before = invoice_pdf(invoice_on_record(books.office, "2018/1").content)
    set_fee_table(books.office, TABLE.replace("1.50", "9.00"))
    withdraw(books.office, 1, reason="test")
    again = invoice_on_record(books.office, "2018/1")
    assert (again.total, again.content["total"], again.content["title"]) == (
        300,
        "3,00 EUR",
        "Fattura 2018/1",
    )
    assert invoice_pdf(again.content) == before
    assert before.startswith(b"%PDF")


def test_nothing_is_invoiced_without_a_fee_a_recipient_or_an_accepted_report(books: Desk) -> None:
    withdraw(books.office, 2, reason="test")
    with pytest.raises(BadInput, match="report-status"):
        issue(books, 2)
    with pytest.raises(BadInput, match="invoice-recipient"):
        issue_invoice(books.office, 1, to=[" "])
    with pytest.raises(BadInput, match="invoice-lines"):
        issue_invoice(books.office, 1, to=["x"] * 11)
    set_fee_table(books.office, TABLE + "players_from = 50\n")
    with pytest.raises(BadInput, match="invoice-nothing"):
        issue(books, 1)
    assert invoices_of_year(books.office, 2018) == []


def test_a_changed_row_is_found(sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.report(event("Open", WIN, date(2018, 5, 5)))
    set_fee_table(desk.office, TABLE)
    desk.clock.day = date(2018, 8, 1)
    issue(desk, 1)
    pay_invoice(desk.office, "2018/1")
    with desk.office.store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER keep_invoices_UPDATE")
        connection.exec_driver_sql("UPDATE invoices SET total = 100")
    assert not verify(desk.office).intact


def test_commands_show_and_write_what_is_on_record(
    sqlite_desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    for name, day in (("Open", date(2018, 5, 5)), ("=Second", date(2018, 6, 5))):
        desk.report(event(name, WIN, day))
    set_fee_table(desk.office, TABLE)
    desk.clock.day = date(2018, 8, 1)
    paper, account = tmp_path / "a.pdf", tmp_path / "c.csv"
    office = ("--db", desk.place, "--lang", "en")
    issue(desk, 1)
    issue(desk, 2)
    pay_invoice(desk.office, "2018/1")
    credit_invoice(desk.office, "2018/2", reason="twice")
    assert run(capsys, "office", "fee", "paper", "2018/1", "--out", str(paper), *office)[0] == 0
    assert paper.read_bytes().startswith(b"%PDF")
    assert "no invoice 2018/9" in refusal(capsys, "office fee paper 2018/9 --out", str(paper), *office)
    assert run(capsys, "office", "fee", "invoices-csv", "2018", "--out", str(account), *office)[0] == 0
    rows = account.read_text().splitlines()
    assert rows[1] == "2018/1,2018-08-01,invoice,paid,2018-08-01,,,1,Open,Circolo,3.00,EUR"
    assert rows[3] == "2018/3,2018-08-01,credit-note,credit-note,,2018/2,,2,'=Second,Circolo,-3.00,EUR"
    _, out, _ = run(capsys, "office", "fee", "invoices", "2018", *office)
    assert "credited by 2018/3" in out
    reopen_invoice(desk.office, "2018/1", reason="no")
    _, out, _ = run(capsys, "office", "fee", "invoices", "2018", "--lang", "it", "--db", desk.place)
    assert "Da incassare: 3,00 EUR" in out
    assert "No invoice of 2030" in run(capsys, "office", "fee", "invoices", "2030", *office)[1]


def test_the_ledger_says_no_recipient(books: Desk) -> None:
    issue(books, 1)
    act = list(ledger(books.office))[-1]
    assert json.loads(act.details) == {"invoice": "2018/1", "report": 1, "total": "3.00", "currency": "EUR"}
