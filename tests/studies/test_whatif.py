"""A rule tried on a history, of a made world and of an office."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.office import open_office
from arpad.regulations.editions import EditionByDay, always, by_date, chess_edition
from arpad.regulations.fide.rules import add_months
from arpad.reports.report import Report
from arpad.studies.history import History, HistoryPlayer, PlayedGame, Tournament, event_of, on_first_list
from arpad.studies.history_files import read_history, write_history
from arpad.studies.integrity import integrity
from arpad.studies.office_history import history_of
from arpad.studies.points import accounts
from arpad.studies.replay import Replay, _periods, all_games, given_games, ratings_of, replay
from arpad.studies.simulate import Plan, Tried, plans_of, play, play_many, tried
from arpad.studies.whatif import amended, tried_editions, whatif
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept
from tests.commands import run_json
from tests.patience import comes_to_an_end
from tests.thinning import one_in

EDITION = chess_edition("fide-2017")
SMALL = Plan(seed=5, players=60, years=1)


def standings_by_day(history: History, editions: EditionByDay) -> dict[date, Mapping[int, PlayerState]]:
    """Return every list of a history, the start included, without derivations."""
    state = Replay(history.on_list, editions, history.opened, history.start, history.people)
    lists = {history.opened: history.start}
    for day, events, register in _periods(history, state):
        state.advance_events(day, events, register)
        lists[day] = state.standings
    return lists


def test_one_number_gives_one_world() -> None:
    one, again = (play(SMALL, always(EDITION)) for _ in range(2))
    assert one.history == again.history
    assert one.distances == again.distances
    assert play(replace(SMALL, seed=6), always(EDITION)).history != one.history


def test_many_worlds_do_not_depend_on_how_many_run_side_by_side() -> None:
    plan = replace(SMALL, players=40)
    assert list(play_many(plan, always(EDITION), 3)) == list(play_many(plan, always(EDITION), 3, jobs=2))


@pytest.mark.parametrize("edition", ["fide-2009", "fide-2017", "fide-2024"])
def test_the_lists_without_derivations_are_the_same(edition: str) -> None:
    plan = replace(SMALL, seed=9, begins=chess_edition(edition).effective.replace(day=1))
    editions = always(chess_edition(edition))
    derived, quick = play(plan, editions), play(plan, editions, derived=False)
    assert quick.distances == derived.distances
    assert quick.history == derived.history
    assert quick.periods == ()
    lists = [closed.period.standings for closed in derived.periods]
    assert list(standings_by_day(derived.history, editions).values()) == [derived.history.start, *lists]


def test_any_process_may_play_a_world() -> None:
    plans = plans_of(SMALL, 2)
    assert [one.seed for one in plans] == [5, 6]
    played = play(plans[1], always(EDITION))
    assert tried(always(EDITION), plans[1]) == Tried(6, (played.distances[0], played.distances[-1]))


def test_the_tournaments_look_like_tournaments() -> None:
    history = play(Plan(seed=2, players=200, years=1), always(EDITION)).history
    assert len(history.tournaments) > 20
    for one in history.tournaments:
        rounds = [
            {b.white for b in one.boards if b.round == r} | {b.black for b in one.boards if b.round == r}
            for r in range(1, 10)
        ]
        games = [sum(b.round == r for b in one.boards) for r in range(1, 10)]
        assert all(
            len(players) == 2 * count for players, count in zip(rounds, games, strict=True)
        )  # nobody plays twice in a round
        pairs = [frozenset((b.white, b.black)) for b in one.boards]
        assert len(pairs) == len(set(pairs))  # nobody meets anybody twice
    draws = sum(b.result == "=" for one in history.tournaments for b in one.boards)
    games_played = sum(len(one.boards) for one in history.tournaments)
    assert 0.1 < draws / games_played < 0.4


def test_a_stable_world_keeps_its_average_strength() -> None:
    played = play(Plan(seed=4, players=80, years=1, stable=True), always(EDITION))
    assert played.distances[0].strength == pytest.approx(played.distances[-1].strength)


def test_a_replay_makes_the_same_lists() -> None:
    played = play(SMALL, always(EDITION))
    again = list(replay(played.history, always(EDITION)))
    assert [closed.period.standings for closed in again] == [
        closed.period.standings for closed in played.periods
    ]


@pytest.mark.parametrize(
    ("first_day", "last_day", "listed"),
    [
        # Begun when lists came every two months: the list of August 2012 has the calendar of its own day.
        (date(2012, 6, 28), date(2012, 7, 10), date(2012, 8, 1)),
        # Seven days before the list were needed until June 2014, three are enough for the list of July.
        (date(2014, 6, 25), date(2014, 6, 26), date(2014, 7, 1)),
        (date(2014, 5, 24), date(2014, 5, 26), date(2014, 7, 1)),
    ],
)
def test_a_list_takes_what_its_own_edition_lets_in(first_day: date, last_day: date, listed: date) -> None:
    opened = add_months(last_day.replace(day=1), -1 if last_day.month % 2 == 0 else 0)
    start = {player: on_first_list(player, 1500, opened) for player in (1, 2)}
    event = Tournament("a", first_day, last_day, (PlayedGame(1, 1, 2, "1"),))
    made = list(replay(History(opened, start, {}, (event,)), by_date(ListName.STANDARD)))
    assert [closed.period.day for closed in made if closed.events] == [listed]


def test_a_history_survives_its_files(tmp_path: Path) -> None:
    played = play(SMALL, always(EDITION))
    write_history(played.history, tmp_path)
    read = read_history(tmp_path)
    assert read.people == played.history.people
    assert read.start == played.history.start
    games = [
        sorted(
            sorted((board.white, board.black, board.result) for board in it.boards)
            for it in history.tournaments
        )
        for history in (read, played.history)
    ]
    assert games[0] == games[1]
    again = [closed.period.standings for closed in replay(read, always(EDITION))]
    assert again == [closed.period.standings for closed in played.periods]


def test_a_file_of_games_alone_brings_its_ratings(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(
        "event,first_day,white,black,result,white_rating,black_rating\n"
        "a,2018-01-05,1,2,1-0,2000,1900\na,2018-01-05,2,3,½,1900,2450\n",
        encoding="utf-8",
    )
    history = read_history(path)
    assert {player: one.rating for player, one in history.start.items()} == {1: 2000, 2: 1900, 3: 2450}
    first, second = given_games(history, by_date(ListName.STANDARD))
    assert (first.score, first.white_expected, first.black_expected) == (2, 64, 36)
    assert (second.score, second.white_expected, second.black_expected) == (1, 8, 92)  # 550 counts as 400


def test_games_without_rounds_are_laid_into_the_first_rounds_that_have_room(tmp_path: Path) -> None:
    """A double round of four games on one day is two rounds, and no screen sees more than a day can hold."""
    pairs = [(1, 2), (3, 4), (5, 6), (7, 8), (1, 3), (2, 4), (5, 7), (6, 8)]
    rows = "".join(f"a,2018-01-05,{white},{black},=\n" for white, black in pairs)
    path = tmp_path / "games.csv"
    path.write_text(f"event,first_day,white,black,result\n{rows}", encoding="utf-8")
    history = read_history(path)
    assert [board.round for board in history.tournaments[0].boards] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert integrity(history, [], []) == []


def test_nobody_plays_twice_in_a_round_that_was_not_given(tmp_path: Path) -> None:
    """Player 9 comes late, to one who has played four times, and then plays on: his games are all there."""
    pairs = [(1, 2), (1, 3), (1, 4), (1, 5), (1, 9), *((9, number) for number in range(10, 16))]
    rows = "".join(f"a,2018-01-05,{white},{black},=\n" for white, black in pairs)
    path = tmp_path / "games.csv"
    path.write_text(f"event,first_day,white,black,result\n{rows}", encoding="utf-8")
    (tournament,) = read_history(path).tournaments
    event = event_of(tournament, EDITION, {})
    told = sum(opponent > 0 for cells in event.report.rounds for opponent in cells.opponents)
    assert told == 2 * len(pairs)


def test_two_games_of_a_round_both_count() -> None:
    """A round of two games each, as in a match of teams: four games of 1 and 2, and none is lost."""
    boards = tuple(PlayedGame(number, *pair, "1") for number in (1, 2) for pair in ((1, 2), (2, 1)))
    day = date(2018, 1, 5)
    start = {player: on_first_list(player, 1500, date(2018, 1, 1)) for player in (1, 2, 3)}
    event = Tournament("a", day, day, (*boards, PlayedGame(3, 1, 3, "=")))
    (closed,) = replay(History(date(2018, 1, 1), start, {}, (event,)), always(EDITION))
    games = all_games([closed])
    assert sorted((game.white, game.black) for game in games) == [(1, 2), (1, 2), (1, 3), (2, 1), (2, 1)]
    assert {player: one.games - 60 for player, one in closed.period.standings.items()} == {1: 5, 2: 4, 3: 1}


def test_a_round_may_have_any_number() -> None:
    day = date(2018, 1, 5)
    event = Tournament("a", day, day, (PlayedGame(999_999_999_999, 1, 2, "1"), PlayedGame(7, 2, 3, "=")))
    with comes_to_an_end():
        report = event_of(event, EDITION, {}).report
    assert [cells.results for cells in report.rounds] == ["Z==", "10Z"]


def test_parquet_is_read_like_csv(tmp_path: Path) -> None:
    columns = {"event": ["a"], "first_day": [date(2018, 1, 5)], "white": [1], "black": [2], "result": ["1"]}
    ratings = {"white_rating": [2000], "black_rating": [None]}
    pl.DataFrame({**columns, **ratings}).write_parquet(tmp_path / "games.parquet")
    (event,) = read_history(tmp_path / "games.parquet").tournaments
    assert event.boards == (PlayedGame(1, 1, 2, "1", None, 2000, None),)


def test_a_player_who_comes_without_a_rating_begins_without_one(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(
        "event,date,white,black,result,white_rating,black_rating\n"
        "a,2018-01-05,1,2,1,2000,\nb,2018-02-05,1,2,1,2000,1800\n"
    )
    assert read_history(path).start.keys() == {1}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("event,first_day,white,black\n", "games-column-missing"),
        ("event,first_day,white,black,result\n", "no-games-in-file"),
        ("event,first_day,white,black\na,2018-01-05,1,2\n", "games-column-missing"),
        ("event,first_day,white,black,result\na,2018-01-05,1,2,7\n", "games-value"),
        ("event,first_day,white,black,result\na,2018-13-05,1,2,1\n", "games-value"),
        ("event,first_day,white,black,result\na,2018-01-05,x,2,1\n", "games-value"),
        ("event,first_day,white,black,result\na,2018-01-05,2,2,1\n", "games-value"),
        ("event,first_day,white,black,result\na,,1,2,1\n", "games-value"),
        ("event,first_day,white,black,result\na,9999-12-05,1,2,1\n", "games-value"),
        ("event,first_day,white,black,result,white_rating\na,2018-01-05,1,2,1,99999\n", "games-value"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "games.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_history(path)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("row", "line", "field"),
    [
        ("b,2018-13-05,,1,2,1", 3, "first_day"),
        ("b,,,1,2,1", 3, "first_day"),
        ("b,2018-01-07,2018-02-30,1,2,1", 3, "last_day"),
        ("a,2018-01-05,yesterday,2,1,1", 3, "last_day"),
    ],
)
def test_a_day_that_is_none_is_named_with_its_line(tmp_path: Path, row: str, line: int, field: str) -> None:
    path = tmp_path / "games.csv"
    heading = "event,first_day,last_day,white,black,result"
    path.write_text(f"{heading}\na,2018-01-05,2018-01-06,1,2,1\n{row}\n", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_history(path)
    assert (refused.value.code, refused.value.facts["row"]) == ("games-value", line - 1)
    assert refused.value.facts["column"] == field


# -------------------------------------------------------------------------------------------------- what if


def two_players() -> History:
    start = {player: on_first_list(player, 1500, date(2018, 1, 1)) for player in (1, 2)}
    event = Tournament("a", date(2018, 1, 5), date(2018, 1, 5), (PlayedGame(1, 1, 2, "1"),))
    return History(date(2018, 1, 1), start, {1: HistoryPlayer(1), 2: HistoryPlayer(2)}, (event,))


def test_another_k_moves_as_it_must() -> None:
    found = whatif(two_players(), always(EDITION), always(amended(EDITION, ["k_usual=10"], "standard")))
    assert {(one.player, one.was, one.would) for one in found.movers} == {(1, 1510, 1505), (2, 1490, 1495)}
    assert (found.both, found.moved, found.mean_move, found.mean_distance) == (2, 2, 0, 5)
    assert found.was.log_loss == found.would.log_loss


def test_an_event_of_an_earlier_edition_keeps_its_rules_while_another_rule_is_tried() -> None:
    """Half a point in June 2014 was too little for a first event; the five draws of August count alone: 1500."""
    start = {player: on_first_list(player, 1500, date(2014, 6, 1)) for player in range(1, 6)}
    weak = [PlayedGame(number, 9, number, "=" if number == 1 else "0") for number in (1, 2, 3)]
    even = [PlayedGame(number, 9, number, "=") for number in range(1, 6)]
    events = (
        Tournament("weak", date(2014, 6, 10), date(2014, 6, 12), tuple(weak)),
        Tournament("even", date(2014, 8, 10), date(2014, 8, 14), tuple(even)),
    )
    history = History(date(2014, 6, 1), start, {}, events)
    was = by_date(ListName.STANDARD)
    would = tried_editions(was, None, ["appeal_days=8"], ListName.STANDARD)
    found = whatif(history, was, would)
    lists = [standings_by_day(history, editions) for editions in (was, would)]
    assert [made[max(made)][9].rating for made in lists] == [1500, 1500]
    assert found.moved == 0


def test_both_name_the_edition_of_the_last_list() -> None:
    """An event of June 2017 falls into the list of July, which is the first of the edition of 2017."""
    start = {player: on_first_list(player, 1500, date(2017, 6, 1)) for player in (1, 2)}
    june = date(2017, 6, 20)
    history = History(
        date(2017, 6, 1), start, {}, (Tournament("a", june, june, (PlayedGame(1, 1, 2, "1"),)),)
    )
    was = by_date(ListName.STANDARD)
    assert whatif(history, was, was).was.edition == "fide-2017"


def test_a_higher_floor_takes_players_out() -> None:
    found = whatif(two_players(), always(EDITION), always(amended(EDITION, ["floor=1500"], "standard")))
    assert (found.lost, found.gained, found.would.left) == ((2,), (), 1)
    assert found.would.points["fell-below-floor"] == -1490


def test_a_rule_can_be_abolished_or_replaced_by_a_procedure() -> None:
    free = amended(EDITION, ["k_times_games=none", "cap_rule=cap_one_game_per_event"], "standard").on(
        ListName.STANDARD
    )
    assert free.k_times_games is None
    assert free.cap_rule.value.__name__ == "cap_one_game_per_event"


@pytest.mark.parametrize("change", ["floor", "=3", "flor=1200", "floor=high", "floor=none"])
def test_a_change_that_means_nothing_is_refused(change: str) -> None:
    with pytest.raises(BadInput):
        amended(EDITION, [change], "standard")


JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
WIN = "1 2000 | 2w1\n2 2000 | 1b0"
DRAW = "1 2000 | 2w=\n2 2000 | 1b="


@pytest.mark.parametrize("on_list", one_in(3, [ListName.STANDARD, ListName.RAPID, ListName.BLITZ]))
def test_the_demo_replayed_by_its_own_editions_gives_its_own_lists(
    demo_office: str, on_list: ListName
) -> None:
    with closing(open_office(demo_office)) as office:
        history, run = history_of(office, on_list)
    again = list(replay(history, by_date(on_list)))
    assert [one.period.standings for one in again] == [one.period.standings for one in run]
    assert [one.unexplained for one in accounts(again)] == [0] * 24


def test_a_decided_k_is_decided_in_both_outcomes(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)  # the K of a list taken over decides its first period only
    desk.report(event("February", WIN, date(2018, 2, 10)))
    decide(desk.office, "k", player=1, on_list=STANDARD, day=MAR, k=40, reason="junior")
    desk.publish(MAR)
    history, _ = history_of(desk.office, STANDARD)
    found = whatif(history, always(EDITION), always(amended(EDITION, ["k_usual=10"], "standard")))
    # 40 x 0.5 whatever the usual K is; the other loses 20 x 0.5, or 10 x 0.5.
    assert {(one.player, one.was, one.would) for one in found.movers} == {(2, 1990, 1995), (1, 2020, 2020)}


def league() -> Report:
    days = (date(2009, 8, 10), date(2009, 9, 20))
    report = event("League", "1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", *days)
    rounds = tuple(replace(cells, day=day) for cells, day in zip(report.rounds, days, strict=True))
    return replace(report, rounds=rounds)


def test_a_long_event_stays_in_its_parts(desk: Desk) -> None:
    """The lists of the office's own test: 2008 and 1993 in September, 2015 and 1986 in November, by rounds (4.13)."""
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    desk.report(event("July", WIN, date(2009, 7, 5)))
    desk.publish(date(2009, 9, 1))
    decide(desk.office, "by-round", report=desk.report(league()), reason="league")
    desk.publish(date(2009, 11, 1))
    history, _ = history_of(desk.office, STANDARD)
    assert [len(one.events) for one in history.closings] == [1, 2]
    lists = [ratings_of(one.period.standings) for one in replay(history, by_date(STANDARD))]
    assert lists == [{1: 2008, 2: 1993}, {1: 2015, 2: 1986}]


