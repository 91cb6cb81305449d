"""A federation's own edition on the site: adopted on the settings page, read like any other, followed by its links."""

from __future__ import annotations

import re
from datetime import date

from arpad import office as verbs
from arpad.explain import words
from arpad.facts import EventFacts
from arpad.model import ListName
from arpad.web.uploads import Sent, look
from tests.office.made import event as made_event
from tests.office.made import trf
from tests.web.conftest import Served
from tests.web.test_forms import sent

OWN = """
id = "circolo-2025"
base = "fide-2024-12"
effective = 2025-02-01
source = "Decision of the board"

[every]
k_usual = { value = 25, article = "own 3" }
"""


def adopted(own: Served, **more: str) -> None:
    client = own.client("administrator")
    form = {"text": OWN, "since": "2030-01-01", "reason": "board", **more}
    assert sent(client, "/admin", "/admin/editions", **form).status_code == 303


def test_an_own_edition_is_adopted_shown_and_revoked(own: Served) -> None:
    assert own.office is not None
    adopted(own, lists="standard")
    client = own.client("administrator")
    page = client.get("/admin").text
    assert "own 3" in page
    assert "since 1 January 2030" in page
    (one,) = verbs.own_editions(own.office)
    assert (one.edition, one.list, str(one.since)) == ("circolo-2025", ListName.STANDARD, "2030-01-01")

    visitor = own.client(language="en")
    shown = visitor.get("/regulations/circolo-2025").text
    assert 'id="art-own-3"' in shown
    assert "Decision of the board" in shown
    assert "circolo-2025" in visitor.get("/regulations").text
    assert "own 3" in visitor.get("/regulations/fide-2024-12/circolo-2025").text
    rules = visitor.get("/api/v1/editions/circolo-2025").json()["rules"]
    assert rules["standard"]["k_usual"]["article"] == "own 3"
    answer = visitor.get("/calculators/k?edition=circolo-2025&rating=1900&games=40")
    assert (answer.status_code, "own 3" in answer.text) == (200, True)
    assert re.search(r'href="/regulations/circolo-2025#art-own-3"', answer.text)

    assert sent(client, "/admin", f"/admin/editions/{one.id}/revoke", reason="a slip").status_code == 303
    assert verbs.own_editions(own.office) == ()
    assert visitor.get("/regulations/circolo-2025").status_code == 404


def test_the_next_games_of_a_player_are_counted_under_it(own: Served) -> None:
    assert own.office is not None
    day = own.office.now().date()
    (last,) = {p.day for p in verbs.publications(own.office, ListName.STANDARD)[-1:]}
    assert last < day
    adopted(own, lists="standard", since=str(day))
    player = next(iter(verbs.ratings_in_force(own.office, ListName.STANDARD, day)))
    visitor = own.client(language="en")
    answer = visitor.get(f"/api/v1/players/{player}/what-if?game=1900:1").json()
    assert answer["edition"] == "circolo-2025"
    assert 'name="edition" value="circolo-2025"' in visitor.get(f"/players/{player}?list=standard").text


DAMA = """
id = "dama-2025"
base = "rubele-2008"
effective = 2030-01-01

[italiana]
starting_capital = { value = 400, article = "own 1" }
"""


def test_calculators_offer_the_own_editions_of_their_game_alone(own: Served) -> None:
    adopted(own, text=DAMA, lists="italiana")
    visitor = own.client(language="en")
    assert "dama-2025" not in visitor.get("/calculators/change").text
    assert 'value="dama-2025"' in visitor.get("/calculators/capital").text
    answer = visitor.get("/calculators/capital?edition=dama-2025&capital=400&scored=2&opponents=400+400")
    assert answer.status_code == 200
    assert 'href="/regulations/dama-2025"' in answer.text


def test_a_draughts_report_is_looked_at_under_the_edition_of_its_office(own: Served) -> None:
    adopted(own, text=DAMA, lists="italiana")
    report = made_event("Dama", "1 0 | 2w1\n2 0 | 1b0\n", date(2030, 1, 10))
    sent_in, facts = Sent("dama.trf", trf(report)), EventFacts(list=ListName.ITALIANA)
    boards = [look(sent_in, facts, words("en"), office).board for office in (None, own.office)]
    told = [" ".join(board.facts) for board in boards if board]
    assert ["dama-2025" in text for text in told] == [False, True]


def test_an_edition_that_cannot_be_comes_back_with_its_sentence(own: Served) -> None:
    client = own.client("administrator")
    answer = sent(client, "/admin", "/admin/editions", text=OWN.replace("k_usual", "k_usuel"), reason="board")
    assert answer.status_code == 422
    assert "k_usuel" in answer.text
    answer = sent(client, "/admin", "/admin/editions", text=OWN, since="2024-01-01", reason="board")
    assert answer.status_code == 422
    assert "is out" in answer.text
    answer = sent(
        client, "/admin", "/admin/editions", text=OWN, since="2030-01-01", lists="all", reason="board"
    )
    assert answer.status_code == 422  # not for every list, since none of that name is there
    assert own.office is not None
    assert verbs.own_editions(own.office) == ()
