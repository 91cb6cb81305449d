"""Templates and static files: both are read once; the address of a static file contains its digest."""

import gzip
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from jinja2 import Environment, StrictUndefined
from jinja2.ext import Extension
from litestar import Response
from litestar.datastructures import Cookie
from markupsafe import Markup

from arpad import __version__
from arpad.explain.editions import edition_name
from arpad.explain.privacy import year_only
from arpad.explain.templates import FONTS
from arpad.explain.time_controls import time_control_text
from arpad.explain.words import Words, capitalized, load_words
from arpad.model.rules import Fact, name_of_list
from arpad.office.features import FEATURES, feature_modules
from arpad.office.parts import Choice, waiting_reports
from arpad.office.users import Role, minutes_left
from arpad.store.accounts import user_names
from arpad.web.cache import WrittenOnce
from arpad.web.cookies import done_cookie, done_sentence, form_cookie, form_key, form_proof, new_form_key
from arpad.web.desk_menu import desk_menu
from arpad.web.forms import REFUSED, refusal_of
from arpad.web.middleware import LARGEST_UPLOAD
from arpad.web.reader import LANGUAGE_COOKIE, chosen_language, page_words, user_of
from arpad.web.requests import WebRequest, office_of, prefix_of
from arpad.web.site_settings import settings_of, site_address
from arpad.web.template_code import TemplateCode, TemplateLoader, escaped

YEAR_SECONDS = 365 * 24 * 3600
NOT_REPEATED = ("lang", "csrf")
"""Parameters that the address of the same page in another language leaves out."""

OK = 200
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}


