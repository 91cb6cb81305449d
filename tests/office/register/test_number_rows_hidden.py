"""The token of the hidden players: it is counted on from the last act, and says the same as counting all acts."""

from datetime import date

import pytest
from sqlalchemy import Connection

from arpad.office.privacy.acts import hide_player, show_player
from arpad.office.register import number_rows as hidden_players
from arpad.office.register.number_rows import hidden_version
from tests.builders.offices import Desk, listed


def version(desk: Desk) -> str:
    """Return the token as it is counted on, which is that of all acts."""
    with desk.office.store.reading() as connection:
        counted_on = hidden_version(connection)
        assert counted_on == from_the_beginning(connection)
    return counted_on


def from_the_beginning(connection: Connection) -> str:
    """Count all acts, and leave what was counted as it was."""
    known = hidden_players._counted.pop(connection.engine)
    counted = hidden_version(connection)
    hidden_players._counted[connection.engine] = known
    return counted


def test_the_token_changes_with_the_hidden_players_alone(desk: Desk) -> None:
    desk.list(date(2024, 1, 1), listed(1, 2000), listed(2, 1900))
    versions = [version(desk)]
    for hidden in (True, False):
        (hide_player if hidden else show_player)(desk.office, 1, reason="at their request")
        versions.append(version(desk))
        desk.list(date(2024, 2 if hidden else 3, 1), listed(1, 2000), listed(2, 1900))
        assert version(desk) == versions[-1]
    assert len({*versions}) == 3


def test_an_act_that_failed_is_not_counted(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2024, 1, 1), listed(1, 2000), listed(2, 1900))
    before = version(desk)
    with pytest.raises(ZeroDivisionError):
        _fail_to_hide(desk, before)
    assert version(desk) == before
    hide_player(desk.office, 1, reason="at their request")
    hide_player(desk.office, 2, reason="at their request")
    assert version(desk) != before


def _fail_to_hide(desk: Desk, before: str) -> None:
    """Begin an act, look at the token, and end without the act."""
    with desk.office.store.writing() as connection:
        act = "INSERT INTO ledger SELECT max(seq) + 1, '', '', 'hide-player', '', '', '', '', 'x' FROM ledger"
        connection.exec_driver_sql(act)
        assert hidden_version(connection) != before
        raise ZeroDivisionError
