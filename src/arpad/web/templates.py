"""Templates and static files: read once, escaped always, each under an address that names its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response
from litestar.datastructures import Cookie

from arpad import __version__
from arpad.explain.words import Words, load_words
from arpad.model.rules import Fact
from arpad.web import auth as access
from arpad.web import forms, language
from arpad.web.privacy import year_only
from arpad.web.site_settings import settled

YEAR_SECONDS = 365 * 24 * 3600
SAVED = ("lang", "csrf")
OK = 200
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}


@cache
def environment() -> Environment:
    """The templates; whatever people wrote is escaped, and a name nobody gave is an error."""
    made = Environment(
        loader=PackageLoader("arpad.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # a new version's templates are for its own workers, not for those that still run
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"year_only": year_only}
    made.globals |= {"asset": asset_address, "version": __version__}
    return made


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of ours that pages load."""

    data: bytes
    type: str
    digest: str


@cache
def assets() -> Mapping[str, Asset]:
    """Every static file by its name: what is not among them cannot be asked for."""
    found = {}
    for entry in (files("arpad.web") / "static").iterdir():
        kind = TYPES.get(entry.name.rpartition(".")[2])
        if kind:
            data = entry.read_bytes()
            found[entry.name] = Asset(data, kind, sha256(data).hexdigest()[:12])
    return found


def asset_address(name: str) -> str:
    """The address of a static file; it changes with the content, so that it can be kept for ever."""
    return f"/static/{name}?v={assets()[name].digest}"


class Reading:
    """What every template may ask: words, numbers, addresses, who is reading."""

    def __init__(self, request: Request[Any, Any, Any]) -> None:
        self.request = request
        self.words: Words = load_words(language.language_of(request))
        self.anonymous_key: str | None = None
        self.refusal = forms.refusal_of(request)
        self._here = False
        self._placed = False
        self.unplaced = ""

    @property
    def languages(self) -> list[Words]:
        """The languages on offer."""
        return [load_words(name) for name in settled(self.request).languages]

    def t(self, key: str, /, **facts: Fact) -> str:
        """The words of a key; without a section it is one of the site's own."""
        return self.words.text(key if "." in key else f"site.{key}", **facts)

    def n(self, number: Any, *, signed: bool = False, places: int | None = None) -> str:
        """A number as the reader writes it; a dash for none."""
        return "–" if number is None else self.words.number(number, signed=signed, places=places)

    def count(self, number: int) -> str:
        """A count with its thousands apart."""
        return self.words.count(number)

    def day(self, value: date | str | None) -> str:
        """A day as the reader writes it."""
        if not value:
            return "–"
        return self.words.day(date.fromisoformat(value[:10]) if isinstance(value, str) else value)

    def span(self, first: date | str | None, last: date | str | None) -> str:
        """From a day to another; what they share is said once."""
        begun, ended = (date.fromisoformat(d[:10]) if isinstance(d, str) and d else d for d in (first, last))
        if not isinstance(begun, date) or not isinstance(ended, date) or begun == ended:
            return self.day(begun or ended or None)
        if (begun.year, begun.month) != (ended.year, ended.month):
            return f"{self.day(begun)} – {self.day(ended)}"
        days, month = f"{begun.day}–{ended.day}", self.words.text(f"month.{ended.month}")
        return self.words.text("form.day", day=days, month=month, year=ended.year)

    def birth(self, value: date | int | None) -> str:
        """A day of birth, or its year; only for those who keep the register."""
        return self.day(value) if isinstance(value, date) else str(value or "–")

    def in_language(self, name: str) -> str:
        """The same page in another language."""
        kept = [(key, value) for key, value in self.request.query_params.items() if key not in SAVED]
        address = self.request.url.path if self.request.method in ("GET", "HEAD") else "/"
        return f"{address}?{urlencode([*kept, ('lang', name)])}"

    def begin(self, action: str, **fixed: str) -> bool:
        """A form begins: what follows is asked of how it was filled in, if it is the one that was refused."""
        self._here = self.refusal is not None and self.refusal.about(action, fixed)
        return self._here

    def was_refused(self, *actions: str) -> bool:
        """Whether one of these forms was refused."""
        return self.refusal is not None and self.refusal.action in actions

    def given(self, name: str, otherwise: Any = "") -> Any:
        """What a field of the present form was filled with, or what it holds otherwise."""
        if not self._here or self.refusal is None:
            return otherwise
        return (self.refusal.given.get(name) or [""])[-1]

    def ticked(self, name: str, value: str, *, otherwise: bool = False) -> bool:
        """Whether a box of the present form is ticked."""
        if not self._here or self.refusal is None:
            return otherwise
        return value in self.refusal.given.get(name, ())

    def wrong(self, name: str) -> str:
        """Why a field of the present form was refused; with no name, why the form was."""
        if not self._here or self.refusal is None or self.refusal.field != name:
            return ""
        self._placed = True
        return self.refusal.sentence

    def left_unsaid(self) -> bool:
        """Whether what was refused is said nowhere, its form being gone since; then the page says it at its head."""
        if self.refusal is None or self._placed:
            return False
        self.unplaced = self.refusal.sentence
        return True

    def csrf(self) -> str:
        """The proof that a form comes from one of our pages; a visitor gets a cookie for it."""
        key = access.form_key(self.request)
        if key is None:
            self.anonymous_key = key = self.anonymous_key or access.new_key()
        return access.form_proof(key)


def page(
    request: Request[Any, Any, Any],
    template: str,
    *,
    status: int = OK,
    headers: Mapping[str, str] | None = None,
    cookies: tuple[Cookie, ...] = (),
    **context: Any,
) -> Response[str]:
    """A page in the reader's language."""
    reading = Reading(request)
    if reading.refusal is not None and status == OK:
        status = forms.REFUSED
    user = access.user_of(request)
    context |= {
        "r": reading, "t": reading.t, "n": reading.n, "day": reading.day, "say": reading.words, "user": user,
        "path": request.url.path, "has_office": access.office_of(request) is not None,
    }  # fmt: skip
    html = environment().get_template(template).render(context)
    if reading.left_unsaid():
        html = environment().get_template(template).render(context)
    made = [*cookies]
    if chosen := language.chosen(request):
        made.append(
            Cookie(key=language.COOKIE, value=chosen, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
        )
    if reading.anonymous_key:
        made.append(access.form_cookie(request, reading.anonymous_key))
    given = {"Vary": "Accept-Language, Cookie", "Cache-Control": "private, no-cache", **(headers or {})}
    if user is not None or made:
        given["Cache-Control"] = "private, no-store"
        given.pop("ETag", None)
    return Response(html, status_code=status, headers=given, cookies=made, media_type="text/html")
