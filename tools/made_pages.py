"""Pages of the documentation site that the program makes: commands, API, library, editions, glossary, notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tools import api_page, command_page, library_page

from arpad.explain.editions import (
    CONFIDENCE_SIGNS,
    articles,
    edition_about,
    edition_name,
    edition_source,
    how_surely,
    rule_text,
)
from arpad.explain.glossary import glossary
from arpad.explain.words import Words, load_words
from arpad.model.rules import Edition
from arpad.regulations.all_editions import EVERY
from arpad.regulations.editions import named, provisions
from arpad.web.regulations import differences, newest_first

LANGUAGES = ("en", "it")
"""The languages of the documents."""

OPENING = {
    "en": "Every edition that Arpad knows, rule by rule in plain words, with its article.",
    "it": "Tutte le edizioni che Arpad conosce, regola per regola in parole semplici, con il suo articolo.",
}
TITLES = {"en": ("Editions", "Glossary"), "it": ("Le edizioni", "Glossario")}


def pages() -> dict[str, str]:
    """Return the text of each page by its name below docs/."""
    made = {
        "reference/commands.md": command_page.page(),
        "reference/api.md": api_page.page(),
        "reference/library.md": library_page.page(),
    }
    for language in LANGUAGES:
        words = load_words(language)
        made[f"reference/editions/index.{language}.md"] = editions_page(words)
        made[f"reference/glossary.{language}.md"] = glossary_page(language)
        for edition in EVERY:
            made[f"reference/editions/{edition.id}.{language}.md"] = edition_page(edition, words)
    return made


def editions_page(words: Words) -> str:
    """Return the page that leads to all editions, the newest first."""
    lines = [f"# {TITLES[words.language][0]}", "", OPENING[words.language], ""]
    for edition in newest_first(EVERY):
        name, about = edition_name(edition.id, words), plain(edition_about(edition, words))
        lines.append(f"- [{name}]({edition.id}.{words.language}.md) (`{edition.id}`): {about}")
    return "\n".join(lines) + "\n"


def edition_page(edition: Edition[Any], words: Words) -> str:
    """Return an edition: where it comes from, what changed, each article in words, how surely all is known."""
    parts = [
        f"# {edition_name(edition.id, words)}",
        f"`{edition.id}`: {plain(edition_about(edition, words))}.",
    ]
    parts.append(
        plain(words.text("edition.from", day=edition.effective, source=edition_source(edition, words)))
    )
    if edition.base:
        parts += changes(named(edition.base, EVERY), edition, words)
    parts.append(f"## {words.text('site.rules-in-words')}")
    parts += in_articles(edition, words)
    parts.append(plain(how_surely(edition, words)))
    return "\n\n".join(parts) + "\n"


def changes(old: Edition[Any], new: Edition[Any], words: Words) -> Iterator[str]:
    """Yield what an edition changes against the one that it amends."""
    rows, _ = differences(old, new)
    if not rows:
        return
    before, after = edition_name(old.id, words), edition_name(new.id, words)
    yield f"## {words.text('site.changed-against', edition=before).rstrip('.')}"
    lines: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
    for row in rows:
        rules = (row.old, row.new)
        values = [words.rule_value(rule.value) if rule else "–" for rule in rules]
        articles_of = lines.setdefault((words.text(f"rule.{row.field}"), *values), ([], []))
        for rule, cited in zip(rules, articles_of, strict=True):
            if rule and rule.article not in cited:
                cited.append(rule.article)
    yield "\n".join([
        f"| {words.text('site.rule')} | {before} | {after} |",
        "|---|---|---|",
        *(
            f"| {cell(name)} | {with_articles(old_value, olds)} | {with_articles(new_value, news)} |"
            for (name, old_value, new_value), (olds, news) in lines.items()
        ),
    ])  # fmt: skip


def with_articles(value: str, cited: list[str]) -> str:
    """Return a value for a cell of a table, with the articles that set it."""
    return cell(f"{value} ({', '.join(cited)})" if cited else value)


def in_articles(edition: Edition[Any], words: Words) -> Iterator[str]:
    """Yield each article as a heading with its rules; a sign marks a rule that was not read in the text itself."""
    signs = {
        (item.rule.article, rule_text(item.field, item.rule, words)): CONFIDENCE_SIGNS[item.rule.confidence]
        for item in provisions(edition)
        if item.rule
    }
    for article, rules in articles(edition, words).items():
        yield f"### {article}"
        for rule in rules:
            lists = ", ".join(words.text(f"site.list-{name}") for name in rule.lists)
            sign = signs.get((article, rule.text), "")
            yield plain(rule.text) + (f" ({lists})" if lists else "") + (f" `{sign}`" if sign else "")


def glossary_page(language: str) -> str:
    """Return the words that Arpad uses, with their meaning."""
    terms = [f"**{plain(term.word)}**\n: {plain(term.meaning)}" for term in glossary(language).values()]
    return f"# {TITLES[language][1]}\n\n" + "\n\n".join(terms) + "\n"


def notebook_page(notebook: str) -> str:
    """Return a notebook as Markdown: its texts, its code, and what the code printed."""
    parts = []
    for block in json.loads(notebook)["cells"]:
        source = "".join(block["source"])
        parts.append(f"```python\n{source}\n```" if block["cell_type"] == "code" else source)
        for output in block.get("outputs", ()):
            printed = "".join(output.get("text") or output.get("data", {}).get("text/plain", ()))
            parts += [f"```text\n{printed.rstrip()}\n```"] if printed.strip() else []
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Return a text in which no sign means anything in Markdown."""
    for sign in "\\`*_[]<>{}#~":
        text = text.replace(sign, f"\\{sign}")
    return text


def cell(text: str) -> str:
    """Return a text for a cell of a table."""
    return plain(text).replace("|", "\\|")
