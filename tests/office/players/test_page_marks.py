"""Events on the curve: each with a plain reason."""

from datetime import date
from fractions import Fraction

import pytest

from arpad.explain.words import load_words
from arpad.model.rules import ListName
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.players.history import HistoryEntry
from arpad.office.players.page import adjustments, player_marks
from arpad.regulations.fide.editions import FIDE_2024
from arpad.regulations.fide.rules import OneOffAdjustment

LIFT = OneOffAdjustment(on=date(2024, 3, 1), below=2000, share=Fraction(2, 5))


def entry(
    month: int, rating: int | None, *, inactive: bool = False, earlier: int | None = -1
) -> HistoryEntry:
    day = date(2024, month, 1)
    publication = Publication(
        id=month, list=ListName.STANDARD, day=day, revision=1, number=month, kind=PUBLISHED, edition="", head="",
        digest="", standings_digest="", inputs_digest="", making="", published=day, base=None, corrects=None, act=1,
    )  # fmt: skip
    corrected = earlier != -1
    return HistoryEntry(publication, rating, 0, 20, inactive, corrected, earlier if corrected else None)


@pytest.mark.parametrize(
    ("entries", "kinds"),
    [
        ([entry(1, 1500), entry(2, 1500)], ["peak"]),
        ([entry(1, None), entry(2, 1500)], ["first"]),
        ([entry(1, 1500), entry(2, None), entry(4, 1490)], ["delisted", "peak", "again"]),
        ([entry(2, 1500), entry(3, 1700)], ["lifted", "peak"]),
        ([entry(1, 1500), entry(2, 1500, inactive=True), entry(4, 1500)], ["peak", "inactive", "active"]),
        ([entry(1, 1500), entry(2, 1510, earlier=1505)], ["corrected", "peak"]),
        ([entry(1, 1500), entry(2, 1510, earlier=None)], ["corrected-entry", "peak"]),
    ],
)
@pytest.mark.parametrize("language", ["en", "it"])
def test_what_happened_has_a_mark_with_a_reason(
    entries: list[HistoryEntry], kinds: list[str], language: str
) -> None:
    marks = player_marks(entries, {LIFT.on: LIFT}, load_words(language))
    assert sorted(mark.kind for mark in marks) == sorted(kinds)
    assert all(mark.text and str(mark.day.year) in mark.text for mark in marks)


def test_a_lift_says_by_how_much() -> None:
    (lift, _) = player_marks([entry(2, 1500), entry(3, 1700)], {LIFT.on: LIFT}, load_words("en"))
    assert lift.text == (
        "1 March 2024: every rating below 2000 was raised by 40 % of the distance to 2000, here to 1700"
    )


def test_the_adjustments_of_a_list_come_from_its_editions() -> None:
    assert adjustments([FIDE_2024], ListName.STANDARD) == {LIFT.on: LIFT}
