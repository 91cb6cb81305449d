"""Values with which the acts and queries about who is who work in the office of the demo."""

from __future__ import annotations

from arpad.office.inbox.entrant_decisions import decide_entrants
from arpad.office.office import Office
from arpad.office.register.acts import register_player
from arpad.office.reports.rows import RECEIVED
from arpad.office.reports.status import reports_on_file
from arpad.office.who_is_who.acts import declare_distinct, declare_scheme, merge

GIVEN = {
    "merge": {"confirmed": True},
    "number scheme": {"code": "bcf"},
    "number withdraw-source": {"kind": "discipline", "value": "chess"},
}


def _double(office: Office) -> int:
    return register_player(office, "Doppia, Ada", federation="ITA").id


def _merged(office: Office) -> None:
    merge(office, 1, _double(office), reason="one person", confirmed=True)


def _alias(office: Office) -> None:
    waiting = next(it for it in reports_on_file(office) if it.status == RECEIVED)
    decide_entrants(office, waiting.id, {1: 1}, change=True)


BEFORE = {
    "unmerge": _merged,
    "alias revoke": _alias,
    "duplicate revoke": lambda office: declare_distinct(office, 1, 2),
    "number withdraw-scheme": lambda office: declare_scheme(office, "icu", name="Irish", pattern="9{1-5}"),
}
