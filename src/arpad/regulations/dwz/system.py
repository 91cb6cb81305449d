"""DWZ, the rating system of the Deutscher Schachbund: a chain of events, each evaluated as a whole."""

from __future__ import annotations

from functools import partial

from arpad.regulations.dwz.event import rate
from arpad.regulations.dwz.rules import EDITIONS, DwzRules
from arpad.regulations.dwz.state import FIELDS, DwzState, line, parse, start
from arpad.regulations.rating_system import DecidingDay, Driver, System, order_by_last_day, values_of

SYSTEM: System[DwzState, DwzRules] = System(
    id="dwz",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    parse=parse,
    values=partial(values_of, of_newcomers=("fide",)),
    rate=rate,
    brief=partial(rate, brief=True),
    line=line,
    k_field="coefficient",
    order=order_by_last_day,
    start=start,
)
