"""Many lists are verified in several processes, which say the same as one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import Connection

from arpad.lists.sealed_blocks import SealedBlock
from arpad.office.lists import block_rows as list_blocks
from arpad.office.lists.block_rows import sealed_blocks
from arpad.office.lists.rows import ever_published
from arpad.office.proof.erasures import Erasures
from arpad.office.verify import lists as verify_lists
from arpad.store import bulk
from tests.builders.list_blocks import alter_blocks, set_value
from tests.builders.offices import Desk
from tests.builders.verbs import register_player, verify


def verified(desk: Desk, few_lists: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    monkeypatch.setattr(verify_lists, "FEW_LISTS", few_lists)
    monkeypatch.setattr(verify_lists, "LISTS_PER_PART", (1, 1))
    return [(alteration.code, alteration.facts) for alteration in verify(desk.office).altered]


def test_the_blocks_of_each_list_are_read_once(sqlite_out: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(
        connection: Connection, publication: int, numbers: Sequence[int] | None = None
    ) -> Iterator[SealedBlock]:
        read.append(publication)
        return sealed_blocks(connection, publication, numbers)

    for module in (verify_lists, list_blocks):
        monkeypatch.setattr(module, "sealed_blocks", counted)
    with sqlite_out.office.store.reading() as connection:
        publications = ever_published(connection)
        checks = verify_lists.ListChecks({}, Erasures(), recompute=True, ledger_head="")
        assert list(verify_lists._altered_in_all(connection, publications, checks)) == []
    assert len(publications) > 1
    assert sorted(read) == [publication.id for publication in publications]


@pytest.mark.parametrize(("lists", "processes"), [(181, 2), (181, 16), (101, 2), (5, 2), (1, 8)])
def test_parts_are_consecutive_and_the_last_ones_are_short(
    sqlite_out: Desk, lists: int, processes: int
) -> None:
    with sqlite_out.office.store.reading() as connection:
        (first, *_) = ever_published(connection)
    publications = [replace(first, id=number) for number in range(lists)]
    parts = list(verify_lists._parts(publications, processes))
    assert [publication for part in parts for publication in part] == publications
    assert [len(part) for part in parts] == sorted((len(part) for part in parts), reverse=True)
    assert len(parts[-1]) <= verify_lists.LISTS_PER_PART[0]


@pytest.mark.deep
def test_several_processes_name_what_one_names(sqlite_out: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    alter_blocks(sqlite_out, 2, set_value(1, rating=1999))
    assert verified(sqlite_out, 0, monkeypatch) == verified(sqlite_out, 100, monkeypatch) != []


def test_a_process_that_sees_a_later_act_leaves_the_lists_to_the_caller(sqlite_out: Desk) -> None:
    office = sqlite_out.office
    with office.store.reading() as connection:
        publications = list(ever_published(connection))
        head = bulk.head(connection)
    checks = verify_lists.ListChecks({}, Erasures(), recompute=False, ledger_head=head)
    task = (str(office.store.engine.url), publications)
    assert verify_lists._verify_in_worker(checks, task) == []
    register_player(office, "Nuovo, Aldo", federation="ITA", born=2001)
    assert verify_lists._verify_in_worker(checks, task) is None
