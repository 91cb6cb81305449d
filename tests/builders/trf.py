"""TRF files for tests: lines laid out by hand after FIDE's description, and whole tournaments written with them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from arpad.checks import Case
from arpad.model.chess import EventKind
from arpad.model.rules import Edition, Finding, ListName
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.event_kind import meetings
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.formats import read_report
from arpad.reports.report import Report
from arpad.reports.time_control import read_time_control


def player(
    number: int | str,
    *cells: str,
    name: str = "Rossi, Mario",
    sex: str = "m",
    title: str = "",
    rating: int | str = 1800,
    federation: str = "ITA",
    id: int | str = "",  # noqa: A002
    born: str = "1990/05/17",
    points: str = "0.0",
    rank: int | str = 1,
) -> str:
    """A player line: each cell is eight characters, ``   2 w 1``."""
    person = f"001 {number:>4} {sex:1}{title:>3} {name:<33} {rating:>4} {federation:<3} {id or '':>11}"
    line = f"{person} {born:<10} {points:>4} {rank:>4}"
    assert len(line) == 89
    return line + "".join(f"  {cell}" for cell in cells)


PAIR = (
    player(1, "   2 w 1", name="Bianchi, Ada", sex="w", rating=2010, id=900001, points="1.0", rank=1),
    player(2, "   1 b 0", name="Verdi, Ugo", rating=1950, id=900002, rank=2),
)
"""Two players who met once."""

HEAD = (
    "012 Open di prova",
    "022 Trani",
    "032 ITA",
    "042 2024/03/01",
    "052 2024/03/03",
    "102 Conti, Elena",
    "122 90 min + 30 sec",
)


def text(*lines: str, end: str = "\n") -> bytes:
    """A file of these lines."""
    return "".join(line + end for line in lines).encode()


def read(*lines: str) -> Report:
    """The report in a file of these lines."""
    return read_report(text(*lines))


def found(report: Report, code: str) -> Finding:
    """The only finding of a code."""
    (finding,) = [finding for finding in report.findings if finding.code == code]
    return finding


def codes(report: Report) -> list[str]:
    """The codes of all findings."""
    return [finding.code for finding in report.findings]


# ---------------------------------------------------------------------------------------------- whole tournaments

Game = tuple[int, int, str]
"""White, Black, and the two letters of the result as White and Black have them: ``1 2 "10"``; Black 0 for a bye."""

EDITIONS: Mapping[str, Edition[ChessRules]] = {edition.id: edition for edition in CHESS_EDITIONS}
_HALVES = {"1": 2, "=": 1, "+": 2, "W": 2, "D": 1, "H": 1, "F": 2, "U": 2}


def all_meet(players: int, cycles: int = 1) -> list[list[Game]]:
    """A round robin, all games drawn; with an odd number one is free in each round."""
    numbers = list(range(1, players + 1)) + [0] * (players % 2)
    size = len(numbers)
    rounds: list[list[Game]] = []
    for cycle in range(cycles):
        for turn in range(size - 1):
            ring = [numbers[0], *numbers[1 + turn :], *numbers[1 : 1 + turn]]
            pairs = [(ring[k], ring[size - 1 - k]) for k in range(size // 2)]
            rounds.append([_game(pair, (turn + cycle) % 2) for pair in pairs])
    return rounds


def _game(pair: tuple[int, int], turned: int) -> Game:
    if 0 in pair:
        return (max(pair), 0, "U")
    white, black = pair[::-1] if turned else pair
    return white, black, "=="


def some_rounds(players: int, rounds: int) -> list[list[Game]]:
    """A Swiss, or what looks like one: too few rounds for all to meet."""
    return all_meet(players)[:rounds]


def match(games: int, results: str = "") -> list[list[Game]]:
    """Two players; the results are those of number 1 (``1``, ``=`` or ``0``)."""
    letters = {"1": "10", "=": "==", "0": "01"}
    mine = [letters[result] for result in results or "=" * games]
    return [[(1, 2, both) if number % 2 else (2, 1, both[::-1])] for number, both in enumerate(mine, start=1)]


def loses_all(rounds: list[list[Game]], number: int, saved: int = 0) -> list[list[Game]]:
    """The same event in which a player loses every game but the first few."""
    changed, kept = [], 0
    for games in rounds:
        row = []
        for white, black, both in games:
            if number in (white, black) and black:
                kept += 1
                row.append((white, black, both if kept <= saved else "01" if number == white else "10"))
            else:
                row.append((white, black, both))
        changed.append(row)
    return changed


def forfeited(rounds: list[list[Game]]) -> list[list[Game]]:
    """The same event with the first game forfeited by Black."""
    (white, black, _), *others = rounds[0]
    return [[(white, black, "+-"), *others], *rounds[1:]]


def player_lines(rounds: Sequence[Sequence[Game]], ratings: Sequence[int], **people: Any) -> list[str]:
    """The 001 lines; the points are the sum, the ranks follow them."""
    count = len(ratings)
    cells: list[list[str]] = [["0000 - Z"] * len(rounds) for _ in range(count)]
    halves = [0] * count
    for index, games in enumerate(rounds):
        for white, black, both in games:
            cells[white - 1][index] = f"{black:4} w {both[0]}" if black else f"0000 - {both}"
            halves[white - 1] += _HALVES.get(both[0], 0)
            if black:
                cells[black - 1][index] = f"{white:4} b {both[1]}"
                halves[black - 1] += _HALVES.get(both[1], 0)
    order = sorted(range(count), key=lambda place: -halves[place])
    ranks = {place: rank for rank, place in enumerate(order, 1)}
    sexes = people.get("sexes", "m" * count)
    federations = people.get("federations", ["ITA"] * count)
    return [
        player(
            place + 1,
            *cells[place],
            name=f"Giocatore{place + 1}, Uno",
            sex=sexes[place],
            rating=ratings[place] or "",
            federation=federations[place],
            id=800000 + place,
            born=f"{1960 + place % 40}/01/{place % 28 + 1:02}",
            points=f"{halves[place] / 2:.1f}",
            rank=ranks[place],
        )
        for place in range(count)
    ]


def head(**given: Any) -> list[str]:
    """Header lines: name, first, last, players, rated, teams, kind, arbiter, control, rounds, days."""
    tags = {
        "name": "012",
        "first": "042",
        "last": "052",
        "players": "062",
        "rated": "072",
        "teams": "082",
        "kind": "092",
        "arbiter": "102",
        "control": "122",
        "rounds": "142",
    }
    usual = {"name": "Torneo di prova", "arbiter": "Conti, Elena"}
    lines = [f"{tags[key]} {value:%Y/%m/%d}" if isinstance(value, date) else f"{tags[key]} {value}"
             for key, value in (usual | given).items() if key != "days" and value != ""]  # fmt: skip
    if days := given.get("days"):
        lines.append("132".ljust(91) + "  ".join(f"{day:%y/%m/%d}" for day in days))
    return lines


def report(rounds: Sequence[Sequence[Game]], ratings: Sequence[int], **given: Any) -> Report:
    """A tournament as it is read from its TRF."""
    people = {key: given.pop(key) for key in ("sexes", "federations") if key in given}
    return read_report(text(*head(**given), *player_lines(rounds, ratings, **people)))


def case(
    made: Report, edition: str, facts: Mapping[str, Any] | None = None, on_list: str = "standard"
) -> Case:
    """A report under an edition."""
    known = dict(facts or {})
    known["players"] = {key: KnownPlayer(**value) for key, value in known.get("players", {}).items()}
    known["suspended_federations"] = tuple(known.get("suspended_federations", ()))
    known["kind"] = EventKind(known["kind"]) if "kind" in known else None
    header, met, chosen = made.header, meetings(made, known["kind"]), EDITIONS[edition]
    name = ListName(on_list)
    return Case(
        made,
        EventFacts(**known),
        edition,
        chosen.on(name),
        name,
        met,
        read_time_control(header.time_control, header.coded_time_control),
        tuple(entrant.rating for entrant in made.entrants),
        chosen.lists,
    )
