"""Results as tables of other libraries: the same rows, typed, with blanks; one sentence where a library is missing."""

import sys

import polars as pl
import pytest

import arpad


@pytest.fixture(scope="module")
def rating() -> arpad.Rating:
    return arpad.read(arpad.example("open.trf")).rate()


def test_polars_has_typed_columns_with_blanks(rating: arpad.Rating) -> None:
    table = rating.to_polars()

    assert table.schema["new_rating"] == pl.Int64
    assert table.schema["change"] == pl.Float64
    assert table.row(7, named=True) | {"score": 5.0, "change": 47.4} == table.row(7, named=True)
    assert table["rating"].null_count() == 3
    assert table["name"].to_list() == [row["name"] for row in rating.rows()]


def test_arrow_has_the_same_rows(rating: arpad.Rating) -> None:
    table = rating.to_arrow()

    assert table.to_pylist() == rating.to_polars().to_dicts()
    assert [str(kind) for kind in table.schema.types][:4] == ["int64", "string", "string", "int64"]


def test_every_result_has_a_table(rating: arpad.Rating) -> None:
    report = arpad.read(arpad.example("open.trf"))

    assert report.check().to_polars().height == 10
    assert rating.explain(13).to_polars().height == 7
    assert report.norms(title=["IM"]).to_polars().height == len(report.norms(title=["IM"])) > 1
    assert arpad.Check(()).to_polars().schema["line"] == pl.Int64
    assert arpad.Check(()).to_arrow().num_rows == 0


@pytest.mark.parametrize(
    ("package", "method"), [("polars", "to_polars"), ("pandas", "to_pandas"), ("pyarrow", "to_arrow")]
)
def test_a_missing_library_is_named_in_one_sentence(
    rating: arpad.Rating, package: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(arpad.BadInput) as caught:
        getattr(rating, method)()

    assert str(caught.value) == (
        f"{method} needs the package {package}, which is not installed: pip install {package}"
    )
    assert package in arpad.sentence(caught.value, "it")
