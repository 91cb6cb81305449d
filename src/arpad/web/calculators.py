"""The calculators as pages: a form, its answer below, and an address that can be shared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.calculator_documents import entry_verdict
from arpad.explain.edition_names import edition_name
from arpad.model.draughts import Category, Title
from arpad.model.errors import ArpadError
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import CHESS_LISTS, DRAUGHTS_LISTS, Edition
from arpad.rating import calculator as calculators
from arpad.rating.calculator import Answer, Question
from arpad.regulations.editions import CHESS_EDITIONS, DRAUGHTS_EDITIONS
from arpad.web.auth import PUBLIC
from arpad.web.forms import refuse
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

LONGEST_QUESTION = 8_000


@dataclass(frozen=True, slots=True)
class Calculator:
    """A calculator, and the function that answers."""

    name: str
    answer: Callable[[Question], Answer[Any]]
    draughts: bool = False
    fits: Callable[[Edition[Any]], bool] = lambda edition: True  # noqa: ARG005  every edition
    """Whether an edition has what it calculates."""


def _has_round_robin(edition: Edition[Any]) -> bool:
    """Return whether an edition has articles for round robins with unrated players."""
    return any(rules.round_robin_entry is not None for rules in edition.lists.values())


CALCULATORS = {
    item.name: item
    for item in (
        Calculator("change", calculators.answer_change),
        Calculator("entry", calculators.answer_entry),
        Calculator("round-robin", calculators.answer_round_robin, fits=_has_round_robin),
        Calculator("k", calculators.answer_coefficient),
        Calculator("expected", calculators.answer_expected),
        Calculator("capital", calculators.answer_capital, draughts=True),
        Calculator("conversion", calculators.answer_conversion, draughts=True),
        Calculator("groups", calculators.answer_groups, draughts=True),
    )
}


def question_of(request: WebRequest) -> Question:
    """Return the question in the query of a request."""
    values: dict[str, list[str]] = {}
    items = list(request.query_params.items())
    if sum(len(name) + len(value) for name, value in items) > LONGEST_QUESTION:
        raise Refused(400, "question-too-long")
    for name, value in items:
        values.setdefault(name, []).append(value)
    settings = settings_of(request)
    return Question(values, settings.editions, settings.today)


def _editions(request: WebRequest, calculator: Calculator) -> list[tuple[str, str]]:
    """Return the editions to choose from: first the one that a date decides, then the federation's own.

    In chess it is the one in force today, in an office; in draughts the one of the event's date, which the form asks.
    """
    settings = settings_of(request)
    lists, printed = (
        (DRAUGHTS_LISTS, DRAUGHTS_EDITIONS[::-1])
        if calculator.draughts
        else (CHESS_LISTS, CHESS_EDITIONS[::-1])
    )
    own = [edition for edition in settings.own if not edition.lists.keys().isdisjoint(lists)]
    own.sort(key=lambda edition: edition.effective, reverse=True)
    words = words_for(request)
    if calculator.draughts:
        by_day = [("", words.text("site.edition-of-date"))]
    else:
        by_day = [("", words.text("site.edition-today"))] if settings.today else []
    every = [*own, *printed]
    fitting = [edition for edition in every if calculator.fits(edition)]
    if len(fitting) < len(every):  # the one of today may be one of those that do not fit
        by_day = []
    return [*by_day, *((edition.id, edition_name(edition.id, words)) for edition in fitting)]


@get("/calculators", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def index(request: WebRequest) -> Response[str]:
    """List all calculators."""
    return page(request, "calculators.html", calculators=CALCULATORS.values())


@get("/calculators/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def calculator(request: WebRequest, name: FromPath[str]) -> Response[str]:
    """Show a calculator, with its answer if something was asked."""
    chosen = CALCULATORS.get(name)
    if chosen is None:
        raise Refused(404, "no-page")
    question = question_of(request)
    answer, status = None, 200
    if not question.empty:
        try:
            answer = chosen.answer(question)
        except ArpadError as error:
            refuse(request, error, question.values)
            status = 400
    return page(
        request,
        f"calculator_{name}.html",
        status=status,
        calculator=chosen,
        question=question,
        answer=answer,
        editions=_editions(request, chosen),
        lists=CHESS_LISTS,
        disciplines=DRAUGHTS_LISTS,
        ranks=[
            ("", "–"),
            *(
                (str(rank), words_for(request).text(f"category.{rank}"))
                for rank in (*Title, *reversed(Category))
            ),
        ],
        points=points,
        from_hundredths=from_hundredths,
        verdict=lambda entry: entry_verdict(entry, words_for(request)),
    )


ROUTES = (index, calculator)
