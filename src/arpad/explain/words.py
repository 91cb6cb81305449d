"""Put steps, findings and errors into words, in the reader's language.

The library's words live in ``messages/<language>/*.toml``, one file per subject, with the same keys in each language.
Features of the office and rating systems bring their own (``add_words``), in ``<language>.toml`` of a folder; a
section may be spread over any number of files. A sentence is filled like ``str.format``, with forms of our own:
``{change:+}`` shows the sign, ``{p:.2}`` two decimals, ``{p:~2}`` two except of a whole number, and
``{games:game|games}`` counts ("1 game", "5 games"), with a form for each plural category of the language;
``{games:|is|are}`` shows the form without the number; ``{kind:source-kind}`` shows the word of a section.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any

from arpad.explain.findings import group_findings
from arpad.explain.language_form import LanguageForm
from arpad.model.errors import ArpadError, Missing
from arpad.model.exact import decimal_text
from arpad.model.rules import Body, Fact, Finding, Step
from arpad.regulations import FOLDERS

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from arpad.lists.categories import CategoryChange

_MESSAGES = files("arpad.explain") / "messages"
_FIRST = ("it", "en")
LANGUAGES = (*_FIRST, *sorted({entry.name for entry in _MESSAGES.iterdir() if entry.is_dir()} - {*_FIRST}))
"""Every folder of messages is a language. Italian and English come first, since Arpad is written in them."""
HYPHEN, MINUS = "-", "\N{MINUS SIGN}"
"""How a negative number begins: for programs with a hyphen, for people with a minus, which is read aloud."""
_OWN_LIST = re.compile(r"site\.list-|rating-list\.title-")
_READABLE_DENOMINATOR = 5
"""Regulations write shares up to this denominator as fractions, others in percent."""
_added_folders: list[Callable[[], Iterable[Traversable]]] = []


def capitalized(text: str) -> str:
    """Return a text with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def add_words(folders: Callable[[], Iterable[Traversable]]) -> None:
    """Take words from more folders too, each with one file per language.

    They are asked for and read when a key is first missed in the library, so a command that needs none of them opens
    none.
    """
    _added_folders.append(folders)
    _added_texts.cache_clear()
    _added_sentences.cache_clear()


@cache
def load_words(language: str, minus: str = HYPHEN) -> Words:
    """Return the words of a language, read once."""
    return Words(language, minus)


def load_all_words() -> None:
    """Parse every section of every language, which a server does before its first visitor comes."""
    for language in LANGUAGES:
        for section in _section_texts(language):
            _sentences(language, section)
        for section in _added_texts(language):
            _added_sentences(language, section)


def before_stop(sentence: str, words: str) -> str:
    """Return a sentence with more words before its full stop."""
    return f"{sentence.removesuffix('.')}{words}." if words else sentence


