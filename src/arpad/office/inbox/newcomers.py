"""Players new to the register: as their first report describes them, and whom they may be in other reports."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arpad.model.federations import known_federation
from arpad.model.names import spelled, stored_form
from arpad.model.people import Person, birth_year
from arpad.model.rules import ListName
from arpad.office.reports.entrant_rows import DecidedEntrant
from arpad.regulations.systems import system_of
from arpad.reports.entrant_match import Numbers, Registered, may_be_doubtful, most_newcomer_points, rank
from arpad.reports.name_candidates import NameTable
from arpad.reports.name_scores import highest_score_with_other_letters, name_letters
from arpad.reports.report import Entrant


def newcomer(entrant: Entrant, number: int, on_list: ListName, numbers: Numbers, home: str) -> Person:
    """Return a new player of the register, as the player's first report describes them.

    ``home`` is the office's own federation. A code that is no federation's, as that of a club, is left out.
    """
    women = entrant.title.startswith("W")
    return Person(
        number,
        stored_form(entrant.name) or f"#{number}",
        known_federation(entrant.federation, home),
        {"m": "M", "w": "F"}.get(entrant.sex, ""),
        entrant.born,
        title="" if women or not system_of(on_list).has_titles else entrant.title,
        women_title=entrant.title if women else "",
        identifiers=tuple(sorted(numbers)),
    )


def given_numbers(numbers: Iterable[tuple[int, Numbers, str]]) -> Mapping[int, Numbers]:
    """Return the numbers of known scheme that the entrants at some places get, each number only once."""
    given: dict[int, Numbers] = {}
    taken: set[tuple[str, str]] = set()
    for place, pairs, _ in numbers:
        by_scheme = dict(pair for pair in reversed(pairs) if pair not in taken)
        if by_scheme:
            given[place] = tuple(sorted(by_scheme.items()))
            taken.update(given[place])
    return given


@dataclass(slots=True)
class Newcomers:
    """The players who were new in a batch of reports, and the names that others got, with the acts."""

    people: dict[int, Registered] = field(default_factory=dict)
    names: NameTable = field(default_factory=NameTable)
    years: list[int] = field(default_factory=list)
    """The year of birth of each row of names, 0 if unknown."""

    _rows_with: defaultdict[int | str | frozenset[str], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Year of birth, federation, or the letters of a name → rows of names, in order."""

    _likely: dict[tuple[int, int, int], set[int]] = field(default_factory=dict)
    """Likeness, year of birth and other points of an entrant → the years of birth of players who may be the entrant."""

    acts: list[int] = field(default_factory=list)
    """The act of each row of names."""

    numbers: dict[str, int] = field(default_factory=dict)
    """Number of any scheme → act."""

    aliases: dict[tuple[str, str], int] = field(default_factory=dict)
    """Simplified name and source of an entrant whom an officer decided to be a player → act."""

    def add(self, people: Iterable[Person], act: int) -> None:
        """Add players of a report."""
        for person in people:
            self.people[person.id] = Registered(
                person.id, person.name, person.federation, person.sex, person.born,
                person.title or person.women_title, None, person.identifiers,
            )  # fmt: skip
            year = birth_year(person.born) or 0
            if year not in self._rows_with:
                for (likeness, *entrant), years in self._likely.items():
                    if may_be_doubtful(likeness, year, *entrant):
                        years.add(year)
            for key in (year, person.federation, name_letters(person.name)):
                self._rows_with[key].append(len(self.names))
            self.years.append(year)
            self.names.add([person.id], [person.name])
            self.acts.append(act)
            self.add_numbers((value for _, value in person.identifiers), act)

    def add_numbers(self, numbers: Iterable[str], act: int) -> None:
        """Add numbers that players got."""
        self.numbers.update(dict.fromkeys(numbers, act))

    def add_aliases(self, decided: Iterable[DecidedEntrant], act: int) -> None:
        """Add the names that an officer decided to be those of players."""
        for _, player, name, _, source in decided:
            if player:
                self.aliases[spelled(name), source] = act

    def hold(self, values: Iterable[str], last_act: int) -> bool:
        """Return whether a player got one of these numbers after an act."""
        return any(self.numbers.get(value, 0) > last_act for value in values)

    def concern(self, unmatched: Sequence[tuple[Entrant, Numbers]], source: str, last_act: int) -> bool:
        """Return whether an unmatched entrant of a report may be a player who was new or got the name after an act."""
        if self.aliases and any(
            self.aliases.get((spelled(entrant.name), source), 0) > last_act for entrant, _ in unmatched
        ):
            return True
        if not unmatched or (not self.people and not self.numbers):
            return False
        values = {entrant.id for entrant, _ in unmatched} | {
            value for _, numbers in unmatched for _, value in numbers
        }
        if self.hold(values, last_act):
            return True
        first = bisect_right(self.acts, last_act)
        return first < len(self.acts) and any(
            self._may_be(entrant, numbers, first) for entrant, numbers in unmatched
        )

    def _may_be(self, entrant: Entrant, numbers: Numbers, first: int) -> bool:
        """Return whether an entrant may be one of the players from a row on."""
        rows = [*self._likely_rows(entrant, first)]
        near = self.names.all_near(entrant.name, rows) if rows else {}
        players = self.names.players
        return bool(rank(entrant, numbers, [(self.people[players[row]], near[row]) for row in near]))

    def _likely_rows(self, entrant: Entrant, first: int) -> set[int]:
        """Return the rows from ``first`` on whose players may be an entrant.

        Their names have the same letters, or so much else agrees that names of other letters can be near enough.
        """
        year, most = birth_year(entrant.born) or 0, highest_score_with_other_letters(entrant.name)
        same, other = most_newcomer_points(entrant)
        likely = self._likely_years(most, year, same)
        rows = {
            row
            for federation in {entrant.federation, ""}
            for row in self._from(first, federation)
            if self.years[row] in likely
        }
        rows.update(self._from(first, name_letters(entrant.name)))
        return rows.union(*(self._from(first, own) for own in self._likely_years(most, year, other)))

    def _from(self, first: int, key: int | str | frozenset[str]) -> list[int]:
        """Return the rows with a year, federation or letters from ``first`` on."""
        rows = self._rows_with.get(key, [])
        return rows[bisect_left(rows, first) :]

    def _likely_years(self, likeness: int, year: int, points: int) -> set[int]:
        """Return the years of birth of players who may be an entrant, if the names are so much alike."""
        key = likeness, year, points
        if key not in self._likely:
            years = {*self.years}
            self._likely[key] = {own for own in years if may_be_doubtful(likeness, own, year, points)}
        return self._likely[key]
