"""A player's page shows the norms on record and what is missing for the next title."""

from dataclasses import replace

from arpad.office.register.acts import register_player
from arpad.regulations.fide.titles.rules import NormTitle
from tests.builders.norms import enter_norm
from tests.builders.site_fixtures import Served


def test_a_norm_appears_with_the_requirements_of_the_title(own: Served) -> None:
    client = own.client(language="it")
    assert "Norme e titoli" not in client.get("/players/1").text
    enter_norm(replace(own.office, author="R. Officer"), 1, event="Open del Porto")
    page = client.get("/players/1").text
    assert "Norme e titoli" in page
    assert "Open del Porto" in page
    assert "partite di tutte le norme" in page
    assert "1.5.1" in page


def test_the_norms_of_a_player_on_no_list_are_shown_too(own: Served) -> None:
    office = replace(own.office, author="R. Officer")
    player = register_player(office, "Nuova, Nina", federation="ITA", sex="F").id
    enter_norm(office, player, NormTitle.WIM, event="Open del Porto")
    assert "Open del Porto" in own.client().get(f"/players/{player}").text
