"""Tell how alike two names are."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from arpad.model.names import plain_words, transliterated

_INITIAL = 2
"""The weight of a word of one letter."""

_SHORTENED = {1: 92, 2: 88, 3: 88, 4: 94}
"""Score of a word and its first letters, by their number: an initial is meant as one, May and Mayer are two names."""

_LONG = 5
"""Words up to this length may not differ at all."""

_LONG_NAME = 32
"""Letters and words of a name from which on one with other letters can be as alike as the same."""


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in any alphabet, in plain letters without the e of umlauts."""
    return tuple(plain_words(transliterated(name)))


def name_letters(name: str) -> frozenset[str]:
    """Return the letters and digits of a name."""
    return frozenset().union(*name_words(name))


def highest_score_with_other_letters(name: str) -> int:
    """Return how alike a name can be to one that has other letters, from 0 to 100.

    An initial instead of a word costs least: 16 divided by the letters and words, which a long name rounds to nothing.
    """
    return 99 if sum(map(len, name_words(name))) + len(name_words(name)) < _LONG_NAME else 100


def name_score(words: Sequence[str], other_words: Sequence[str]) -> int:
    """Return how alike two names are, from 0 to 100.

    Each word of the shorter name is compared with the word of the longer that is most like it; an initial or a
    shortened word counts almost like the word. Spaces and the order of words do not matter.
    """
    (score,) = name_scores(words, [other_words])
    return score


def name_scores(words: Sequence[str], others: Iterable[Sequence[str]]) -> Iterator[int]:
    """Yield how alike a name is to each of some others, from 0 to 100."""
    from rapidfuzz.fuzz import ratio

    text = "".join(words)
    alphabetic, size, distinct = text.isalpha(), (len(words), len(text)), {*words}
    for other_words in others:
        other_text = "".join(other_words)
        if not text or not other_text:
            yield 0
            continue
        if not (alphabetic and other_text.isalpha()) and _figures(words) != _figures(other_words):
            yield 0
            continue
        joined = ratio(text, other_text)
        if joined == 100:  # noqa: PLR2004  percent
            yield 100
            continue
        if size <= (len(other_words), len(other_text)):
            by_words = _score_by_words(words, other_words)
        else:
            by_words = _score_by_words(other_words, words)
        score = max(joined - 2, by_words)
        if not distinct.isdisjoint(other_words):
            score = max(score, _score_by_shared(distinct, {*other_words}))
        yield round(score)


def _figures(words: Sequence[str]) -> list[str]:
    """Return the words with digits: guest12 and guest13 are two people."""
    return [word for word in words if not word.isalpha()]


def _score_by_words(shorter: Sequence[str], longer: Sequence[str]) -> float:
    """Return the score of the words of a name, each compared with that of the longer name which is most like it."""
    rest = list(longer)
    pairs: list[tuple[str, str, float]] = []
    for word in sorted(shorter, key=len, reverse=True):
        scores = [_word_score(word, other) for other in rest]
        likeness = max(scores)
        pairs.append((word, rest.pop(scores.index(likeness)), likeness))
    left_over = bool(rest) and any(len(word) > 1 for word in rest)
    total = weight = 0.0
    for word, other, likeness in pairs:
        size = min(len(word), len(other)) + 1
        if left_over and size == _INITIAL and len(word) + len(other) > _INITIAL:
            # Milov is not the M. of Sokolin, Leonid M.: the family name is left over
            size = max(len(word), len(other))
            total += 50 * size
        else:
            total += likeness * size
        weight += size
    score = total / weight
    return score - min(14, sum(1 if len(word) == 1 else 6 for word in rest)) if rest else score


def _score_by_shared(words: set[str], other_words: set[str]) -> int:
    """Return the score of names with a family name and a given name in common, whatever else each of them has.

    So Grienitz, Kai-Oliver is near Grienitz-Dechau, Kai; without another fact that agrees, not near enough.
    """
    shared = words & other_words
    if len(shared) < 2 or max(map(len, shared)) < _LONG:  # noqa: PLR2004  two names
        return 0
    return 100 - 9 * (len(words - shared) + len(other_words - shared))


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
