"""Positions of all fields in a TRF: the tables that drive its reader and its writer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from arpad.reports.formats.fixed_width import Layout, Tail

PLAYER = Layout.of(
    "number 5-8> sex 10-10 title 11-13> name 15-47 rating 49-52> federation 54-56 id 58-68> born 70-79 "
    "half_points 81-84> rank 86-89>"
)
"""The columns of a player, named as in ``Entrant``; national ratings use them too, up to the birth date."""

NATIONAL = Layout(PLAYER.columns[:8])

FIRST_CELL, CELL_STEP = 92, 10
CELL = Layout.of("opponent 1-4> colour 6-6 result 8-8")
"""One round, counted from its own first column."""

HEADER_TEXT = 5
"""The column at which the text of a line about the tournament begins."""


def cell_column(round_number: int) -> int:
    """Return the column at which the cell of a round begins."""
    return FIRST_CELL + CELL_STEP * (round_number - 1)


MAX_PLAYERS = 9999
"""The highest start number of four digits."""

MAX_ROUNDS = 300
"""Longer lines are no report; the longest double round robins have about 120 rounds."""


def rounds_in(length: int) -> int:
    """Return the number of rounds in a line of a length (without blanks at its end)."""
    return 0 if length < FIRST_CELL else (length - FIRST_CELL) // CELL_STEP + 1


Kind = Literal["text", "day", "count", "colour"]


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A line about the tournament: its tag, its field of ``Header``, and how its text is read."""

    tag: str
    field: str
    kind: Kind = "text"
    trf16: bool = True
    """Whether TRF16 has it; TRF26 has all except those of JaVaFo."""

    trf26: bool = True


HEADER_LINES = (
    HeaderLine("012", "name"),
    HeaderLine("022", "city"),
    HeaderLine("032", "federation"),
    HeaderLine("042", "first_day", "day"),
    HeaderLine("052", "last_day", "day"),
    HeaderLine("062", "players", "count"),
    HeaderLine("072", "rated_players", "count"),
    HeaderLine("082", "teams", "count"),
    HeaderLine("092", "kind"),
    HeaderLine("102", "chief_arbiter"),
    HeaderLine("122", "time_control"),
    HeaderLine("142", "rounds", "count", trf16=False),
    HeaderLine("XXR", "rounds", "count", trf26=False),
    HeaderLine("152", "first_colour", "colour", trf16=False),
    HeaderLine("XXC", "first_colour", "colour", trf26=False),
    HeaderLine("172", "starting_rank", trf16=False),
    HeaderLine("182", "pairing_program", trf16=False),
    HeaderLine("192", "coded_kind", trf16=False),
    HeaderLine("202", "tie_breaks", trf16=False),
    HeaderLine("212", "standings_order", trf16=False),
    HeaderLine("222", "coded_time_control", trf16=False),
    HeaderLine("352", "board_colours", trf16=False),
)
"""Lines with one field; deputies (112), round days (132) and point systems have their own readers."""

DEPUTY, DAYS, POINTS, MATCH_POINTS, JAVAFO_POINTS = "112", "132", "162", "362", "XXS"

TAG_FIELDS: Mapping[str, str] = {
    **{line.tag: line.field for line in HEADER_LINES}, DEPUTY: "deputies", DAYS: "round_day",
}  # fmt: skip
"""The field of the header for each tag, by which the checks of every format name it."""

_WIN, _DRAW, _LOSS = ("WW", "BW", "FW", "FPB"), ("WD", "BD", "HPB"), ("WL", "BL")
POINT_CODES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    POINTS: {"W": _WIN, "D": _DRAW, "L": _LOSS, "A": ("ZPB", "FL"), "P": ("PAB",), "X": ("X",)},
    JAVAFO_POINTS: {
        "W": _WIN,
        "D": _DRAW,
        **{
            code: (code,)
            for code in ("WW", "BW", "WD", "BD", "WL", "BL", "ZPB", "HPB", "FPB", "PAB", "FW", "FL")
        },
    },
    "BBW": {"": _WIN},
    "BBD": {"": _DRAW},
    "BBL": {"": _LOSS},
    "BBZ": {"": ("ZPB",)},
    "BBF": {"": ("FL",)},
    "BBU": {"": ("PAB",)},
}
"""The cases of ``report.worth`` that each letter of a line sets; X is an unfinished game."""

OLD_TEAM = Layout.of("tag 1-3 name 5-36", Tail(37, 4, 5))
TEAM = Layout.of(
    "number 5-7> name 9-40 nick 42-46 strength 48-53> match_points 55-60> game_points 62-67> rank 69-71>",
    Tail(74, 4, 5),
)
OLD_TEAM_TAG, TEAM_TAG = "013", "310"

RECORDS: Mapping[str, Layout] = {
    "240": Layout.of("type 5-5 round 7-9>", Tail(11, 4, 5)),
    "250": Layout.of(
        "match_points 5-8> game_points 10-13> first_round 15-17> last_round 19-21> first 23-26> last 28-31>"
    ),
    "260": Layout.of("first_round 5-7> last_round 9-11>", Tail(13, 4, 5)),
    "299": Layout.of("type 5-5 match_points 8-11> game_points 14-17> round 20-22>", Tail(24, 4, 5)),
    "300": Layout.of("round 5-7> team 9-11> opponent 13-15>", Tail(17, 4, 5)),
    "320": Layout.of("match_points 5-8> game_points 10-13>", Tail(15, 3, 4)),
    "330": Layout.of("type 5-6 round 8-10> white 12-14> black 16-18>"),
}
"""Requested byes, accelerations, forbidden pairings, awarded points, line-ups, team byes, forfeited matches."""

NUMBER_LISTS = frozenset({"XXP", "XXZ"})
"""Records of start numbers separated by blanks."""

KEPT = frozenset({"801", "802", "XXA", "DAT"})
"""Known records that are only kept: for information, or for a pairing program."""

PLAYER_TAG = "001"
ONLY_TRF26 = frozenset(
    {line.tag for line in HEADER_LINES if not line.trf16 and line.trf26}
    | {POINTS, MATCH_POINTS, TEAM_TAG, "801", "802"}
    | set(RECORDS)
)
EXTENSIONS = frozenset(
    {"XXR", "XXC", "XXA", "XXS", *NUMBER_LISTS} | {tag for tag in POINT_CODES if tag[:2] == "BB"}
)
KNOWN = frozenset(
    {line.tag for line in HEADER_LINES}
    | {PLAYER_TAG, DEPUTY, DAYS, OLD_TEAM_TAG}
    | ONLY_TRF26
    | EXTENSIONS
    | KEPT
)
