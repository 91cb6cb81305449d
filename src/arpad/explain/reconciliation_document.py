"""A reconciliation as data for other programs, and as a table to send: the JSON document and the CSV file."""

import csv
import io
from dataclasses import dataclass

from arpad.explain.documents import filled
from arpad.explain.words import Words
from arpad.lists.reconciled import Cause, ReconciledPlayer, Reconciliation
from arpad.model.exact import decimal_text
from arpad.system.spreadsheet_cells import escape

COLUMNS = (
    "number", "name", "before", "computed", "published", "difference", "games", "published-games", "cause",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReconciledEventDocument:
    """An event of the period as the office rates it."""

    event: str
    games: int
    k: int | None
    change: str


@dataclass(frozen=True, slots=True)
class CauseDocument:
    """Why FIDE's list differs."""

    code: str
    known: bool
    text: str


@dataclass(frozen=True, slots=True)
class ReconciledPlayerDocument:
    """A player before the period, as computed and as FIDE published."""

    id: int
    name: str
    federation: str
    before: int | None
    computed: int | None
    published: int | None
    difference: int | None
    games: int
    published_games: int | None
    agrees: bool
    events: tuple[ReconciledEventDocument, ...]
    causes: tuple[CauseDocument, ...]


@dataclass(frozen=True, slots=True)
class ReconciliationDocument:
    """FIDE's list beside the office's own calculation."""

    list: str
    before: str
    after: str
    edition: str
    compared: int
    differing: int
    unexplained: int
    other_periods: tuple[str, ...]
    players: tuple[ReconciledPlayerDocument, ...]


def document(result: Reconciliation, words: Words) -> ReconciliationDocument:
    """Return the comparison, each player with the events and the causes of a difference."""
    return ReconciliationDocument(
        list=str(result.on_list),
        before=str(result.opened),
        after=str(result.day),
        edition=result.edition,
        compared=len(result.players),
        differing=len(result.differing()),
        unexplained=unexplained(result),
        other_periods=tuple(event.id for event in result.other_periods),
        players=tuple(player_document(player, words) for player in result.players),
    )


def player_document(player: ReconciledPlayer, words: Words) -> ReconciledPlayerDocument:
    """Return one player: as before, as computed, as published."""
    return filled(
        ReconciledPlayerDocument,
        player,
        id=player.player,
        name=player.listed.name,
        federation=player.listed.federation,
        before=player.before.rating if player.before else None,
        difference=_difference(player),
        published_games=player.after.games if player.after else None,
        events=tuple(
            ReconciledEventDocument(part.event, part.rated_games, part.k_applied, decimal_text(part.points))
            for part in (player.period.contributions if player.period else ())
        ),
        causes=tuple(
            CauseDocument(cause.code, cause.known, cause_text(cause, words)) for cause in player.causes
        ),
    )


def _difference(player: ReconciledPlayer) -> int | None:
    """Return published minus computed, if there are both."""
    if player.published is None or player.computed is None:
        return None
    return player.published - player.computed


def unexplained(result: Reconciliation) -> int:
    """Return for how many players no cause is known."""
    return sum(any(not cause.known for cause in player.causes) for player in result.players)


def summary(result: Reconciliation, words: Words) -> str:
    """Return in one sentence how many players agree."""
    differing, open_ones = result.differing(), unexplained(result)
    key = "summary" if open_ones else "summary-explained" if differing else "all-agree"
    return words.text(
        f"reconcile.{key}",
        players=len(result.players),
        agreeing=len(result.players) - len(differing),
        differing=len(differing),
        unexplained=open_ones,
    )


def cause_text(cause: Cause, words: Words) -> str:
    """Return a cause in words."""
    return words.text(f"reconcile-cause.{cause.code}", **cause.facts)


def heads(words: Words) -> list[str]:
    """Return the headings of the table."""
    return [words.text(f"reconcile.{name}") for name in COLUMNS]


def cells(player: ReconciledPlayer, words: Words) -> list[str]:
    """Return the row of a player."""
    none = words.text("reconcile.none")
    before = player.before.rating if player.before else None
    difference = _difference(player)
    shown = (before, player.computed, player.published)
    return [
        str(player.player),
        player.listed.name,
        *(none if value is None else str(value) for value in shown),
        none if difference is None else words.number(difference, signed=True),
        str(player.games),
        none if player.after is None or player.after.games is None else str(player.after.games),
        "; ".join(cause_text(cause, words) for cause in player.causes),
    ]


def csv_text(result: Reconciliation, words: Words) -> str:
    """Return the comparison as CSV, the differing players first."""
    differing = result.differing()
    agreeing = [player for player in result.players if player.agrees]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads(words))
    for player in [*differing, *agreeing]:
        row = cells(player, words)
        row[COLUMNS.index("difference")] = str(_difference(player) or 0)  # without the plus sign of a text
        writer.writerow([escape(cell) for cell in row])
    return text.getvalue()
