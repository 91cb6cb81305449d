"""The rows of a list: the state and the line of each player, and the digests over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from arpad.system.batches import batches

EMPTY_STATE = "{}"


class StandingRow(NamedTuple):
    """One player in one revision: the state, and the line if the player is published."""

    player: int
    rating: int | None
    state: str
    line: str | None

    def seal(self) -> str:
        """Return a short digest, so that a verification can name an altered row."""
        text = f"{self.player}\t{self.rating}\t{self.state}\t{self.line}"
        return sha256(text.encode()).hexdigest()[:16]


_BATCH = 50_000


def list_digest(head: str, listed: Iterable[str]) -> str:
    """Return the SHA-256 of the canonical text."""
    digest = sha256(head.encode())
    for batch in batches(listed, _BATCH):
        digest.update("\n".join([*batch, ""]).encode())
    return digest.hexdigest()


def standings_digest(rows: Iterable[tuple[int, str]]) -> str:
    """Return the SHA-256 over the states, by player."""
    digest = sha256()
    for batch in batches(rows, _BATCH):
        lines = [f"{player}\t{state}\n" for player, state in batch if state != EMPTY_STATE]
        digest.update("".join(lines).encode())
    return digest.hexdigest()
