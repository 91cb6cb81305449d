"""The table of fees: read exactly, and refused with the row and the key."""

from fractions import Fraction

import pytest

from arpad.model.errors import BadInput
from arpad.regulations.fee_table import read_fee_table

TABLE = """
currency = "EUR"
issuer = ["Federazione di Bellariva"]
categories = { first = 2251, step = 25 }

[[fee]]
name = "Rating fee"
name_it = "Tassa di valutazione"
per = "player"
amount = "1.00"
lists = ["standard"]
kinds = ["swiss", "team"]
least = "20.00"
"""


def test_amounts_are_hundredths() -> None:
    (fee,) = read_fee_table(TABLE).fees
    assert (fee.amount, fee.least, fee.per) == (100, 2000, "player")
    assert (fee.name("it"), fee.name("en"), fee.name("fr")) == (
        "Tassa di valutazione",
        "Rating fee",
        "Rating fee",
    )


@pytest.mark.parametrize(
    ("average", "category"),
    [(Fraction(2250), None), (Fraction(2251), 1), (Fraction(4551, 2), 1), (Fraction(2276), 2), (None, None)],
)
def test_the_category_follows_the_average(average: Fraction | None, category: int | None) -> None:
    assert read_fee_table(TABLE).category(average) == category


@pytest.mark.parametrize(
    ("old", "new", "code", "key"),
    [
        ('amount = "1.00"', 'amount = "-1.00"', "fees-negative", "amount"),
        ('amount = "1.00"', "amount = -1", "fees-negative", "amount"),
        ('amount = "1.00"', "amount = 1.10", "fees-row", "amount"),
        ('amount = "1.00"', "amount = true", "fees-row", "amount"),
        ('amount = "1.00"', 'amount = "1.005"', "fees-row", "amount"),
        ('amount = "1.00"', "", "fees-row", "amount"),
        ('per = "player"', 'per = "head"', "fees-row", "per"),
        ('"swiss"', '"knockout"', "fees-row", "kinds"),
        ('["standard"]', '"standard"', "fees-row", "lists"),
        ('name = "Rating fee"', "", "fees-row", "name"),
        ('least = "20.00"', "average_from = -5", "fees-row", "average_from"),
        ('least = "20.00"', "minimum = 5", "fees-row-key", "minimum"),
        ("step = 25", "step = 0", "fees-value", "categories"),
        ('currency = "EUR"', 'currency = "euro"', "fees-value", "currency"),
        ('currency = "EUR"', 'currency = "EUR"\nvat = 22', "fees-key", "vat"),
        ("[[fee]]", "[fee]", "fees-none", ""),
        ("currency", "currency = [", "fees-toml", ""),
    ],
)
def test_a_wrong_table_is_refused_with_row_and_key(old: str, new: str, code: str, key: str) -> None:
    assert old in TABLE
    with pytest.raises(BadInput) as refused:
        read_fee_table(TABLE.replace(old, new, 1))
    assert (refused.value.code, refused.value.facts.get("key", "")) == (code, key)
