"""Forms of declared acts: their fields, the one handler that takes all of them, and the sentence afterwards.

A template writes ``{{ act_form("club enter", {"since": today}) }}``. The form is sent to ``/desk/acts/club/enter``;
done, it leads to the page that the act declares; refused, the page on which it was comes back as it was filled in.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from arpad.explain.words import Words
from arpad.model.declared import File, Parameter, Upload
from arpad.model.errors import ArpadError, BadInput, NotAllowed
from arpad.office.declarations import all_declared, declared_in, declared_named
from arpad.office.declared import (
    BACK,
    REASON,
    Declared,
    Reading,
    is_admitted,
    page_after,
    perform,
    said,
    table_csv,
    typed_values,
)
from arpad.office.office import Office
from arpad.office.parts import CHOSEN, Choice, find_choices
from arpad.web.cookies import done_cookie
from arpad.web.declared_routes import LANGUAGE
from arpad.web.forms import attachment, form_values, refuse
from arpad.web.reader import COSTLY, DECLARED, OFFICER, caller_of, refuse_switched_off, words_for
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import forget_settings, settings_of
from arpad.web.templates import environment, page

PATH = "/desk/acts"
FROM = "from"
"""The hidden field with the address of the page on which the form is."""

ASKED = "asked"
"""The hidden field with the address of the form that a page asked to confirm, so that a refusal shows it again."""

NOT_VALUES = ("csrf", FROM, ASKED)
WAS = "was."
"""Begins the names of hidden fields with what a field showed; a field that is as it was is no value of the form."""

START = "/desk"
_PAGE = re.compile(r"/(desk|admin|account)(/[\w./-]*)?(\?[\w=&%+./-]*)?(#[\w-]*)?", re.ASCII)
"""Pages with forms of acts have such addresses."""

LONGEST_SEARCH = 100

LONG = 255
"""A text that may be longer gets a field of several lines."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form, drawn by the macro ``act_field``."""

    name: str
    kind: str
    """``text``, ``lines``, ``date``, ``number``, ``file``, ``password``, ``choice``, ``choices``, ``box``, ``pair``,
    ``pick``."""

    label: str
    hint: str
    value: Any
    required: bool
    longest: int
    choices: tuple[tuple[str, str], ...] = ()
    picks: str = ""
    """What the field searches for."""


def act_address(declared: Declared[..., Any]) -> str:
    """Return the address to which the form of an act is sent."""
    return f"{PATH}/{declared.name.replace(' ', '/')}"


@dataclass(frozen=True, slots=True)
class ActForm:
    """The form of an act."""

    address: str
    has_file: bool


def act_form(name: str) -> ActForm:
    """Return the form of an act by the words of its command."""
    declared = all_declared()[name]
    return ActForm(act_address(declared), any(it.type is Upload for it in declared.parameters))


def form_fields(
    words: Words,
    name: str,
    values: Mapping[str, Any],
    choices: Mapping[str, Iterable[tuple[str, str]]],
    hidden: Mapping[str, Any],
) -> list[FormField]:
    """Return the fields of an act in the order of its parameters; hidden ones are filled in by the page."""
    return [
        _field(it, values.get(it.name), choices.get(it.name), words)
        for it in all_declared()[name].parameters
        if it.name not in hidden
    ]


def may(request: WebRequest, name: str) -> bool:
    """Return whether the reader of a page may do an act, so that its form is shown."""
    declared = all_declared()[name]
    off = settings_of(request).features_off
    return declared.feature not in off and is_admitted(declared, caller_of(request))


def _field(
    parameter: Parameter, value: Any, choices: Iterable[tuple[str, str]] | None, words: Words
) -> FormField:
    label, hint = words.parameter(parameter.word)
    offered = tuple(choices) if choices is not None else _choices(parameter, words)
    usual = "" if parameter.required or parameter.default is None else parameter.default
    shown = usual if value is None else value
    longest = parameter.accepts.longest * (LONG if parameter.many else 1)
    if parameter.many and not isinstance(shown, str):
        shown = "\n".join(map(str, shown))
    hint = "" if parameter.name == REASON or hint.rstrip(".").endswith(label.lower()) else hint
    return FormField(
        parameter.name, _kind(parameter, offered), label, hint, shown, parameter.required,
        longest, offered, parameter.accepts.picks,
    )  # fmt: skip


