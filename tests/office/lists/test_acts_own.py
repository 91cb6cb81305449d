"""Lists of an office's own: their names, their systems, and what cannot be one."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.office.lists.acts import add_list, list_revisions, own_lists
from arpad.office.verify.acts import verify
from arpad.store.settings import kept_lists, list_named
from tests.builders.offices import Desk


def test_a_list_of_its_own_is_kept_beside_the_five(desk: Desk) -> None:
    add_list(desk.office, "ireland", system="icu", times="standard", since=date(2024, 1, 1))
    (kept,) = own_lists(desk.office).own_lists
    assert (kept.name, kept.system, kept.times, kept.since) == (
        "ireland",
        "icu",
        "standard",
        date(2024, 1, 1),
    )
    with desk.office.store.reading() as connection:
        assert kept_lists(connection)[-1] == "ireland"
        assert list_named(connection, "ireland").system == "icu"
        with pytest.raises(BadInput) as refused:
            list_named(connection, "scotland")
    assert refused.value.facts["accepted"].endswith("internazionale, ireland")
    assert not list_revisions(desk.office, list_=kept.name).lists  # type: ignore[arg-type]  # as a command gives it
    assert verify(desk.office).intact


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("rapid", "list-name-taken"),
        ("ireland", "list-name-taken"),
        ("2024", "list-name"),
        ("Éire", "list-name"),
    ],
)
def test_a_name_that_is_taken_or_that_no_file_can_have_is_refused(
    sqlite_desk: Desk, name: str, code: str
) -> None:
    add_list(sqlite_desk.office, "ireland", system="icu")
    with pytest.raises(BadInput) as refused:
        add_list(sqlite_desk.office, name, system="icu")
    assert refused.value.code == code


def test_an_unknown_system_is_refused(sqlite_desk: Desk) -> None:
    with pytest.raises(BadInput) as refused:
        add_list(sqlite_desk.office, "ireland", system="elo")
    assert (refused.value.code, refused.value.facts["accepted"]) == (
        "value-unknown",
        "dwz, glicko2, icu, uschess",
    )
