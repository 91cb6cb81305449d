"""The catalogues: the same keys and the same facts in every language, and a sentence for every code."""

import ast
import errno
import os
import re
import tomllib
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from arpad.explain import words as words_module
from arpad.explain.words import LANGUAGES, capitalized, load_words
from arpad.model.errors import Unreadable
from arpad.model.rules import Finding, Severity
from tests.paths import ROOT, SOURCE, word_files

HELP = "explain/messages/*/help.toml"
"""The help of commands, whose English is in the commands (tests/cli/test_typer_groups_help_pages.py)."""


def catalogue(path: Path) -> dict[str, str]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {f"{section}.{key}": text for section, entries in data.items() for key, text in entries.items()}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


OF_ONE_LANGUAGE = ("form.", "plural.", "day-number.", "elision.")
"""Sections in which each language has its own facts (test_language_form.py)."""


@cache
def sentences(language: str) -> dict[str, tuple[str, str]]:
    """Return the file and the text of every sentence of a language."""
    return {
        key: (file, text)
        for file, path in word_files(language).items()
        if file != HELP
        for key, text in catalogue(path).items()
        if not key.startswith(OF_ONE_LANGUAGE)
    }


def forms_of(text: str) -> list[str]:
    """Return what each count of a sentence has between colon and brace."""
    return [spec.removeprefix("|") for _, _, spec, _ in Formatter().parse(text) if spec and "|" in spec]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_is_a_sentence(language: str) -> None:
    texts = {key: text for key, (_, text) in sentences(language).items() if key.startswith("finding.")}
    assert [key for key, text in texts.items() if text[0].islower() or text[-1] not in ".?!"] == []


def test_an_article_and_a_count_come_before_the_full_stop() -> None:
    words = load_words("en")
    finding = Finding(Severity.ERROR, "chief-arbiter-missing", article="0.3")
    assert words.cited_finding(finding) == "The report names no chief arbiter (0.3)."
    assert words.findings([finding] * 3) == "The report names no chief arbiter (and 2 similar problems)."
    other = Finding(Severity.ERROR, "licences-unknown")
    assert words.findings([finding, other]).count(". ") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_has_the_sentences_of_all_files(language: str) -> None:
    files = [catalogue(path) for path in word_files(language).values()]
    keys = {key: text for file in files for key, text in file.items()}
    assert len(keys) == sum(map(len, files))
    plain = {key: text for key, text in keys.items() if not {"{", "}"} & {*text}}
    assert {key: load_words(language).text(key) for key in plain} == plain
    assert all(load_words(language).has(key) for key in keys)


def missing_sentences(language: str) -> list[str]:
    """Return the sentences of English that a language does not have in the same file, as lines to translate."""
    have = {(key, file) for key, (file, _) in sentences(language).items()}
    return [
        f'{file.replace("*", language)}: {key} = "{text}"'
        for key, (file, text) in sentences("en").items()
        if (key, file) not in have
    ]


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_has_the_sentences_of_english(language: str) -> None:
    missing = missing_sentences(language)
    assert not missing, f"translate {len(missing)} sentences:\n" + "\n".join(missing)
    others = [
        f"{file.replace('*', language)}: {key} is not in English"
        for key, (file, _) in sentences(language).items()
        if key not in sentences("en") and not key.startswith("help.")
    ]
    assert not others, "\n".join(others)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_language_has_the_facts_of_english(language: str) -> None:
    english = sentences("en")
    wrong = [
        f"{file.replace('*', language)}: {key} has {sorted(placeholders(text))},"
        f" English {sorted(placeholders(english[key][1]))}"
        for key, (file, text) in sentences(language).items()
        if key in english and placeholders(text) != placeholders(english[key][1])
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_count_has_a_form_for_each_plural_category(language: str) -> None:
    categories = load_words(language).form.categories
    wrong = [
        f"{file.replace('*', language)}: {key} has “{forms}”,"
        f" needed are {len(categories)} forms: {'|'.join(categories)}"
        for key, (file, text) in sentences(language).items()
        for forms in forms_of(text)
        if len(forms.split("|")) != len(categories)
    ]
    assert not wrong, "\n".join(wrong)


def test_a_sentence_that_a_language_lacks_is_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(words_module._section_texts("it"), "place", [])
    words_module._sentences.cache_clear()
    try:
        assert load_words("it").text("place.line", line=3) == "line 3"
        assert load_words("it").has("place.line")
        with pytest.raises(KeyError, match=r"place\.nowhere"):
            load_words("it").text("place.nowhere")
    finally:
        words_module._sentences.cache_clear()


def test_folders_that_are_added_are_read_when_a_key_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en.toml").write_text(
        '[place]\nyard = "yard {number}"\n[shed]\ndoor = "door"\n', encoding="utf-8"
    )
    asked: list[Path] = []

    def folders() -> list[Path]:
        asked.append(tmp_path)
        return [tmp_path]

    monkeypatch.setattr(words_module, "_added_folders", [])
    try:
        words_module.add_words(folders)
        words = load_words("it")
        assert words.text("place.line", line=3) == "riga 3"
        assert asked == []
        assert words.text("place.yard", number=4) == "yard 4", "in English, since the folder has no Italian"
        assert words.has("shed.door")
        assert not words.has("shed.window")
        assert len(asked) == len(("it", "en")), "each language once"
    finally:
        words_module._added_texts.cache_clear()
        words_module._added_sentences.cache_clear()


