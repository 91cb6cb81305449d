"""The calculators of draughts: each answers a ``Question``, as those of chess in ``calculator`` do.

Arguments as people type them are refused in the same words on the command line and the site.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from arpad.model.draughts import FMJD_MOST, rank_named
from arpad.model.errors import BadInput
from arpad.model.exact import Hundredths
from arpad.model.rules import DRAUGHTS_LISTS, Edition, ListName
from arpad.rating.arguments import choose_draughts
from arpad.rating.calculator import Answer, Question
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


def _draughts(
    question: Question, option: str = "discipline"
) -> tuple[Edition[DraughtsRules], ListName, DraughtsRules]:
    """Return the edition by name, or in force on the event's date, or today, or the newest; list; and rules."""
    name = question.one(option)
    on_list = parse_discipline(name if name is not None else "italiana", option)
    editions = question.editions_of(DRAUGHTS_LISTS)
    named = question.one("edition")
    question.check_edition(named, "rubele-2008")
    edition = choose_draughts(named, question.one("date"), on_list, editions, question.today)
    return edition, on_list, edition.on(on_list)


def answer_capital(question: Question) -> Answer[CapitalChange]:
    """Answer which capital a player has after an event; the expectation is given, or comes from the opponents."""
    edition, on_list, rules = _draughts(question)
    before = parse_capital(question.needed("capital"), "capital", rules)
    scored = parse_scored(question.needed("scored"))
    opponents = [part for text in question.all("opponents") for part in text.replace(",", " ").split()]
    question.limit(len(opponents), "opponents")
    if opponents:
        capitals = [parse_capital(text, "opponents", rules) for text in opponents]
        expectation = sum(points_expected(before, capital, rules) for capital in capitals)
        check_scored(scored, expectation, len(capitals))
    else:
        expectation = parse_expectation(question.needed("expected"))
        if (games := question.one("games")) is not None:
            check_scored(scored, expectation, parse_count(games, "games", 1, MOST_GAMES))
    weight = question.one("weight")
    result = capital_change(
        before, scored, expectation, rules, weight=parse_weight("100" if weight is None else weight),
        first_of_year=question.yes("first_of_year"),
    )  # fmt: skip
    return Answer(edition, on_list, result, result.steps)


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


def answer_points(question: Question) -> Answer[ExpectedPoints]:
    """Answer how many points a capital may expect against each opponent."""
    edition, on_list, rules = _draughts(question)
    capital = parse_capital(question.needed("capital"), "capital", rules)
    opponents = [parse_capital(text, "opponent", rules) for text in question.all("opponent")]
    games = tuple((opponent, points_expected(capital, opponent, rules)) for opponent in opponents)
    return Answer(edition, on_list, ExpectedPoints(capital, games))


def answer_conversion(question: Question) -> Answer[Debut]:
    """Answer with which category and capital a player begins on a list (tables 20, 21, 22, or a decision)."""
    edition, on_list, rules = _draughts(question, "to")
    held, fmjd = question.one("from"), question.one("fmjd")
    decided = question.one("capital") if question.local else None
    if sum(text is not None for text in (held, fmjd, decided)) != 1:
        if question.local:
            raise BadInput("convert-what")
        raise BadInput("one-of-two", option="from", other="fmjd")
    if held is not None:
        debut = from_other_list(rank_named(held), rules)
    elif fmjd is not None:
        debut = from_fmjd(parse_count(fmjd, "fmjd", 1, FMJD_MOST), rules)
    else:
        capital = parse_capital(decided or "", "capital", rules)
        debut = by_decision(capital, question.one("author") or "", question.one("reason") or "", rules)
    return Answer(edition, on_list, debut, debut.steps)


def answer_groups(question: Question) -> Answer[Split]:
    """Answer how an event's players are split into groups (table 23)."""
    edition, on_list, rules = _draughts(question)
    minimum, group_numbers = question.one("minimum"), rules.group_numbers.value
    groups = split(
        parse_count(question.needed("players"), "players", 1, MOST_PLAYERS),
        parse_count(question.needed("rounds"), "rounds", 1, MOST_ROUNDS),
        parse_count(question.needed("groups"), "groups", *group_numbers),
        rules,
        minimum=parse_count(minimum, "minimum", 2, MOST_PLAYERS) if minimum is not None else None,
        free={parse_count(text, "free", 1, group_numbers[1]) for text in question.all("free")},
    )
    return Answer(edition, on_list, groups)
