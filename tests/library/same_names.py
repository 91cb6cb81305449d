"""Compare a JSON document with the value that the library returns for the same question."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

import arpad

IN_WORDS = {"schema", "text"}
"""What a document says in words; the library says it with ``in_words``, ``sentence`` and codes."""


def differences(document: dict[str, Any], value: object) -> list[str]:
    """Return every field of a document that the value lacks, or has with another content."""
    return list(_differences("", document, value))


def _differences(place: str, shown: Any, value: Any) -> Iterator[str]:
    if isinstance(shown, dict):
        yield from _in_words(place, shown, value)
        for name, part in shown.items():
            at = f"{place}.{name}".lstrip(".")
            if name in IN_WORDS or (name == "message" and isinstance(value, arpad.Finding)):
                continue
            if name == "cell" and isinstance(value, arpad.Finding):
                yield from _differences(at, part, value.facts.get("cell"))
            elif name not in value if isinstance(value, Mapping) else not hasattr(value, name):
                yield f"{at} is missing"
            else:
                yield from _differences(at, part, _part(value, name))
    elif isinstance(shown, list) and isinstance(value, tuple):
        if len(shown) != len(value):
            yield f"{place} has {len(value)} items instead of {len(shown)}"
        for number, (part, item) in enumerate(zip(shown, value, strict=False)):
            yield from _differences(f"{place}[{number}]", part, item)
    elif not _same(shown, value):
        yield f"{place} is {value!r} instead of {shown!r}"


def _part(value: Any, name: str) -> Any:
    return value[name] if isinstance(value, Mapping) else getattr(value, name)


def _in_words(place: str, shown: dict[str, Any], value: Any) -> Iterator[str]:
    """Yield a sentence of a step or of a finding that the library says in other words."""
    if isinstance(value, arpad.Step) and arpad.in_words([value])[0][1] != shown["text"]:
        yield f"{place}.text is {arpad.in_words([value])!r}"
    if isinstance(value, arpad.Finding) and arpad.sentence(value) != shown["message"]:
        yield f"{place}.message is {arpad.sentence(value)!r}"


def _same(shown: Any, value: Any) -> bool:
    if isinstance(value, Fraction):
        # the document has two decimals of a number whose decimals do not end
        return abs(value - Fraction(shown)) < (Fraction(1, 100) if _endless(value) else Fraction(1, 10**9))
    if isinstance(value, date):
        return bool(shown == str(value))
    return bool(shown == value) or (shown is None and value == "")


def _endless(value: Fraction) -> bool:
    below = value.denominator
    for prime in (2, 5):
        while below % prime == 0:
            below //= prime
    return below != 1
