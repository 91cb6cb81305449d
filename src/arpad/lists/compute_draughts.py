"""Compute a draughts list: the events of the year one after the other, then the deductions of its end (Elo-Rubele).

A list may be published on any day; it is computed from the end of the last year through all events since, so that a
late event counts in its order. The list of 31 December closes the year, and the next year starts from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.result import ListResult, result_of_values
from arpad.model.draughts import DraughtsState as Capital
from arpad.model.json_values import from_capital, to_capital
from arpad.model.people import birth_year
from arpad.rating.draughts_event import Awards, DraughtsEvent, Season, run_season, with_award
from arpad.regulations.calendar import closes_year
from arpad.regulations.rubele.capital import FULL
from arpad.regulations.rubele.year_end import YearEnd, year_end
from arpad.reports.event_facts import WHOLE


@dataclass(frozen=True, slots=True)
class DraughtsYear:
    """A year until a list: the capitals at its start, the events, and the year's end if the list closes it."""

    start: Mapping[int, Capital]
    season: Season
    end: YearEnd | None
    after: Mapping[int, Capital]


def compute_year(inputs: Inputs) -> DraughtsYear:
    """Run the events of a list, and the year's end if its day closes the year (table 22)."""
    start = {player: to_capital(state) for player, state in {**inputs.states, **inputs.capitals}.items()}
    awards = {str(player): categories for player, categories in inputs.awards.items()}
    season = _run_events(inputs, tuple(start.values()), awards)
    standings = tuple(with_award(standing, awards, inputs.day) for standing in season.standings)
    end: YearEnd | None = None
    if closes_year(inputs.day):
        registered = [_as_registered(inputs, standing) for standing in standings]
        end = year_end(registered, inputs.day.year, inputs.governing().on(inputs.on_list))
        standings = end.standings
    return DraughtsYear(start, season, end, {int(standing.id): standing for standing in standings})


def _as_registered(inputs: Inputs, standing: Capital) -> Capital:
    """Return a standing marked foreign by the register; as on the list if the register has no federation."""
    person = inputs.people.get(int(standing.id))
    if not inputs.home or person is None or not person.federation:
        return standing
    return replace(standing, foreign=person.federation != inputs.home)


def compute_draughts_list(inputs: Inputs) -> ListResult:
    """Compute a draughts list."""
    year = compute_year(inputs)
    start, after = year.start, year.after
    return result_of_values(
        _published(inputs, after, year.season),
        {player: from_capital(standing) for player, standing in after.items()},
        {player: standing.capital for player, standing in after.items()},
        {player: start[player].capital for player in inputs.states},
        tuple(sorted(after.keys() - inputs.states.keys())),
        tuple(
            p for p, s in after.items() if s.capital is None and p in start and start[p].capital is not None
        ),
    )


def _run_events(inputs: Inputs, start: tuple[Capital, ...], awards: Awards) -> Season:
    if not inputs.events:
        return Season(start, (), ())
    return run_season(
        [draughts_event(event) for event in inputs.events],
        start,
        lambda day: inputs.edition_on(day or inputs.day).on(inputs.on_list),
        awards=awards,
    )


def draughts_event(event: EventInput) -> DraughtsEvent:
    """Return an event whose entrants have the register's numbers and no rating: the capitals are those of the list."""
    report = event.report()
    entrants = tuple(
        replace(entrant, id=str(player), rating=None)
        for entrant, player in zip(report.entrants, event.players, strict=True)
    )
    weight = FULL if event.facts.weight is None else Fraction(event.facts.weight, WHOLE)
    return DraughtsEvent(event.id.rjust(12, "0"), replace(report, entrants=entrants), weight)


def _published(inputs: Inputs, after: Mapping[int, Capital], season: Season) -> PublishedList:
    games: dict[int, int] = {}
    for rated in season.events:
        for result in rated.players:
            number = int(result.participant.standing.id)
            games[number] = games.get(number, 0) + sum(cell.counted for cell in result.cells)
    rows = []
    for player, standing in after.items():
        if player in inputs.hidden or standing.capital is None:
            continue
        person = inputs.people[player]
        rows.append(
            ListedPlayer(
                player,
                person.name,
                person.federation,
                person.sex,
                str(standing.title or ""),
                category=standing.category,
                rating=standing.capital,
                games=games.get(player, 0),
                born=birth_year(person.born),
                identifiers=person.identifiers,
            )
        )
    return PublishedList(
        inputs.on_list, inputs.day, inputs.number, inputs.edition, inputs.revision, rows=tuple(rows),
        previous=inputs.previous, revises=inputs.revises, left_off=inputs.left_off,
        whole_digest=inputs.whole_digest,
    )  # fmt: skip
