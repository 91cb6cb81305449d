"""The study of the reforms of 2024 (docs/explanation/monitoring.md): its editions differ in three measures."""

from dataclasses import fields
from runpy import run_path

from arpad.model.rules import ListName
from arpad.regulations.editions import chess_edition
from tests.paths import BENCHMARKS

STUDY = run_path(str(BENCHMARKS / "study_2024.py"), run_name="study")
WAYS, edition_of = STUDY["WAYS"], STUDY["edition_of"]


def test_the_ways_of_the_study_differ_in_the_three_measures_alone() -> None:
    nothing = edition_of("nothing").on(ListName.STANDARD)
    assert nothing.floor.value == 1000
    changed = {
        way: {
            item.name
            for item in fields(nothing)
            if getattr(edition_of(way).on(ListName.STANDARD), item.name) != getattr(nothing, item.name)
        }
        for way in WAYS
    }
    entry = {"entry_formula", "entry_bonus", "entry_hypothetical", "entry_cap"}
    assert changed == {
        "nothing": set(),
        "lift": {"one_off_adjustment"},
        "floor": {"floor"},
        "entry": entry,
        "all": {"one_off_adjustment", "floor", *entry},
    }
    assert edition_of("all").on(ListName.STANDARD) == chess_edition("fide-2024").on(ListName.STANDARD)
