"""Templates of this folder, filled: HTML pages and, by Typst, PDF."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from typing import Any


def filled(name: str, parts: Mapping[str, str]) -> str:
    """The HTML of a template with its parts, which are HTML themselves."""
    page = (files("arpad.explain") / "layouts" / f"{name}.html").read_text(encoding="utf-8")
    for part, value in parts.items():
        page = page.replace(f"<!--{part}-->", value)
    return page


def typeset(name: str, data: Any) -> bytes:
    """The PDF of a template and its data, dataclasses among them; equal bytes for equal data.

    The words travel as data, so nothing in a name can be taken for markup.
    """
    import typst

    template = (files("arpad.explain") / "layouts" / f"{name}.typ").read_bytes()
    return typst.compile(template, format="pdf", sys_inputs={"data": json.dumps(data, default=_as_object)})


def _as_object(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}
