"""A world played through an edition for years, and the distance between its ratings and the truth."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, linear_regression

from arpad.model.chess import PlayerState
from arpad.model.rules import ListName
from arpad.regulations.editions import EditionByDay
from arpad.regulations.fide.rules import add_months
from arpad.studies.history import History, HistoryPlayer, Tournament, on_first_list
from arpad.studies.replay import Replay, ReplayedPeriod, ratings_of
from arpad.studies.simulate.population import ADULT, Life, Plan, Population
from arpad.studies.simulate.season import GameModel, month_of_play
from arpad.system.workers import open_workers

BANDS = (0, 1400, 1700, 2000)
"""Where one band of strength ends and the next begins."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How far the ratings of one list are from the strengths, over rated players who still play."""

    day: date
    players: int
    bias: float
    """Mean of rating minus strength: above zero, ratings are too high."""

    error: float
    """Root of the mean square of rating minus strength."""

    spread: float
    """The same after the bias is taken away: what matters for the order of players (10.2)."""

    young: float | None
    """Bias of those under eighteen."""

    adult: float | None
    average: float
    strength: float
    slope: float
    """Rating points for a point of strength: below one, the list is too narrow."""

    bands: tuple[tuple[int, int, float], ...]
    """From this strength on: players with a rating, and their bias."""

    unrated: int
    """Players without a rating."""


@dataclass(frozen=True, slots=True)
class SimulatedWorld:
    """A simulated world: what an office would know, the truth, and the distance between them."""

    plan: Plan
    history: History
    periods: tuple[ReplayedPeriod, ...]
    distances: tuple[Distance, ...]
    strengths: Mapping[int, float]
    """On the last day."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A world without its games: how far its lists are from the strengths; of many worlds the first and the last."""

    seed: int
    distances: tuple[Distance, ...]

    @property
    def last(self) -> Distance:
        """The last list."""
        return self.distances[-1]


def play(
    plan: Plan,
    editions: EditionByDay,
    *,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
    derived: bool = True,
) -> SimulatedWorld:
    """Play a world; ``progress`` is called with the periods.

    With ``derived=False`` the lists are computed without their derivations: the same lists, in a fraction of the time.
    """
    population = Population(plan, Random(f"arpad {plan.seed}"))  # noqa: S311  a made world, not a secret
    population.begin()
    start = _first_list(population, editions)
    people = {number: life.person for number, life in population.lives.items()}
    course = Replay(ListName.STANDARD, editions, plan.begins, start, people)
    distances = [distance(population.present(), start, plan.begins)]
    periods: list[ReplayedPeriod] = []
    tournaments: list[Tournament] = []
    end = add_months(plan.begins, 12 * plan.years)
    handed_out = 0
    for _ in progress(range(12 * plan.years)):  # lists at most
        opened, day = course.days[-1], course.next_day()
        if day > end:
            break
        played = _between(population, opened, day, course, people)
        if derived:
            periods.append(course.close(day, played))
        else:
            course.advance_events(day, *course.events_of(played))
        tournaments += played
        months = (day.year - plan.begins.year) * 12 + day.month - plan.begins.month
        share = plan.gift * months // (12 * plan.years)
        _hand_out(course, share - handed_out)
        handed_out = share
        distances.append(distance(population.present(), course.standings, day))
    history = History(plan.begins, start, people, tuple(tournaments), ends=course.days[-1])
    strengths = {number: life.strength for number, life in population.lives.items()}
    return SimulatedWorld(plan, history, tuple(periods), tuple(distances), strengths)


def _between(
    population: Population, opened: date, day: date, course: Replay, people: dict[int, HistoryPlayer]
) -> list[Tournament]:
    """Return the months between two lists."""
    tournaments: list[Tournament] = []
    month = opened
    while month < day:
        population.month(month)
        for number, life in population.lives.items():
            people.setdefault(number, life.person)
        rules = course.editions(month).on(ListName.STANDARD)
        expectation = rules.expectation_table.value.expected if population.plan.by_rating else None
        game = GameModel(population.plan, population.random, course.lists[-1], expectation)
        tournaments += month_of_play(population, month, game)
        month = add_months(month, 1)
    return tournaments


def _hand_out(course: Replay, points: int) -> None:
    """Add planted points that no rule gave."""
    if points:
        course.standings = {
            player: replace(standing, rating=standing.rating + points)
            if standing.rating is not None
            else standing
            for player, standing in course.standings.items()
        }
        course.lists[-1] = ratings_of(course.standings)


def _first_list(population: Population, editions: EditionByDay) -> dict[int, PlayerState]:
    """Return the first list: everybody who is strong enough has a rating near their strength."""
    plan = population.plan
    floor = editions(plan.begins).on(ListName.STANDARD).floor.value
    shift = dict(plan.too_high)
    start = {}
    for number, life in population.lives.items():
        off = population.random.gauss(0, plan.noise) + shift.get(life.person.federation, 0)
        rating = round(life.strength + off)
        if rating >= floor:
            start[number] = on_first_list(number, rating, plan.begins)
    return start


def distance(lives: Iterable[Life], standings: Mapping[int, PlayerState], day: date) -> Distance:
    """Return how far a list is from the truth."""
    everybody = list(lives)
    rated = [
        (life, float(standing.rating))
        for life in everybody
        if (standing := standings.get(life.person.id)) is not None and standing.rating is not None
    ]
    errors = [rating - life.strength for life, rating in rated]
    bias = _mean(errors) or 0.0
    square = _mean(error * error for error in errors) or 0.0
    ages = [day.year - (life.person.born or 0) for life, _ in rated]
    strengths = [life.strength for life, _ in rated]
    ratings = [rating for _, rating in rated]
    return Distance(
        day,
        len(rated),
        bias,
        sqrt(square),
        sqrt(max(0.0, square - bias * bias)),
        _mean(error for error, age in zip(errors, ages, strict=True) if age < ADULT),
        _mean(error for error, age in zip(errors, ages, strict=True) if age >= ADULT),
        _mean(ratings) or 0.0,
        _mean(strengths) or 0.0,
        linear_regression(strengths, ratings).slope if len(rated) > 1 else 1.0,
        tuple(_band(low, high, strengths, errors) for low, high in pairwise((*BANDS, 9999))),
        len(everybody) - len(rated),
    )


def _mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return fmean(numbers) if numbers else None


def _band(low: int, high: int, strengths: list[float], errors: list[float]) -> tuple[int, int, float]:
    errors_of_band = [
        error for strength, error in zip(strengths, errors, strict=True) if low <= strength < high
    ]
    return low, len(errors_of_band), fmean(errors_of_band) if errors_of_band else 0.0


# ------------------------------------------------------------------------------------------------ many worlds


def play_many(plan: Plan, editions: EditionByDay, seeds: int, *, jobs: int = 1) -> Iterator[Tried]:
    """Return the same plan with one seed after the other; the order does not depend on where they are played."""
    with open_workers(jobs) as workers, workers.broadcast(editions) as shared:
        yield from workers.map(tried, shared, plans_of(plan, seeds))


def plans_of(plan: Plan, seeds: int) -> list[Plan]:
    """Return one plan for each seed, counted on from its own."""
    return [replace(plan, seed=plan.seed + index) for index in range(seeds)]


def tried(editions: EditionByDay, plan: Plan) -> Tried:
    """Return one world; it depends on its arguments alone, so that any process on any machine may play it."""
    played = play(plan, editions, derived=False)
    return Tried(plan.seed, (played.distances[0], played.distances[-1]))
