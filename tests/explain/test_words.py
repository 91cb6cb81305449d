"""The catalogues: the same keys and the same facts in both languages, and a sentence for every code."""

from __future__ import annotations

import ast
import errno
import os
import re
import tomllib
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import Unreadable
from tests.paths import ROOT, SOURCE

MESSAGES = SOURCE / "explain" / "messages"
HELP = "help.toml"
"""The help of commands, whose English is in the commands (tests/cli/test_help_pages.py)."""


def catalogue(path: Path) -> dict[str, str]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {f"{section}.{key}": text for section, entries in data.items() for key, text in entries.items()}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_has_the_sentences_of_all_files(language: str) -> None:
    files = [catalogue(path) for path in sorted((MESSAGES / language).iterdir())]
    keys = {key: text for file in files for key, text in file.items()}
    assert len(keys) == sum(map(len, files))
    plain = {key: text for key, text in keys.items() if not {"{", "}"} & {*text}}
    assert {key: load_words(language).text(key) for key in plain} == plain
    assert all(load_words(language).has(key) for key in keys)


@pytest.mark.parametrize("name", sorted(path.name for path in (MESSAGES / "en").iterdir()))
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_has_the_same_keys_and_facts(name: str, language: str) -> None:
    other, english = (catalogue(MESSAGES / folder / name) for folder in (language, "en"))
    assert other.keys() == english.keys()
    for key in other:
        assert placeholders(other[key]) == placeholders(english[key]), key


def test_every_language_has_the_same_files_and_no_key_twice() -> None:
    for language in LANGUAGES:
        seen: dict[str, str] = {}
        for path in sorted((MESSAGES / language).iterdir()):
            for key in catalogue(path):
                assert key not in seen, f"{key} is in {seen.get(key)} and in {path.name}"
                seen[key] = path.name
        names = {path.name for path in (MESSAGES / language).iterdir()} - {HELP}
        assert names == {path.name for path in (MESSAGES / "en").iterdir()}
    assert {path.name for path in MESSAGES.iterdir()} == set(LANGUAGES)


ONE_WORD_FOR_ONE_THING = {
    "it": {
        "numero di partenza": "numero di tabellone",
        "tempo di riflessione": "cadenza",
        "tempi di riflessione": "cadenze",
        "ricors": "appello",
        "giornale": "registro degli atti",
        "codice fide": "ID FIDE",
        "arbitro capo": "arbitro principale",
        "rialzo": "adeguamento",
        "motivazione": "motivo",
        "responsabile del rating": "responsabile rating",
        "partite valide": "partite valutate",
        "eventi ufficiali": "manifestazioni ufficiali",
        "“": "«",
    },
    "en": {
        "one-off lift": "one-off adjustment",
        "imaginary": "hypothetical",
        "the gap": "the difference",
        "starting number": "start number",
        "«": "“",
    },
}
"""Another word for the same thing, and the one that is used: in Italian that of the regulations."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    guides = ROOT / "docs" / "guides"
    for path in (*(MESSAGES / language).iterdir(), *guides.glob(f"*.{language}.md")):
        text = path.read_text(encoding="utf-8").lower()
        for other, used in ONE_WORD_FOR_ONE_THING.get(language, {}).items():
            assert other not in text, f"{path.name} says “{other}” for “{used}”"


@cache
def codes_in_source() -> set[tuple[str, str]]:
    """Return the code of every step, finding and error that the source makes, with its section of the catalogue."""
    sections = dict.fromkeys(("ArpadError", "BadInput", "Unreadable", "NoEdition", "NoList"), "error")
    sections |= {"step": "step", "Step": "step", "Finding": "finding"}
    call = re.compile(rf"\b({'|'.join(sections)})\(")
    codes: set[tuple[str, str]] = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not call.search(text):
            continue  # parsing takes long
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            section = sections.get(name)
            index = 0 if section == "error" else 1
            if section is None or len(node.args) <= index:
                continue
            argument = node.args[index]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                codes.add((section, argument.value))
    return codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_sentence(language: str) -> None:
    codes = codes_in_source()
    assert ("step", "capped") in codes
    assert ("error", "unknown-edition") in codes
    missing = {
        f"{section}.{code}" for section, code in codes if not load_words(language).has(f"{section}.{code}")
    }
    assert missing == set()


def test_numbers_and_dates() -> None:
    italian, english = load_words("it"), load_words("en")
    assert italian.number(Fraction(-5, 2)) == "-2,5"
    assert english.number(Fraction(1, 3)) == "0.33"
    assert english.format("{n:game|games}, {m:game|games}", n=1, m=5) == "1 game, 5 games"
    assert italian.format("{c:+.2}", c=Fraction(1, 10)) == "+0,10"
    assert (italian.count(1_700_000), english.count(1_700_000)) == ("1.700.000", "1,700,000")
    assert (italian.day(date(2017, 7, 1)), english.day(date(2017, 7, 1))) == ("1 luglio 2017", "1 July 2017")


def test_errors_of_the_system_are_in_the_readers_language() -> None:
    missing = Unreadable("file-not-opened", path="x.trf", reason=os.strerror(errno.ENOENT))
    assert load_words("it").error(missing) == "impossibile aprire x.trf: file o cartella inesistente"
    assert load_words("en").error(missing) == "x.trf cannot be opened: no such file or folder"
    odd = Unreadable("file-not-opened", path="x.trf", reason="a story of its own")
    assert load_words("it").error(odd).endswith(": a story of its own")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_and_procedure_has_a_name(language: str) -> None:
    from dataclasses import fields

    from arpad.regulations.all_editions import EVERY
    from arpad.regulations.chess.rules import ChessRules
    from arpad.regulations.chess.titles.rules import TitleRules
    from arpad.regulations.editions import provisions

    words = load_words(language)
    for item in (*fields(ChessRules), *fields(TitleRules)):
        assert item.name == "articles" or words.has(f"rule.{item.name}"), item.name
    for edition in (edition for edition in EVERY if edition.body == "fide"):
        assert words.has(f"edition.{edition.id}")
        assert words.text(f"source.{edition.id}")
        for provision in provisions(edition):
            if provision.rule:
                assert words.rule_value(provision.rule.value)
