"""US Chess regular and quick in one office: each list rates the sections of its time controls, some both."""

from datetime import date, timedelta

from arpad.model.rules import ListName
from arpad.office.decisions.acts import decide
from arpad.office.drafts.acts import preview_draft
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.procedures import next_lists
from arpad.office.lists.acts import add_list
from arpad.office.verify.acts import verify
from arpad.store.settings import list_named
from tests.builders.chess import event
from tests.builders.offices import Desk
from tests.builders.own_lists import ROUND_ROBIN, begun

SECTIONS = (("Long", "90 min"), ("Dual", "40 min + 5 sec/move"), ("Quick", "15 min"), ("Fast", "5 min"))


def test_a_dual_section_counts_on_both_lists(desk: Desk) -> None:
    begun(desk)
    names: dict[str, ListName] = {}
    for system in ("regular", "quick"):
        add_list(desk.office, system, system="uschess", since=date(2018, 1, 1), facts={"system": system})
        with desk.office.store.reading() as connection:
            names[system] = list_named(connection, system)
    numbers = {}
    for place, (name, control) in enumerate(SECTIONS):
        day = date(2018, 1, 5) + timedelta(days=3 * place)
        report = event(name, ROUND_ROBIN, day, day + timedelta(days=1), time_control=control)
        numbers[name] = desk.report(report)
    february = date(2018, 2, 1)
    drafted = {
        system: [it.name for it in preview_draft(desk.office, own, february).reports]
        for system, own in names.items()
    }
    assert drafted == {"regular": ["Long", "Dual"], "quick": ["Dual", "Quick"]}
    decide(
        desk.office, "rated", report=numbers["Fast"], list_=names["quick"], reason="the committee wants it"
    )
    published = {system: desk.publish(february, own) for system, own in names.items()}
    with desk.office.store.reading() as connection:
        units = {
            system: {unit.name: unit.facts for unit in (inputs_of(connection, it).system or it).units}  # type: ignore[union-attr]
            for system, it in published.items()
        }
        counts = {it.list: it.accepted for it in next_lists(connection, february)}
    assert {*units["quick"]} == {"Dual", "Quick", "Fast"}
    assert units["regular"]["Dual"] == {"dual": True, "match": False, "system": "regular"}
    assert units["regular"]["Long"]["dual"] is False
    assert (counts[names["regular"]], counts[names["quick"]]) == (0, 0)
    assert verify(desk.office).intact
