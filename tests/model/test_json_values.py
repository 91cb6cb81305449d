"""What the store keeps of a standing is all of it."""

from dataclasses import fields
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.json_values import from_state, to_state

days = st.none() | st.dates(date(2000, 1, 1), date(2030, 1, 1))
numbers = st.integers(0, 3000)
tranches = st.builds(
    Performance,
    event=st.text(max_size=8),
    kind=st.sampled_from(EventKind),
    games=st.integers(1, 30),
    score=st.integers(0, 60),
    opponents_total=st.fractions(0, 90_000, max_denominator=30),
    opponents=st.integers(1, 30),
    rated_games=st.integers(0, 30),
    rated_score=st.integers(0, 60),
    last_day=days,
    team_championship=st.booleans(),
    edition=st.sampled_from(["", "fide-2017"]),
)
standings = st.builds(
    PlayerState,
    player=st.just(7),
    rating=st.none() | numbers,
    games=numbers,
    peak=numbers,
    k=st.none() | st.integers(1, 40),
    entered=days,
    entry=st.none() | numbers,
    last_list=days,
    tranches=st.lists(tranches, max_size=3).map(tuple),
    delisted=st.booleans(),
    inactive=st.booleans(),
)


@given(standings)
def test_a_standing_survives_the_store(standing: PlayerState) -> None:
    assert to_state(7, from_state(standing)) == standing


def test_every_field_is_tried() -> None:
    """A field added to a standing must be added above, where it would be missed if it were lost."""
    known = {
        "player",
        "rating",
        "games",
        "peak",
        "k",
        "entered",
        "entry",
        "last_list",
        "tranches",
        "delisted",
        "inactive",
    }
    assert {item.name for item in fields(PlayerState)} == known
