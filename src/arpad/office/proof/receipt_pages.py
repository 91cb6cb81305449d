"""Receipts for reports and proofs of lines to download, and the page that checks them in the browser."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.verify_page import page_policy, verify_page
from arpad.model.errors import BadInput
from arpad.office.lists.published import publication_named
from arpad.office.proof.checkpoints import receipt
from arpad.office.proof.publication_proofs import line_proof
from arpad.office.proof.signing_keys import public_keys
from arpad.office.register.scheme_rows import public_player
from arpad.office.reports.pages import own_report
from arpad.proofs.receipts import document_bytes
from arpad.web.auth import ARBITER, COSTLY, PUBLIC
from arpad.web.language import page_words
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, office_of, require_office

MISSING = ("signing-key-missing", "receipt-erased", "no-line-proof", "no-line", "line-proof-erased")
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
    return Refused(404, error.code, **error.facts) if error.code in MISSING else error


def _file(document: dict[str, Any], name: str, keep: str) -> Response[Any]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": keep}
    return Response(document_bytes(document), headers=headers, media_type="application/json")


ROUTES = (report_receipt, player_line, check_in_browser)