def test_every_language_has_the_same_files_and_no_key_twice() -> None:
    for language in LANGUAGES:
        seen: dict[str, str] = {}
        for file, path in word_files(language).items():
            for key in catalogue(path):
                assert key not in seen, f"{key} is in {seen.get(key)} and in {file}"
                seen[key] = file
        assert word_files(language).keys() - {HELP} == word_files("en").keys(), language


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
        "partite valide": "partite omologate",
        "eventi ufficiali": "manifestazioni ufficiali",
        "accoppiament": "abbinamento",
        "quota q": "fattore correttivo Q",
        "quota della gara": "fattore correttivo",
        "base di dati": "database",
        "basi di dati": "database",
        "lista live": "lista dal vivo",
        "liste live": "liste dal vivo",
        "tempo reale": "dal vivo",
        "bye del sistema": "bye assegnato dall'abbinamento",
        "“": "«",
        "’": "'",
    },
    "en": {
        "one-off lift": "one-off adjustment",
        "imaginary": "hypothetical",
        "the gap": "the difference",
        "starting number": "start number",
        "submission": "report",
        "quota q": "corrective factor Q",
        "«": "“",
    },
}
"""Another word for the same thing, and the one that is used: in Italian that of the regulations."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    documents = ROOT / "docs"
    for path in (*word_files(language).values(), *documents.rglob(f"*.{language}.md")):
        text = path.read_text(encoding="utf-8").lower()
        for other, used in ONE_WORD_FOR_ONE_THING.get(language, {}).items():
            assert other not in text, f"{path.name} says “{other}” for “{used}”"


def test_italian_headings_say_what_to_do() -> None:
    """Headings and buttons are imperatives as in the rest of the site; a question may be an infinitive."""
    infinitive = re.compile(r"[A-Z][a-z]+(are|ere|ire)\b[^.?]*")
    assert [key for key, (_, text) in sentences("it").items() if infinitive.fullmatch(text)] == []


@cache
def codes_in_source() -> set[tuple[str, str]]:
    """Return the code of every step, finding and error that the source makes, with its section of the catalogue."""
    sections = dict.fromkeys(("ArpadError", "BadInput", "Unreadable", "NoEdition", "NoList"), "error")
    sections["Missing"] = "site-error"
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
    assert (italian.day(date(2017, 7, 1)), english.day(date(2017, 7, 1))) == ("1° luglio 2017", "1 July 2017")
    assert english.format("{n:game|games} {n:|is|are} rated", n=1) == "1 game is rated"
    assert (
        english.format("{n:point|points}, {m:point|points}", n=Fraction(1, 2), m=0) == "0.5 points, 0 points"
    )
    assert english.moment(datetime(2017, 7, 1, 9, 5, tzinfo=UTC)) == "1 July 2017, 09:05"


def test_french_has_its_forms() -> None:
    french = load_words("fr")
    counted = "{a:partie|parties}, {b:point|points}, {c:partie|parties}"
    assert french.format(counted, a=0, b=Fraction(3, 2), c=2) == "0 partie, 1,5 point, 2 parties"
    assert french.days(date(2018, 4, 28), date(2018, 5, 1)) == "28 avril 2018 – 1er mai 2018"
    assert french.count(1_700_000) == "1\u202f700\u202f000"
    assert french.error(Unreadable("file-empty", line=3)) == "ligne 3\u00a0: le fichier est vide"


def test_french_has_no_breaking_blank_before_its_marks() -> None:
    """Except in quotients, as {new_s} : {old_s}."""
    breaking = re.compile(r"(?<![}\d]) [:;?!»](?![\w])|« | %(?!\w)")
    wrong = [f"{key}: {text}" for key, (_, text) in sentences("fr").items() if breaking.search(text)]
    assert wrong == []


def test_french_has_one_apostrophe() -> None:
    straight = re.compile(r"\w'\w")
    assert [f"{key}: {text}" for key, (_, text) in sentences("fr").items() if straight.search(text)] == []


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
    from arpad.regulations.editions import provisions
    from arpad.regulations.fide.rules import ChessRules
    from arpad.regulations.fide.titles.rules import TitleRules

    words = load_words(language)
    for item in (*fields(ChessRules), *fields(TitleRules)):
        assert item.name == "articles" or words.has(f"rule.{item.name}"), item.name
    for edition in (edition for edition in EVERY if edition.body == "fide"):
        assert words.has(f"edition.{edition.id}")
        assert words.text(f"source.{edition.id}")
        for provision in provisions(edition):
            if provision.rule:
                assert words.rule_value(provision.rule.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_of_an_office_is_called_by_its_name_or_by_its_system(language: str) -> None:
    words = load_words(language)
    assert words.text("site.list-icu") == words.text("rating-system.icu") != "icu"
    assert words.text("site.list-north-league") == "north-league"
    assert capitalized(words.text("site.list-icu")).startswith("ICU (")
    assert capitalized("north League") == "North League"
