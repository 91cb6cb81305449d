"""The ledger in words: each act with what it was about, named and linked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.clubs import UnitKind
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.switches import is_on
from arpad.store.ledger import Act

_NUMBERED = ("report", "player", "decision", "appeal", "arbiter", "club", "norm")
"""Facts that name a row of the office by its number or code."""

_NAMED = ("name", "file", "login", "edition")
"""Facts that are a name themselves, if no number says more."""


def act_name(verb: str, facts: Mapping[str, Any], words: Words) -> str:
    """Return what was done, as “list published”; clubs and regions are entered by the same verb."""
    is_region = verb == "enter-club" and facts.get("kind") == UnitKind.REGION
    key = "site.verb-enter-region" if is_region else f"site.verb-{verb}"
    return words.text(key) if words.has(key) else verb


def act_subject(facts: Mapping[str, Any], words: Words) -> str:
    """Return what an act was about: the list, the report, the player; nothing if its facts do not say."""
    parts = []
    if "list" in facts and "day" in facts:
        day = date.fromisoformat(facts["day"])
        parts.append(words.text("act.list", list=words.text(f"site.list-{facts['list']}"), day=day))
    parts += [words.text(f"act.{name}", number=str(facts[name])) for name in _NUMBERED if facts.get(name)]
    parts += [str(facts[name]) for name in _NAMED if facts.get(name)]
    return ", ".join(parts)


PLAYERS = ("player", "kept", "dropped", "other")
REPLACED = ("superseded", "replaces")
TEXTS = (
    "user",
    "login",
    "club",
    "code",
    "scheme",
    "value",
    "file",
    "title",
    "edition",
    "outcome",
    "tournament",
)
"""Facts that are shown as they are."""

MOST_REVISIONS = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """The subject of an act: a text, with an address if there is a page about it."""

    text: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An act, its name, and what it was about."""

    act: Act
    name: str
    pieces: Sequence[Piece]


def ledger_lines(connection: Connection, acts: Iterable[Act], words: Words) -> list[LedgerLine]:
    """Return acts with the names of the players, reports and lists that they are about."""
    acts = list(acts)
    facts = {act.seq: act.facts for act in acts}
    people = register.load_people(connection, _numbers(facts.values(), PLAYERS))
    titles = rows.report_titles(connection, _numbers(facts.values(), ("report",)))
    names = {number: person.name for number, person in people.items()}
    events = "/desk/events" if is_on(connection, "registrations") else ""
    return [
        LedgerLine(
            act,
            act_name(act.verb, facts[act.seq], words),
            tuple(_pieces(facts[act.seq], names, titles, events, words)),
        )
        for act in acts
    ]


def _numbers(facts: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> set[int]:
    return {number for about in facts for key in keys for number in _ids(about, key)}


def _ids(facts: Mapping[str, Any], key: str) -> list[int]:
    """Return the number, or the numbers, of what an act was about."""
    value = facts.get(key)
    return [it for it in (value if isinstance(value, list) else [value]) if isinstance(it, int)]


def _pieces(
    facts: Mapping[str, Any],
    people: Mapping[int, str],
    reports: Mapping[int, str],
    events: str,
    words: Words,
) -> Iterator[Piece]:
    yield from _linked(facts, ("report",), reports, "/desk/reports/")
    for key in REPLACED:  # by its number, since it mostly has the name of the report that replaces it
        if isinstance(number := facts.get(key), int):
            yield Piece(words.text("site.ledger-replaces", report=str(number)), f"/desk/reports/{number}")
    yield from _linked(facts, PLAYERS, people, "/desk/players/")
    if isinstance(facts.get("list"), str):
        yield from _lists(facts, words)
    if "decision" in facts:
        yield Piece(f"{words.text('site.verb-decide')} {facts['decision']}", "/desk/decisions")
    if name := _text(facts, "name"):
        yield Piece(name, events if "event" in facts else "")
    texts = [_text(facts, key) for key in TEXTS if key in facts]
    yield from (Piece(text) for text in texts if text and text not in reports.values())
    if newcomers := facts.get("newcomers"):
        count = newcomers if isinstance(newcomers, int) else len(newcomers)
        yield Piece(words.text("site.ledger-newcomers", players=count))


def _linked(
    facts: Mapping[str, Any], keys: Sequence[str], names: Mapping[int, str], address: str
) -> Iterator[Piece]:
    for key in keys:
        for number in _ids(facts, key):
            yield Piece(names.get(number, str(number)), f"{address}{number}")


def _text(facts: Mapping[str, Any], key: str) -> str:
    value = facts.get(key)
    return value if isinstance(value, str) else ""


def _lists(facts: Mapping[str, Any], words: Words) -> Iterator[Piece]:
    name = words.text(f"site.list-{facts['list']}")
    revisions = facts.get("revisions") or ()
    for item in revisions[:MOST_REVISIONS]:
        slug = f"{facts['list']}-{item['day']}-r{item['revision']}"
        address = "" if facts.get("mode") == "base" else f"/lists/{slug}/difference"
        yield Piece(f"{name}, {words.day(date.fromisoformat(item['day']))}", address)
    if len(revisions) > MOST_REVISIONS:
        yield Piece(words.text("site.ledger-more-lists", lists=len(revisions) - MOST_REVISIONS))
    if not revisions and isinstance(day := facts.get("day"), str):
        slug = f"{facts['list']}-{day}-r{facts.get('revision', 1)}"
        published = "publication" in facts and "revision" in facts
        yield Piece(f"{name}, {words.day(date.fromisoformat(day))}", f"/lists/{slug}" if published else "")
    elif not revisions:
        yield Piece(name)
