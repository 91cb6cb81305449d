"""The texts of a list that is computed on columns are those of values."""

from datetime import date
from fractions import Fraction
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.model.chess import EventKind, Performance
from arpad.model.json_values import pool_text
from arpad.model.rules import Step

pytest.importorskip("numpy", reason="the extra `scale` is not installed")

TEXT = st.text(st.characters(codec="utf-8"), max_size=4)
COUNT = st.integers(0, 2000)
TRANCHES = st.builds(
    Performance, TEXT, st.sampled_from(EventKind), COUNT, COUNT, st.builds(Fraction, COUNT), COUNT, COUNT, COUNT,
    st.none() | st.dates(date(1900, 1, 1)), st.booleans(), TEXT,
    st.just(()) | st.just((Step("8.58", "pass", Fraction(1, 3), {"name": "Ra"}),)),
)  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 5), TRANCHES)))
def test_pending_events_are_written_from_columns_as_from_values(
    pending: list[tuple[int, Performance]],
) -> None:
    from arpad.lists.compute_fast import _pool_texts
    from arpad.lists.engine.columns import Tranches

    pending = sorted(pending, key=lambda item: item[0])
    by_row = groupby(pending, key=lambda item: item[0])
    expected = [(row, pool_text([tranche for _, tranche in of_row])) for row, of_row in by_row]
    assert _pool_texts(Tranches.of(pending)).rows() == expected
