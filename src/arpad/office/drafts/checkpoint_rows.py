"""The checkpoints of the office's own lists, so that a draft and a page do not rate twenty years again."""

from typing import Any

from sqlalchemy import Connection, bindparam, delete, select

from arpad.lists.chain import Chain
from arpad.lists.chain_checkpoints import KeptCheckpoint, keep_chain
from arpad.lists.compute import compute_list
from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.lists.system_list import SystemInputs, rate_inputs
from arpad.model.rules import ListName
from arpad.office.drafts.tables import chain_checkpoints
from arpad.office.lists.rows import all_publications
from arpad.store.bulk import add_rows, fetch_rows

_COLUMNS = KeptCheckpoint._fields
_OF_LIST = (
    select(*(chain_checkpoints.c[name] for name in _COLUMNS))
    .where(chain_checkpoints.c.list == bindparam("of"))
    .order_by(chain_checkpoints.c.events)
)


def read_checkpoints(connection: Connection, on_list: ListName) -> list[KeptCheckpoint]:
    """Return the checkpoints of a list as they are stored, altered or not."""
    rows = fetch_rows(connection, _OF_LIST, {"of": str(on_list)})
    return [
        KeptCheckpoint(digest, events, place, bytes(data), seal) for digest, events, place, data, seal in rows
    ]


def lists_with_checkpoints(connection: Connection) -> list[str]:
    """Return the names of the lists that have checkpoints."""
    return sorted(connection.scalars(select(chain_checkpoints.c.list).distinct()))


def rate_from_checkpoint(connection: Connection, on_list: ListName, inputs: SystemInputs) -> Chain[Any]:
    """Rate the events of a list from the nearest checkpoint, with one after each published list."""
    kept = [it for it in read_checkpoints(connection, on_list) if it.is_intact()]
    days = {publication.day for publication in all_publications(connection, on_list)}
    return rate_inputs(inputs, kept, days=days)


def compute_from_checkpoint(connection: Connection, inputs: Inputs) -> ListResult:
    """Compute a list; one of the office's own from its nearest checkpoint."""
    if inputs.system is None:
        return compute_list(inputs)
    from arpad.lists.system_table import compute_own_list  # as in ``compute_list``

    chain = rate_from_checkpoint(connection, inputs.on_list, inputs.system)
    return compute_own_list(inputs, chain)


def store_checkpoints(connection: Connection, inputs: Inputs, result: ListResult) -> None:
    """Keep the checkpoints of a list that was just computed, instead of those that its chain does not have."""
    if inputs.system is None or result.of_system is None:
        return
    on_list = str(inputs.on_list)
    stored = {it.seal: it for it in read_checkpoints(connection, inputs.on_list) if it.is_intact()}
    kept = {it.seal: it for it in keep_chain(inputs.system.begun, result.of_system.chain)}
    of_list = chain_checkpoints.c.list == on_list
    connection.execute(delete(chain_checkpoints).where(of_list, chain_checkpoints.c.seal.not_in(kept)))
    rows = [(on_list, *it) for seal, it in kept.items() if seal not in stored]
    add_rows(connection, chain_checkpoints, ("list", *_COLUMNS), rows)


def delete_checkpoints(connection: Connection) -> None:
    """Delete the checkpoints of all lists."""
    connection.execute(delete(chain_checkpoints))