def _choices(parameter: Parameter, words: Words) -> tuple[tuple[str, str], ...]:
    """Return the choices of a parameter with their words, as ``choice.club``; empty first if it may be left out."""
    texts = parameter.accepts.fields or parameter.choices
    named = [(it, words.text(f"choice.{it}") if words.has(f"choice.{it}") else it) for it in texts]
    may_be_empty = parameter.default is None and not parameter.many
    return (("", "–"), *named) if named and may_be_empty else tuple(named)


def _kind(parameter: Parameter, choices: tuple[tuple[str, str], ...]) -> str:
    if parameter.type is dict:
        return "pair"
    if choices:
        return "choices" if parameter.many else "choice"
    if parameter.accepts.picks and not parameter.many:
        return "pick"
    if parameter.accepts.secret:
        return "password"
    if parameter.accepts.lines:
        return "lines"
    if parameter.type is Upload:
        return "file"
    named = {bool: "box", int: "text" if parameter.many else "number"}.get(parameter.type, "text")
    is_day = getattr(parameter.type, "__name__", "") == "date" and parameter.accepts.read is None
    return "date" if is_day else named


# ------------------------------------------------------------------------------------------------------ the handler


@post(f"{PATH}/{{words:path}}", opt=DECLARED, include_in_schema=False, status_code=200)
async def act_sent(request: WebRequest, words: FromPath[str]) -> Response[Any]:
    """Do the act of a form and lead to its page; if it is refused, show the page of the form again."""
    declared = declared_named(words.strip("/").replace("/", " "))
    if declared is None or not declared.is_act or not declared.page:
        raise Refused(404, "no-page")

    def lead_on(given: Mapping[str, Any], result: Any) -> Response[Any]:
        key, facts = said(declared, given, result)
        sentence = words_for(request).text(key, **facts) if key else ""
        cookies = [done_cookie(request, sentence)] if sentence else []
        address = came_from if declared.page == BACK else page_after(declared, given, result)
        return Redirect(address, status_code=303, cookies=cookies)

    came_from = _page_of(form_values((await request.form()).multi_items()))
    return await _perform(request, declared, require_office(request), {}, lead_on)


Then = Callable[[Mapping[str, Any], Any], Response[Any]]
"""Returns the answer to a form, from the typed values and the result of its act."""


async def rehearsed(request: WebRequest, name: str, show: Then, **values: str) -> Response[Any]:
    """Show what the act of a form would do, before it is done; if it is refused, show the page of the form again.

    ``values`` are added to those of the form.
    """
    office = replace(require_office(request), rehearsing=True)
    return await _perform(request, all_declared()[name], office, values, show)


async def performed(request: WebRequest, name: str, show: Then, **values: str) -> Response[Any]:
    """Do the act of a form and answer by hand; if it is refused, show the page of the form again."""
    return await _perform(request, all_declared()[name], require_office(request), values, show)


async def _perform(
    request: WebRequest, declared: Declared[..., Any], office: Office, added: Mapping[str, str], then: Then
) -> Response[Any]:
    refuse_switched_off(request, declared.feature)
    items, is_as_it_was = _changed_fields([*(await request.form()).multi_items()])
    sent = [item for item in items if item[0] not in NOT_VALUES]
    values = await _values(sent, declared) | dict(added)
    filled = form_values(items)
    asked = (filled.get(ASKED) or [""])[-1]

    def run() -> Response[Any] | ArpadError:
        try:
            if is_as_it_was:
                raise BadInput("nothing-changed")
            _take_picked(request, declared, values)
            result = perform(declared, office, caller_of(request), values)
        except NotAllowed:
            raise
        except Unclear as unclear:
            field = _pair_field(declared, unclear, filled)
            refuse(request, unclear, filled, asked, of=declared, field=field, choices=unclear.choices)
            return unclear
        except ArpadError as error:
            field = _pair_field(declared, error, filled)
            refuse(request, error, filled, asked, of=declared, field=field)
            return error
        forget_settings(request)
        return then(typed_values(declared, office, values), result)

    done = await sync_to_thread(run)
    return await _page_again(request, filled) if isinstance(done, ArpadError) else done


