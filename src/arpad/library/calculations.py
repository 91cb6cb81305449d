"""Any rating change, entry rating, K or norm under any edition, with its derivation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from arpad.model.chess import Change, Entry, GameChange, PlayerFacts, RatedGame
from arpad.model.errors import BadInput
from arpad.model.exact import from_hundredths
from arpad.model.people import Birth
from arpad.model.rules import CHESS_LISTS, Edition, ListName
from arpad.model.typed_values import parse_score as _parse_score
from arpad.rating import arguments as _arguments
from arpad.rating import calculator as _calculator
from arpad.rating.norm_arguments import answer_norm as _answer_norm
from arpad.rating.norms import Norm
from arpad.rating.round_robin import NEWEST as _LAST_WITH_ROUND_ROBINS
from arpad.rating.round_robin import RoundRobinPlayer, RoundRobinRating
from arpad.rating.round_robin import rate_round_robin as _rate_round_robin
from arpad.regulations.chess.performance_rating import PerformanceRating
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition, in_force

Score = int | float | str | Fraction
"""Points as people give them: 1, 0.5, "0.5", "½", Fraction(1, 2)."""


def editions() -> tuple[Edition[ChessRules], ...]:
    """Return all editions of the FIDE regulations, oldest first.

    >>> [edition.id for edition in editions()][:3]
    ['fide-2009', 'fide-2009-notice', 'fide-2011']
    """
    return CHESS_EDITIONS


def edition(which: str | date, on_list: str = "standard") -> Edition[ChessRules]:
    """Return an edition by name, or the one in force for a list on the day a tournament began.

    >>> edition("fide-2017").on(ListName.STANDARD).cap
    Rule(value=400, article='8.54')
    >>> edition(date(2023, 12, 26)).id
    'fide-2023-12'
    """
    return (
        in_force(CHESS_EDITIONS, chosen_list(on_list), which)
        if isinstance(which, date)
        else chess_edition(which)
    )


def rating_change(
    rating: int,
    games: Sequence[tuple[int, Score]] | Sequence[RatedGame],
    *,
    k: int,
    edition: str | date | Edition[ChessRules] = _arguments.NEWEST,
    on_list: str = "standard",
) -> Change:
    """Return the change of a rated player over one period (8.5); games are (opponent, score) or ``RatedGame`` values.

    >>> rating_change(2600, [(2100, 1)], k=10, edition="fide-2017").change
    Fraction(4, 5)
    """
    rated = [
        game if isinstance(game, RatedGame) else RatedGame(rating, game[0], _half_points(game[1]))
        for game in games
    ]
    return _calculator.change(rating, rated, k, _rules(edition, on_list))


def expected_score(
    rating: int,
    opponent: int,
    *,
    edition: str | date | Edition[ChessRules] = _arguments.NEWEST,
    on_list: str = "standard",
) -> Fraction:
    """Return the expected score of a player against an opponent (8.1b, 8.54).

    >>> expected_score(2000, 2500, edition="fide-2017")
    Fraction(2, 25)
    """
    change: GameChange = _calculator.expected(rating, opponent, _rules(edition, on_list))
    return from_hundredths(change.expected)


def performance_rating(
    opponents: Sequence[int],
    score: Score,
    *,
    edition: str | date | Edition[ChessRules] = _arguments.NEWEST,
    on_list: str = "standard",
) -> PerformanceRating:
    """Return the performance rating of a score against rated opponents: their average plus dp (8.1a).

    >>> performance_rating([2400] * 11, 7.5).rating
    2533
    """
    return _calculator.performance(opponents, _half_points(score), _rules(edition, on_list))


def coefficient(
    rating: int,
    games: int,
    *,
    peak: int = 0,
    born: Birth = None,
    on: date,
    edition: str | date | Edition[ChessRules] | None = None,
    on_list: str = "standard",
    from_standard: bool = False,
) -> int:
    """Return the development coefficient K of a player on the first day of a period (8.56).

    With ``from_standard``, the rating is the standard one, of a player who has none on this list (RB 7.2.1).

    >>> coefficient(2350, 40, peak=2410, born=date(2001, 5, 5), on=date(2017, 9, 1))
    10
    >>> coefficient(2500, 0, on=date(2024, 5, 1), on_list="rapid", from_standard=True)
    40
    """
    facts = PlayerFacts(rating, games, peak, born, from_standard)
    return _calculator.coefficient(facts, on, _rules(edition or on, on_list)).k


def entry_rating(
    events: Sequence[tuple[Sequence[int], Score] | tuple[Sequence[int], Score, date]],
    *,
    edition: str | date | Edition[ChessRules] = _arguments.NEWEST,
    on_list: str = "standard",
    affiliated: bool = False,
) -> Entry:
    """Return the entry rating of an unrated player (8.2, 8.3, 7.14).

    Each event gives the ratings of the rated opponents, the score against them and, where it matters, its last day.
    The example of article 8.34:

    >>> entry_rating([([2220] * 3, 1), ([2150] * 5, 3), ([2200] * 4, "2.5")], edition="fide-2009").rating
    2199
    """
    results = [
        _arguments.EventResult(tuple(event[0]), _half_points(event[1]), event[2] if len(event) > 2 else None)  # noqa: PLR2004  the third part
        for event in events
    ]
    return _calculator.entry(results, _rules(edition, on_list), affiliated=affiliated)


def rate_round_robin(
    players: Sequence[tuple[int | None, Score] | RoundRobinPlayer],
    *,
    edition: str | date | Edition[ChessRules] = _LAST_WITH_ROUND_ROBINS,
    on_list: str = "standard",
    double: bool = False,
) -> RoundRobinRating:
    """Rate a round robin with unrated players (8.21b, 8.25, 8.58); the editions from 2022 on have no such articles.

    Each player is (rating, points), None for the unrated, or a ``RoundRobinPlayer``, who may bring a row of the
    cross-table, K and a name. Three players, with the unrated one second:

    >>> change = rate_round_robin([(2000, 2), (None, 1), (1900, 0)], edition="fide-2017")
    >>> change.table.ra, [player.unrated.ru_new for player in change.players if player.unrated]
    (1950, [1950])
    """
    field = [
        player if isinstance(player, RoundRobinPlayer) else RoundRobinPlayer(player[0], str(player[1]))
        for player in players
    ]
    chosen = edition if isinstance(edition, Edition) else _edition(edition, on_list)
    return _rate_round_robin(field, chosen, chosen_list(on_list), cycles=2 if double else 1)


def find_norm(
    title: str,
    games: Sequence[str],
    *,
    federation: str,
    sex: str = "",
    system: str = "swiss",
    rounds: int | None = None,
    host: str = "",
    kind: str = "",
    edition: str | date | None = None,
) -> Norm:
    """Return whether a player made a title norm; games are written ROUND:RESULT:TITLE:RATING:FEDERATION[:ID].

    The edition is one by name, or the one in force on the first day of the tournament; without it, the newest.

    >>> games = [f"{number}:1:GM:2500:{'FRA' if number < 4 else 'ESP'}" for number in range(1, 10)]
    >>> norm = find_norm("GM", games, federation="ITA")
    >>> norm.norm, norm.average, norm.performance, norm.counted
    (True, 2500, 3300, 12)
    """
    by_day = isinstance(edition, date)
    question = _calculator.Question.from_options(
        title=title,
        game=list(games),
        federation=federation,
        sex=sex or None,
        system=system,
        rounds=None if rounds is None else str(rounds),
        host=host or None,
        kind=kind or None,
        edition=None if by_day or edition is None else str(edition),
        date=str(edition) if by_day else None,
    )
    return _answer_norm(question).result


def _edition(which: str | date, on_list: str) -> Edition[ChessRules]:
    return edition(which, on_list)


def _rules(which: str | date | Edition[ChessRules], on_list: str) -> ChessRules:
    chosen = which if isinstance(which, Edition) else edition(which, on_list)
    return chosen.on(chosen_list(on_list))


def chosen_list(name: str) -> ListName:
    """Return one of the three chess lists by name."""
    if name not in CHESS_LISTS:
        raise BadInput("value-unknown", option="on_list", value=name, accepted=", ".join(CHESS_LISTS))
    return ListName(name)


def _half_points(score: Score) -> int:
    return _parse_score(str(score), "score")
