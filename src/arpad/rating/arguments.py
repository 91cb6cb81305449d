"""Editions, games and events as people type them, and the parameters of the calculators of chess.

They are the same for the command line, the site and the API.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from arpad.model.chess import RatedGame
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.people import Birth
from arpad.model.rules import Edition, ListName
from arpad.model.typed_values import (
    HIGHEST_K,
    HIGHEST_RATING,
    parse_birth,
    parse_day,
    parse_integer,
    parse_score,
)
from arpad.rating.round_robin import FORM as PLAYER_FORM
from arpad.regulations.all_editions import EVERY, TITLE_EDITIONS
from arpad.regulations.editions import CHESS_EDITIONS, DRAUGHTS_EDITIONS, in_force, named
from arpad.regulations.fide import editions as fide
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.regulations.own_editions import own_edition
from arpad.regulations.rubele import editions as rubele
from arpad.regulations.rubele.rules import DraughtsRules

R = TypeVar("R")

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
    day: date | None,
    on_list: ListName,
    editions: Sequence[Edition[DraughtsRules]] = DRAUGHTS_EDITIONS,
    today: date | None = None,
) -> Edition[DraughtsRules]:
    """Return the edition of Elo-Rubele: by name or file, else in force on a day, else today, else the newest.

    A name decides, whatever the day: an event may be computed again under another edition than its own.
    """
    return (
        _chosen(name, None if name else day or today, on_list, editions, rubele.PROCEDURES) or rubele.NEWEST
    )


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


def choose_titles(
    name: str | None = None,
    day: date | None = None,
    editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS,
) -> Edition[TitleRules]:
    """Return the title edition by name or TOML file, else the one in force on the day, else the newest."""
    return _chosen(name, day, ListName.STANDARD, editions, ()) or TITLE_EDITIONS[-1]


def any_edition(name: str, own: Sequence[Edition[Any]] = ()) -> Edition[Any]:
    """Return an edition of ratings or titles by name, also an adopted one, or a federation's own from a TOML file."""
    return _named_or_own(
        name, EVERY if name.endswith(".toml") else (*EVERY, *own), (*fide.PROCEDURES, *rubele.PROCEDURES)
    )


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


# ------------------------------------------------------------------------------------------------- games, events


def parse_game(text: str, rating: int) -> RatedGame:
    """Return a game written ``OPPONENT:SCORE[:OWN[:EVENT]]``."""
    parts = text.split(":", 3)
    if len(parts) < 2:  # noqa: PLR2004  opponent and score
        raise BadInput("game-form", option="game", value=text, accepted=GAME_FORM)
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


# ----------------------------------------------------------------------------------------------------------- parameters


MOST_RATED_GAMES = 100_000
MOST_ITEMS = 200
"""Games, opponents or events in one question from the site."""

SHORT, LONG = 40, 2000
"""Characters of a name, and of a text with many figures, in one question from the site."""

ABOUT_EDITION = (
    "Edition by name (a command also takes a TOML file); default: today's in an office, else the newest."
)

ChessList: TypeAlias = Annotated[
    Literal["standard", "rapid", "blitz"], Accepts(example="standard", about="The rating list.")
]
EditionName: TypeAlias = Annotated[
    str | None,
    Accepts(example="fide-2017", longest=SHORT, form="NAME", about=ABOUT_EDITION),
]
EditionDay: TypeAlias = Annotated[
    date | None, Accepts(example="2018-03-01", about="The edition in force on that day.")
]


def _rating(example: str, about: str) -> Accepts:
    return Accepts(example=example, form="N", low=0, high=HIGHEST_RATING, about=about)


Rating: TypeAlias = Annotated[int, _rating("1850", "The player's rating, 0 to 4000.")]
Opponent: TypeAlias = Annotated[int, _rating("2000", "The opponent's rating.")]
Peak: TypeAlias = Annotated[int, _rating("2410", "The highest rating ever published.")]
Born: TypeAlias = Annotated[
    Birth,
    Accepts(
        example="2001-05-05", longest=SHORT, form="YYYY-MM-DD|YYYY", about="Date or year of birth.",
        read=parse_birth,
    ),
]  # fmt: skip
On: TypeAlias = Annotated[
    date | None, Accepts(example="2017-09-01", about="The first day of the period; default: date.")
]
FromStandard: TypeAlias = Annotated[
    bool,
    Accepts(example="false", about="The rating is the standard one; this list has none (RB 7.2.1)."),
]
Score: TypeAlias = Annotated[
    HalfPoints, Accepts(example="2", longest=SHORT, form="N", about="The points scored.", read=parse_score)
]
RatedGames: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="1900:1 2000:0.5", longest=MOST_ITEMS, form=GAME_FORM, about="A game; repeat for each one."
    ),
]
GivenK: TypeAlias = Annotated[
    int | None, Accepts(example="20", form="N", high=HIGHEST_K, about="K; default: from the facts below.")
]
GamesForK: TypeAlias = Annotated[
    int | None,
    Accepts(example="40", form="N", low=0, high=MOST_RATED_GAMES, about="Games rated so far, for K."),
]
GamesRated: TypeAlias = Annotated[
    int,
    Accepts(example="40", form="N", low=0, high=MOST_RATED_GAMES, about="Games rated so far on this list."),
]
Events: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="2220,2220,2220:1 2150,2150,2150,2150,2150:3", longest=LONG, form=EVENT_FORM,
        about="A Swiss event; repeat for each one.",
    ),
]  # fmt: skip
Affiliated: TypeAlias = Annotated[
    bool, Accepts(example="true", about="A member of IBCA, ICSC or IPCA (7.14g).")
]
Players: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="2000:3 1900:2.5 1850:2 1800:1.5 -:1", longest=MOST_ITEMS, form=PLAYER_FORM,
        about="A player, - if unrated, with points in all or a row as x1=0.",
    ),
]  # fmt: skip
CountedBefore: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="5",
        longest=MOST_ITEMS,
        form="N",
        about="An unrated player with an earlier event that counts.",
    ),
]
Double: TypeAlias = Annotated[bool, Accepts(example="false", about="A double round robin.")]
Opponents: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="2400,2350,2300",
        longest=LONG,
        form="RATING…",
        about="The ratings of the opponents, one a game.",
    ),
]
