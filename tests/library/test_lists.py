"""A rating list as a value."""

from pathlib import Path

import pytest

import arpad

TEXT = "id,name,federation,rating,games,k,born\n12,Rossi Anna,ITA,2001,8,20,1990\n15,Bianchi Ugo,ITA,,,,1971-05-03\n"


@pytest.fixture
def ratings(tmp_path: Path) -> arpad.RatingList:
    path = tmp_path / "list.csv"
    path.write_text(TEXT, encoding="utf-8")
    return arpad.read_list(path)


def test_a_list_is_looked_up_by_number_and_name(ratings: arpad.RatingList) -> None:
    assert [row.name for row in ratings] == ["Rossi Anna", "Bianchi Ugo"]
    assert (len(ratings), repr(ratings)) == (2, "<arpad.RatingList 2 players>")
    anna = ratings.get(12)
    assert anna is not None
    assert (anna.rating, anna.k, ratings.get(99)) == (2001, 20, None)
    assert ratings.find("bianchi").id == ratings.find(15).id == 15
    with pytest.raises(arpad.BadInput):
        ratings.find("Verdi")


def test_a_list_becomes_a_table(ratings: arpad.RatingList) -> None:
    table = ratings.to_polars()

    assert table["rating"].to_list() == [2001, None]
    assert table["born"].to_list() == ["1990", "1971-05-03"]


def test_what_is_no_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(b"nothing here")
    with pytest.raises(arpad.Unreadable) as caught:
        arpad.read_list(path)
    assert str(caught.value) == arpad.sentence(caught.value, "en")
