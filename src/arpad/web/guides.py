"""The guides for players, arbiters, officers and administrators, from ``docs/guides``, and the glossary.

``make docs`` takes the pictures from the demo; without them the guides have no pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from importlib.resources import files
from itertools import count
from pathlib import Path

from jinja2 import pass_context
from jinja2.runtime import Context
from litestar import Response, get
from litestar.params import FromPath
from litestar.routes import HTTPRoute
from markdown_it import MarkdownIt

from arpad.explain.glossary import Term, glossary
from arpad.explain.words import LANGUAGES, Words
from arpad.web.auth import PUBLIC
from arpad.web.cache import settings_headers
from arpad.web.language import words_for
from arpad.web.requests import Refused, WebRequest
from arpad.web.site_settings import settings_of
from arpad.web.templates import environment, page

PEOPLE = ("player", "arbiter", "officer", "administrator")
_HOUSE = Path(__file__).parents[3]
_DOCS = _HOUSE / "docs" / "guides"
TAKEN = _HOUSE / "build" / "guides"

PICTURES: Mapping[str, Mapping[str, str]] = {
    "player": {
        "Find yourself": "/",
        "What your page shows": "/players/1",
        "Before the next list": "/calculators/change?rating=1850&k=20&game=1900:1&game=2000:0.5",
    },
    "arbiter": {"Check a report": "/check", "See what happens next": "/desk"},
    "officer": {
        "The inbox": "/desk",
        "Registered tournaments": "/desk/events",
        "The month": "/desk/draft?list=standard&day=2025-02-01",
        "Corrections and decisions": "/desk/corrections",
        "Players": "/desk/players/1",
        "What else the office keeps": "/desk/ledger",
    },
    "administrator": {"Users and roles": "/admin/people", "Settings and languages": "/admin"},
}
"""For each guide the sections that have a picture, by their English headings, and which page it shows."""


@cache
def pictures(who: str) -> Mapping[int, str]:
    """Return which page each section of a guide shows, the sections counted from one."""
    english = headings(who, "en")
    return {english.index(heading) + 1: address for heading, address in PICTURES[who].items()}


@cache
def guide_html(who: str, language: str) -> str:
    """Return a guide as HTML; raw HTML is escaped."""
    text = _text(f"{who}.{language}.md") or _text(f"{who}.en.md")
    return str(MarkdownIt("commonmark", {"html": False}).render(text))


def guide_language(who: str, language: str) -> str:
    """Return the language in which a reader gets a guide: English if theirs has no translation."""
    return language if _text(f"{who}.{language}.md") else "en"


@cache
def headings(who: str, language: str) -> tuple[str, ...]:
    """Return the headings of a guide."""
    return tuple(_plain(html) for html in re.findall("<h2>(.*?)</h2>", guide_html(who, language)))


def _plain(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


@cache
def _text(name: str) -> str:
    """Return the text of a guide from the package or the repository, or an empty text."""
    in_package, in_repository = files("arpad.web") / "guides" / name, _DOCS / name
    if in_package.is_file():
        return in_package.read_text(encoding="utf-8")
    return in_repository.read_text(encoding="utf-8") if in_repository.is_file() else ""


def picture_name(who: str, section: int, language: str) -> str:
    """Return the file name of a picture."""
    return f"{who}-{section}.{language}.png"


def with_pictures(html: str, who: str, words: Words, below: str = "") -> str:
    """Add the pictures to a guide, each at the end of its section."""
    first, *sections = html.split("<h2>")
    for index, section in enumerate(sections, start=1):
        name = picture_name(who, index, words.language)
        if index in pictures(who) and (TAKEN / name).is_file():
            heading = _plain(section.partition("</h2>")[0])
            caption = escape(words.text("site.guide-picture", place=heading))
            sections[index - 1] = (
                f'{section}<figure><img src="{below}{name}" alt="{caption}" loading="lazy" width="1100" height="760">'
                f"<figcaption>{caption}</figcaption></figure>\n"
            )
    return "<h2>".join([first, *sections])


def _without_links_to_features_off(request: WebRequest, html: str) -> str:
    """Return a guide that only names the pages of features that the office has switched off."""
    off = settings_of(request).features_off
    if not off:
        return html
    closed = {
        route.path
        for route in request.app.routes
        if isinstance(route, HTTPRoute) and any(it.opt.get("feature") in off for it in route.route_handlers)
    }
    return re.sub(
        r'<a href="([^"]+)">(.*?)</a>', lambda link: link[2] if link[1] in closed else link[0], html
    )


@get("/guides/pictures/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def picture(name: FromPath[str]) -> Response[bytes]:
    """Return a picture of a guide; only the pictures of guides exist."""
    names = {
        picture_name(who, section, language)
        for who in PEOPLE
        for section in pictures(who)
        for language in LANGUAGES
    }
    if name not in names or not (TAKEN / name).is_file():
        raise Refused(404, "no-page")
    headers = {"Cache-Control": "public, max-age=300"}
    return Response((TAKEN / name).read_bytes(), headers=headers, media_type="image/png")


@get("/guides", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def index(request: WebRequest) -> Response[str]:
    """Show all guides with their headings."""
    language = words_for(request).language
    headings_of = {who: (guide_language(who, language), headings(who, language)) for who in PEOPLE}
    headers = settings_headers(request)
    return page(
        request, "guides.html", headers=headers, people=PEOPLE, html="", who="", headings_of=headings_of
    )


@get("/guides/{who:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def guide(request: WebRequest, who: FromPath[str]) -> Response[str]:
    """Show one guide."""
    if who not in PEOPLE:
        raise Refused(404, "no-page")
    words = words_for(request)
    html = with_pictures(guide_html(who, words.language), who, words, "/guides/pictures/")
    number = count(1)
    html = re.sub("<h2>", lambda _: f'<h2 id="part-{next(number)}">', html)
    html = _without_links_to_features_off(request, html)
    headers = settings_headers(request)
    return page(
        request, "guides.html", headers=headers, people=PEOPLE, html=html, who=who, headings_of={},
        written_in=guide_language(who, words.language),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- glossary


@get("/glossary", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def glossary_page(request: WebRequest) -> Response[str]:
    """Show every term with its meaning."""
    return page(
        request, "glossary.html", headers=settings_headers(request),
        terms=glossary(words_for(request).language).values(),
    )  # fmt: skip


@pass_context
def term_of(context: Context, key: str) -> Term:
    """Return a term in the reader's language."""
    return glossary(context["words"].language)[key]


environment().globals["term"] = term_of
ROUTES = (index, picture, guide, glossary_page)
