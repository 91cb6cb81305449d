"""An imported list as a table: the same lines and states as from values."""

from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.lists.canonical import canonical_line
from arpad.lists.imported_history import first_games_are_left, last_list_of_inactive, top_was_reached
from arpad.lists.imported_table import imported_table
from arpad.lists.list_file import table_of
from arpad.lists.published import EMPTY_STATE, ListedPlayer
from arpad.lists.table import line_texts, state_text
from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput
from arpad.model.json_values import from_state
from arpad.model.people import Birth, birth_year
from arpad.model.rules import ListName
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.formats.lists.fide_rows import ListRow
from tests.thinning import examples

texts = st.text("aZé\\\t ,'", max_size=8).map(str.strip)
births = st.none() | st.integers(1900, 2020) | st.dates(date(1900, 1, 1), date(2020, 12, 31))
pairs = st.lists(
    st.tuples(st.sampled_from(["fide", "fsi"]), st.text("1 \\a", min_size=1)), unique_by=lambda it: it[0]
)
list_rows = st.builds(
    ListRow,
    id=st.integers(1, 10**9),
    name=texts.filter(bool),
    federation=st.sampled_from(["", "ITA"]),
    title=st.sampled_from(["", "GM"]),
    other_titles=st.sampled_from(["", "IA,FT"]),
    rating=st.none() | st.integers(1000, 2900) | st.sampled_from([2299, 2300, 2399, 2400]),
    games=st.none() | st.integers(0, 99),
    k=st.none() | st.sampled_from([10, 15, 20, 25, 30, 40, 99]),
    born=births,
    flag=st.sampled_from(["", "i", "w", "wi"]),
    number=st.none() | st.integers(1, 10**6),
    identifiers=st.none() | pairs.map(lambda them: tuple(sorted(them))),
    delisted=st.booleans(),
)
days = st.dates(date(2013, 1, 1), date(2026, 1, 1))


def imported_standing(
    player: int, rating: int, k: int | None, born: Birth, day: date, rules: ChessRules, *, inactive: bool
) -> PlayerState:
    """The standing of one player, without columns (8.56)."""
    junior = bool(
        rules.k_junior_until
        and rules.k_junior_below
        and rating < rules.k_junior_below.value
        and rules.k_junior_until.value(born, day)
    )
    reached = k is not None and top_was_reached(k, rules)
    new = k is not None and first_games_are_left(k, rules) and not junior
    return PlayerState(
        player,
        rating=rating,
        games=0 if new else rules.k_new_games.value,
        peak=max(rating, rules.k_top_from.value) if reached else rating,
        k=k,
        last_list=last_list_of_inactive(day, rules) if inactive else day,
        inactive=inactive,
    )


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(list_rows, max_size=10), st.sampled_from(["standard", "rapid"]), days)
def test_lines_and_states_are_those_of_the_values(rows: list[ListRow], name: str, day: date) -> None:
    rules = in_force(CHESS_EDITIONS, ListName(name), day).on(ListName(name))
    read = table_of([(row, False) for row in rows], ListName(name))
    read = read.with_columns(pl.int_range(pl.len(), 0, -1).alias("player"))
    table = imported_table(read, day, rules)
    expected = []
    for player, row in enumerate(reversed(rows), start=1):
        if row.rating is None and row.identifiers is None:
            continue
        line = canonical_line(
            ListedPlayer(
                player, row.name, row.federation, row.known_sex, row.title, row.women_title, row.other_titles, "",
                row.rating, row.games or 0, row.k, birth_year(row.born), row.inactive, row.delisted, row.numbers,
            )
        )  # fmt: skip
        state = EMPTY_STATE
        if row.rating is not None:
            standing = imported_standing(
                player, row.rating, row.k, row.born, day, rules, inactive=row.inactive
            )
            state = from_state(standing)
        expected.append((player, line, state))
    states = table.select("player", state_text(table)).rows()
    assert [
        (player, line, state) for (player, state), line in zip(states, line_texts(table), strict=True)
    ] == expected


def test_a_player_in_two_rows_is_refused() -> None:
    read = table_of([(ListRow(7, "Ada", rating=2000), False)] * 2, ListName.STANDARD).with_columns(player=3)
    with pytest.raises(BadInput, match="listed-twice"):
        imported_table(
            read,
            date(2020, 1, 1),
            in_force(CHESS_EDITIONS, ListName.STANDARD, date(2020, 1, 1)).on(ListName.STANDARD),
        )
