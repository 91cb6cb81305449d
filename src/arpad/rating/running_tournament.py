"""A tournament that is not over: what the next game of each player would bring, and the way to a first rating."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from arpad.model.chess import ALL_PLAY_ALL, Entry, Performance
from arpad.model.exact import Hundredths, from_hundredths
from arpad.rating.preview import RatedEntrant, RatedReport
from arpad.regulations.fide.entry_rating import entry_rating, minimum_games
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.report import PLAYED, UNPLAYED_GAMES, Game, Report, Result

HALF_POINT: Hundredths = 50


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The points that each result of one more game adds to the change of a player in this tournament."""

    win: Fraction
    draw: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True)
class NextGame:
    """A pairing without a result."""

    round: int
    opponent: int
    """The start number."""

    colour: str
    outcomes: Outcomes | None
    """None if the game will not be rated, or if what it brings depends on other games."""


def rounds_played(report: Report) -> int:
    """Return the number of the last round with a result; 0 if there is none."""
    decided = PLAYED | UNPLAYED_GAMES
    return max(
        (number for number, cells in report.numbered_rounds() if decided & set(cells.results)), default=0
    )


def next_pairings(report: Report) -> dict[int, Game]:
    """Return the first pairing without a result of each start number, if the opponent's first one is the same."""
    first: dict[int, Game] = {}
    for place, entrant in enumerate(report.entrants):
        open_games = (game for game in report.games(place) if game.opponent and game.result == Result.NONE)
        game = next(open_games, None)
        if game is not None:
            first.setdefault(entrant.number, game)
    return {
        number: game
        for number, game in first.items()
        if (other := first.get(game.opponent)) is not None
        and (other.round, other.opponent) == (game.round, number)
    }


def next_games(rated: RatedReport, rate_report: Callable[[Report], RatedReport]) -> Mapping[int, NextGame]:
    """Return the next game of each start number that has one in the report.

    ``rate_report`` rates a report as ``rated`` was rated. It rates once more, with every next game drawn: so the same
    articles decide whether the game counts. In a round robin with unrated players the result of one game changes what
    others bring, so nothing is foretold.
    """
    pairings = next_pairings(rated.report)
    unrated = any(player.rating is None for player in rated.players)
    if not pairings or rated.edition is None or (rated.treated_as in ALL_PLAY_ALL and unrated):
        return {number: _next_game(game, None) for number, game in pairings.items()}
    drawn = rate_report(_all_drawn(rated.report, pairings))
    now = {player.entrant.number: player for player in rated.players}
    return {
        player.entrant.number: _next_game(game, _outcomes(now[player.entrant.number], player, game.round))
        for player in drawn.players
        if (game := pairings.get(player.entrant.number)) is not None
    }


def _next_game(game: Game, outcomes: Outcomes | None) -> NextGame:
    return NextGame(game.round, game.opponent, game.colour, outcomes)


def _all_drawn(report: Report, pairings: Mapping[int, Game]) -> Report:
    rounds = []
    for number, cells in report.numbered_rounds():
        results = "".join(
            Result.DRAW.value
            if (game := pairings.get(entrant.number)) is not None and game.round == number
            else cells.results[place]
            for place, entrant in enumerate(report.entrants)
        )
        rounds.append(replace(cells, results=results))
    return replace(report, rounds=tuple(rounds))


def _outcomes(now: RatedEntrant, drawn: RatedEntrant, round_: int) -> Outcomes | None:
    """Return what each result adds; only the score differs, so the games that count and K are those of a draw."""
    cell = next((game for game in drawn.games if game.cell.round == round_), None)
    if now.change is None or drawn.change is None or cell is None or not cell.rated:
        return None
    before, change = now.change.change, drawn.change
    win, draw, loss = (
        from_hundredths(change.k_applied * (change.sum + HALF_POINT * more)) - before for more in (1, 0, -1)
    )
    return Outcomes(win, draw, loss)


@dataclass(frozen=True, slots=True)
class EntryOutlook:
    """The games that count for a first rating so far, and their value."""

    games: int
    needed: int
    computed: int | None
    """The value of the games; None if none counts."""

    rating: int | None
    """The first rating if nothing more were played; None if a condition is not met."""

    reason: str
    """``published``, or the code of what is missing."""


def entry_outlook(
    entry: Entry,
    earlier: Sequence[Performance],
    rules: ChessRules,
    *,
    last_day: date | None,
    affiliated: bool,
) -> EntryOutlook:
    """Return the way to a first rating: this tournament so far, after the ``earlier`` events that may still count."""
    event = [replace(performance, last_day=last_day) for performance in (*entry.counted, *entry.ignored)]
    if earlier:
        entry = entry_rating([*earlier, *event], rules, affiliated=affiliated)
    needed = minimum_games(entry.counted or (*earlier, *event), rules, affiliated=affiliated)
    return EntryOutlook(entry.games, needed.value, entry.computed, entry.rating, entry.reason)
