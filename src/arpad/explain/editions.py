"""Editions in plain words and as documents: the name by which people know one, and its rules article by article."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

from arpad.explain.words import Words, capitalized, load_words
from arpad.model.rules import Confidence, Edition, ListName, Rule
from arpad.regulations.editions import ALL, digest, plain, provisions

_NUMBERED = re.compile(r"(RB )?(\d+)(?:\.(\d+))?((?:\.\d+)*)([a-z]?)")
"""Prefix of the rapid and blitz text, if any; chapter; article and its parts, a digit each (8.54 is the fourth part of
8.5), or with more dots (8.3.1); a letter."""


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


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule in words, and the lists for which the edition sets it; none of them if it is the same for all."""

    text: str
    lists: tuple[ListName, ...]


def rule_text(field: str, rule: Rule[Any], words: Words) -> str:
    """Return what a rule says, with its value."""
    key, value = f"rule-text.{field}", rule.value
    if value is False and words.has(f"{key}-no"):
        return words.text(f"{key}-no")
    if value is False or not words.has(key):  # an edition of a federation
        name = words.text(f"rule.{field}")
        return words.labelled(capitalized(name), f"{words.rule_value(value)}.")
    if type(value) is int:  # so that a sentence can count it, or say half points as points
        return words.text(key, value=value, points=Fraction(value, 2))
    if field == "list_months" and len(value) < len(words.form.months):
        return words.text(key, value=", ".join(words.form.months[str(month)] for month in value))
    return words.text(key, value=words.rule_value(value), **words.rule_facts(value))


def edition_articles(edition: Edition[Any]) -> set[str]:
    """Return the articles that an edition cites, for its rules and for the steps of its computation."""
    steps = [
        article for rules in edition.lists.values() for article in getattr(rules, "articles", {}).values()
    ]
    return {item.rule.article for item in provisions(edition) if item.rule}.union(steps)


def article_levels(article: str) -> tuple[str, ...]:
    """Return an article and those that contain it, the widest first: 7, 7.1, 7.14, 7.14b; any other name alone."""
    numbered = _NUMBERED.fullmatch(article)
    if numbered is None:
        return (article,)
    text, chapter, digits, dotted, letter = numbered.groups(default="")
    levels = [text + chapter, *(f".{digit}" if index == 0 else digit for index, digit in enumerate(digits))]
    levels += [f".{number}" for number in dotted.split(".")[1:]]
    levels += [letter] if letter else []
    return tuple("".join(levels[: end + 1]) for end in range(len(levels)))


def articles(edition: Edition[Any], words: Words) -> dict[str, list[RuleText]]:
    """Return the rules of an edition in words by article, in the order of the articles."""
    by_article: dict[str, list[RuleText]] = {}
    for article, text, lists in _texts(edition, words):
        common = len(lists) == len(edition.lists)
        by_article.setdefault(article, []).append(RuleText(text, () if common else lists))
    return dict(sorted(by_article.items(), key=lambda item: _order(item[0])))


@dataclass(frozen=True, slots=True)
class Chapter:
    """The articles of one subject, in the order of the text, and the lists to which most of its rules apply."""

    name: str
    """A key of the section ``chapter``."""

    number: str
    """The number as the text prints it; empty for what is no chapter of it."""

    lists: tuple[ListName, ...]
    articles: dict[str, list[RuleText]]


def chapters(edition: Edition[Any], words: Words) -> list[Chapter]:
    """Return the rules of an edition in words by chapter."""
    titles = any(hasattr(rules, "norm_systems") for rules in edition.lists.values())
    named: dict[tuple[str, str], dict[str, list[RuleText]]] = {}
    for article, items in articles(edition, words).items():
        name, number = _chapter_of(article, titles=titles)
        named.setdefault((name, number), {})[article] = items
    in_order = sorted(named.items(), key=lambda item: item[0][0] == "other")  # the last one
    return [Chapter(*key, _most_lists(texts), texts) for key, texts in in_order]


_CHAPTERS = (
    "registration",
    "time-control",
    "laws",
    "day",
    "duration",
    "unplayed",
    "composition",
    "list",
    "system",
    "reporting",
)
_RAPID_CHAPTERS = tuple(name for name in _CHAPTERS if name != "duration")
"""The chapters of the two rating regulations by number; what follows them is about who is on the list."""

_TITLE_CHAPTERS = {
    "0": "titles", "1.1": "norm-tournament", "1.2": "titles", "1.3": "titles", "1.4.1": "norm-games",
    "1.4.2": "norm-games", "1.4.3": "norm-opponents", "1.4.4": "norm-opponents", "1.4.5": "norm-opponents",
    "1.4": "norm-performance", "1": "application", "2": "application", "3": "application",
}  # fmt: skip
"""The subjects of the title regulations, whose chapters are too long to be found in: by the longest beginning."""


def _chapter_of(article: str, *, titles: bool) -> tuple[str, str]:
    """Return the name of an article's chapter, and its number."""
    levels = article_levels(article)
    if titles:
        return next((_TITLE_CHAPTERS[it] for it in reversed(levels) if it in _TITLE_CHAPTERS), "other"), ""
    text, _, number = levels[0].rpartition(" ")
    if text not in ("", "RB") or not number.isdecimal() or len(number) > 2:  # noqa: PLR2004  a year is no chapter
        return "other", ""
    names = _RAPID_CHAPTERS if text else _CHAPTERS
    return names[int(number)] if int(number) < len(names) else "members", levels[0]


