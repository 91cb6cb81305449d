"""A first list without any player is published only if somebody asks for it."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import draft, ledger, publications, publish

FEB, MAR = date(2018, 2, 1), date(2018, 3, 1)


def test_an_empty_first_list_has_to_be_asked_for_with_a_reason(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.on(FEB)
    assert draft(desk.office, STANDARD, FEB).is_empty_first
    acts = len(ledger(desk.office))
    with pytest.raises(BadInput, match="first-list-empty"):
        publish(desk.office, STANDARD, FEB)
    with pytest.raises(BadInput, match="reason"):
        publish(desk.office, STANDARD, FEB, empty=True)
    assert (len(ledger(desk.office)), publications(desk.office)) == (acts, ())

    published = publish(desk.office, STANDARD, FEB, empty=True, reason="the register begins empty")

    assert published.day == FEB
    publish(desk.office, STANDARD, FEB)  # its files again
    desk.on(MAR)
    assert not draft(desk.office, STANDARD, MAR).is_empty_first, "it is not the first one"


def test_a_first_list_with_players_is_published_as_ever(sqlite_desk: Desk) -> None:
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    sqlite_desk.report(event("Open", WIN, date(2018, 1, 10)))
    assert sqlite_desk.publish(FEB).day == FEB
