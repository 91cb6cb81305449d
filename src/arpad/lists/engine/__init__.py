"""The vectorised period: a whole list on columns of integers, equal to ``period`` but without derivations.

Events are summed up in any number of parts; the parts are added and the list is finished once:

    context = period_context(...)
    parts = [sum_events(events, context) for events in ...]
    finish_list(add_partials(parts), context)

Only integers are added, so that the result is the same bit for bit however the events are split. For 80 reports and
11,000 players ``close`` takes 0.25 s, the readable period 1.60 s.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from arpad.lists.engine.columns import PlayerColumns, Roster, ratings_one_by_one
from arpad.lists.engine.event_columns import Context
from arpad.lists.engine.next_list import finish_list
from arpad.lists.engine.sums import sum_events
from arpad.lists.period import Event, InForce, RegisterFacts
from arpad.lists.period_inputs import Frame
from arpad.model.chess import PlayerState
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.rules import ChessRules


def period_context(
    on_list: ListName,
    day: date,
    opened: date,
    standings: Mapping[int, PlayerState],
    events: Sequence[Event],
    in_force: InForce,
    edition: Edition[ChessRules],
    *,
    register: RegisterFacts | None = None,
    editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
) -> Context:
    """Return the context of a period's sums, from the arguments of ``period.close``."""
    roster = Roster.of(standings, (player for event in events for player in event.players))
    frame = Frame.of(on_list, day, opened, edition, [*editions, *(event.edition for event in events)])
    ratings = ratings_one_by_one(in_force, roster)
    return Context(roster, PlayerColumns.of(register or RegisterFacts(), roster), ratings, frame)


def close(
    context: Context, standings: Mapping[int, PlayerState], events: Sequence[Event]
) -> dict[int, PlayerState]:
    """Return the standings that ``period.close`` returns, computed on columns."""
    after = finish_list(sum_events(events, context), context).roster
    return {
        it.player: it for it in after.standings() if it.player in standings or it != PlayerState(it.player)
    }