def test_what_an_officer_set_between_two_lists_is_set_in_both_outcomes(demo_office: str) -> None:
    with closing(open_office(demo_office)) as office:
        history, _ = history_of(office, ListName.RAPID)
    (act,) = [one for one in history.closings if one.acts]
    assert act.day == date(2024, 6, 1)  # the start of May was corrected
    was = by_date(ListName.RAPID)
    found = whatif(history, was, tried_editions(was, None, ["k_usual=30"], ListName.RAPID))
    assert found.moved > 0
    for editions in (was, tried_editions(was, None, ["k_usual=30"], ListName.RAPID)):
        june = next(one for one in replay(history, editions) if one.period.day == act.day)
        assert {player: june.before.get(player) for player in act.acts} == act.acts


def test_a_report_that_replaced_another_reaches_the_screen(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    first = desk.report(event("January", WIN, date(2018, 1, 10)))
    sent = desk.send(event("January", DRAW, date(2018, 1, 10)), replaces=first)
    accept(desk.office, sent.report, reason="scoresheet")
    desk.publish(FEB)
    history, _ = history_of(desk.office, STANDARD)
    (signal,) = integrity(history, [], [])
    assert (signal.screen, signal.event, signal.players) == ("differs-from-earlier", str(sent.report), (1, 2))
    assert signal.figures == {"changed": 1, "added": 0, "gone": 0}


def test_the_same_report_sent_again_with_another_header_raises_nothing(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    first = desk.report(event("January", WIN, date(2018, 1, 10)))
    sent = desk.send(event("January open", WIN, date(2018, 1, 10)), replaces=first)
    accept(desk.office, sent.report, reason="its right name")
    desk.publish(FEB)
    history, _ = history_of(desk.office, STANDARD)
    assert len(history.earlier) == 1
    assert integrity(history, [], []) == []


@pytest.mark.deep
def test_the_command_tries_a_rule_on_an_office(demo_office: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "whatif", "--db", demo_office, "--set", "floor=1600")
    assert document["base"] == "by-date"
    assert document["was"]["left"] < document["would"]["left"]
    assert document["would"]["above"]["1600"] == document["would"]["rated"]
    assert document["was"]["above"]["1400"] == document["was"]["rated"]
