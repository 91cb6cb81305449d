"""Rules in words: every rule has a sentence, each article has its own, and names people know."""

from __future__ import annotations

from dataclasses import fields

import pytest

from arpad.explain.edition_names import edition_name
from arpad.explain.rule_texts import articles
from arpad.explain.words import LANGUAGES, load_words
from arpad.regulations.all_editions import EVERY
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.editions import chess_edition, provisions


@pytest.mark.parametrize("rules", [ChessRules, DraughtsRules])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_an_edition_has_a_sentence(language: str, rules: type) -> None:
    words = load_words(language)
    names = {item.name for item in fields(rules)} - {"articles"}
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


def test_a_sentence_counts_its_value() -> None:
    english, italian = (articles(chess_edition("fide-2024"), load_words(it)) for it in ("en", "it"))
    assert {item.text for item in italian["7.1.3"]} == {
        "Una lista comprende i tornei finiti almeno 3 giorni prima.",
        "Per le manifestazioni ufficiali basta che siano finite almeno 1 giorno prima.",
    }
    assert "counts only with at least 0.5 points." in english["8.2.1"][0].text
    assert "conta solo con almeno 0,5 punti." in italian["8.2.1"][0].text
    assert [item.text for item in italian["8.3.3"] if "giovani:" in item.text] == [
        "Fino a quando si è giovani: la fine dell'anno del 18° compleanno."
    ]


def test_a_rule_of_draughts_names_categories_as_people_do() -> None:
    (edition,) = [edition for edition in EVERY if edition.id == "rubele-2021"]
    (debut,) = (item.text for item in articles(edition, load_words("it"))["Tab. 21"])
    assert "GMI: 2700; MI: 2700" in debut
    assert "Candidato Maestro: 1500" in debut
