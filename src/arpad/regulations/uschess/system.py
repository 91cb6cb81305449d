"""US Chess: a chain of sections, each rated as a whole in three passes, with ratings that are not rounded."""

from __future__ import annotations

from functools import partial

from arpad.regulations.rating_system import DecidingDay, Driver, System, order_by_last_day
from arpad.regulations.system_fields import choice, flag
from arpad.regulations.uschess.event import rate
from arpad.regulations.uschess.rules import EDITIONS, UschessRules
from arpad.regulations.uschess.state import FIELDS, UschessState, line, parse, start, values_of

SYSTEMS = ("regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz")

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
    start=start,
)
