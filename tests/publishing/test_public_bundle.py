"""A bundle for everybody: births become as vague as the list allows, and the digest stays."""

from datetime import date

import pytest

from arpad.model.people import Birth
from arpad.publishing.public_bundle import vague_birth
from arpad.regulations.fide.change import until_eighteenth_birthday, until_end_of_eighteenth_year


@pytest.mark.parametrize(
    ("born", "opened", "day", "expected"),
    [
        (None, date(2015, 1, 1), date(2015, 2, 1), None),
        (1990, date(2015, 1, 1), date(2015, 2, 1), 1990),
        (date(1950, 5, 5), date(2015, 1, 1), date(2015, 2, 1), 1950),
        (date(2001, 5, 5), date(2015, 1, 1), date(2015, 2, 1), 2001),
        # eighteen in the year of the list: the year alone would make him a junior until its end
        (date(1997, 1, 20), date(2015, 3, 1), date(2015, 4, 1), date(1997, 1, 1)),
        (date(1997, 11, 20), date(2015, 3, 1), date(2015, 4, 1), 1997),
        # the birthday falls into the period, as his K on the list shows
        (date(1997, 3, 17), date(2015, 3, 1), date(2015, 4, 1), date(1997, 4, 1)),
    ],
)
def test_a_birth_is_as_vague_as_the_list_allows(
    born: Birth, opened: date, day: date, expected: Birth
) -> None:
    vague = vague_birth(born, opened, day)

    assert vague == expected
    for until in (until_eighteenth_birthday, until_end_of_eighteenth_year):
        assert [until(vague, on) for on in (opened, day)] == [until(born, on) for on in (opened, day)]
