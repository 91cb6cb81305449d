"""Which players the acts since a live computation can touch.

A player's row on the next list depends on the state on the list before, the facts of the register, the decisions about
the player, and the events of the period in which the player takes part. The opponents count with the list in force on
the first day of each event, so a change does not spread from player to player. Two exceptions are in ``acts``:
round robins under an old edition, and guests.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.office.live.rows import Touched, rows_since, verbs_since

NO_LIST = frozenset(
    {
        "add-user", "appeal", "change-password", "change-user", "choose-mails", "choose-password", "issue-token",
        "record-norm", "record-norms", "revoke-norm", "revoke-two-people", "rotate-key", "second-factor",
        "sent-to-fide", "two-people", "withdraw-token", "invoice", "credit-invoice", "pay-invoice", "reopen-invoice",
        "player-data",
    }
)  # fmt: skip
"""Acts that no list depends on."""

BY_CHECK = frozenset(
    {
        "change-arbiter",
        "import-arbiters",
        "license-arbiter",
        "register-arbiter",
        "register-event",
        "change-event",
        "refuse-event",
        "cancel-event",
        "reinstate-event",
        "match",
    }
)
"""Acts that decide whether a received report can be accepted, and who its entrants are."""

BY_REPORT = frozenset({"submit", "join-stages", "accept", "return", "withdraw", "reinstate"})
"""Acts about a report."""

BY_DECISION = frozenset({"decide", "revoke", "settle"})
"""Acts about a report or a player."""

BY_PLAYER = frozenset(
    {
        "register-player", "change-player", "add-identifier", "remove-identifier", "transfer", "hide-player",
        "show-player",
    }
)  # fmt: skip
"""Acts that change what is known about one player."""

MOST_PLAYERS = 20_000
"""From this number of players on, computing the whole list is not slower."""


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """The changes since an act."""

    everybody: bool
    """Whether everything is to be computed again."""

    players: frozenset[int] = frozenset()
    """The players about whom something else is known, or was decided."""

    reports: frozenset[int] = frozenset()
    """The reports with another status, or about which something was decided."""

    checks: bool = False
    """Whether a received report may be checked otherwise now, or an entrant may be another player."""

    newcomers: bool = False
    """Whether players were registered, or got numbers."""


def changes_since(connection: Connection, act: int) -> ChangesSince:
    """Return what happened after an act; an act that is not known here touches everybody."""
    verbs = verbs_since(connection, act)
    if verbs - NO_LIST - BY_CHECK - BY_REPORT - BY_DECISION - BY_PLAYER:
        return ChangesSince(everybody=True)
    if not verbs - NO_LIST:
        return ChangesSince(everybody=False)
    touched: Touched = rows_since(connection, act)
    if touched.others or len(touched.players) > MOST_PLAYERS:
        return ChangesSince(everybody=True)
    return ChangesSince(
        everybody=False,
        players=frozenset(touched.players),
        reports=frozenset(touched.reports),
        checks=bool(verbs & (BY_CHECK | BY_PLAYER)),
        newcomers=touched.registered,
    )