def _most_lists(texts: dict[str, list[RuleText]]) -> tuple[ListName, ...]:
    """Return the lists that more than half of a chapter's rules are for; none if they differ, or if it is all."""
    counted = Counter(item.lists for items in texts.values() for item in items)
    ((lists, count),) = counted.most_common(1)
    return lists if 2 * count > counted.total() else ()


def _texts(edition: Edition[Any], words: Words) -> Iterator[tuple[str, str, tuple[ListName, ...]]]:
    """Yield each rule and each step of the computation once: its article, its sentence and its lists."""
    lists: dict[tuple[str, str], tuple[ListName, ...]] = {}
    for name, article, text in (*_steps(edition, words), *_rules(edition, words)):
        lists[article, text] = (*lists.get((article, text), ()), name)
    for (article, text), names in lists.items():
        yield article, text, names


def _rules(edition: Edition[Any], words: Words) -> Iterator[tuple[ListName, str, str]]:
    for item in provisions(edition):
        if item.rule:
            yield item.list, item.rule.article, rule_text(item.field, item.rule, words)


def _steps(edition: Edition[Any], words: Words) -> Iterator[tuple[ListName, str, str]]:
    """Yield what an edition says about steps and decisions that are no value of their own (``articles``)."""
    for name, rules in edition.lists.items():
        steps = getattr(rules, "articles", {})
        for step, article in steps.items():
            if step == "pooled" and article == rules.entry_formula.article:  # which says the same
                continue
            key = f"article-text.{step}"
            if step == "unrated-opponent" and "pass" in steps:
                key += "-round-robin"
            elif step == "below" and "half" not in steps:
                key += "-every-score"
            yield name, article, words.text(key, floor=rules.floor.value, games=rules.minimum_games.value)


def _order(article: str) -> tuple[bool, tuple[tuple[int, str], ...]]:
    """Return a key that sorts articles as a text prints them: 8.1a before 8.2, numbered ones first."""
    parts = re.findall(r"\d+|[^\d.\s]+", " ".join(_parts(article)))
    return not article[:1].isdigit(), tuple(
        (int(part), "") if part.isdigit() else (-1, part) for part in parts
    )


def _parts(article: str) -> Iterator[str]:
    """Yield what each level of an article adds to the one above it."""
    above = ""
    for level in article_levels(article):
        yield level.removeprefix(above)
        above = level


# ------------------------------------------------------------------------------------------------- documents


def edition_document(edition: Edition[Any], words: Words) -> dict[str, Any]:
    """Return the fields that identify an edition."""
    return {
        "id": edition.id,
        "body": edition.body,
        "effective": str(edition.effective),
        "by_name_only": edition.by_name_only,
        "base": edition.base or None,
        "source": edition_source(edition, words),
        "adopted": edition.adopted or None,
        "checked": str(edition.checked),
        "lists": [str(name) for name in edition.lists],
        "digest": digest(edition),
        "about": edition_about(edition, words),
    }


def edition_source(edition: Edition[Any], words: Words) -> str:
    """Return the source of an edition; of a federation's own, as its file names it."""
    return _of_printed(edition, "source", words)


def edition_about(edition: Edition[Any], words: Words) -> str:
    """Return an edition in a few words."""
    return _of_printed(edition, "edition", words)


def _of_printed(edition: Edition[Any], section: str, words: Words) -> str:
    key = f"{section}.{edition.id}"
    printed = edition.id in _printed_names()  # an own one may have any name, that of some other sentence too
    return words.text(key) if printed and words.has(key) else edition.source


@cache
def _printed_names() -> frozenset[str]:
    from arpad.regulations.all_editions import EVERY  # few commands need the title regulations

    return frozenset(edition.id for edition in EVERY)


@dataclass
class RuleDocument:
    """A value, its article, and how surely it is known: verified, secondary, inferred or unknown."""

    value: Any
    article: str
    confidence: str


def rule_document(rule: Rule[Any] | None) -> RuleDocument | None:
    """Return the document of a rule; None if the edition has no such rule."""
    if rule is None:
        return None
    return RuleDocument(plain(rule.value), rule.article, str(rule.confidence))


CONFIDENCE_SIGNS = {
    Confidence.VERIFIED: "",
    Confidence.SECONDARY: "*",
    Confidence.INFERRED: "~",
    Confidence.UNKNOWN: "?",
}
"""The sign after the article of a rule that was not read in the text itself."""


def legend(rules: Iterable[Rule[Any] | None], words: Words) -> str:
    """Return the meaning of the signs of these rules in one line; empty if no rule has a sign."""
    marks = {rule.confidence for rule in rules if rule}
    return "; ".join(
        f"{sign} {words.text(f'confidence.{mark}')}"
        for mark, sign in CONFIDENCE_SIGNS.items()
        if sign and mark in marks
    )


def how_surely(edition: Edition[Any], words: Words) -> str:
    """Return in one sentence how many rules of an edition have each degree of confidence."""
    marks = [item.rule.confidence for item in provisions(edition) if item.rule]
    counts = [
        words.text(
            "confidence.count", sign=sign, meaning=words.text(f"confidence.{mark}"), rules=marks.count(mark)
        ).strip()
        for mark, sign in CONFIDENCE_SIGNS.items()
        if mark in marks
    ]
    return words.text("confidence.how-surely", marks="; ".join(counts))
