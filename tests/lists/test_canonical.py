"""The canonical text: the digest, its form to the byte, and reading it back."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.lists.canonical import parse_head, read_canonical, write_canonical
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from tests.builders.published_lists import CHESS, DRAUGHTS, LINDQVIST, MARCHESI, REVISED
from tests.thinning import examples

SMALL = PublishedList(
    ListName.RAPID,
    date(2017, 9, 1),
    number=3,
    edition="fide-2017",
    rows=(LINDQVIST._replace(inactive=True), MARCHESI),
)
TEXT = (
    "arpad-list/1\nlist\trapid\ndate\t2017-09-01\nnumber\t3\nrevision\t1\nedition\tfide-2017\nvalid-to\t\nprevious\t\n"
    "revises\t\ninactive-leave-federation\tno\njunior-years\t20\nrows\t2\n"
    "id\tname\tfederation\tsex\ttitle\twomen-title\tother-titles\tcategory\trating\tgames\tk\tborn\tflags\tidentifiers\n"
    "1\tMarchesi, Leonardo\tITA\tM\tIM\t\tFI,NA\t\t2431\t9\t10\t1985\t\tfide=800101 fsi=A-12\n"
    "4\tLindqvist, Saga\tSWE\tF\t\t\t\t\t1897\t7\t40\t2004\ti\t\n"
)


def test_the_form_to_the_byte() -> None:
    assert write_canonical(SMALL) == TEXT.encode()


def test_one_rating_makes_another_text() -> None:
    changed = replace(SMALL, rows=(MARCHESI._replace(rating=2432), SMALL.rows[1]))
    assert write_canonical(changed) != write_canonical(SMALL)
    assert write_canonical(replace(SMALL, rows=SMALL.rows[::-1])) == write_canonical(SMALL)


@pytest.mark.parametrize("published", [CHESS, REVISED, DRAUGHTS])
def test_it_is_read_back(published: PublishedList) -> None:
    assert read_canonical(write_canonical(published)) == published


texts = st.text(st.characters(codec="utf-8"), max_size=12)
numbers = st.one_of(st.none(), st.integers(0, 4000))
players = st.builds(
    ListedPlayer, st.integers(1, 10**9), texts, texts, texts, texts, texts, texts, texts, numbers,
    st.integers(0, 99), numbers, numbers, st.booleans(), st.booleans(),
    st.dictionaries(st.sampled_from(("fid", "fide", "fsi")), texts).map(lambda known: tuple(sorted(known.items()))),
    own=st.none(),
)  # fmt: skip


@settings(max_examples=examples(60))
@given(st.lists(players, max_size=4, unique_by=lambda row: row.player))
def test_whatever_stands_in_a_list_comes_back(rows: list[ListedPlayer]) -> None:
    published = replace(CHESS, rows=tuple(rows))
    assert read_canonical(write_canonical(published)) == published


def of_system(row: ListedPlayer, own: list[str]) -> ListedPlayer:
    """Return a player as the list of a rating system has one."""
    return ListedPlayer(
        row.player, row.name, row.federation, category=row.category, rating=row.rating or 0, games=row.games, k=row.k,
        born=row.born, identifiers=row.identifiers, own=tuple(own),
    )  # fmt: skip


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.tuples(players, st.lists(texts, min_size=2, max_size=2)), max_size=4, unique_by=lambda it: it[0][0]
    )
)
def test_whatever_stands_in_the_list_of_a_system_comes_back(
    rows: list[tuple[ListedPlayer, list[str]]],
) -> None:
    head: dict[str, Any] = {
        "on_list": ListName("national", "uschess"),
        "columns": ("games", "floor"),
        "valid_to": None,
    }
    published = replace(CHESS, **head, rows=tuple(of_system(*it) for it in rows))
    written = write_canonical(published)
    assert read_canonical(written) == published
    with pytest.raises(Unreadable) if rows else nullcontext():
        read_canonical(written.replace(b"games floor", b"games").replace(b"\tfloor\t", b"\t"))


def test_nobody_stands_twice() -> None:
    with pytest.raises(BadInput, match="listed-twice"):
        write_canonical(replace(SMALL, rows=(MARCHESI, MARCHESI)))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("arpad-list/1", "arpad-list/3", 1),
        ("list\trapid", "list\tbullet", 1),
        ("number\t3", "numero\t3", 4),
        ("\tborn\t", "\tbirth\t", 13),
        ("\t2431\t", "\t2431.5\t", 14),
        ("\t1985\t\t", "\t1985\tx\t", 14),
        ("\tSWE\t", "\t", 15),
        ("1\tMarchesi", "5\tMarchesi", 15),
        ("rows\t2", "rows\t3", 16),
        ("2004\ti\t\n", "2004\ti\t", 15),
    ],
)
def test_anything_else_is_refused_with_its_line(old: str, new: str, line: int) -> None:
    assert old in TEXT
    with pytest.raises(Unreadable) as refused:
        read_canonical(TEXT.replace(old, new, 1).encode())
    assert (refused.value.code, refused.value.facts["line"]) == ("canonical-list", line)


@pytest.mark.parametrize("lines", [0, 1, 5])
def test_a_head_that_ends_too_soon_is_refused_with_its_line(lines: int) -> None:
    head = "\n".join(write_canonical(CHESS).decode().split("\n")[:lines])
    with pytest.raises(Unreadable) as refused:
        parse_head(head)
    assert refused.value.facts["line"] == max(lines, 1)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Unreadable, match="canonical-list"):
        read_canonical(TEXT.encode().replace(b"Saga", b"S\xff"))