def _changed_fields(items: Sequence[tuple[str, Any]]) -> tuple[list[tuple[str, Any]], bool]:
    """Return a form without the fields that are as they were, and whether nothing differs from what they showed."""
    was = {name.removeprefix(WAS): text for name, text in items if name.startswith(WAS)}
    others = [(name, value) for name, value in items if not name.startswith(WAS)]
    changed = [(name, value) for name, value in others if was.get(name) != value]
    return changed, bool(was) and not any(name in was for name, _ in changed)


async def _values(items: Iterable[tuple[str, Any]], declared: Declared[..., Any]) -> dict[str, Any]:
    """Return the values of a form; an empty field is a value that is not given.

    Except a text that stays as it is unless it is given: an empty field empties it. ``changes.field`` and
    ``changes.value`` are one pair of the parameter ``changes``, and ``changes.name`` is the value of its ``name``; if
    the parameter knows the name, it may be empty, and several values are one text. A list in a field of several lines
    has one item a line.
    """
    many = {it.name for it in declared.parameters if it.many}
    by_line = {it.name for it in declared.parameters if it.many and it.accepts.lines}
    emptied = {it.name for it in declared.parameters if it.type is str and it.default is None}
    pairs = {it.name for it in declared.parameters if it.type is dict}
    fields = {field for it in declared.parameters for field in it.accepts.fields}
    texts: dict[str, Any] = {}
    for name, value in items:
        known = name.partition(".")[2] in fields
        if value == "" and not known and name not in emptied:
            continue
        if not isinstance(value, str):
            texts[name] = Upload(value.filename, await value.read()) if value.filename else None
        elif name in by_line:
            texts.setdefault(name, []).extend(value.replace("\0", "").splitlines() or [""])
        elif name in many:
            texts.setdefault(name, []).append(value.replace("\0", ""))
        elif known:
            texts[name] = f"{texts.get(name, '')} {value}".replace("\0", "").strip(" ")
        else:
            texts[name] = value.replace("\0", "")
    for name in pairs:
        own = {key: texts.pop(key) for key in list(texts) if key.startswith(f"{name}.")}
        named = {key.removeprefix(f"{name}."): text for key, text in own.items()}
        field, value = named.pop("field", ""), named.pop("value", "")
        if pairs_given := named | ({field: value} if field else {}):
            texts[name] = pairs_given
    return texts


# ---------------------------------------------------------------------------------------------------- search fields


class Unclear(BadInput):
    """A name in a search field where a number or a code is needed, with what it may mean."""

    choices: Sequence[Choice] = ()


def _take_picked(request: WebRequest, declared: Declared[..., Any], values: dict[str, Any]) -> None:
    """Put numbers and codes in place of what search fields have; refuse a name, and offer what it may mean."""
    for it in declared.parameters:
        given, kind = values.get(it.name), it.accepts.picks
        if kind and not it.many and isinstance(given, str) and given:
            values[it.name] = picked_value(request, kind, given, it.name)
        elif kind and isinstance(given, dict):
            values[it.name] = {
                key: text if _is_readable(it, text) else picked_value(request, kind, text, it.name, pair=key)
                for key, text in given.items()
            }


def _is_readable(parameter: Parameter, text: str) -> bool:
    """Return whether a parameter can read a text as it is, so that nothing is searched for."""
    try:
        return parameter.accepts.read is not None and parameter.accepts.read(text, parameter.name) is not None
    except BadInput:
        return False


def picked_value(request: WebRequest, kind: str, text: str, name: str, pair: str = "") -> str:
    """Return the number or the code that a search field has; refuse a name, and offer what it may mean.

    ``pair`` is the name of the pair, if the parameter has pairs.
    """
    value, is_chosen, _ = text.strip().partition(CHOSEN)
    if is_chosen or value.isdecimal():
        return value
    choices = _choices_of(request, kind, value)
    if any(it.value.casefold() == value.casefold() for it in choices):
        return value
    unclear = Unclear("choose-one" if choices else "nothing-called", option=name, given=value[:40], pair=pair)
    unclear.choices = choices
    raise unclear


def _choices_of(request: WebRequest, kind: str, text: str) -> list[Choice]:
    office = require_office(request)
    with office.store.reading() as connection:
        return find_choices(kind, Reading(office, connection, caller_of(request)), text[:LONGEST_SEARCH])


