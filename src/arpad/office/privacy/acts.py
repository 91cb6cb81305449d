"""Players who ask not to be shown, for their data, or to be erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.office.declared import Reason, act, costly, task
from arpad.office.office import ActContext, Office, utc
from arpad.office.parameters import PlayerNumber
from arpad.office.privacy.erase import Erased, end_follows, erase
from arpad.office.privacy.player_data import PlayerData, data_of
from arpad.office.register.acts import OF_PLAYER, known_player
from arpad.office.register.hidden_rows import all_numbers, set_hidden
from arpad.office.users import officer_of_all

Repeated = Annotated[int, Accepts("1", word="erase-confirm")]
DecidedBy = Annotated[str, Accepts("the board", word="erase-by", personal=True)]


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether a player is shown."""

    player: int
    hidden: bool


@act("privacy hide", OF_PLAYER, says="privacy.hidden", page="/desk/players/{player}", verb="hide-player")
def hide_player(act: ActContext, player: PlayerNumber, *, reason: Reason) -> Shown:
    """Hide a player, at their request: they are on no page, in no file and on no list made from now on.

    Published lists stay as they are; `privacy files` writes their files again without the player.
    """
    known_player(act.connection, player)
    set_hidden(act.connection, {player}, hidden=True)
    end_follows(act.connection, all_numbers(act.connection, {player}))
    return Shown(player, hidden=True)


@act("privacy show", OF_PLAYER, says="privacy.shown-again", page="/desk/players/{player}", verb="show-player")
def show_player(act: ActContext, player: PlayerNumber, *, reason: Reason) -> Shown:
    """Show a player again who was hidden."""
    known_player(act.connection, player)
    set_hidden(act.connection, all_numbers(act.connection, {player}), hidden=False)
    return Shown(player, hidden=False)


@costly
@act("privacy data", OF_PLAYER, says="office.done", verb="player-data")
def player_data(act: ActContext, player: PlayerNumber, *, reason: Reason = "") -> PlayerData:
    """Return everything that the office holds about a player, for that person."""
    return data_of(act.connection, player, act.today, utc(act.office.now()))


@costly
@task("privacy erase", officer_of_all("register"), says="privacy.erased", page="/desk/players/{player}")
def erase_player(
    office: Office, player: PlayerNumber, *, confirm: Repeated, by: DecidedBy = "", reason: Reason
) -> Erased:
    """Erase a player's name, birth and numbers from register, reports, lists and ledger. This cannot be undone.

    The number is repeated, so that nobody is erased by a slip.
    """
    if confirm != player:
        raise BadInput("erase-confirm", option="confirm", player=player)
    return erase(office, player, by, reason)
