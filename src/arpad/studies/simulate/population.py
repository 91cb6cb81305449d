"""People with a true strength: how they begin, learn, age, join and leave."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from math import exp
from random import Random

from arpad.studies.history import HistoryPlayer

ADULT = 18
AGEING_FROM = 45
AGEING_A_YEAR = 5
LEARNING_YEARS = 4
LATE_START, LATE_GAIN, LATE_SPREAD = 18, 250, 120
"""The gain of a player who begins as an adult; it is smaller."""

BEGINNER, BEGINNER_SPREAD = 1250, 150
TALENT, TALENT_SPREAD = 1850, 260
WOBBLE = 4
"""The spread of what one month adds to a strength by chance."""

YOUNG_JOIN = 0.7
"""The share of newcomers who are children."""

WOMEN = 0.12
TITLES = ((2500, "GM"), (2400, "IM"), (2300, "FM"), (2200, "CM"))


@dataclass(frozen=True, slots=True)
class Plan:
    """What a world is made of; the same plan gives the same world."""

    seed: int = 1
    players: int = 400
    years: int = 3
    begins: date = date(2018, 1, 1)
    federations: tuple[str, ...] = ("AAA", "BBB", "CCC")
    events_a_year: int = 5
    """Of an average player."""

    crossing: int = 20
    """Per hundred entries, those to events open to all federations."""

    joining: int = 8
    """Newcomers a year, for a hundred players."""

    leaving: int = 8
    stable: bool = False
    """A world without any reason for drift: no player learns, ages, joins or leaves."""

    white: int = 30
    """What the white pieces are worth, in rating points."""

    slope: float = 1.0
    """How much of a rating difference shows at the board; another value than 1 makes the table wrong."""

    by_rating: bool = False
    """Results follow the published ratings and the printed table, not the strengths: a world without any error."""

    noise: int = 50
    """The spread of the first ratings around the strengths."""

    too_high: tuple[tuple[str, int], ...] = ()
    """Federations whose first ratings are so much too high."""

    gift: int = 0
    """Points handed to everybody over the whole time, outside the rules."""


@dataclass(slots=True)
class Life:
    """One person, month by month."""

    person: HistoryPlayer
    strength: float
    talent: float
    events_a_year: float
    joined: date
    left: bool = False


@dataclass(slots=True)
class Population:
    """All simulated players, with the random numbers that change them."""

    plan: Plan
    random: Random
    lives: dict[int, Life] = field(default_factory=dict)

    def present(self) -> Iterator[Life]:
        """Return the people who still play."""
        return (life for life in self.lives.values() if not life.left)

    def begin(self) -> None:
        """Create the people of the first day, of every age."""
        for _ in range(self.plan.players):
            age = 10 + int(58 * self.random.random() ** 1.4)
            young = age < LATE_START or self.random.random() < YOUNG_JOIN
            began = self.random.randint(8, min(age, 14)) if young else self.random.randint(LATE_START, age)
            self._add(self.plan.begins, age, max(1, age - began))

    def month(self, day: date) -> None:
        """Let a month pass: some join, some leave, everybody else learns or ages."""
        plan = self.plan
        if plan.stable:
            return
        present = list(self.present())
        for life in present:
            _grow(life, day, self.random)
            if self.random.random() < plan.leaving / 1200:
                life.left = True
        expected = plan.players * plan.joining / 1200
        joining = int(expected) + (self.random.random() < expected % 1)
        for _ in range(joining):
            young = self.random.random() < YOUNG_JOIN
            age = self.random.randint(8, 16) if young else self.random.randint(18, 50)
            self._add(day, age, 0)

    def _add(self, day: date, age: int, years: float) -> None:
        number = 1001 + len(self.lives)
        chance = self.random
        begins = chance.gauss(BEGINNER, BEGINNER_SPREAD)
        late = age - years >= LATE_START
        talent = (
            begins + chance.gauss(LATE_GAIN, LATE_SPREAD) if late else chance.gauss(TALENT, TALENT_SPREAD)
        )
        talent = max(begins, talent)
        strength = talent - (talent - begins) * exp(-years / LEARNING_YEARS)
        strength -= AGEING_A_YEAR * max(0, age - AGEING_FROM)
        person = HistoryPlayer(
            number,
            _name(chance),
            chance.choice(self.plan.federations),
            day.year - age,
            "w" if chance.random() < WOMEN else "m",
            next((title for least, title in TITLES if strength >= least), ""),
        )
        zeal = self.plan.events_a_year * (0.3 + 1.4 * chance.random())
        self.lives[number] = Life(person, strength, talent, zeal, day)


def _grow(life: Life, day: date, chance: Random) -> None:
    age = day.year - (life.person.born or day.year)
    life.strength += (life.talent - life.strength) * (1 - exp(-1 / (12 * LEARNING_YEARS)))
    if age > AGEING_FROM:
        life.talent -= AGEING_A_YEAR / 12
    life.strength += chance.gauss(0, WOBBLE)


_FIRST = "Al Be Car Do El Fa Gi Ho Il Jo Ka Lu Ma Ni Or Pe Qua Ro Sa Ti Ur Vi Wa Xe Yo Zan".split()
_MIDDLE = "ber con del fer gal lan mar nel pol rin sten tor vel zar mon dic gri los".split()
_LAST = "a i o etti ini elli ardi ucci one esi anti erio".split()


def _name(chance: Random) -> str:
    family = chance.choice(_FIRST) + chance.choice(_MIDDLE) + chance.choice(_MIDDLE) + chance.choice(_LAST)
    first_name = chance.choice(_FIRST) + chance.choice(_MIDDLE) + chance.choice("aeo")
    return f"{family}, {first_name}"
