"""Players by the number of another body: the same rules as the search, so that nobody is shown who is hidden there."""

from dataclasses import replace

from arpad.office.players.acts import PublicPlayer
from arpad.office.privacy.acts import hide_player
from arpad.office.register.acts import add_identifier
from arpad.office.who_is_who.acts import declare_scheme
from tests.builders.site_fixtures import Served


def test_a_player_is_found_by_the_number_of_any_shown_scheme(own: Served) -> None:
    client, office = own.client(), replace(own.office, author="tests")
    known = client.get("/api/v1/players/1").json()
    number = known["player"]["identifiers"]["fide"]
    assert client.get(f"/api/v1/players/fide/{number}").json() == known
    assert known.keys() == set(PublicPlayer.__annotations__)

    declare_scheme(office, "icu", name="ICU", pattern="99999", shown=("player",))
    declare_scheme(office, "inner", name="Inner", pattern="99999", shown=())
    add_identifier(office, 1, "icu", "12345")
    add_identifier(office, 1, "inner", "54321")
    assert client.get("/api/v1/players/ICU/12345").json()["player"]["id"] == 1
    for nobody in ("inner/54321", "unheard/12345", "fide/12345", "1/history2"):
        answer = client.get(f"/api/v1/players/{nobody}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no-player"), nobody
    assert client.get("/api/v1/players/1/history").status_code == 200
    hide_player(office, 1, reason="asked")
    assert client.get(f"/api/v1/players/fide/{number}").status_code == 404
