"""The editions for programs."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from arpad.cli.editions import edition_document, rule_document
from arpad.regulations import ALL, compare, named, provisions
from arpad.web.access import PUBLIC
from arpad.web.api.models import (
    DifferenceOut,
    EditionDifferenceOut,
    EditionOut,
    EditionRulesOut,
    EditionsOut,
    made,
    refusals,
)
from arpad.web.language import say_of

Asked = Request[Any, Any, Any]


def _name(example: str) -> Any:
    return PathParameter(
        description="An edition.", examples=[Example(summary=example, value=example)], max_length=40
    )


@get("/editions", opt=PUBLIC, responses=refusals(), sync_to_thread=True, summary="All editions")
def editions(request: Asked) -> EditionsOut:
    """Every edition of the regulations, oldest first."""
    say = say_of(request)
    return EditionsOut([made(EditionOut, edition_document(edition, say)) for edition in ALL])


@get("/editions/{name:str}", opt=PUBLIC, responses=refusals(404), sync_to_thread=True, summary="One edition")
def edition(request: Asked, name: Annotated[str, _name("fide-2017")]) -> EditionRulesOut:
    """Every rule of an edition with its value and article, list by list."""
    found = named(name, ALL)
    rules: dict[str, dict[str, Any]] = {str(of): {} for of in found.lists}
    for item in provisions(found):
        rules[item.list][item.field] = rule_document(item.rule)
    return made(EditionRulesOut, {"edition": edition_document(found, say_of(request)), "rules": rules})


@get(
    "/editions/{old:str}/{new:str}",
    opt=PUBLIC,
    responses=refusals(404),
    sync_to_thread=True,
    summary="Two editions",
)
def difference(
    old: Annotated[str, _name("fide-2014")], new: Annotated[str, _name("fide-2017")]
) -> EditionDifferenceOut:
    """What changed between two editions, with the articles of both."""
    before, after = named(old, ALL), named(new, ALL)
    changes = [
        made(
            DifferenceOut,
            {"list": str(of), "rule": field, "old": rule_document(was), "new": rule_document(now)},
        )
        for of, field, was, now in compare(before, after)
    ]
    return EditionDifferenceOut(before.id, after.id, changes)


ROUTES = (editions, edition, difference)
