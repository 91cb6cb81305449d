"""The rules of an edition in plain words, article by article."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from arpad.explain.words import Words
from arpad.model.rules import Edition, ListName, Rule
from arpad.regulations.editions import provisions


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule in words, and the lists for which the edition sets it; none of them if it is the same for all."""

    text: str
    lists: tuple[ListName, ...]


def rule_text(field: str, rule: Rule[Any], words: Words) -> str:
    """Return what a rule says, with its value."""
    key, value = f"rule-text.{field}", words.rule_value(rule.value)
    if words.has(key) and rule.value is not False:
        if type(rule.value) is int:  # so that a sentence can count it, or say half points as points
            return words.text(key, value=rule.value, points=Fraction(rule.value, 2))
        return words.text(key, value=value)
    name = words.text(f"rule.{field}")
    return words.labelled(f"{name[:1].upper()}{name[1:]}", f"{value}.")


def articles(edition: Edition[Any], words: Words) -> dict[str, list[RuleText]]:
    """Return the rules of an edition in words by article, in the order of the articles."""
    by_article: dict[str, list[RuleText]] = {}
    for article, text, lists in _texts(edition, words):
        common = len(lists) == len(edition.lists)
        by_article.setdefault(article, []).append(RuleText(text, () if common else lists))
    return dict(sorted(by_article.items(), key=lambda item: _order(item[0])))


def _texts(edition: Edition[Any], words: Words) -> Iterator[tuple[str, str, tuple[ListName, ...]]]:
    """Yield each rule once: its article, its sentence and its lists."""
    lists: dict[tuple[str, str], tuple[ListName, ...]] = {}
    for item in provisions(edition):
        if item.rule:
            key = (item.rule.article, rule_text(item.field, item.rule, words))
            lists[key] = (*lists.get(key, ()), item.list)
    for (article, text), names in lists.items():
        yield article, text, names


def _order(article: str) -> tuple[bool, tuple[tuple[bool, int, str], ...]]:
    """Return a key that sorts articles as people do: 8.2 before 8.10, numbered ones first."""
    parts = article.replace(".", " ").split()
    key = tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)
    return not article[:1].isdigit(), key
