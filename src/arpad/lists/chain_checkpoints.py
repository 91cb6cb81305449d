"""The checkpoints of a chain as they are kept: each with a digest over everything before it.

A checkpoint is taken over only if the events before it are still the same, so a late or corrected event needs no mark:
the chain is rated again from the last checkpoint before it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cache, cached_property
from hashlib import sha256
from operator import attrgetter
from typing import Any, NamedTuple
from zlib import compress, decompress
from zlib import error as zlib_error

from arpad.lists.chain import EVERY, Chain, Checkpoint, Place, chain_start, in_order, walk
from arpad.lists.system_units import state_of, state_text, unit_document
from arpad.model.canonical_json import dump, load
from arpad.model.json_values import from_finding, to_finding
from arpad.model.rules import Finding
from arpad.model.version import VERSION
from arpad.regulations.rating_system import System
from arpad.regulations.systems import edition_digest
from arpad.regulations.units import Unit

NEAREST = 24
"""The last checkpoints, all of which are kept; of those before them one in ``EVERY`` events is."""


class KeptCheckpoint(NamedTuple):
    """A checkpoint as it is stored."""

    digest: str
    """Over everything before it: the start, the events and the editions."""

    events: int
    place: str
    data: bytes
    """The states and the findings since the checkpoint before, as compressed JSON."""

    seal: str
    """Over the values, the data as text."""

    @property
    def text(self) -> str:
        """The states and findings as JSON; empty if the data were altered."""
        try:
            return decompress(self.data).decode()
        except (zlib_error, UnicodeDecodeError):
            return ""

    def is_intact(self) -> bool:
        """Return whether the values are those that were stored."""
        return self.seal == _seal(self.digest, self.events, self.place, self.text)


def _seal(*values: object) -> str:
    return sha256(" ".join(map(str, values)).encode()).hexdigest()


def chain_digests(
    system: System[Any, Any], start: Mapping[str, str], units: Iterable[Unit[Any]], *about: str
) -> Iterator[str]:
    """Yield a digest of the start, then one after each event of everything until there."""
    editions = [edition_digest(edition) for edition in system.editions]
    digest = sha256(dump([system.id, *about, editions, start]).encode()).hexdigest()
    yield digest
    for unit in units:
        digest = sha256(f"{digest} {dump(unit_document(system, unit))}".encode()).hexdigest()
        yield digest


class ChainStart(NamedTuple):
    """What the checkpoints of a chain follow from."""

    system: System[Any, Any]
    checkpoint: Checkpoint[Any]
    """The states before the first event."""

    digests: Sequence[str]
    """Of the start, then after each event."""


def begin_chain(
    system: System[Any, Any],
    states: Mapping[str, Any],
    opened: date | None,
    units: Iterable[Unit[Any]],
    known: date | None,
) -> ChainStart:
    """Return what the checkpoints of a chain follow from."""
    texts = {name: state_text(system, state) for name, state in states.items()}
    about = (VERSION, str(opened or ""), str(known or ""))
    digests = chain_digests(system, texts, in_order(system, units), *about)
    return ChainStart(system, chain_start(states, opened), list(digests))


def keep_chain(start: ChainStart, chain: Chain[Any]) -> Iterator[KeptCheckpoint]:
    """Yield the checkpoints of a chain that are worth keeping, without the start."""
    before = start.checkpoint
    for checkpoint in _worth_keeping(chain.checkpoints[1:]):
        yield _kept(start, checkpoint, before, chain.findings)
        before = checkpoint


def rated_checkpoints(
    start: ChainStart, units: Iterable[Unit[Any]], known: date | None, events: AbstractSet[int]
) -> Iterator[KeptCheckpoint]:
    """Yield the checkpoints after so many events, all rated from the start."""
    states, before = dict(start.checkpoint.states), start.checkpoint
    findings = list[tuple[Place, Finding]]()
    ordered = in_order(start.system, units)
    for number, (_, place, said) in enumerate(
        walk(start.system, ordered, states, known, before.place), start=1
    ):
        findings += [(place, finding) for finding in said]
        if number in events:
            checkpoint = Checkpoint(place, states, number)
            yield _kept(start, checkpoint, before, findings)
            before = checkpoint


def _kept(
    start: ChainStart,
    checkpoint: Checkpoint[Any],
    before: Checkpoint[Any],
    findings: Sequence[tuple[Place, Finding]],
) -> KeptCheckpoint:
    """Return a checkpoint as it is stored, with the findings since the one before it."""
    places = [place for place, _ in findings]
    first, last = (bisect_right(places, it.place) for it in (before, checkpoint))
    states = checkpoint.states
    texts = (
        states.texts
        if isinstance(states, _KeptStates)
        else {name: state_text(start.system, state) for name, state in states.items()}
    )
    found = [[list(place), from_finding(finding)] for place, finding in findings[first:last]]
    text = dump({"after": before.events, "findings": found, "states": texts})
    values = start.digests[checkpoint.events], checkpoint.events, dump(list(checkpoint.place))
    return KeptCheckpoint(*values, compress(text.encode()), _seal(*values, text))


def _worth_keeping(checkpoints: Sequence[Checkpoint[Any]]) -> Iterator[Checkpoint[Any]]:
    """Yield the last checkpoints, and before them those that are far enough apart."""
    events = 0
    for number, checkpoint in enumerate(checkpoints, start=1):
        if number > len(checkpoints) - NEAREST or checkpoint.events >= events + EVERY:
            events = checkpoint.events
            yield checkpoint


def kept_chain(start: ChainStart, kept: Iterable[KeptCheckpoint]) -> Chain[Any]:
    """Return a chain of the checkpoints whose events are still the same; of the start alone if there are none."""
    same = [it for it in kept if it.digest in start.digests[it.events : it.events + 1]]
    checkpoints, findings = [start.checkpoint], list[tuple[Place, Finding]]()
    for it in sorted(same, key=attrgetter("events")):
        document = load(it.text)
        if document["after"] != checkpoints[-1].events:  # one between is missing, and its findings
            break
        states = _KeptStates(start.system, document["states"])
        checkpoints.append(Checkpoint(tuple(load(it.place)), states, it.events))
        findings += [(tuple(place), to_finding(finding)) for place, finding in document["findings"]]
    return Chain(tuple(checkpoints), tuple(findings))


class _KeptStates(Mapping[str, Any]):
    """The states of a checkpoint, read from their texts when the first one is asked for; equal ones are one value."""

    def __init__(self, system: System[Any, Any], texts: Mapping[str, str]) -> None:
        self.system, self.texts = system, texts

    @cached_property
    def _states(self) -> dict[str, Any]:
        read = cache(lambda text: state_of(self.system, text))
        return {name: read(text) for name, text in self.texts.items()}

    def __getitem__(self, name: str) -> Any:
        return self._states[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)
