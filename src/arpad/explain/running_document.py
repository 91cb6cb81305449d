"""The page of a tournament in progress as plain values: computed when a version arrives, stored as JSON.

Changes are in hundredths of a point, so that they stay exact. No sentence is in it except those about norms, which are
written in every language at once.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from arpad.explain.norm_documents import NormWords
from arpad.explain.words import LANGUAGES, MINUS, load_words
from arpad.model.exact import decimal_text
from arpad.model.rules import ListName
from arpad.rating.norm_report import ReportNorms
from arpad.rating.preview import RatedEntrant, RatedReport
from arpad.rating.running_tournament import EntryOutlook, NextGame, rounds_played
from arpad.reports.report import Report, Result, worth

MOST_NORMS = 60
"""Players whose norms the page shows."""


@dataclass(frozen=True, slots=True)
class RunningNext:
    """The next game: what a win, a draw and a loss would add; null if the game would not be rated."""

    round: int
    opponent: int
    colour: str
    win: int | None
    draw: int | None
    loss: int | None


RunningEntry: TypeAlias = EntryOutlook
"""An unrated player's way to a first rating."""


@dataclass(frozen=True, slots=True)
class RunningPlayer:
    """A participant, in the order of the standings."""

    rank: int
    number: int
    player: int | None
    """The player of the register; null if the match is not certain."""

    candidates: tuple[int, ...]
    """Players of the register whom the entrant may be."""

    name: str
    title: str
    federation: str
    rating: int | None
    k: int | None
    score: str
    change: int | None
    """In hundredths, with K applied; null for an unrated player."""

    after: int | None
    """The rating if nothing more were played."""

    rounds: tuple[str, ...]
    """A cell for each round: opponent, colour and result, as ``12w1``, ``0-H``, ``7b`` before the game; or empty."""

    next: RunningNext | None
    entry: RunningEntry | None


@dataclass(frozen=True, slots=True)
class RunningNorm:
    """A title norm that is made or still possible, in the words of each language."""

    number: int
    title: str
    made: bool
    words: dict[str, str]


@dataclass(frozen=True, slots=True)
class RunningDocument:
    """A tournament in progress."""

    title: str
    city: str
    federation: str
    first_day: str
    last_day: str
    time_control: str
    arbiter: str
    list: str
    edition: str
    rounds: int
    """The last round with a result."""

    total: int
    """The rounds of the tournament; 0 if the report does not say."""

    next_round: int
    """The round whose pairings are known; 0 if none is."""

    errors: int
    warnings: int
    players: tuple[RunningPlayer, ...]
    norms: tuple[RunningNorm, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of an entrant: the player of the register, or those whom the entrant may be."""

    player: int | None = None
    candidates: tuple[int, ...] = ()


def running_document(
    report: Report,
    on_list: ListName,
    rated: RatedReport | None,
    identities: Sequence[Identity],
    next_games: Mapping[int, NextGame],
    entries: Mapping[int, EntryOutlook],
    norms: ReportNorms | None,
    *,
    errors: int = 0,
    warnings: int = 0,
) -> RunningDocument:
    """Return the document of a version; ``next_games`` and ``entries`` are by start number."""
    header = report.header
    scores = [score_of(report, place) for place in range(len(report.entrants))]
    results = rated.players if rated is not None else (None,) * len(report.entrants)
    players = []
    for rank, place in enumerate(standings(report, scores), start=1):
        entrant, identity, result = report.entrants[place], identities[place], results[place]
        players.append(
            RunningPlayer(
                rank, entrant.number, identity.player, identity.candidates, entrant.name, entrant.title,
                entrant.federation, result.rating if result else entrant.rating, result.k if result else None,
                decimal_text(scores[place]), _change(result), _after(result), _cells(report, place),
                _next(next_games.get(entrant.number)), entries.get(entrant.number),
            )
        )  # fmt: skip
    return RunningDocument(
        header.name, header.city, header.federation, str(header.first_day or ""),
        str(header.last_day or header.first_day or ""), header.time_control, header.chief_arbiter, str(on_list),
        rated.edition.id if rated is not None and rated.edition else "", rounds_played(report),
        max(header.rounds or 0, len(report.rounds)) if header.rounds else 0,
        max((game.round for game in next_games.values()), default=0), errors, warnings,
        tuple(players), tuple(_norms(norms)),
    )  # fmt: skip


def score_of(report: Report, place: int) -> Fraction:
    """Return the points of the entrant at a place under the point system of the report."""
    points = report.header.points
    games = (game for game in report.games(place) if game.result != Result.NONE)
    return sum((worth(points, game.result, game.colour) for game in games), Fraction(0))


def standings(report: Report, scores: Sequence[Fraction]) -> list[int]:
    """Return the places by points; equal ones by the rank in the report, then by rating and start number."""
    last = len(report.entrants) + 1
    return sorted(
        range(len(report.entrants)),
        key=lambda place: (
            -scores[place],
            report.entrants[place].rank or last,
            -(report.entrants[place].rating or 0),
            report.entrants[place].number,
        ),
    )


def without_hidden(document: RunningDocument, hidden: Collection[int]) -> frozenset[int]:
    """Return the start numbers whose names are not shown: hidden players, and entrants who may be one of them."""
    return frozenset(
        item.number
        for item in document.players
        if item.player in hidden or any(candidate in hidden for candidate in item.candidates)
    )


def _hundredths(value: Fraction) -> int:
    whole = 100 * value
    if whole.denominator != 1:
        raise ValueError(value)
    return whole.numerator


def _change(result: RatedEntrant | None) -> int | None:
    return _hundredths(result.change.change) if result is not None and result.change is not None else None


def _after(result: RatedEntrant | None) -> int | None:
    return result.change.new_rating if result is not None and result.change is not None else None


def _cells(report: Report, place: int) -> tuple[str, ...]:
    return tuple(
        f"{cells.opponents[place]}{cells.colours[place].strip() or '-'}{cells.results[place].strip()}"
        if cells.opponents[place] or cells.results[place] != Result.NONE
        else ""
        for cells in report.rounds
    )


def _next(game: NextGame | None) -> RunningNext | None:
    if game is None:
        return None
    outcomes = game.outcomes
    worth_of = (outcomes.win, outcomes.draw, outcomes.loss) if outcomes else (None, None, None)
    hundredths = (None if value is None else _hundredths(value) for value in worth_of)
    return RunningNext(game.round, game.opponent, game.colour.strip(), *hundredths)


def _norms(norms: ReportNorms | None) -> list[RunningNorm]:
    """Return the norms that are made, and those for which a score against opponents as strong as so far is enough."""
    shown: list[RunningNorm] = []
    writers = {name: NormWords(load_words(name, MINUS)) for name in LANGUAGES}
    for player in norms.players[:MOST_NORMS] if norms is not None else ():
        for norm, outlook in zip(player.norms, player.outlooks, strict=True):
            if norm.norm is not False or (
                outlook is not None and outlook.possible and outlook.score is not None
            ):
                words = {name: writer.lacking(norm, outlook) for name, writer in writers.items()}
                shown.append(RunningNorm(player.entrant.number, str(norm.title), norm.norm is True, words))
    return shown
