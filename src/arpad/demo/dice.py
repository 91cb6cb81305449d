"""A deterministic random generator: the same seed gives the same federation on every machine, in integers only."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_WORD = (1 << 64) - 1


class Dice:
    """A small generator of our own (splitmix64), so that no library's next version changes what comes out."""

    def __init__(self, *seed: str | int) -> None:
        text = "\0".join(map(str, seed)).encode()
        self._state = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")

    def word(self) -> int:
        """Return the next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """Return a number from 0 up to, not including, the limit."""
        return (self.word() * limit) >> 64

    def between(self, least: int, most: int) -> int:
        """Return a number from the least to the most, both included."""
        return least + self.below(most - least + 1)

    def chance(self, per_thousand: int) -> bool:
        """Return True with a probability of ``per_thousand`` in a thousand."""
        return self.below(1000) < per_thousand

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return all of them in another order."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` of the items, in their order."""
        chosen = sorted(self.shuffled(range(len(items)))[:count])
        return [items[index] for index in chosen]

    def spread(self, middle: int, deviation: int) -> int:
        """Return a number around the middle: nearly bell-shaped, never further away than six deviations."""
        return middle + deviation * (sum(self.below(1001) for _ in range(12)) - 6000) // 1000
