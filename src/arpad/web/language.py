"""Which language the reader gets: what he chose, else what his browser asks for, else the office's own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from litestar.connection import ASGIConnection

from arpad.explain.words import Words, load_words
from arpad.web.cookies import own_cookies
from arpad.web.site_settings import settled

COOKIE = "arpad_lang"


def chosen(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The language in the address, where it is offered."""
    asked = connection.query_params.get("lang")
    return asked if asked in settled(connection).languages else None


def language_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """In the address, else chosen before, else the first that the browser asks for and the office offers."""
    offered = settled(connection).languages
    kept = own_cookies(connection.scope["headers"]).get(COOKIE)
    found = chosen(connection) or (kept if kept in offered else None)
    return (
        found
        or accepted(connection.headers.get("accept-language", ""), offered)
        or settled(connection).language
    )


def say_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Words:
    """The words of the reader's language."""
    return load_words(language_of(connection))


def accepted(header: str, offered: Sequence[str]) -> str | None:
    """The language on offer that an ``Accept-Language`` header likes best."""
    liked: list[tuple[Fraction, int, str]] = []
    for place, item in enumerate(header[:1000].split(",")):
        name, _, quality = item.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _quality(quality)
        if language in offered and weight > 0:
            liked.append((-weight, place, language))
    return min(liked)[2] if liked else None


def _quality(text: str) -> Fraction:
    _, _, value = text.strip().partition("q=")
    if not value:
        return Fraction(1)
    whole, _, decimals = value.partition(".")
    plain = whole.isascii() and whole.isdigit() and len(value) <= 5 and (decimals.isdigit() or not decimals)  # noqa: PLR2004  0.875
    return Fraction(value) if plain else Fraction(0)
