"""Forms that do something: read them, act, and show a refused form again.

A form that is refused comes back as it was filled in, with the sentence at the field it is about (422). Handlers
name the act and the page of the form; the macros in ``parts.html`` do the rest. A form that was submitted after the
session had expired is saved in the page where the user signs in again.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, Response
from litestar.concurrency import sync_to_thread
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput, NotAllowed
from arpad.model.rules import ListName
from arpad.model.typed_values import check_among
from arpad.office.declared import Declared
from arpad.office.parts import Choice
from arpad.store.settings import list_named
from arpad.web.cookies import SAFE_METHODS, done_cookie, is_cross_site
from arpad.web.middleware import CUT_OFF
from arpad.web.reader import signed_in_user, user_of, words_for
from arpad.web.requests import WebConnection, WebRequest, read_form, require_office
from arpad.web.site_settings import settings_of

REFUSED = 422
WITHOUT_INPUT = ("csrf", "digest", "packed", "game", "event", "opponent", "score", "ratings", "points")
"""Fields without a visible input; their errors are shown above the form."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A form that was refused: its address, its values, the wrong field and the error about it."""

    action: str
    values: Mapping[str, Sequence[str]]
    field: str
    error: ArpadError
    words: Words
    labels: Mapping[str, str]
    choices: Sequence[Choice] = ()
    """What the field may mean, if it has a name that is not enough."""

    def sentence(self, label: str = "") -> str:
        """Return the sentence of the error; the field has this label on its page."""
        named = {self.field: label, str(self.error.facts.get("option")): label} if label else {}
        return _sentence(self.error, self.words, {**self.labels, **named})

    def concerns(self, action: str, hidden: Mapping[str, str]) -> bool:
        """Whether a form of a page is this one; forms with the same address differ in their hidden fields."""
        return self.action == action and all(
            [str(value)] == list(self.values.get(name, ())) for name, value in hidden.items()
        )


async def form_texts(request: WebRequest) -> dict[str, str]:
    """Return the texts of a form, without the character NUL, which databases refuse."""
    form = await request.form()
    return {name: value.replace("\0", "").strip() for name, value in form.items() if isinstance(value, str)}


def require_fields(texts: Mapping[str, str], *names: str) -> None:
    """Refuse a form that lacks fields which every page sends: a missing field must not mean "off"."""
    if missing := [name for name in names if name not in texts]:
        raise BadInput("form-incomplete", missing=", ".join(missing))


def form_values(items: Iterable[tuple[str, Any]]) -> dict[str, list[str]]:
    """Return all values of every field; those of files are empty, since a page cannot fill them in again."""
    values: dict[str, list[str]] = {}
    for name, value in items:
        if name != "csrf":
            values.setdefault(name, []).append(value if isinstance(value, str) else "")
    return values


def field_of(error: ArpadError, values: Mapping[str, Any]) -> str:
    """Return the visible field that an error names, or an empty text if the form has none of this name."""
    field = str(error.facts.get("option", "")).partition(",")[0].strip()
    return field if field in values and field not in WITHOUT_INPUT else ""


def _sentence(error: ArpadError, words: Words, labels: Mapping[str, str]) -> str:
    """Return the sentence of an error, with the labels of the fields instead of their names.

    An empty text is said to be missing, whatever else it is not.
    """
    if "option" in error.facts and "" in (error.facts.get("value"), error.facts.get("given")):
        error = BadInput("value-missing", option=error.facts["option"])
    if error.code == "reason-missing" or (error.code, error.facts.get("option")) == (
        "value-missing",
        "reason",
    ):
        return words.text("site.reason-needed")
    if error.code == "report-has-errors":  # the page shows them in words, beside their boxes
        return words.text("site.errors-remain")
    facts = dict(error.facts)
    for fact in ("option", "missing", "field"):
        if fact in facts:
            names = [name.strip() for name in str(facts[fact]).split(",")]
            facts[fact] = ", ".join(labels.get(name, name) for name in names)
    return as_sentence(words.error(type(error)(error.code, **facts)))


def as_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    sentence = text[:1].upper() + text[1:]
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def refuse(
    request: WebRequest,
    error: ArpadError,
    values: Mapping[str, Sequence[str]],
    action: str = "",
    *,
    of: Declared[..., Any] | None = None,
    field: str = "",
    choices: Sequence[Choice] = (),
) -> None:
    """Let the page that is rendered next show the form as it was filled in, with the sentence of the error.

    ``of`` is the act or the query of the form, whose words name the fields that the page does not show. ``field`` is
    the field of the form if it has another name than the parameter; ``choices`` are offered below it.
    """
    words = words_for(request)
    labels = {it.name: words.parameter(it.word)[0] for it in of.parameters} if of is not None else {}
    field = field or field_of(error, values)
    refusal = Refusal(action or request.url.path, values, field, error, words, labels, choices)
    request.scope["arpad_refused"] = refusal  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping


