"""The checkpoints of the ledger, for people and programs that keep them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Response, get
from litestar.params import FromPath

from arpad.model.errors import BadInput
from arpad.office.proof.checkpoints import checkpoint, consistency
from arpad.office.proof.cosignatures import cosigned_checkpoint, require_cosigned, witness_keys
from arpad.office.proof.signing_keys import key_statements, public_keys
from arpad.proofs.receipts import proof_document
from arpad.web.auth import PUBLIC
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office

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


ROUTES = (newest, keys, witnesses, cosigned, statements, earlier, growth)
