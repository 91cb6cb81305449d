"""Draughts games in PDN 3.0: tag pairs and results make a report, the moves are passed over.

GameType 20 is international draughts, with results 2-0, 1-1, 0-2; 22 is Italian draughts, with 1-0, 1/2-1/2, 0-1.
Both name the same three cases, and both are understood in either. ``0-0`` is a game lost by both, ``*`` one without
a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from arpad.errors import Unreadable
from arpad.formats.encoding import read_text
from arpad.formats.notes import Notes
from arpad.model import Finding, ListName, Severity
from arpad.report import Entrant, Header, Record, Report, Round

GAME_TYPES: Mapping[str, ListName] = {"20": ListName.INTERNAZIONALE, "22": ListName.ITALIANA}
GAME_TYPE = "GameType"

RESULTS: Mapping[str, str] = {
    "2-0": "10", "1-1": "==", "0-2": "01",
    "1-0": "10", "1/2-1/2": "==", "0-1": "01",
    "0-0": "--", "*": "",
}  # fmt: skip
"""The letters of White and Black."""

WRITTEN: Mapping[str, Mapping[str, str]] = {
    "20": {"1": "2-0", "=": "1-1", "0": "0-2"},
    "22": {"1": "1-0", "=": "1/2-1/2", "0": "0-1"},
}
UNPLAYED: Mapping[str, str] = {"1": "+", "=": "D", "0": "-", "-": "-"}
_UNPLAYED_WORDS = ("forfeit", "unplayed", "default", "walkover")

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_RESULT_AT_END = re.compile(r"(?:^|\s)(2-0|1-1|0-2|1-0|1/2-1/2|0-1|0-0|\*)\s*$")
_COMMENT = re.compile(r"\{[^}]*\}")


@dataclass(slots=True)
class PdnGame:
    """One game as the file gives it."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)

    def tag(self, name: str) -> str:
        """A tag's value; nothing where it is missing or unknown."""
        text = self.tags.get(name, "").strip()
        return "" if text in {"?", "-", "????.??.??"} else text


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001 (all readers are called alike)
    """The report that the games of a PDN file make."""
    text = read_text(data)
    notes = Notes(list(text.findings))
    games = list(_games(text.lines))
    if not games:
        raise Unreadable("pdn-no-games", line=1, column=1)
    kind = _game_type(games)
    entrants = _entrants(games, notes)
    numbers = {entrant.name: entrant.number for entrant in entrants}
    rounds = tuple(_round(of_round, numbers, notes) for of_round in _by_round(games, notes))
    days = sorted(day for game in games for day in _days(game))
    first = games[0]
    header = Header(
        name=first.tag("Event"),
        city=first.tag("Site"),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
        players=len(entrants),
        rounds=len(rounds),
    )
    records = (Record(GAME_TYPE, {"type": kind}),) if kind else ()
    return Report(
        header,
        entrants,
        rounds,
        format="pdn",
        source=text.lines,
        findings=notes.all(),
        records=records,
        encoding=text.encoding,
    )


def discipline(report: Report) -> ListName | None:
    """The discipline that a report read from PDN declares."""
    for record in report.records:
        if record.tag == GAME_TYPE:
            return GAME_TYPES[record.fields["type"]]
    return None


# ------------------------------------------------------------------------------------------------- games


def _games(lines: Sequence[str]) -> Iterator[PdnGame]:
    """The games of a file: a tag after moves, or one that was there already, begins the next."""
    game: PdnGame | None = None
    in_comment = False
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if in_comment or not line.startswith("["):
            if game is not None and line and not line.startswith("%"):
                game.moves.append(line)
            in_comment = (in_comment or "{" in line) and line.rfind("}") <= line.rfind("{")
            continue
        found = _TAG.findall(line)
        if not found:
            raise Unreadable("pdn-tag", line=number, column=raw.index("[") + 1)
        for tag, value in found:
            if game is None or game.moves or tag in game.tags:
                if game is not None:
                    yield game
                game = PdnGame(number)
            game.tags[tag] = re.sub(r"\\(.)", r"\1", value)
    if game is not None:
        yield game


def _game_type(games: Sequence[PdnGame]) -> str:
    """The one game type of the file; nothing where no game declares it."""
    found = ""
    for game in games:
        given = game.tag(GAME_TYPE)
        number = given.partition(",")[0].strip()
        if given and (number not in GAME_TYPES or (found and number != found)):
            accepted = found or ", ".join(GAME_TYPES)
            raise Unreadable("pdn-game-type", line=game.line, given=given, accepted=accepted)
        found = number or found
    return found


def _letters(game: PdnGame) -> str:
    """White's and Black's letters; nothing for a game without a result."""
    given = game.tags.get("Result", "").strip()
    if not given:
        at_end = _RESULT_AT_END.search(_COMMENT.sub(" ", " ".join(game.moves)))
        given = at_end.group(1) if at_end else "*"
    if given not in RESULTS:
        accepted = ", ".join(RESULTS)
        raise Unreadable("pdn-result", line=game.line, given=given, accepted=accepted)
    letters = RESULTS[given]
    if any(word in game.tag("Termination").casefold() for word in _UNPLAYED_WORDS):
        return "".join(UNPLAYED[letter] for letter in letters)
    return letters


def _days(game: PdnGame) -> Iterator[date]:
    for tag in ("Date", "EventDate"):
        try:
            yield date(*map(int, game.tag(tag).split(".")))
        except (ValueError, TypeError):
            continue


