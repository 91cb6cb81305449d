"""The ledger of a draughts list: worked by hand, and balanced over random years of both editions."""

from datetime import date
from fractions import Fraction
from random import Random

import pytest

from arpad.lists.compute_draughts import DraughtsYear
from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.regulations.rubele import editions as rubele
from arpad.regulations.rubele.year_end import year_end
from arpad.reports.report import MIRROR, Entrant, Header, Report, Round
from arpad.studies.draughts_points import CapitalList, capital_accounts, capital_lists

OPENED = date(2017, 12, 31)


def player(number: int, capital: int | None, **more: object) -> DraughtsState:
    last = date(2017, 10, 1)
    return DraughtsState(f"P{number}", capital, Category.PROVINCIALE, str(number), last_event=last, **more)  # type: ignore[arg-type]


def event(
    name: str, day: date, *games: tuple[int, int, str], weight: Fraction = Fraction(1)
) -> DraughtsEvent:
    """One round for each game, so that anybody may meet anybody."""
    numbers = sorted({number for game in games for number in game[:2]})
    places = {number: place for place, number in enumerate(numbers)}
    rounds = []
    for white, black, result in games:
        opponents, results, colours = [0] * len(numbers), ["Z"] * len(numbers), ["-"] * len(numbers)
        opponents[places[white]], opponents[places[black]] = places[black] + 1, places[white] + 1
        results[places[white]], results[places[black]] = result, MIRROR[result]
        colours[places[white]], colours[places[black]] = "w", "b"
        rounds.append(Round(tuple(opponents), "".join(colours), "".join(results)))
    entrants = tuple(Entrant(places[number] + 1, f"P{number}", id=str(number)) for number in numbers)
    return DraughtsEvent(
        name, Report(Header(name, first_day=day, last_day=day), entrants, tuple(rounds)), weight
    )


def list_of(
    day: date, base: dict[int, DraughtsState], events: list[DraughtsEvent], edition: str, on_list: ListName
) -> CapitalList:
    rules = next(one for one in rubele.EDITIONS if one.id == edition).on(on_list)
    chain = run_season(
        [one for one in events if (one.last_day or day) <= day], tuple(base.values()), lambda _: rules
    )
    end = year_end(chain.standings, day.year, rules) if (day.month, day.day) == (12, 31) else None
    standings = end.standings if end else chain.standings
    year = DraughtsYear(base, chain, end, {int(one.id): one for one in standings})
    return CapitalList(day, edition, OPENED, frozenset(base), year)


def test_a_year_by_hand() -> None:
    # Elo-Rubele of 2008, italiana: equal capitals of 2000 expect one point a game. S is the same for both (table 17).
    base = {1: player(1, 2000), 2: player(2, 2000), 3: player(3, 2000), 4: player(4, 120)}
    june = [event("a", date(2018, 3, 1), (1, 2, "1"))]
    run = [
        list_of(day, base, june, "rubele-2008", ListName.ITALIANA)
        for day in (date(2018, 6, 30), date(2018, 12, 31))
    ]
    first, second = capital_accounts(run)
    # What one wins the other loses, and each has the bonus of the first event of his year: ten points (table 18).
    assert {cause: points for cause, points in first.causes.items() if points} == {"bonus": 20}
    assert (first.change, first.counts["bonus"]) == (20, 2)
    # The year's end takes 50 of who did not play, and no more than leaves the minimum of 100.
    assert {cause: points for cause, points in second.causes.items() if points} == {"malus": -70}
    assert (second.before, second.change) == (first.after, -70)
    assert first.unexplained == second.unexplained == 0


def test_newcomers_and_foreigners_who_go_and_come_back() -> None:
    # A foreigner idle since 2012 is cancelled at the year's end; one cancelled before begins again.
    gone = DraughtsState("P2", 2500, Category.NAZIONALE, "2", foreign=True, last_event=date(2012, 1, 1))
    away = DraughtsState(
        "P3", None, Category.NAZIONALE, "3", foreign=True, last_event=date(2010, 1, 1), fmjd=2100
    )
    base = {1: player(1, 2000), 2: gone, 3: away}
    games = [event("a", date(2018, 3, 1), (1, 3, "="), (1, 9, "1"), (3, 9, "="))]
    (found,) = capital_accounts(
        [list_of(date(2018, 12, 31), base, games, "rubele-2008", ListName.INTERNAZIONALE)]
    )
    rules = rubele.EDITIONS[0].on(ListName.INTERNAZIONALE)
    assert found.causes["newcomers"] == rules.starting_capital.value
    assert found.causes["cancelled"] == -2500
    assert found.counts["returned"] == 1
    assert found.unexplained == 0


@pytest.mark.parametrize("edition", [one.id for one in rubele.EDITIONS])
@pytest.mark.parametrize("seed", range(12))
def test_every_period_of_random_years_balances(edition: str, seed: int) -> None:
    chance = Random(seed)  # noqa: S311  a made year
    on_list = chance.choice([ListName.ITALIANA, ListName.INTERNAZIONALE])
    base = {
        number: player(
            number,
            chance.choice([100, 130, 1990, 2010, 2999, 3000, 3001, 3899, 4100]),
            malus=chance.choice([0, 180]),
        )
        for number in range(1, 15)
    }
    events = []
    for name in range(8):
        day = date(2018, chance.randint(1, 12), 15)
        entered = chance.sample(range(1, 20), 8)  # from 15 on they are new
        pairs = [chance.sample(entered, 2) for _ in range(12)]
        games = [(one, other, chance.choice("1=0+-")) for one, other in pairs]
        events.append(event(f"e{name}", day, *games, weight=chance.choice([Fraction(1), Fraction(1, 2)])))
    days = [date(2018, 4, 30), date(2018, 6, 30), date(2018, 12, 31)]
    run = [list_of(day, base, events, edition, on_list) for day in days]
    ledger = capital_accounts(run)
    assert [one.unexplained for one in ledger] == [0, 0, 0]
    assert sum(one.change for one in ledger) == sum(
        one.capital or 0 for one in run[-1].year.after.values()
    ) - sum(one.capital or 0 for one in base.values())


def test_the_lists_begin_with_that_of_the_start() -> None:
    base = {1: player(1, 2000), 2: player(2, 2000)}
    one = list_of(
        date(2018, 6, 30), base, [event("a", date(2018, 3, 1), (1, 2, "="))], "rubele-2008", ListName.ITALIANA
    )
    lists = capital_lists([one])
    assert [found.day for found in lists] == [OPENED, date(2018, 6, 30)]
    assert lists[0].ratings == {1: 2000, 2: 2000}
    assert capital_lists([]) == []
