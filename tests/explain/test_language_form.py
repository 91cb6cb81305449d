"""How languages write days and counts: as the CLDR says, and as form.toml says."""

import tomllib
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal
from tools.language_form import DAY_NUMBERS, facts, plural_rules, with_forms

from arpad.explain.language_form import LanguageForm, plural_category
from arpad.explain.words import LANGUAGES, load_words
from tests.paths import SOURCE

FIRST, LAST = date(2017, 7, 3), date(2017, 7, 12)
NUMBERS = [
    *map(str, range(131)),
    "1000",
    "1001",
    "1000000",
    "0.0",
    "0.5",
    "1.0",
    "1.5",
    "2.00",
    "12.3",
    "102.10",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_form_has_the_facts_of_the_cldr(language: str) -> None:
    path = SOURCE / "explain" / "messages" / language / "form.toml"
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    expected = {section: dict(entries) for section, entries in facts(language).items() if entries}
    assert {section: written[section] for section in expected} == expected, (
        f"python -m tools.language_form {language}"
    )
    assert written.keys() - expected.keys() == {"place"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_and_numbers_are_those_of_babel(language: str) -> None:
    words = load_words(language)
    locale = words.text("form.locale")
    for month in range(1, 13):
        for day in (1, 21):
            if str(day) not in DAY_NUMBERS.get(language, {}):
                value = date(2017, month, day)
                assert words.day(value) == format_date(value, "long", locale=locale)
    assert words.count(1_234_567) == format_decimal(1_234_567, locale=locale)


def form_of(language: str) -> LanguageForm:
    """Return the form of a language that need not have messages."""
    sections = facts(language)
    form = {name.replace("-", "_"): text for name, text in sections["form"].items()}
    del form["language"], form["locale"]
    return LanguageForm(
        **form, months=sections["month"], day_numbers=sections["day-number"], plurals=sections["plural"],
        elisions=sections["elision"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "day", "days", "span", "moment"),
    [
        ("cs", "3. července 2017", "3.–12. července 2017", "3. července 2017 – 1. srpna 2017", "3. července 2017 9:05"),
        ("fr", "3 juillet 2017", "3–12 juillet 2017", "3 juillet 2017 – 1er août 2017", "3 juillet 2017, 09:05"),
        ("pl", "3 lipca 2017", "3–12 lipca 2017", "3 lipca 2017 – 1 sierpnia 2017", "3 lipca 2017, 09:05"),
        ("hu", "2017. július 3.", "2017. július 3.–12.", "2017. július 3. – 2017. augusztus 1.",
            "2017. július 3. 9:05"),
        ("de", "3. Juli 2017", "3.–12. Juli 2017", "3. Juli 2017 – 1. August 2017", "3. Juli 2017, 09:05"),
    ],
)  # fmt: skip
def test_days_of_further_languages(language: str, day: str, days: str, span: str, moment: str) -> None:
    form = form_of(language)
    assert form.write_day(FIRST) == form.write_days(FIRST, FIRST) == day
    assert form.write_days(FIRST, LAST) == days
    assert form.write_days(FIRST, date(2017, 8, 1)) == span
    assert form.write_moment(datetime(2017, 7, 3, 9, 5, tzinfo=UTC)) == moment


def test_counts_of_a_language_with_four_forms() -> None:
    polish = form_of("pl")
    assert polish.categories == ("one", "few", "many", "other")
    forms = "partia|partie|partii|partii"
    assert [polish.counted(forms, str(number), str(number)) for number in (1, 3, 5, 22)] == [
        "1 partia", "3 partie", "5 partii", "22 partie",
    ]  # fmt: skip
    assert polish.counted("|jest|są|jest|jest", "2", "2") == "są"


def test_english_sentences_get_the_forms_of_a_further_language() -> None:
    assert with_forms("{n:game|games} of {name}, {m:|is|are}", 4) == (
        "{n:game|games|games|games} of {name}, {m:|is|are|are|are}"
    )
    assert with_forms("{n:game|games}", 1) == "{n:game}"


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        (1, "Ricevuto il 1° marzo 2025, prima del 1° marzo 2025"),
        (3, "Ricevuto il 3 marzo 2025, prima del 3 marzo 2025"),
        (8, "Ricevuto l'8 marzo 2025, prima dell'8 marzo 2025"),
        (11, "Ricevuto l'11 marzo 2025, prima dell'11 marzo 2025"),
        (18, "Ricevuto il 18 marzo 2025, prima del 18 marzo 2025"),
    ],
)
def test_an_italian_article_suits_its_day(day: int, sentence: str) -> None:
    words = load_words("it")
    assert words.format("Ricevuto il {on}, prima del {on}", on=date(2025, 3, day)) == sentence


def test_an_article_before_another_word_stays() -> None:
    assert (
        load_words("it").format("il {name} del {share} %", name="torneo", share=80) == "il torneo dell'80 %"
    )
    assert load_words("en").format("al {on}", on=date(2025, 3, 8)) == "al 8 March 2025"


@pytest.mark.parametrize("name", "ar cs cy da en es fr ga he it lt lv pl ru sl".split())
def test_categories_are_those_of_babel(name: str) -> None:
    locale = Locale.parse(name)
    rules = plural_rules(locale)
    for number in NUMBERS:
        expected = locale.plural_form(Decimal(number))
        assert plural_category(rules, number) == (expected if expected in rules else "other"), number


def test_polish_and_french() -> None:
    polish, french = (plural_rules(Locale.parse(name)) for name in ("pl", "fr"))
    assert [plural_category(polish, text) for text in ("1", "2", "5", "12", "22", "1.5", "-1")] == [
        "one", "few", "many", "many", "few", "other", "one",
    ]  # fmt: skip
    assert [plural_category(french, text) for text in ("0", "0.5", "1.5", "2", "1000000")] == [
        "one", "one", "one", "other", "other",
    ]  # fmt: skip


def test_a_rule_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="q = 1"):
        plural_category({"one": "q = 1"}, "1")
