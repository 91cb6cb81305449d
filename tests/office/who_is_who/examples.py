"""Values with which the acts and queries about who is who work in the office of the demo."""

from datetime import date

from arpad.office.inbox.entrant_decisions import decide_entrants
from arpad.office.inbox.submit import submit
from arpad.office.office import Office
from arpad.office.register.acts import register_player
from arpad.office.who_is_who.acts import declare_distinct, declare_scheme, merge
from tests.builders.chess import event
from tests.builders.offices import trf

GIVEN = {
    "merge": {"dropped": 121, "confirmed": True},
    "number scheme": {"code": "bcf"},
    "number withdraw-source": {"kind": "discipline", "value": "chess"},
}


def _double(office: Office) -> int:
    return register_player(office, "Doppia, Ada", federation="ITA").id


def _merged(office: Office) -> None:
    merge(office, 1, _double(office), reason="one person", confirmed=True)


def _alias(office: Office) -> None:
    report = submit(
        office, trf(event("Open", "1 1950 | 2w1\n2 1850 | 1b0", date(2025, 1, 10))), "open.trf"
    ).report
    decide_entrants(office, report, {1: 1})


BEFORE = {
    "merge": _double,
    "unmerge": _merged,
    "alias revoke": _alias,
    "duplicate revoke": lambda office: declare_distinct(office, 1, 2),
    "number withdraw-scheme": lambda office: declare_scheme(office, "icu", name="Irish", pattern="9{1-5}"),
}
