"""The made world that everything is measured on: a register of 1,700,000 players and a month of 4,000 reports.

    python benchmarks/world.py OUT [--scale 0.01] [--seed 1] [--xml]

OUT/register.txt is FIDE's combined list of 1 June 2025 (with --xml also register.xml): 1,700,000 players, 500,000 of
them with a standard rating. OUT/reports/ holds the TRF16 reports of June 2025: opens of odd and even numbers with byes,
forfeits and withdrawals, round robins, team events; one participant in six or so has no rating, and of these some
are not in the register at all. OUT/world.json says what was made. The same seed and scale give the same bytes on every
machine: all chance comes from whole numbers and from random.random(), whose sequence Python promises.

Nothing is kept in memory but one report: a player is a function of his place in the register.
All of it stands in one module, since reports draw on the same functions of a place as the register does.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.sax.saxutils import escape

PLAYERS, REPORTS = 1_700_000, 4_000
RATED_OF, RATED_IN = 5, 17
"""Five players of every seventeen are rated: 500,000 of 1,700,000."""

LIST_DAY = date(2025, 6, 1)
LINES = 20_000
"""Lines of the register that are written at once."""

_WORD = (1 << 64) - 1
# Federations by the number of their players, roughly as the world has them; together a thousand.
SHARES = {
    "IND": 120, "RUS": 90, "GER": 75, "ESP": 70, "FRA": 65, "POL": 45, "ITA": 40, "USA": 38, "TUR": 35, "IRI": 30,
    "HUN": 25, "CZE": 25, "SRB": 24, "GRE": 22, "BRA": 22, "ARG": 20, "NED": 20, "UKR": 20, "AUT": 18, "ROU": 16,
    "ENG": 15, "SUI": 14, "CRO": 14, "SVK": 12, "SLO": 10, "SWE": 12, "NOR": 10, "DEN": 10, "POR": 10, "COL": 9,
    "MEX": 9, "PER": 8, "CUB": 6, "PHI": 8, "VIE": 7, "SRI": 7, "EGY": 5, "RSA": 6, "KAZ": 8, "GEO": 6, "ARM": 5,
    "AZE": 5, "ISR": 8, "BEL": 7, "BUL": 7, "ISL": 3, "FIN": 5, "LTU": 3,
}  # fmt: skip
HEADS = (
    "Al Ba Be Bo Ca Da De Do Er Fa Ga Ge Ha Ho Ja Ka Ko La Le Ma Mi Mo Na No Ol Pa Pe Ra Ro Sa Se To".split()
)
MIDDLES = "ba de ghi kö la lé ma ne no ra ri sha sto ta vi zo".split()
TAILS = "ch ek en er ez ić in ius ka li man nen ni ov sen son".split()
MEN = "Adam Boris Carl Dan Emil Felix Georg Hugo Ivan Jan Karim Luis Marek Nils Omar Paul".split()
WOMEN = "Anna Bea Clara Dina Eva Fatima Greta Helen Ines Julia Kim Lena Mira Nora Olga Priya".split()
CONTROL = "90 min/40 moves + 30 min + 30 sec per move from move one"
ROUNDS = (5, 6, 7, 7, 9, 9, 9, 9)

# What happens in a thousand cases.
FORFEIT, HALF_BYE, LEAVES, UNKNOWN = 10, 20, 8, 60


class Player(NamedTuple):
    """One of the register."""

    number: int
    name: str
    federation: str
    sex: str
    title: str
    rating: int | None
    games: int
    k: int
    born: date
    strength: int
    bits: int


def mixed(value: int) -> int:
    """Sixty-four bits that look like chance (the finish of splitmix64)."""
    value = (value * 0x9E3779B97F4A7C15) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)


@dataclass(frozen=True, slots=True)
class World:
    """The register as a function: who stands at each place."""

    players: int
    seed: int
    codes: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each federation begins."""

    def federation(self, place: int) -> int:
        """The federation of a place, by its turn."""
        return bisect_right(self.starts, place) - 1

    def bounds(self, federation: int) -> tuple[int, int]:
        """The places of a federation."""
        last = self.starts[federation + 1] if federation + 1 < len(self.starts) else self.players
        return self.starts[federation], last

    def player(self, place: int) -> Player:
        """The player at a place."""
        bits = mixed(place + (self.seed << 32))
        more = mixed(bits)
        sex = "F" if bits & 127 < 15 else "M"
        first = (WOMEN if sex == "F" else MEN)[(bits >> 7) & 15]
        surname = HEADS[(bits >> 11) & 31] + MIDDLES[(bits >> 16) & 15]
        if bits & 1:
            surname += MIDDLES[(bits >> 20) & 15]
        surname += TAILS[(bits >> 24) & 15]
        # the sum of four uniform numbers is bell-shaped: 1720 on average, deviation about 240
        bell = (more & 0xFF) + ((more >> 8) & 0xFF) + ((more >> 16) & 0xFF) + ((more >> 24) & 0xFF)
        strength = 1720 + (bell - 510) * 13 // 8
        rated = place * RATED_OF % RATED_IN < RATED_OF
        rating = min(2850, max(1400, strength + ((bits >> 28) & 127) - 64)) if rated else None
        year = 2018 - ((bits >> 35) & 63) - (0 if rated else (bits >> 41) & 1)
        born = date(year, (bits >> 42) % 12 + 1, (bits >> 46) % 28 + 1)
        k = 0 if rating is None else 10 if rating >= 2400 else 40 if year >= 2007 else 20
        return Player(
            100_000 + place * 7 + (bits >> 52) % 7, f"{surname}, {first}", self.codes[self.federation(place)], sex,
            _title(rating, sex), rating, (more >> 32) % 12 if rated and (more >> 36) % 5 == 0 else 0, k, born,
            strength, more,
        )  # fmt: skip


