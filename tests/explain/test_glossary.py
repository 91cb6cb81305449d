"""The glossary: some fifty terms in both languages, and no text says another word for the same thing."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from typer.main import get_command

from arpad.cli.program import build
from arpad.explain.glossary import glossary
from arpad.explain.words import LANGUAGES
from tests.cli.test_typer_groups_help_pages import sentences
from tests.paths import ROOT, word_files

TERMS = 50

PLAIN = {
    "en": [
        r"whoever", r"whatever", r"whichever", r"anew", r"mend", r"is told", r"are told", r"parted", r"part them",
        r"stands in", r"stand in the", r"holds? (?!together)", r"he", r"him", r"his", r"somebody else chose",
        r"a fault of ours", r"never a verdict", r"nothing stands against",
    ],
    "it": [
        r"così non va", r"si veda", r"si indichi", r"riprovare", r"va' all'ufficio", r"numero che scompare",
        r"consegue dalla", r"tornei presi", r"mai un verdetto",
    ],
}  # fmt: skip
"""Patterns of words that nobody uses every day, as CONTRIBUTING.md says under Plain English."""

KEPT = {
    "en": {"source.fsi-2012"},  # the name of a document
    "it": set[str](),
}
"""Texts that quote a name."""


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text that a person reads, with its place: messages, help of commands, guides and tutorials."""
    for path in word_files(language).values():
        for section, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for key, text in entries.items():
                yield f"{section}.{key}", re.sub(r"\{[^}|]*\}", "…", text)
    if language == "en":
        for sentence in sentences(get_command(build())):
            yield "help", sentence
    for path in (ROOT / "docs").rglob(f"*.{language}.md"):
        yield path.name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_a_word_and_a_meaning(language: str) -> None:
    terms = glossary(language)
    assert len(terms) >= TERMS
    assert terms.keys() == glossary("en").keys()
    assert len({term.word for term in terms.values()}) == len(terms)
    assert all(term.meaning.endswith(".") for term in terms.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_uses_the_words_of_the_glossary(language: str) -> None:
    refused = [(word, term.word) for term in glossary(language).values() for word in term.refused]
    wrong = [
        f"{place} says “{other}” for “{word}”"
        for place, text in texts(language)
        for other, word in refused
        if other in text.lower() and place not in KEPT.get(language, ())
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_plain_words(language: str) -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(PLAIN.get(language, ['(?!)']))})(?!\w)", re.IGNORECASE)
    wrong = [
        f"{place}: “{match.group()}” in {text[max(0, match.start() - 30) : match.end() + 30]!r}"
        for place, text in texts(language)
        for match in pattern.finditer(text)
    ]
    assert wrong == []


def test_french_has_its_apostrophe_and_blanks_that_do_not_break() -> None:
    plain = re.compile(r"\w'\w| [:;!?»]|« ")
    shown = (
        (place, re.sub(r"`[^`]*`", "", text)) for place, text in texts("fr") if not place.endswith(".md")
    )
    assert [f"{place}: {text}" for place, text in shown if plain.search(text)] == []
