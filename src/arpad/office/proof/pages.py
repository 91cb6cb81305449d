"""The checkpoints of the ledger, for people and programs that keep them elsewhere."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.templates import fill_template
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.office.lists.published import publication_named
from arpad.office.proof.checkpoints import (
    checkpoint,
    consistency,
    cosigned_checkpoint,
    receipt,
    require_cosigned,
    witness_keys,
)
from arpad.office.proof.publication_proofs import line_proof
from arpad.office.proof.signing_keys import key_statements, public_keys
from arpad.office.register.scheme_rows import public_player
from arpad.office.reports.pages import own_report
from arpad.proofs import lines, receipts
from arpad.proofs.receipts import document_bytes, proof_document
from arpad.web.auth import ARBITER, COSTLY, PUBLIC
from arpad.web.language import page_words
from arpad.web.requests import Refused, WebRequest, office_of, require_office

MISSING = ("no-such-checkpoint", "signing-key-missing", "not-cosigned")
FRESH = {"Cache-Control": "public, max-age=60"}


@get("/checkpoint", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def newest(request: WebRequest) -> Response[str]:
    """Return the signed checkpoint of the ledger as it is now."""
    return _text(_of(request, None))


@get("/checkpoint/{size:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def earlier(request: WebRequest, size: FromPath[int]) -> Response[str]:
    """Return the signed checkpoint over the first acts, with the signatures of witnesses if there are any."""
    with require_office(request).store.reading() as connection:
        note = cosigned_checkpoint(connection, size)
    return _text(_of(request, size) if note is None else note.written())


@get("/checkpoint/cosigned", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def cosigned(request: WebRequest) -> Response[str]:
    """Return the newest checkpoint that witnesses have signed too."""
    with _missing_as_404():
        return _text(require_cosigned(require_office(request)).written())


@get("/checkpoint/witnesses", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def witnesses(request: WebRequest) -> Response[str]:
    """Return the public keys of the witnesses whose signatures the office keeps, one line each."""
    with require_office(request).store.reading() as connection:
        return _text("".join(f"{key.text()}\n" for key in witness_keys(connection)))


@get("/checkpoint/{first:int}/{later:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def growth(request: WebRequest, first: FromPath[int], later: FromPath[int]) -> Response[dict[str, object]]:
    """Return the proof that the ledger grew from one size to another, and nothing else happened to it."""
    with _missing_as_404():
        end, proof = consistency(require_office(request), first, later)
    return Response(proof_document(first, end, proof), headers=FRESH)


@get("/checkpoint/keys", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def keys(request: WebRequest) -> Response[str]:
    """Return every public key of the office, one line each, the newest last."""
    with require_office(request).store.reading() as connection:
        return _text("".join(f"{key.text()}\n" for key in public_keys(connection)))


@get("/checkpoint/statements", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def statements(request: WebRequest) -> Response[dict[str, object]]:
    """Return the statements with which each key announced the next one."""
    with require_office(request).store.reading() as connection:
        return Response({"statements": key_statements(connection)}, headers=FRESH)


def _of(request: WebRequest, size: int | None) -> str:
    with _missing_as_404():
        return checkpoint(require_office(request), size).written()


@contextmanager
def _missing_as_404() -> Iterator[None]:
    """Answer 404 where there is no such checkpoint; other errors are those of every page."""
    try:
        yield
    except BadInput as error:
        if error.code not in MISSING:
            raise
        raise Refused(404, error.code, **error.facts) from None


def _text(text: str) -> Response[str]:
    return Response(text, media_type="text/plain; charset=utf-8", headers=FRESH)


NAME = "verify_receipts"
CHECKS = (
    "included-yes", "included-no", "signed-yes", "signed-no", "signed-open", "signed-browser", "file-yes", "file-no",
    "file-open", "line-yes", "line-no", "still-there", "line-after", "choose", "bad", "bad-key", "no-crypto",
)  # fmt: skip
"""The sentences that the script chooses from; those of the commands are the same."""

FACTS = ("origin", "act", "at", "size", "line", "list", "day", "revision", "number", "digest")
WORDS = ("title", "lead", "receipt", "report", "key", "check", "private", "noscript")


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
        "back": escape(words.text("site.nav-verify")),
        "style": _source("css"),
        "script": _source("js"),
        **{part: escape(words.text(f"proof-page.{part}")) for part in WORDS},
    }
    return fill_template(NAME, parts)


@cache
def page_policy() -> str:
    """Return the content policy of the page: its own style and script, and nothing else."""
    style, script = (_digest(_source(ending)) for ending in ("css", "js"))
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; font-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


@cache
def _source(ending: str) -> str:
    return (files("arpad.explain") / "layouts" / f"{NAME}.{ending}").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


MISSING_PROOF = ("signing-key-missing", "receipt-erased", "no-line-proof", "no-line", "line-proof-erased")
"""Refusals for which there is no file to download."""


@get("/desk/reports/{number:int}/receipt", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_receipt(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return the receipt for a report."""
    office = require_office(request)
    own_report(request, number)
    try:
        document = receipt(office, number).document()
    except BadInput as error:
        raise _missing(error) from None
    return _file(document, f"{number}.receipt.json", "private, no-store")


@get(
    "/players/{number:int}/proof/{name:str}",
    opt=PUBLIC | COSTLY,
    include_in_schema=False,
    sync_to_thread=True,
)
def player_line(request: WebRequest, number: FromPath[int], name: FromPath[str]) -> Response[Any]:
    """Return the proof of a player's line on a list."""
    with require_office(request).store.reading() as connection:
        public_player(connection, number)
        publication = publication_named(connection, name)
        if publication is None:
            raise Refused(404, "no-list-here")
        try:
            document = line_proof(connection, publication, number).document()
        except BadInput as error:
            raise _missing(error) from None
    return _file(document, f"{publication.name}.player-{number}.proof.json", "public, max-age=3600")


@get("/verify/receipts", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def check_in_browser(request: WebRequest) -> Response[str]:
    """Return the page that checks receipts without a server."""
    keys: list[str] = []
    if (office := office_of(request)) is not None:
        with office.store.reading() as connection:
            keys = [key.text() for key in public_keys(connection)]
    headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-cache"}
    return Response(
        verify_page(page_words(request), keys), headers=headers, media_type="text/html; charset=utf-8"
    )


def _missing(error: BadInput) -> Exception:
    return Refused(404, error.code, **error.facts) if error.code in MISSING_PROOF else error


def _file(document: dict[str, Any], name: str, keep: str) -> Response[Any]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": keep}
    return Response(document_bytes(document), headers=headers, media_type="application/json")


ROUTES = (
    newest,
    keys,
    witnesses,
    cosigned,
    statements,
    earlier,
    growth,
    report_receipt,
    player_line,
    check_in_browser,
)
