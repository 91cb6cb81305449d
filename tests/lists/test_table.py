"""A list as a table: its texts are those that values give."""

from datetime import date
from fractions import Fraction
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.lists.canonical import canonical_line
from arpad.lists.published import EMPTY_STATE, ListedPlayer, StoredPlayer
from arpad.lists.result import ListResult
from arpad.lists.table import Figures, lines_bytes, rows_of, standings_bytes, table_of
from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.draughts import Category, DraughtsState
from arpad.model.json_values import from_capital, from_state
from arpad.regulations.fide.system import SYSTEM as FIDE
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from tests.builders.published_lists import listed_players

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
DAY = st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1))
FIGURE = st.none() | st.integers(1, 3000)
NUMBERS = st.dictionaries(st.sampled_from(["fide", "fsi", "icu"]), TEXT.filter(bool), max_size=3)
POOL = (
    Performance("e", EventKind.SWISS, 5, 6, Fraction(8000), 4, 5, 6, date(2024, 1, 2), False, "fide-2024-03"),
)


@st.composite
def standings(draw: st.DrawFn, player: int) -> PlayerState:
    rating = draw(FIGURE)
    return PlayerState(
        player, rating, draw(st.integers(0, 900)), draw(st.integers(0, 2900)), draw(st.none() | st.integers(0, 40)),
        draw(DAY), draw(FIGURE), draw(DAY), draw(st.sampled_from([(), POOL])), draw(st.booleans()), draw(st.booleans()),
    )  # fmt: skip


@st.composite
def rows(draw: st.DrawFn) -> list[StoredPlayer]:
    made = []
    for player in sorted(draw(st.sets(st.integers(1, 10**6), max_size=6))):
        standing = draw(st.none() | standings(player))
        state = EMPTY_STATE if standing is None else from_state(standing)
        rating = standing.rating if standing is not None else None
        line = None
        if draw(st.booleans()):
            line = canonical_line(
                ListedPlayer(
                    player, draw(TEXT), draw(TEXT), draw(st.sampled_from(["", "M", "F"])), draw(TEXT), draw(TEXT),
                    draw(TEXT), draw(TEXT), rating, draw(st.integers(0, 99)), draw(FIGURE), draw(FIGURE),
                    draw(st.booleans()), draw(st.booleans()), tuple(sorted(draw(NUMBERS).items())),
                )
            )  # fmt: skip
        made.append(StoredPlayer(player, rating, state, line))
    return made


@given(rows())
def test_a_table_returns_the_rows_it_was_built_from(made: list[StoredPlayer]) -> None:
    table = table_of(reversed(made), FIDE)
    assert list(rows_of(table)) == made
    lines = [row.line for row in made if row.line is not None]
    assert lines_bytes(table).decode() == "".join(f"{line}\n" for line in lines)
    assert [canonical_line(player) for player in listed_players(table)] == lines
    states = [f"{row.player}\t{row.state}\n" for row in made if row.state != EMPTY_STATE]
    assert standings_bytes(table).decode() == "".join(states)
    figures = [Figures._make(row) for row in table.select(Figures._fields).iter_rows()]
    assert [it.state_text() for it in figures] == [row.state for row in made]


@pytest.mark.parametrize("letter", ["\t", "\n", "\r", "\\", "\x01", "é"])
def test_one_text_of_a_long_list_is_escaped(letter: str) -> None:
    """Many lines are searched together for something to escape."""
    players = [ListedPlayer(number, "Rossi", rating=2000) for number in range(1, 9000)]
    players[7000] = players[7000]._replace(name=f"Ro{letter}ssi")
    lines = [canonical_line(player) for player in players]
    table = table_of(
        [StoredPlayer(player, 2000, EMPTY_STATE, line) for player, line in enumerate(lines, start=1)], FIDE
    )
    assert lines_bytes(table, "head\t\\\n").decode() == "".join(
        ["head\t\\\n", *(f"{line}\n" for line in lines)]
    )


def test_lines_in_pieces_are_those_of_the_whole_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one of the pieces has something to escape, and one has nobody who is listed."""
    monkeypatch.setattr("arpad.lists.table.TOGETHER", 2)
    names = ["Rossi", "Neri", "Bian\tchi", "Verdi", "", "", "Gallo"]
    lines = [
        canonical_line(ListedPlayer(number, name, rating=2000)) if name else None
        for number, name in enumerate(names, start=1)
    ]
    rows = [StoredPlayer(player, 2000, EMPTY_STATE, line) for player, line in enumerate(lines, start=1)]
    table = table_of(rows, FIDE)
    text = "".join(["head\n", *(f"{line}\n" for line in lines if line is not None)]).encode()

    assert lines_bytes(table, "head\n") == text
    assert ListResult("head\n", FIDE, table).digest == sha256(text).hexdigest()


def test_figures_and_days_of_many_players_are_looked_up() -> None:
    """Each number between the lowest and the highest is written once, if the table has more rows than that."""
    figures = (None, 1, 7, 40, 99)
    days = (None, date(1969, 12, 31), date(1970, 1, 1), date(1970, 4, 9))
    made = []
    for player in range(1, 151):
        chosen = Random(player).choice  # noqa: S311
        standing = PlayerState(
            player, chosen(figures), chosen((0, 1, 99)), chosen((0, 50, 99)), chosen(figures), chosen(days),
            chosen(figures), chosen(days), chosen([(), POOL]),
        )  # fmt: skip
        made.append(StoredPlayer(player, standing.rating, from_state(standing), None))
    assert list(rows_of(table_of(made, FIDE))) == made


def test_a_draughts_state_is_kept_as_text() -> None:
    state = from_capital(DraughtsState("Rossi", 2000, Category.MAESTRO, "7"))
    rows = [StoredPlayer(7, 2000, state, None)]
    table = table_of(rows, RUBELE)
    assert list(rows_of(table)) == rows
    assert Figures._make(table.select(Figures._fields).row(0)).state_text() == state
