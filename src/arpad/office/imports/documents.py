"""The import of a list as a JSON document: all players whom it concerns."""

from __future__ import annotations

from typing import Any

from arpad.office.imports.acts import Imported


def import_document(imported: Imported, *, kept: bool) -> dict[str, Any]:
    """Return what an import did, or would do if it was not ``kept``."""
    seen = imported.preview
    document: dict[str, Any] = {
        "rows": imported.rows, "newcomers": imported.newcomers, "changed": imported.changed,
        "again": imported.again, "undated": imported.undated,
        "no_federations": list(imported.no_federations), "other_month": imported.other_month or None,
        "imported": kept and not imported.again,
    }  # fmt: skip
    if seen is not None:
        document |= {
            "before": seen.before.name if seen.before else None, "own": seen.own,
            "new": seen.new.to_dicts(), "changes": seen.changed.to_dicts(), "leaving": seen.leaving.to_dicts(),
            "replaced": seen.replaced.to_dicts(),
        }  # fmt: skip
    return document
