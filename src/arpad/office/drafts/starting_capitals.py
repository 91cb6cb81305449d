"""The capital with which players begin on a draughts list: by decision, by FMJD rating, or from the other list.

The first day of the player's first event on the list decides (tables 20 to 22): the category on the list of the other
discipline in force on that day, and the decisions of the commission up to then. Once a list that rates the event is
published, later lists begin with the same capital; only a correction computes it again from what is known then.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Protocol

from sqlalchemy import Connection

from arpad.lists.compute_draughts import draughts_event
from arpad.lists.inputs import EventInput, Inputs
from arpad.model.canonical_json import dump, load
from arpad.model.draughts import Category, Title
from arpad.model.draughts import DraughtsState as Capital
from arpad.model.errors import NoEdition
from arpad.model.federations import is_foreign
from arpad.model.json_values import from_capital, from_step, to_capital
from arpad.model.rules import Finding, ListName, Step
from arpad.office.editions.acts import own_of
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import AsOf, inputs_as_of, newest, publication_in_force
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED
from arpad.office.register import rows as register
from arpad.office.register.number_rows import merge_targets, with_merged
from arpad.office.reports.rows import Decision, decisions_in_force, with_kept_players
from arpad.rating.draughts_event import foreign_undecided, in_order, returned_undecided
from arpad.regulations.rubele.categories import held_after
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut, by_decision, from_fmjd, from_other_list
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.reports.report import PLAYED, Entrant, Report
from arpad.store import ledger
from arpad.store.settings import read_setting


def with_starting_capitals(
    connection: Connection,
    inputs: Inputs,
    decisions: Sequence[Decision],
    merged: Mapping[int, int],
    as_of: AsOf,
) -> Inputs:
    """Return the inputs of a draughts list with the starting capitals of its players (tables 20, 21, 22)."""
    inputs = replace(
        inputs,
        home=read_setting(connection, "federation", as_of.register_as_of),
        awards=awarded_categories(inputs, decisions),
        states=_with_stated_history(inputs, decisions),
    )
    starts = _Starts(connection, inputs, decisions, merged, as_of)
    capitals: dict[int, str] = {}
    debuts: dict[int, str] = {}
    cancelled = {player for player, state in inputs.states.items() if to_capital(state).capital is None}
    for player, event in sorted(first_events(inputs.events, cancelled).items()):
        start = starts.of(player, event)
        if start is not None:
            capitals[player] = from_capital(start.standing)
            if start.step is not None:
                debuts[player] = dump(from_step(start.step))
    return replace(inputs, capitals=capitals, debuts=debuts)


def first_events(events: Iterable[EventInput], cancelled: AbstractSet[int]) -> dict[int, EventInput]:
    """Return the first event of each player, in the order in which a season rates events (reading 22).

    Of cancelled players it is the first with a game: without one they have not returned (reading q).
    """
    events_by_player: dict[int, EventInput] = {}
    for event in sorted(events, key=lambda event: in_order(draughts_event(event))):
        for index, player in enumerate(event.players):
            if player not in cancelled or _plays(event.report(), index):
                events_by_player.setdefault(player, event)
    return events_by_player


def _rules_on(inputs: Inputs, day: date) -> DraughtsRules | None:
    """Return the rules in force on a day; None before the first edition, which is a finding of its own."""
    try:
        rules: DraughtsRules = inputs.edition_on(day).on(inputs.on_list)
    except NoEdition:
        return None
    return rules


def _plays(report: Report, index: int) -> bool:
    """Return whether an entrant played a game."""
    return any(game.result in PLAYED for game in report.games(index))


class MatchedEntrant(Protocol):
    """An entrant of a report, with the player of the register who it is."""

    @property
    def entrant(self) -> Entrant:
        """As the report has it."""

    @property
    def player(self) -> int | None:
        """The number in the register, if there is one."""

    @property
    def undecided(self) -> bool:
        """Whether an officer must decide who it is."""


def undecided_starts(
    connection: Connection, on_list: ListName, report: Report, matches: Sequence[MatchedEntrant]
) -> list[Finding]:
    """Return who would begin as a newcomer although the conversion of foreigners does not say so (table 22).

    Cancelled players without a conversion are errors (reading q); foreigners who are in no FMJD rating a warning,
    because table 22 refers to an article that the tables do not contain.
    """
    day = report.header.first_day
    if day is None:
        return []
    merged = merge_targets(connection)
    players = {
        match.entrant.number: merged.get(match.player, match.player)
        for match in matches
        if match.player is not None
    }
    base = newest(lists.all_publications(connection, on_list), before=day)
    numbers = with_merged({*players.values()}, merged)
    states = list_rows.states(connection, base.id, numbers) if base else {}
    inputs = Inputs(
        on_list, day, base.day if base else day, 0, 1, "", "", "", RUBELE.stored.merge(states, merged),
        people=register.load_people(connection, players.values(), on=day),
        own=own_of(connection, on_list, day), home=read_setting(connection, "federation"),
    )  # fmt: skip
    rules = _rules_on(inputs, day)
    if rules is None:
        return []
    decisions = with_kept_players(decisions_in_force(connection), merged)
    starts = _Starts(connection, inputs, decisions, merged, AsOf(0))
    event = EventInput("0", "", b"", (), filed_first_day=day)
    findings = []
    for index, match in enumerate(matches):
        if match.undecided or not _plays(report, index):
            continue
        entrant, player = match.entrant, players.get(match.entrant.number)
        if player is None:
            foreign = bool(inputs.home) and is_foreign(entrant.federation, inputs.home)
        elif starts.of(player, event) is not None:
            continue
        elif player in inputs.states:
            if to_capital(inputs.states[player]).capital is None:
                findings.append(returned_undecided(entrant, rules))
            continue
        else:
            foreign = starts.is_foreign(player, event, None)
        if foreign and rules.fmjd_factors is not None:
            findings.append(foreign_undecided(entrant, rules))
    return findings


def awarded_categories(
    inputs: Inputs, decisions: Iterable[Decision]
) -> dict[int, tuple[tuple[date, Category], ...]]:
    """Return the categories given by decision on this list up to its day: player → days and categories (table 12)."""
    categories: dict[int, list[tuple[date, Category]]] = {}
    for d in decisions:
        if d.kind == "category" and d.list == str(inputs.on_list) and d.player and d.day:
            day = date.fromisoformat(d.day)
            if day <= inputs.day:
                categories.setdefault(d.player, []).append((day, Category(load(d.value)["category"])))
    return {player: tuple(sorted(awards)) for player, awards in sorted(categories.items())}


def _with_stated_history(inputs: Inputs, decisions: Iterable[Decision]) -> Mapping[int, str]:
    """Return the states with the last event that a decision states for a list imported without it."""
    stated = [d for d in decisions if d.kind == "last-event" and d.list == str(inputs.on_list) and d.day]
    if not stated:
        return inputs.states
    day = date.fromisoformat(stated[-1].day or "")
    states: dict[int, str] = {}
    for player, state in inputs.states.items():
        standing = to_capital(state)
        if not standing.history_known:
            standing = replace(standing, last_event=day, history_known=True)
        states[player] = from_capital(standing)
    return states


def fmjd_rating(decisions: Iterable[Decision], player: int, day: date) -> int | None:
    """Return the FMJD rating of a player on a day, as the office entered it."""
    entered = [
        d for d in decisions if d.kind == "fmjd" and d.player == player and d.day and d.day <= str(day)
    ]
    latest = max(entered, key=lambda d: (d.day or "", d.id), default=None)
    return int(load(latest.value)["fmjd"]) if latest is not None else None


@dataclass(frozen=True, slots=True)
class Start:
    """The standing with which a player begins, and the step that explains it."""

    standing: Capital
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a start is computed from: the visible publications of the other list, and the visible decisions."""

    publications: tuple[Publication, ...]
    decisions: tuple[Decision, ...]
    newest_revision: bool


