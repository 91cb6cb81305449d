"""Which nightly backups are kept."""

from datetime import date, timedelta

import pytest

from arpad.model.errors import BadInput
from arpad.office.backup.acts import Kept, days_kept, parse_kept

LAST = date(2026, 11, 16)  # a Monday


def days(count: int, step: int = 1) -> list[date]:
    return [LAST - timedelta(days=step * number) for number in range(count)]


def test_the_last_backup_of_each_day_week_and_month_is_kept() -> None:
    kept = days_kept(days(400), Kept(3, 3, 3))

    assert sorted(kept, reverse=True) == [
        date(2026, 11, 16), date(2026, 11, 15), date(2026, 11, 14),  # days
        date(2026, 11, 8),  # the third week; the first two are among the days
        date(2026, 10, 31), date(2026, 9, 30),  # months
    ]  # fmt: skip


def test_pauses_delete_nothing() -> None:
    assert days_kept(days(5, 40), Kept(7, 5, 12)) == set(days(5, 40))


@pytest.mark.parametrize(("given", "kept"), [("", Kept()), ("1,0,24", Kept(1, 0, 24))])
def test_numbers_of_backups_are_read(given: str, kept: Kept) -> None:
    assert parse_kept(given) == kept


@pytest.mark.parametrize("given", ["7", "0,0,0", "a,b,c", "-1,2,3", "1,2,3,4", "99999,1,1"])
def test_other_numbers_of_backups_are_refused(given: str) -> None:
    with pytest.raises(BadInput, match="bad-form"):
        parse_kept(given)
