"""Edits of a file: applied to the very characters, refused for another text."""

import pytest

from arpad.model.errors import BadInput
from arpad.reports.file_edits import edited_file, line_difference
from arpad.reports.report import TextEdit


def test_edits_change_their_characters_only() -> None:
    data = "012 Città\r\n062 7\r\n001 x".encode("cp1252")

    edited = edited_file(
        data, [TextEdit(2, 5, "7", "12"), TextEdit(1, 1, "0", "9"), TextEdit(3, 6, "", "  y")]
    )

    assert edited == "912 Città\r\n062 12\r\n001 x  y".encode("cp1252")


@pytest.mark.parametrize("edit", [TextEdit(1, 5, "8", "9"), TextEdit(4, 1, "", "x"), TextEdit(1, 9, "", "x")])
def test_an_edit_for_another_text_is_refused(edit: TextEdit) -> None:
    with pytest.raises(BadInput, match="edit-not-here"):
        edited_file(b"062 7\n072 6\n", [edit])


def test_the_difference_of_two_lines_covers_the_field_if_one_is_given() -> None:
    assert line_difference(3, "a 0.5 z", "a 1.0 z", 2, 5) == TextEdit(3, 2, " 0.5", " 1.0")
    assert line_difference(3, "a 0.5 z", "a 0.7 z") == TextEdit(3, 5, "5", "7")
    assert line_difference(3, "ab", "ab  x") == TextEdit(3, 3, "", "  x")
    assert line_difference(3, "same", "same") is None