@get("/desk/choices/{kind:str}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def choices_shown(request: WebRequest, kind: FromPath[str], q: FromQuery[str] = "") -> Response[str]:
    """Return what a text in a search field may mean as options, for the script of the field."""
    text = q.strip()
    return page(request, "choices.html", choices=_choices_of(request, kind, text) if text else [], text=text)


def _pair_field(declared: Declared[..., Any], error: ArpadError, filled: Mapping[str, list[str]]) -> str:
    """Return the field of a form for what an error says about a parameter with pairs, or an empty text.

    The error names the parameter, and perhaps the name of a pair as another fact; or it names that of a pair alone.
    """
    option = str(error.facts.get("option", ""))
    for it in declared.parameters:
        if it.type is dict and it.name == option:
            named = [f"{option}.{fact}" for fact in error.facts.values()]
            chosen = (filled.get(f"{option}.field") or [""])[-1]
            part = "value" if chosen in it.accepts.fields or "pair" in error.facts else "field"
            return next((name for name in (*named, f"{option}.{part}") if name in filled), "")
        if option in it.accepts.fields and f"{it.name}.{option}" in filled:
            return f"{it.name}.{option}"
    return ""


def _page_of(filled: Mapping[str, list[str]]) -> str:
    """Return the address of the page on which a form was, which is a page of ours."""
    address = (filled.get(FROM) or [""])[-1]
    return address if _PAGE.fullmatch(address) else START


async def _page_again(request: WebRequest, filled: Mapping[str, list[str]]) -> Response[bytes]:
    """Return the page of the form, as the application shows it, with the refusal that the request carries."""
    path, _, question = _page_of(filled).partition("#")[0].partition("?")
    kept = {
        name: value for name, value in request.scope.items() if name.startswith("arpad_") or name in _KEPT
    }
    scope: Any = kept | {
        "method": "GET", "path": path, "raw_path": path.encode(), "query_string": question.encode(),
        "state": {},  # what was noted about the address of the form
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await request.app(scope, receive, send)
    start, body = sent[0], b"".join(message.get("body", b"") for message in sent[1:])
    response = Response(body, status_code=start["status"], media_type="text/html")
    for name, value in start["headers"]:
        if name.lower() not in (b"content-length", b"content-type"):
            response.headers[name.decode()] = value.decode()
    return response


_KEPT = (
    "type",
    "asgi",
    "http_version",
    "scheme",
    "headers",
    "client",
    "server",
    "root_path",
    "extensions",
)


# -------------------------------------------------------------------------------------------------------- files


def file_routes(feature: str) -> list[HTTPRouteHandler]:
    """Return the routes of a feature's files and tables at the desk, as ``/desk/files/fee/paper?number=2026-7``."""
    return [_file_route(it) for it in declared_in(feature) if it.is_file or it.columns]


def file_address(declared: Declared[..., Any]) -> str:
    """Return the address of a file at the desk."""
    return f"/desk/files/{declared.name.replace(' ', '/')}"


def _file_route(declared: Declared[..., Any]) -> HTTPRouteHandler:
    async def file(request: WebRequest) -> Response[bytes]:
        values = await file_values(request, declared)
        return await sync_to_thread(file_answer, request, declared, values)

    opt = DECLARED | (COSTLY if declared.costly else {})
    return get(file_address(declared), opt=opt, include_in_schema=False)(file)


async def file_values(request: WebRequest, declared: Declared[..., Any]) -> dict[str, Any]:
    """Return the values in the address of a file."""
    asked = [(name, text) for name, text in request.query_params.multi_items() if name != LANGUAGE]
    return await _values(asked, declared)


def file_answer(
    request: WebRequest, declared: Declared[..., Any], values: Mapping[str, Any]
) -> Response[bytes]:
    """Return a file to save, or a table as CSV, for the user at the desk."""
    answer = perform(declared, require_office(request), caller_of(request), values)
    if not isinstance(answer, File):
        answer = table_csv(declared, answer, words_for(request))
    return attachment(answer.data, answer.media_type, answer.name)


environment().globals |= {"act_of": act_form, "act_fields": form_fields, "may": may}
