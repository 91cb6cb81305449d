"""The norm calculator as a page: the answer of ``arpad calc norm``, from fields or from a link, without a script."""

from __future__ import annotations

import pytest

from tests.builders.site_fixtures import Served, compact
from tests.commands import run_json

ROUNDS = (
    ("1", "GM", "2500", "FRA"), ("1", "GM", "2490", "FRA"), ("1", "GM", "2480", "ESP"), ("=", "IM", "2470", "ESP"),
    ("=", "IM", "2460", "ITA"), ("1", "FM", "2450", "ITA"), ("=", "", "2440", "GER"), ("=", "", "2430", "GER"),
    ("=", "", "2420", "GER"),
)  # fmt: skip
NAMES = ("result", "opponent_title", "opponent_rating", "opponent_federation")
PLAYER = {"title": "GM", "federation": "GER", "host": "GER", "system": "swiss", "edition": "titles-2024"}


def typed(*rounds: tuple[str, ...]) -> dict[str, str | list[str]]:
    return {**PLAYER, **dict(zip(NAMES, map(list, zip(*rounds, strict=True)), strict=True))}


@pytest.mark.parametrize(
    ("language", "yes"), [("en", "GM norm: 6.5 points"), ("it", "Norma"), ("fr", "Norme")]
)
def test_fields_and_a_link_give_the_answer_of_the_command(
    bare: Served, capsys: pytest.CaptureFixture[str], language: str, yes: str
) -> None:
    client = bare.client(language=language)
    games = [":".join((str(number), *cells)) for number, cells in enumerate(ROUNDS, start=1)]
    by_fields = client.get("/calculators/norm", params=typed(*ROUNDS))
    by_link = client.get("/calculators/norm", params={**PLAYER, "game": games})
    command = run_json(
        capsys,
        "calc",
        "norm",
        "--title=GM",
        "--federation=GER",
        "--host=GER",
        *(f"--game={it}" for it in games),
    )
    assert (command["norm"], command["average"], command["performance"]) == (True, 2460, 2626)
    for answer in (by_fields, by_link):
        assert answer.status_code == 200
        assert yes in answer.text
        assert "2626" in answer.text
        assert 'href="/regulations/titles-2024#art-1.4.8"' in answer.text
        assert 'value="2420"' in answer.text  # what was asked can be changed


def test_what_was_missing_is_said_and_wrong_input_is_a_sentence(bare: Served) -> None:
    client = bare.client(language="en")
    lost = (*ROUNDS[:-1], ("0", "", "2420", "GER"))
    assert "6.5 points would have been enough" in compact(
        client.get("/calculators/norm", params=typed(*lost)).text
    )
    unknown = (("1", "XX", "2500", "FRA"), *ROUNDS[1:])
    for params, sentence in (
        (typed(*unknown), "XX"),
        ({**PLAYER, "federation": "Germany"}, "Germany"),
        ({**typed(*ROUNDS), "rounds": "5"}, "round 9"),
        ({**PLAYER}, "game"),
    ):
        answer = client.get("/calculators/norm", params=params)
        assert (answer.status_code, sentence in answer.text) == (400, True), sentence
    without = tuple((result, title, rating, "") for result, title, rating, _ in ROUNDS)
    assert "federation" in client.get("/calculators/norm", params=typed(*without)).text
    assert 'href="/calculators/norm"' in client.get("/calculators").text
