"""The name of a list: one of the five, or one of an office's own with its system."""

from copy import copy, deepcopy

import pytest

from arpad.model.rules import LISTS, ListName


def test_the_five_lists_are_known_by_name() -> None:
    assert ListName("rapid") is ListName.RAPID
    assert [(it.game, it.system) for it in LISTS] == [("chess", "fide")] * 3 + [("draughts", "rubele")] * 2
    assert not any(it.is_own for it in LISTS)
    with pytest.raises(ValueError, match="ireland"):
        ListName("ireland")


def test_a_list_of_an_office_has_its_system_with_it() -> None:
    ireland = ListName("ireland", "icu", times="standard", owner="IRL")
    assert ireland == "ireland"
    assert f"{ireland}" == str(ireland) == "ireland"
    assert ireland.is_own
    for same in (copy(ireland), deepcopy(ireland)):
        assert (same, same.system, same.game, same.times, same.owner) == (
            "ireland",
            "icu",
            "chess",
            "standard",
            "IRL",
        )
    assert deepcopy(ListName.BLITZ) is ListName.BLITZ
