"""Which rounds of a player count for a norm, and why others do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from arpad.regulations.fide.titles.requirements import (
    FIXED,
    HALVES,
    Candidate,
    NormEvent,
    NormGame,
)
from arpad.regulations.fide.titles.rules import TitleRules

FORFEIT_WIN, ALLOCATED_BYE, FULL_BYE = "+", "U", "F"
RESULTS = "1=0+-UHFZWDL"
CONTRADICTION = "?"
"""The result of a game that the two players report differently."""


class NormCell(NamedTuple):
    """One round of a player as a report has it."""

    round: int
    result: str
    title: str = ""
    rating: int | None = None
    federation: str = ""
    """The code as written, FID included."""

    origin: str = ""
    """The original federation of a player under the FIDE flag."""

    person: str = ""
    """The same text for the same opponent; empty without an opponent."""

    zero_scorer: bool = False
    """An unrated opponent without a point against rated ones."""


class Uncounted(NamedTuple):
    """A round that does not count for a norm, and why."""

    round: int
    reason: str
    article: str


@dataclass(frozen=True, slots=True)
class NormRecord:
    """A player's tournament, ready for the question about norms."""

    player: Candidate
    event: NormEvent
    games: tuple[NormGame, ...]
    """The games that count, by round."""

    uncounted: tuple[Uncounted, ...] = ()
    bye_rounds: tuple[int, ...] = ()
    """Rounds with a win by forfeit or an allocated bye."""

    last_forfeit: NormGame | None = None
    """The opponent who did not come in the last round, as a lost game."""

    notes: tuple[str, ...] = ()
    """Codes of what was taken for granted."""


def federation_of(code: str, origin: str, day: date, rules: TitleRules) -> str:
    """Return the federation for which a player counts; empty for one under the FIDE flag (B.01 1.4.2a).

    Who took the flag by the simplified procedure counts for the original federation, from a day on.
    """
    if code != rules.fide_flag.value:
        return code
    since = rules.flag_origin_since
    return origin if since is not None and day >= since.value else ""


def norm_record(
    player: Candidate, event: NormEvent, cells: Iterable[NormCell], rules: TitleRules, day: date
) -> NormRecord:
    """Return a player's tournament with the games that count (B.01 1.4.2a, B.01 1.4.2b, B.01 1.4.2c)."""
    games: list[NormGame] = []
    uncounted: list[Uncounted] = []
    byes: list[int] = []
    notes: set[str] = set()
    last: NormGame | None = None
    for cell in sorted(cells, key=lambda cell: cell.round):
        game = _game(cell, rules, day)
        reason, article = _reason(cell, event, rules)
        if cell.result in (FORFEIT_WIN, ALLOCATED_BYE):
            byes.append(cell.round)
        if cell.result == FULL_BYE and event.rounds == rules.bye_norm.value.rounds:
            notes.add("full-bye")
        known = bool(cell.person) and cell.federation not in rules.outside_fide.value
        if cell.result == FORFEIT_WIN and cell.round == event.rounds and known:
            last = game
        if reason:
            uncounted.append(Uncounted(cell.round, reason, article))
            if reason == "under-one-move":
                notes.add(reason)
            continue
        if not cell.federation:
            notes.add("federation-unknown")
        if cell.federation == rules.fide_flag.value and not game.federation:
            notes.add("fide-flag")
        games.append(game)
    return NormRecord(player, event, tuple(games), tuple(uncounted), tuple(byes), last, tuple(sorted(notes)))


def _game(cell: NormCell, rules: TitleRules, day: date) -> NormGame:
    federation = federation_of(cell.federation, cell.origin, day, rules)
    score = HALVES.get(cell.result, 0)
    return NormGame(cell.round, score, cell.title, cell.rating, federation, cell.person)


def _reason(cell: NormCell, event: NormEvent, rules: TitleRules) -> tuple[str, str]:
    """Return why a round does not count, with the article; empty if it counts."""
    if cell.result == CONTRADICTION:
        return "contradiction", rules.unplayed_not_counted.article
    if cell.result in "WDL":
        return "under-one-move", rules.unplayed_not_counted.article
    if cell.result not in HALVES:
        return "bye" if not cell.person else "forfeit", rules.unplayed_not_counted.article
    if cell.federation in rules.outside_fide.value:
        return "outside-fide", rules.outside_fide.article
    if cell.zero_scorer and cell.rating is None and event.system in FIXED:
        return "zero-scorer", rules.unrated_zero.article
    return "", ""
