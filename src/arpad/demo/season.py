"""Two years of a made-up federation as a list of actions, in order of time: no clock, no database, always the same.

They end on a day; the same seed and day give the same actions.

Reports wait for the ratings in force: an action has the event, and ``events.report_file`` makes the file from it once
the office knows the ratings of that day.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from arpad.demo import people as register
from arpad.demo.actions import (
    Accept,
    Act,
    Correct,
    ImportList,
    Publish,
    RegisterEvent,
    RegisterPlayer,
    Revise,
    SendBack,
    Submit,
)
from arpad.demo.calendar import CALENDAR, Planned, played
from arpad.demo.dice import Dice
from arpad.demo.events import DemoEvent, one_sided, reversed_game
from arpad.demo.people import DemoPerson
from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import CHESS_LISTS, DRAUGHTS_LISTS, ListName
from arpad.publishing.fide_list import write_list
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.formats.lists.fide_rows import ListRow

SEED = "arpad-demo-1"
_HALVES = ((6, 30), (12, 31))
"""When the draughts lists come out; the second closes the year."""
END = date(2025, 1, 1)
"""The day on which the demo ends if no other is given."""

MONTHS = 24
FOUND_AFTER = 64
"""Days after the last round until every mistake is found and corrected."""

FEDERATION = "Federazione dimostrativa di Bellariva"
_ORDER = (
    RegisterEvent, Submit, SendBack, Accept, Correct, Revise, Publish,
)  # fmt: skip
"""What comes first on one day, after the lists and players of the beginning; a list takes what was accepted before."""


@dataclass(frozen=True, slots=True)
class Season:
    """All acts of the season, with the people concerned."""

    people: Mapping[int, DemoPerson]
    acts: tuple[Act, ...]
    begin: date
    end: date

    @property
    def events(self) -> tuple[DemoEvent, ...]:
        """Return the reports that came in, in order, wrong and corrected ones too."""
        return tuple(act.event for act in self.acts if isinstance(act, Submit | Correct))


def season(seed: str = SEED, end: date = END) -> Season:
    """Return the two years until a day: from 24 months before its month on."""
    begin = _months_after(end, -MONTHS)
    people = {person.key: person for person in register.everybody(seed, begin)}
    acts: list[Act] = [*_begin(people, seed, begin)]
    years = range(begin.year, end.year + 1)
    for planned in CALENDAR:
        in_time = [year for year in years if begin <= date(year, planned.month, planned.day) <= end]
        events = [played(planned, year, people, seed, begin) for year in in_time]
        events = [event for event in events if _settled(planned, event) <= end]
        slipped = [event for event in events if event.last_day + timedelta(days=FOUND_AFTER) <= end][-1:]
        for event in events:
            slip = planned.slip if event in slipped else ""
            acts += _reported(planned, event, begin, slip, is_first=event is events[0])
    acts += [
        Publish(_months_after(begin, past), name) for past in range(1, MONTHS + 1) for name in CHESS_LISTS
    ]
    halves = (date(year, month, last) for year in years for month, last in _HALVES)
    acts += [Publish(day, name) for day in halves if begin < day <= end for name in DRAUGHTS_LISTS]
    return Season(people, in_order(acts), begin, end)


def in_order(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return acts in the order in which an office does them."""
    return tuple(
        sorted(acts, key=lambda act: (act.day, _ORDER.index(type(act)) if type(act) in _ORDER else -1))
    )


def _months_after(day: date, months: int) -> date:
    """Return the first of the month so many months after that of a day, or before."""
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _settled(planned: Planned, event: DemoEvent) -> date:
    """Return the latest day on which the report of an event is accepted."""
    return event.last_day + timedelta(days=max(planned.late, 3))


def _reported(planned: Planned, event: DemoEvent, begin: date, slip: str, *, is_first: bool) -> Iterator[Act]:
    """Return how the office receives an event, with what goes wrong."""
    come = event.last_day + timedelta(days=planned.late if is_first else min(planned.late, 2))
    event = replace(event, facts=replace(event.facts, received=come))
    if event.facts.registered:
        yield RegisterEvent(max(event.facts.registered, begin), event)
    if slip == "sent-back":
        wrong = one_sided(event, 2)
        yield Submit(come, wrong)
        yield SendBack(come, wrong, "Turno 2: il risultato di una partita è diverso dalle due parti.")
        come += timedelta(days=1)
    if slip.startswith("corrected"):
        wrong = reversed_game(event, 4)
        yield Submit(come, wrong)
        yield Accept(come, wrong)
        yield from _corrected(event, slip, come)
        return
    yield Submit(come, event)
    yield Accept(come, event)


def _corrected(event: DemoEvent, slip: str, come: date) -> Iterator[Act]:
    """Yield the correction of a misread result slip, found after the list is out."""
    reason = "Turno 4: risultato invertito nella trascrizione del formulario."
    day = come + timedelta(days=60)
    yield Correct(day, event, reason)
    yield Revise(day, event, reason, slip == "corrected")


# --------------------------------------------------------------------------------------------------- beginning


def _begin(people: Mapping[int, DemoPerson], seed: str, begin: date) -> Iterator[Act]:
    """Return the lists of the first day, and the draughts players who are on no chess list."""
    dice = Dice(seed, "lists")
    for on_list in CHESS_LISTS:
        on_it = [
            person
            for person in people.values()
            if person.strength
            and person.rated
            and (on_list == ListName.STANDARD or not dice.chance(250))
            and not (on_list == ListName.BLITZ and person.key in _NO_BLITZ)
        ]
        stream = io.BytesIO()
        write_list([_list_row(dice, person, on_list, begin) for person in on_it], stream, "single", begin)
        yield ImportList(begin, on_list, stream.getvalue())
    for person in people.values():
        if person.draughts:
            yield RegisterPlayer(begin, person)
    for on_list in DRAUGHTS_LISTS:
        players = [person for person in people.values() if person.draughts and not dice.chance(150)]
        yield ImportList(
            begin, on_list, capitals.write([_standing(dice, person, on_list, begin) for person in players])
        )


_NO_BLITZ = frozenset({1, 2})
"""Titled players without a blitz rating (7.22)."""

_JUST_ABOVE_THE_FLOOR = 1006
_YOUNG, _TOP = 17, 2400


def _list_row(dice: Dice, person: DemoPerson, on_list: ListName, begin: date) -> ListRow:
    rating = max(1020, dice.spread(person.strength, 60 if on_list == ListName.STANDARD else 90))
    if person.key == register.CHESS:
        rating = _JUST_ABOVE_THE_FLOOR
    young = begin.year - person.born.year <= _YOUNG
    k = 10 if rating >= _TOP else 40 if young or dice.chance(150) else 20
    flag = ("w" if person.sex == "F" else "") + ("i" if person.stops == 0 else "")
    return ListRow(
        person.number, person.name, person.federation, person.sex, person.title, person.women_title,
        rating=rating, games=0, k=k, born=person.born.year, flag=flag,
    )  # fmt: skip


_CATEGORIES = {ListName.ITALIANA: (1000, 2000, 3000, 3900), ListName.INTERNAZIONALE: (1700, 2500, 3300, 3800)}


def _standing(dice: Dice, person: DemoPerson, on_list: ListName, begin: date) -> DraughtsState:
    capital = max(300, dice.spread(person.draughts, 120))
    category = tuple(Category)[sum(capital >= limit for limit in _CATEGORIES[on_list])]
    last = date(begin.year - 1, dice.between(2, 11), 20)
    return DraughtsState(person.name, capital, category, str(person.fid), last_event=last)
