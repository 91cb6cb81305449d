"""PGN: read a report from the tags of games; write a report as tags without moves.

- Players are joined by FIDE id, else by name, and numbered by rating and name. The tags of the first game that has
  one give rating, title, federation.
- A game counts as played when both sides moved (5.1): two half-moves. With fewer it is unplayed, and its result the
  letters W, D, L. A game without any moves at all is taken as played when the tags alone are what the file holds (no
  game in it has moves) and its Termination does not say otherwise; a finding says so.
- Of games in which a side did not move, Termination "forfeit", "default" or "no show" makes a forfeit (``+ -``).
- ``*`` leaves the game without result, with a finding.
- A game against "bye" (without id and rating) is a bye.
- One file, one event: several Event tags are refused with their names, unless one of them is chosen.
- Rounds: ``3.2`` is round 3 (board 2); where that would pair a player twice in a round, each tag is a round of its own.
  Games without round are put into the next round in which both players are free.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from arpad.model.errors import BadInput, Unreadable
from arpad.model.names import as_written
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.encoding import read_text
from arpad.reports.formats.findings import Notes, header_losses, player_losses, record_losses
from arpad.reports.formats.pairings import (
    BYE_LETTERS,
    NOBODY,
    EntrantIndex,
    Pairing,
    into_free_rounds,
    rounds_of,
    shown_game,
)
from arpad.reports.formats.tagpairs import BOTH, TaggedGame, TagMap, format_tags, game_tags, read_games
from arpad.reports.formats.written_values import digits, read_day
from arpad.reports.report import BYES, PLAYED, Entrant, Header, Report, Result

MOST_ROUNDS = 999
_RESULTS = {"1-0": "10", "0-1": "01", "1/2-1/2": "==", "1/2": "==", "½-½": "==", "0-0": "00"}
_UNPLAYED = str.maketrans("1=0", "WDL")
_FORFEITED = str.maketrans("1=0", "+D-")
_FORFEITS = re.compile(r"(?:by\s+)?(?:forfeit|default|no.?show|walk.?over)", re.IGNORECASE)
"""A Termination tag that means a forfeit; "time forfeit" is a game that was played."""

_CODE = re.compile(r"(?:[0-9]+/)?[0-9]+(?:\+[0-9]+)?(?::(?:[0-9]+/)?[0-9]+(?:\+[0-9]+)?)*")
_ROUND = re.compile(r"([0-9]{1,4})(?:[.\-/]([0-9]{1,4}))*")
_HELD_HEADER = frozenset({"name", "city", "federation", "kind"})
_HELD_PLAYER = frozenset({"name", "rating", "title", "federation", "id"})


def read(data: bytes, name: str = "", event: str | None = None) -> Report:  # noqa: ARG001  all readers are called alike
    """Return the report in a PGN; ``event`` chooses one if the file has several."""
    text = read_text(data)
    notes = Notes(list(text.findings))
    games = _of_one_event(list(read_games(text.lines)), event)
    entrants, players = _players(games, notes)
    results = _results(games, players, notes)
    numbers = _rounds(games, players, notes)
    days = [_day(game, "Date", notes) for game in games]
    pairings = [
        Pairing(number, white or black, black if white else 0, result, day, game.line, 1)
        for game, (white, black), result, number, day in zip(
            games, players, results, numbers, days, strict=True
        )
    ]
    rounds = rounds_of(pairings, entrants, notes)
    header = _header(games, days, notes)
    file_map = TagMap(games, players, numbers, _RESULTS, text.lines)
    return Report(
        header,
        entrants,
        rounds,
        format="pgn",
        source=text.lines,
        findings=notes.all(),
        encoding=text.encoding,
        file_map=file_map,
    )


def _of_one_event(games: list[TaggedGame], event: str | None) -> list[TaggedGame]:
    if not games:
        raise Unreadable("pgn-no-games", line=1, column=1)
    names = tuple(dict.fromkeys(game.tag("Event") for game in games))
    if event is None:
        if len(names) > 1:
            stray = next(game for game in games if game.tag("Event") != names[0])
            raise Unreadable("pgn-several-events", line=stray.line, column=1, events=names[:10])
        return games
    chosen = [game for game in games if game.tag("Event") == event]
    if not chosen:
        raise BadInput("pgn-event-unknown", event=event, events=names[:10])
    return chosen


# --------------------------------------------------------------------------------------------- players


def _players(games: Sequence[TaggedGame], notes: Notes) -> tuple[tuple[Entrant, ...], list[tuple[int, int]]]:
    """Return the players, and White's and Black's start number in each game; 0 for no player.

    They are numbered by rating, then by name, so that the numbers do not depend on the order of the games.
    """
    roster, remarks = EntrantIndex(), Notes()
    met = [
        (_player(game, "White", roster, remarks), _player(game, "Black", roster, remarks)) for game in games
    ]
    for game, pair in zip(games, met, strict=True):
        if not any(pair):
            raise Unreadable("pgn-no-player", line=game.line, column=1, side="White")
    ranked = sorted(roster.entrants(), key=_rank)
    numbers = {0: 0} | {player.number: number for number, player in enumerate(ranked, start=1)}
    notes.findings.extend(_renumbered(remark, numbers) for remark in remarks.all())
    entrants = tuple(replace(player, number=numbers[player.number]) for player in ranked)
    return entrants, [(numbers[white], numbers[black]) for white, black in met]


def _rank(player: Entrant) -> tuple[int, str, str]:
    return -(player.rating or 0), as_written(written_name(player)), player.id


def _renumbered(remark: Finding, numbers: Mapping[int, int]) -> Finding:
    """Return a finding about a player with the final start number."""
    if remark.player is None:
        return remark
    number = numbers[remark.player]
    return replace(remark, player=number, facts={**remark.facts, "players": (number,)})


def _player(game: TaggedGame, side: str, roster: EntrantIndex, notes: Notes) -> int:
    """Return the start number of a side, 0 for no player; add a new player."""
    name, player_id = game.tag(side), game.tag(f"{side}FideId")
    player_id = "" if player_id == "0" else player_id
    rating = digits(game.tag(f"{side}Elo")) or None
    if name.casefold() in NOBODY and not player_id and not rating:
        return 0
    if not name and not player_id:
        raise Unreadable("pgn-no-player", line=game.line, column=1, side=side)
    mentioned = Entrant(
        roster.free_number(), name, rating, title=game.tag(f"{side}Title"), federation=game.tag(f"{side}Fed"),
        id=player_id, line=game.line,
    )  # fmt: skip
    start_number = roster.find(name, player_id)
    if start_number is None:
        if roster.namesakes(name) and not player_id:
            notes.add(Severity.WARNING, "pgn-name-in-doubt", *game.places[side], name=name)
        return roster.add(mentioned)
    entrant = roster.complete(start_number, mentioned)
    if name and entrant.name and as_written(name) != as_written(entrant.name):
        notes.count(
            Severity.WARNING,
            "pgn-names-differ",
            *game.places[side],
            player=start_number,
            name=entrant.name,
            other=name,
        )
    if rating and entrant.rating and rating != entrant.rating:
        position = game.places[f"{side}Elo"]
        notes.count(
            Severity.WARNING,
            "pgn-ratings-differ",
            *position,
            player=start_number,
            name=entrant.name,
            rating=entrant.rating,
        )
    return start_number


# --------------------------------------------------------------------------------------------- results


def _results(games: Sequence[TaggedGame], players: Sequence[tuple[int, int]], notes: Notes) -> Iterator[str]:
    """Return White's and Black's letters for each game, or the letter of a bye."""
    tags_only = not any(game.moves for game in games)
    if tags_only:
        notes.add(Severity.INFO, "pgn-tags-only", 1, 1)
    for game, (white, black) in zip(games, players, strict=True):
        yield _result(game, notes, tags_only=tags_only) if white and black else _bye(game, white=bool(white))


def _bye(game: TaggedGame, *, white: bool) -> str:
    """Return the letter of a bye, by its points."""
    letters = _RESULTS.get(_written_result(game), "00")
    return BYE_LETTERS[letters[0 if white else 1]]


def _written_result(game: TaggedGame) -> str:
    return "".join(game.tag("Result").split()) or game.result


def _result(game: TaggedGame, notes: Notes, *, tags_only: bool) -> str:
    line, column = game.places.get("Result", (game.line, 1))
    written = _written_result(game)
    letters = _RESULTS.get(written)
    if letters is None:
        code = "pgn-unfinished" if written in ("*", "") else "pgn-result"
        severity = Severity.WARNING if code == "pgn-unfinished" else Severity.ERROR
        notes.add(
            severity, code, line, column, text=written, white=game.tag("White"), black=game.tag("Black")
        )
        return "  "
    after = game.result
    if after in _RESULTS and _RESULTS[after] != letters:
        notes.add(Severity.WARNING, "pgn-results-differ", line, column, text=written, other=after)
    forfeited = _FORFEITS.fullmatch(game.tag("Termination"))
    unplayed = forfeited or letters == "00" or game.tag("Termination").lower() == "unplayed"
    if game.moves == BOTH or (tags_only and not unplayed):
        return letters
    if not tags_only:
        notes.add(
            Severity.INFO, "pgn-unplayed", line, column, white=game.tag("White"), black=game.tag("Black")
        )
    return letters.translate(_FORFEITED if forfeited or letters == "00" else _UNPLAYED)


# ---------------------------------------------------------------------------------------------- rounds


def _rounds(games: Sequence[TaggedGame], players: Sequence[tuple[int, int]], notes: Notes) -> list[int]:
    """Return the round of each game, counted from one."""
    keys = [_round_key(game) for game in games]
    whole = [key[0] if key else 0 for key in keys]
    if _repeats(whole, players) and len({key for key in keys if key}) > len(set(whole) - {0}):
        order = {key: index for index, key in enumerate(sorted({key for key in keys if key}), start=1)}
        whole = [order[key] if key else 0 for key in keys]
        notes.add(Severity.INFO, "pgn-rounds-split", 1, 1, rounds=len(order))
    for index in into_free_rounds(whole, players):
        notes.count(Severity.INFO, "pgn-no-round", games[index].line, 1)
    return whole


def _round_key(game: TaggedGame) -> tuple[int, ...]:
    text = game.tag("Round")
    if not _ROUND.fullmatch(text):
        return ()
    key = tuple(int(part) for part in re.split(r"[.\-/]", text))
    return key if 1 <= key[0] <= MOST_ROUNDS else ()


def _repeats(rounds: Sequence[int], players: Sequence[tuple[int, int]]) -> bool:
    counted = Counter(
        (number, player)
        for number, pair in zip(rounds, players, strict=True)
        for player in pair
        if number and player
    )
    return any(count > 1 for count in counted.values())


# ---------------------------------------------------------------------------------------------- header


def _header(games: Sequence[TaggedGame], days: Sequence[date | None], notes: Notes) -> Header:
    known_days = [day for day in days if day]
    began = next((day for game in games if (day := _day(game, "EventDate", notes))), None)
    time_control = next((text for game in games if (text := game.tag("TimeControl"))), "")
    coded = bool(_CODE.fullmatch(time_control))
    first = games[0]
    return Header(
        name=first.tag("Event"),
        city=first.tag("Site"),
        federation=first.tag("EventCountry"),
        first_day=min([*known_days, *([began] if began else [])], default=None),
        last_day=max(known_days, default=None),
        kind=first.tag("EventType"),
        time_control="" if coded else time_control,
        coded_time_control=time_control if coded else "",
    )


def _day(game: TaggedGame, tag: str, notes: Notes) -> date | None:
    """Return a date; None if it has question marks."""
    text = game.tag(tag)
    if not text or "?" in text:
        return None
    readings = read_day(text).readings
    if not readings:
        line, column = game.places[tag]
        notes.add(Severity.WARNING, "pgn-day", line, column, tag=tag, text=text[:60])
    return readings[0] if readings else None


# --------------------------------------------------------------------------------------------- writing

_WRITTEN = {
    "10": "1-0", "01": "0-1", "==": "1/2-1/2", "+-": "1-0", "-+": "0-1", "--": "0-0", "  ": "*",
    "WL": "1-0", "DD": "1/2-1/2", "LW": "0-1",
}  # fmt: skip


def write(report: Report, format: str = "pgn") -> tuple[bytes, tuple[Finding, ...]]:  # noqa: A002  as the protocol of formats names it
    """Return the tags of each game without moves, and findings about what PGN cannot express."""
    if format != "pgn":
        raise BadInput("format-unknown", format=format, accepted=("pgn",))
    expressible = (
        _HELD_HEADER
        | _held_by_days(report)
        | {"coded_time_control" if report.header.coded_time_control else "time_control"}
    )
    # a reader of the file numbers the players by their ranking
    numbers = [player.number for player in sorted(report.entrants, key=_rank)]
    held = _HELD_PLAYER | ({"number"} if numbers == list(range(1, len(numbers) + 1)) else set())
    notes = Notes([*header_losses(report.header, expressible), *player_losses(report, held)])
    notes.findings.extend(record_losses(report, teams=False))
    _note_names(report, notes)
    paired: set[int] = set()
    games = [_tags(report, *game) for game in _games(report, notes, paired)]
    absent = [entrant.number for entrant in report.entrants if entrant.number not in paired]
    if absent:
        notes.add(Severity.WARNING, "lost-idle-players", players=len(absent))
    text = "".join(format_tags(tags) + tags["Result"] + "\n\n" for tags in games)
    return text.encode("utf-8", "replace"), notes.all()


def _held_by_days(report: Report) -> set[str]:
    """Return the header fields that the days of the rounds already contain."""
    days = [cells.day for cells in report.rounds if cells.day and any(cells.opponents)]
    first, last = report.header.first_day, report.header.last_day
    fields = {"first_day"} if first and all(first <= day for day in days) else set()
    return fields | ({"last_day"} if last == max(days, default=None) else set())


def written_name(entrant: Entrant) -> str:
    """Return the name, or the start number of a player without one."""
    return f"#{entrant.number}" if entrant.name.strip() in ("", "?", "-") else entrant.name


def _note_names(report: Report, notes: Notes) -> None:
    """Report players without name, and namesakes without ids."""
    by_name: dict[str, Entrant] = {}
    for entrant in report.entrants:
        name = written_name(entrant)
        if name != entrant.name:
            notes.add(Severity.WARNING, "lost-name", player=entrant.number, number=entrant.number, name=name)
        first = by_name.setdefault(as_written(name), entrant)
        if first is not entrant and not (first.id and entrant.id):
            notes.add(
                Severity.WARNING, "lost-namesake", player=entrant.number, number=entrant.number, name=name
            )


def _games(report: Report, notes: Notes, paired: set[int]) -> Iterator[tuple[int, int, int, str]]:
    """Yield round, places of White and Black, and letters of each game whose two cells agree."""
    for number, cells in enumerate(report.rounds, start=1):
        for index, entrant in enumerate(report.entrants):
            if not cells.opponents[index]:
                if cells.results[index] in BYES:
                    notes.add(Severity.WARNING, "lost-bye", player=entrant.number, round=number,
                              number=entrant.number, in_round=number)  # fmt: skip
            elif game := shown_game(report, number, index, _WRITTEN, notes):
                paired.update((entrant.number, cells.opponents[index]))
                yield number, index, *game


def _tags(report: Report, number: int, white: int, black: int, letters: str) -> Mapping[str, str]:
    header, day = report.header, report.rounds[number - 1].day
    sides = {"White": report.entrants[white], "Black": report.entrants[black]}
    names = {side: written_name(entrant) for side, entrant in sides.items()}
    tags = game_tags(report, number, names, _WRITTEN[letters], day)
    for side, entrant in sides.items():
        facts = {
            "Elo": str(entrant.rating or ""),
            "Title": entrant.title,
            "FideId": entrant.id,
            "Fed": entrant.federation,
        }
        tags.update({f"{side}{name}": value for name, value in facts.items() if value})
    if header.first_day:
        tags["EventDate"] = header.first_day.strftime("%Y.%m.%d")
    optional = {
        "EventCountry": header.federation,
        "EventType": header.kind,
        "TimeControl": header.coded_time_control or header.time_control,
    }
    tags.update({name: value for name, value in optional.items() if value})
    if not set(letters) <= PLAYED | {Result.NONE}:
        tags["Termination"] = "unplayed" if letters.isalpha() else "forfeit"
    return tags
