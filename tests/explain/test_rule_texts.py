"""Rules in words: every rule of a chess edition has a sentence, each article has its own, and names people know."""

from __future__ import annotations

from dataclasses import fields

import pytest

from arpad.explain.edition_names import edition_name
from arpad.explain.rule_texts import articles
from arpad.explain.words import LANGUAGES, load_words
from arpad.regulations.all_editions import EVERY
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import chess_edition, provisions


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_chess_has_a_sentence(language: str) -> None:
    words = load_words(language)
    names = {item.name for item in fields(ChessRules)} - {"articles"}
    assert {name for name in names if not words.has(f"rule-text.{name}")} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_article_of_every_edition_is_in_words(language: str) -> None:
    for edition in EVERY:
        texts = articles(edition, load_words(language))
        assert texts.keys() == {item.rule.article for item in provisions(edition) if item.rule}
        assert all(item.text for items in texts.values() for item in items)


def test_an_article_says_its_value() -> None:
    texts = articles(chess_edition("fide-2024"), load_words("en"))
    assert texts["8.3.1"][0].text == "A rating difference of more than 400 points counts as 400 points."
    assert [*texts].index("8.2.2") < [*texts].index("8.3.1")
    (floor,) = [item.text for item in texts["7.1.4"] if "lowest rating" in item.text]
    assert "1400" in floor


def test_editions_have_names_that_people_know() -> None:
    english, italian = load_words("en"), load_words("it")
    assert edition_name("fide-2024", english) == "FIDE, 1 March 2024"
    assert edition_name("fide-2024", italian) == "FIDE, 1° marzo 2024"
    assert edition_name("fide-2009-notice", english) == "FIDE, 1 July 2009 (notice)"
    assert edition_name("rubele-2021", italian) == "Elo-Rubele, 2021"
    assert edition_name("circolo-2025", english) == "circolo-2025"
    assert len({edition_name(edition.id, english) for edition in EVERY}) == len(EVERY)
