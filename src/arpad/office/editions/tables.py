"""The federation's own editions."""

from arpad.model.rules import ListName
from arpad.store.declared_tables import Rows, act, day, ended, row_id, table, texts, writes

editions = table(
    "editions", Rows(named_by="id", forms={"list": ListName, "since": day}),
    row_id(), *texts("edition", "about", "list", "since", "text"), act(),
)  # fmt: skip
"""The federation's own editions: what each sets, as the TOML that was adopted, for one list from a day on; ``about``
says whether it is about ratings or titles."""

edition_revocations = ended("edition_revocations", "adoption", "editions.id")

writes("adopt-edition", "editions")
writes("revoke-edition", "edition_revocations")