# --------------------------------------------------------------------------------------- players and rounds


def _entrants(games: Sequence[PdnGame], notes: Notes) -> tuple[Entrant, ...]:
    found: dict[str, Entrant] = {}
    for game in games:
        for side in ("White", "Black"):
            name = game.tag(side)
            if not name:
                raise Unreadable("pdn-no-player", line=game.line)
            digits = game.tag(f"{side}Rating")
            rating = int(digits) if digits.isascii() and digits.isdigit() and int(digits) else None
            if name not in found:
                id_ = game.tag(f"{side}FmjdId") or game.tag(f"{side}Id")
                title = game.tag(f"{side}Title")
                found[name] = Entrant(len(found) + 1, name, rating, title=title, id=id_, line=game.line)
            elif rating and found[name].rating not in (None, rating):
                first = found[name].rating
                notes.add(
                    Severity.WARNING,
                    "draughts-rating-differs",
                    game.line,
                    name=name,
                    first=first,
                    other=rating,
                )
        if game.tag("White") == game.tag("Black"):
            raise Unreadable("pdn-self", line=game.line, player=game.tag("White"))
    return tuple(found.values())


def _by_round(games: Sequence[PdnGame], notes: Notes) -> list[list[PdnGame]]:
    """The games of each round; where games name none, each goes into the first round in which both are free."""
    named: dict[tuple[int, ...], list[PdnGame]] = {}
    unnamed: list[PdnGame] = []
    for game in games:
        parts = game.tag("Round").split(".")
        if all(part.isascii() and part.isdigit() for part in parts):
            named.setdefault(tuple(map(int, parts)), []).append(game)
        else:
            unnamed.append(game)
    rounds = [named[key] for key in sorted(named)]
    if unnamed:
        notes.add(Severity.WARNING, "draughts-rounds-guessed", unnamed[0].line)
    for game in unnamed:
        pair = {game.tag("White"), game.tag("Black")}
        free = next((held for held in rounds if not pair & _playing(held)), None)
        if free is None:
            rounds.append([game])
        else:
            free.append(game)
    return rounds


def _playing(games: Sequence[PdnGame]) -> set[str]:
    return {game.tag(side) for game in games for side in ("White", "Black")}


def _round(of_round: Sequence[PdnGame], numbers: Mapping[str, int], notes: Notes) -> Round:
    opponents, colours, results = [0] * len(numbers), [" "] * len(numbers), [" "] * len(numbers)
    for game in of_round:
        white, black = numbers[game.tag("White")], numbers[game.tag("Black")]
        letters = _letters(game)
        if not letters:
            sides = game.tag("White"), game.tag("Black")
            notes.add(Severity.WARNING, "draughts-unfinished", game.line, white=sides[0], black=sides[1])
            continue
        for own, other, colour, letter in zip((white, black), (black, white), "wb", letters, strict=True):
            if opponents[own - 1]:
                player = next(name for name, number in numbers.items() if number == own)
                raise Unreadable("pdn-twice-in-round", line=game.line, player=player, round=game.tag("Round"))
            opponents[own - 1], colours[own - 1], results[own - 1] = other, colour, letter
    days = {day for game in of_round for day in _days(game)}
    day = days.pop() if len(days) == 1 else None
    return Round(tuple(opponents), "".join(colours), "".join(results), day)


# ----------------------------------------------------------------------------------------------- writing


def write(report: Report, format: str) -> tuple[bytes, tuple[Finding, ...]]:  # noqa: A002, ARG001 (only one)
    """One game without moves for each pairing; byes have no place in PDN, and a finding says so."""
    kind = next((record.fields["type"] for record in report.records if record.tag == GAME_TYPE), "20")
    text: list[str] = []
    lost = 0
    for place, entrant in enumerate(report.entrants):
        for game in report.games(place):
            if not game.opponent or game.opponent not in report.places:
                lost += 1
            elif game.colour == "w" or (game.colour != "b" and game.number < game.opponent):
                opponent = report.entrants[report.places[game.opponent]]
                text.append(_written(report, kind, game.round, (entrant, opponent), game.result))
    findings = (Finding(Severity.WARNING, "pdn-byes-lost", facts={"count": lost}),) if lost else ()
    return "\n".join(text).encode("utf-8"), findings


def _written(report: Report, kind: str, round_: int, sides: tuple[Entrant, Entrant], result: str) -> str:
    played = {"+": "1", "-": "0", "W": "1", "D": "=", "L": "0"}.get(result, result)
    day = report.rounds[round_ - 1].day or report.header.first_day
    tags = {
        "Event": report.header.name,
        "Site": report.header.city,
        "Date": day.strftime("%Y.%m.%d") if day else "????.??.??",
        "Round": str(round_),
        GAME_TYPE: kind,
    }
    for side, entrant in zip(("White", "Black"), sides, strict=True):
        tags[side] = entrant.name
        tags[f"{side}Rating"] = str(entrant.rating or "")
        tags[f"{side}FmjdId"] = entrant.id
    outcome = WRITTEN[kind].get(played, "*")
    if _lost_by_both(report, round_, sides, result):
        outcome = "0-0"
    tags["Result"] = outcome
    tags["Termination"] = "forfeit" if played != result else ""
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items() if value]
    return "\n".join([*lines, "", outcome, ""])


def _lost_by_both(report: Report, round_: int, sides: tuple[Entrant, Entrant], result: str) -> bool:
    other = report.rounds[round_ - 1].results[report.places[sides[1].number]]
    return result == other == "-"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