def _title(rating: int | None, sex: str) -> str:
    if rating is None:
        return ""
    for limit, title in ((2550, "GM"), (2450, "IM"), (2350, "FM"), (2250, "CM")):
        if rating >= limit:
            return title
    return "WFM" if sex == "F" and rating >= 2150 else ""


def world(players: int, seed: int, by_code: Mapping[str, int] = SHARES) -> World:
    shares = list(accumulate(by_code.values(), initial=0))
    starts = tuple(players * share // shares[-1] for share in shares[:-1])
    return World(players, seed, tuple(by_code), starts)


# --------------------------------------------------------------------------------------------------- the register

HEADING = (
    f"{'ID Number':<15}{'Name':<61}{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}{'SRtng':<6}"
    f"{'SGm':<4}{'SK':<3}{'RRtng':<6}{'RGm':<4}{'Rk':<3}{'BRtng':<6}{'BGm':<4}{'BK':<3}{'B-day':<6}Flag\r\n"
)


def register_lines(made: World) -> Iterator[str]:
    for place in range(made.players):
        p = made.player(place)
        title, women_title = ("", p.title) if p.title.startswith("W") else (p.title, "")
        standard = f"{p.rating:<6}{p.games:<4}{p.k:<3}" if p.rating else " " * 13
        rapid = f"{_quick(p, 0):<6}0   {p.k:<3}" if p.rating and p.bits >> 40 & 1 else " " * 13
        blitz = f"{_quick(p, 8):<6}0   {p.k:<3}" if p.rating and p.bits >> 41 & 1 else " " * 13
        flag = ("w" if p.sex == "F" else "") + ("i" if p.rating and p.bits >> 42 & 7 == 0 else "")
        yield (
            f"{p.number:<15}{p.name:<61}{p.federation:<4}{p.sex:<4}{title:<5}{women_title:<5}{'':<19}"
            f"{standard}{rapid}{blitz}{p.born.year:<6}{flag:<4}\r\n"
        )


def _quick(p: Player, shift: int) -> int:
    """A rating on another list, not far from the strength."""
    return min(2850, max(1400, p.strength + (p.bits >> 44 + shift & 255) - 128))


def xml_lines(made: World) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n'
    for place in range(made.players):
        p = made.player(place)
        title, women_title = ("", p.title) if p.title.startswith("W") else (p.title, "")
        rating = (
            f"{p.rating}</rating><games>{p.games}</games><k>{p.k}</k>"
            if p.rating
            else "</rating><games/><k/>"
        )
        flag = ("w" if p.sex == "F" else "") + ("i" if p.rating and p.bits >> 42 & 7 == 0 else "")
        yield (
            f"<player><fideid>{p.number}</fideid><name>{escape(p.name)}</name><country>{p.federation}</country>"
            f"<sex>{p.sex}</sex><title>{title}</title><w_title>{women_title}</w_title><o_title/><rating>{rating}"
            f"<birthday>{p.born.year}</birthday><flag>{flag}</flag></player>\n"
        )
    yield "</playerslist>\n"


def write_lines(lines: Iterator[str], stream: BinaryIO) -> str:
    """Write the lines some thousands at a time; the digest of all."""
    digest, waiting = sha256(), []
    for line in lines:
        waiting.append(line)
        if len(waiting) >= LINES:
            piece = "".join(waiting).encode()
            digest.update(piece)
            stream.write(piece)
            waiting.clear()
    piece = "".join(waiting).encode()
    digest.update(piece)
    stream.write(piece)
    return digest.hexdigest()


# ---------------------------------------------------------------------------------------------------- the reports


class Chance:
    """Chance from random.random() alone: its sequence is the same on every machine and version."""

    def __init__(self, seed: str) -> None:
        self.roll = random.Random(seed).random

    def below(self, limit: int) -> int:
        """From 0 up to, not including, the limit."""
        return int(self.roll() * limit)

    def per_thousand(self, share: int) -> bool:
        """True so many times in a thousand."""
        return self.roll() * 1000 < share


@dataclass(slots=True)
class Entrant:
    """Somebody in a tournament, with the line he will have."""

    player: Player
    known: bool
    half_points: int = 0
    whites: int = 0
    had_bye: bool = False
    gone: bool = False
    cells: str = ""
    met: int = 0
    """One bit for each opponent so far, by place."""


def field_size(chance: Chance, most: int) -> int:
    """Most events are small, a few are huge: eight to four hundred, some fifty on average."""
    size = 10 ** (sum(chance.roll() for _ in range(6)) / 6 * 2.1 + 0.67)
    return max(8, min(400, most, int(size)))


def field(made: World, chance: Chance, unrated_share: int) -> list[Entrant]:
    """Who plays: people of one federation and a few guests, one in six or so without a rating."""
    home = made.federation(chance.below(made.players))
    first, last = made.bounds(home)
    size = field_size(chance, max(8, (last - first) // 4))
    places: dict[int, None] = {}
    while len(places) < size:
        inside = not chance.per_thousand(40)
        place = first + chance.below(last - first) if inside else chance.below(made.players)
        unrated = chance.per_thousand(unrated_share)
        rated = place * RATED_OF % RATED_IN < RATED_OF
        while rated == unrated:
            place = (place + 1) % made.players
            rated = place * RATED_OF % RATED_IN < RATED_OF
        places[place] = None
    players = [made.player(place) for place in places]
    players.sort(key=lambda p: (-(p.rating or 0), p.name, p.number))
    return [Entrant(p, bool(p.rating) or not chance.per_thousand(UNKNOWN)) for p in players]


def swiss_round(entrants: list[Entrant], number: int, rounds: int, chance: Chance) -> int:
    """One round: neighbours by score meet; how many games were paired."""
    waiting: list[int] = []
    for place, entrant in enumerate(entrants):
        if entrant.gone or (1 < number < rounds and chance.per_thousand(LEAVES)):
            entrant.gone = True
            entrant.cells += "  0000 - Z"
        elif 1 < number < rounds and chance.per_thousand(HALF_BYE):
            entrant.half_points += 1
            entrant.cells += "  0000 - H"
        else:
            waiting.append(place)
    waiting.sort(key=lambda place: (-entrants[place].half_points, place))
    if number == 1:
        middle = (len(waiting) + 1) // 2
        top, bottom = waiting[:middle], waiting[middle:]
        waiting = [place for pair in zip(top, bottom, strict=False) for place in pair]
        waiting += top[len(bottom) :]
    if len(waiting) % 2:
        free = next((p for p in reversed(waiting) if not entrants[p].had_bye), waiting[-1])
        waiting.remove(free)
        entrants[free].had_bye = True
        entrants[free].half_points += 2
        entrants[free].cells += "  0000 - U"
    games = len(waiting) // 2
    while waiting:
        one = waiting.pop(0)
        met = entrants[one].met
        at = next((at for at, other in enumerate(waiting) if not met >> other & 1), 0)
        game(entrants, one, waiting.pop(at), chance)
    return games


def game(entrants: list[Entrant], one: int, other: int, chance: Chance) -> None:
    balance = entrants[one].whites - entrants[other].whites
    white, black = (one, other) if balance < 0 or (not balance and chance.below(2)) else (other, one)
    mine, theirs = entrants[white], entrants[black]
    mine.whites += 1
    theirs.whites -= 1
    mine.met |= 1 << black
    theirs.met |= 1 << white
    if chance.per_thousand(FORFEIT):
        won, lost = "+", "-"
        mine.half_points += 2
    else:
        gap = mine.player.strength - theirs.player.strength + 25
        expected = max(0.02, min(0.98, 0.5 + gap / 800))
        draw = 0.35 * (1 - abs(2 * expected - 1))
        roll = chance.roll()
        half = 2 if roll < expected - draw / 2 else 1 if roll < expected + draw / 2 else 0
        won, lost = "0=1"[half], "1=0"[half]
        mine.half_points += half
        theirs.half_points += 2 - half
    mine.cells += f"  {black + 1:>4} w {won}"
    theirs.cells += f"  {white + 1:>4} b {lost}"


def all_against_all(entrants: list[Entrant], chance: Chance) -> int:
    circle = list(range(len(entrants)))
    for _ in range(len(circle) - 1):
        for board in range(len(circle) // 2):
            game(entrants, circle[board], circle[-1 - board], chance)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return len(circle) * (len(circle) - 1) // 2


def team_round(entrants: list[Entrant], number: int, chance: Chance) -> int:
    """Two halves of the field shifted along each other: nobody meets a team-mate, nobody twice."""
    half = len(entrants) // 2
    for board in range(half):
        game(entrants, board, half + (board + number) % half, chance)
    return half


def report(made: World, index: int, seed: int, list_day: date = LIST_DAY) -> tuple[str, int, int]:
    """Return a report of the month after a list: its text, its games, its unrated players."""
    chance = Chance(f"{seed}/{index}")
    kind = chance.below(100)
    entrants = field(made, chance, 60 if kind < 8 else 60 + chance.below(260))
    if kind < 8:
        entrants = entrants[: 10 if len(entrants) >= 10 else 8]
        rounds, word = len(entrants) - 1, "Individual: Round-Robin"
        games = all_against_all(entrants, chance)
    elif kind < 13 and len(entrants) >= 16:
        entrants = entrants[: len(entrants) // 2 * 2]
        rounds, word = 5, "Team: Swiss-System"
        games = sum(team_round(entrants, number, chance) for number in range(rounds))
    else:
        rounds, word = min(ROUNDS[chance.below(len(ROUNDS))], len(entrants) - 1), "Individual: Swiss-System"
        games = sum(swiss_round(entrants, number, rounds, chance) for number in range(1, rounds + 1))
    last = list_day + timedelta(days=4 + chance.below(23))
    first = last - timedelta(days=(rounds - 1) // 2)
    rated = sum(1 for entrant in entrants if entrant.player.rating)
    days = [first + timedelta(days=number * ((last - first).days + 1) // rounds) for number in range(rounds)]
    teams = _teams(entrants) if word.startswith("Team") else []
    lines = [
        f"012 Open {index + 1}",
        f"022 Town {index % 900 + 1}",
        f"032 {entrants[0].player.federation}",
        f"042 {first:%Y/%m/%d}",
        f"052 {last:%Y/%m/%d}",
        f"062 {len(entrants)}",
        f"072 {rated}",
        *([f"082 {len(teams)}"] if teams else []),
        f"092 {word}",
        f"102 IA Arbiter, Chief {index % 300 + 1}",
        f"122 {CONTROL}",
        "132" + " " * 88 + "  ".join(f"{day:%y/%m/%d}" for day in days),
        *_player_lines(entrants),
        *teams,
    ]
    return "\r\n".join(lines) + "\r\n", games, len(entrants) - rated


def _player_lines(entrants: list[Entrant]) -> Iterator[str]:
    order = sorted(range(len(entrants)), key=lambda place: (-entrants[place].half_points, place))
    ranks = {place: rank for rank, place in enumerate(order, start=1)}
    for place, entrant in enumerate(entrants):
        p = entrant.player
        yield (
            f"001 {place + 1:>4} {'w' if p.sex == 'F' else 'm'}{p.title:>3} {p.name:<33} {p.rating or '':>4} "
            f"{p.federation} {p.number if entrant.known else '':>11} {p.born:%Y/%m/%d} "
            f"{entrant.half_points // 2:>2}.{entrant.half_points % 2 * 5} {ranks[place]:>4}{entrant.cells}"
        )


def _teams(entrants: list[Entrant]) -> list[str]:
    """Teams of four within each half, so that team-mates never met."""
    half = len(entrants) // 2
    starts = [*range(0, half, 4), *range(half, 2 * half, 4)]
    lines = []
    for turn, start in enumerate(starts, start=1):
        end = min(start + 4, half if start < half else 2 * half)
        lines.append(f"013 {f'Team {turn}':<32}" + " ".join(f"{place + 1:>4}" for place in range(start, end)))
    return lines


# --------------------------------------------------------------------------------------------------------- making


def make(out: Path, scale: float = 1.0, seed: int = 1, *, xml: bool = False) -> dict[str, object]:
    players, reports = max(1000, int(PLAYERS * scale)), max(1, int(REPORTS * scale))
    made = world(players, seed)
    folder = out / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    with (out / "register.txt").open("wb") as stream:
        stream.write(HEADING.encode())
        register = write_lines(register_lines(made), stream)
    if xml:
        with (out / "register.xml").open("wb") as stream:
            write_lines(xml_lines(made), stream)
    registered = time.perf_counter()
    digest, games, unrated, size = sha256(), 0, 0, 0
    for index in range(reports):
        text, played, new = report(made, index, seed)
        data = text.encode()
        digest.update(data)
        (folder / f"e{index + 1:05}.trf").write_bytes(data)
        games, unrated, size = games + played, unrated + new, size + len(data)
    told: dict[str, object] = {
        "scale": scale,
        "seed": seed,
        "list": LIST_DAY.isoformat(),
        "players": players,
        "rated": sum(1 for place in range(players) if place * RATED_OF % RATED_IN < RATED_OF),
        "reports": reports,
        "games": games,
        "unrated_entries": unrated,
        "report_bytes": size,
        "register_sha256": register,
        "reports_sha256": digest.hexdigest(),
    }
    (out / "world.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    seconds = {"register_s": registered - begun, "reports_s": time.perf_counter() - registered}
    return {**told, **{name: round(value, 2) for name, value in seconds.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the world that Arpad is measured on.")
    parser.add_argument("out", type=Path, help="the folder to write into")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="0.01 makes a hundredth of players and reports"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--xml", action="store_true", help="also write the register as XML")
    given = parser.parse_args()
    if not 0 < given.scale <= 100:
        parser.error("--scale is a number above 0, at most 100")
    print(json.dumps(make(given.out, given.scale, given.seed, xml=given.xml), indent=2))


if __name__ == "__main__":
    main()
