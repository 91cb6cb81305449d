"""The names by which people know the editions: “FIDE, 1 March 2024”. Programs and addresses use the ids."""

from __future__ import annotations

from datetime import date
from functools import cache

from arpad.explain.words import Words, load_words
from arpad.regulations.editions import ALL


def edition_name(edition: str, words: Words) -> str:
    """Return the name of an edition by its id; a federation's own edition is called by its id."""
    return _name(edition, words.language)


@cache
def _name(edition: str, language: str) -> str:
    words = load_words(language)
    day = _effective(edition)
    if day is None:
        return edition
    keys = (f"edition-name.{edition}", f"edition-name.{edition.partition('-')[0]}")
    key = next((key for key in keys if words.has(key)), "")
    return words.text(key, day=day, year=str(day.year)) if key else edition


def _effective(edition: str) -> date | None:
    """Return the day of a printed edition; the title regulations are loaded only if it is none about ratings."""
    for rating_edition in ALL:
        if rating_edition.id == edition:
            return rating_edition.effective
    from arpad.regulations.all_editions import TITLE_EDITIONS

    return next((printed.effective for printed in TITLE_EDITIONS if printed.id == edition), None)
