"""The public bundle of an office's own list: it recalculates the list, and has no day of birth and no hidden name."""

import zipfile
from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.office.lists.history_rows import canonical_text
from arpad.office.lists.rows import Publication
from arpad.office.privacy.acts import erase_player, hide_player
from arpad.office.rankings.files import public_bundle_of
from arpad.office.register.acts import change_player
from arpad.office.verify.acts import verify
from arpad.publishing.bundle import verify_bundle
from tests.builders.chess import event
from tests.builders.offices import Desk, listed
from tests.builders.own_lists import ROUND_ROBIN, ireland, taken_over
from tests.office.rankings.test_pages_own_lists import FEB, STATES

BIRTHS = (date(1980, 3, 4), date(2003, 5, 6), date(1997, 1, 3), None)
"""An adult, a junior, one who was 21 two days before the event, and a newcomer of unknown age."""


def published_under(desk: Desk, system: str, newcomer: date | None = None) -> Publication:
    """Return a list of four players with births, the last one a newcomer."""
    desk.list(date(2018, 1, 1), *(listed(n, 2100 - 100 * n) for n in range(1, 5)))
    own = ireland(desk, system)
    taken_over(desk, own, STATES[system])
    for player, born in enumerate((*BIRTHS[:3], newcomer), start=1):
        if born:
            change_player(
                desk.office, player, since=date(2018, 1, 1), set_={"born": str(born)}, reason="known"
            )
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    return desk.publish(FEB, own)


@pytest.mark.parametrize("system", STATES)
def test_it_recalculates_the_list_without_days_of_birth(sqlite_desk: Desk, system: str) -> None:
    desk = sqlite_desk
    published = published_under(desk, system)
    hide_player(desk.office, 3, reason="asked")
    path = desk.folder / "public.zip"
    with desk.office.store.reading() as connection:
        path.write_bytes(public_bundle_of(connection, published))
    checked = verify_bundle(path)
    assert (checked.intact, checked.counted["left_off"]) == (True, 1)
    with zipfile.ZipFile(path) as bundle:
        texts = b"".join(bundle.read(name) for name in bundle.namelist()).decode()
    assert not any(str(born) in texts for born in BIRTHS if born), "no day of birth"
    assert "Player 3" not in texts
    assert "Player 2" in texts
    whole = desk.folder / "lists" / f"{published.name}.bundle.zip"
    assert whole.read_bytes() != path.read_bytes()


def test_a_newcomer_by_age_under_us_chess_is_said_to_need_the_birth(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    own = ireland(desk, "uschess")
    births = (date(2008, 2, 29), date(2007, 9, 30), date(2006, 12, 24), date(2009, 1, 2))
    report = event("Newcomers", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7))
    entrants = tuple(replace(it, born=born) for it, born in zip(report.entrants, births, strict=True))
    desk.report(replace(report, entrants=entrants))
    published = desk.publish(FEB, own)
    with desk.office.store.reading() as connection, pytest.raises(BadInput) as refused:
        public_bundle_of(connection, published)
    assert refused.value.code == "bundle-not-public"


@pytest.mark.parametrize("system", STATES)
def test_an_erased_player_keeps_what_the_system_takes_from_the_age(sqlite_desk: Desk, system: str) -> None:
    desk = sqlite_desk
    published = published_under(desk, system, date(2008, 2, 29))
    for player in (2, 3, 4):
        erase_player(desk.office, player, confirm=player, reason="asked")
    with desk.office.store.reading() as connection:
        text = canonical_text(connection, published).decode()
    assert "Player 2" not in text
    assert "Erased 2" in text
    assert verify(desk.office).intact
