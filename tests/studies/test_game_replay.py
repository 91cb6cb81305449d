"""Histories replayed: the lists of the readable period, whatever the batches; files that can and cannot be read."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.lists import period
from arpad.lists.engine.columns import PlayerColumns, Roster
from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.regulations.editions import EditionByDay, by_date, chess_edition, in_turn
from arpad.reports.report import HALF_POINTS
from arpad.studies import game_table
from arpad.studies.game_replay import Replayed, replay
from arpad.studies.game_table import read_games
from arpad.studies.whatif import amended, tried_editions
from tests.builders.chess import Game
from tests.builders.periods import DREW, LOST, WON, edition_on, event, lists, ratings_of
from tests.builders.worlds import GAPS, RATINGS, chance
from tests.commands import refusal, run, run_json
from tests.thinning import examples

STANDARD = ListName.STANDARD
Tournament = tuple[int, date, list[Game]]


def history(rnd: Random) -> list[Tournament]:
    """Swisses of a day each around the changes of 2022 to 2025, when round robins have no procedure of their own."""
    found = []
    day = rnd.choice((date(2022, 1, 1), date(2023, 12, 1), date(2024, 2, 1), date(2025, 9, 1)))
    for number in range(rnd.randint(1, 8)):
        day += timedelta(rnd.choice((0, 3, 11, 25, 70)))
        players = rnd.sample(range(1, 10), rnd.randint(3, 8))
        games = []
        for _ in range(rnd.randint(1, 7)):
            rnd.shuffle(players)
            pairs = zip(players[::2], players[1::2], strict=False)
            games += [(one, rnd.choice((WON, DREW, LOST)), other) for one, other in pairs]
        found.append((number, day, games))
    return found


def played(tournaments: Iterable[Tournament]) -> pl.DataFrame:
    rows = [
        (day, one, other, HALF_POINTS[result], number)
        for number, day, games in tournaments
        for one, result, other in games
    ]
    return pl.DataFrame(rows, schema=["day", "white", "black", "score", "event"], orient="row")


def replayed(
    tables: Iterable[pl.DataFrame],
    before: Mapping[int, PlayerState],
    editions: EditionByDay = edition_on,
    start: int = 0,
) -> list[Replayed]:
    roster = Roster.of(before)
    facts = PlayerColumns.of(period.RegisterFacts(), roster)
    return list(replay(tables, roster, facts, STANDARD, editions, start=start))


def readable(
    tournaments: list[Tournament], before: dict[int, PlayerState], days: list[date]
) -> dict[int, PlayerState]:
    """The same lists, one after the other, by ``period``."""
    opened = tournaments[0][1].replace(day=1)
    for day in days:
        events = [event(str(it[0]), it[2], it[1]) for it in tournaments if opened <= it[1] < day]
        ratings = lists({date.min: ratings_of(before.values())})
        before = dict(period.close(STANDARD, day, opened, before, events, ratings, edition_on(day)).standings)
        opened = day
    return before


def beginners(rnd: Random, opened: date) -> dict[int, PlayerState]:
    levels = rnd.choice((RATINGS, GAPS))
    found = {}
    for player in range(1, 10):
        if rnd.random() < 0.7:
            games, k = rnd.choice((0, 29, 50)), rnd.choice((None, 20))
            found[player] = PlayerState(player, rnd.choice(levels), games, k=k, last_list=opened)
    return found


def equals(count: int) -> dict[int, PlayerState]:
    """So many settled players of 1500."""
    return {player: PlayerState(player, 1500, 60, 1500) for player in range(1, count + 1)}


@settings(max_examples=examples(60))
@given(st.integers(0, 1 << 32), st.integers(1, 30))
def test_a_replay_gives_the_lists_of_the_readable_period(seed: int, size: int) -> None:
    rnd = chance(seed)
    tournaments = history(rnd)
    before = beginners(rnd, tournaments[0][1].replace(day=1))
    games = played(tournaments)

    made = replayed(games.iter_slices(size), before)

    expected = readable(tournaments, before, [one.day for one in made])
    found = {it.player: it for it in made[-1].roster.standings()}
    blank = {player for player, it in found.items() if it == PlayerState(player)}
    assert {player: it for player, it in found.items() if player not in blank - expected.keys()} == expected


@pytest.mark.parametrize("apart", [3001, 1 << 31, 1 << 40])
def test_numbers_of_players_may_lie_close_or_far_apart(apart: int) -> None:
    """Numbers far apart give the same list, newcomers beyond everybody else included."""
    pairs: list[Game] = [(1, WON, 2), (7, WON, 1), (6, DREW, 2)]
    tournaments = [
        (1, date(2018, 1, 2), pairs[:1]), (2, date(2018, 2, 3), pairs), (3, date(2018, 3, 4), [*pairs, (9, LOST, 1)]),
    ]  # fmt: skip
    games = played(tournaments)
    spread = games.with_columns(pl.col("white", "black") * apart)

    one = replayed([games], {}, start=1500)[-1].roster
    other = replayed([spread], {}, start=1500)[-1].roster

    assert (one.player * apart).tolist() == other.player.tolist()
    assert one.rating.tolist() == other.rating.tolist()


def test_a_month_without_games_has_its_list_too() -> None:
    games = played([(1, date(2018, 1, 10), [(1, WON, 2)]), (2, date(2018, 4, 2), [(1, WON, 2)])])

    made = replayed([games], {}, start=2000)

    assert [(str(one.day), one.played) for one in made] == [
        ("2018-02-01", 1), ("2018-03-01", 0), ("2018-04-01", 0), ("2018-05-01", 1)
    ]  # fmt: skip
    # K 40: +20 and -20; then 40 above, .56: .44 x 40 = 17.6
    assert made[0].roster.rating.tolist() == [2020, 1980]
    assert made[-1].roster.rating.tolist() == [2038, 1962]


def test_an_edition_that_begins_inside_a_period() -> None:
    """One gap of 500 in each of two tournaments, and two in a third: 2022 helps only once in a tournament."""
    games = [(1, WON, 2), (1, WON, 3)]
    both = played([(1, date(2024, 2, 28), games), (2, date(2024, 3, 2), games)])
    before = {1: 2500, 2: 2000, 3: 2000}

    february, march = replayed(
        [both], {it: PlayerState(it, rating, 50, rating) for it, rating in before.items()}
    )

    # one gap counts as 400 (.92) and the other as it is (.96): .12 x 10 = 1.2; then .08 twice: 1.6
    assert int(february.roster.rating[0]) == 2501
    assert int(march.roster.rating[0]) == 2503


def test_an_event_of_an_earlier_edition_keeps_its_rules_while_another_rule_is_tried() -> None:
    """Half a point in June 2014 was too little for a first event; the five draws of August count alone: 1500."""
    weak: list[Game] = [(9, DREW, 1), (9, LOST, 2), (9, LOST, 3)]
    even: list[Game] = [(9, DREW, player) for player in range(1, 6)]
    games = played([(1, date(2014, 6, 12), weak), (2, date(2014, 8, 14), even)])
    before = equals(5)
    was = by_date(STANDARD)
    for editions in (was, tried_editions(was, None, ["appeal_days=8"], STANDARD)):
        *_, last = replayed([games], before, editions)
        assert last.roster.standing(5).rating == 1500


def test_an_edition_that_begins_inside_a_period_asks_more_of_newcomers() -> None:
    """An edition that begins on 11 January asks two points of a first event; half a point on the fifth was enough."""
    strict = amended(chess_edition("fide-2017"), ["first_score_swiss=4"], "standard")
    editions = in_turn(STANDARD, [chess_edition("fide-2017"), replace(strict, effective=date(2018, 1, 11))])
    first: list[Game] = [(9, DREW, 1), *((9, LOST, player) for player in range(2, 6))]
    tournaments = [
        (1, date(2018, 1, 5), first), (2, date(2018, 1, 15), [(8, WON, 1)] * 9), (3, date(2018, 1, 20), [(7, WON, 1)]),
    ]  # fmt: skip
    pieces = [played([one]) for one in tournaments]
    before = equals(5)

    (made,) = replayed(pieces, before, editions)

    found = {it.player: it.rating for it in made.roster.standings()}
    assert found[9] == 1134  # .5 of 5, .10: -366


def test_games_that_go_back_in_time_are_refused() -> None:
    games = played([(1, date(2018, 2, 10), [(1, WON, 2)]), (2, date(2018, 1, 2), [(1, WON, 2)])])

    with pytest.raises(BadInput, match="games-not-in-order"):
        replayed([games], {})
    with pytest.raises(BadInput, match="games-not-in-order"):
        replayed(games.iter_slices(1), {})


# ----------------------------------------------------------------------------------------------------- files

COLUMNS: dict[str, Any] = {
    "date": [date(2018, 1, 10), date(2018, 1, 11), date(2018, 2, 12)],
    "white": [1, 2, 1],
    "black": [2, 3, 3],
    "score": [2, 1, 0],
}


def written(folder: Path, **columns: Any) -> Path:
    path = folder / "games.parquet"
    table = {name: values for name, values in {**COLUMNS, **columns}.items() if values is not None}
    pl.DataFrame(table).write_parquet(path)
    return path


def test_results_and_numbers_of_tournaments(tmp_path: Path) -> None:
    path = written(tmp_path, score=None, result=["1-0", "1/2-1/2", "0-1"], event=[5, 5, 6])

    (games,) = read_games(path)
    assert games["score"].to_list() == [2, 1, 0]
    assert games["day"].to_list() == COLUMNS["date"]
    assert games["event"].to_list() == [5, 5, 6]


def test_a_long_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    monkeypatch.setattr(game_table, "BATCH", 2)

    assert [len(games) for games in read_games(path)] == [2, 1]
    path = written(tmp_path, black=[2, 3, 0])
    with pytest.raises(Unreadable) as refused:
        list(read_games(path))
    assert refused.value.facts["row"] == 3


def test_a_csv_is_read_alike_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date;white;black;result\n2018-02-12;1;3;0\n2018-01-10;1;2;1\n2018-01-11;2;3;+\n")

    (games,) = read_games(path)

    assert games["white"].to_list() == [1, 1]
    assert games["score"].to_list() == [2, 0]
    assert games["day"].to_list() == [date(2018, 1, 10), date(2018, 2, 12)]


def test_a_folder_may_tell_tournaments_apart_in_some_files_only(tmp_path: Path) -> None:
    """Three draws and three more without the number of a tournament: 1500, from five games or more."""
    for name, first_day, columns in (("01", 10, {"event": [4, 4, 4]}), ("02", 11, {})):
        days = [date(2018, 1, first_day)] * 3
        table = {"date": days, "white": [9, 9, 9], "black": [1, 2, 3], "score": [1, 1, 1], **columns}
        pl.DataFrame(table).write_parquet(tmp_path / f"{name}.parquet")
    before = equals(3)

    (made,) = replayed(read_games(tmp_path), before)

    assert (int(made.roster.rating[3]), int(made.games[3])) == (1500, 6)


def test_numbers_of_tournaments_stay_what_they_are_when_files_are_joined(tmp_path: Path) -> None:
    large = (1 << 60) + 1
    for name, columns in (("01", {"event": pl.Series([large, large + 1], dtype=pl.UInt64)}), ("02", {})):
        days = [date(2018, 1, 10)] * 2
        table = {"date": days, "white": [1, 2], "black": [2, 1], "score": [1, 1], **columns}
        pl.DataFrame(table).write_parquet(tmp_path / f"{name}.parquet")

    assert pl.concat(read_games(tmp_path))["event"].to_list() == [large, large + 1, 0, 0]


@pytest.mark.parametrize("kind", [pl.UInt64, pl.UInt32, pl.Int16, pl.UInt8, pl.String])
def test_numbers_of_players_may_be_of_any_whole_kind(tmp_path: Path, kind: Any) -> None:
    path = written(tmp_path, white=pl.Series([1, 2, 1]).cast(kind), black=pl.Series([2, 3, 3]).cast(kind))
    before = {player: PlayerState(player, 2000, 60, 2000) for player in (1, 1 << 20)}

    *_, last = replayed(read_games(path), before, start=2000)

    assert last.roster.player.tolist() == [1, 1 << 20, 2, 3]


def test_a_number_beyond_all_players_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as refused:
        list(read_games(written(tmp_path, white=pl.Series([1, 1 << 63, 1], dtype=pl.UInt64))))
    assert refused.value.facts | {"column": "white", "row": 2, "value": str(1 << 63)} == refused.value.facts


def test_days_are_cut_at_both_ends(tmp_path: Path) -> None:
    path = written(tmp_path)

    assert [len(games) for games in read_games(path, STANDARD, date(2018, 1, 11))] == [2]
    assert [len(games) for games in read_games(path, STANDARD, None, date(2018, 1, 11))] == [2]
    assert [len(games) for games in read_games(path, STANDARD, date(2018, 1, 11), date(2018, 1, 31))] == [1]


@pytest.mark.parametrize(
    ("columns", "code", "facts"),
    [
        ({"white": None}, "games-column-missing", {"column": "white"}),
        ({"score": None}, "games-column-missing", {"column": "result"}),
        ({"score": [2, 3, 0]}, "games-value", {"column": "score", "row": 2, "value": "3"}),
        ({"black": [2, 3, 1]}, "games-value", {"column": "black", "row": 3}),
        ({"white": [0, 2, 1]}, "games-value", {"column": "white", "row": 1, "value": "0"}),
        ({"white": [1, None, 1]}, "games-value", {"column": "white", "row": 2}),
        ({"white": ["a", "b", "c"]}, "games-value", {"column": "white", "value": "a"}),
        ({"date": ["soon", "later", "never"]}, "games-value", {"column": "date"}),
        (
            {"date": [date(2018, 1, 10), date(2018, 1, 11), date(9999, 12, 5)]},
            "games-value",
            {"column": "date", "row": 3, "value": "9999-12-05"},
        ),
        ({"date": [date(18, 1, 10), date(18, 1, 11), date(2018, 2, 12)]}, "games-value", {"column": "date", "row": 1}),
        ({"score": None, "result": ["1-0", "*", "0-1"]}, "games-value", {"column": "result", "row": 2, "value": "*"}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(
    tmp_path: Path, columns: dict[str, Any], code: str, facts: dict[str, Any]
) -> None:
    path = written(tmp_path, **columns)
    with pytest.raises(Unreadable) as refused:
        list(read_games(path))
    assert refused.value.code == code
    assert facts.items() <= refused.value.facts.items()


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="games-not-there"):
        list(read_games(tmp_path))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"date,white", b"PAR1" * 100])
def test_a_file_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    path = tmp_path / "games.parquet"
    path.write_bytes(content)

    assert str(path) in refusal(capsys, "replay", str(path))


# ---------------------------------------------------------------------------------------------------- commands


def test_the_command_gives_every_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = written(tmp_path), tmp_path / "lists"

    document = run_json(capsys, "replay", str(path), "--start", "2000", "--out", str(out))

    assert document["schema"] == "arpad.replay/1"
    # K 40: 1 beats 2 (+20, -20), 2 draws with 3; then 1 loses to 3 from 20 above (.53): -21.2, +21.2
    assert [(one["date"], one["games"], one["mean"]) for one in document["lists"]] == [
        ("2018-02-01", 2, "2000.00"),
        ("2018-03-01", 1, "2000.00"),
    ]
    last = pl.read_parquet(out / "standard-2018-03-01.parquet").to_dict(as_series=False)
    assert last == {
        "player": [1, 2, 3],
        "rating": [1999, 1980, 2021],
        "games": [1, 0, 1],
        "inactive": [False, False, False],
    }


def test_a_list_to_begin_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, ratings = written(tmp_path), tmp_path / "list.csv"
    ratings.write_text("id,name,rating,k\n1,One,2400,10\n2,Two,2400,20\n", encoding="utf-8")

    document = run_json(capsys, "replay", str(path), "--ratings", str(ratings), "--to", "2018-01-31")

    # 1: +5 with K 10; 2: -10 with K 20; 3 is unrated
    assert [(one["rated_players"], one["mean"]) for one in document["lists"]] == [(2, "2397.50")]


@pytest.mark.parametrize("row", ["1,One,99999,10", "1,One,2400,99999"])
def test_a_list_that_no_player_can_stand_on_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str
) -> None:
    ratings = tmp_path / "list.csv"
    ratings.write_text(f"id,name,rating,k\n{row}\n", encoding="utf-8")

    said = refusal(capsys, "replay", str(written(tmp_path)), "--ratings", str(ratings))
    assert said.startswith(f"{ratings}: line 2")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--from", "2018-03-01", "--to", "2018-02-01"), "--from"),
        (("--from", "yesterday"), "--from"),
        (("--start", "9000"), "--start"),
        (("--edition", "fide-1999"), "fide-1999"),
        (("--edition", "rubele-2008"), "rubele-2008"),
    ],
)
def test_wrong_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    assert named in refusal(capsys, "replay", str(written(tmp_path)), *arguments)


def test_no_games_in_these_days(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "replay", str(written(tmp_path)), "--from", "2019-01-01", "--lang", "en")

    assert (status, out) == (0, "no games in these days: no list\n")
