"""How a player's change came about, worked out when somebody asks.

Nothing of it is kept: a list can be gathered again as it was made, so a story is computed the readable way from the
player's own events of that period, in some milliseconds, however long the list is. What was told lately is remembered;
the digests of a list and of its inputs say what it is a story of, so it can never be out of date.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

from sqlalchemy import Connection, select

from arpad.lists import compute_draughts as draughts
from arpad.lists.compute_chess import compute_period, period_event
from arpad.lists.inputs import Inputs
from arpad.lists.period import Event
from arpad.lists.published import DRAUGHTS
from arpad.model.json_values import load, to_standing
from arpad.office.explanation_json import chess_story
from arpad.office.load_inputs import load_inputs
from arpad.office.publish import inputs_of, making_of
from arpad.regulations.chess.event_kind import meetings
from arpad.store import ledger, lists
from arpad.store import reports as rows
from arpad.store.bulk import fetch_rows, id_batches
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.merges import merge_targets
from arpad.store.schema import entrants, rated_reports

_REMEMBERED = 4096


class _ExplanationCache:
    """The stories told last, by list and player; None where nothing happened."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str, int], str | None] = OrderedDict()
        self._lock = Lock()

    def of(self, publication: Publication, players: set[int]) -> dict[int, str | None]:
        """What was told of some players, taken out at once: another request may push it out the next moment."""
        with self._lock:
            keys = {player: (publication.digest, publication.inputs_digest, player) for player in players}
            return {player: self._told[key] for player, key in keys.items() if key in self._told}

    def add(self, publication: Publication, player: int, story: str | None) -> None:
        with self._lock:
            self._told[publication.digest, publication.inputs_digest, player] = story
            while len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)


_LATELY = _ExplanationCache()


def story_in(connection: Connection, publication: Publication, player: int) -> str | None:
    """How a player's change came about in a revision."""
    return stories_in(connection, publication, [player]).get(player)


def stories_in(connection: Connection, publication: Publication, players: Iterable[int]) -> dict[int, str]:
    """How the changes of some players came about in a revision: player → story, canonical JSON."""
    if publication.kind != PUBLISHED:
        return {}
    wanted = set(players)
    said = _LATELY.of(publication, wanted)
    unknown = wanted - said.keys()
    if unknown:
        work = _of_draughts if publication.list in DRAUGHTS else _of_chess
        found = work(connection, publication, unknown)
        for player in {*unknown, *found}:
            _LATELY.add(publication, player, found.get(player))
        said |= {player: found.get(player) for player in unknown}
    return {player: story for player, story in said.items() if story is not None}


def with_decisions(connection: Connection, publication: Publication, story: str) -> dict[str, Any]:
    """Return a story with what was decided about each of its events when the list was made, by whom and why."""
    told: dict[str, Any] = load(story)
    numbers = [int(event["event"].partition("/")[0]) for event in told["events"]]
    decided = rows.standing_decisions(connection, making_of(publication).decided_at or publication.act)
    mine = [decision for decision in decided if decision.report in numbers and decision.kind != "appeal"]
    acts = ledger.some_acts(connection, [decision.act for decision in mine])
    for number, event in zip(numbers, told["events"], strict=True):
        event["decisions"] = [
            {
                "decision": decision.id, "kind": decision.kind, "value": load(decision.value),
                "day": acts[decision.act].at[:10], "author": acts[decision.act].author,
                "reason": acts[decision.act].reason,
            }
            for decision in mine
            if decision.report == number
        ]  # fmt: skip
    return told


def _of_draughts(connection: Connection, publication: Publication, players: set[int]) -> dict[int, str]:
    """Each event of a year takes the capitals of the one before: the whole of it is worked out."""
    made = draughts.stories(inputs_of(connection, publication))
    return made if len(made) <= _REMEMBERED // 2 else {p: s for p, s in made.items() if p in players}


def _of_chess(connection: Connection, publication: Publication, players: set[int]) -> dict[int, str]:
    """The players' own events; and, where the procedure of a round robin asks who came before, those of its unrated."""
    concerned: set[int] = set()
    asking = set(players)
    while not asking <= concerned:
        concerned |= asking
        taken = _reports_of(connection, publication, concerned)
        inputs = _gathered(connection, publication, taken, players)
        events = [period_event(event, inputs) for event in inputs.events]
        asking = _asked_about(inputs, events)
    states = {player: to_standing(player, state) for player, state in inputs.states.items()}
    period = compute_period(inputs, states, events, concerned)
    return {player: chess_story(player, period, events) for player in period.players if player in players}


def _gathered(connection: Connection, publication: Publication, taken: set[int], players: set[int]) -> Inputs:
    base = next((p for p in lists.all_publications(connection) if p.id == publication.base), None)
    filed = rows.filed(connection, sorted(taken)).values()
    making = making_of(publication)
    return load_inputs(connection, publication.list, publication.day, filed, base, making, only=players)


def _reports_of(connection: Connection, publication: Publication, players: set[int]) -> set[int]:
    """The reports of a list in which some players play, under any number that is theirs now."""
    kept = merge_targets(connection, making_of(publication).merges_known_at)
    numbers = {*players, *(dropped for dropped, player in kept.items() if player in players)}
    query = select(entrants.c.report).join(rated_reports, rated_reports.c.report == entrants.c.report)
    query = query.where(rated_reports.c.publication == publication.id)
    return {
        report
        for some in id_batches(numbers)
        for (report,) in fetch_rows(connection, query.where(entrants.c.player.in_(some)))
    }


def _asked_about(inputs: Inputs, events: Iterable[Event]) -> set[int]:
    """Unrated players of round robins under an edition that asks whether they have played before."""
    found: set[int] = set()
    for event in events:
        rules = event.edition.on(inputs.on_list)
        size = meetings(event.report).players
        if rules.round_robin_entry is None or len(event.report.rounds) < size - 1 + size % 2:
            continue
        listed = inputs.lists.get(inputs.in_force.get(event.first_day, ""), {})
        found.update(player for player in event.players if player not in listed)
    return found


def eventful_lists(connection: Connection, player: int, publications: Iterable[Publication]) -> set[int]:
    """The lists with which something can have happened: a report of his was rated, or his state is another.

    A player who was merged with another may have played, or stood, under either number: then all lists are looked at.
    """
    merged = merge_targets(connection)
    if player in merged or player in merged.values():
        return {publication.id for publication in publications}
    played = select(rated_reports.c.publication).join(entrants, entrants.c.report == rated_reports.c.report)
    found = {number for (number,) in fetch_rows(connection, played.where(entrants.c.player == player))}
    states = {number: row.state for number, row in lists.player_rows(connection, player).items()}
    for publication in publications:
        if states.get(publication.id) != states.get(publication.base or 0):
            found.add(publication.id)
    return found
