"""Whatever list is imported: publishing the next one without reports leaves every rating and K as it was."""

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arpad.model.chess import PlayerFacts
from arpad.model.rules import ListName
from arpad.regulations.calendar import list_after
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.change import coefficient
from arpad.regulations.fide.rules import ChessRules
from tests.builders.offices import Clock, Desk, listed
from tests.builders.verbs import draft

ADJUSTMENT_DAYS = {
    rules.one_off_adjustment.value.on
    for edition in CHESS_EDITIONS
    for rules in edition.lists.values()
    if rules.one_off_adjustment
}
DAYS = [date(year, month, 1) for year in range(2010, 2026) for month in (1, 5, 9)]


def rules_on(on_list: ListName, day: date) -> ChessRules:
    return in_force(CHESS_EDITIONS, on_list, day).on(on_list)


@st.composite
def imports(draw: st.DrawFn) -> tuple[ListName, date, list[tuple[int, int, int]]]:
    """A list, its day, and rating, K and year of birth of some players, each K one that the edition gives."""
    on_list = draw(st.sampled_from([ListName.STANDARD, ListName.RAPID, ListName.BLITZ]))
    first = date(2009, 7, 1) if on_list == ListName.STANDARD else date(2012, 1, 1)
    day = draw(st.sampled_from([day for day in DAYS if day >= first]))
    rules = rules_on(on_list, day)
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        born = draw(st.sampled_from([0, 1950, 1980, day.year - 10, day.year - 18, day.year - 19]))
        facts = PlayerFacts(
            draw(st.integers(1400, 2850)), draw(st.sampled_from([0, 29, 30, 500])),
            draw(st.sampled_from([0, 2299, 2300, 2400])), born or None,
        )  # fmt: skip
        # a junior who touched 2300 and fell back has the usual K, and a list cannot tell why
        if (
            coefficient(facts, day, rules)[0]
            == coefficient(
                PlayerFacts(facts.rating, facts.games, 2400 * (facts.peak >= 2400), facts.born), day, rules
            )[0]
        ):
            rows.append((facts.rating, coefficient(facts, day, rules)[0], born))
    return on_list, day, rows


@settings(max_examples=settings().max_examples // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(imports())
def test_a_list_without_reports_is_the_imported_one(
    imported: tuple[ListName, date, list[tuple[int, int, int]]],
) -> None:
    """The K of the next list is what `arpad calc k` gives for the facts: the imported one, juniors grown up apart."""
    on_list, day, rows = imported
    following = list_after(day, rules_on(on_list, day))
    with TemporaryDirectory() as folder:
        desk = Desk.made(str(Path(folder) / "office.db"), Path(folder), Clock(day))
        try:
            people = [listed(n, rating, k, born=born or None) for n, (rating, k, born) in enumerate(rows, 1)]
            desk.list(day, *people, on_list=on_list)
            made = draft(desk.office, on_list, following).result
            shown = {row.player: row for row in made.published.rows}
        finally:
            desk.office.close()
    assert made.movements == () or following in ADJUSTMENT_DAYS
    before, after = rules_on(on_list, day), rules_on(on_list, following)
    for number, (rating, k, born) in enumerate(rows, 1):
        if following not in ADJUSTMENT_DAYS:
            assert shown[number].rating == rating
        grown = any(
            rules.k_junior_until and rules.k_junior_until.value(born or None, then)
            for rules, then in ((before, day), (after, following))
        )
        if before.k_usual == after.k_usual and not grown:
            assert shown[number].k == k
        elif before.k_top.value == before.k_new.value and not grown:  # K 20 for all until September 2022
            assert (
                shown[number].k == (after.k_top if rating >= after.k_top_from.value else after.k_usual).value
            )
