"""The lists of rating systems: computed at once or from a checkpoint, written, read, explained, and recomputed."""

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arpad.explain.event_documents import outcome_document
from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.canonical import read_canonical, write_canonical
from arpad.lists.chain_checkpoints import keep_chain, kept_chain, rated_checkpoints
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.system_explanation import explain_players
from arpad.lists.system_list import (
    SystemInputs,
    SystemResult,
    chained_units,
    compute_system_list,
    rate_inputs,
)
from arpad.lists.system_units import read_unit, unit_document
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.publishing.bundle import bundle_bytes, opened_manifest, verify_bundle
from arpad.regulations import FOLDERS
from arpad.regulations.rating_system import Driver
from tests.builders.system_worlds import BEGINS, World, made_world

EVERY = 5
DAYS = 760
world = cache(made_world)


@cache
def inputs_of(name: str) -> SystemInputs:
    """Return the inputs of the second list, with the figures of the first."""
    first_day = BEGINS[name] + timedelta(days=DAYS - 91)
    first = compute_system_list(world(name).inputs(first_day))
    before = first.published.ratings
    day = BEGINS[name] + timedelta(days=DAYS)
    return world(name).inputs(day, number=2, previous=first.digest, before=before, since=first_day)


@cache
def result_of(name: str) -> SystemResult:
    inputs = inputs_of(name)
    return compute_system_list(inputs, rate_inputs(inputs, every=EVERY))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_list_is_written_and_read(name: str) -> None:
    result = result_of(name)
    assert read_canonical(result.text) == result.published
    assert len(result.published.rows) >= 25
    assert {row.change for row in result.published.rows} - {None, 0}
    assert sum(row.games for row in result.published.rows) > 0


@pytest.mark.parametrize("name", FOLDERS)
def test_a_chain_that_was_kept_gives_the_same_list(name: str) -> None:
    inputs, result = inputs_of(name), result_of(name)
    system = world(name).system
    kept = [*keep_chain(inputs.begun, result.chain)]
    opened = kept_chain(inputs.begun, kept)
    assert opened.checkpoints == result.chain.checkpoints
    assert opened.findings == result.chain.findings
    assert kept == [*keep_chain(inputs.begun, opened)], "the texts are kept as they are"
    events = {it.events for it in kept}
    assert kept == [*rated_checkpoints(inputs.begun, chained_units(inputs), None, events)]
    late = inputs.units[-9]
    without = replace(inputs, units=tuple(unit for unit in inputs.units if unit is not late))
    chain = rate_inputs(without, every=EVERY)
    before = compute_system_list(without, chain)
    kept = [*keep_chain(without.begun, chain)]
    again = compute_system_list(inputs, rate_inputs(inputs, kept, every=EVERY))
    assert again.text == result.text != before.text
    assert again.standings_digest == result.standings_digest
    assert again.findings == result.findings
    if system.driver is Driver.CHAIN:
        assert again.chain.rated < len(inputs.units) / 2


def test_a_checkpoint_is_taken_over_only_with_all_before_it() -> None:
    inputs, result = inputs_of("icu"), result_of("icu")
    first, second, *others = keep_chain(inputs.begun, result.chain)
    assert [it.events for it in kept_chain(inputs.begun, [first, *others]).checkpoints] == [0, first.events]
    assert first.is_intact()
    for altered in (
        first._replace(events=first.events + 1), first._replace(place="[]"), first._replace(data=b"x"),
        first._replace(data=second.data), first._replace(digest=second.digest), first._replace(seal=""),
    ):  # fmt: skip
        assert not altered.is_intact()


@pytest.mark.parametrize("name", FOLDERS)
def test_a_unit_is_the_same_after_json(name: str) -> None:
    system = world(name).system
    for unit in world(name).units[:10]:
        assert read_unit(system, unit_document(system, unit)) == unit


