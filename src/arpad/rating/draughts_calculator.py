"""The calculators of draughts, each once: its signature declares what command, page and API may ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias

from arpad.model.declared import Accepts
from arpad.model.draughts import FMJD_MOST, rank_named
from arpad.model.errors import BadInput
from arpad.model.exact import Hundredths
from arpad.model.rules import DRAUGHTS_LISTS, Edition, ListName
from arpad.rating.arguments import ABOUT_EDITION, LONG, SHORT, EditionDay, choose_draughts
from arpad.rating.calculator import Answer, Calculator, Question
from arpad.regulations.rubele.capital import CapitalChange, check_scored
from arpad.regulations.rubele.capital import change as capital_change
from arpad.regulations.rubele.capital import expected as points_expected
from arpad.regulations.rubele.groups import Split, split
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut, by_decision, from_fmjd, from_other_list

HIGHEST_CAPITAL = 99_999
MOST_GAMES = 1_000
LONGEST = 9
"""Digits: a longer number is no capital and no count."""


def parse_discipline(text: str, option: str = "discipline") -> ListName:
    """Return one of the two draughts lists by name."""
    if text not in DRAUGHTS_LISTS:
        raise BadInput("unknown-discipline", option=option, given=text, accepted=", ".join(DRAUGHTS_LISTS))
    return ListName(text)


def parse_count(text: str, option: str, least: int, most: int) -> int:
    """Return a whole number within bounds."""
    number = _whole(text)
    if number is None or not least <= number <= most:
        raise BadInput("not-a-count", option=option, given=text, least=least, most=most)
    return number


def parse_capital(text: str, option: str, rules: DraughtsRules) -> int:
    """Return a capital; refuse one below the minimum of the edition."""
    number, minimum = _whole(text), rules.minimum_capital.value
    if number is None or number > HIGHEST_CAPITAL:
        raise BadInput("not-a-capital", option=option, given=text, minimum=minimum, most=HIGHEST_CAPITAL)
    if number < minimum:
        raise BadInput("capital-below-minimum", option=option, capital=number, minimum=minimum)
    return number


def parse_scored(text: str, option: str = "scored") -> int:
    """Return the points scored, PO."""
    number = _whole(text)
    if number is None or not 0 <= number <= 2 * MOST_GAMES:
        raise BadInput("not-points", option=option, given=text)
    return number


def parse_expectation(text: str, option: str = "expected") -> Hundredths:
    """Return an expected score, PA: a number with at most two decimals, with a point or a comma."""
    whole, _, decimals = text.strip().replace(",", ".").partition(".")
    digits = (whole or "0") + decimals.ljust(2, "0")
    fits = len(decimals) <= 2 and len(whole) <= LONGEST and (whole or decimals)  # noqa: PLR2004 (hundredths)
    if not fits or not (digits.isascii() and digits.isdigit()) or int(digits) > 200 * MOST_GAMES:
        raise BadInput("not-an-expectation", option=option, given=text)
    return int(digits)


def parse_weight(text: str, option: str = "weight") -> Fraction:
    """Return how much an event counts, in percent: ``50`` or ``50%``."""
    percent = _whole(text.strip().removesuffix("%"))
    if percent is None or not 1 <= percent <= 100:  # noqa: PLR2004 (a percentage)
        raise BadInput("not-a-weight", option=option, given=text)
    return Fraction(percent, 100)


def _whole(text: str) -> int | None:
    cleaned = text.strip()
    digits = cleaned.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST:
        return None
    return int(cleaned)


MOST_PLAYERS = 10_000
MOST_ROUNDS = 999


def _text(example: str, form: str, about: str, **more: Any) -> Accepts:
    return Accepts(example, longest=SHORT, form=form, about=about, **more)


Capital: TypeAlias = Annotated[str, _text("3479", "CI", "The capital before the event.")]
Capitals: TypeAlias = Annotated[
    Sequence[str], Accepts("4000 3482", longest=LONG, form="CI", about="An opponent; repeat for each.")
]
Discipline: TypeAlias = Annotated[
    Literal["italiana", "internazionale"], Accepts("italiana", about="The list.", read=parse_discipline)
]
EditionName: TypeAlias = Annotated[str | None, _text("rubele-2008", "NAME", ABOUT_EDITION)]
Count: TypeAlias = Annotated[str | None, _text("12", "N", "How many games, as a check.")]
Scored: TypeAlias = Annotated[int, _text("14", "PO", "The points scored, two for a win.", read=parse_scored)]
Expected: TypeAlias = Annotated[
    Hundredths | None, _text("9.30", "PA", "The points expected, as 9.30.", read=parse_expectation)
]
Weight: TypeAlias = Annotated[
    Fraction, _text("100", "PERCENT", "How much the event counts, such as 50.", read=parse_weight)
]
FirstOfYear: TypeAlias = Annotated[
    bool, Accepts("false", about="It is the player's first event of the year.")
]
ITALIAN: Literal["italiana"] = "italiana"


def _draughts(
    question: Question, edition: str | None, day: date | None, discipline: str
) -> tuple[Edition[DraughtsRules], ListName, DraughtsRules]:
    """Return the edition by name, or in force on the event's date, or today, or the newest; list; and rules."""
    on_list = ListName(discipline)
    question.check_edition(edition, "rubele-2008")
    chosen = choose_draughts(edition, day, on_list, question.editions_of(DRAUGHTS_LISTS), question.today)
    return chosen, on_list, chosen.on(on_list)


