"""The last draft of each list."""

from sqlalchemy import PrimaryKeyConstraint

from arpad.store.declared_tables import Kind, Rows, data, number, table, text, texts, writes

drafts = table(
    "drafts", Rows(kind=Kind.DERIVED),
    *texts("list", "day", "ledger", "inputs_digest", "version", "head", "digest"),
    PrimaryKeyConstraint("list", "day"),
)  # fmt: skip

draft_blocks = table(
    "draft_blocks", Rows(kind=Kind.DERIVED, owner="drafts"),
    *texts("list", "day"), number("block"), data("data"), data("seals"),
    text("digest"), PrimaryKeyConstraint("list", "day", "block"),
)  # fmt: skip

draft_inputs = table(
    "draft_inputs", Rows(kind=Kind.DERIVED, owner="drafts"),
    *texts("list", "day"), number("part"), data("data"), text("digest"),
    PrimaryKeyConstraint("list", "day", "part"),
)  # fmt: skip
"""The last draft of each list: what it says, its players in blocks, and the files of its inputs in parts.

``ledger`` is the seal of the last act that the draft has seen.
"""

chain_checkpoints = table(
    "chain_checkpoints", Rows(kind=Kind.DERIVED),
    *texts("list", "digest"), number("events"), text("place"), data("data"), text("seal"),
    PrimaryKeyConstraint("list", "digest"),
)  # fmt: skip
"""The states in the chain of a list of the office's own; ``lists.chain_checkpoints`` describes them."""

writes("publish", "publications list_blocks rated_reports")
