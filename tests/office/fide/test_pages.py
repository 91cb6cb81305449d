"""The page that compares FIDE's list with the office's own calculation."""

from __future__ import annotations

from tests.builders.site_fixtures import Served


def test_the_comparison_with_fide_says_what_it_needs(own: Served) -> None:
    client = own.client("officer", "it")
    page = client.get("/desk/reconciliation").text
    assert "Servono due liste di riferimento" in page
    assert client.get("/desk/files/fide/reconcile-csv").status_code == 400
    assert client.get("/desk/reconciliation?list=bullet").status_code == 200