@pytest.mark.parametrize("name", FOLDERS)
def test_a_bundle_is_recomputed(name: str, tmp_path: Path) -> None:
    inputs, result = inputs_of(name), result_of(name)
    path = tmp_path / "list.bundle.zip"
    path.write_bytes(data := bundle_bytes(inputs, result))
    manifest = opened_manifest(path)
    assert manifest is not None
    assert manifest["system"] == name
    assert len(manifest["edition_digest"]) == len(manifest["digest"]) == 64
    assert verify_bundle(path).intact
    path.write_bytes(data.replace(b"Event 1", b"Event 2", 1))
    assert [it.code for it in verify_bundle(path).altered] == ["bundle-member"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_bundle_from_a_later_state_gives_the_same_list(name: str) -> None:
    """An office need not put twenty years into a bundle: the states before the first changed event do."""
    inputs, result = inputs_of(name), result_of(name)
    since = inputs.since
    assert since is not None
    system: Any = world(name).system
    if system.driver is Driver.PERIOD:
        return
    earlier = [unit for unit in inputs.units if unit.last_day and unit.last_day <= since]
    states = compute_system_list(replace(inputs, units=tuple(earlier))).states
    later = tuple(unit for unit in inputs.units if unit not in earlier)
    assert compute_system_list(replace(inputs, start=states, units=later)).text == result.text


@pytest.mark.parametrize("name", FOLDERS)
def test_every_change_is_explained_event_by_event(name: str) -> None:
    inputs, result = inputs_of(name), result_of(name)
    explained = explain_players(inputs, [row.player for row in result.published.rows], result.chain)
    for row in result.published.rows:
        explanation = explained[row.player]
        assert explanation.after
        assert explanation.after.text == row.printed
        assert [explanation.before, explanation.again] in (
            [None, None],
            [inputs.before.get(row.player), 0],
        )
        for event, following in zip(explanation.events, explanation.events[1:], strict=False):
            assert event.after == following.before
        if explanation.events:
            assert explanation.events[-1].after == explanation.after
    for language in LANGUAGES:
        documents = [outcome_document(it.outcome, load_words(language)) for it in explanation.events]
        assert all(step["text"] for document in documents for step in document["steps"])


def test_a_late_event_is_said_in_the_explanation() -> None:
    inputs = inputs_of("icu")
    since = inputs.since
    assert since is not None
    late = next(
        unit for unit in inputs.units if unit.last_day and since - unit.last_day < timedelta(days=100)
    )
    before = compute_system_list(
        replace(
            inputs,
            units=tuple(it for it in inputs.units if it is not late and it.last_day and it.last_day <= since),
        )
    )
    figures = before.published.ratings
    now = replace(inputs, before=figures)
    explained = explain_players(now, [int(name) for name in late.entrants if int(name) in figures])
    assert any(it.again for it in explained.values())


def test_a_list_that_cannot_be_is_refused() -> None:
    inputs = inputs_of("icu")
    with pytest.raises(BadInput, match="player 3 has a rating"):
        compute_system_list(replace(inputs, people={it: p for it, p in inputs.people.items() if it != 3}))
    with pytest.raises(BadInput, match="system “ingo” is unknown"):
        compute_system_list(replace(inputs, system="ingo"))
    with pytest.raises(BadInput, match="same place in the chain"):
        compute_system_list(replace(inputs, units=(*inputs.units, inputs.units[0])))
    row = ListedPlayer(player=1, name="A", rating=1, category="1", own=())
    head: dict[str, Any] = {
        "on_list": ListName("a", "icu"), "day": date(2020, 1, 1), "number": 1, "edition": "icu-2013",
    }  # fmt: skip
    with pytest.raises(BadInput, match="on the list twice"):
        write_canonical(PublishedList(**head, rows=(row, row)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"arpad-list/2", b"arpad-list/3"),
        (b"number\t2", b"number\t02"),
        (b"system\ticu", b"systm\ticu"),
        (b"date\t2014", b"date\t20x4"),
        (b"\tIRL\t1996\t", b"\tIRL\t+1996\t"),
        (b"rows\t30", b"rows\t29"),
    ],
)
def test_another_text_is_refused_with_its_line(old: bytes, new: bytes) -> None:
    text = result_of("icu").text
    assert old in text
    with pytest.raises(Unreadable, match="not the text version"):
        read_canonical(text.replace(old, new, 1))
    assert write_canonical(read_canonical(text)) == text


def test_a_public_text_says_how_many_are_left_off() -> None:
    published = result_of("icu").published
    shown = replace(published, rows=published.rows[2:], left_off=2, whole_digest=result_of("icu").digest)
    lines = (text := write_canonical(shown)).decode().split("\n")
    assert lines[0] == "arpad-public-list/2"
    assert lines[10:13] == [
        f"rows\t{len(shown.rows)}", "left-off\t2", f"digest\t{result_of('icu').digest}",
    ]  # fmt: skip
    assert read_canonical(text) == shown
    with pytest.raises(Unreadable):
        read_canonical(text.replace(b"left-off", b"left off"))


def test_periods_have_everybody_known() -> None:
    made: World = world("glicko2")
    day = BEGINS["glicko2"] + timedelta(days=400)
    rows = compute_system_list(made.inputs(day)).published.rows
    assert [row.player for row in rows][:14] == [*range(1, 15)]
    with pytest.raises(BadInput, match="after the last period"):
        compute_system_list(made.inputs(day, units=made.units))
