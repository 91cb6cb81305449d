"""The calculators of chess, each once: library, command line, site and API pass a ``Question``.

A question has texts as people type them; the answer has the result, the edition it follows, and the steps to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from arpad.model.chess import Change, Entry, GameChange, PlayerFacts, RatedGame
from arpad.model.declared import HIGHEST_NUMBER, Parameter, arguments, convert, parameters_of
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.people import birth_year
from arpad.model.rules import CHESS_LISTS, Edition, ListName, Step
from arpad.model.typed_values import (
    check_rating,
    check_within,
    parse_integer,
)
from arpad.rating.arguments import (
    EVENT_FORM,
    GAME_FORM,
    MOST_ITEMS,
    Affiliated,
    Born,
    ChessList,
    CountedBefore,
    Double,
    EditionDay,
    EditionName,
    Events,
    FromStandard,
    GamesForK,
    GamesRated,
    GivenK,
    On,
    Opponent,
    Opponents,
    Peak,
    Players,
    RatedGames,
    Rating,
    Score,
    choose_edition,
    parse_event,
    parse_game,
)
from arpad.rating.round_robin import (
    NEWEST,
    RoundRobinRating,
    parse_player,
    rate_round_robin,
    with_earlier_events,
)
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import ALL
from arpad.regulations.fide.change import coefficient, game_changes, rating_change
from arpad.regulations.fide.entry_rating import entry_rating, swiss_performance
from arpad.regulations.fide.performance_rating import PerformanceRating, performance_rating
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.titles.rules import TitleRules

T = TypeVar("T")

# ---------------------------------------------------------------------------------------- questions and answers


@dataclass(frozen=True, slots=True)
class Question:
    """Names with one or several texts, as a form, a link, a request of the API or a command line has them."""

    values: Mapping[str, Sequence[str]]
    editions: Sequence[Edition[Any]] = ALL
    """The editions that can be chosen by name, or by the day on which they are in force."""

    today: date | None = None
    """In an office, the day that decides if the question names neither edition nor day."""

    title_editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS
    """The editions of the title regulations, to be chosen in the same way."""

    local: bool = False
    """Asked on a command line: an edition may be a TOML file, an empty text is a value, no number is limited."""

    @classmethod
    def from_options(
        cls,
        editions: Sequence[Edition[Any]] = ALL,
        **options: str | Sequence[str] | bool | None,
    ) -> Question:
        """Return the question of a command line; an option that is None or False was not given."""
        values: dict[str, Sequence[str]] = {}
        for name, value in options.items():
            if isinstance(value, str):
                values[name.rstrip("_")] = [value]
            elif value is True:
                values[name.rstrip("_")] = ["1"]
            elif value:
                values[name.rstrip("_")] = value
        return cls(values, editions, local=True)

    def all(self, name: str) -> list[str]:
        """Return every text of a name; except on a command line, empty texts are left out."""
        texts = self.values.get(name, ())
        if self.local:
            return list(texts)
        texts = [text.strip() for text in texts if text.strip()]
        self.limit(len(texts), name)
        return texts

    def one(self, name: str) -> str | None:
        """Return the last text of a name, or None."""
        texts = self.values.get(name, ())
        if not self.local:
            texts = [text.strip() for text in texts if text.strip()]
        return texts[-1] if texts else None

    def needed(self, name: str) -> str:
        """Return the text of a name that must be given."""
        text = self.one(name)
        if text is None:
            raise BadInput("value-missing", option=name)
        return text

    def yes(self, name: str) -> bool:
        """Return whether a box was ticked."""
        return (self.one(name) or "") in ("1", "true", "on", "yes")

    def limit(self, items: int, name: str) -> None:
        """Refuse a question from the site with too many items."""
        if not self.local and items > MOST_ITEMS:
            raise BadInput("too-many-values", option=name, most=MOST_ITEMS)

    @property
    def empty(self) -> bool:
        """Whether nothing was asked yet."""
        return not any(
            text.strip() for name, texts in self.values.items() if name != "lang" for text in texts
        )

    def check_edition(self, name: str | None, example: str) -> None:
        """Refuse the name of a file as an edition; only a command line may name one."""
        if name is not None and name.endswith(".toml") and not self.local:
            raise BadInput("value-unknown", option="edition", value=name, accepted=example)

    def editions_of(self, lists: Collection[ListName]) -> list[Edition[Any]]:
        """Return the editions of chess or of draughts."""
        return [edition for edition in self.editions if not edition.lists.keys().isdisjoint(lists)]


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A result, the edition it follows and the steps that led to it."""

    edition: Edition[Any]
    list: ListName
    result: T
    derivation: tuple[Step, ...] = field(default=())
    notes: tuple[Step, ...] = field(default=())
    """Steps of single games that a row of figures cannot show."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The notes, then the derivation."""
        return (*self.notes, *self.derivation)


