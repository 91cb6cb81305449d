"""The language of a page: the one the reader chose, else one the browser accepts, else the office's own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from arpad.explain.words import MINUS, Words, load_words
from arpad.web.cookies import own_cookies
from arpad.web.requests import WebConnection
from arpad.web.site_settings import settings_of

COOKIE = "arpad_lang"


def chosen_language(connection: WebConnection) -> str | None:
    """Return the language in the address, if the office offers it."""
    language = connection.query_params.get("lang")
    return language if language in settings_of(connection).languages else None


def language_of(connection: WebConnection) -> str:
    """Return the language in the address, else in the cookie, else the first accepted one, else the office's."""
    scope: dict[str, Any] = connection.scope  # type: ignore[assignment]  # a key of ours in the server's mapping
    if _FOUND not in scope:
        scope[_FOUND] = _language_of(connection)
    language: str = scope[_FOUND]
    return language


_FOUND = "arpad_language"
"""Key of the scope with the language of the request, which a page asks for several times."""


def _language_of(connection: WebConnection) -> str:
    settings = settings_of(connection)
    saved = own_cookies(connection.scope["headers"]).get(COOKIE)
    return (
        chosen_language(connection)
        or (saved if saved in settings.languages else None)
        or accepted_language(connection.headers.get("accept-language", ""), settings.languages)
        or settings.language
    )


def words_for(connection: WebConnection) -> Words:
    """Return the words of the reader's language."""
    return load_words(language_of(connection))


def page_words(connection: WebConnection) -> Words:
    """Return the words of the reader's language for a page, which writes a minus as typographers do."""
    return load_words(language_of(connection), MINUS)


def accepted_language(header: str, offered: Sequence[str]) -> str | None:
    """Return the offered language that an ``Accept-Language`` header prefers."""
    return _accepted_language(header[:1000], tuple(offered))


@lru_cache(maxsize=512)
def _accepted_language(header: str, offered: tuple[str, ...]) -> str | None:
    candidates: list[tuple[Fraction, int, str]] = []
    for index, item in enumerate(header.split(",")):
        name, _, quality = item.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _quality(quality)
        if language in offered and weight > 0:
            candidates.append((-weight, index, language))
    return min(candidates)[2] if candidates else None


def _quality(text: str) -> Fraction:
    _, _, value = text.strip().partition("q=")
    if not value:
        return Fraction(1)
    whole, _, decimals = value.partition(".")
    plain = whole.isascii() and whole.isdigit() and len(value) <= 5 and (decimals.isdigit() or not decimals)  # noqa: PLR2004  0.875
    return Fraction(value) if plain else Fraction(0)
