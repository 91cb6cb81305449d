"""Names as columns: what they say is what comparing every name says."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.fuzz import ratio

from arpad.model.names import plain_lines
from arpad.reports import name_candidates, name_columns
from arpad.reports.name_candidates import NameTable
from arpad.reports.name_columns import NameColumns

LEVELS = (90, 74, 60)
SYLLABLES = "ka no ri el ma ta sch ov ina de lu san per mi or go b9".split()


def made_names(count: int, seed: int) -> list[str]:
    random = Random(seed)  # noqa: S311  made names are no secrets
    return [
        ", ".join(
            "".join(random.choices(SYLLABLES, k=random.randint(1, 4))) for _ in range(random.randint(1, 3))
        )
        for _ in range(count)
    ]


def as_text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@given(
    st.lists(st.text("aab eeno r19xyz", max_size=24), min_size=1, max_size=20),
    st.lists(st.text("aabeenor19xyz", min_size=1, max_size=64), min_size=1, max_size=3),
)
def test_the_rows_of_a_level_are_those_that_are_so_alike(lines: list[str], texts: list[str]) -> None:
    columns = NameColumns(as_text(lines))
    for level in LEVELS:
        found = columns.alike(texts, [level] * len(texts))

        assert [[*zip(rows.tolist(), scores.tolist(), strict=True)] for rows, scores in found] == [
            [
                (row, percent)
                for row, line in enumerate(lines)
                if (percent := int(ratio(text, line.replace(" ", "")) + 0.5)) >= level
            ]
            for text in texts
        ]


@pytest.mark.parametrize("at_once", [1, 500, 1_000_000])
def test_many_names_in_blocks_are_found_as_if_each_was_compared(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(name_columns, "_COMPARED_AT_ONCE", at_once)
    monkeypatch.setattr(name_columns, "_ROWS_AT_ONCE", 300)
    monkeypatch.setattr(name_columns, "_LETTERS_AT_ONCE", at_once)
    lines = plain_lines([*made_names(1003, 5), "", "x" * 300, "9 9 9", "a" * 70, *made_names(7, 5)])
    asked = [*plain_lines(made_names(25, 6)), *(line[:2] + "x" + line[3:] for line in lines[:1000:15])]
    texts = [*(line.replace(" ", "") for line in asked), "x" * 60, "aaaaaaa", "999"]
    columns = NameColumns(as_text(lines))
    words: dict[str, list[int]] = {}
    for row, line in enumerate(lines):
        for word in line.split():
            words.setdefault(word, []).append(row)
    likeness = [[int(ratio(text, line.replace(" ", "")) + 0.5) for line in lines] for text in texts]

    for level in (85, 80, 74, 68):
        expected = [
            [(row, percent) for row, percent in enumerate(each) if percent >= level] for each in likeness
        ]
        found = columns.alike(texts, [level] * len(texts))
        assert [[*zip(rows.tolist(), scores.tolist(), strict=True)] for rows, scores in found] == expected
    assert sum(map(len, expected)) > 100
    assert {word: columns.rows_with(word).tolist() for word in words} == words
    assert {word: columns.count(word) for word in words} == {word: len(rows) for word, rows in words.items()}
    assert [columns.line(row) for row in range(len(columns))] == columns.lines() == lines


def test_another_comparison_gets_the_rows_that_have_the_letters() -> None:
    columns = NameColumns(as_text(["ab cd", "dc ba", "xyz"]))

    ((rows, percent),) = columns.alike(["abcd"], [90], lambda _, rows: rows.astype("u1") * 50 + 50)

    assert (rows.tolist(), percent.tolist()) == ([1], [100])


def test_the_levels_of_a_name_fall_to_the_lowest() -> None:
    assert name_candidates._levels(10) == [90, 80, 75, 70, 68]
    assert name_candidates._levels(12) == [83, 78, 73, 68]
    for letters in range(1, 65):
        levels = name_candidates._levels(letters)
        assert levels == sorted({*levels}, reverse=True)
        assert levels[-1] == 68


def test_a_word_is_in_each_row_as_often_as_written() -> None:
    columns = NameColumns(as_text(["adam de de", "", "  ada m", "de x"]))

    assert {word: columns.rows_with(word).tolist() for word in ("de", "adam", "ada", "d", "zz")} == {
        "de": [0, 0, 3], "adam": [0], "ada": [2], "d": [], "zz": [],
    }  # fmt: skip


def test_a_table_in_columns_finds_what_a_table_without_them_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    names = made_names(3000, 1)
    asked = [*made_names(40, 2), *(name[:2] + "x" + name[3:] for name in names[::200]), "", "9", "x" * 80]
    expected = dict(NameTable(range(3000), names).near(asked))

    monkeypatch.setattr(name_candidates, "_MOST_LATER", 1000)
    table = NameTable(range(2500), names[:2500])
    table.note_rows()
    table.add(range(2500, 3000), names[2500:])

    assert sum(len(rows) >= 20 for rows in expected.values()) > 10
    assert dict(table.near(asked)) == expected
    assert dict(table.copy().near(asked)) == expected


def test_only_rows_that_matter_are_returned_and_the_same_as_without_asking() -> None:
    names = made_names(600, 5)
    table = NameTable(range(600), names)
    asked = [*made_names(30, 6), *(name[:2] + "x" + name[3:] for name in names[::20])]

    def matter(rows_of: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        return {name: [row for row in rows if row % 7 == len(name) % 7] for name, rows in rows_of.items()}

    everything = dict(table.near(asked))
    assert dict(table.near(asked, matter=matter)) == {
        name: [(row, score) for row, score in rows if row % 7 == len(name) % 7]
        for name, rows in everything.items()
    }
    assert any(max([score for _, score in rows], default=0) < 80 for rows in everything.values())


@pytest.mark.parametrize("few", [10, 1000])
def test_rows_can_be_searched_from_one_on(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(name_candidates, "_MOST_LATER", few)
    names = [*made_names(200, 3), "Li, Alexander", "Alexander Li"]
    table = NameTable(range(len(names)), names)
    asked = [*made_names(20, 4), *(name[:2] + "x" + name[3:] for name in names[::10]), "Li, A.", ""]

    later = NameTable(range(len(names) - 150), names[150:])

    def is_even(row: int) -> bool:
        return row % 2 == 0

    all_near = {name: table.all_near(name, range(150, len(table))) for name in asked}
    for name, rows in later.near(asked):
        assert {row + 150: score for row, score in rows}.items() <= all_near[name].items()
        assert table.all_near(name, [*filter(is_even, range(150, len(table)))]) == {
            row: score for row, score in all_near[name].items() if is_even(row)
        }
    assert sum(map(len, all_near.values())) > 15
