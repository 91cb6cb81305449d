"""Clubs and regions."""

from sqlalchemy import Index

from arpad.store.declared_tables import (
    Rows,
    act,
    among,
    day,
    day_or_nothing,
    row_id,
    table,
    text,
    texts,
    to,
    unique_text,
    writes,
)

UNIT_FIELDS = ("name", "region", "since", "until")

clubs = table(
    "clubs", Rows(named_by="code", forms={"kind": among("club", "region"), "since": day, "until": day_or_nothing}),
    row_id(), text("kind"), unique_text("code"), *texts("name", "region", "since", "until"), act(),
)  # fmt: skip
"""Clubs and regions as they were entered; ``region`` is the code of the region that contains them."""

club_facts = table(
    "club_facts", Rows(named_by="=code", forms={"field": among(*UNIT_FIELDS), "since": day}),
    row_id(), to("club", "clubs.id"), *texts("field", "value", "since"), act(),
    Index(None, "club"),
)  # fmt: skip
"""Changes of clubs and regions, each from a day on. A player's club is a fact of ``player_facts``."""

writes("change-club", "club_facts")
writes("enter-club", "clubs")
writes("import-clubs", "clubs club_facts", names_none="sha256")
writes("import-memberships", "player_facts", names_none="sha256")
writes("transfer", "player_facts")
