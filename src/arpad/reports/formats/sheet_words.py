"""The words of a sheet: its columns and the facts about the event, in each language of ``sheet_headings/``.

The first word of a field is written, all of them are understood, in whatever language a sheet is written.
Case, accents and punctuation do not matter.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

Words = Mapping[str, Mapping[str, Sequence[str]]]
"""The words of each field by table: ``player``, ``game``, ``event``, and ``sheet`` for the names of the sheets."""

EVENT_KEYS = (
    "name", "city", "federation", "first_day", "last_day", "players", "rated_players", "teams", "rounds", "kind",
    "coded_kind", "chief_arbiter", "deputies", "time_control", "coded_time_control", "round_day", "team", "points",
    "match_points", "first_colour", "starting_rank", "pairing_program", "tie_breaks", "standings_order",
    "board_colours",
)  # fmt: skip
"""The facts about an event in the order of a written sheet."""


@cache
def words_of_languages() -> Mapping[str, Words]:
    """Return the words of each language that has some; English first, whose meaning of a word counts."""
    entries = [
        entry for entry in (files(__package__) / "sheet_headings").iterdir() if entry.name.endswith(".toml")
    ]
    names = sorted(
        (entry.name.removesuffix(".toml") for entry in entries), key=lambda name: (name != "en", name)
    )
    texts = {entry.name.removesuffix(".toml"): entry.read_text(encoding="utf-8") for entry in entries}
    return {name: tomllib.loads(texts[name]) for name in names}


_LETTERS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return a name for comparison: lower-case without accents, points and colons, single blanks.

    Cached, since each cell of a row is compared with the headings of three tables.
    """
    letters = unicodedata.normalize("NFKD", text.replace("°", " ").replace("º", " ").casefold())
    if not letters.isascii():
        letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(_LETTERS.findall(letters))


@cache
def _fields(table: str) -> Mapping[str, str]:
    """Return the field that each word of a table means."""
    fields: dict[str, str] = {}
    for words in words_of_languages().values():
        for field, names in words[table].items():
            for name in names:
                fields.setdefault(folded(name), field)
    return fields


def heading(table: str, field: str, language: str) -> str:
    """Return the word written above a column or before a fact; of ``sheet`` the name of a worksheet, or a sign."""
    languages = words_of_languages()
    return languages.get(language, languages["en"])[table][field][0]


def field_of(table: str, text: str) -> str | None:
    """Return the field of a heading or a key, None if unknown; ``#`` is the number of a player."""
    if table == "player" and text.strip() == "#":
        return "number"
    return _fields(table).get(folded(text))


@cache
def _round_heading() -> re.Pattern[str]:
    words = {folded(word) for each in words_of_languages().values() for word in each["sheet"]["round"]}
    before = "|".join(sorted(words, key=lambda word: (-len(word), word)))
    after = "|".join(sorted((word for word in words if len(word) > 1), key=lambda word: (-len(word), word)))
    number = "0*([1-9][0-9]{0,2})"
    return re.compile(rf"(?:{before})? ?{number}|{number} ?(?:{after})")


def round_number(text: str) -> int | None:
    """Return the round of a heading: ``R3``, ``T. 3``, ``Turno 3``, ``3``."""
    match = _round_heading().fullmatch(folded(text))
    return int(match[1] or match[2]) if match else None
