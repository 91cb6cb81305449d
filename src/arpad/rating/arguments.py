"""Arguments as people type them, for the command line, the site and the API alike: refused in the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from arpad.model.chess import RatedGame
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints, read_number
from arpad.model.people import YEARS, Birth
from arpad.model.rules import Edition, ListName
from arpad.regulations.chess import fide
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.chess.titles.rules import TitleRules
from arpad.regulations.draughts import rubele
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.editions import (
    CHESS_EDITIONS,
    DRAUGHTS_EDITIONS,
    EVERY,
    TITLE_EDITIONS,
    in_force,
    named,
)
from arpad.regulations.federation import own_edition

R = TypeVar("R")

HIGHEST_RATING = 4000
HIGHEST_K = 100
NEWEST = CHESS_EDITIONS[-1]
GAME_FORM = "OPPONENT:SCORE[:OWN[:EVENT]]"
EVENT_FORM = "R,R,…:SCORE[@YYYY-MM-DD]"


@dataclass(frozen=True, slots=True)
class EventResult:
    """An unrated player's Swiss: the ratings of the rated opponents and the points scored against them."""

    ratings: tuple[int, ...]
    score: HalfPoints
    last_day: date | None = None


# ---------------------------------------------------------------------------------------------------- editions


def choose_edition(
    name: str | None = None,
    day: date | None = None,
    on_list: ListName = ListName.STANDARD,
    editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
) -> Edition[ChessRules]:
    """Return the edition by name or TOML file, else the one in force on the day, else the newest."""
    return _chosen(name, day, on_list, editions, fide.PROCEDURES) or NEWEST


def choose_draughts(
    name: str | None,
    day: str | None,
    on_list: ListName,
    editions: Sequence[Edition[DraughtsRules]] = DRAUGHTS_EDITIONS,
) -> Edition[DraughtsRules]:
    """Return the edition of Elo-Rubele: by name or file, else in force on a day, else the source document.

    A name decides, whatever the day: an event may be computed again under another edition than its own.
    """
    on = parse_day(day, "date") if day else None
    return _chosen(name, None if name else on, on_list, editions, rubele.PROCEDURES) or rubele.RUBELE_2008


def _chosen(
    name: str | None,
    day: date | None,
    on_list: ListName,
    editions: Sequence[Edition[R]],
    procedures: Iterable[Callable[..., Any]],
) -> Edition[R] | None:
    if name is not None and day is not None:
        raise BadInput("edition-or-date", option="edition")
    if name is not None:
        return _named_or_own(name, editions, procedures)
    return in_force(editions, on_list, day) if day is not None else None


def choose_titles(name: str | None = None, day: date | None = None) -> Edition[TitleRules]:
    """Return the title edition by name or TOML file, else the one in force on the day, else the newest."""
    return _chosen(name, day, ListName.STANDARD, TITLE_EDITIONS, ()) or TITLE_EDITIONS[-1]


def any_edition(name: str) -> Edition[Any]:
    """Return an edition of ratings or titles by name, or a federation's own from a TOML file."""
    return _named_or_own(name, EVERY, (*fide.PROCEDURES, *rubele.PROCEDURES))


def _named_or_own(
    name: str, editions: Sequence[Edition[R]], procedures: Iterable[Callable[..., Any]]
) -> Edition[R]:
    if name.endswith(".toml"):
        return own_edition(read_toml(name), editions, procedures)
    return named(name, editions)


def read_toml(path: str) -> str:
    """Return the text of a TOML file; refuse an unreadable one."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput("cannot-read", path=path, reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadInput("cannot-read", path=path, reason=str(error)) from error


# ------------------------------------------------------------------------------------------------------ values


def check_within(value: int, option: str, low: int, high: int) -> None:
    """Refuse a number outside its bounds."""
    if not low <= value <= high:
        raise BadInput("out-of-range", option=option, value=value, low=low, high=high)


def check_rating(value: int, option: str) -> None:
    """Refuse a rating outside 0 to 4000."""
    check_within(value, option, 0, HIGHEST_RATING)


def parse_score(text: str, option: str) -> HalfPoints:
    """Return the half-points of points as people write them: 1, 0.5, 0,5, ½, 1/2, 2½."""
    cleaned = text.strip()
    if cleaned.endswith("½"):
        cleaned = f"{cleaned[:-1]}.5"
    score = read_number(cleaned)
    if score is None or score < 0 or (2 * score).denominator != 1:
        raise BadInput("bad-score", option=option, value=text, accepted="0, 0.5, 1")
    return int(2 * score)


def parse_integer(text: str, option: str) -> int:
    """Return a whole number."""
    cleaned = text.strip()
    if not cleaned.removeprefix("-").isdecimal() or len(cleaned) > 9:  # noqa: PLR2004  longer is no rating and no count
        raise BadInput("not-a-number", option=option, value=text)
    return int(cleaned)


def parse_within(text: str, option: str, low: int, high: int) -> int:
    """Return a whole number within bounds."""
    number = parse_integer(text, option)
    check_within(number, option, low, high)
    return number


def parse_day(text: str, option: str) -> date:
    """Return a date written YYYY-MM-DD."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise BadInput("not-a-date", option=option, value=text) from None
    if day.year not in YEARS:
        raise BadInput("out-of-range", option=option, value=day, low=YEARS[0], high=YEARS[-1])
    return day


def parse_birth(text: str, option: str) -> Birth:
    """Return a date of birth, or only its year."""
    return int(text) if text.isdecimal() and len(text) == 4 else parse_day(text, option)  # noqa: PLR2004  YYYY


def parse_game(text: str, rating: int) -> RatedGame:
    """Return a game written ``OPPONENT:SCORE[:OWN[:EVENT]]``."""
    parts = text.split(":", 3)
    if len(parts) < 2:  # noqa: PLR2004  opponent and score
        raise BadInput("bad-form", option="game", value=text, accepted=GAME_FORM)
    own = parse_integer(parts[2], "game") if len(parts) > 2 and parts[2] else rating  # noqa: PLR2004  the third part
    event = parts[3] if len(parts) > 3 else ""  # noqa: PLR2004  the fourth part
    return RatedGame(own, parse_integer(parts[0], "game"), parse_score(parts[1], "game"), event)


def parse_event(text: str) -> EventResult:
    """Return an event written ``R,R,…:SCORE[@YYYY-MM-DD]``."""
    body, at, day = text.partition("@")
    ratings, colon, score = body.partition(":")
    if not colon:
        raise BadInput("bad-form", option="event", value=text, accepted=EVENT_FORM)
    if not ratings.strip():
        raise BadInput("empty-event", option="event", accepted=EVENT_FORM)
    return EventResult(
        tuple(parse_integer(rating, "event") for rating in ratings.split(",")),
        parse_score(score, "event"),
        parse_day(day, "event") if at else None,
    )