def refusal_of(request: WebRequest) -> Refusal | None:
    """Return the form that was refused in this request."""
    refusal: Refusal | None = request.scope.get("arpad_refused")  # type: ignore[assignment]  # a key of ours in the server's mapping
    return refusal


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was done: the page that comes next, and what it says; after a line break, what happens then."""

    address: str
    said: str


def done_words(request: WebRequest, key: str, about: str = "") -> str:
    """Return what a page says about something done (``site.done-…``), and what happens then (``site.then-…``)."""
    words = words_for(request)
    keys = (it for it in (f"site.done-{key}", f"site.then-{key}") if words.has(it))
    return "\n".join(words.text(it, about=about) for it in keys)


async def act_and_redirect(
    request: WebRequest,
    act: Callable[[], str | Done | Response[Any]],
    form_page: Callable[[], Response[Any]],
    of: Declared[..., Any] | None = None,
) -> Response[Any]:
    """Act and redirect to the address that ``act`` returns, or answer with its response.

    If it is refused, the page of the form is shown again. ``of`` is the act of the form, if it is a declared one.
    """
    values = form_values((await request.form()).multi_items())

    def run() -> Response[Any]:
        try:
            done = act()
            if isinstance(done, Response):
                return done
            if isinstance(done, str):
                return Redirect(done, status_code=303)
            return Redirect(done.address, status_code=303, cookies=[done_cookie(request, done.said)])
        except NotAllowed:
            raise
        except ArpadError as error:
            refuse(request, error, values, of=of)
            return form_page()

    return await sync_to_thread(run)


def number_field(texts: Mapping[str, str], name: str) -> int:
    """Return the whole number in a field."""
    text = texts.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):  # noqa: PLR2004  what a number can be
        raise BadInput("not-a-number", option=name, value=text[:40])
    return int(text)


def choice_field(texts: Mapping[str, str], name: str, accepted: Sequence[str]) -> str:
    """Return the text in a field, which must be one of the accepted ones."""
    text = texts.get(name, "")
    return check_among(text, name, accepted)


# ------------------------------------------------------------------------------- forms of an expired session

SAVED_PREFIX = "held-"
"""Begins the names of the hidden fields that carry a saved form."""

DESK_PATH = re.compile(r"/desk/[a-z0-9/-]{1,100}")

FormFields = list[tuple[str, str]]
"""Names and texts of a form, in its order."""


async def save_form(connection: WebConnection, _handler: BaseRouteHandler) -> None:
    """Save the texts of a form of the desk if no user is signed in; the guard refuses the request next."""
    if connection.scope.get("method") in SAFE_METHODS or not DESK_PATH.fullmatch(connection.url.path):
        return
    if not isinstance(connection, Request) or CUT_OFF in connection.scope or is_cross_site(connection):
        return
    if await sync_to_thread(user_of, connection) is None:
        items = (await read_form(connection)).multi_items()
        saved: FormFields = [(name, text) for name, text in items if isinstance(text, str) and name != "csrf"]
        connection.scope["arpad_saved_form"] = saved  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping


def saved_form(request: WebRequest) -> FormFields:
    """Return the form that was saved in this request."""
    saved: FormFields = request.scope.get("arpad_saved_form", [])  # type: ignore[assignment]  # a key of ours in the server's mapping
    return saved


def form_from(items: Iterable[tuple[str, Any]]) -> FormFields:
    """Return the saved form out of the fields of the sign-in form."""
    return [
        (name.removeprefix(SAVED_PREFIX), str(value))
        for name, value in items
        if name.startswith(SAVED_PREFIX)
    ]


def bound_to(request: WebRequest) -> str:
    """Return the federation that an officer is bound to (9.3), or an empty text."""
    return min(signed_in_user(request).federations, default="")


def list_names(request: WebRequest) -> list[tuple[str, str]]:
    """Return every list with its name in the reader's language, for a choice."""
    words = words_for(request)
    return [(str(name), words.text(f"site.list-{name}")) for name in settings_of(request).lists]


def list_in(request: WebRequest, texts: dict[str, str]) -> ListName:
    """Return the list that a form names."""
    name = texts.get("list", "")
    if (known := next((it for it in settings_of(request).lists if it == name), None)) is not None:
        return known
    with require_office(request).store.reading() as connection:
        return list_named(connection, name)


def attachment(data: bytes, kind: str, name: str) -> Response[bytes]:
    """Return a file to save, which no cache keeps."""
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
