"""The guides for the four people, as pages of the site; their text stands in ``docs/``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath
from markdown_it import MarkdownIt

from arpad.web.access import PUBLIC
from arpad.web.errors import Refused
from arpad.web.language import language_of
from arpad.web.pages import page

PEOPLE = ("player", "arbiter", "officer", "administrator")
_DOCS = Path(__file__).parents[3] / "docs"


@cache
def guide_html(who: str, language: str) -> str:
    """A guide as HTML; raw HTML in it would stay text."""
    text = _text(f"guide-{who}.{language}.md") or _text(f"guide-{who}.en.md")
    return str(MarkdownIt("commonmark", {"html": False}).render(text))


def _text(name: str) -> str:
    """A guide from the package, else from the repository; nothing where it is not written in that language."""
    packed, kept = files("arpad.web") / "guides" / name, _DOCS / name
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    return kept.read_text(encoding="utf-8") if kept.is_file() else ""


@get("/guides", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def index(request: Request[Any, Any, Any]) -> Response[str]:
    """Which guide is whose."""
    return page(request, "guides.html", people=PEOPLE, html="", who="")


@get("/guides/{who:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def guide(request: Request[Any, Any, Any], who: FromPath[str]) -> Response[str]:
    """One guide."""
    if who not in PEOPLE:
        raise Refused(404, "no-page")
    return page(request, "guides.html", people=PEOPLE, html=guide_html(who, language_of(request)), who=who)


ROUTES = (index, guide)
