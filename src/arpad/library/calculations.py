"""Any rating change, entry rating, K or norm under any edition, with its derivation.

Parameters and results have the names of ``arpad calc`` and of the API. The parameter ``date`` hides the type of that
name, hence ``Day``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any, TypeAlias

from arpad.explain import calculator_documents as _documents
from arpad.explain.norm_documents import norm_document as _norm_document
from arpad.explain.words import load_words as _load_words
from arpad.library.norms import norm_value as _norm_value
from arpad.library.values import (
    Change,
    ChangeGame,
    Coefficient,
    Entry,
    EntryFigures,
    Expectation,
    Norm,
    Performance,
    RoundRobin,
    RoundRobinPlayer,
    value_from,
)
from arpad.model.people import Birth
from arpad.model.rules import CHESS_LISTS, Edition, ListName
from arpad.model.typed_values import check_among
from arpad.rating import calculator as _calculator
from arpad.rating.arguments import choose_edition as _choose_edition
from arpad.rating.norm_arguments import calculate_norm as _calculate_norm
from arpad.regulations.editions import ALL as _ALL
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.rules import ChessRules

Day: TypeAlias = date
Score: TypeAlias = int | float | str | Fraction
"""Points as people give them: 1, 0.5, "0.5", "½", Fraction(1, 2)."""

Game: TypeAlias = str | tuple[int, Score] | tuple[int, Score, int] | tuple[int, Score, int, str]
"""Opponent, score and, if they differ, the own rating and a label of the event; or the text of ``--game``."""

Event: TypeAlias = str | tuple[Sequence[int], Score] | tuple[Sequence[int], Score, Day]
"""The ratings of the opponents, the score and perhaps the last day; or the text of ``--event``."""

Player: TypeAlias = (
    str
    | tuple[int | None, Score]
    | tuple[int | None, Score, int | None]
    | tuple[int | None, Score, int | None, str]
)
"""Rating or None, points or a row of the cross-table, and perhaps K and name; or the text of ``--player``."""

EditionChoice: TypeAlias = str | Edition[ChessRules] | None
"""An edition by name, by its TOML file, or as a value."""


def editions() -> tuple[Edition[ChessRules], ...]:
    """Return all editions of the FIDE regulations, oldest first.

    >>> [edition.id for edition in editions()][:3]
    ['fide-2009', 'fide-2009-notice', 'fide-2011']
    """
    return CHESS_EDITIONS


def edition(
    name: str | None = None,
    *,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Edition[ChessRules]:
    """Return an edition by name or TOML file, or the one in force on a day.

    A list may have begun on another day than its edition. Without a name and a
    day, return the newest edition.

    >>> edition("fide-2017").on(ListName.STANDARD).cap
    Rule(value=400, article='8.54')
    >>> edition(date=date(2023, 12, 26)).id
    'fide-2023-12'
    """
    return _choose_edition(name, date, chosen_list(list))


def rating_change(  # noqa: PLR0913  the options of ``arpad calc change``
    rating: int,
    game: Sequence[Game],
    *,
    k: int | None = None,
    games: int | None = None,
    peak: int | None = None,
    born: Birth = None,
    on: Day | None = None,
    from_standard: bool = False,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Change:
    """Return the change of a rated player over one period (8.5).

    Each game is (opponent, score), perhaps with the own rating in that game and
    a label of its event. Without k, it follows from the facts, as in
    ``coefficient``. The edition is the one named, else that of date, else the
    newest.

    >>> rating_change(2600, [(2100, 1)], k=10, edition="fide-2017").change
    Fraction(4, 5)
    """
    answer = _calculator.calculate_change(
        _question(
            edition, date, list, rating=rating, game=[_joined(item) for item in game], k=k, games=games,
            peak=peak, born=born, on=on, from_standard=from_standard,
        )
    )  # fmt: skip
    document = _documents.change_document(answer, _load_words("en"))
    worth = [
        value_from(ChangeGame, shown, steps=item.steps)
        for shown, item in zip(document.games, answer.result.games, strict=True)
    ]
    return value_from(Change, document, games=tuple(worth), steps=answer.steps)


def expected_score(
    rating: int,
    opponent: int,
    *,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Expectation:
    """Return the expected score of a player against an opponent (8.1b, 8.54).

    The edition is the one named, else that of date, else the newest.

    >>> expected_score(2000, 2500, edition="fide-2017").expected
    Fraction(2, 25)
    """
    answer = _calculator.calculate_expected_score(
        _question(edition, date, list, rating=rating, opponent=opponent)
    )
    document = _documents.expected_document(answer, _load_words("en"))
    return value_from(Expectation, document, steps=answer.steps)


def performance_rating(
    opponents: Sequence[int],
    score: Score,
    *,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Performance:
    """Return the performance rating of a score against rated opponents (8.1a).

    It is the average of the opponents plus dp. The edition is the one named,
    else that of date, else the newest.

    >>> performance_rating([2400] * 11, 7.5).rating
    2533
    """
    texts = [str(opponent) for opponent in opponents]
    answer = _calculator.calculate_performance(_question(edition, date, list, opponents=texts, score=score))
    document = _documents.performance_document(answer, _load_words("en"))
    return value_from(Performance, document, steps=answer.steps)


def coefficient(
    rating: int,
    games: int,
    *,
    peak: int | None = None,
    born: Birth = None,
    on: Day | None = None,
    from_standard: bool = False,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Coefficient:
    """Return the development coefficient K of a player (8.56).

    games: how many were rated so far; peak: the highest rating ever published;
    on: the first day of the period, which also chooses the edition. With
    from_standard, the rating is the standard one, of a player who has none on
    this list (RB 7.2.1).

    >>> coefficient(2350, 40, peak=2410, born=2001, on=date(2017, 9, 1)).k
    10
    """
    answer = _calculator.calculate_k(
        _question(
            edition, date, list, rating=rating, games=games, peak=peak, born=born, on=on,
            from_standard=from_standard,
        )
    )  # fmt: skip
    document = _documents.coefficient_document(answer, _load_words("en"))
    return value_from(Coefficient, document, steps=answer.steps)


def entry_rating(
    event: Sequence[Event],
    *,
    affiliated: bool = False,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> Entry:
    """Return the entry rating of an unrated player (8.2, 8.3, 7.14).

    Each event is (ratings of the rated opponents, score against them), perhaps
    with its last day. The edition is the one named, else that of date or of the
    last day, else the newest. The example of article 8.34:

    >>> events = [([2220] * 3, 1), ([2150] * 5, 3), ([2200] * 4, "2.5")]
    >>> entry_rating(events, edition="fide-2009").rating
    2199
    """
    events = [_event_text(item) for item in event]
    answer = _calculator.calculate_entry_rating(
        _question(edition, date, list, event=events, affiliated=affiliated)
    )
    document = _documents.entry_document(answer, _load_words("en"))
    return value_from(Entry, document, average_exact=answer.result.average, steps=answer.steps)


def rate_round_robin(
    player: Sequence[Player],
    *,
    counted_before: Sequence[int] = (),
    double: bool = False,
    edition: EditionChoice = None,
    date: Day | None = None,
    list: str = "standard",  # noqa: A002  the name of the option
) -> RoundRobin:
    """Rate a round robin with unrated players (8.21b, 8.25, 8.58).

    Each player is (rating or None, points), perhaps with K and name; points may
    be a row of the cross-table, as "x1=0". counted_before: the places of the
    unrated with an earlier event that counts. The editions from 2022 on have no
    such articles; the default is the last one that has them.

    >>> result = rate_round_robin([(2000, 2), (None, 1), (1900, 0)])
    >>> result.ra, result.players[1].ru_new
    (1950, 1950)
    """
    players = [_player_text(item) for item in player]
    answer = _calculator.calculate_round_robin(
        _question(
            edition, date, list, player=players, counted_before=[str(place) for place in counted_before],
            double=double,
        )
    )  # fmt: skip
    document, table = _documents.round_robin_document(answer, _load_words("en")), answer.result.table
    figures = [
        value_from(
            RoundRobinPlayer,
            shown,
            initial=value_from(EntryFigures, shown.initial, average_exact=item.entry.average)
            if item.entry
            else None,
            steps=item.steps,
        )
        for shown, item in zip(document.players, answer.result.players, strict=True)
    ]
    return value_from(
        RoundRobin, document, rar=table.rar, dpa=table.dpa, findings=answer.result.findings,
        players=tuple(figures), steps=answer.derivation,
    )  # fmt: skip


def find_norm(  # noqa: PLR0913  the options of ``arpad calc norm``
    title: str,
    game: Sequence[str],
    *,
    federation: str,
    sex: str | None = None,
    system: str | None = None,
    rounds: int | None = None,
    host: str | None = None,
    kind: str | None = None,
    strong_field: bool = False,
    edition: str | None = None,
    date: Day | None = None,
    lang: str = "en",
) -> Norm:
    """Return whether a player made a title norm (B.01 1.4).

    Each game is written ROUND:RESULT:TITLE:RATING:FEDERATION[:ID]. The title
    edition is the one named, else that of date, else the newest.

    >>> games = [f"{n}:1:GM:2500:{'FRA' if n < 4 else 'ESP'}" for n in range(1, 10)]
    >>> norm = find_norm("GM", games, federation="ITA")
    >>> norm.norm, norm.average, norm.performance, norm.games
    (True, 2500, 3300, 12)
    """
    question = _question(
        edition, date, None, title=title, game=[*game], federation=federation, sex=sex, system=system,
        rounds=rounds, host=host, kind=kind, strong_field=strong_field,
    )  # fmt: skip
    norm = _calculate_norm(question).result
    return _norm_value(norm, _norm_document(norm, _load_words(lang)))


def chosen_list(name: str) -> ListName:
    """Return one of the three chess lists by name."""
    check_among(name, "list", CHESS_LISTS)
    return ListName(name)


def _question(
    edition: EditionChoice, day: Day | None, on_list: str | None, **options: Any
) -> _calculator.Question:
    """Return a question as the command line puts it; an option that is None was not given."""
    texts: dict[str, Any] = {
        name: value if value is None or isinstance(value, bool | list) else str(value)
        for name, value in options.items()
    }
    own = [edition] if isinstance(edition, Edition) else []
    return _calculator.Question.from_options(
        [*own, *_ALL],
        edition=edition.id if isinstance(edition, Edition) else edition,
        date=None if day is None else str(day),
        list=on_list,
        **texts,
    )


def _joined(parts: Any) -> str:
    """Return the parts of a game or of a player as a command line has them; a text is taken as it is."""
    if isinstance(parts, tuple | list):
        return ":".join("" if part is None else str(part) for part in parts)
    return str(parts)


def _player_text(player: Any) -> str:
    """Return a player of a round robin as a command line has them; None is no rating."""
    unrated = isinstance(player, tuple | list) and player and player[0] is None
    return _joined(("-", *player[1:]) if unrated else player)


def _event_text(event: Any) -> str:
    """Return an event as a command line has it; a text is taken as it is."""
    if not isinstance(event, tuple | list):
        return str(event)
    ratings, *others = event
    listed = ",".join(map(str, ratings)) if isinstance(ratings, tuple | list) else str(ratings)
    return "@".join((_joined((listed, *others[:1])), *map(str, others[1:])))
