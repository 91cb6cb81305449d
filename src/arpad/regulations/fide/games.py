"""Which games of a report count, and why others do not; each reason with its article."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from arpad.model.chess import ALL_PLAY_ALL, EventKind
from arpad.model.exact import HalfPoints
from arpad.model.rules import Rule
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import BYES, HALF_POINTS, MIRROR, PLAYED, Report
from arpad.reports.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class RoundCell:
    """One player's side of one round: opponent, score, and whether it counts."""

    round: int
    index: int
    opponent: int | None
    """The opponent's index; None without an opponent."""

    opponent_number: int
    result: str
    reason: str = ""
    """Why it does not count; empty if it counts."""

    article: str = ""

    @property
    def score(self) -> HalfPoints:
        """Return the half-points, 1-½-0."""
        return HALF_POINTS.get(self.result, 0)


NOTHING_TOLD = EventFacts()


def cells(
    report: Report,
    ratings: tuple[int | None, ...],
    treated_as: EventKind,
    rules: ChessRules,
    *,
    facts: EventFacts = NOTHING_TOLD,
    control: TimeControl | None = None,
    only: AbstractSet[int] | None = None,
) -> list[list[RoundCell]]:
    """Return every player's cells, round by round, each with the reason why it does not count, if there is one.

    With ``only``, the other places stay empty.

    Articles (5.1, 6.42, 6.5, 6.6, 8.52, 6.32, 6.1, RB 1.2).
    """
    ends_early = (
        treated_as == EventKind.MATCH and not match_waived(facts, rules) and rules.match_decided.value
    )
    decided = decided_in(report, facts.match_games) if ends_early else None
    minutes = minutes_judged(control, facts, rules) if control else None
    taken_out = games_taken_out(report, facts, rules)
    unequal = rules.equal_times if control and control.black else None
    table: list[list[RoundCell]] = []
    for index in range(len(report.entrants)):
        row: list[RoundCell] = []
        if only is not None and index not in only:
            table.append(row)
            continue
        for cell in _cells_of(report, index):
            reason, article = _reason(cell, report, ratings, treated_as, rules)
            if not reason and decided is not None and cell.round > decided:
                reason, article = "match-decided", rules.match_decided.article
            if not reason and (cell.round, index) in taken_out:
                reason, article = taken_out[cell.round, index]
            if not reason and unequal is not None:
                reason, article = "unequal-times", unequal.article
            if not reason and minutes is not None and rules.time_bands and cell.opponent is not None:
                stronger = max(ratings[index] or 0, ratings[cell.opponent] or 0)
                reason, article = _too_fast(stronger, minutes, rules.time_bands)
            row.append(
                RoundCell(
                    cell.round, index, cell.opponent, cell.opponent_number, cell.result, reason, article
                )
            )
        table.append(row)
    return table


def _cells_of(report: Report, index: int) -> Iterator[RoundCell]:
    for played, column in report.numbered_rounds():
        number, result = column.opponents[index], column.results[index]
        if number or result != " ":
            yield RoundCell(played, index, report.places.get(number) if number else None, number, result)


def _reason(
    cell: RoundCell, report: Report, ratings: tuple[int | None, ...], treated_as: EventKind, rules: ChessRules
) -> tuple[str, str]:
    """Return the articles about single games, in the order in which they exclude one."""
    if cell.result in BYES or not cell.opponent_number:
        return "bye", rules.moves_to_be_played.article
    if cell.opponent is None or cell.opponent == cell.index:
        return "unknown-opponent", ""
    if cell.result not in PLAYED:
        return "unplayed" if cell.result in MIRROR else "no-result", rules.moves_to_be_played.article
    own_number = report.entrants[cell.index].number
    if not report.round(cell.round).confirms(cell.opponent, own_number, cell.result):
        return "contradiction", ""
    if None not in (ratings[cell.index], ratings[cell.opponent]) or treated_as in ALL_PLAY_ALL:
        return "", ""
    if treated_as == EventKind.MATCH and rules.match_unrated.value:
        return "match-unrated", rules.match_unrated.article
    if ratings[cell.opponent] is None:
        return "unrated-opponent", rules.articles["unrated-opponent"]
    return "", ""


def _too_fast(stronger: int, minutes: Fraction, bands: Rule[tuple[tuple[int, int], ...]]) -> tuple[str, str]:
    """Return the reason and article if a game was too fast for the stronger of the two players, else empty texts."""
    needed = next(least for low, least in bands.value if stronger >= low)
    return ("too-fast", bands.article) if minutes < needed else ("", "")


def minutes_judged(control: TimeControl, facts: EventFacts, rules: ChessRules) -> Fraction | None:
    """Return the minutes for sixty moves by which each game is judged; None if no game can be too fast (1.1)."""
    minutes = control.minutes(rules.moves_counted.value)
    if minutes is None or not rules.time_bands_per_game or approved_as_fast(minutes, facts, rules):
        return None
    return minutes


def approved_as_fast(minutes: Fraction, facts: EventFacts, rules: ChessRules) -> bool:
    """Return whether an approval lets these minutes count for players of any rating."""
    rule = rules.fast_by_approval
    return rule is not None and bool(facts.fast_approved) and minutes >= rule.value.minutes


def match_waived(facts: EventFacts, rules: ChessRules) -> bool:
    """Return whether all games of a match are rated, as requested before it, if the edition allows that (6.2)."""
    return bool(facts.match_waived) and rules.match_waiver is not None


def exception_for(reason: str, rules: ChessRules) -> Rule[bool] | None:
    """Return the rule by which a played game may be left unrated for a reason, if the edition has it."""
    return rules.equal_times if reason == "unequal-times" else rules.games_excepted


def games_taken_out(
    report: Report, facts: EventFacts, rules: ChessRules
) -> Mapping[tuple[int, int], tuple[str, str]]:
    """Return the round and index of each side of a game taken out, with the reason and its article (5.1)."""
    reasons: dict[tuple[int, int], tuple[str, str]] = {}
    for game in facts.games_taken_out:
        rule, index = exception_for(game.reason, rules), report.places.get(game.number)
        if rule is None or index is None or game.round not in report.round_numbers:
            continue
        opponent = report.places.get(report.round(game.round).opponents[index])
        for side in (index, opponent):
            if side is not None:
                reasons[game.round, side] = game.reason, rule.article
    return reasons


def decided_in(report: Report, match_games: int | None) -> int | None:
    """Return the round after which a match of ``games`` games was won; None if it was not, or if that is unknown."""
    if match_games is None:
        return None
    totals: dict[int, HalfPoints] = {}
    for number, column in report.numbered_rounds():
        for index, opponent in enumerate(column.opponents):
            if opponent:  # who was never paired took no part
                totals[index] = totals.get(index, 0) + HALF_POINTS.get(column.results[index], 0)
        if any(total > match_games for total in totals.values()):
            return number
    return None


def scores(table: list[list[RoundCell]]) -> Mapping[tuple[int, int], HalfPoints]:
    """Return the half-points by pair of places over the games played, for a cross-table.

    A player who is entered as their own opponent has no game there; a check reports it.
    """
    points_by_pair: dict[tuple[int, int], HalfPoints] = {}
    for row in table:
        for cell in row:
            if cell.opponent not in (None, cell.index) and cell.result in PLAYED:
                pair = (cell.index, cell.opponent)
                points_by_pair[pair] = points_by_pair.get(pair, 0) + cell.score
    return points_by_pair