class Calculator(Generic[T]):
    """A calculator: its signature declares what command, page, API and library may ask."""

    def __init__(self, function: Callable[..., Answer[T]]) -> None:
        """Take the function that answers, whose first argument is the question."""
        self.function = function
        self.parameters = parameters_of(function)
        self.__doc__ = function.__doc__

    def __call__(self, question: Question) -> Answer[T]:
        """Return the answer to the texts of a question."""
        texts = {
            it.name: question.all(it.name) if it.many else question.one(it.name) or None
            for it in self.parameters
        }
        asked: Sequence[Parameter] = self.parameters
        if question.local:  # a command line limits no text and no number of values
            asked = [replace(it, accepts=replace(it.accepts, longest=HIGHEST_NUMBER)) for it in asked]
        return self.function(question, **arguments(asked, convert(asked, texts)))


def _chess(
    question: Question, edition: str | None, given_day: date | None, list_: str, day: date | None = None
) -> tuple[Edition[ChessRules], ListName, ChessRules]:
    """Return the edition by name, or in force on a day, or today, or the newest; the list; and its rules."""
    on_list = ListName(list_)
    question.check_edition(edition, "fide-2017")
    if edition is None and given_day is None:
        given_day = day or question.today
    chosen = choose_edition(edition, given_day, on_list, question.editions_of(CHESS_LISTS))
    return chosen, on_list, chosen.on(on_list)


# ------------------------------------------------------------------------------------------------------- chess


@Calculator
def calculate_change(  # noqa: PLR0913  what a rating change may depend on
    question: Question, *, rating: Rating, game: RatedGames = (), k: GivenK = None, games: GamesForK = None,
    peak: Peak = 0, born: Born = None, on: On = None, edition: EditionName = None, date_: EditionDay = None,
    list_: ChessList = "standard", from_standard: FromStandard = False,
) -> Answer[Change]:  # fmt: skip
    """Calculate the rating change of a player over one period (8.5).

    Example: arpad calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1 --game 2000:0.5
    """
    chosen, on_list, rules = _chess(question, edition, date_, list_)
    rated = [parse_game(text, rating) for text in [*game, *_paired(question)]]
    if not rated:
        raise BadInput("no-games-given", option="game", accepted=GAME_FORM)
    for item in rated:
        check_rating(item.opponent, "game")
        check_rating(item.own, "game")
        if item.score not in (0, 1, 2):
            raise BadInput("bad-score", option="game", value=Fraction(item.score, 2), accepted="0, 0.5, 1")
    steps: tuple[Step, ...] = ()
    if k is None:
        # Without a number of games the player is past the newcomers' limit; if unrated on this list, they have none.
        default = 0 if from_standard else rules.k_new_games.value
        facts = PlayerFacts(rating, default if games is None else games, peak, born, from_standard)
        k, steps = _coefficient(facts, on or date_ or chosen.effective, rules)
    result = rating_change(rating, k, rated, rules)
    return Answer(chosen, on_list, result, (*steps, *result.steps), _notes(result.games))