class Words:
    """One language: its catalogue, and how it writes numbers and dates (12.4).

    A sentence that a language does not have yet is in English: a federation's own translation outlives an upgrade.
    """

    def __init__(self, language: str, minus: str = HYPHEN) -> None:
        self.language = language
        self._minus = minus
        self.form = _form(language)
        self._articles = tuple(self.form.elisions)

    def text(self, key: str, /, **facts: Fact) -> str:
        """Return the sentence of a key, filled with its facts."""
        section, _, name = key.partition(".")
        sentence = _sentence(self.language, section, name)
        if sentence is None:
            # a list of an office's own is called by its name, or its system's
            if begin := _OWN_LIST.match(key):
                own = key[begin.end() :]
                return _sentence(self.language, "rating-system", own) or own
            if self.language == "en":
                raise KeyError(key)
            return load_words("en", self._minus).text(key, **facts)
        if "reason" in facts:
            facts["reason"] = self.system(facts["reason"])
        return self.format(sentence, **facts) if "{" in sentence or "}" in sentence else sentence

    def format(self, sentence: str, /, **facts: Fact) -> str:
        """Return a sentence filled with its facts."""
        written: list[str] = []
        for name, part, article in _sentence_parts(sentence, self._articles):
            if name is None:
                written.append(part)
                continue
            value = facts[name]
            plain = not part and type(value) is str  # pages write hundreds of names
            text = str(value) if plain else self.format_field(value, part)
            written.append(self.form.joined(article, text) if article else text)
        return "".join(written)

    def system(self, reason: Fact) -> Fact:
        """Return a sentence of the operating system, which knows one language only, in this language."""
        name = _system().get(str(reason))
        return self.text(f"system.{name}") if name else reason

    def has(self, key: str) -> bool:
        """Return whether the catalogue has a key."""
        section, _, name = key.partition(".")
        return any(_sentence(language, section, name) is not None for language in (self.language, "en"))

    def parameter(self, word: str) -> tuple[str, str]:
        """Return the label and the help of a parameter, from its one entry, as ``Day: the first day.`` has them."""
        label, colon, about = self.text(f"parameter.{word}").partition(":")
        about = about.strip()
        return label.strip(), capitalized(about) if colon else f"{label.strip()}."

    def help(self, sentence: str) -> str:
        """Return a sentence of the commands' help, whose English is in the commands, in this language."""
        if sentence.startswith("parameter."):
            return self.parameter(sentence.removeprefix("parameter."))[1]
        if sentence.startswith("group."):
            return self.text(sentence)
        return _sentence(self.language, "help", sentence) or sentence

    def step(self, step: Step) -> str:
        """Return a step of a derivation in words, without its article."""
        return self.text(f"step.{step.quantity}", **{**step.facts, "value": step.value})

    def steps(self, steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
        """Yield each step as its article and its sentence."""
        for step in steps:
            yield self.article(step.article), self.step(step)

    def article(self, article: str) -> str:
        """Return the name of an article as this language writes it: "notice 2024" is not a number."""
        if article[:1].isdigit():
            return article
        return " ".join(
            self.text(f"article.{part}") if self.has(f"article.{part}") else part
            for part in article.split(" ")
        )

    def finding(self, finding: Finding) -> str:
        """Return a finding in words, without its line and column."""
        return self.text(f"finding.{finding.code}", **finding.facts)

    def cited_finding(self, finding: Finding) -> str:
        """Return a finding in words with its article in brackets, before the full stop."""
        article = f" ({self.article(finding.article)})" if finding.article else ""
        return before_stop(self.finding(finding), article)

    def findings(self, findings: Iterable[Finding]) -> str:
        """Return findings in one line: for each code the first in words, and how many more there are."""
        return " ".join(
            before_stop(
                self.finding(group.first), self.text("page.and-alike", more=group.more) if group.more else ""
            )
            for group in group_findings(findings)
        )

    def error(self, error: ArpadError) -> str:
        """Return an error in one sentence, with its line and column if it has them."""
        facts = {name: on_one_line(fact) for name, fact in error.facts.items()}
        section = "site-error" if isinstance(error, Missing) else "error"
        sentence = self.text(f"{section}.{error.code}", **facts)
        line, column = error.facts.get("line"), error.facts.get("column")
        if line is None:
            return sentence
        position = "place.line" if column is None else "place.line-column"
        return self.labelled(self.text(position, line=line, column=column), sentence)

    def labelled(self, label: str, text: str) -> str:
        """Return a text after its label, with a colon as this language writes it."""
        return f"{label}{self.form.colon} {text}"

    def rule_value(self, value: Any) -> str:
        """Return the value of a rule in words: numbers, small records, procedures."""
        if isinstance(value, bool):
            return self.text("value.yes" if value else "value.no")
        if isinstance(value, Body):
            return self.text(f"body.{value}")
        if callable(value):
            return self.text(f"procedure.{value.__name__}")
        if is_dataclass(value) and not isinstance(value, type):
            facts = self.rule_facts(value)
            variant = (
                "" if all(facts.values()) else "." + "-".join(name for name, fact in facts.items() if fact)
            )
            key = f"value.{type(value).__name__}"
            return self.text(key + variant if self.has(key + variant) else key, **facts)
        if isinstance(value, tuple) and value and is_dataclass(value[0]):
            return "; ".join(map(self.rule_value, value))
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            lows = [low for low, _ in value]
            return "; ".join(self._band(low, band, lows) for low, band in value)
        if value == tuple(range(1, 13)):
            return self.text("value.every-month")
        return self.format_field(self._exact(value), "")

    def rule_facts(self, value: Any) -> dict[str, Any]:
        """Return the parts of a rule's value, if it is a record, as a sentence shows them."""
        if not is_dataclass(value) or isinstance(value, type):
            return {}
        return {item.name: self._exact(getattr(value, item.name)) for item in fields(value)}

    def _band(self, low: int | str, value: Any, lows: Sequence[int | str]) -> str:
        """Return the value from a number upwards, or of a category; from 0 upwards is below the next number."""
        if isinstance(low, str):
            return self.labelled(self.text(f"category.{low}"), self.format_field(value, ""))
        if low == 0 and len(lows) > 1:
            return self.text("value.band-below", high=sorted(lows)[1], value=value)
        return self.text("value.band", low=low, value=value)

    def _exact(self, value: Any) -> Any:
        """Return a share as regulations write it (3/5, 35 %), codes of systems in words, other values as they are."""
        if isinstance(value, tuple):
            systems = [f"normsystem.{item}" for item in value]
            return tuple(map(self.text, systems)) if all(map(self.has, systems)) else value
        if not isinstance(value, Fraction) or (value > 1 and 100 % value.denominator == 0):
            return value
        if value.denominator > _READABLE_DENOMINATOR and 100 % value.denominator == 0:
            return f"{int(value * 100)}\N{NO-BREAK SPACE}%"
        return str(value)

    def category_change(self, change: CategoryChange) -> str:
        """Return how a national category was reached or lost, without its article."""
        key = "awarded" if change.decision else "lost" if change.lost else "reached"
        if change.lost and not change.category:
            key = "lost-all"
        facts = {
            "category": change.category, "before": change.before, "rating": change.rating, "day": change.day,
            "decision": change.decision,
        }  # fmt: skip
        return self.text(f"national.{key}", **facts)

    def number(self, value: Fraction | int, *, signed: bool = False, places: int | None = None) -> str:
        """Return a number as this language writes it; zero has no sign."""
        if type(value) is int and value >= 0 and not signed and not places:
            return str(value)
        signs = self.form.decimal_sign, self._minus
        return _number(value.numerator, value.denominator, signed, places, signs)

    def count(self, value: int) -> str:
        """Return a count with separated thousands."""
        return f"{value:,}".replace(",", self.form.thousands_sign)

    def day(self, value: date) -> str:
        """Return a date as this language writes it."""
        return _day(self.language, value)

    def days(self, first: date | None, last: date | None) -> str:
        """Return the days from the first to the last as this language writes them; empty if none is known."""
        if first and last:
            return _days(self.language, first, last)
        known = first or last
        return self.day(known) if known else ""

    def moment(self, value: datetime) -> str:
        """Return a date and time as this language writes it."""
        return self.form.write_moment(value)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return one fact inside a sentence."""
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return self._formatted_number(value, format_spec)
        if isinstance(value, date):
            return self.day(value)
        if isinstance(value, tuple) and value and isinstance(value[0], Finding):
            return self.findings(value)
        if isinstance(value, tuple):
            return self.form.separator.join(self.format_field(item, format_spec) for item in value)
        if is_dataclass(value):
            return self.rule_value(value)
        if isinstance(value, str) and format_spec.replace("-", "").isalpha():
            return self.text(f"{format_spec}.{value}")
        return str(value)

    def _formatted_number(self, value: int | Fraction, format_spec: str) -> str:
        if not format_spec:
            return self.number(value)
        if "|" in format_spec:
            return _counted(self.language, format_spec, value, self._minus)
        if format_spec.startswith("~"):
            return self.number(value, places=int(format_spec[1:]) if Fraction(value).denominator > 1 else 0)
        places = int(format_spec.partition(".")[2]) if "." in format_spec else None
        return self.number(value, signed=format_spec.startswith("+"), places=places)


@lru_cache(maxsize=4096)
def _sentence_parts(sentence: str, articles: tuple[str, ...]) -> tuple[tuple[str | None, str, str], ...]:
    """Return a sentence in parts, parsed once: plain text, or a fact's name, how it is written, and its article.

    A fact has an article only if the word before it is one of ``articles``, which change before some numbers.
    """
    parts: list[tuple[str | None, str, str]] = []
    for plain, name, form, _ in Formatter().parse(sentence):
        word = plain.removesuffix(" ").rpartition(" ")[2]
        article = word if name is not None and plain.endswith(" ") and word in articles else ""
        if text := plain.removesuffix(f"{article} ") if article else plain:
            parts.append((None, text, ""))
        if name is not None:
            parts.append((name, form or "", article))
    return tuple(parts)


@lru_cache(maxsize=8192)
def _number(
    numerator: int,
    denominator: int,
    signed: bool,  # noqa: FBT001  a key of the cache
    places: int | None,
    signs: tuple[str, str],
) -> str:
    """Return a number, remembered: a report repeats few scores, expectations and changes. Signs: decimal and minus."""
    value = numerator if denominator == 1 else Fraction(numerator, denominator)
    text = decimal_text(value, signed=signed and numerator != 0, places=places)
    return text.replace(".", signs[0]).replace(HYPHEN, signs[1])


@lru_cache(maxsize=4096)
def _day(language: str, value: date) -> str:
    """Return a day, remembered: the tables of a page repeat few of them."""
    return _form(language).write_day(value)


@lru_cache(maxsize=4096)
def _days(language: str, first: date, last: date) -> str:
    """Return the days from the first to the last, remembered as single days are."""
    return _form(language).write_days(first, last)


GROUPED = 1000
"""A count of things from here on has its thousands separated; ratings and years never have."""


@lru_cache(maxsize=4096)
def _counted(language: str, forms: str, value: int | Fraction, minus: str) -> str:
    """Return a number with its noun, remembered: the rows of a page repeat few of them."""
    words = load_words(language, minus)
    number = words.count(value) if isinstance(value, int) and value >= GROUPED else words.number(value)
    return _form(language).counted(forms, decimal_text(value), number)


@cache
def _form(language: str) -> LanguageForm:
    facts = {name.replace("-", "_"): text for name, text in _sentences(language, "form").items()}
    del facts["language"], facts["locale"]
    return LanguageForm(
        **facts,
        months=_sentences(language, "month"),
        day_numbers=_sentences(language, "day-number"),
        plurals=_sentences(language, "plural"),
        elisions=_sentences(language, "elision"),
    )


LONGEST_FACT = 1200


def on_one_line(fact: Any) -> Any:
    """Return text from outside for one sentence: without line ends and control characters, and not too long."""
    if not isinstance(fact, str):
        return fact
    start = fact[:LONGEST_FACT]
    plain = start if start.isprintable() else "".join(sign if sign.isprintable() else " " for sign in start)
    return plain if len(fact) <= LONGEST_FACT else f"{plain}…"


@cache
def _system() -> Mapping[str, str]:
    """Return each sentence of the operating system that the catalogues translate, with its key."""
    import errno
    import os

    return {os.strerror(getattr(errno, name)): name for name in _sentences("en", "system")}


def _sentence(language: str, section: str, name: str) -> str | None:
    """Return a sentence as it is written, of the library or of an added folder; None if the language lacks it."""
    sentence = _sentences(language, section).get(name)
    return _added_sentences(language, section).get(name) if sentence is None else sentence


@cache
def _sentences(language: str, section: str) -> Mapping[str, str]:
    """Return the library's sentences of a section, parsed when first asked for: a command needs few sections."""
    return _parsed(_section_texts(language).get(section, ()))


@cache
def _added_sentences(language: str, section: str) -> Mapping[str, str]:
    """Return the sentences of a section in the added folders."""
    return _parsed(_added_texts(language).get(section, ()))


def _parsed(texts: Iterable[str]) -> Mapping[str, str]:
    sentences: dict[str, str] = {}
    for text in texts:
        sentences |= tomllib.loads(text)
    return sentences


@cache
def _section_texts(language: str) -> Mapping[str, list[str]]:
    """Return the text of each section in each file of the library that has it, file by file."""
    return _texts_by_section(sorted((_MESSAGES / language).iterdir(), key=lambda entry: entry.name))


@cache
def _added_texts(language: str) -> Mapping[str, list[str]]:
    """Return the text of each section in each added folder that has it; a folder may lack a language."""
    entries = (folder / f"{language}.toml" for folders in _added_folders for folder in folders())
    return _texts_by_section(entry for entry in entries if entry.is_file())


def _texts_by_section(entries: Iterable[Traversable]) -> Mapping[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for entry in entries:
        for part in f"\n{entry.read_text(encoding='utf-8')}".split("\n[")[1:]:
            section, _, text = part.partition("]\n")
            texts.setdefault(section, []).append(text)
    return texts


add_words(lambda: [files("arpad.regulations") / name / "words" for name in FOLDERS])
