"""Plural categories by the rules of the CLDR, as Babel decides them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from babel import Locale
from tools.language_form import plural_rules

from arpad.explain.plurals import plural_category

NUMBERS = [
    *map(str, range(131)),
    "1000",
    "1001",
    "1000000",
    "0.0",
    "0.5",
    "1.0",
    "1.5",
    "2.00",
    "12.3",
    "102.10",
]


@pytest.mark.parametrize("name", "ar cs cy da en es fr ga he it lt lv pl ru sl".split())
def test_categories_are_those_of_babel(name: str) -> None:
    locale = Locale.parse(name)
    rules = plural_rules(locale)
    for number in NUMBERS:
        expected = locale.plural_form(Decimal(number))
        assert plural_category(rules, number) == (expected if expected in rules else "other"), number


def test_polish_and_french() -> None:
    polish, french = (plural_rules(Locale.parse(name)) for name in ("pl", "fr"))
    assert [plural_category(polish, text) for text in ("1", "2", "5", "12", "22", "1.5", "-1")] == [
        "one", "few", "many", "many", "few", "other", "one",
    ]  # fmt: skip
    assert [plural_category(french, text) for text in ("0", "0.5", "1.5", "2", "1000000")] == [
        "one", "one", "one", "other", "other",
    ]  # fmt: skip


def test_a_rule_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="q = 1"):
        plural_category({"one": "q = 1"}, "1")
