"""Forms that do something: what was filled in, and what becomes of it.

A form that is refused comes back as it was filled in, with the sentence beside the field it is about (422). Handlers
say what to do and which page the form stands on; pages know nothing of it, the pieces in ``parts.html`` do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, Response
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput
from arpad.web.language import say_of

Asked = Request[Any, Any, Any]
REFUSED = 422
UNSEEN = ("csrf", "digest", "packed", "game", "event", "opponent", "score", "ratings", "points")
"""Hidden, or in rows of which each has its own: what is said of these stands at the head of the form."""

# Which field an error is about, where its facts do not name it as their option.
FIELD = {
    "reason-missing": "reason", "author-missing": "", "player-name": "name", "player-field": "field",
    "time-zone": "time_zone", "bad-login": "login", "bad-password": "password",
    "easy-password": "password", "same-password": "password", "own-password-missing": "login",
    "wrong-own-password": "old", "wrong-code": "code", "login-taken": "login",
    "no-such-user": "login", "bad-scope": "scope", "decision-kind": "kind", "no-report": "report",
    "appeal-outcome": "outcome", "merged-already": "dropped", "merge-itself": "dropped", "merge-same-event": "dropped",
    "erase-confirm": "confirm", "off-calendar": "day", "not-next-list": "day",
    "list-out": "day", "year-open": "day", "event-days": "last_day", "revise-mode": "mode",
    "rounds-without-minimum": "minimum",
    "add-not-accepted": "add", "add-too-late": "add", "identifier-scheme": "scheme", "no-merge": "merge",
}  # fmt: skip
NAMED_BY = {
    "player-value": "field", "decision-value": "name", "decision-needs": "missing", "identifier-taken": "scheme",
    "facts-value": "key", "facts-key": "key",
}  # fmt: skip
ELSEWHERE = {
    "old": ("password",),
    "player": ("dropped",),
    "born": ("value",),
    "fide": ("value",),
    "list": ("on_list",),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A form that was refused: where it was sent, how it was filled in, which field is wrong and why."""

    action: str
    given: Mapping[str, Sequence[str]]
    field: str
    sentence: str

    def about(self, action: str, fixed: Mapping[str, str]) -> bool:
        """Whether a form of a page is this one; forms alike are told apart by their hidden fields."""
        return self.action == action and all(
            [str(value)] == list(self.given.get(name, ())) for name, value in fixed.items()
        )


async def fields(request: Asked) -> dict[str, str]:
    """The texts of a form, without the letter that no database takes and no keyboard writes."""
    form = await request.form()
    return {name: value.replace("\0", "").strip() for name, value in form.items() if isinstance(value, str)}


def filled(items: Iterable[tuple[str, Any]]) -> dict[str, list[str]]:
    """A form with every value of every field; files cannot be given back."""
    given: dict[str, list[str]] = {}
    for name, value in items:
        if isinstance(value, str) and name != "csrf":
            given.setdefault(name, []).append(value)
    return given


def wrong_field(error: ArpadError, given: Mapping[str, Any]) -> str:
    """The field that an error is about, if the form has it."""
    named = FIELD.get(error.code, "")
    by = NAMED_BY.get(error.code, "option")
    if not named and by in error.facts:
        named = str(error.facts[by]).partition(",")[0].strip()
    if not named and error.code == "no-player":
        named = "player"
    seen = [name for name in (named, *ELSEWHERE.get(named, ())) if name in given and name not in UNSEEN]
    return seen[0] if seen else ""


LABELS = {
    "dropped": "dropped-number", "day": "day-word", "since": "holds-since", "born": "born-or-year",
    "field": "field-word", "value": "new-value", "report": "report-number", "player": "player-number",
    "number": "start-number",
    "first": "first-round", "last": "last-round", "first_day": "first-day", "last_day": "last-day",
    "name": "name-word", "list": "list", "federation": "federation", "capital": "capital", "category": "category-word",
    "fmjd": "value-fmjd", "round": "round",
    "result": "result", "sex": "sex", "language": "setting-language", "languages": "setting-languages",
}  # fmt: skip


def _worded(error: ArpadError, say: Words) -> str:
    """The sentence of an error, with fields by the names that the page gives them."""
    if error.code == "reason-missing":
        return say.text("site.reason-needed")
    if error.code == "report-has-errors":  # the page shows them in words, beside their boxes
        return say.text("site.errors-remain")
    facts = dict(error.facts)
    for fact in ("option", "missing", "field"):
        if fact in facts:
            names = [name.strip() for name in str(facts[fact]).split(",")]
            facts[fact] = ", ".join(
                say.text(f"site.{LABELS[name]}") if name in LABELS else name for name in names
            )
    return as_sentence(say.error(type(error)(error.code, **facts)))


def as_sentence(words: str) -> str:
    """The words of an error as a page says them: with a capital and a full stop."""
    whole = words[:1].upper() + words[1:]
    return whole if whole.endswith((".", "?", "!")) else f"{whole}."


def refuse(request: Asked, error: ArpadError, given: Mapping[str, Sequence[str]], action: str = "") -> None:
    """Let the page that is rendered next show the form as it was filled in, with the sentence."""
    refusal = Refusal(
        action or request.url.path, given, wrong_field(error, given), _worded(error, say_of(request))
    )
    request.scope["arpad_refused"] = refusal  # type: ignore[typeddict-unknown-key]  # a key of ours in the server's mapping


def refusal_of(request: Asked) -> Refusal | None:
    """What was refused in this request."""
    found: Refusal | None = request.scope.get("arpad_refused")  # type: ignore[assignment]  # a key of ours in the server's mapping
    return found


async def done(request: Asked, work: Callable[[], str], again: Callable[[], Response[Any]]) -> Response[Any]:
    """Do something that stays and lead to where it shows; refused, give the page of the form once more."""
    given = filled((await request.form()).multi_items())

    def run() -> Response[Any]:
        try:
            return Redirect(work(), status_code=303)
        except ArpadError as error:
            refuse(request, error, given)
            return again()

    return await sync_to_thread(run)


def number_in(given: Mapping[str, str], name: str) -> int:
    """A whole number of a form."""
    text = given.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):  # noqa: PLR2004  what a number can be
        raise BadInput("not-a-number", option=name, value=text[:40])
    return int(text)


def one_of(given: Mapping[str, str], name: str, accepted: Sequence[str]) -> str:
    """One of a few words of a form."""
    text = given.get(name, "")
    if text not in accepted:
        raise BadInput("value-unknown", option=name, value=text[:40], accepted=", ".join(accepted))
    return text
