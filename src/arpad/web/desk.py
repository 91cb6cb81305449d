"""Parts of the desk's pages: the federation of its officer, the lists that forms name, and files to save."""

from __future__ import annotations

from litestar import Response

from arpad.model.rules import ListName
from arpad.store.list_names import kept_lists, list_named
from arpad.web.auth import signed_in_user
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office


def bound_to(request: WebRequest) -> str:
    """Return the federation that an officer is bound to (9.3), or an empty text."""
    return min(signed_in_user(request).federations, default="")


def list_names(request: WebRequest) -> list[tuple[str, str]]:
    """Return every list with its name in the reader's language, for a choice."""
    with require_office(request).store.reading() as connection:
        return [(str(name), words_for(request).text(f"site.list-{name}")) for name in kept_lists(connection)]


def list_in(request: WebRequest, texts: dict[str, str]) -> ListName:
    """Return the list that a form names."""
    with require_office(request).store.reading() as connection:
        return list_named(connection, texts.get("list", ""))


def attachment(data: bytes, kind: str, name: str) -> Response[bytes]:
    """Return a file to save, which no cache keeps."""
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
