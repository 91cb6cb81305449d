"""DWZ, the rating system of the Deutscher Schachbund: a chain of events, each evaluated as a whole."""

from __future__ import annotations

from functools import partial

from arpad.regulations.dwz.event import age_of, rate
from arpad.regulations.dwz.rules import EDITIONS, DwzRules
from arpad.regulations.dwz.state import FIELDS, DwzState, line, parse, start, values_of
from arpad.regulations.rating_system import DecidingDay, Driver, System, order_by_last_day

SYSTEM: System[DwzState, DwzRules] = System(
    id="dwz",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    parse=parse,
    values=values_of,
    rating_of=lambda state: state.rating,
    rate=rate,
    brief=partial(rate, brief=True),
    line=line,
    k_field="coefficient",
    order=order_by_last_day,
    takes_from_day=lambda _name, day, unit, _rules: age_of(day, unit.last_day),
    start=start,
)
