"""Players with similar names who are two people, and the verbs of merges and schemes."""

from arpad.store.declared_tables import Rows, act, ended, row_id, table, to, writes

distinct_players = table(
    "distinct_players", Rows(named_by="id"),
    row_id(), to("player", "players.id"), to("other", "players.id"), act(),
)  # fmt: skip
"""Pairs of players with similar names who are two people, as an officer decided."""

distinct_revocations = ended("distinct_revocations", "pair", "distinct_players.id")

writes("declare-scheme", "number_schemes")
writes("merge", "merges")
writes("revoke-two-people", "distinct_revocations")
writes("source-scheme", "source_schemes")
writes("two-people", "distinct_players")
writes("unmerge", "unmerges")
writes("withdraw-scheme", "number_schemes")
