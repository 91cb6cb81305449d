"""A file is read when it is submitted and when it is accepted; the list takes its games from the database."""

from collections import Counter
from datetime import date
from hashlib import sha256

import pytest

from arpad.reports.formats import trf
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.offices import Desk, listed

JAN, FEB = date(2025, 1, 1), date(2025, 2, 1)
FOUR = """
1 1500 | 2w1 3w1
2 1500 | 1b0 4w1
3 1500 | 4w1 1b0
4 0    | 3b0 2b0
"""


def test_a_file_is_read_twice_from_submitting_to_the_list(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: Counter[str] = Counter()
    read = trf.read

    def counted(data: bytes, name: str = "") -> Report:
        readings[sha256(data).hexdigest()] += 1
        return read(data, name)

    sqlite_desk.list(JAN, *(listed(number, 1500, 20, born=1980) for number in (1, 2, 3, 4)))
    monkeypatch.setattr(trf, "read", counted)
    sqlite_desk.report(event("First", FOUR, date(2025, 1, 10), time_control="90+30"))
    sqlite_desk.report(event("Second", FOUR, date(2025, 1, 17), time_control="90+30"))
    sqlite_desk.publish(FEB)
    assert sqlite_desk.rating(1, FEB) != 1500
    assert set(readings.values()) == {2}
