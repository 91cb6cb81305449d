"""Cursors: read as they are written, and refused if they are anything else."""

import pytest

from arpad.model.cursors import HIGHEST, Cursor, parse_cursor
from arpad.model.errors import BadInput


@pytest.mark.parametrize("text", ["x", "1.2.3", "-1", "1.", ".1", "٣", "1" * 11])
def test_a_wrong_cursor_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_cursor(text)
    assert refused.value.code == "bad-cursor"


def test_a_cursor_is_read_as_it_was_written() -> None:
    assert parse_cursor(str(Cursor(12, 3))) == Cursor(12, 3)
    assert parse_cursor("") == Cursor(0, HIGHEST) < Cursor(1, 0)
    assert parse_cursor("12") > Cursor(12, 500)
