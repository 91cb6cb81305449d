"""Which language the reader gets: what he chose, else what his browser asks for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from litestar.connection import ASGIConnection

from arpad.explain import LANGUAGES, Words, words

COOKIE = "arpad_lang"
DEFAULT = "en"


def chosen(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The language in the address, where it is one of ours."""
    asked = connection.query_params.get("lang")
    return asked if asked in LANGUAGES else None


def language_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """In the address, else chosen before, else the first that the browser asks for and we have."""
    kept = connection.cookies.get(COOKIE)
    found = chosen(connection) or (kept if kept in LANGUAGES else None)
    return found or accepted(connection.headers.get("accept-language", "")) or DEFAULT


def say_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Words:
    """The words of the reader's language."""
    return words(language_of(connection))


def accepted(header: str) -> str | None:
    """The language of ours that an ``Accept-Language`` header likes best."""
    liked: list[tuple[Fraction, int, str]] = []
    for place, item in enumerate(header[:1000].split(",")):
        name, _, quality = item.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _quality(quality)
        if language in LANGUAGES and weight > 0:
            liked.append((-weight, place, language))
    return min(liked)[2] if liked else None


def _quality(text: str) -> Fraction:
    _, _, value = text.strip().partition("q=")
    if not value:
        return Fraction(1)
    whole, _, decimals = value.partition(".")
    plain = whole.isascii() and whole.isdigit() and len(value) <= 5 and (decimals.isdigit() or not decimals)  # noqa: PLR2004  0.875
    return Fraction(value) if plain else Fraction(0)
