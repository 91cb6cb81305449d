"""Find the player of a report by start number, by id, or by a name in any spelling."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias, TypeVar

from arpad.model import names
from arpad.model.errors import BadInput

T = TypeVar("T")

KnownBy: TypeAlias = Callable[[T], tuple[int, str, str]]
"""Returns a player's number, id and name."""

_MOST_NAMED = 8
"""At most this many candidates are named in an error."""


def find_player(players: Sequence[T], text: str, known_by: KnownBy[T]) -> T:
    """Return the player that the text identifies."""
    (matches,) = find_in_each([players], text, known_by)
    return matches[0]


def find_in_each(reports: Sequence[Sequence[T]], text: str, known_by: KnownBy[T]) -> list[tuple[T, ...]]:
    """Return for each report the player that the text identifies, or None; refuse if no report has the player."""
    matches = [_match(players, text.strip(), known_by) for players in reports]
    if not any(matches):
        names_in_reports = {known_by(player)[2]: None for player in chain.from_iterable(reports)}
        if similar := names.alike(text, names_in_reports):
            raise BadInput("player-nearly", asked=text, meant="; ".join(similar))
        raise BadInput("player-unknown", asked=text, players=len(names_in_reports))
    return matches


def _match(players: Sequence[T], text: str, known_by: KnownBy[T]) -> tuple[T, ...]:
    keys = [(player, *known_by(player)) for player in players]
    by_number = [key for key in keys if str(key[1]) == text]
    by_id = [key for key in keys if key[2] and key[2] == text]
    by_name = [key for key in keys if names.matches(key[3], text)]
    matches = by_number or by_id or by_name
    if len(matches) > 1:
        candidates = "; ".join(f"{number} {name}" for _, number, _, name in matches[:_MOST_NAMED])
        raise BadInput("player-ambiguous", asked=text, accepted=candidates)
    return tuple(key[0] for key in matches)
