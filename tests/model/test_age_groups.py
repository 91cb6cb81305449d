"""Age groups as an office writes them."""

import pytest

from arpad.model.age_groups import DEFAULT, AgeGroup, group_named, read_groups
from arpad.model.errors import BadInput


def test_groups_are_read_and_sorted() -> None:
    groups = read_groups("65+ u12 U8 s50 U12")
    assert [group.label for group in groups] == ["U8", "U12", "50+", "65+"]
    assert [group.code for group in groups] == ["u8", "u12", "s50", "s65"]
    assert " ".join(group.label for group in read_groups(DEFAULT)) == DEFAULT
    assert group_named(groups, "U12") == AgeGroup(under=True, years=12)
    assert group_named(groups, "u13") is None


@pytest.mark.parametrize("word", ["kids", "u", "u3", "U100", "-5", "50", "+50"])
def test_other_words_are_refused(word: str) -> None:
    with pytest.raises(BadInput, match="value-unknown"):
        read_groups(word)
