"""``arpad fees`` on a report: amounts in both languages, the invoice, and what is asked for."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arpad.reports.formats import write_report
from tests.builders.chess import event
from tests.commands import refusal, run, run_json
from tests.regulations.test_fee_table import TABLE


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    fees, trf = tmp_path / "fees.toml", tmp_path / "open.trf"
    fees.write_text(TABLE + '\n[[fee]]\nname = "Guests"\nper = "event"\namount = "1234.50"\n')
    played = event("Open", "1 2000 | 2w1\n2 2100 | 1b0\n3 1900 | 4w1\n4 1900 | 3b0\n", date(2018, 5, 5))
    trf.write_bytes(write_report(played, "trf16")[0])
    return str(fees), str(trf)


def test_the_amounts_are_printed_and_given_as_data(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "fees", *files, "--lang", "it")
    assert status == 0
    assert "Open: 4 giocatori, 1.254,50 EUR" in out
    assert "Tassa di valutazione" in out
    (described,) = run_json(capsys, "fees", *files)["events"]
    assert described["total"] == "1254.50"
    assert [fee["total"] for fee in described["fees"]] == ["20.00", "1234.50"]


def test_the_invoice_is_a_pdf_and_the_same_each_time(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    invoices = [tmp_path / "first.pdf", tmp_path / "second.pdf"]
    for path in invoices:
        head = ("--number", "2018/7", "--to", "Circolo #1", "--to", "Bellariva", "--day", "2018-06-01")
        assert run(capsys, "fees", *files, "--pdf", str(path), *head)[0] == 0
    first, second = (path.read_bytes() for path in invoices)
    assert first.startswith(b"%PDF")
    assert first == second


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("--number", "1"), "state for whom the invoice is (to)"),
        (("--to", "Circolo"), "state the number of the invoice (number)"),
    ],
)
def test_missing_facts_of_an_invoice_are_asked_for(
    files: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    given: tuple[str, ...],
    sentence: str,
) -> None:
    invoice = tmp_path / "invoice.pdf"
    assert refusal(capsys, "fees", *files, "--pdf", str(invoice), *given, "--lang", "en") == sentence
    assert not invoice.exists()


def test_a_negative_amount_is_one_sentence_with_file_and_row(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files[0])
    path.write_text(path.read_text().replace('"1234.50"', '"-5"'))
    sentence = refusal(capsys, "fees", *files, "--lang", "en")
    assert sentence == f"{path}: row 2 of the fee table has a negative amount: -5"
