"""Titles at the desk: from an accepted report to the certificate, the record and the application."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders.example_report import NUMBER
from tests.builders.site_fixtures import Served, serving_copy
from tests.office.titles.examples import prepare


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A demo office with an accepted report in which the first player made norms for GM and IM."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("titles")) as served:
        prepare(replace(served.office, author="officer"))
        yield served


def test_the_page_of_a_report_has_its_norms_and_papers(site: Served) -> None:
    client = site.client("officer")
    assert f'href="/desk/reports/{NUMBER}/norms"' in client.get(f"/desk/reports/{NUMBER}").text
    page = client.get(f"/desk/reports/{NUMBER}/norms").text
    assert "Put on record" in page
    assert 'value="1:GM"' in page
    paper = client.get(f"/desk/reports/{NUMBER}/it1.pdf?norm=1:GM&fact.official=Bianchi")
    assert (paper.status_code, paper.content[:4]) == (200, b"%PDF")
    assert f"it1-{NUMBER}-1-gm.pdf" in paper.headers["content-disposition"]
    assert client.get(f"/desk/reports/{NUMBER}/it1.pdf?norm=2:GM").status_code == 400


def test_the_page_of_titles_has_the_norms_and_the_next_title(site: Served) -> None:
    client = site.client("officer", "it")
    page = client.get("/desk/titles").text
    assert "Open di Torino" in page
    assert "Revoca" in page
    assert "partite di tutte le norme" in client.get("/desk/titles?player=1").text
