"""Names as people write and mistype them."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arpad.model.names import (
    DIVIDER,
    fold,
    key,
    plain_column,
    plain_lines,
    plain_words,
    same_person_name,
    transliterated,
)


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


@given(st.text("aeouAEOUxX'.- 9é", max_size=12))
def test_a_key_has_the_words_sorted_and_no_e_of_an_umlaut(name: str) -> None:
    words = re.findall("[a-z0-9]+", re.sub("(?<=[aou])e", "", " ".join(fold(name))))

    assert key(name) == " ".join(sorted(words))


def test_many_names_have_the_words_that_each_has_alone() -> None:
    names = ["Müller, Jörg", "O'Neil-Daly, A.", "", "Каспаров, Гарри", "Saenz Quebec", "  x  "]
    assert [line.split() for line in plain_lines(names)] == [
        plain_words(transliterated(name)) for name in names
    ]

    broken = ["Two\nLines", "One"]
    assert plain_lines(broken) == ["two lines", "one"]
    assert plain_lines([]) == []


@given(st.lists(st.text().filter(lambda name: DIVIDER not in name), min_size=1))
@example(["Mueller", "Maeeuer, Aoeé", "é", "", "", "D'Aeth", "Жуков\nЯн", "e", "ae"])
def test_a_column_of_names_has_the_words_of_each(names: list[str]) -> None:
    lines = plain_column(DIVIDER.join(names)).decode().split("\n")

    assert [line.split() for line in lines[:-1]] == [plain_words(transliterated(name)) for name in names]
    assert lines[-1] == ""
