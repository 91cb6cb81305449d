"""The page of checks for everybody: the official list, the game of a file, and the questions that a finding asks."""

import re
from dataclasses import replace

import httpx

from arpad.office.privacy.acts import hide_player
from tests.builders.site_fixtures import OPEN, Served, proof
from tests.builders.verbs import find_players

LEAD = re.compile(r'<p class="lead">(.*?)</p>', re.DOTALL)
VERDICT = re.compile(r'<p class="notice verdict[^>]*>(.*?)</p>')


def checked(client: httpx.Client, text: str, **more: str) -> str:
    form = {"csrf": proof(client, "/check"), "name": "event.trf", "text": text, **more}
    answer = client.post("/check", data=form)
    assert answer.status_code == 200
    return answer.text


def file_of(client: httpx.Client, name: str) -> str:
    """Return the TRF that the site offers of a tournament."""
    index = client.get("/tournaments", params={"name": name}).text
    number = re.search(rf'href="/tournaments/(\d+)">{name}<', index)
    assert number
    return client.get(f"/tournaments/{number[1]}/files/{number[1]}.trf").text


def without(text: str, *tags: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line[:3] not in tags)


def test_our_own_trf_of_draughts_is_checked_as_draughts_with_the_capitals_in_force(served: Served) -> None:
    client = served.client()
    text = file_of(client, "Coppa delle castagne 2024")
    page = checked(client, text)
    assert "Board with expected points – Italian draughts" in page
    assert "no time control" not in page
    # player 1 of this file had 3139 before it (its page in the demo); a debutant would count 300
    assert ">3139<" in page
    assert ">300<" not in page


def test_without_a_sign_of_the_game_it_is_asked_once(served: Served) -> None:
    client = served.client()
    text = without(file_of(client, "Coppa delle castagne 2024"), "092", "122")
    question = "Chess or draughts? The file does not say."
    assert question in checked(client, text)
    assert question not in checked(client, text, game="chess")
    assert "Board with expected points – Italian draughts" in checked(client, text, game="italiana")
    assert question not in checked(client, OPEN.decode())  # its time control is one of chess


def test_everybody_gets_the_findings_of_the_official_list(served: Served) -> None:
    text = file_of(served.client(), "Campionato sociale 2024")
    wrong = re.sub(
        r"(?m)^(001 .{44})(\d{4})", lambda found: found[1] + str(int(found[2]) + 100), text, count=1
    )
    assert wrong != text
    visitor, arbiter = checked(served.client(), wrong), checked(served.client("arbiter"), wrong)
    assert "We use the official list." in visitor
    assert VERDICT.findall(visitor) == VERDICT.findall(arbiter)


def test_the_kind_of_the_event_is_shown_as_declared(served: Served) -> None:
    # from 2022 on all play all is rated as a Swiss, but it stays a round robin
    page = checked(served.client(), file_of(served.client(), "Campionato sociale 2024"))
    lead = LEAD.search(page)
    assert lead
    assert "round robin" in lead[1]
    assert "Swiss" not in lead[1]


def test_without_a_readable_day_no_rating_is_called_different(served: Served) -> None:
    text = re.sub(r"(?m)^042 .*$", "042 tomorrow", file_of(served.client(), "Campionato sociale 2024"))
    assert "official list" not in checked(served.client(), without(text, "132"))


def test_a_player_who_asked_not_to_be_shown_is_unknown_to_visitors(own: Served) -> None:
    text = file_of(own.client(), "Campionato sociale 2024")
    name = text.split("\n001 ")[1][10:43].strip()
    (player,) = find_players(own.office, name)
    hide_player(replace(own.office, author="tests"), player.id, reason="asked by mail")
    misspelt = text.replace(f"{name:<33}", f"{'Other, Somebody':<33}")  # with the same number
    assert name in checked(own.client("officer"), misspelt)
    assert name not in checked(own.client(), misspelt)


def test_a_question_stands_where_a_finding_needs_the_answer(served: Served) -> None:
    page = checked(served.client(), OPEN.decode())
    questions, _, rest = page.partition('<div class="fields pair">')
    assert 'name="registered"' in questions
    assert 'name="registered"' not in rest
    answered = checked(served.client(), OPEN.decode(), registered="2018-04-01")
    assert 'name="registered"' not in answered.partition('<div class="fields pair">')[0]


def test_an_arbiter_writes_the_fide_id_of_a_doubtful_player(served: Served) -> None:
    text = file_of(served.client(), "Campionato sociale 2024")
    line = text.split("\n001 ")[1].split("\n")[0]
    name, number = line[10:43].strip(), line[53:64].strip()
    unnumbered = text.replace(line, line.replace(f"{number:>11}", f"{'':>11}").replace(name, f"{name[:-1]}ö"))
    arbiter = served.client("arbiter")
    page = checked(arbiter, unnumbered)
    assert "Who are these players?" in page
    start = int(line[:4])
    assert f'value="fide-{start}-{number}"' in page

    by_button = checked(arbiter, unnumbered, apply=f"fide-{start}-{number}")
    typed = {f"fide.{start}": number}
    by_hand = checked(arbiter, unnumbered, apply=f"fide-{start}", **typed)
    for answer in (by_button, by_hand):
        assert "1 correction was applied" in answer
        assert "Who are these players?" not in answer
        assert f" {number} " in answer.partition("<textarea")[2].partition("</textarea>")[0]
    assert "1 correction was applied" not in checked(arbiter, unnumbered, apply=f"fide-{start}")
    assert "Who are these players?" not in checked(served.client(), unnumbered), "only for who may send it"
