"""The desk: its user, its office, the lists that its forms name, and files to save."""

from __future__ import annotations

from dataclasses import replace

from litestar import Response

from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.office.users import Role, User
from arpad.web.auth import user_of
from arpad.web.forms import (
    choice_field,
)
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office


def worker(request: WebRequest) -> User:
    """Return the user at the desk, admitted by the guard."""
    user = user_of(request)
    if user is None:
        raise Refused(401, "sign-in-first")
    return user


def desk_of(request: WebRequest) -> Office:
    """Return the office with the user as the author of acts."""
    return replace(require_office(request), author=worker(request).login)


def for_all(request: WebRequest) -> None:
    """Refuse an officer who is bound to one federation (9.3): lists concern all federations."""
    if not is_for_all(request):
        raise Refused(403, "bound-officer")


def is_for_all(request: WebRequest) -> bool:
    """Whether the user is an officer for all federations."""
    return any(g.role == Role.OFFICER and not g.federation for g in worker(request).grants)


def bound_to(request: WebRequest) -> str:
    """Return the federation that an officer is bound to (9.3), or an empty text."""
    grants = [grant for grant in worker(request).grants if grant.role == Role.OFFICER]
    return "" if any(not grant.federation for grant in grants) else grants[0].federation


def list_names(request: WebRequest) -> list[tuple[str, str]]:
    """Return every list with its name in the reader's language, for a choice."""
    return [(str(name), words_for(request).text(f"site.list-{name}")) for name in ListName]


def list_in(texts: dict[str, str]) -> ListName:
    """Return the list that a form names."""
    return ListName(choice_field(texts, "list", tuple(ListName)))


def office_of_officer(request: WebRequest) -> Office:
    """Return the office if the token's user is an officer."""
    if not worker(request).has(Role.OFFICER):
        raise Refused(403, "not-yours")
    return desk_of(request)


def attachment(data: bytes, kind: str, name: str) -> Response[bytes]:
    """Return a file to save, which no cache keeps."""
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
