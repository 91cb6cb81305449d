"""Find the registered names that are near the names of entrants, thousands against a whole register at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from arpad.model.names import plain_words, transliterated, words_of_names
from arpad.system.batches import batches

NEAR = 60
"""Names less alike than this, in percent, are not compared further."""

_GOOD = 80
"""Names as alike as this are of the same person, or nearly so."""

_MOST_ROWS = 20
"""Registered names compared in detail with each entrant's: the most alike."""

_MOST_OF_A_WORD, _MOST_OF_A_SECOND = 1000, 100
"""A word that more registered names have is too common to search by; the second rarest word must be rarer still."""

_AT_ONCE = 200
"""Entrants compared in one step: the figures of 200 entrants and a million names take 200 MB."""


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in any alphabet, in plain letters without the e of umlauts."""
    return tuple(plain_words(transliterated(name)))


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
    return round(max(joined - 2, _score_by_words(words, other_words), _score_by_shared(words, other_words)))


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


def _score_by_shared(words: Sequence[str], other_words: Sequence[str]) -> int:
    """Return the score of names with a family name and a given name in common, whatever else each of them has.

    So Grienitz, Kai-Oliver is near Grienitz-Dechau, Kai; without another fact that agrees, not near enough.
    """
    shared = {*words} & {*other_words}
    if len(shared) < 2 or max(map(len, shared)) < _LONG:  # noqa: PLR2004  two names
        return 0
    return 100 - 9 * (len({*words} - shared) + len({*other_words} - shared))


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

    def __init__(self, players: Sequence[int] = (), names: Sequence[str] = ()) -> None:
        """Fold the names once."""
        self.players: list[int] = []
        self.names: list[str] = []
        self.words: list[tuple[str, ...]] = []
        self._rows: dict[str, list[int]] = {}
        self._joined: dict[str, list[str]] = {}
        self.add(players, names)

    def add(self, players: Sequence[int], names: Sequence[str]) -> None:
        """Add names, each of a player."""
        words_of_rows = [tuple(words) for words in words_of_names(names)]
        for row, words in enumerate(words_of_rows, len(self.words)):
            for word in words:
                self._rows.setdefault(word, []).append(row)
        self.players += players
        self.names += names
        self.words += words_of_rows

    def copy(self) -> NameTable:
        """Return a table to which names can be added without adding them to this one."""
        copied = NameTable()
        copied.players, copied.names, copied.words = self.players.copy(), self.names.copy(), self.words.copy()
        copied._rows = {word: rows.copy() for word, rows in self._rows.items()}
        copied._joined = {join: texts.copy() for join, texts in self._joined.items()}
        return copied

    def near(self, names: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Yield each name with the rows whose names are near it, and how alike they are; the most alike first.

        Letters are compared in the order written. Only if that leads to nobody, the words are sorted, which finds a
        mistyped name whose words are in another order.
        """
        for batch in batches(names, _AT_ONCE):
            near = {name: self._scored(name, self._sharing(name_words(name))) for name in batch}
            self._add_alike(near, batch, "".join)
            nobody = [name for name in batch if max(near[name].values(), default=0) < _GOOD]
            self._add_alike(near, nobody, _in_order)
            for name in batch:
                yield name, sorted(near[name].items(), key=lambda item: (-item[1], self.players[item[0]]))

    def _scored(self, name: str, rows: Iterable[int]) -> dict[int, int]:
        """Return the rows among some that are near a name, and how alike they are."""
        words = name_words(name)
        scores = {row: name_score(words, self.words[row]) for row in rows}
        return {row: score for row, score in scores.items() if score >= NEAR}

    def _add_alike(
        self, near: dict[str, dict[int, int]], names: Sequence[str], join: Callable[[Sequence[str]], str]
    ) -> None:
        """Add the rows whose letters are most alike to some names."""
        import numpy as np
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        if not names:
            return
        searched = [join(name_words(name)) for name in names]
        scores = process.cdist(searched, self._texts(join), scorer=ratio, score_cutoff=NEAR, dtype=np.uint8)
        for name, row in zip(names, scores, strict=True):
            alike = np.flatnonzero(row)
            if len(alike) > _MOST_ROWS:
                alike = alike[np.argsort(row[alike], kind="stable")[-_MOST_ROWS:]]
            near[name] |= self._scored(name, (place for place in alike.tolist() if place not in near[name]))

    def _texts(self, join: Callable[[Sequence[str]], str]) -> list[str]:
        """Return every name as one text; names that were added since the last call are joined now."""
        texts = self._joined.setdefault(join.__name__, [])
        texts.extend(join(words) for words in self.words[len(texts) :])
        return texts

    def _sharing(self, words: Sequence[str]) -> Iterator[int]:
        """Yield rows that share one of the two rarest words of a name, and begin another word like it."""
        known = sorted((word for word in {*words} if word in self._rows), key=lambda it: len(self._rows[it]))
        for word, most in zip(known, (_MOST_OF_A_WORD, _MOST_OF_A_SECOND), strict=False):
            rest = tuple(other for other in words if other != word)
            for row in self._rows[word] if len(self._rows[word]) <= most else ():
                for own in self.words[row]:
                    if own != word and (own.startswith(rest) or _begins(own, rest)):
                        yield row
                        break


def load_packages() -> None:
    """Load the packages that a search needs: before processes are forked, or each of them loads its own."""
    import numpy as np  # noqa: F401  loading it is the purpose
    from rapidfuzz import process  # noqa: F401  loading it is the purpose


def _begins(word: str, others: Iterable[str]) -> bool:
    return any(other.startswith(word) for other in others)


def _in_order(words: Sequence[str]) -> str:
    return "".join(sorted(words))
