"""The calculators as pages: a form, its answer below, and an address that can be shared."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from arpad.explain.calculator_documents import entry_verdict
from arpad.explain.editions import edition_name
from arpad.explain.event_documents import figure_table, pass_name
from arpad.explain.norm_documents import NormWords
from arpad.model.draughts import Category, Title
from arpad.model.errors import ArpadError
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import CHESS_LISTS, DRAUGHTS_LISTS, Edition, ListName
from arpad.office.inbox.jobs import event_answer, norm_answer
from arpad.rating import calculator as calculators
from arpad.rating import draughts_calculator
from arpad.rating.calculator import Answer, Question
from arpad.rating.event_question import EventAnswer
from arpad.rating.norms import Norm
from arpad.regulations import FOLDERS
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import CHESS_EDITIONS, DRAUGHTS_EDITIONS
from arpad.regulations.fide.titles.requirements import KINDS
from arpad.regulations.fide.titles.rules import NormTitle
from arpad.web.api.limits import count_costly
from arpad.web.cache import OK, settings_headers
from arpad.web.forms import refuse
from arpad.web.limited_process import bounds
from arpad.web.reader import PUBLIC, words_for
from arpad.web.requests import Refused, WebRequest
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

LONGEST_QUESTION = 8_000

EVENT_EXAMPLE = """{
  "edition": "icu-2013",
  "players": {"1": {"rating": 1852, "k": 24}, "2": {"rating": 751, "games": 19}, "3": {}},
  "games": [["1", "2", 0.5], ["3", "1", 1]]
}"""


@dataclass(frozen=True, slots=True)
class Calculator:
    """A calculator, and the function that answers."""

    name: str
    answer: Callable[[Question], Answer[Any] | EventAnswer]
    game: str = "chess"
    titles: bool = False
    """Whether it goes by the title regulations."""

    costly: bool = False
    """Whether an answer may take long, so that the answers to one address are counted."""

    special: bool = False
    """Whether it is for old editions or rare cases, and folded away on the page of all calculators."""

    fits: Callable[[Edition[Any]], bool] = lambda edition: True  # noqa: ARG005  every edition
    """Whether an edition has what it calculates."""


def _has_round_robin(edition: Edition[Any]) -> bool:
    """Return whether an edition has articles for round robins with unrated players."""
    return any(rules.round_robin_entry is not None for rules in edition.lists.values())


def _norm(question: Question) -> Answer[Norm]:
    """Answer whether a player made a norm, within the limits of a visitor."""
    return norm_answer(bounds("visitor"), question)


def _event(question: Question) -> EventAnswer:
    """Rate an event of any rating system, within the limits of a visitor."""
    return event_answer(bounds("visitor"), question.needed("system"), question.needed("event"))


CALCULATORS = {
    item.name: item
    for item in (
        Calculator("change", calculators.calculate_change),
        Calculator("entry", calculators.calculate_entry_rating),
        Calculator("round-robin", calculators.calculate_round_robin, special=True, fits=_has_round_robin),
        Calculator("k", calculators.calculate_k),
        Calculator("expected", calculators.calculate_expected_score),
        Calculator("performance", calculators.calculate_performance),
        Calculator("norm", _norm, titles=True, costly=True),
        Calculator("event", _event, costly=True, special=True),
        Calculator("capital", draughts_calculator.calculate_capital, game="draughts"),
        Calculator("conversion", draughts_calculator.convert_capital, game="draughts", special=True),
        Calculator("groups", draughts_calculator.split_groups, game="draughts"),
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
    return Question(values, settings.editions, settings.today, settings.title_editions)


def _editions(request: WebRequest, calculator: Calculator) -> list[tuple[str, str]]:
    """Return the editions to choose from: first the one that a date decides, then the federation's own.

    In chess it is the one in force today, in an office; in draughts the one of the event's date, which the form asks.
    """
    settings = settings_of(request)
    if calculator.titles:
        return _title_editions(request)
    lists, printed = (
        (DRAUGHTS_LISTS, DRAUGHTS_EDITIONS[::-1])
        if calculator.game == "draughts"
        else (CHESS_LISTS, CHESS_EDITIONS[::-1])
    )
    own = [edition for edition in settings.own if not edition.lists.keys().isdisjoint(lists)]
    own.sort(key=lambda edition: edition.effective, reverse=True)
    words = words_for(request)
    if calculator.game == "draughts":
        by_day = [("", words.text("site.edition-of-date"))]
    else:
        by_day = [("", words.text("site.edition-today"))] if settings.today else []
    every = [*own, *printed]
    fitting = [edition for edition in every if calculator.fits(edition)]
    if len(fitting) < len(every):  # the one of today may be one of those that do not fit
        by_day = []
    return [*by_day, *((edition.id, edition_name(edition.id, words)) for edition in fitting)]


def _title_editions(request: WebRequest) -> list[tuple[str, str]]:
    """Return the title editions to choose from: first the one that a date decides, then the newest."""
    settings, words = settings_of(request), words_for(request)
    own = sorted(settings.own_titles, key=lambda edition: edition.effective, reverse=True)
    named = [(edition.id, edition_name(edition.id, words)) for edition in (*own, *TITLE_EDITIONS[::-1])]
    return [("", words.text("site.norm-edition-of-date")), *named]


def norm_lines(question: Question) -> str:
    """Return the rounds of a question about a norm as the form shows them again, one line for each."""
    linked = [" ".join(filter(None, text.split(":")[1:])) for text in question.all("game")]
    return "\n".join((*linked, question.one("games") or "")).strip()


def _norm_values(request: WebRequest, question: Question) -> dict[str, Any]:
    """Return what the page of the norm calculator needs."""
    words = words_for(request)
    systems = TITLE_EDITIONS[-1].on(ListName.STANDARD).norm_systems.value
    return {
        "norm_words": NormWords(words),
        "norm_lines": norm_lines(question),
        "norm_titles": [(str(title), str(title)) for title in NormTitle],
        "norm_systems": [(name, words.text(f"normsystem.{name}")) for name in systems],
        "norm_kinds": [("", "–"), *((name, words.text(f"normkind.{name}")) for name in KINDS)],
    }


def _event_values(request: WebRequest) -> dict[str, Any]:
    """Return what the page of the calculator of events needs."""
    words = words_for(request)
    return {
        "systems": [(name, words.text(f"rating-system.{name}")) for name in FOLDERS],
        "example": EVENT_EXAMPLE,
        "pass_name": lambda part: pass_name(part, words),
        "figures": lambda answer: figure_table(answer, words),
    }


@get("/calculators", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def index(request: WebRequest) -> Response[str]:
    """List all calculators."""
    return page(
        request, "calculators.html", headers=settings_headers(request),
        calculators=[it for it in CALCULATORS.values() if it.game in settings_of(request).games],
        games=settings_of(request).games,
    )  # fmt: skip


@get("/calculators/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def calculator(request: WebRequest, name: FromPath[str]) -> Response[str]:
    """Show a calculator, with its answer if something was asked."""
    chosen = CALCULATORS.get(name)
    if chosen is None:
        raise Refused(404, "no-page")
    question = question_of(request)
    answer, status = None, OK
    if not question.empty:
        if chosen.costly:
            count_costly(request)
        try:
            answer = chosen.answer(question)
        except ArpadError as error:
            refuse(request, error, question.values)
            status = 400
    return page(
        request,
        f"calculator_{name}.html",
        status=status,
        headers=settings_headers(request) if status == OK else {},
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
        **(_norm_values(request, question) if chosen.titles else {}),
        **(_event_values(request) if chosen.name == "event" else {}),
    )
