"""The page of fees at the desk: the table, the account of a year, the invoice of an event."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arpad.office.fees.account import fee_table_text
from arpad.regulations.fee_table import read_fee_table
from tests.builders.site_fixtures import Served, serving_copy
from tests.web.test_forms import sent

TABLE = """currency = "EUR"
issuer = ["Federazione di Bellariva"]
[[fee]]
name = "Rating fee"
name_it = "Tassa di valutazione"
per = "player"
amount = "1.50"
"""

FEES, SET, ISSUE = "/desk/fees", "/desk/acts/fee/set-table", "/desk/acts/fee/invoice"


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demo office of its own: its fee table is changed."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("fees")) as served:
        yield served


def test_an_officer_keeps_a_table_and_takes_the_account(site: Served) -> None:
    client = site.client("officer")
    assert "The office has no fee table yet." in client.get("/desk/fees").text
    assert "no fee table yet" in client.get("/desk/files/fee/account-csv").text
    wrong = sent(client, FEES, SET, table=TABLE.replace("1.50", "-1.50"), **{"from": FEES})
    assert wrong.status_code == 422
    assert "ow 1 of the fee table has a negative amount: -1.50" in wrong.text
    assert "Federazione di Bellariva" in wrong.text  # what was typed stays
    assert sent(client, FEES, SET, table=TABLE).status_code == 303

    page = client.get("/desk/fees?year=2024").text
    assert "Rating fee" in page
    account = client.get("/desk/files/fee/account-csv?year=2024")
    assert account.headers["content-disposition"] == 'attachment; filename="fees-2024.csv"'
    rows = account.text.splitlines()
    assert rows[1].endswith(",EUR")
    assert "Tassa di valutazione" in site.client("officer", "it").get("/desk/fees?year=2024").text


ROW = {"per": "player", "amount": "1,50", "lists": "", "players_from": "", "players_to": "", "average_from": "",
       "average_below": "", "least": "", "more": "{}"}  # fmt: skip


def table_form(*rows: dict[str, str], **others: str) -> dict[str, Any]:
    """The form of the table with these rows."""
    full = [ROW | {"name": "Rating fee"} | row for row in rows]
    columns = {f"fee.{name}": [row[name] for row in full] for name in full[0]}
    return columns | {"currency": "EUR", "issuer": "Bellariva", "payment": "", "more": "{}", **others}


def test_the_table_is_a_form_with_rows(site: Served) -> None:
    client = site.client("officer")
    sent(client, FEES, SET, table="")
    assert 'name="fee.name" value="Rating fee"' in client.get(FEES).text, "an example to begin with"
    more = sent(
        client, FEES, FEES, **table_form({}, {"name": "Tournament fee", "per": "event"}, do="row")
    ).text
    assert more.count('name="fee.amount"') == 3
    assert more.count('value="1,50"') == 2, "nothing that was typed is lost"

    wrong = sent(client, FEES, FEES, **table_form({"name": ""}, {}, {"name": "Second", "amount": "-1"}))
    assert wrong.status_code == 422
    assert "ow 2 of the fee table has a negative amount: -1" in wrong.text
    assert re.search(r'value="-1" aria-label="Row 2, Amount"[^>]*aria-invalid="true"', wrong.text)

    tried = sent(client, FEES, FEES, **table_form({"per": "event", "amount": "30"}, do="try")).text
    assert tried.partition('id="tried"')[2].count("<b>30.00 EUR</b>") == 3
    assert client.get("/desk/files/fee/account-csv").status_code == 400, "nothing is saved yet"
    saved = sent(client, FEES, FEES, **table_form({}, {"name": ""}, {"name": "Guests", "per": "guest"}))
    assert saved.headers["location"] == FEES
    page = client.get(FEES).text
    assert "The fee table is set." in page
    assert re.findall(r'name="fee.name" value="([^"]*)"', page) == ["Rating fee", "Guests"]
    assert 'name="fee.amount" value="1.50"' in page


def test_the_form_keeps_what_it_has_no_field_for(site: Served) -> None:
    client = site.client("officer")
    categories = "categories = { first = 2251, step = 25 }\n"
    row = 'kinds = ["swiss"]\nlists = ["standard", "rapid"]\ncategory_from = 1\n'
    table = TABLE.replace("[[fee]]", categories + "[[fee]]") + row
    assert sent(client, FEES, SET, table=table).status_code == 303
    fields = [
        (html.unescape(name), html.unescape(value))
        for name, value in re.findall(r'<input[^>]* name="([^"]+)" value="([^"]*)"', client.get(FEES).text)
        if name in ("more", "fee.more")
    ]
    kept = dict(fields)
    form = table_form(
        {"name": "Rating fee", "lists": "standard,rapid", "more": kept["fee.more"]}, more=kept["more"]
    )
    assert sent(client, FEES, FEES, **form).status_code == 303
    with site.office.store.reading() as connection:
        read = read_fee_table(fee_table_text(connection))
    before = read_fee_table(table)
    assert (read.fees, read.first_category) == (before.fees, before.first_category)


@pytest.mark.parametrize("more", ["no json", "[1]", '{"fee": {"a": {}}}', '{"x\\n[[fee]]": 1}'])
def test_what_the_form_carries_along_cannot_break_the_table(site: Served, more: str) -> None:
    answer = sent(site.client("officer"), FEES, FEES, **table_form({"more": more}, more=more))
    assert answer.status_code in (303, 422)


def test_an_officer_issues_an_invoice_and_follows_it(site: Served) -> None:
    client = site.client("officer")
    sent(client, FEES, SET, table=TABLE)
    report, *_ = client.get("/desk/files/fee/account-csv?year=2024").text.splitlines()[1].split(",")
    year = "/desk/fees?year=2024"
    form = {"report": report, "from": year, "to": "Circolo\nvia Roma 1", "day": "2024-12-31"}
    assert sent(client, year, ISSUE, **form).status_code == 303
    assert "Invoice 2024/1" in client.get("/desk/fees?year=2024").text
    invoice = client.get("/desk/files/fee/paper?number=2024/1")
    assert (invoice.status_code, invoice.content[:4]) == (200, b"%PDF")
    at = "/desk/invoices?year=2024"
    assert sent(client, at, "/desk/acts/fee/pay", number="2024/1", day="2024-12-31").status_code == 303
    assert "paid on 31 December 2024" in client.get(at).text
    bound = site.client("bound")
    assert "2024/1" not in bound.get(at).text
    assert bound.get("/desk/files/fee/paper?number=2024/1").status_code == 403
    assert sent(bound, "/desk/arbiters", ISSUE, **form).status_code == 403


def test_an_officer_of_one_federation_sees_the_table_but_does_not_set_it(site: Served) -> None:
    client = site.client("bound")
    assert f'action="{SET}"' not in client.get("/desk/fees").text
    assert sent(client, "/desk/arbiters", SET, table=TABLE).status_code == 403