def _coefficient(facts: PlayerFacts, on: date, rules: ChessRules) -> tuple[int, tuple[Step, ...]]:
    """Return K on a day with its steps; refuse facts that cannot be."""
    if facts.from_standard and not rules.entry_takes_standard:
        raise BadInput("no-standard-rating-here", option="from_standard")
    year = birth_year(facts.born)
    if year is not None:
        check_within(year, "born", on.year - 130, on.year)
    return coefficient(facts, on, rules)


def _paired(question: Question) -> list[str]:
    """Return the games that a form without JavaScript sends: opponents and scores side by side."""
    opponents, scores = question.values.get("opponent", ()), question.values.get("score", ())
    pairs = [(o.strip(), s.strip()) for o, s in zip(opponents, scores, strict=False) if o.strip()]
    question.limit(len(pairs), "opponent")
    return [f"{opponent}:{score}" for opponent, score in pairs]


def _notes(games: Sequence[GameChange]) -> tuple[Step, ...]:
    """Return the steps about caps, exemptions and games too far apart, each once."""
    quantities = ("capped", "exempt", "not-capped-again", "too-far")
    steps = {(s.quantity, s.value): s for game in games for s in game.steps if s.quantity in quantities}
    return tuple(steps.values())


@Calculator
def calculate_entry_rating(
    question: Question, *, event: Events = (), edition: EditionName = None, date_: EditionDay = None,
    list_: ChessList = "standard", affiliated: Affiliated = False,
) -> Answer[Entry]:  # fmt: skip
    """Calculate the initial rating of an unrated player (8.2, 8.3, 7.14).

    Example: arpad calc initial --edition fide-2009 --event 2220,2220,2220:1 --event 2150,2150,2150,2150,2150:3
    """
    events = [parse_event(text) for text in [*event, *_event_rows(question)]]
    last_day = max((event.last_day for event in events if event.last_day), default=None)
    chosen, on_list, rules = _chess(question, edition, date_, list_, last_day)
    question.limit(sum(len(event.ratings) for event in events), "event")
    if not events:
        raise BadInput("no-games-given", option="event", accepted=EVENT_FORM)
    for item in events:
        for rating in item.ratings:
            check_rating(rating, "event")
        _check_score(item.score, len(item.ratings), "event")
    performances = [
        swiss_performance(str(number), item.ratings, item.score, last_day=item.last_day)
        for number, item in enumerate(events, start=1)
    ]
    result = entry_rating(performances, rules, affiliated=affiliated)
    return Answer(chosen, on_list, result, result.steps)


def _check_score(score: HalfPoints, games: int, option: str) -> None:
    """Refuse a score that so many games cannot have."""
    if not 0 <= score <= 2 * games:
        raise BadInput("score-beyond-games", option=option, value=Fraction(score, 2), low=0, high=games)


def _event_rows(question: Question) -> list[str]:
    """Return the events that a form sends: opponents' ratings with blanks or commas, and the points."""
    ratings, points = question.values.get("ratings", ()), question.values.get("points", ())
    rows = [
        ",".join(row.replace(",", " ").replace(";", " ").split()) + f":{score.strip()}"
        for row, score in zip(ratings, points, strict=False)
        if row.strip()
    ]
    return rows[:MOST_ITEMS]


