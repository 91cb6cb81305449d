"""The final table of a team tournament with its tie-breaks (C.07, 13), from the games of the players.

The teams become the entrants of a tournament of matches, so that the tie-breaks are those of ``tie_breaks``: with
match points, with game points, or with the one of the opponent and the other of the team.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from arpad.rating.tie_breaks import Tournament, Value, direct_encounter, split, values_of
from arpad.regulations.tie_breaks import TieBreak, read_tie_break, tie_break_rules
from arpad.reports.report import BYES, Entrant, Report, Result, Round, worth
from arpad.reports.standings import meets_all

SUMS = {
    "BH": ("BH", False, False, "8.1"), "BH:GP": ("BH", True, True, "8.1"),
    "EMMSB": ("SB", False, False, "13.2.1"), "EMGSB": ("SB", False, True, "13.2.2"),
    "EGMSB": ("SB", True, False, "13.2.3"), "EGGSB": ("SB", True, True, "13.2.4"),
}  # fmt: skip
"""Of each sum over the opponents: what it is for players, whether the score of an opponent and the points against it
are game points, and its article."""

ENCOUNTER = "EDE"
"""Direct encounter by match points, then by game points (13.3)."""

_FOR_SWISS, _FOR_ROUND_ROBIN = ("BH", "EMGSB"), (ENCOUNTER, "EMGSB")
_POINTS = ("PTS", "MP", "GP", "MPTS", "GPTS", "MPVGP")
_SUM = re.compile(f"({'|'.join(sorted(SUMS, key=len, reverse=True))})(/[CM][12])?")
_GAMES = frozenset("1=0WDL")


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """One team at the end of a tournament."""

    name: str
    rank: int
    won: int
    drawn: int
    lost: int
    match_points: Fraction
    game_points: Fraction
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TeamTable:
    """The final table of the teams: ranked by match points, game points and the tie-breaks."""

    places: tuple[TeamPlace, ...]
    tie_breaks: tuple[str, ...]
    unknown: tuple[str, ...]
    """Codes of the report that are not computed."""

    ranks_of_report: bool


@dataclass(frozen=True)
class TeamTournament:
    """The matches of a team tournament."""

    matches: Tournament
    """With match points."""

    game_points: Sequence[Sequence[Fraction]]
    """Of each team, round by round."""

    boards: int

    @cached_property
    def games(self) -> Tournament:
        """The same matches with game points."""
        games = _scored(self.matches, self.game_points)
        games.points = [sum(row, Fraction(0)) for row in self.game_points]
        games.win, games.draw = Fraction(self.boards), Fraction(self.boards, 2)
        return games

    def values(self, code: str) -> list[Value]:
        """Return the value of each team for a sum over the opponents, with its cut: ``EMGSB/C1``."""
        name, _, cut = code.partition("/")
        base, by_games, own_games, _ = SUMS[name]
        scores = self.games if by_games else self.matches
        if by_games != own_games:
            adjusted = scores.adjusted
            scores = _scored(scores, self.game_points if own_games else _points(self.matches))
            vars(scores)["adjusted"] = adjusted
        tie_break = read_tie_break(f"{base}/{cut}" if cut else base)
        return values_of(scores, tie_break) if tie_break else [None] * len(self.game_points)

    def encounters(self, group: Sequence[int]) -> list[list[int]]:
        """Return tied teams in parts: by match points against each other, then by game points (13.3)."""
        parts = direct_encounter(self.matches, group, TieBreak("DE"))
        if len(parts) == 1:
            parts = direct_encounter(self.games, group, TieBreak("DE"))
        return parts if len(parts) == 1 else [again for part in parts for again in self.encounters(part)]


def _points(played: Tournament) -> list[list[Fraction]]:
    return [[it.points for it in rounds] for rounds in played.rounds]


def _scored(played: Tournament, points: Sequence[Sequence[Fraction]]) -> Tournament:
    """Return a tournament whose rounds have other points."""
    scored = copy(played)
    vars(scored).pop("adjusted", None)
    scored.rounds = [
        [replace(it, points=own) for it, own in zip(rounds, row, strict=True)]
        for rounds, row in zip(played.rounds, points, strict=True)
    ]
    return scored


def team_tournament(report: Report) -> TeamTournament | None:
    """Return the matches of a report; None if it has no teams."""
    team_of = {number: at for at, team in enumerate(report.teams) for number in team.members}
    if not team_of:
        return None
    rows = [_matches(report, cells, team_of) for cells in report.rounds]
    win, draw, loss = (
        report.header.match_points.get(key, Fraction(usual))
        for key, usual in (("TW", 2), ("TD", 1), ("TL", 0))
    )
    points = {
        "WW": win, "WD": draw, "WL": loss, "FW": win, "FL": loss, "ZPB": loss, "HPB": draw, "FPB": win, "PAB": draw,
    }  # fmt: skip
    as_players = Report(
        replace(report.header, points=points),
        tuple(Entrant(at, team.name) for at, team in enumerate(report.teams, start=1)),
        tuple(
            Round(tuple(it.opponent for it in row), "-" * len(row), "".join(it.result for it in row))
            for row in rows
        ),
    )
    rules = tie_break_rules(report.header.first_day)
    return TeamTournament(
        Tournament(as_players, rules, all_play_all=meets_all(as_players)),
        [[row[at].points for row in rows] for at in range(len(report.teams))],
        max((match.games for row in rows for match in row), default=0),
    )


@dataclass(frozen=True, slots=True)
class _Match:
    """One round of a team."""

    opponent: int
    """Counted from one; 0 for none."""

    result: str
    points: Fraction
    games: int


def _matches(report: Report, cells: Round, team_of: Mapping[int, int]) -> list[_Match]:
    """Return the match of each team in a round: against the team that most of its players met."""
    points = [Fraction(0) for _ in report.teams]
    letters = ["" for _ in report.teams]
    met: list[Counter[int]] = [Counter() for _ in report.teams]
    for number, at in team_of.items():
        place = report.places.get(number)
        if place is None:
            continue
        result, other = cells.results[place], team_of.get(cells.opponents[place])
        points[at] += worth(report.header.points, result, cells.colours[place])
        letters[at] += result
        if other is not None and result not in BYES:
            met[at][other] += 1
    return [_match(own, letters[at], points, met[at].most_common(1)) for at, own in enumerate(points)]


def _match(own: Fraction, letters: str, points: Sequence[Fraction], met: Sequence[tuple[int, int]]) -> _Match:
    if not met:
        bye = next(
            (it for it in (Result.PAIRING_BYE, Result.FULL_BYE, Result.HALF_BYE) if it in letters), "Z"
        )
        return _Match(0, bye, own, 0)
    ((other, games),) = met
    ahead = (own > points[other]) - (own < points[other])
    if set(letters) & _GAMES:
        result = {1: Result.WIN, 0: Result.DRAW, -1: Result.LOSS}[ahead]
    else:
        result = Result.FORFEIT_WIN if ahead > 0 else Result.FORFEIT_LOSS
    return _Match(other + 1, result, own, games)


# ------------------------------------------------------------------------------------------------ ranking


def team_table(report: Report) -> TeamTable | None:
    """Return the final table of the teams; None if there are none, or their claimed points are not those of the games.

    The report's ranks of the teams hold if it has all of them (13.1).
    """
    played = team_tournament(report)
    if played is None or _claims_others(report, played):
        return None
    usual = _FOR_ROUND_ROBIN if played.matches.all_play_all else _FOR_SWISS
    asked = re.split(r"[,;\s]+", (report.header.tie_breaks or report.header.standings_order).upper())
    named = [code.replace("-", "/") for code in asked if code]
    known = tuple(code for code in named if code == ENCOUNTER or _SUM.fullmatch(code))
    unknown = tuple(code for code in named if code not in known and code not in _POINTS)
    codes = known or usual
    values = {code: played.values(code) for code in codes if code != ENCOUNTER}
    groups = [list(range(len(report.teams)))]
    for key in (played.matches.points, played.games.points, *(values.get(code) for code in codes)):
        groups = [
            part
            for group in groups
            for part in (played.encounters(group) if key is None else split(group, key))
        ]
    ranks = {at: 1 + sum(map(len, groups[:number])) for number, group in enumerate(groups) for at in group}
    stated = [team.rank for team in report.teams]
    by_report = None not in stated
    places = []
    for at, team in enumerate(report.teams):
        results = Counter(it.result for it in played.matches.rounds[at])
        values_here = tuple(values[code][at] if code in values else None for code in codes)
        places.append(
            TeamPlace(
                team.name,
                (team.rank or 0) if by_report else ranks[at],
                results["1"] + results["+"],
                results["="],
                results["0"] + results["-"],
                played.matches.points[at],
                played.games.points[at],
                values_here,
            )
        )
    return TeamTable(tuple(sorted(places, key=lambda it: it.rank)), codes, unknown, by_report)


def _claims_others(report: Report, played: TeamTournament) -> bool:
    """Return whether a team claims other match points or game points than its games give."""
    figures = zip(report.teams, played.matches.points, played.games.points, strict=True)
    return any(
        team.match_points not in {None, matches} or team.game_points not in {None, games}
        for team, matches, games in figures
    )
