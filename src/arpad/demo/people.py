"""The people of the made-up federation; any resemblance of names is accidental."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from arpad.demo.dice import Dice

HOME = "ITA"
TOWNS = (
    "Bellariva", "Castelvento", "Montelago", "Portofresco", "Roccachiara", "San Tullio", "Torrebianca",
    "Valdombra", "Vignalta",
)  # fmt: skip
CLUBS = ("Alfiere", "Due Torri", "Cavallo Bianco", "Il Fianchetto", "La Damiera", "Scaccomatto")

_HEADS = (
    "Ald", "Barb", "Bell", "Bors", "Camp", "Cast", "Dond", "Fald", "Ferr", "Gald", "Ghir", "Land", "Lomb", "Mald",
    "Mart", "Mond", "Nard", "Ombr", "Palv", "Quar", "Rav", "Rond", "Salv", "Sand", "Tard", "Torn", "Val", "Verd",
    "Vign", "Zamb",
)  # fmt: skip
_OPEN, _CLOSED = ("a", "e", "i", "o"), ("al", "an", "ar", "el", "en", "er", "in", "ol", "on", "or")
_TAILS = ("cchi", "gnoli", "lotti", "magni", "relli", "schi", "stri", "vaghi", "zzi")
_TAILS_AFTER_CLOSED = ("betti", "ceschi", "dini", "doni", "goni", "telli", "toni")
_MEN = (
    "Achille", "Aldo", "Amedeo", "Bruno", "Carlo", "Dario", "Elio", "Fabio", "Gino", "Ivo", "Lapo", "Leo", "Mauro",
    "Nello", "Orso", "Pietro", "Remo", "Sandro", "Tito", "Ugo", "Vasco", "Zeno",
)  # fmt: skip
_WOMEN = (
    "Ada", "Bice", "Carla", "Dora", "Elena", "Flora", "Gaia", "Ilda", "Lia", "Mara", "Nora", "Olga", "Pia", "Rita",
    "Sara", "Tea", "Vera", "Zoe",
)  # fmt: skip
_ABROAD = (("AUT", "Edelmoser"), ("FRA", "Montclarier"), ("SLO", "Brezovnik"), ("SUI", "Talbachli"))


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """A player, with the true strength that only the demo knows."""

    key: int
    name: str
    sex: str
    """``M`` or ``F``."""

    born: date
    federation: str
    town: str
    number: int
    """The FIDE ID; 0 for a newcomer without one."""

    strength: int
    """At chess, on the first day of the demo; 0 for a draughts player."""

    draughts: int
    """The same in capital points of draughts; 0 for a chess player."""

    title: str = ""
    women_title: str = ""
    rated: bool = True
    """Whether the player is on the lists with which the demo begins."""

    begins: int = 0
    """The month of the demo in which a newcomer plays for the first time."""

    stops: int = 99
    """The month from which the player plays no more; 0: stopped long ago."""

    @property
    def fid(self) -> int:
        """Return the number at the draughts federation."""
        return 5000 + self.key if self.draughts else 0

    def plays(self, month: int) -> bool:
        """Return whether the player is active in a month of the demo, counted from 0."""
        return self.begins <= month < self.stops

    def on(self, day: date, begin: date) -> int:
        """Return the strength on a day: young players gain some ten points a month."""
        months = (day.year - begin.year) * 12 + day.month - begin.month
        young = max(0, 20 - (begin.year - self.born.year))
        return self.strength + months * min(young, 10)


_JUNIORS_BELOW = 1750
FIRST_NUMBER = 89_900_101
CHESS, IDLE, NEWCOMERS, DRAUGHTS_TOO, DRAUGHTS_ONLY = 84, 8, 16, 8, 20
"""Numbers of rated players, those who stop, newcomers, those who also play draughts, those who play only draughts."""


def everybody(seed: str, begin: date) -> tuple[DemoPerson, ...]:
    """Return the whole federation, the strongest chess players first."""
    dice = Dice(seed, "people")
    names = _Names(dice)
    rated = sorted((max(1080, dice.spread(1660, 270)) for _ in range(CHESS)), reverse=True)
    people = [_chess(dice, names, key, strength, begin) for key, strength in enumerate(rated, start=1)]
    people = _with_stories(dice, people)
    for _ in range(NEWCOMERS):
        key = len(people) + 1
        number = FIRST_NUMBER + key if dice.chance(500) else 0
        newcomer = _newcomer(dice, names, key, number, begin)
        people.append(replace(newcomer, begins=dice.below(15)))
    for _ in range(DRAUGHTS_ONLY):
        key = len(people) + 1
        sex, name = names.next()
        born = _birthday(dice, begin.year - dice.between(18, 80))
        people.append(DemoPerson(key, name, sex, born, HOME, dice.pick(TOWNS), 0, 0, _capital(dice)))
    return tuple(people)


class _Names:
    """Names, none of them twice."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.used: set[str] = set()

    def next(self) -> tuple[str, str]:
        """Return a sex and a name."""
        sex = "F" if self.dice.chance(260) else "M"
        while True:
            middles, tails = self.dice.pick(((_OPEN, _TAILS), (_CLOSED, _TAILS_AFTER_CLOSED)))
            surname = self.dice.pick(_HEADS) + self.dice.pick(middles) + self.dice.pick(tails)
            if surname not in self.used:
                self.used.add(surname)
                return sex, f"{surname}, {self.dice.pick(_WOMEN if sex == 'F' else _MEN)}"


