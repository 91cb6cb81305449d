"""Files of games as PGN and PDN write them: tag pairs in brackets, then the moves of one game.

Moves are counted, not understood, and only up to the two that make a game played. Skipped on the way: comments in
braces and from a semicolon to the end of the line, variations however deep, glyphs (``$4``, ``!?``), move numbers,
and escape lines that begin with ``%``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from arpad.model.errors import Unreadable
from arpad.reports.formats.trf_columns import TAG_FIELDS
from arpad.reports.report import Entrant, FileMap, Report, Spot, TextEdit

MOST_GAMES = 50_000
_PIECES, _PIECES_A_GAME = 200_000, 60
"""Limit of tags and pieces of text before the second move: for a file, and for each of its games."""

BOTH = 2
"""Half-moves after which both sides have moved."""

_TAG = re.compile(r'\[\s*([A-Za-z0-9_+#=:-]+)\s*"((?:[^"\\\r\n]|\\.)*)"\s*\]')
_FIRST_TAG = re.compile(r"^[ \t\ufeff]*\[", re.MULTILINE)
_UNCLOSED = re.compile(r'\[\s*([A-Za-z0-9_+#=:-]+)\s*"')
_ESCAPED = re.compile(r"\\(.)")
_MOVETEXT = re.compile(
    r"(?P<escape>^%[^\r\n]*)|(?P<comment>\{[^}]*\}?|;[^\r\n]*)|(?P<open>\(+)|(?P<close>\)+)|(?P<tag>\[)"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|0-0|\*)(?![^\s(){};\[]))"
    r"|(?P<word>[^\s(){};\[]+)",
    re.MULTILINE,
)
_REST = re.compile(r"(?:[^{;\[\n]++|\n(?!%)|\{[^}]*\})+")
"""Text to skip once both sides have moved."""

_RESULT = re.compile(r"(?:^|\s)(1-0|0-1|1/2-1/2|2-0|0-2|1-1|0-0|\*)\s*$")
_NO_MOVE = re.compile(r"[0-9]+\.*|\.+|\$[0-9]*|[!?]+")
_PLAYER_TAGS = {"name": "", "rating": "Elo", "title": "Title", "federation": "Fed", "id": "FideId"}
_EVENT_TAGS = {
    "name": "Event", "city": "Site", "federation": "EventCountry", "kind": "EventType", "first_day": "Date",
    "last_day": "Date", "time_control": "TimeControl", "coded_time_control": "TimeControl",
}  # fmt: skip
_SPELLINGS = str.maketrans({":": "-", "–": "-", "—": "-", "½": "1/2", " ": ""})


@dataclass(slots=True)
class TaggedGame:
    """A game: its tags with their positions, the number of moves, and the result after them."""

    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line and column of the value of each tag."""

    line: int = 1
    moves: int = 0
    """Half-moves, counted up to two: White's first and Black's."""

    result: str = ""
    """The result after the moves, empty if there is none."""

    @property
    def begun(self) -> bool:
        """Return whether moves or a result were read."""
        return bool(self.moves or self.result)

    def tag(self, name: str) -> str:
        """Return the value of a tag; empty for ``?`` and ``-``."""
        value = self.tags.get(name, "").strip()
        return "" if value in ("?", "-", "????.??.??") else value


def read_games(lines: Sequence[str]) -> Iterator[TaggedGame]:
    """Yield the games of a file; the first tag of a game, repeated, begins the next game."""
    text = "".join(lines)
    places = _Places(text)
    begin = _FIRST_TAG.search(text)
    game, position, depth = TaggedGame(), begin.end() - 1 if begin else len(text), 0
    while match := _MOVETEXT.search(text, position):
        position, kind = match.end(), match.lastgroup
        places.spend(game)
        if kind == "tag":
            tag = _tag_at(text, match.start(), places)
            if game.tags and (game.begun or tag[1] == next(iter(game.tags))):
                yield game
                game = TaggedGame()
            _take_tag(tag, game, places)
            position, depth = tag.end(), 0
        else:
            depth = _take_word(kind, match[0], game, depth)
        if game.moves == BOTH:
            position = _skip_rest(text, position, game)
    if game.tags:
        yield game


def _tag_at(text: str, start: int, places: _Places) -> re.Match[str]:
    """Return the tag pair that begins at a position."""
    match = _TAG.match(text, start)
    if match is None:
        line, column = places.of(start)
        code = "tag-unclosed" if _UNCLOSED.match(text, start) else "tag-unreadable"
        raise Unreadable(code, line=line, column=column)
    return match


def _take_tag(tag: re.Match[str], game: TaggedGame, places: _Places) -> None:
    if not game.tags:
        game.line = places.of(tag.start())[0]
        places.games += 1
    game.tags.setdefault(tag[1], _ESCAPED.sub(r"\1", tag[2]))
    game.places.setdefault(tag[1], places.of(tag.start(2)))


