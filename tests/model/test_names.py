"""Names as people write and mistype them."""

from __future__ import annotations

import pytest

from arpad.model.names import same_person_name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Müller, Jörg", "MUELLER Joerg", True),
        ("Rossi, Mario", "Rossi, M.", True),
        ("Rossi, Mario", "Mario Rossi", True),
        ("Rossi, Mario", "Rossi, Mario Giuseppe", True),
        ("Rossi, Mario", "Rossi, Maria", False),
        ("Rossi, Mario", "Bianchi, Mario", False),
    ],
)
def test_two_spellings_of_one_person(one: str, other: str, same: bool) -> None:
    assert same_person_name(one, other) == same
    assert same_person_name(other, one) == same
