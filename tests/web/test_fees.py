"""The page of fees at the desk: the table, the account of a year, the invoice of an event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import Served, serving_copy
from tests.web.test_forms import sent

TABLE = """currency = "EUR"
issuer = ["Federazione di Bellariva"]
[[fee]]
name = "Rating fee"
name_it = "Tassa di valutazione"
per = "player"
amount = "1.50"
"""


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demo office of its own: its fee table is changed."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("fees")) as served:
        yield served


def test_an_officer_keeps_a_table_and_takes_the_account_and_an_invoice(site: Served) -> None:
    client = site.client("officer")
    assert "The office has no fee table yet." in client.get("/desk/fees").text
    assert "no fee table yet" in client.get("/desk/fees.csv").text
    wrong = sent(client, "/desk/fees", "/desk/fees/table", table=TABLE.replace("1.50", "-1.50"))
    assert wrong.status_code == 422
    assert "ow 1 of the fee table has a negative amount: -1.50" in wrong.text
    assert "Federazione di Bellariva" in wrong.text  # what was typed stays
    assert sent(client, "/desk/fees", "/desk/fees/table", table=TABLE).status_code == 303

    page = client.get("/desk/fees?year=2024").text
    assert "Rating fee" in page
    account = client.get("/desk/fees.csv?year=2024")
    assert account.headers["content-disposition"] == 'attachment; filename="fees-2024.csv"'
    rows = account.text.splitlines()
    report, *_ = rows[1].split(",")
    assert rows[1].endswith(",EUR")
    address = f"/desk/fees/{report}/invoice.pdf"
    invoice = client.get(
        address, params={"number": "2024/1", "to": "Circolo\nvia Roma 1", "day": "2024-12-31"}
    )
    assert (invoice.status_code, invoice.content[:4]) == (200, b"%PDF")
    for given, sentence in (
        ({"number": "1"}, "for whom the invoice is"),
        ({"to": "Circolo"}, "number of the invoice"),
    ):
        refused = client.get(address, params=given)
        assert (refused.status_code, sentence in refused.text) == (400, True)
    assert "Tassa di valutazione" in site.client("officer", "it").get("/desk/fees?year=2024").text


def test_an_officer_of_one_federation_sees_the_table_but_does_not_set_it(site: Served) -> None:
    client = site.client("bound")
    assert 'action="/desk/fees/table"' not in client.get("/desk/fees").text
    assert sent(client, "/desk/arbiters", "/desk/fees/table", table=TABLE).status_code == 403
