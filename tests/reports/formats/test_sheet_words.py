"""The words of sheets: each language has all fields, and a word means one field in every language."""

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.reports.formats.sheet_words import EVENT_KEYS, folded, heading, words_of_languages

ENGLISH = words_of_languages()["en"]


@pytest.mark.parametrize("language", words_of_languages())
def test_a_language_has_every_field_and_no_word_for_two(language: str) -> None:
    assert language in LANGUAGES
    own = words_of_languages()[language]
    assert {table: own[table].keys() for table in own} == {table: ENGLISH[table].keys() for table in ENGLISH}
    assert ENGLISH["event"].keys() == {*EVENT_KEYS, "one_day"}
    for table in ("player", "game", "event"):
        meanings: dict[str, set[str]] = {}
        for words in words_of_languages().values():
            for field, names in words[table].items():
                for name in names:
                    meanings.setdefault(folded(name), set()).add(field)
        assert {name: fields for name, fields in meanings.items() if len(fields) > 1} == {}
    assert (heading("sheet", "decimal", language) == ",") == (load_words(language).form.decimal_sign == ",")


def test_a_language_without_words_writes_english() -> None:
    assert heading("player", "name", "xx") == "Name"
