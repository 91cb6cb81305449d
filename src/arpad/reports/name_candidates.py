"""Find the registered names that are near the names of entrants, thousands against a whole register at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from arpad.model.names import fold, transliterated
from arpad.system.batches import batches

NEAR = 60
"""Names less alike than this, in percent, are not compared further."""

_GOOD = 80
"""Names as alike as this are of the same person, or nearly so."""

_MOST_ROWS = 20
"""Registered names compared in detail with each entrant's: the most alike."""

_MOST_OF_A_WORD = 400
"""Registered names that share words with an entrant's, compared in detail."""

_AT_ONCE = 200
"""Entrants compared in one step: the figures of 200 entrants and a million names take 200 MB."""


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in any alphabet, in plain letters without the e of umlauts."""
    return tuple(
        word.replace("ae", "a").replace("oe", "o").replace("ue", "u") for word in fold(transliterated(name))
    )


def name_score(words: Sequence[str], other_words: Sequence[str]) -> int:
    """Return how alike two names are, from 0 to 100.

    Each word of the shorter name is compared with the word of the longer that is most like it; an initial or a
    shortened word counts almost like the word. Spaces and the order of words do not matter.
    """
    from rapidfuzz.fuzz import ratio

    if not words or not other_words or _figures(words) != _figures(other_words):
        return 0
    joined = ratio("".join(words), "".join(other_words))
    if joined == 100:  # noqa: PLR2004  percent
        return 100
    return round(max(joined - 2, _score_by_words(words, other_words)))


def _figures(words: Sequence[str]) -> list[str]:
    """Return the words with digits: guest12 and guest13 are two people."""
    return [word for word in words if not word.isalpha()]


def _score_by_words(words: Sequence[str], other_words: Sequence[str]) -> float:
    shorter, longer = sorted((words, other_words), key=lambda name: (len(name), sum(map(len, name))))
    rest = list(longer)
    pairs: list[tuple[str, str]] = []
    for word in sorted(shorter, key=len, reverse=True):
        best = max(range(len(rest)), key=lambda row, word=word: _word_score(word, rest[row]))  # type: ignore[misc]
        pairs.append((word, rest.pop(best)))
    left_over = any(len(word) > 1 for word in rest)
    total = weight = 0.0
    for word, other in pairs:
        size = min(len(word), len(other)) + 1
        likeness = _word_score(word, other)
        if left_over and size == _INITIAL and len(word) + len(other) > _INITIAL:
            # Milov is not the M. of Sokolin, Leonid M.: the family name is left over
            size, likeness = max(len(word), len(other)), 50
        total += likeness * size
        weight += size
    return total / weight - min(14, sum(1 if len(word) == 1 else 6 for word in rest))


_INITIAL = 2
"""The weight of a word of one letter."""


def alike_words(words: Sequence[str], other_words: Sequence[str]) -> bool:
    """Return whether each word of the shorter name has a word in the longer that differs by one letter at most.

    So Riveiro is Rivero, but Mario is not Maria: in a short word one letter is another name.
    """
    from rapidfuzz.distance import Levenshtein

    shorter, longer = sorted((words, other_words), key=len)
    return bool(shorter) and all(
        any(
            word == other or (min(len(word), len(other)) > _LONG and Levenshtein.distance(word, other) == 1)
            for other in longer
        )
        for word in shorter
    )


_SHORTENED = {1: 92, 2: 88, 3: 88, 4: 94}
"""Score of a word and its first letters, by their number: an initial is meant as one, May and Mayer are two names."""

_LONG = 5
"""Words up to this length may not differ at all."""


@lru_cache(maxsize=262_144)
def _word_score(word: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    if word == other:
        return 100
    short, long = (word, other) if len(word) < len(other) else (other, word)
    if long.startswith(short):
        return _SHORTENED[min(len(short), 4)]
    score = ratio(word, other)
    # the first letter is seldom mistaken: Daly and Kaly are two families
    return score if word[0] == other[0] else score - 8


class NameTable:
    """The names of a register, ready to be searched: row i has the words of a name of player ``players[i]``."""

    def __init__(self, players: Iterable[int] = (), names: Iterable[str] = ()) -> None:
        """Fold the names once."""
        self.players: list[int] = []
        self.names: list[str] = []
        self.words: list[tuple[str, ...]] = []
        self._rows: dict[str, list[int]] = {}
        for player, name in zip(players, names, strict=True):
            self.add(player, name)

    def add(self, player: int, name: str) -> None:
        """Add a name."""
        words = name_words(name)
        for word in words:
            self._rows.setdefault(word, []).append(len(self.words))
        self.players.append(player)
        self.names.append(name)
        self.words.append(words)

    def near(self, names: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Yield each name with the rows whose names are near it, and how alike they are; the most alike first.

        Letters are compared in the order written. Only if that leads to nobody, the words are sorted, which finds a
        mistyped name whose words are in another order.
        """
        for batch in batches(names, _AT_ONCE):
            near = self._near(batch, "".join)
            nobody = [name for name, rows in near.items() if not rows or rows[0][1] < _GOOD]
            turned = self._near(nobody, _in_order) if nobody else {}
            for name in batch:
                yield (
                    name,
                    sorted(
                        {*near[name], *turned.get(name, ())},
                        key=lambda item: (-item[1], self.players[item[0]]),
                    ),
                )

    def _near(
        self, names: Sequence[str], join: Callable[[Sequence[str]], str]
    ) -> dict[str, list[tuple[int, int]]]:
        near = {}
        for name, rows in zip(names, self._alike_rows(names, join), strict=True):
            words = name_words(name)
            scored = [(row, name_score(words, self.words[row])) for row in {*rows, *self._sharing(words)}]
            near[name] = sorted((item for item in scored if item[1] >= NEAR), key=lambda item: -item[1])
        return near

    def _alike_rows(self, names: Sequence[str], join: Callable[[Sequence[str]], str]) -> Iterator[list[int]]:
        """Yield for each name the rows whose letters are most alike."""
        import numpy as np
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        searched = [join(name_words(name)) for name in names]
        table = [join(words) for words in self.words]
        scores = process.cdist(searched, table, scorer=ratio, score_cutoff=NEAR, dtype=np.uint8)
        for row in scores:
            near = np.flatnonzero(row)
            if len(near) > _MOST_ROWS:
                near = near[np.argsort(row[near], kind="stable")[-_MOST_ROWS:]]
            yield near.tolist()

    def _sharing(self, words: Sequence[str]) -> Iterator[int]:
        """Yield rows that share one of the two rarest words of a name, and begin another word like it."""
        known = sorted((word for word in {*words} if word in self._rows), key=lambda it: len(self._rows[it]))
        for word in known[:2]:
            rest = [other for other in words if other != word]
            for row in self._rows[word][:_MOST_OF_A_WORD]:
                if any(
                    other.startswith(own) or own.startswith(other)
                    for own in self.words[row]
                    if own != word
                    for other in rest
                ):
                    yield row


def _in_order(words: Sequence[str]) -> str:
    return "".join(sorted(words))
