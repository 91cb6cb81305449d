"""What must hold for any games, not only for those of the examples."""

from hypothesis import given
from hypothesis import strategies as st

from arpad.model import names
from arpad.model.chess import RatedGame
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.change import applied_k, cap_every_game, game_changes, rating_change
from arpad.regulations.fide.entry_rating import entry_rating, swiss_performance
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B

ratings = st.integers(1000, 2900)
scores = st.integers(0, 2)
editions = st.sampled_from(CHESS_EDITIONS)


def standard(edition: Edition[ChessRules]) -> ChessRules:
    return edition.on(ListName.STANDARD)


def caps_both_alike(edition: Edition[ChessRules]) -> bool:
    rules = standard(edition)
    return rules.cap_rule.value is cap_every_game and rules.cap_exempt_from is None


plain_cap = st.sampled_from([edition for edition in CHESS_EDITIONS if caps_both_alike(edition)])


@given(ratings, ratings, plain_cap)
def test_expectations_of_both_players_add_to_one(one: int, other: int, edition: Edition[ChessRules]) -> None:
    rules = standard(edition)
    (mine,), (his,) = (game_changes([RatedGame(a, b, 0)], rules) for a, b in ((one, other), (other, one)))
    assert mine.expected + his.expected == 100


@given(ratings, st.lists(st.tuples(ratings, scores), min_size=1, max_size=40), editions, st.data())
def test_a_better_result_never_lowers_the_change(
    own: int, games: list[tuple[int, int]], edition: Edition[ChessRules], data: st.DataObject
) -> None:
    better = list(games)
    index = data.draw(st.integers(0, len(games) - 1))
    better[index] = (games[index][0], min(2, games[index][1] + 1))
    rules = standard(edition)
    worse, best = (
        rating_change(own, 20, [RatedGame(own, opponent, score) for opponent, score in played], rules)
        for played in (games, better)
    )
    assert best.change >= worse.change
    assert best.new_rating >= worse.new_rating


@given(ratings, st.lists(st.tuples(ratings, scores), min_size=1, max_size=12), editions, st.randoms())
def test_the_order_of_games_does_not_matter(
    own: int, games: list[tuple[int, int]], edition: Edition[ChessRules], random: object
) -> None:
    shuffled = list(games)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    rules = standard(edition)
    first, second = (
        rating_change(own, 20, [RatedGame(own, o, s) for o, s in played], rules)
        for played in (games, shuffled)
    )
    assert (first.sum, first.new_rating) == (second.sum, second.new_rating)


@given(ratings, ratings, scores, plain_cap)
def test_what_one_wins_the_other_loses(
    one: int, other: int, score: int, edition: Edition[ChessRules]
) -> None:
    rules = standard(edition)
    mine = rating_change(one, 20, [RatedGame(one, other, score)], rules)
    his = rating_change(other, 20, [RatedGame(other, one, 2 - score)], rules)
    assert mine.change == -his.change


@given(st.lists(ratings, min_size=1, max_size=12), editions, st.data())
def test_a_better_score_in_one_swiss_never_lowers_the_entry_rating(
    opponents: list[int], edition: Edition[ChessRules], data: st.DataObject
) -> None:
    rules = standard(edition)
    score = data.draw(st.integers(0, 2 * len(opponents) - 1))
    worse, better = (entry_rating([swiss_performance("", opponents, s)], rules) for s in (score, score + 1))
    if worse.computed is not None:
        assert better.computed is not None
        assert better.computed >= worse.computed
    if worse.rating is not None:
        assert better.rating is not None


@given(st.integers(1, 60), st.integers(1, 200), editions)
def test_the_700_rule_never_raises_k(k: int, games: int, edition: Edition[ChessRules]) -> None:
    rules = standard(edition)
    applied, _ = applied_k(k, games, rules)
    assert applied <= k
    if rules.k_times_games:
        assert applied * games <= 700
        assert applied == k or (applied + 1) * games > 700


def test_each_table_rises() -> None:
    fractions = [TABLE_8_1A.difference(p) for p in range(101)]
    assert fractions == sorted(set(fractions))
    assert len(fractions) == 101
    assert all(TABLE_8_1A.difference(p) == -TABLE_8_1A.difference(100 - p) for p in range(101))
    assert list(TABLE_8_1B.bounds) == sorted(set(TABLE_8_1B.bounds))
    assert {TABLE_8_1B.expected(d) + TABLE_8_1B.expected(-d) for d in range(1200)} == {100}


def test_the_tables_are_as_printed_at_their_edges() -> None:
    """Rows of 8.1b copied by eye from the page: first and last difference of a row and its two columns."""
    for low, high, h in ((0, 3, 50), (4, 10, 51), (92, 98, 63), (198, 206, 76), (329, 344, 88), (345, 357, 89),
                         (392, 411, 92), (620, 735, 99), (736, 3000, 100)):  # fmt: skip
        assert [TABLE_8_1B.expected(d) for d in (low, high)] == [h, h]
        assert TABLE_8_1B.expected(-high) == 100 - h
    for p, dp in ((100, 800), (99, 677), (83, 273), (66, 117), (49, -7), (32, -133), (15, -296), (0, -800)):
        assert TABLE_8_1A.difference(p) == dp


def test_a_name_nearly_typed_is_found_again() -> None:
    there = ["Quaglia, Teodoro", "Marchesi, Leonardo", "Quagliotti, Ada"]
    assert names.alike("Qualia", there) == ["Quaglia, Teodoro", "Quagliotti, Ada"]
    assert names.alike("leonrado", there) == ["Marchesi, Leonardo"]
    assert names.alike("Zzz", there) == []
