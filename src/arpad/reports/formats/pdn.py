"""Draughts games in PDN 3.0: a report from tag pairs and results; the moves are skipped.

- GameType 20 is international draughts, with results 2-0, 1-1, 0-2; 22 is Italian draughts, with 1-0, 1/2-1/2, 0-1.
  Both name the same three cases, and both are understood in either; any other game type is refused.
- A game against "bye" (without number and rating) is a bye.
- One file, one event: several Event tags are refused with their names.
- ``0-0`` is a game lost by both, ``*`` one without a result, with a finding.
- Termination "unplayed", "forfeit", "default" or "walkover" marks a game that was not played.
- Rounds: ``2.1`` and ``2.2`` are two rounds, in that order, since a meeting may be of several games. Games without
  round go into the next round in which both players are free.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from arpad.model.errors import Unreadable
from arpad.model.rules import Finding, ListName, Severity
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, header_losses, player_losses, record_losses
from arpad.reports.formats.pairings import (
    BYE_LETTERS,
    NOBODY,
    EntrantIndex,
    Pairing,
    into_free_rounds,
    rounds_of,
)
from arpad.reports.formats.tagpairs import TaggedGame, TagMap, format_tags, game_tags, read_games
from arpad.reports.formats.written_values import digits, read_day
from arpad.reports.report import PLAYED, Entrant, Header, Record, Report

GAME_TYPE = "GameType"
GAME_TYPES: Mapping[str, ListName] = {"20": ListName.INTERNAZIONALE, "22": ListName.ITALIANA}
RESULTS: Mapping[str, str] = {
    "2-0": "10", "1-1": "==", "0-2": "01",
    "1-0": "10", "1/2-1/2": "==", "0-1": "01",
    "0-0": "--", "*": "  ",
}  # fmt: skip
"""The letters of White and Black."""

_SHOWN = 10
_NOT_PLAYED = str.maketrans("1=0", "+D-")
_FORFEITS = re.compile(r"unplayed|forfeit|default|no.?show|walk.?over", re.IGNORECASE)
_ROUND = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{1,3})*")
_HELD_HEADER = frozenset({"name", "city", "first_day"})
_HELD_PLAYER = frozenset({"number", "name", "rating", "title", "id"})


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001 (all readers are called alike)
    """Return the report of the games in a PDN file."""
    text = read_text(data)
    notes = Notes(list(text.findings))
    games = list(read_games(text.lines))
    if not games:
        raise Unreadable("pdn-no-games", line=1, column=1)
    _refuse_several_events(games)
    kind = _game_type(games)
    roster = EntrantIndex()
    sides = [(_player(game, "White", roster, notes), _player(game, "Black", roster, notes)) for game in games]
    for game, pair in zip(games, sides, strict=True):
        if not any(pair):
            raise Unreadable("pdn-no-player", line=game.line, column=1)
    rounds = _rounds(games, sides, notes)
    days = [_day(game, "Date") for game in games]
    pairings = [
        _pairing(number, white, black, _letters(game, notes), day, game.line)
        for game, (white, black), number, day in zip(games, sides, rounds, days, strict=True)
    ]
    entrants = roster.entrants()
    return Report(
        _header(games, days),
        entrants,
        rounds_of(pairings, entrants, notes),
        format="pdn",
        source=text.lines,
        findings=notes.all(),
        records=(Record(GAME_TYPE, {"type": kind}),) if kind else (),
        encoding=text.encoding,
        file_map=TagMap(games, sides, rounds, RESULTS, text.lines),
    )


def _pairing(number: int, white: int, black: int, letters: str, day: date | None, line: int) -> Pairing:
    """Return a game, or a bye if one side has no player."""
    if white and black:
        return Pairing(number, white, black, letters, day, line, 1)
    return Pairing(number, white or black, 0, BYE_LETTERS[letters[0 if white else 1]], day, line, 1)


def discipline(report: Report) -> ListName | None:
    """Return the discipline that a report read from PDN declares."""
    kind = _declared(report)
    return GAME_TYPES[kind] if kind else None


def _declared(report: Report) -> str:
    return next((record.fields["type"] for record in report.records if record.tag == GAME_TYPE), "")


def _refuse_several_events(games: Sequence[TaggedGame]) -> None:
    named = {name: game for game in reversed(games) if (name := game.tag("Event"))}
    if len(named) > 1:
        names = tuple(sorted(named, key=lambda name: named[name].line))
        line = named[names[1]].line
        raise Unreadable("pdn-several-events", line=line, column=1, events=names[:_SHOWN])


def _game_type(games: Sequence[TaggedGame]) -> str:
    """Return the game type of the file; None if no game declares it."""
    declared = ""
    for game in games:
        text = game.tag(GAME_TYPE)
        number = text.partition(",")[0].strip()
        if text and (number not in GAME_TYPES or (declared and number != declared)):
            line, column = game.places[GAME_TYPE]
            accepted = declared or ", ".join(GAME_TYPES)
            raise Unreadable("pdn-game-type", line=line, column=column, given=text[:60], accepted=accepted)
        declared = number or declared
    return declared


def _player(game: TaggedGame, side: str, roster: EntrantIndex, notes: Notes) -> int:
    """Return the start number of a side, 0 for no player; add a new player."""
    name, player_id = game.tag(side), game.tag(f"{side}FmjdId")
    rating = digits(game.tag(f"{side}Rating")) or None
    if name.casefold() in NOBODY and not player_id and not rating:
        return 0
    if not name and not player_id:
        raise Unreadable("pdn-no-player", line=game.line, column=1)
    mentioned = Entrant(
        roster.free_number(), name, rating, title=game.tag(f"{side}Title"), id=player_id, line=game.line
    )
    start_number = roster.find(name, player_id)
    if start_number is None:
        return roster.add(mentioned)
    entrant = roster.complete(start_number, mentioned)
    if rating and entrant.rating and rating != entrant.rating:
        line, column = game.places[f"{side}Rating"]
        notes.count(
            Severity.WARNING, "draughts-rating-differs", line, column,
            player=start_number, name=entrant.name, first=entrant.rating, other=rating,
        )  # fmt: skip
    return start_number


def _letters(game: TaggedGame, notes: Notes) -> str:
    """Return White's and Black's letters; blanks for a game without a result."""
    written = "".join(game.tags.get("Result", "").split()) or game.result or "*"
    if written not in RESULTS:
        line, column = game.places.get("Result", (game.line, 1))
        raise Unreadable(
            "pdn-result", line=line, column=column, given=written[:60], accepted=", ".join(RESULTS)
        )
    letters = RESULTS[written]
    if written == "*":
        sides = {"white": game.tag("White"), "black": game.tag("Black")}
        notes.findings.append(Finding(Severity.WARNING, "draughts-unfinished", line=game.line, facts=sides))
    return letters.translate(_NOT_PLAYED) if _FORFEITS.search(game.tag("Termination")) else letters


def _rounds(games: Sequence[TaggedGame], sides: Sequence[tuple[int, int]], notes: Notes) -> list[int]:
    """Return the round of each game, counted from one."""
    keys = [_round_key(game) for game in games]
    order = {key: number for number, key in enumerate(sorted({key for key in keys if key}), start=1)}
    if all(len(key) == 1 for key in order):
        order = {key: key[0] for key in order}
    rounds = [order.get(key, 0) for key in keys]
    for index in into_free_rounds(rounds, sides):
        notes.count(Severity.WARNING, "draughts-rounds-guessed", games[index].line, 1)
    return rounds


def _round_key(game: TaggedGame) -> tuple[int, ...]:
    text = game.tag("Round")
    return tuple(map(int, text.split("."))) if _ROUND.fullmatch(text) else ()


def _header(games: Sequence[TaggedGame], days: Sequence[date | None]) -> Header:
    known_days = [day for day in days if day]
    began = [day for game in games if (day := _day(game, "EventDate"))]
    return Header(
        name=games[0].tag("Event"),
        city=games[0].tag("Site"),
        first_day=min([*known_days, *began], default=None),
        last_day=max([*known_days, *began], default=None),
    )


def _day(game: TaggedGame, tag: str) -> date | None:
    """Return a date; None if it has question marks."""
    text = game.tag(tag)
    return next(iter(read_day(text).readings), None) if text and "?" not in text else None


# ----------------------------------------------------------------------------------------------- writing

_WRITTEN: Mapping[str, Sequence[str]] = {
    "20": ("2-0", "1-1", "0-2"),
    "22": ("1-0", "1/2-1/2", "0-1"),
}
_OUTCOMES: Mapping[str, int] = {
    "10": 0, "==": 1, "01": 2, "+-": 0, "-+": 2, "WL": 0, "DD": 1, "LW": 2,
}  # fmt: skip


def write(report: Report, format: str = "pdn") -> tuple[bytes, tuple[Finding, ...]]:  # noqa: A002, ARG001  as the protocol of formats names it
    """Return the tags of each game without moves and findings about losses; the default game type is international."""
    notes = Notes([*header_losses(report.header, _HELD_HEADER), *player_losses(report, _HELD_PLAYER)])
    other_records = tuple(record for record in report.records if record.tag != GAME_TYPE)
    if other_records or report.teams or report.national:
        notes.findings.extend(record_losses(report, teams=False))
    kind = _declared(report) or "20"
    byes = sum(not game.opponent for index in range(len(report.entrants)) for game in report.games(index))
    if byes:
        notes.add(Severity.WARNING, "pdn-byes-lost", count=byes)
    games = (_tags(report, kind, *game) for game in _games(report))
    return "".join(format_tags(tags) + tags["Result"] + "\n\n" for tags in games).encode(), notes.all()


def _games(report: Report) -> Iterator[tuple[int, int, int, str]]:
    """Yield round, the places of White and Black, and their letters."""
    for index in range(len(report.entrants)):
        for game in report.games(index):
            opponent = report.places.get(game.opponent)
            if opponent is not None and (game.colour == "w" or (game.colour != "b" and index < opponent)):
                theirs = report.rounds[game.round - 1].results[opponent]
                yield game.round, index, opponent, game.result + theirs


def _tags(report: Report, kind: str, number: int, white: int, black: int, letters: str) -> Mapping[str, str]:
    day = report.rounds[number - 1].day or report.header.first_day
    sides = {"White": report.entrants[white], "Black": report.entrants[black]}
    lost_by_both = letters == "--"
    outcome = _WRITTEN[kind][_OUTCOMES[letters]] if letters in _OUTCOMES else "0-0" if lost_by_both else "*"
    names = {side: entrant.name or "?" for side, entrant in sides.items()}
    tags = game_tags(report, number, names, outcome, day) | {GAME_TYPE: kind}
    for side, entrant in sides.items():
        facts = {"Rating": str(entrant.rating or ""), "Title": entrant.title, "FmjdId": entrant.id}
        tags.update({f"{side}{name}": value for name, value in facts.items() if value})
    if letters in _OUTCOMES and not set(letters) <= PLAYED:
        tags["Termination"] = "forfeit"
    return tags
