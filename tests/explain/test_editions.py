"""Rules in words: every rule has a sentence, each article has its own, and names people know."""

from dataclasses import fields

import pytest

from arpad.explain.editions import articles, edition_articles, edition_name
from arpad.explain.words import LANGUAGES, load_words
from arpad.regulations.all_editions import EVERY, TITLE_EDITIONS
from arpad.regulations.editions import chess_edition, provisions
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.regulations.rubele.rules import DraughtsRules


@pytest.mark.parametrize("rules", [ChessRules, DraughtsRules, TitleRules])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_an_edition_has_a_sentence(language: str, rules: type) -> None:
    words = load_words(language)
    names = {item.name for item in fields(rules)} - {"articles"}
    assert {name for name in names if not words.has(f"rule-text.{name}")} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_article_of_every_edition_is_in_words(language: str) -> None:
    words = load_words(language)
    for edition in EVERY:
        texts = articles(edition, words)
        assert texts.keys() == edition_articles(edition)
        assert all(item.text.endswith(".") for items in texts.values() for item in items)
        names = {words.text(f"rule.{item.field}") for item in provisions(edition)}
        assert not [
            item.text for items in texts.values() for item in items if item.text.split(":")[0] in names
        ]


def test_an_article_says_its_value() -> None:
    texts = articles(chess_edition("fide-2024"), load_words("en"))
    said = [item.text for item in texts["8.3.1"]]
    assert "A rating difference of more than 400 points counts as 400 points." in said
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
    assert "counts only with at least 0.5 points against rated opponents." in english["8.2.1"][0].text
    assert "conta solo con almeno 0,5 punti contro avversari con rating." in italian["8.2.1"][0].text
    assert [item.text for item in italian["8.3.3"] if "giovani:" in item.text] == [
        "Fino a quando si è giovani: la fine dell'anno del 18° compleanno."
    ]


def test_a_rule_of_draughts_names_categories_as_people_do() -> None:
    (edition,) = [edition for edition in EVERY if edition.id == "rubele-2021"]
    (debut,) = (item.text for item in articles(edition, load_words("it"))["Tab. 21"])
    assert "GMI: 2700; MI: 2700" in debut
    assert "Candidato Maestro: 1500" in debut


def test_the_steps_of_a_computation_are_in_words() -> None:
    texts = articles(chess_edition("fide-2024"), load_words("en"))
    assert [item.text for item in texts["8.3.2d"]] == [
        "The rating change is the sum of the differences between result and expected score, multiplied by K."
    ]
    assert "1400" in texts["7.2.1"][0].text
    (of_2009,) = articles(chess_edition("fide-2009"), load_words("en"))["8.52"]
    assert "only in a round robin" in of_2009.text


def test_a_report_is_due_later_with_at_most_five_days_left() -> None:
    (due, _) = articles(chess_edition("fide-2024"), load_words("it"))["9.1"]
    assert "al massimo 5 giorni alla fine del mese" in due.text


def test_articles_are_in_the_order_of_the_text() -> None:
    numbers = [*articles(chess_edition("fide-2009"), load_words("en"))]
    assert (
        numbers.index("6.3")
        < numbers.index("6.31")
        < numbers.index("6.33")
        < numbers.index("6.41")
        < numbers.index("6.5")
    )
    assert (
        numbers.index("8.1a")
        < numbers.index("8.21")
        < numbers.index("8.21b")
        < numbers.index("8.22")
        < numbers.index("8.3")
    )
    assert numbers.index("9.3") < numbers.index("13.1")
    titles = [*articles(TITLE_EDITIONS[-1], load_words("en"))]
    assert titles.index("1.1.3a") < titles.index("1.1.4") < titles.index("1.4.1a") < titles.index("1.4.9")


def test_the_title_regulations_are_in_words() -> None:
    english, italian = (articles(TITLE_EDITIONS[-1], load_words(language)) for language in ("en", "it"))
    assert [item.text for item in english["1.4.4"]] == [
        "At most 3/5 of the opponents come from the player's own federation.",
        "At most 2/3 of the opponents come from the same federation.",
    ]
    assert english["1.4.8b"][0].text == "The player scores at least 35\N{NO-BREAK SPACE}% of the points."
    assert "Swiss, round robin, double round robin" in english["1.4.2e"][0].text
    assert italian["1.4.5c"][0].text == (
        "Per una norma IM almeno 1/3 degli avversari, e almeno 3, ha uno di questi titoli: GM, IM."
    )
