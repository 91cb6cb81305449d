"""The page that checks receipts and proofs of lines in the browser; it is one file, and asks no server."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from arpad.explain.templates import fill_template
from arpad.explain.words import Words
from arpad.proofs import lines, receipts

NAME = "verify_receipts"
CHECKS = (
    "included-yes", "included-no", "signed-yes", "signed-no", "signed-open", "signed-browser", "file-yes", "file-no",
    "file-open", "line-yes", "line-no", "still-there", "line-after", "choose", "bad", "bad-key", "no-crypto",
)  # fmt: skip
"""The sentences that the script chooses from; those of the commands are the same."""

FACTS = ("origin", "act", "at", "size", "line", "list", "day", "revision", "number", "digest")
PARTS = ("title", "lead", "receipt", "report", "key", "check", "private", "noscript")


def verify_page(words: Words, keys: Sequence[str] = ()) -> str:
    """Return the page with the public keys of an office filled in; it also works as a saved file."""
    blanks = {name: f"{{{name}}}" for name in FACTS}
    about = {
        "act": receipts.ACT,
        "group": lines.GROUP,
        "schemas": [receipts.SCHEMA, lines.SCHEMA],
        "sentences": {name: words.text(f"proof.{name}", **blanks) for name in CHECKS},
    }
    parts = {
        "language": words.language,
        "keys": escape("\n".join(keys)),
        "words": json.dumps(about, ensure_ascii=False).replace("<", "\\u003c"),
        "style": _source("css"),
        "script": _source("js"),
        **{part: escape(words.text(f"proof-page.{part}")) for part in PARTS},
    }
    return fill_template(NAME, parts)


@cache
def page_policy() -> str:
    """Return the content policy of the page: its own style and script, and nothing else."""
    style, script = (_digest(_source(ending)) for ending in ("css", "js"))
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


@cache
def _source(ending: str) -> str:
    return (files("arpad.explain") / "layouts" / f"{NAME}.{ending}").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
