"""The editions for programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from arpad.explain.editions import RuleDocument, edition_document, rule_document
from arpad.regulations.editions import compare, named, provisions
from arpad.web.api.responses import answers, etagged, to_schema
from arpad.web.reader import PUBLIC, words_for
from arpad.web.requests import WebRequest
from arpad.web.site_settings import every_edition


@dataclass
class EditionOut:
    """The identity of an edition."""

    id: str
    body: str
    effective: str
    by_name_only: bool
    base: str | None
    source: str
    checked: str
    lists: Sequence[str]
    digest: str
    about: str


@dataclass
class EditionsOut:
    """All editions, oldest first."""

    editions: Sequence[EditionOut]


@dataclass
class EditionRulesOut:
    """An edition in full: list → rule → value and article."""

    edition: EditionOut
    rules: dict[str, dict[str, RuleDocument | None]]


@dataclass
class DifferenceOut:
    """One rule that differs."""

    list: str
    rule: str
    old: RuleDocument | None
    new: RuleDocument | None


@dataclass
class EditionDifferenceOut:
    """The differences between two editions."""

    old: str
    new: str
    changes: Sequence[DifferenceOut]


def _name(example: str) -> Any:
    return PathParameter(
        description="An edition.", examples=[Example(summary=example, value=example)], max_length=40
    )


@get(
    "/editions", opt=PUBLIC, sync_to_thread=True, summary="All editions",
    responses=answers(EditionsOut, "GET /api/v1/editions", etag=True),
)  # fmt: skip
def list_editions(request: WebRequest) -> Response[Any]:
    """Every edition of the regulations, oldest first."""
    words = words_for(request)
    return etagged(
        request,
        EditionsOut(
            [to_schema(EditionOut, edition_document(edition, words)) for edition in every_edition(request)]
        ),
    )


@get(
    "/editions/{name:str}", opt=PUBLIC, sync_to_thread=True, summary="One edition",
    responses=answers(EditionRulesOut, "GET /api/v1/editions/{name}", 404, etag=True),
)  # fmt: skip
def get_edition(request: WebRequest, name: Annotated[str, _name("fide-2017")]) -> Response[Any]:
    """Every rule of an edition with its value and article, list by list."""
    chosen = named(name, every_edition(request))
    rules: dict[str, dict[str, Any]] = {str(of): {} for of in chosen.lists}
    for item in provisions(chosen):
        rules[item.list][item.field] = rule_document(item.rule)
    out = to_schema(
        EditionRulesOut, {"edition": edition_document(chosen, words_for(request)), "rules": rules}
    )
    return etagged(request, out)


@get(
    "/editions/{old:str}/{new:str}", opt=PUBLIC, sync_to_thread=True, summary="Two editions",
    responses=answers(EditionDifferenceOut, "GET /api/v1/editions/{old}/{new}", 404, etag=True),
)  # fmt: skip
def compare_editions(
    request: WebRequest, old: Annotated[str, _name("fide-2014")], new: Annotated[str, _name("fide-2017")]
) -> Response[Any]:
    """The differences between two editions, with the articles of both."""
    every = every_edition(request)
    before, after = named(old, every), named(new, every)
    changes = [
        DifferenceOut(str(of), field, rule_document(was), rule_document(now))
        for of, field, was, now in compare(before, after)
    ]
    return etagged(request, EditionDifferenceOut(before.id, after.id, changes))
