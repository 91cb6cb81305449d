"""The page of a report that was looked at: what it links to, what it says, in whose words."""

from __future__ import annotations

import re

import httpx

from tests.web.conftest import OPEN, Served, proof


def looked_at(client: httpx.Client, text: str) -> str:
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": text}
    answer = client.post("/check", data=form)
    assert answer.status_code == 200
    return answer.text


def many(players: int) -> str:
    """One round, each against the next, of as many players as that."""
    lines = ["012 Open", "042 2018/04/28", "052 2018/04/28"]
    for number in range(1, players + 1):
        other, side, result = (number + 1, "w", 1) if number % 2 else (number - 1, "b", 0)
        lines.append(
            f"001 {number:4d} m    {f'Bianchi, Carlo {number}':<33} {2000 - number:4d} ITA {'':>11} 1990/00/00 "
            f"{result:4.1f} {number:4d}  {other:4d} {side} {result}"
        )
    return "\n".join(lines) + "\n"


def test_every_name_of_the_preview_leads_to_games_that_are_there(served: Served) -> None:
    text = looked_at(served.client(), many(62))
    links, places = (re.findall(sign, text) for sign in (r'href="#(p\d+)"', r'id="(p\d+)"'))
    assert links == places
    assert len(links) == 60
    assert "Bianchi, Carlo 62" in text
    assert "The first 60 players of the report are shown here game by game." in text
    assert "are shown here game by game" not in looked_at(served.client(), many(60))


def test_the_kinds_of_tournaments_are_said_in_the_readers_words(served: Served) -> None:
    told = OPEN.decode().replace("Individual: Swiss-System", "Individual: Round-Robin")
    assert told != OPEN.decode()
    assert "dichiara «girone all&#39;italiana», gli abbinamenti mostrano «svizzero»" in looked_at(
        served.client(language="it"), told
    )
    assert "declares “round robin”, the pairings show “Swiss”" in looked_at(served.client(), told)
