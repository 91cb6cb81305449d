"""The screens of records and thresholds, each with a case that it must see and one that it must leave alone."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.rules import ListName
from arpad.studies.history import History, HistoryList, HistoryPlayer, PlayedGame, Tournament
from arpad.studies.integrity import integrity
from arpad.studies.signals import Signal

DAY = date(2018, 3, 3)


def event(name: str, *boards: PlayedGame, day: date = DAY, city: str = "Trento") -> Tournament:
    return Tournament(
        name, day, max((board.day or day for board in boards), default=day), boards, name, city, "ITA"
    )


def looked_at(*tournaments: Tournament, **more: object) -> list[Signal]:
    history = History(date(2018, 1, 1), {}, {}, tournaments)
    return integrity(replace(history, **more), [], [])  # type: ignore[arg-type]


def test_two_places_on_one_day() -> None:
    one = event("a", PlayedGame(1, 1, 2, "1", DAY))
    (found,) = looked_at(one, event("b", PlayedGame(1, 1, 3, "=", DAY), city="Bari"))
    assert (found.screen, found.players, found.figures["other"]) == ("two-places", (1,), "b")
    assert looked_at(one, event("b", PlayedGame(1, 1, 3, "=", DAY))) == []
    assert looked_at(one, event("b", PlayedGame(1, 1, 3, "=", date(2018, 3, 4)), city="Bari")) == []


def test_two_overlapping_events_in_two_cities_without_days_for_the_rounds() -> None:
    # Five rounds in three days each: whoever plays is there every day, so 4 March is common to both.
    boards = tuple(PlayedGame(number, 1, number + 1, "1") for number in range(1, 6))
    one = Tournament("a", DAY, date(2018, 3, 5), boards, "a", "Trento", "ITA")
    other = Tournament("b", date(2018, 3, 5), date(2018, 3, 7), boards, "b", "Bari", "ITA")
    (found, *more) = looked_at(one, other)
    assert (found.screen, found.players, found.figures) == (
        "two-places", (1,), {"day": date(2018, 3, 5), "other": "b"},
    )  # fmt: skip
    assert {signal.players for signal in more} == {(number,) for number in range(2, 7)}
    # A league of five rounds over a month leaves days free; TRENTO is Trento; a forfeit is nobody's presence.
    assert looked_at(one, replace(other, last_day=date(2018, 4, 7))) == []
    assert looked_at(one, replace(other, city="TRENTO")) == []
    assert looked_at(one, replace(other, city="")) == []
    away = tuple(board._replace(result="+") for board in boards)
    assert looked_at(one, replace(other, boards=away)) == []


def test_dates_that_cannot_be() -> None:
    good = event("a", PlayedGame(1, 1, 2, "1", DAY), PlayedGame(2, 1, 3, "1", date(2018, 3, 4)))
    assert looked_at(good) == []
    (early,) = looked_at(replace(good, first_day=date(2018, 3, 4)))
    assert (early.screen, early.figures) == ("implausible-dates", {"outside": 1, "backwards": 0})
    turned = event("a", PlayedGame(1, 1, 2, "1", date(2018, 3, 4)), PlayedGame(2, 1, 3, "1", DAY))
    (backwards,) = looked_at(turned)
    assert (backwards.screen, backwards.figures) == ("implausible-dates", {"outside": 0, "backwards": 1})


def test_too_many_games_of_a_day_and_rounds_of_an_event() -> None:
    boards = [PlayedGame(number, 1, number + 1, "1", DAY) for number in range(1, 5)]
    found = looked_at(event("a", *boards))
    assert [(signal.screen, signal.players) for signal in found] == [
        ("games-a-day", (1,)),
        ("rounds-in-days", ()),
    ]
    assert looked_at(event("a", *boards[:3])) == []
    assert looked_at(event("a", *boards), on_list=ListName.RAPID) == []  # fifteen a day are allowed there


def test_two_who_meet_in_every_event_that_both_enter() -> None:
    """Six opens of twenty and one round: neighbours meet with a chance of 4/19, six times out of six 0.00009."""
    others = list(range(3, 21))
    events = []
    for month in range(1, 7):
        pairs = [(1, 2), *zip(others[:9], others[9:], strict=True)]
        boards = [PlayedGame(1, white, black, "=") for white, black in pairs]
        events.append(event(f"open-{month}", *boards, day=date(2018, month, 3)))
        others = [*others[:9], *others[10:], others[9]]
    (found,) = looked_at(*events)
    assert (found.screen, found.players, found.figures) == (
        "repeated-pair",
        (1, 2),
        {"times": 6, "events": 6},
    )
    met = 1 + 6 * 9
    assert found.p == pytest.approx(met * (4 / 19) ** 6)
    # six times in ten events that both enter are no wonder
    apart = [(1, 3), (2, 4), *zip(range(5, 13), range(13, 21), strict=True)]
    more = [
        event(f"more-{month}", *(PlayedGame(1, *pair, "=") for pair in apart), day=date(2018, month, 20))
        for month in range(1, 5)
    ]
    assert (1, 2) not in {signal.players for signal in looked_at(*events, *more)}


def test_twins_are_named_unless_they_met() -> None:
    people = {
        1: HistoryPlayer(1, "Müller, Jörg", born=1980),
        2: HistoryPlayer(2, "Jorg Mueller", born=1980),
        3: HistoryPlayer(3, "Mueller, Jorg", born=1981),
    }
    games = event("a", PlayedGame(1, 1, 3, "1", DAY))
    (found,) = looked_at(games, people=people)
    assert (found.screen, found.players) == ("twins", (1, 2))
    assert looked_at(event("a", PlayedGame(1, 1, 2, "1", DAY)), people=people) == []


def test_a_report_that_changed_is_told_with_what_changed() -> None:
    before = event("a", PlayedGame(1, 1, 2, "1", DAY), PlayedGame(1, 3, 4, "=", DAY))
    after = event("a", PlayedGame(1, 1, 2, "0", DAY), PlayedGame(1, 3, 5, "=", DAY))
    (found,) = looked_at(after, earlier=(before,))
    assert found.screen == "differs-from-earlier"
    assert found.figures == {"changed": 1, "added": 1, "gone": 1}
    assert found.players == (1, 2, 3, 4, 5)
    assert looked_at(before, earlier=(before,)) == []


def test_a_circle_that_plays_nowhere_else() -> None:
    from arpad.model.chess import PlayerState

    start = {number: PlayerState(number, 1500) for number in range(1, 30)}
    closed = event("closed", *(PlayedGame(1, number, number + 1, "=", DAY) for number in (1, 3, 5)))
    others = [
        event(
            f"open-{month}",
            *(PlayedGame(1, number, number + 1, "=", date(2018, month, 1)) for number in (11, 13, 15)),
            day=date(2018, month, 1),
        )
        for month in range(1, 13)
    ]
    found = looked_at(closed, *others, start=start)
    assert [
        (signal.screen, signal.event, signal.players) for signal in found if signal.screen == "closed-circle"
    ] == [("closed-circle", "closed", (1, 2, 3, 4, 5, 6))]


def lists_with(ratings: list[int]) -> list[HistoryList]:
    first = HistoryList(date(2018, 1, 1), {**dict.fromkeys(range(100), 1600), 999: 1000})
    return [first, HistoryList(date(2018, 2, 1), {**first.ratings, **dict(enumerate(ratings))})]


def test_a_heap_just_above_a_threshold() -> None:
    history = History(date(2018, 1, 1), {}, {}, ())
    (found,) = integrity(history, [], lists_with([2401] * 15 + [2399]))
    assert (found.screen, found.figures["threshold"], found.figures["above"], found.figures["beside"]) == (
        "above-threshold", 2400, 15, 1,
    )  # fmt: skip
    assert integrity(history, [], lists_with([2401] * 8 + [2399] * 8)) == []
