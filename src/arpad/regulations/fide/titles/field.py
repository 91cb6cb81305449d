"""The field of a Swiss, round by round: whether it frees its players from the articles on federations (B.01 1.4.3d)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from arpad.regulations.fide.titles.rules import TitleRules

HIGH_TITLES = frozenset({"GM", "IM", "WGM", "WIM"})
PRESENT = frozenset("1=0+UWDL")
"""Results of a player who is there: the others are losses by forfeit, requested byes and blanks."""


@dataclass(frozen=True, slots=True)
class Participant:
    """A player of a field, with the rounds in which they were present."""

    title: str
    rating: int | None
    federation: str
    """The federation for which they count; empty if unknown or none."""

    rounds: frozenset[int]


@dataclass(frozen=True, slots=True)
class RoundField:
    """The foreign players of one round who count."""

    round: int
    players: int
    federations: int
    titled: int


def foreign_fields(
    field: Iterable[Participant], rounds: int, host: str, rules: TitleRules
) -> list[RoundField]:
    """Return the rated players of other federations than the host's in each round (B.01 1.4.3d)."""
    absences = rules.exempt_swiss.value.absences
    counted = [
        player
        for player in field
        if player.rating is not None
        and player.federation not in ("", host)
        and (absences is None or len(player.rounds) >= rounds - absences)
    ]
    fields = []
    for number in range(1, rounds + 1):
        present = [player for player in counted if number in player.rounds]
        federations = {player.federation for player in present}
        titled = sum(player.title in HIGH_TITLES for player in present)
        fields.append(RoundField(number, len(present), len(federations), titled))
    return fields


def is_strong_field(field: Iterable[Participant], rounds: int, host: str, rules: TitleRules) -> bool:
    """Return whether every round has enough foreign players, federations and titles (B.01 1.4.3d)."""
    least = rules.exempt_swiss.value
    return bool(host) and all(
        item.players >= least.players
        and item.federations >= least.federations
        and item.titled >= least.titled
        for item in foreign_fields(field, rounds, host, rules)
    )


class BigField(StrEnum):
    """Whether a Swiss is one of 1.5.6a, by the narrow and by the wide reading."""

    NO = "no"
    STRONGEST = "strongest"
    """The strongest players of every round have the average."""

    ALL = "all"
    """All players of every round have it."""


def big_field(field: Iterable[Participant], rounds: int, rules: TitleRules) -> BigField:
    """Return whether every round has 40 participants with an average of 2000 (B.01 1.5.6).

    The forty strongest of a round are looked at; a player who misses more than one round counts in none.
    """
    if rules.big_swiss is None or rounds == 0:
        return BigField.NO
    least = rules.big_swiss.value
    counted = [player for player in field if len(player.rounds) >= rounds - least.absences]
    verdict = BigField.ALL
    for number in range(1, rounds + 1):
        present = [player for player in counted if number in player.rounds]
        ratings = sorted((player.rating or 0 for player in present), reverse=True)
        strongest = ratings[: least.players]
        if len(strongest) < least.players or sum(strongest) < least.average * least.players:
            return BigField.NO
        if sum(ratings) < least.average * len(ratings):
            verdict = BigField.STRONGEST
    return verdict
