"""Routes of the schemes of numbers: which bodies give players numbers, and which source uses whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from litestar import get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.office.office import Office
from arpad.office.who_is_who.number_schemes import declare_scheme as office_declare_scheme
from arpad.office.who_is_who.number_schemes import number_rules, set_source_scheme
from arpad.office.who_is_who.number_schemes import withdraw_scheme as office_withdraw_scheme
from arpad.reports.number_schemes import SHOWN
from arpad.web.api.parameters import SECURED, Asked, Note, officers_office, text_query
from arpad.web.api.responses import answers
from arpad.web.desk import desk_of, for_all


@dataclass
class SchemeOut:
    """A kind of number that the office declared, and where it is shown."""

    code: str
    name: str
    pattern: str
    shown: Sequence[str]


@dataclass
class SourceOut:
    """Of which scheme the numbers in reports from a source are."""

    kind: str
    value: str
    scheme: str


@dataclass
class SchemesOut:
    """The declared schemes of numbers, and the rules for sources."""

    schemes: Sequence[SchemeOut]
    sources: Sequence[SourceOut]


SchemeCode = Annotated[
    str, PathParameter(description="The code of the scheme.", max_length=20, examples=[Example(value="icu")])
]


def _schemes(office: Office) -> SchemesOut:
    rules = number_rules(office)
    return SchemesOut(
        [SchemeOut(it.code, it.name, it.pattern, sorted(it.shown)) for it in rules.declared.values()],
        [SourceOut(it.kind, it.value, it.scheme) for it in rules.sources],
    )


@get(
    "/number-schemes", summary="Number schemes", **SECURED,
    responses=answers(SchemesOut, "GET /api/v1/number-schemes", 401, 403, 404),
)  # fmt: skip
def list_schemes(request: Asked) -> SchemesOut:
    """The schemes of numbers that the office declared, and which of them each source of reports uses."""
    return _schemes(officers_office(request))


@post(
    "/number-schemes/{code:str}", status_code=200, summary="Declare a scheme", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-schemes/{code}", 400, 401, 403, 404),
)  # fmt: skip
def declare_scheme(
    request: Asked,
    code: SchemeCode,
    name: Annotated[str, text_query("The body that gives the numbers.", "Irish Chess Union", 80)],
    pattern: Annotated[str, text_query("9 is a digit, A a letter, {1-5} how many.", "9{1-5}", 80)],
    shown: Annotated[
        list[str] | None,
        QueryParameter(
            description="Where it is shown: lists, player.", max_items=4, examples=[Example(value=["player"])]
        ),
    ] = None,
    reason: Note = "",
) -> SchemesOut:
    """Declare a kind of number, or change its declaration; numbers that players have stay as they are."""
    for_all(request)
    office = desk_of(request)
    office_declare_scheme(office, code, name, pattern, shown=SHOWN if shown is None else shown, reason=reason)
    return _schemes(office)


@post(
    "/number-schemes/{code:str}/withdraw", status_code=200, summary="Withdraw a scheme", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-schemes/{code}/withdraw", 400, 401, 403, 404),
)  # fmt: skip
def withdraw_scheme(request: Asked, code: SchemeCode, reason: Note) -> SchemesOut:
    """Withdraw a declared scheme, if no rule for a source names it."""
    for_all(request)
    office = desk_of(request)
    office_withdraw_scheme(office, code, reason)
    return _schemes(office)


@post(
    "/number-sources", status_code=200, summary="Say whose numbers a source uses", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-sources", 400, 401, 403, 404),
)  # fmt: skip
def set_source(
    request: Asked,
    kind: Annotated[str, text_query("federation, sender, program or discipline.", "federation")],
    value: Annotated[str, text_query("Which one.", "IRL", 80)],
    scheme: Annotated[str, text_query("The scheme; empty: the rule is withdrawn.", "fide")] = "",
    reason: Note = "",
) -> SchemesOut:
    """Say of which scheme the numbers in reports from a source are."""
    for_all(request)
    office = desk_of(request)
    set_source_scheme(office, kind, value, scheme, reason=reason)
    return _schemes(office)


ROUTES = (list_schemes, declare_scheme, withdraw_scheme, set_source)