def _chess(dice: Dice, names: _Names, key: int, strength: int, begin: date) -> DemoPerson:
    sex, name = names.next()
    abroad = _ABROAD[key // 20 - 1] if key % 20 == 0 and key // 20 <= len(_ABROAD) else None
    if abroad:
        name = f"{abroad[1]}, {name.split(', ')[1]}"
    age = dice.between(10, 17) if strength < _JUNIORS_BELOW and dice.chance(300) else dice.between(18, 74)
    title, women_title = _titles(strength, sex)
    return DemoPerson(
        key, name, sex, _birthday(dice, begin.year - age), abroad[0] if abroad else HOME, dice.pick(TOWNS),
        FIRST_NUMBER + key, strength, 0, title, women_title,
    )  # fmt: skip


def _titles(strength: int, sex: str) -> tuple[str, str]:
    """Return the titles that go with a strength, more or less."""
    for limit, title, women_title in ((2280, "IM", "WIM"), (2150, "FM", "WFM"), (2050, "CM", "WCM")):
        if strength >= limit:
            return (title, "") if sex == "M" else ("", women_title)
    return "", ""


def _with_stories(dice: Dice, people: list[DemoPerson]) -> list[DemoPerson]:
    """Return the people with stories: some stop, some also play draughts, the last is weaker than the rating."""
    stopped = dice.shuffled(range(10, CHESS - 10))[:IDLE]
    when = {index: 0 if turn % 2 else 6 for turn, index in enumerate(stopped)}
    both = set(dice.shuffled([p for p in range(2, CHESS - 10) if p not in when])[:DRAUGHTS_TOO])
    with_stories = [
        replace(person, stops=when.get(index, 99), draughts=_capital(dice) if index in both else 0)
        for index, person in enumerate(people)
    ]
    with_stories[-1] = replace(with_stories[-1], strength=700)
    return with_stories


def _newcomer(dice: Dice, names: _Names, key: int, number: int, begin: date) -> DemoPerson:
    sex, name = names.next()
    age = dice.between(9, 16) if dice.chance(700) else dice.between(20, 60)
    strength = max(1150, dice.spread(1480, 160))
    born = _birthday(dice, begin.year - age)
    return DemoPerson(key, name, sex, born, HOME, dice.pick(TOWNS), number, strength, 0, rated=False)


def _birthday(dice: Dice, year: int) -> date:
    return date(year, 1, 1) + timedelta(days=dice.below(365))


def _capital(dice: Dice) -> int:
    return max(320, dice.spread(2300, 900))
