"""Many lists are verified in several processes, which say the same as one."""

from __future__ import annotations

import pytest

from arpad.office import verbs, verify_lists
from arpad.office.erasures import Erasures
from arpad.store import between_acts
from arpad.store.lists import ever_published
from tests.builders.list_blocks import alter_blocks, set_value
from tests.builders.offices import Desk


def verified(desk: Desk, few_lists: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    monkeypatch.setattr(verify_lists, "FEW_LISTS", few_lists)
    monkeypatch.setattr(verify_lists, "LISTS_PER_TASK", 1)
    return [(alteration.code, alteration.facts) for alteration in verbs.verify(desk.office).altered]


@pytest.mark.deep
def test_several_processes_name_what_one_names(sqlite_out: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    alter_blocks(sqlite_out, 2, set_value(1, rating=1999))
    assert verified(sqlite_out, 0, monkeypatch) == verified(sqlite_out, 100, monkeypatch) != []


def test_a_process_that_sees_a_later_act_leaves_the_lists_to_the_caller(sqlite_out: Desk) -> None:
    office = sqlite_out.office
    with office.store.reading() as connection:
        publications = list(ever_published(connection))
        head = between_acts.head(connection)
    checks = verify_lists.ListChecks({}, Erasures(), recompute=False, ledger_head=head)
    task = (str(office.store.engine.url), publications)
    assert verify_lists._verify_in_worker(checks, task) == []
    verbs.register_player(office, "Nuovo, Aldo", federation="ITA", born=2001)
    assert verify_lists._verify_in_worker(checks, task) is None
