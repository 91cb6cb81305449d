"""The final table of a team tournament with its tie-breaks (C.07, 12 and 13), from the games of the players.

The teams become the entrants of a tournament of matches, so that the tie-breaks are those of ``tie_breaks``: with
match points, with game points, or with the one of the opponent and the other of the team.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import add

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

ENCOUNTERS = {"EDE": (), "EDEBT": ("BC", "TBR"), "EDEBB": ("BC", "BBE"), "EDET": ("TBR",), "EDEB": ("BBE",)}
"""Direct encounter by match points, then by game points (13.3); then boards separate two teams (13.3.2)."""

SHOWN = {**{name: article for name, (*_, article) in SUMS.items()}, "SSSC": "13.4", "BC": "12.1"}
"""The tie-breaks that have a value to show, with their articles."""

ARTICLES = {
    **SHOWN, **{name: "13.3.2" if boards else "13.3" for name, boards in ENCOUNTERS.items()},
    "TBR": "12.2", "BBE": "12.3",
}  # fmt: skip

_FOR_SWISS, _FOR_ROUND_ROBIN = ("BH", "EMGSB"), ("EDE", "EMGSB")
_POINTS = ("PTS", "MP", "GP", "MPTS", "GPTS", "MPVGP")
_KNOWN = re.compile(f"({'|'.join(SUMS)})/[CM][12]|{'|'.join(ARTICLES)}")
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

    @property
    def shown(self) -> tuple[str, ...]:
        """The tie-breaks that have a value to show."""
        return tuple(code for code in self.tie_breaks if code.partition("/")[0] in SHOWN)


@dataclass(frozen=True)
class TeamTournament:
    """The matches of a team tournament, with what ranks teams beyond their points (12.1, 12.2, 12.3, 13.3, 13.4)."""

    matches: Tournament
    """With match points."""

    game_points: Sequence[Sequence[Fraction]]
    """Of each team, round by round."""

    board_points: Sequence[Sequence[Sequence[Fraction]]]
    """Of each team and round the points on each board, those of a pairing bye as won (12)."""

    boards: int

    @cached_property
    def games(self) -> Tournament:
        """The same matches with game points."""
        games = _scored(self.matches, self.game_points)
        games.points = [sum(row, Fraction(0)) for row in self.game_points]
        games.win, games.draw = Fraction(self.boards), Fraction(self.boards, 2)
        return games

    def values(self, code: str) -> list[Value]:
        """Return the value of each team for a tie-break that has one; sums may be cut: ``EMGSB/C1``."""
        name, _, cut = code.partition("/")
        if name == "BC":
            return [-it for it in self.by_boards(name)[0]]
        if name == "SSSC":
            factor = int(self.matches.win * self.matches.length / max(1, self.boards)) or 1  # 13.4.2
            return [
                Fraction(it or 0) / factor + own
                for it, own in zip(self.values("BH"), self.games.points, strict=True)
            ]
        base, by_games, own_games, _ = SUMS[name]
        scores = self.games if by_games else self.matches
        if by_games != own_games:
            adjusted = scores.adjusted
            scores = _scored(scores, self.game_points if own_games else _points(self.matches))
            vars(scores)["adjusted"] = adjusted
        tie_break = read_tie_break(f"{base}/{cut}" if cut else base)
        return values_of(scores, tie_break) if tie_break else [None] * len(self.game_points)

    def by_boards(self, name: str, group: Sequence[int] = ()) -> list[list[Fraction]]:
        """Return columns that rank the teams by their boards (12), the higher the better.

        Of a group only its own matches count.
        """
        totals = [[Fraction(0)] * self.boards for _ in self.board_points]
        for own, rounds, points in zip(totals, self.matches.rounds, self.board_points, strict=True):
            for match, row in zip(rounds, points, strict=True):
                if not group or match.opponent in group:
                    own[:] = map(add, own, row)
        if name == "BC":
            return [[-sum((n * it for n, it in enumerate(row, start=1)), Fraction(0)) for row in totals]]
        if name == "TBR":
            return [[row[board] for row in totals] for board in range(self.boards)]
        return [[sum(row[:kept], Fraction(0)) for row in totals] for kept in range(self.boards - 1, 0, -1)]

    def encounters(self, group: Sequence[int], *boards: str) -> list[list[int]]:
        """Return tied teams in parts: by match points against each other, then by game points (13.3).

        Two teams that are still tied follow from the boards of their matches, if the code says so (13.3.2).
        """
        parts = direct_encounter(self.matches, group, TieBreak("DE"))
        if len(parts) == 1:
            parts = direct_encounter(self.games, group, TieBreak("DE"))
        if len(parts) > 1:
            return [again for part in parts for again in self.encounters(part, *boards)]
        if len(group) == 2:  # noqa: PLR2004  13.3.2
            return _split_by(parts, (column for name in boards for column in self.by_boards(name, group)))
        return parts

    def separated(self, groups: list[list[int]], code: str) -> list[list[int]]:
        """Return tied teams in parts by a tie-break."""
        if code in ENCOUNTERS:
            return [part for group in groups for part in self.encounters(group, *ENCOUNTERS[code])]
        return _split_by(
            groups, self.by_boards(code) if code in {"BC", "TBR", "BBE"} else [self.values(code)]
        )


def _split_by(groups: list[list[int]], columns: Iterable[Sequence[Value]]) -> list[list[int]]:
    """Return tied teams in parts by one column after the other, the higher value first."""
    for column in columns:
        groups = [part for group in groups for part in split(group, column)]
    return groups


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
    boards = max((match.games for row in rows for match in row), default=0)
    return TeamTournament(
        Tournament(as_players, rules, all_play_all=meets_all(as_players)),
        [[row[at].points for row in rows] for at in range(len(report.teams))],
        [
            [_on_boards(row[at], boards, report.header.points) for row in rows]
            for at in range(len(report.teams))
        ],
        boards,
    )


@dataclass(frozen=True, slots=True)
class _Match:
    """One round of a team."""

    opponent: int
    """Counted from one; 0 for none."""

    result: str
    points: Fraction
    games: int
    on_boards: tuple[Fraction, ...] = ()
    """Of the players who were paired, in the order of the team."""


def _on_boards(match: _Match, boards: int, points: Mapping[str, Fraction]) -> list[Fraction]:
    """Return the points of a match on each board; a pairing bye is won on every board (12)."""
    if match.result == Result.PAIRING_BYE:
        return [worth(points, Result.WIN)] * boards
    return [*match.on_boards, *[Fraction(0)] * boards][:boards]


def _matches(report: Report, cells: Round, team_of: Mapping[int, int]) -> list[_Match]:
    """Return the match of each team in a round: against the team that most of its players met."""
    points = [Fraction(0) for _ in report.teams]
    letters = ["" for _ in report.teams]
    met: list[Counter[int]] = [Counter() for _ in report.teams]
    on_boards: list[list[Fraction]] = [[] for _ in report.teams]
    for number, at in team_of.items():
        place = report.places.get(number)
        if place is None:
            continue
        result, other = cells.results[place], team_of.get(cells.opponents[place])
        own = worth(report.header.points, result, cells.colours[place])
        points[at] += own
        letters[at] += result
        if result not in BYES and (result != Result.NONE or other is not None):
            on_boards[at].append(own)
        if other is not None and result not in BYES:
            met[at][other] += 1
    return [
        _match(points, at, letters[at], met[at].most_common(1), tuple(on_boards[at]))
        for at in range(len(points))
    ]


def _match(
    points: Sequence[Fraction],
    at: int,
    letters: str,
    met: Sequence[tuple[int, int]],
    boards: tuple[Fraction, ...],
) -> _Match:
    own = points[at]
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
    return _Match(other + 1, result, own, games, boards)


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
    known = tuple(code for code in named if _KNOWN.fullmatch(code))
    unknown = tuple(code for code in named if code not in known and code not in _POINTS)
    codes = known or usual
    values = {code: played.values(code) for code in codes if code.partition("/")[0] in SHOWN}
    groups = _split_by([[*range(len(report.teams))]], (played.matches.points, played.games.points))
    for code in codes:
        groups = played.separated(groups, code)
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