@Calculator
def calculate_capital(  # noqa: PLR0913  what a capital may depend on
    question: Question, *, discipline: Discipline = ITALIAN, capital: Capital, scored: Scored,
    expected: Expected = None, opponents: Capitals = (), edition: EditionName = None, date_: EditionDay = None,
    games: Count = None, weight: Weight = Fraction(1), first_of_year: FirstOfYear = False,
) -> Answer[CapitalChange]:  # fmt: skip
    """Calculate the capital after an event (tables 14, 16, 17).

    Example: arpad rubele change --discipline italiana --capital 3479 --scored 14 --expected 9.30 --edition rubele-2008
    """
    chosen, on_list, rules = _draughts(question, edition, date_, discipline)
    before = parse_capital(capital, "capital", rules)
    texts = [part for text in opponents for part in text.replace(",", " ").split()]
    question.limit(len(texts), "opponents")
    if texts:
        capitals = [parse_capital(text, "opponents", rules) for text in texts]
        expected = sum(points_expected(before, other, rules) for other in capitals)
        check_scored(scored, expected, len(capitals))
    elif expected is None:
        raise BadInput("value-missing", option="expected")
    elif games is not None:
        check_scored(scored, expected, parse_count(games, "games", 1, MOST_GAMES))
    result = capital_change(before, scored, expected, rules, weight=weight, first_of_year=first_of_year)
    return Answer(chosen, on_list, result, result.steps)


@dataclass(frozen=True, slots=True)
class ExpectedPoints:
    """The points that a capital may expect against each of some capitals (table 19)."""

    capital: int
    games: tuple[tuple[int, Hundredths], ...]
    """The opponent's capital, and the points expected against it."""

    @property
    def total(self) -> Hundredths:
        """The points expected in all."""
        return sum(points for _, points in self.games)


@Calculator
def calculate_expected_points(
    question: Question, *, discipline: Discipline = ITALIAN,
    capital: Annotated[str, _text("3479", "CI", "The player's capital.")], opponent: Capitals,
    edition: EditionName = None, date_: EditionDay = None,
) -> Answer[ExpectedPoints]:  # fmt: skip
    """Calculate the expected points against opponents (table 19).

    Example: arpad rubele expected --discipline italiana --capital 3479 --opponent 4000 --opponent 3482
    """
    chosen, on_list, rules = _draughts(question, edition, date_, discipline)
    own = parse_capital(capital, "capital", rules)
    others = [parse_capital(text, "opponent", rules) for text in opponent]
    games = tuple((other, points_expected(own, other, rules)) for other in others)
    return Answer(chosen, on_list, ExpectedPoints(own, games))


@Calculator
def convert_capital(
    question: Question, *,
    to: Annotated[
        Literal["italiana", "internazionale"],
        Accepts("italiana", about="The list on which the player begins.", read=parse_discipline),
    ] = ITALIAN,
    from_: Annotated[
        str | None, _text("maestro", "CATEGORY", "Category or title held on the other list.")
    ] = None,
    fmjd: Annotated[str | None, _text("2100", "RATING", "FMJD rating of a foreign player.")] = None,
    capital: Annotated[str | None, _text("2500", "N", "A capital given by decision.")] = None,
    author: Annotated[str, _text("the commission", "TEXT", "Who decided it.")] = "",
    reason: Annotated[str, _text("letter of 3 March", "TEXT", "Why.")] = "",
    edition: EditionName = None, date_: EditionDay = None,
) -> Answer[Debut]:  # fmt: skip
    """Calculate a starting category and capital (tables 20, 21, 22, or a decision).

    Example: arpad rubele convert --to italiana --from maestro
    """
    chosen, on_list, rules = _draughts(question, edition, date_, to)
    decided = capital if question.local else None
    if sum(text is not None for text in (from_, fmjd, decided)) != 1:
        if question.local:
            raise BadInput("convert-what")
        raise BadInput("one-of-two", option="from", other="fmjd")
    if from_ is not None:
        debut = from_other_list(rank_named(from_), rules)
    elif fmjd is not None:
        debut = from_fmjd(parse_count(fmjd, "fmjd", 1, FMJD_MOST), rules)
    else:
        debut = by_decision(parse_capital(decided or "", "capital", rules), author, reason, rules)
    return Answer(chosen, on_list, debut, debut.steps)


@Calculator
def split_groups(
    question: Question, *,
    players: Annotated[str, _text("62", "N", "How many players.")],
    rounds: Annotated[str, _text("6", "T", "How many rounds.")],
    groups: Annotated[str, _text("4", "G", "How many groups, 2 to 6.")],
    minimum: Annotated[
        str | None, _text("8", "N", "Fewest players of a group; needed outside 5 to 10 rounds.")
    ] = None,
    free: Annotated[
        Sequence[str],
        _text("1", "GROUP", "A group that is not italo-svizzero, without a minimum."),
    ] = (),
    discipline: Discipline = ITALIAN, edition: EditionName = None, date_: EditionDay = None,
) -> Answer[Split]:  # fmt: skip
    """Split an event's players into groups (table 23)."""
    chosen, on_list, rules = _draughts(question, edition, date_, discipline)
    group_numbers = rules.group_numbers.value
    result = split(
        parse_count(players, "players", 1, MOST_PLAYERS),
        parse_count(rounds, "rounds", 1, MOST_ROUNDS),
        parse_count(groups, "groups", *group_numbers),
        rules,
        minimum=parse_count(minimum, "minimum", 2, MOST_PLAYERS) if minimum is not None else None,
        free={parse_count(text, "free", 1, group_numbers[1]) for text in free},
    )
    return Answer(chosen, on_list, result)
