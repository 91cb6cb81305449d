"""US Chess: a chain of sections, each rated as a whole in three passes, with ratings that are not rounded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from arpad.model.rules import Fact, Rule
from arpad.regulations.rating_system import DecidingDay, Driver, System, order_by_last_day
from arpad.regulations.system_fields import choice, flag
from arpad.regulations.uschess.event import rate
from arpad.regulations.uschess.rules import EDITIONS, UschessRules, systems_of
from arpad.regulations.uschess.state import FIELDS, UschessState, line, parse, rating_by_age, start, values_of

SYSTEMS = ("regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz")

_DUAL = Rule((30, 65), "time controls")
"""Minutes plus seconds of the sections that are rated as regular and as quick."""

_MATCH = 2
"""The players of a match."""


def event_facts(minutes: int, players: int) -> dict[str, Fact]:
    """Return whether a section is rated in two systems, and whether it is a match (chapters 7 and 10)."""
    least, most = _DUAL.value
    return {"dual": least <= minutes <= most, "match": players == _MATCH}


def counts_on(of_list: Mapping[str, Fact], minutes: int) -> bool:
    """Return whether a section counts in the system of a list; on a list without one all do (chapter 1)."""
    system = str(of_list.get("system", ""))
    online = system.startswith("online-")
    return not system or system.removeprefix("online-") in systems_of(minutes, 0, online=online)


SYSTEM: System[UschessState, UschessRules] = System(
    id="uschess",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    unit_facts=(flag("dual"), flag("match"), choice("system", *SYSTEMS)),
    parse=parse,
    values=values_of,
    rating_of=lambda state: state.rating,
    rate=rate,
    brief=partial(rate, brief=True),
    line=line,
    order=order_by_last_day,
    event_facts=event_facts,
    counts_on=counts_on,
    takes_from_day=lambda _name, day, unit, rules: rating_by_age(day, unit.last_day, rules),
    start=start,
)