@Calculator
def calculate_round_robin(
    question: Question, *, player: Players = (), counted_before: CountedBefore = (),
    edition: EditionName = None, date_: EditionDay = None, list_: ChessList = "standard",
    double: Double = False,
) -> Answer[RoundRobinRating]:  # fmt: skip
    """Rate a round robin with unrated players (8.21b, 8.25, 8.58).

    Players come in the order of the crosstable. K of a rated player is that of one with at least thirty games,
    unless it is given. The editions from 2022 on have no such articles; without an edition or a date, the last one
    that has them.

    Example: arpad calc round-robin --player 2000:3 --player 1900:2.5 --player 1850:2 --player 1800:1.5 --player -:1
    """
    chosen, on_list, _ = _chess(question, edition, date_, list_, NEWEST.effective)
    players = [parse_player(text) for text in [*player, *_player_rows(question)]]
    before = [number for text in counted_before for number in text.replace(",", " ").split() or [text]]
    cycles = 2 if double else 1
    result = rate_round_robin(with_earlier_events(players, before), chosen, on_list, cycles=cycles, day=date_)
    return Answer(chosen, on_list, result, result.table.steps)


def _player_rows(question: Question) -> list[str]:
    """Return the players that a form sends: rating, results, K and name side by side; a blank rating is none."""
    columns = [question.values.get(name, ()) for name in ("rating", "results", "k", "name")]
    rows = [
        tuple(text.strip() for text in row) for row in zip_longest(*columns, fillvalue="") if row[1].strip()
    ]
    question.limit(len(rows), "results")
    for rating, _, k, _ in rows:  # an error names the field of the form, not a part of --player
        for text, name in ((rating.strip("-–"), "rating"), (k, "k")):
            if text:
                parse_integer(text, name)
    return [f"{rating or '-'}:{results}:{k}:{name}" for rating, results, k, name in rows]


@Calculator
def calculate_k(
    question: Question, *, rating: Rating, games: GamesRated, peak: Peak = 0, born: Born = None, on: On = None,
    edition: EditionName = None, date_: EditionDay = None, list_: ChessList = "standard",
    from_standard: FromStandard = False,
) -> Answer[int]:  # fmt: skip
    """Calculate the development coefficient K of a player (8.56).

    Example: arpad calc k --edition fide-2017 --rating 2350 --games 40 --peak 2410 --born 2001-05-05 --on 2017-09-01
    """
    chosen, on_list, rules = _chess(question, edition, date_, list_, on)
    facts = PlayerFacts(rating, games, peak, born, from_standard)
    k, steps = _coefficient(facts, on or date_ or chosen.effective, rules)
    return Answer(chosen, on_list, k, steps)


@Calculator
def calculate_performance(
    question: Question, opponents: Opponents, *, score: Score, edition: EditionName = None,
    date_: EditionDay = None, list_: ChessList = "standard",
) -> Answer[PerformanceRating]:  # fmt: skip
    """Calculate the performance rating: the average of the opponents plus dp (8.1a).

    Example: arpad calc performance 2400 2350 2300 --score 2
    """
    chosen, on_list, rules = _chess(question, edition, date_, list_)
    texts = [text for part in opponents for text in re.split(r"[\s,;]+", part) if text]
    question.limit(len(texts), "opponents")
    ratings = [parse_integer(text, "opponents") for text in texts]
    if not ratings:
        raise BadInput("value-missing", option="opponents")
    for rating in ratings:
        check_rating(rating, "opponents")
    _check_score(score, len(ratings), "score")
    result = performance_rating(ratings, score, rules)
    return Answer(chosen, on_list, result, result.steps)


@Calculator
def calculate_expected_score(
    question: Question, *, rating: Rating, opponent: Opponent, edition: EditionName = None,
    date_: EditionDay = None, list_: ChessList = "standard",
) -> Answer[GameChange]:  # fmt: skip
    """Calculate the expected score against an opponent (8.1b, 8.54).

    Example: arpad calc expected 1850 2000

    Example: arpad calc expected 1850 2000 --edition fide-2017
    """
    chosen, on_list, rules = _chess(question, edition, date_, list_)
    (result,) = game_changes([RatedGame(rating, opponent, 0)], rules)
    steps = tuple(step for step in result.steps if step.quantity != "delta")
    return Answer(chosen, on_list, result, steps)