class ShortIndents(Extension):
    """Shorten the indentation of templates to one space: a player's page is a third smaller without it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  as Jinja calls it
        """Return the source of a template with at most one space at the beginning of each line."""
        return re.sub(r"^[ \t]+", " ", source, flags=re.MULTILINE)


class _Templates(Environment):
    code_generator_class = TemplateCode
    escaped = staticmethod(escaped)


@cache
def environment() -> Environment:
    """Return the templates. Every text is escaped; an undefined name is an error."""
    templates = _Templates(
        loader=TemplateLoader(),
        extensions=[ShortIndents, WrittenOnce],
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # workers that still run must not load the templates of a new version
        cache_size=-1,  # all of them, which takes no lock; there are some eighty
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"capitalize": capitalized, "year_only": year_only}
    templates.globals |= {
        "asset": asset_address,
        "desk_menu": desk_menu,
        "most_uploaded": LARGEST_UPLOAD >> 20,
        "version": __version__,
        "feed_links": feed_links,
        "followed_by": followed_by,
        "time_control": time_control_text,
        "title_name": title_name,
    }
    return templates


def title_name(code: str, words: Words) -> str:
    """Return the name of a title by its code; the code itself if it is none of FIDE's."""
    key = f"title-name.{code.upper()}"
    return words.text(key) if words.has(key) else code


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file that pages load."""

    data: bytes
    type: str
    digest: str
    zipped: bytes
    """The data as a browser that accepts gzip gets it."""


FONT_NAMES = {"Lora": "serif.ttf", "Public Sans": "sans.ttf"}
"""The names of the fonts on the site, by family."""


@cache
def assets() -> Mapping[str, Asset]:
    """Return every static file by its name; the fonts come from the packages that contain them, if installed."""
    by_name, rules = {}, ""
    for family, name in FONT_NAMES.items():
        if find_spec(FONTS[family]) is not None:  # the upright font of a family has all weights
            font = files(FONTS[family]) / "files" / f"{family.replace(' ', '')}[wght].ttf"
            by_name[name] = asset = _asset(font.read_bytes(), name)
            rules += (
                f'@font-face {{ font-family: "{family}"; src: url({name}?v={asset.digest}) format("truetype"); '
                f"font-weight: 400 700; font-display: swap; }}\n"
            )
    for entry in (files("arpad.web") / "static").iterdir():
        if entry.name.rpartition(".")[2] in TYPES:
            data = entry.read_bytes()
            by_name[entry.name] = _asset(
                rules.encode() + data if entry.name == "site.css" else data, entry.name
            )
    return by_name


def _asset(data: bytes, name: str) -> Asset:
    kind = TYPES[name.rpartition(".")[2]]
    return Asset(data, kind, sha256(data).hexdigest()[:12], gzip.compress(data, mtime=0))


def asset_address(name: str) -> str:
    """Return the address of a static file; it changes with the content, so browsers may cache it for ever."""
    return f"/static/{name}?v={assets()[name].digest}"


_FOLLOWED = re.compile(r"/(?P<kind>players|clubs|lists)/(?P<target>[^/]+)")


def followed_by(path: str) -> tuple[str, str]:
    """Return what a visitor can follow from a page: kind and target, as players and 12; two empty texts if nothing."""
    match = _FOLLOWED.fullmatch(path)
    if match is None:
        return ("lists", "") if path in ("/", "/lists") else ("", "")
    kind, target = match["kind"], match["target"]
    return kind, name_of_list(target) if kind == "lists" else target


def feed_links(path: str, language: str) -> list[tuple[str, str]]:
    """Return the feeds of a page, each with the key of its title: its own, and that of all lists."""
    kind, target = followed_by(path)
    every = (f"/feeds/{language}/lists", "feed-all-lists")
    if not target:
        return [every] if kind else []
    return [(f"/feeds/{language}/{kind}/{quote(target)}", f"feed-{kind}"), every]


_NOTHING, _NO_CHANGE = Markup(), Markup("–")
_UNMOVED = Markup('<span class="soft" aria-label="0">=</span>')
_GAINED = '<span class="up nowrap"><span aria-hidden="true">▲</span> <span class="vh">+</span>'
_LOST = '<span class="down nowrap"><span aria-hidden="true">▼</span> <span class="vh">\N{MINUS SIGN}</span>'


@lru_cache(maxsize=1000)
def _federation_mark(code: str, home: str, words: Words) -> Markup:
    if not code:
        return _NOTHING
    guest = " guest" if code != home else ""
    name = words.text(f"federation.{code}") if words.has(f"federation.{code}") else code
    return Markup(f'<abbr class="fed{guest}" title="{escaped(name)}">{escaped(code)}</abbr>')  # noqa: S704  both are escaped


class PageContext:
    """The context of every template: words, numbers, addresses, and the state of a refused form."""

    def __init__(self, request: WebRequest) -> None:
        self.request = request
        self.words: Words = page_words(request)
        self.anonymous_key: str | None = None
        self.refusal = refusal_of(request)
        self._in_refused_form = False
        self._refusal_shown = False
        self.unshown_refusal = ""

    @property
    def session(self) -> tuple[int, bool]:
        """After how many minutes without a request the session ends, and whether a request would prolong it."""
        office, user = office_of(self.request), user_of(self.request)
        return (0, False) if office is None or user is None else minutes_left(office, user)

    @property
    def origin(self) -> str:
        """The address of the site, without a slash at its end."""
        return site_address(self.request)

    @property
    def languages(self) -> list[Words]:
        """The languages that the office offers."""
        return [load_words(name) for name in settings_of(self.request).languages]

    def t(self, key: str, /, **facts: Fact) -> str:
        """Return the words of a key; a key without a section is in the section ``site``."""
        return self.words.text(key if "." in key else f"site.{key}", **facts)

    def n(self, number: Any, *, signed: bool = False, places: int | None = None) -> str:
        """Format a number in the reader's language; None is a dash."""
        return "–" if number is None else self.words.number(number, signed=signed, places=places)

    def count(self, number: int) -> str:
        """Format a count with separated thousands."""
        return self.words.count(number)

    def day(self, value: date | str | None) -> str:
        """Format a day in the reader's language."""
        if not value:
            return "–"
        return self.words.day(date.fromisoformat(value[:10]) if isinstance(value, str) else value)

    def moment(self, value: datetime) -> str:
        """Format a date and time in the reader's language."""
        return self.words.moment(value)

    def span(self, first: date | str | None, last: date | str | None) -> str:
        """Format a date range without repeating equal months or years."""
        start, end = (date.fromisoformat(d[:10]) if isinstance(d, str) and d else d for d in (first, last))
        if not isinstance(start, date) or not isinstance(end, date):
            return self.day(start or end or None)
        return self.words.days(start, end)

    def birth(self, value: date | int | None) -> str:
        """Format a day or a year of birth; only pages of the register use it."""
        return self.day(value) if isinstance(value, date) else str(value or "–")

    def edition_name(self, edition: str) -> str:
        """Return the name by which people know an edition."""
        return edition_name(edition, self.words)

    def held_title(self, code: str) -> Markup:
        """Return the title of a player, after the name and with its meaning; nothing if there is none."""
        if not code:
            return _NOTHING
        name, sign = escaped(title_name(code, self.words)), escaped(code.upper())
        return Markup(f' <small><abbr title="{name}">{sign}</abbr></small>')  # noqa: S704  both are escaped

    def federation(self, code: str) -> Markup:
        """Return the mark of a federation with its name; another federation than the office's own has a frame."""
        return _federation_mark(code, self._home, self.words)

    @cached_property
    def _home(self) -> str:
        """The code of the office's own federation."""
        return settings_of(self.request).federation

    def in_office_language(self, text: str) -> str:
        """Return a text that the office wrote, as its name or a reason, with its language if the page has another."""
        own = self._other_language
        return Markup(f'<span lang="{own}">{escaped(text)}</span>') if own else text  # noqa: S704  it is escaped

    @cached_property
    def _other_language(self) -> str:
        """The office's own language, if the page has another."""
        return settings_of(self.request).other_language(self.words.language)

    def change(self, points: Fraction | int | None, places: int | None = None) -> Markup:
        """Return points gained or lost, with their sign."""
        if points is None:
            return _NO_CHANGE
        kind = "up" if points > 0 else "down" if points < 0 else ""
        text = self.n(points, signed=True, places=places)
        return Markup(f'<span class="{kind}">{escaped(text)}</span>')  # noqa: S704  it is escaped

    def moved(self, change: int | None) -> Markup:
        """Return a change of a rating between two lists: an arrow and the points."""
        if change is None:
            return Markup(f'<span class="soft">{escaped(self.t("list-newcomer"))}</span>')  # noqa: S704  it is escaped
        if not change:
            return _UNMOVED
        return Markup(f"{_GAINED if change > 0 else _LOST}{escaped(self.n(abs(change)))}</span>")  # noqa: S704  it is escaped

    def list_names(self, lists: Iterable[str]) -> str:
        """Return the names of lists, separated by commas."""
        return ", ".join(self.t(f"list-{name}") for name in lists)

    def is_on(self, feature: str) -> bool:
        """Return whether a feature is there and not switched off, so that pages link to it."""
        return feature in FEATURES and feature not in settings_of(self.request).features_off

    @cached_property
    def to_do(self) -> int:
        """How many reports wait for the user: for an officer those received, for a sender those to correct."""
        office, user = office_of(self.request), user_of(self.request)
        if office is None or user is None:
            return 0
        federations = {grant.federation for grant in user.grants if grant.role == Role.OFFICER}
        with office.store.reading() as connection:
            return waiting_reports(connection, user, federations)

    def person(self, login: str) -> str:
        """Return the name of somebody who has an account; others are shown as the ledger names them."""
        return self._names.get(login, login)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        office = office_of(self.request)
        if office is None:
            return {}
        with office.store.reading() as connection:
            return user_names(connection)

    @property
    def said(self) -> str:
        """The sentence about what was done just before; only pages with forms of acts say it."""
        has_forms = self.request.url.path.startswith(("/desk", "/admin", "/account", "/follow/"))
        return done_sentence(self.request) if has_forms else ""

    @property
    def sent(self) -> str:
        """The form of the page that was sent just before, so that the page says above it what was done."""
        return self.request.query_params.get("form", "")

    def in_language(self, name: str) -> str:
        """Return the address of the same page in another language."""
        parameters = [
            (key, value) for key, value in self.request.query_params.items() if key not in NOT_REPEATED
        ]
        path = self.request.url.path if self.request.method in ("GET", "HEAD") else self._page_before()
        return f"{path}?{urlencode([*parameters, ('lang', name)])}"

    def _page_before(self) -> str:
        """Return the path of the page on which a form was sent; the home page if the browser does not say."""
        sent_from = urlsplit(self.request.headers.get("referer", ""))
        if sent_from.netloc != self.request.url.netloc:
            return "/"
        return sent_from.path.removeprefix(prefix_of(self.request)) or "/"

    def begin_form(self, action: str, **hidden: str) -> str:
        """Begin a form: if it is the one that was refused, its fields show what was filled in."""
        self._in_refused_form = self.refusal is not None and self.refusal.concerns(action, hidden)
        return ""

    def was_refused(self, *actions: str, **hidden: Any) -> bool:
        """Whether one of these forms was refused, with these hidden values."""
        return self.refusal is not None and any(self.refusal.concerns(it, hidden) for it in actions)

    def value(self, name: str, default: Any = "") -> Any:
        """Return the value of a field of the refused form; of any other form the default."""
        if not self._in_refused_form or self.refusal is None:
            return default
        return self.refusal.values.get(name, (default,))[-1]

    def checked(self, name: str, value: str, *, default: bool = False) -> bool:
        """Whether a box of the present form is checked."""
        if not self._in_refused_form or self.refusal is None:
            return default
        return value in self.refusal.values.get(name, ())

    def error(self, name: str, label: str = "") -> str:
        """Return why a field with a label was refused; with an empty name, why the whole present form was."""
        if not self._in_refused_form or self.refusal is None or self.refusal.field != name:
            return ""
        self._refusal_shown = True
        return self.refusal.sentence(label)

    def choices(self, name: str) -> Sequence[Choice]:
        """Return what the refused text of a field of the present form may mean."""
        if not self._in_refused_form or self.refusal is None or self.refusal.field != name:
            return ()
        return self.refusal.choices

    def must_render_again(self) -> bool:
        """Whether the rendered page has not shown the refusal, since its form is gone; then its head shows it."""
        if self.refusal is None or self._refusal_shown:
            return False
        self.unshown_refusal = self.refusal.sentence()
        return True

    def csrf(self) -> str:
        """Return the proof for a form; a visitor gets a cookie with its key."""
        return self._proof

    @cached_property
    def _proof(self) -> str:
        key = form_key(self.request)
        if key is None:
            self.anonymous_key = key = new_form_key()
        return form_proof(key)

    def until_act(self, seal: str, *parts: object) -> tuple[object, ...] | None:
        """Return the key of a part that is the same until the next act or day; none if a form was refused."""
        settings = settings_of(self.request)  # which another worker may have changed some seconds ago
        return None if self.refusal is not None else (seal, settings.today, settings.language, *parts)


