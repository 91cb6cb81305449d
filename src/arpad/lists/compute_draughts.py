"""The two draughts lists: events in a chain from the year's beginning, the malus at its end (Elo-Rubele).

A list may come out on any day; it is computed from the last year's end through all events since, so that a late event
takes its place in the chain. The list of 31 December closes the year, and the next year starts from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.lists.canonical import canonical_parts
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.result import ListResult
from arpad.model.draughts import DraughtsStanding as Capital
from arpad.model.json_values import from_capital, to_capital
from arpad.model.people import birth_year
from arpad.rating.draughts_event import DraughtsEvent
from arpad.rating.draughts_season import Awards, Season, run_season, with_award
from arpad.regulations.draughts.capital import FULL
from arpad.regulations.draughts.year_end import YearEnd, year_end
from arpad.reports.event_facts import WHOLE


def closes_year(day: date) -> bool:
    """Whether a list of that day is the annual one."""
    return (day.month, day.day) == (12, 31)


def merge_states(states: dict[int, str], kept: Mapping[int, int]) -> dict[int, str]:
    """Return states with two numbers of one player made one: the capital of the number kept, else the other's."""
    for dropped, player in kept.items():
        if dropped in states:
            other = replace(to_capital(states.pop(dropped)), id=str(player))
            states[player] = from_capital(
                _joined(to_capital(states[player]), other) if player in states else other
            )
    return dict(sorted(states.items()))


def _joined(mine: Capital, other: Capital) -> Capital:
    """The higher category was reached and the later event played; the points taken are those of the capital."""
    leading = mine if mine.capital is not None or other.capital is None else other
    played = [day for day in (mine.last_event, other.last_event) if day is not None]
    return replace(
        leading,
        name=mine.name,
        category=max(mine.category, other.category, key=lambda category: category.rank),
        title=mine.title or other.title,
        last_event=max(played, default=None),
        history_known=mine.history_known or other.history_known,
        idle_years=min(mine.idle_years, other.idle_years),
        fmjd=mine.fmjd or other.fmjd,
    )


# -------------------------------------------------------------------------------------------------- computing


@dataclass(frozen=True, slots=True)
class Year:
    """A year as far as a list goes: where everybody began, the events, and the year's end if the list closes it."""

    start: Mapping[int, Capital]
    chain: Season
    end: YearEnd | None
    after: Mapping[int, Capital]


def compute_year(inputs: Inputs) -> Year:
    """The chain of a list, then the year's end where its day closes it (table 22)."""
    start = {player: to_capital(state) for player, state in {**inputs.states, **inputs.capitals}.items()}
    awards = {str(player): given for player, given in inputs.awards.items()}
    chain = _chain(inputs, tuple(start.values()), awards)
    standings = tuple(with_award(standing, awards, inputs.day) for standing in chain.standings)
    end: YearEnd | None = None
    if closes_year(inputs.day):
        registered = [_as_registered(inputs, standing) for standing in standings]
        end = year_end(registered, inputs.day.year, inputs.governing().on(inputs.on_list))
        standings = end.standings
    return Year(start, chain, end, {int(standing.id): standing for standing in standings})


def _as_registered(inputs: Inputs, standing: Capital) -> Capital:
    """Foreign is who plays for another federation; where the register names none, who the list says."""
    person = inputs.people.get(int(standing.id))
    if not inputs.home or person is None or not person.federation:
        return standing
    return replace(standing, foreign=person.federation != inputs.home)


def compute_draughts_list(inputs: Inputs) -> ListResult:
    """Make a draughts list."""
    made = compute_year(inputs)
    start, chain, after = made.start, made.chain, made.after
    published = _published(inputs, after, chain)
    head, lines = canonical_parts(published)
    moved = [
        (player, before, standing.capital)
        for player, standing in after.items()
        if player in inputs.states
        and standing.capital is not None
        and (before := start[player].capital) is not None
        and standing.capital != before
    ]
    return ListResult(
        head,
        {int(line.split("\t", 1)[0]): line for line in lines},
        {player: from_capital(standing) for player, standing in after.items()},
        {player: standing.capital for player, standing in after.items()},
        tuple(sorted(moved, key=lambda entry: (-abs(entry[2] - entry[1]), entry[0]))),
        tuple(sorted(after.keys() - inputs.states.keys())),
        tuple(
            p for p, s in after.items() if s.capital is None and p in start and start[p].capital is not None
        ),
    )


def _chain(inputs: Inputs, start: tuple[Capital, ...], awards: Awards) -> Season:
    if not inputs.events:
        return Season(start, (), ())
    return run_season(
        [draughts_event(event) for event in inputs.events],
        start,
        lambda day: inputs.edition_on(day or inputs.day).on(inputs.on_list),
        awards=awards,
    )


def draughts_event(event: EventInput) -> DraughtsEvent:
    """Return a report whose entrants carry the register's numbers; the capitals are those of the list, not its own."""
    report = event.report()
    entrants = tuple(
        replace(entrant, id=str(player), rating=None)
        for entrant, player in zip(report.entrants, event.players, strict=True)
    )
    weight = FULL if event.facts.weight is None else Fraction(event.facts.weight, WHOLE)
    return DraughtsEvent(event.id.rjust(12, "0"), replace(report, entrants=entrants), weight)


def _published(inputs: Inputs, after: Mapping[int, Capital], chain: Season) -> PublishedList:
    games: dict[int, int] = {}
    for rated in chain.events:
        for result in rated.players:
            number = int(result.participant.standing.id)
            games[number] = games.get(number, 0) + sum(cell.counted for cell in result.cells)
    shown = []
    for player, standing in after.items():
        if player in inputs.hidden or standing.capital is None:
            continue
        person = inputs.people[player]
        shown.append(
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
        inputs.on_list, inputs.day, inputs.number, inputs.edition, tuple(shown), inputs.revision,
        previous=inputs.previous, revises=inputs.revises, left_off=inputs.left_off,
        whole_digest=inputs.whole_digest,
    )  # fmt: skip