def _take_word(kind: str | None, word: str, game: TaggedGame, depth: int) -> int:
    """Read one piece of the moves; return how many variations are open after it."""
    if kind == "open":
        return depth + len(word)
    if kind == "close":
        return max(0, depth - len(word))
    if depth == 0 and game.tags:
        if kind == "result":
            game.result = word  # the last one ends the game; 0-0 may be castling
        elif kind == "word" and not _NO_MOVE.fullmatch(word):
            game.moves = min(game.moves + 1, BOTH)
    return depth


def _skip_rest(text: str, position: int, game: TaggedGame) -> int:
    """Skip to the next possible tag or unusual comment, and keep a result before it."""
    rest = _REST.match(text, position)
    if rest is None:
        return position
    ending = _RESULT.search(text, max(rest.end() - 20, position), rest.end())
    if ending:
        game.result = ending[1]
    return rest.end()


class _Places:
    """Line and column of increasing positions, and a guard against files of tags without moves."""

    def __init__(self, text: str) -> None:
        self.games = self._pieces = 0
        self._ends = re.compile(r"\r\n|\r|\n").finditer(text)
        self._line, self._start, self._next = 1, 0, self._following()

    def spend(self, game: TaggedGame) -> None:
        """Guard against files with many tags and no moves."""
        self._pieces += game.moves < BOTH
        if self._pieces > _PIECES + _PIECES_A_GAME * self.games:
            raise Unreadable("games-nonsense", line=game.line, column=1)
        if self.games > MOST_GAMES:
            raise Unreadable("games-too-many", limit=MOST_GAMES)

    def _following(self) -> int | None:
        match = next(self._ends, None)
        return match.end() if match else None

    def of(self, position: int) -> tuple[int, int]:
        while self._next is not None and self._next <= position:
            self._line, self._start, self._next = self._line + 1, self._next, self._following()
        return self._line, position - self._start + 1


def format_tags(tags: Mapping[str, str]) -> str:
    """Return tag pairs, one per line, and a blank line."""
    return "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items()) + "\n"


def game_tags(
    report: Report, number: int, sides: Mapping[str, str], result: str, day: date | None
) -> dict[str, str]:
    """Return the tags that begin a game; ``sides`` are the names of White and Black."""
    return {
        "Event": report.header.name or "?",
        "Site": report.header.city or "?",
        "Date": day.strftime("%Y.%m.%d") if day else "????.??.??",
        "Round": str(number),
        **sides,
        "Result": result,
    }


def _quoted(value: str) -> str:
    plain = re.sub(r"[\x00-\x1f\x7f]+", " ", value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


@dataclass(frozen=True)
class TagMap(FileMap):
    """The games of a file, with the players of each."""

    games: Sequence[TaggedGame]
    players: Sequence[tuple[int, int]]
    """The start numbers of White and Black in each game; 0 for no player."""

    rounds: Sequence[int]
    results: Mapping[str, str]
    """The results that the format knows."""

    source: Sequence[str]
    delimiter: str = '"'

    def player(self, entrant: Entrant, field: str) -> Spot | None:
        """Return the place of a field of an entrant: the first tag that has it."""
        tags = [f"{side}{_PLAYER_TAGS[field]}" for side in ("White", "Black") if field in _PLAYER_TAGS]
        for game, pair in zip(self.games, self.players, strict=True):
            for tag, number in zip(tags, pair, strict=False):
                if number == entrant.number and tag in game.places:
                    return Spot(*game.places[tag])
        return super().player(entrant, field)

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:
        """Return the place of the result of an entrant in a round."""
        for game, pair, number in zip(self.games, self.players, self.rounds, strict=True):
            if number == round_number and entrant.number in pair:
                return Spot(*game.places.get("Result", (game.line, 1)))
        return super().game(entrant, round_number, field)

    def header(self, *tags: str) -> Spot | None:
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        names = [_EVENT_TAGS.get(TAG_FIELDS.get(tag, ""), "") for tag in tags]
        places = (game.places[name] for name in names for game in self.games if name in game.places)
        place = next(places, None)
        return Spot(*place) if place else None

    def write_result(self, line: int) -> list[TextEdit]:
        """Return the edit that writes a result: as the moves end, or in the spelling of the format."""
        game = next((game for game in self.games if game.places.get("Result", (0, 0))[0] == line), None)
        if game is None:
            return []
        (line, column), old = game.places["Result"], game.tags["Result"]
        spelled = old.translate(_SPELLINGS)
        ended = game.result if game.result in self.results else ""
        known = {text for text in (spelled, ended) if text in self.results and text != "*"}
        written = self.source[line - 1][column - 1 : column - 1 + len(old)]
        return [TextEdit(line, column, old, *known)] if len(known) == 1 and written == old else []