def page(
    request: WebRequest,
    template: str,
    *,
    status: int = OK,
    headers: Mapping[str, str] | None = None,
    cookies: tuple[Cookie, ...] = (),
    **context: Any,
) -> Response[str]:
    """Render a page in the reader's language."""
    own = PageContext(request)
    if own.refusal is not None and status == OK:
        status = REFUSED
    user = user_of(request)
    context |= {
        "r": own, "t": own.t, "n": own.n, "day": own.day, "words": own.words, "user": user,
        "colon": own.words.form.colon, "edition_name": own.edition_name,
        "path": request.url.path, "prefix": prefix_of(request), "site": settings_of(request),
        "has_office": office_of(request) is not None, "is_on": own.is_on,
        "card_sites": settings_of(request).card_sites,
        "status": status, "fragments": request.app.state["texts"],
    }  # fmt: skip
    html = environment().get_template(template).render(context)
    if own.must_render_again():
        html = environment().get_template(template).render(context)
    all_cookies = [*cookies]
    if chosen := chosen_language(request):
        all_cookies.append(
            Cookie(key=LANGUAGE_COOKIE, value=chosen, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
        )
    if own.anonymous_key:
        all_cookies.append(form_cookie(request, own.anonymous_key))
    if own.said:
        all_cookies.append(done_cookie(request, ""))
    all_headers = {"Vary": "Accept-Language, Cookie", "Cache-Control": "private, no-cache", **(headers or {})}
    if user is not None or all_cookies:
        all_headers["Cache-Control"] = "private, no-store"
        all_headers.pop("ETag", None)
    return Response(
        html, status_code=status, headers=all_headers, cookies=all_cookies, media_type="text/html"
    )


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page: its template, and the function that returns what the template shows as ``it``."""

    template: str
    shown: Callable[..., Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of a page with what its template shows."""

    template: str
    it: Mapping[str, Any]


def page_parts(place: str, request: WebRequest, *about: Any) -> list[ShownPart]:
    """Return the parts at a place of a page, in the order of the features; ``about`` is what the page is about.

    A feature that the office has switched off adds nothing.
    """
    off = settings_of(request).features_off
    parts = [part for feature, part in _parts_of_features(place) if feature not in off]
    return [ShownPart(part.template, part.shown(request, *about)) for part in parts]


@cache
def _parts_of_features(place: str) -> list[tuple[str, PagePart]]:
    """Return the parts that features have at a place, each with its feature."""
    pages = [(name, import_module(it)) for name in FEATURES for it in feature_modules(name, "pages")]
    return [(name, module.PARTS[place]) for name, module in pages if place in getattr(module, "PARTS", {})]