@dataclass(frozen=True)
class _Starts:
    """Computes the start of each player of a list."""

    connection: Connection
    inputs: Inputs
    decisions: Sequence[Decision]
    merged: Mapping[int, int]
    as_of: AsOf
    _states: dict[int, dict[int, str]] = field(default_factory=dict)
    _known: dict[int, _Sources] = field(default_factory=dict)

    def of(self, player: int, event: EventInput) -> Start | None:
        """Return the start of a player with the first event on the list; None if the player has a capital."""
        state = self.inputs.states.get(player)
        before = to_capital(state) if state is not None else None
        if before is None:
            return self._debut(player, event)
        if before.capital is None:
            return self._comeback(player, before, event)
        return None

    def _debut(self, player: int, event: EventInput) -> Start | None:
        """Return how a player begins who is not on the list: by decision, FMJD rating or the other list."""
        rules, name = self._rules(event), self.inputs.people[player].name
        if player in self._capital_decisions:
            debut, step = self._by_decision(self._capital_decisions[player], rules)
            return Start(_begin(name, debut, player), step)
        sources = self._sources(event)
        standing = self._held(player, event, sources)
        rating = (
            fmjd_rating(sources.decisions, player, event.first_day)
            if self.is_foreign(player, event, standing)
            else None
        )
        if rating is not None and rules.fmjd_factors is not None:
            debut = from_fmjd(rating, rules)
            return Start(replace(_begin(name, debut, player), foreign=True, fmjd=rating), debut.steps[0])
        if standing is None:
            return None
        debut = _converted(standing, standing.title, rules)
        return Start(_begin(name, debut, player, standing.title), debut.steps[0])

    def _comeback(self, player: int, cancelled: Capital, event: EventInput) -> Start | None:
        """Return how a foreign player begins again whose capital was cancelled (table 22).

        By decision, FMJD rating, or the other list as at a debut; None if no conversion is known (reading q).
        """
        rules = self._rules(event)
        decision = self._capital_decisions.get(player)
        if decision is not None and self._after_cancelling(decision, cancelled, rules):
            return _again(cancelled, *self._by_decision(decision, rules), rules)
        sources = self._sources(event)
        rating = fmjd_rating(sources.decisions, player, event.first_day) or cancelled.fmjd
        if rating is not None and rules.fmjd_factors is not None:
            debut = from_fmjd(rating, rules)
            return _again(replace(cancelled, fmjd=rating), debut, debut.steps[0], rules)
        held = self._held(player, event, sources)
        if held is None and cancelled.title not in dict(rules.debut.value):
            return None
        debut = _converted(held or cancelled, (held and held.title) or cancelled.title, rules)
        return _again(cancelled, debut, debut.steps[0], rules)

    def _after_cancelling(self, decision: Decision, cancelled: Capital, rules: DraughtsRules) -> bool:
        """Return whether a decision is later than the cancelled capital; an earlier one was about another return."""
        opened = self.inputs.opened
        years_ago = max(0, cancelled.idle_years - rules.foreign_idle_years.value)
        cancelled_on = min(opened, date(opened.year - years_ago, 12, 31))
        return ledger.act(self.connection, decision.act).at[:10] > str(cancelled_on)

    # ------------------------------------------------------------------------------------------------------ sources

    def _rules(self, event: EventInput) -> DraughtsRules:
        """Return the rules of the event's edition."""
        rules: DraughtsRules = self.inputs.edition_on(event.first_day).on(self.inputs.on_list)
        return rules

    @cached_property
    def _capital_decisions(self) -> dict[int, Decision]:
        """The last decision on each player's capital on this list."""
        return {
            d.player: d
            for d in self.decisions
            if d.kind == "capital" and d.list == str(self.inputs.on_list) and d.player
        }

    def _by_decision(self, decision: Decision, rules: DraughtsRules) -> tuple[Debut, Step]:
        act = ledger.act(self.connection, decision.act)
        debut = by_decision(int(load(decision.value)["capital"]), act.author, act.reason, rules)
        # author and reason stay in the office: the step is shown to everybody
        step = Step(rules.starting_capital.article, "debut-given", debut.capital, {"decision": decision.id})
        return debut, step

    def _sources(self, event: EventInput) -> _Sources:
        """Return what the starts of an event are computed from: what was known at their publication, or is today."""
        number = event.report_number
        if number not in self._known:
            self._known[number] = self._read_sources(number)
        return self._known[number]

    def _read_sources(self, report: int) -> _Sources:
        publications = tuple(
            p for p in lists.all_publications(self.connection, self._other) if self.as_of.sees(p)
        )
        fixing = self._fixed_by(report)
        if fixing is None:
            return _Sources(publications, tuple(self.decisions), self.as_of.newest_revision)
        return _Sources(
            tuple(p for p in publications if p.id < fixing.id),
            with_kept_players(decisions_in_force(self.connection, fixing.act), self.merged),
            inputs_as_of(fixing).newest_revision,
        )

    def _fixed_by(self, report: int) -> Publication | None:
        """Return the list that fixed the starts of a report: the first that rated it, or a later correction."""
        if self.as_of.revises:
            return None
        rated = [p for p in self._lists_here if report in self._rated[p.id]]
        fixing_lists = [p for index, p in enumerate(rated) if index == 0 or p.corrects is not None]
        return fixing_lists[-1] if fixing_lists else None

    @cached_property
    def _lists_here(self) -> list[Publication]:
        """The lists and corrected bases of this name that came before the one being computed, in that order."""
        publications = lists.all_publications(self.connection, self.inputs.on_list)
        earlier = [p for p in publications if p.kind != IMPORTED and self.as_of.sees(p)]
        return sorted(earlier, key=lambda p: p.id)

    @cached_property
    def _rated(self) -> dict[int, set[int]]:
        """The reports that each of those lists rates."""
        return lists.rated_in_each(self.connection, [p.id for p in self._lists_here])

    @property
    def _other(self) -> ListName:
        """The list of the other discipline."""
        return RUBELE.other_list(self.inputs.on_list)

    def _held(self, player: int, event: EventInput, sources: _Sources) -> Capital | None:
        """Return a player's standing in the other discipline when the event began, with decided categories."""
        day = event.first_day
        publication = publication_in_force(sources.publications, day, newest_revision=sources.newest_revision)
        if publication is None:
            return None
        if publication.id not in self._states:
            states = list_rows.states(self.connection, publication.id)
            self._states[publication.id] = RUBELE.stored.merge(states, self.merged)
        state = self._states[publication.id].get(player)
        if state is None:
            return None
        standing = to_capital(state)
        decided = [
            Category(load(d.value)["category"])
            for d in sources.decisions
            if d.kind == "category" and d.player == player and d.list == str(self._other) and d.day
            if d.day <= str(day)
        ]
        return replace(
            standing, category=max([standing.category, *decided], key=lambda category: category.rank)
        )

    def is_foreign(self, player: int, event: EventInput, standing: Capital | None) -> bool:
        """Return whether a player is foreign on the event's first day, by the register, else by the other list."""
        people = register.load_people(
            self.connection, [player], on=event.first_day, as_of_act=self.as_of.register_as_of
        )
        person = people.get(player) or self.inputs.people[player]  # an entrant may not be in the register yet
        federation = person.federation
        if self.inputs.home and federation:
            return federation != self.inputs.home
        return standing is not None and standing.foreign


def _converted(held: Capital, title: Title | None, rules: DraughtsRules) -> Debut:
    """Return the start by the title or else the category held on the other list (tables 20, 21)."""
    convertible = title is not None and title in dict(rules.debut.value)
    return from_other_list(title if convertible and title else held.category, rules)


def _again(cancelled: Capital, debut: Debut, step: Step, rules: DraughtsRules) -> Start:
    """Return the start of a cancelled player who returns; the category held stays if it is the higher one."""
    category = held_after(cancelled.category, debut.capital, rules)
    return Start(replace(cancelled, capital=debut.capital, category=category), step)


def _begin(name: str, debut: Debut, player: int, title: Title | None = None) -> Capital:
    return Capital(name, debut.capital, debut.category, str(player), title)
