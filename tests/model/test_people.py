"""Whether two births may be of one person."""

from datetime import date

import pytest

from arpad.model.people import Birth, births_agree

DAY = date(1990, 5, 17)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (DAY, DAY, True),
        (DAY, date(1990, 5, 18), False),
        (DAY, 1990, True),
        (DAY, 1991, False),
        (1990, 1990, True),
        (1990, 1991, False),
        (DAY, None, True),
        (1990, None, True),
        (None, None, True),
    ],
)
def test_births_agree_unless_both_are_known_and_differ(one: Birth, other: Birth, agree: bool) -> None:
    assert births_agree(one, other) == agree
    assert births_agree(other, one) == agree
