"""Checks of a draughts report; no finding stops the preview."""

from collections import Counter
from collections.abc import Iterator

from arpad.checks.header import online, rounds_played
from arpad.checks.participants import nicknames
from arpad.model.rules import Fact, Finding, Severity
from arpad.reports.report import BYES, HALF_POINTS, PLAYED, UNPLAYED_GAMES, Game, Report

POINTS_ARTICLE = "Tab. 17"
UNPLAYED_ARTICLE = "Capo VI art. 7"


def check_report(report: Report) -> Iterator[Finding]:
    """Return the findings about a draughts report."""
    yield from _numbers(report)
    if report.header.last_day is None and report.header.first_day is None:
        yield Finding(Severity.WARNING, "draughts-no-date", "Tab. 18a")
    for index in range(len(report.entrants)):
        for game in report.games(index):
            yield from _cell(report, game)
    yield from _points(report)
    for check in (nicknames, online, rounds_played):
        yield from check(report)


def _numbers(report: Report) -> Iterator[Finding]:
    for number, times in Counter(entrant.number for entrant in report.entrants).items():
        if times > 1:
            yield Finding(Severity.ERROR, "draughts-number-twice", player=number, facts={"number": number})


def _cell(report: Report, game: Game) -> Iterator[Finding]:
    facts: dict[str, Fact] = {"number": game.number, "opponent": game.opponent, "result": game.result}

    def found(severity: Severity, code: str, article: str = "") -> Finding:
        return Finding(severity, code, article, player=game.number, round=game.round, facts=facts)

    if game.result not in HALF_POINTS:
        yield found(Severity.ERROR, "draughts-result-unknown")
    elif game.result in BYES or not game.opponent:
        if game.result in PLAYED:
            yield found(Severity.ERROR, "draughts-no-opponent")
    elif game.opponent not in report.places or game.opponent == game.number:
        yield found(Severity.ERROR, "draughts-pairing")
    else:
        opponent = report.places[game.opponent]
        if not report.round(game.round).confirms(opponent, game.number, game.result):
            yield found(Severity.ERROR, "draughts-result-mismatch")
        if game.result in UNPLAYED_GAMES and game.number < game.opponent:
            yield found(Severity.INFO, "draughts-not-counted", UNPLAYED_ARTICLE)


def _points(report: Report) -> Iterator[Finding]:
    """Compare the claimed points with the results; a report counts all of them as 2-1-0 or, like chess, as 1-½-0."""
    own = [
        sum(HALF_POINTS.get(game.result, 0) for game in report.games(index))
        for index in range(len(report.entrants))
    ]
    claims = [
        (entrant, entrant.half_points, own[index])
        for index, entrant in enumerate(report.entrants)
        if entrant.half_points is not None
    ]
    scale = max((1, 2), key=lambda scale: sum(claimed == scale * points for _, claimed, points in claims))
    games = len(report.rounds)
    for entrant, claimed, points in claims:
        if claimed == scale * points:
            continue
        code = "draughts-points-beyond-games" if claimed > 2 * scale * games else "draughts-points-differ"
        facts = {"number": entrant.number, "claimed": claimed // scale, "points": points, "most": 2 * games}
        yield Finding(Severity.ERROR, code, POINTS_ARTICLE, entrant.line, player=entrant.number, facts=facts)
