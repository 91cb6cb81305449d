"""The facts of an event as fields of a form, and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from arpad.explain.words import Words
from arpad.lists.explanation import EventDecision
from arpad.model.chess import EventKind
from arpad.model.rules import LISTS, Body
from arpad.office.reports.rows import FACT
from arpad.reports.event_facts import FACT_TYPES, UNKNOWN, EventFacts, facts_document, read_stated

LONGEST = 1000
STATED_HERE = tuple(name for name in FACT_TYPES if name != "players")
"""The facts that a form has; facts about single players come in a file."""


@dataclass(frozen=True, slots=True)
class FactField:
    """A fact as a field of a form."""

    name: str
    label: str
    type: str
    """``choice``, or the type of an input."""

    choices: tuple[tuple[str, str], ...] = ()


@cache
def fact_fields(words: Words) -> list[FactField]:
    """Return the fields of the form in the order of their declaration; yes-or-no facts come last."""
    fields = [_field(name, words) for name in STATED_HERE]
    return sorted(fields, key=lambda field: FACT_TYPES[field.name].startswith(("bool", "Body")))


def _field(name: str, words: Words) -> FactField:
    hint, label = FACT_TYPES[name], fact_label(name, words)
    kinds_of_input = {"date | None": "date", "int | None": "number"}
    unset, choices = "unknown", [("yes", words.text("site.yes")), ("no", words.text("site.no"))]
    if hint.startswith("ListName"):
        unset, choices = "by-time-control", [(str(item), words.text(f"site.list-{item}")) for item in LISTS]
    elif hint.startswith("EventKind"):
        unset, choices = "by-declaration", [(str(item), words.text(f"kind.{item}")) for item in EventKind]
    elif hint.startswith("Body"):
        choices = [(str(item), words.text(f"body.{item}")) for item in Body]
    elif not hint.startswith("bool"):
        return FactField(name, label, kinds_of_input.get(hint, "text"))
    return FactField(name, label, "choice", (("", words.text(f"site.{unset}")), *choices))


def fact_label(name: str, words: Words) -> str:
    """Return the name of a fact in words."""
    key = f"site.fact-{name}"
    return words.text(key) if words.has(key) else name.replace("_", " ")


def facts_of(form: Mapping[str, Any]) -> EventFacts:
    """Return the facts that a form states."""
    return read_stated({name: text for name in STATED_HERE if (text := _text(form, name))})[0]


def changed_facts(form: Mapping[str, Any], present: EventFacts) -> dict[str, str]:
    """Return the facts in which a form differs from the known ones; an emptied field means unknown."""
    before = facts_in_form(present)
    stated = {name: _text(form, name) for name in STATED_HERE if name in form}
    return {name: text or UNKNOWN for name, text in stated.items() if text != before.get(name, "")}


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name)
    return value.strip()[:LONGEST] if isinstance(value, str) else ""


def facts_in_form(facts: EventFacts) -> dict[str, str]:
    """Return the facts as a form shows them."""
    document = facts_document(facts)
    return {name: _in_form(document[name]) for name in STATED_HERE if name in document}


def _in_form(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def facts_in_words(document: Mapping[str, Any], words: Words) -> list[tuple[str, str]]:
    """Return stored facts, each with its name and its value in words."""
    pairs: list[tuple[str, str]] = []
    for name, value in document.items():
        if name == "players":
            pairs += [
                (words.labelled(f"{fact_label(name, words)} {key}", field), _in_words("", item, words))
                for key, player in value.items()
                for field, item in player.items()
            ]
        else:
            pairs.append((fact_label(name, words), _in_words(FACT_TYPES.get(name, ""), value, words)))
    return pairs


def _in_words(hint: str, value: Any, words: Words) -> str:
    if value is None:
        return words.text("site.unknown")
    if isinstance(value, bool):
        return words.text("site.yes" if value else "site.no")
    if hint.startswith("ListName"):
        return words.text(f"site.list-{value}")
    if hint.startswith("Body"):
        return words.text(f"body.{value}")
    return words.text(f"kind.{value}") if hint.startswith("EventKind") else _in_form(value)


def public_facts(decision: EventDecision, words: Words) -> list[tuple[str, str]]:
    """Return the facts of an event that a decision states, in words, without those of single players."""
    if decision.kind != FACT:
        return []
    return facts_in_words({name: value for name, value in decision.value.items() if name != "players"}, words)
