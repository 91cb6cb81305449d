"""A player's page shows the norms on record and what is missing for the next title."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from arpad.office.register.acts import register_player
from arpad.office.titles.acts import record_norm
from arpad.office.titles.rows import RecordedNorm
from arpad.regulations.chess.titles.rules import NormTitle
from tests.builders.site_fixtures import Served


def test_a_norm_appears_with_the_requirements_of_the_title(own: Served) -> None:
    assert own.office is not None
    client = own.client(language="it")
    assert "Norme e titoli" not in client.get("/players/1").text
    norm = RecordedNorm(
        1, NormTitle.IM, "Open del Porto", "Bellariva", date(2024, 3, 1), date(2024, 3, 9), "", 9
    )
    record_norm(replace(own.office, author="R. Officer"), norm)
    page = client.get("/players/1").text
    assert "Norme e titoli" in page
    assert "Open del Porto" in page
    assert "partite di tutte le norme" in page
    assert "1.5.1" in page


def test_the_norms_of_a_player_on_no_list_are_shown_too(own: Served) -> None:
    assert own.office is not None
    office = replace(own.office, author="R. Officer")
    player = register_player(office, "Nuova, Nina", federation="ITA", sex="F").id
    days = date(2024, 3, 1), date(2024, 3, 9)
    record_norm(office, RecordedNorm(player, NormTitle.WIM, "Open del Porto", "Bellariva", *days, "", 9))
    assert "Open del Porto" in own.client().get(f"/players/{player}").text
