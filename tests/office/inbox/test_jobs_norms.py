"""Title norms on the site and in the API: the page of a checked report, the calculator, the document."""

import pytest

from tests.builders.norm_reports import TRF
from tests.builders.site_fixtures import Served, proof
from tests.office.inbox.test_check_pages import looked_at


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Title norms", "counts as 9 games", "1.4.8")),
        ("it", ("Norme di titolo", "vale 9 partite", "1.4.8")),
    ],
)
def test_the_preview_of_a_report_shows_its_norms(bare: Served, language: str, words: tuple[str, ...]) -> None:
    page = looked_at(bare.client(language=language), TRF)
    assert [word for word in words if word not in page] == []
    assert 'href="/regulations/titles-2024#art-1.4.8"' in page


def test_a_report_without_days_has_a_preview_without_norms(bare: Served) -> None:
    undated = "\n".join(line for line in TRF.splitlines() if line[:3] not in ("042", "052", "132"))
    assert 'id="norms"' not in looked_at(bare.client(), undated)


def test_the_papers_of_a_report(bare: Served) -> None:
    client = bare.client(language="it")
    form = {
        "csrf": proof(client, "/check"),
        "name": "open.trf",
        "text": TRF,
        "fact-official": "Bianchi, Anna",
    }
    for paper, name in (("IT3", "it3.pdf"), ("1:GM", "it1-1gm.pdf")):
        answer = client.post("/check/paper", data={**form, "paper": paper})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
        assert name in answer.headers["content-disposition"]
        assert answer.content.startswith(b"%PDF")
    for paper in ("2:GM", "", "1:XX"):
        assert client.post("/check/paper", data={**form, "paper": paper}).status_code == 400
    assert client.post("/check/paper", data={"csrf": form["csrf"]}).status_code == 400


def test_the_norms_of_a_report_for_programs(bare: Served) -> None:
    client = bare.client()
    document = client.post("/api/v1/norms", params={"name": "open.trf"}, content=TRF.encode()).json()
    (player, *_) = document["players"]
    assert [(norm["title"], norm["norm"], norm["games"]) for norm in player["norms"]] == [
        ("GM", True, 9),
        ("IM", True, 11),
    ]
    refused = client.post("/api/v1/norms", params={"edition": "own.toml"}, content=TRF.encode())
    assert refused.status_code == 400
    refused = client.post("/api/v1/norms", params={"title": "ZZ"}, content=TRF.encode())
    assert (refused.status_code, "ZZ" in refused.json()["detail"]) == (400, True)


def test_the_norm_calculator_for_programs(bare: Served) -> None:
    games = [f"{number}:1:GM:2500:{'FRA' if number < 4 else 'ESP'}" for number in range(1, 10)]
    query = {"title": "GM", "federation": "ITA", "game": games, "edition": "titles-2024"}
    document = bare.client().get("/api/v1/calc/norm", params=query).json()
    assert (document["norm"], document["counted"], document["games"]) == (True, list(range(1, 10)), 12)
