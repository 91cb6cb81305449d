"""Pages that explain: the guides of players, arbiters, officers and administrators, and what programs can ask."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import pass_context
from jinja2.runtime import Context
from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.routes import HTTPRoute
from markdown_it import MarkdownIt

from arpad.explain.glossary import Term, glossary
from arpad.explain.words import LANGUAGES, Words
from arpad.web.cache import settings_headers
from arpad.web.errors import TYPES
from arpad.web.reader import PUBLIC, words_for
from arpad.web.requests import Refused, WebRequest, prefix_of
from arpad.web.site_settings import settings_of, site_address
from arpad.web.templates import environment, page
from arpad.worker.kinds import OPEN_DATA

PEOPLE = ("player", "arbiter", "officer", "administrator")
_PACKAGED = Path(__file__).parent / "guides"
GUIDES = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[3] / "docs" / "guides"
"""The folder of the guides: in the package, or in the repository."""

TAKEN = GUIDES / "pictures"

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
    """Return the text of a guide, or an empty text."""
    path = GUIDES / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def picture_name(who: str, section: int, language: str) -> str:
    """Return the file name of a picture."""
    return f"{who}-{section}.{language}.webp"


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
    return Response((TAKEN / name).read_bytes(), headers=headers, media_type="image/webp")


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


DEEPEST = 3
"""How far the fields of an answer are followed: fields of fields of fields."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an address, or the body of a request if it has no name."""

    name: str
    about: str
    required: bool = False
    type: str = ""
    default: str = ""
    example: str = ""
    in_path: bool = False

    @property
    def is_filled(self) -> bool:
        """Whether the form has the example in it: what must be given, and what is given once or more."""
        return self.required or self.type.endswith("[]")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an answer: ``players[].name``."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of an address."""

    id: str
    tag: str
    method: str
    path: str
    about: str
    needs_token: bool
    parameters: tuple[Parameter, ...]
    fields: tuple[Field, ...]
    example: str

    @property
    def can_be_tried(self) -> bool:
        """Whether everybody may read it."""
        return self.method == "GET" and not self.needs_token


def operations_by_tag(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """Return the operations of an OpenAPI document by tag."""
    by_tag: dict[str, list[Operation]] = {tag["name"]: [] for tag in document["tags"]}
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            (tag,) = operation["tags"]
            by_tag[tag].append(_operation(method.upper(), path, tag, operation, schemas))
    return by_tag


def _operation(
    method: str, path: str, tag: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    given = tuple(
        Parameter(
            it["name"], it.get("description", ""), it.get("required", False), _type(it["schema"]),
            _value_text(it["schema"].get("default")), _example_of(it), it["in"] == "path",
        )
        for it in operation.get("parameters", ())
    )  # fmt: skip
    answer: Mapping[str, Any] = next(
        (it for status, it in operation["responses"].items() if status.startswith("2")), {}
    )
    contents = list(answer.get("content", {}).values())
    about, _, _ = operation["description"].partition(" Example: arpad")
    fields = (it for content in contents[:1] for it in _fields(content.get("schema", {}), schemas))
    return Operation(
        operation["operationId"], tag, method, path, about,
        bool(operation.get("security")), (*given, *_of_body(operation)), tuple(dict.fromkeys(fields)),
        _example_answer(contents),
    )  # fmt: skip


def _of_body(operation: Mapping[str, Any]) -> Iterator[Parameter]:
    """Yield the parameters of a body: those of an act, or the file that the body is."""
    body = operation.get("requestBody")
    if body is None:
        return
    if "description" in body:
        yield Parameter("", body["description"], required=True)
        return
    (content,) = body["content"].values()
    needed = content["schema"].get("required", ())
    for name, schema in content["schema"].get("properties", {}).items():
        yield Parameter(name, schema.get("description", ""), name in needed, _type(schema))


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a value as JSON calls it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(_value_text, schema["enum"]))
    if "oneOf" in schema or "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema.get("oneOf") or schema["anyOf"])))
    if schema.get("type") == "array":
        return f"{_type(schema.get('items', {}))}[]"
    return str(schema.get("format") or schema.get("type", ""))


def _value_text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _example_of(parameter: Mapping[str, Any]) -> str:
    """Return an example of a parameter; those of several values are separated by blanks."""
    values = [it["value"] for it in parameter.get("examples", {}).values()]
    if not values:
        return ""
    return " ".join(map(_value_text, values[0])) if isinstance(values[0], list) else _value_text(values[0])


def _fields(
    schema: Mapping[str, Any], schemas: Mapping[str, Any], above: str = "", depth: int = 1
) -> Iterator[Field]:
    """Yield the fields of an object, and of the objects in it, with the names that lead to them."""
    for kind in schema.get("oneOf", ()):
        yield from _fields(kind, schemas, above, depth)
    if "items" in schema:
        yield from _fields(schema["items"], schemas, f"{above}[]", depth)
        return
    if "$ref" in schema:
        schema = schemas[_type(schema)]
    for name, inner in schema.get("properties", {}).items():
        path = f"{above}.{name}".removeprefix(".")
        yield Field(path, _type(inner))
        if depth < DEEPEST:
            yield from _fields(inner, schemas, path, depth + 1)


def _example_answer(contents: list[Mapping[str, Any]]) -> str:
    examples = [entry["value"] for content in contents for entry in content.get("examples", {}).values()]
    if not examples or isinstance(examples[0], str):
        return examples[0] if examples else ""
    return json.dumps(examples[0], indent=1, ensure_ascii=False)


def _operations(request: WebRequest) -> dict[str, list[Operation]]:
    """Return the operations of the features that the office has; all of them are read once."""
    state = request.app.state
    if "operations" not in state:
        state["operations"] = operations_by_tag(request.app.openapi_schema.to_schema())
    off = settings_of(request).features_off
    return {tag: group for tag, group in state["operations"].items() if group and tag not in off}


@get("/developers", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def developers_page(request: WebRequest) -> Response[str]:
    """Show how to begin, the groups of addresses, and the problems."""
    has_data = bool(os.environ.get(OPEN_DATA))
    return page(
        request, "api.html", headers=settings_headers(request, site_address(request), has_data),
        operations=lambda: _operations(request), problems=TYPES, origin=site_address(request),
        has_data=has_data,
    )  # fmt: skip


@get("/developers/{tag:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def group(request: WebRequest, tag: FromPath[str]) -> Response[str]:
    """Show the addresses of a group with their parameters, fields and examples."""
    groups = _operations(request)
    if tag not in groups:
        raise Refused(404, "no-page")
    return page(
        request, "api_group.html", headers=settings_headers(request, site_address(request)), tag=tag,
        operations=groups[tag], groups=list(groups), origin=site_address(request), prefix=prefix_of(request),
    )  # fmt: skip


@get("/developers/run/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def run(request: WebRequest, name: FromPath[str]) -> Redirect:
    """Redirect from the form of an address to its answer; an empty parameter of the path has its example."""
    every = (it for group in _operations(request).values() for it in group)
    operation = next((it for it in every if it.id == name and it.can_be_tried), None)
    if operation is None:
        raise Refused(404, "no-page")
    path, query = operation.path, list[tuple[str, str]]()
    for it in operation.parameters:
        value = request.query_params.get(it.name, "").strip()
        if it.in_path:
            path = path.replace(f"{{{it.name}}}", quote(value or it.example, safe=""))
        elif value:
            query += [(it.name, part) for part in (value.split() if it.type.endswith("[]") else [value])]
    return Redirect(f"{path}?{urlencode(query)}" if query else path, status_code=303)
