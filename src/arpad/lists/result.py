"""The result of computing a list: its text, the state of every player after it, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

from arpad.lists.canonical import canonical_head, canonical_lines, read_canonical
from arpad.lists.published import EMPTY_STATE, PublishedList, StoredPlayer
from arpad.lists.system_list import SystemResult
from arpad.model.rules import ListName
from arpad.regulations.rating_system import System
from arpad.regulations.systems import system_of

if TYPE_CHECKING:
    import polars as pl

Movement: TypeAlias = tuple[int, int, int]
"""Player, rating before, rating after."""

Pending: TypeAlias = tuple[tuple[int, str], ...]
"""Unrated players with the code of the condition that they do not meet yet."""


@dataclass(frozen=True)
class ListResult:
    """A list as it would be published, and the state of every player after it.

    The readable path returns its players as rows, the path on columns as a table; each is made from the other if it is
    needed. Without Polars there are only rows.
    """

    head: str
    """The canonical text above the players' lines."""

    system: System[Any, Any]
    players: tuple[StoredPlayer, ...] | pl.DataFrame
    """All players with a state or a line, by number."""

    movements: Sequence[Movement] = ()
    """The changed ratings, the largest change first, then by number."""

    entered: tuple[int, ...] = ()
    delisted: tuple[int, ...] = ()
    pending_players: tuple[int, ...] = ()
    """Unrated players who played and do not meet a condition yet, by number."""

    make_pending: Callable[[], Pending] = tuple
    """Computes ``pending``: the reason of each takes as long as an entry rating, and only some pages show it."""

    of_system: SystemResult | None = None
    """The same list as its rating system computed it."""

    @cached_property
    def pending(self) -> Pending:
        """The pending players, each with the code of the condition."""
        return self.make_pending()

    @cached_property
    def rows(self) -> tuple[StoredPlayer, ...]:
        """The players as rows."""
        if isinstance(self.players, tuple):
            return self.players
        from arpad.lists.table import rows_of  # needs Polars

        return tuple(rows_of(self.players))

    @cached_property
    def table(self) -> pl.DataFrame:
        """The players as a table."""
        if not isinstance(self.players, tuple):
            return self.players
        from arpad.lists.table import table_of  # needs Polars

        return table_of(self.players, self.system)

    @property
    def published(self) -> PublishedList:
        """The list as values."""
        return read_canonical(self.text)

    @cached_property
    def ratings(self) -> Mapping[int, int | None]:
        """The rating of each player with a state."""
        return {row.player: row.rating for row in self.rows if row.state != EMPTY_STATE}

    @cached_property
    def states(self) -> Mapping[int, str]:
        """The state of each player who has one."""
        return {row.player: row.state for row in self.rows if row.state != EMPTY_STATE}

    @cached_property
    def listed(self) -> int:
        """How many players the list shows."""
        if isinstance(self.players, tuple):
            return sum(row.line is not None for row in self.players)
        return int(self.players["listed"].sum())

    @cached_property
    def text(self) -> bytes:
        """The canonical text."""
        out = BytesIO()
        out.writelines(self._pieces())
        return out.getvalue()

    def _pieces(self) -> Iterator[bytes]:
        """Yield the canonical text: the head, then many lines at once."""
        yield self.head.encode()
        if isinstance(self.players, tuple):
            yield from (f"{row.line}\n".encode() for row in self.players if row.line is not None)
            return
        from arpad.lists.table import listed_lines  # needs Polars

        yield from listed_lines(self.players)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text; a long text is not kept for it."""
        digest = sha256()
        for piece in [self.text] if "text" in self.__dict__ else self._pieces():
            digest.update(piece)
        return digest.hexdigest()

    @cached_property
    def line_hashes(self) -> bytes:
        """The hashes of the players' lines, one after the other."""
        from arpad.proofs.lines import line_hashes  # only a publication needs it

        return line_hashes(self.text, len(self.head.encode()))

    @property
    def lines(self) -> Mapping[str, Any]:
        """The number of lines, and the root of the tree over them, with which a single line is proved."""
        from arpad.proofs.lines import lines_seal

        return lines_seal(self.line_hashes)

    @cached_property
    def standings_digest(self) -> str:
        """SHA-256 over all states."""
        if isinstance(self.players, tuple):
            states = [f"{row.player}\t{row.state}\n" for row in self.players if row.state != EMPTY_STATE]
            return sha256("".join(states).encode()).hexdigest()
        from arpad.lists.table import standings_bytes  # needs Polars

        return sha256(standings_bytes(self.players)).hexdigest()


def result_of_values(
    published: PublishedList,
    states: Mapping[int, str],
    ratings: Mapping[int, int | None],
    ratings_before: Mapping[int, int | None],
    entered: tuple[int, ...],
    delisted: tuple[int, ...],
    pending: Pending = (),
) -> ListResult:
    """Return a result from a list as values, and the states and ratings of all players."""
    lines = canonical_lines(published)
    movements = [
        (player, before, after)
        for player, after in ratings.items()
        if after is not None and (before := ratings_before.get(player)) is not None and after != before
    ]
    movements.sort(key=lambda entry: (-abs(entry[2] - entry[1]), entry[0]))
    rows = tuple(
        StoredPlayer(player, ratings.get(player), states.get(player, EMPTY_STATE), lines.get(player))
        for player in sorted({*states, *lines})
    )
    return ListResult(
        canonical_head(published, len(lines)), published.system, rows, tuple(movements), entered, delisted,
        tuple(player for player, _ in pending), lambda: pending,
    )  # fmt: skip


def base_result(states: Mapping[int, str], on_list: ListName) -> ListResult:
    """Return a corrected start: the states of all players and no list."""
    system = system_of(on_list)
    rating_of = system.stored.rating_of
    rows = (StoredPlayer(player, rating_of(it), it, None) for player, it in sorted(states.items()))
    return ListResult("", system, tuple(rows))
