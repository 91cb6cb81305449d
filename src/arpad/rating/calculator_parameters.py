"""The parameters of the calculators of chess: how each is read, shown and bounded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, TypeAlias

from arpad.model.declared import Accepts
from arpad.model.exact import HalfPoints
from arpad.model.people import Birth
from arpad.model.typed_values import HIGHEST_K, HIGHEST_RATING, parse_birth, parse_score
from arpad.rating.arguments import EVENT_FORM, GAME_FORM
from arpad.rating.round_robin import FORM as PLAYER_FORM

MOST_RATED_GAMES = 100_000
MOST_ITEMS = 200
"""Games, opponents or events in one question from the site."""

SHORT, LONG = 40, 2000
"""Characters of a name, and of a text with many figures, in one question from the site."""

ChessList: TypeAlias = Annotated[
    Literal["standard", "rapid", "blitz"], Accepts(example="standard", about="The rating list.")
]
EditionName: TypeAlias = Annotated[
    str | None,
    Accepts(
        example="fide-2017", longest=SHORT, form="NAME",
        about="Edition by name (a command also takes a TOML file); default: today's in an office, else the newest.",
    ),
]  # fmt: skip
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
