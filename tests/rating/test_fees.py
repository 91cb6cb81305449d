"""The fees of an event, each sum by hand."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.model.chess import EventKind
from arpad.model.rules import ListName
from arpad.rating.fees import EventFigures, fees_of, figures_of
from arpad.regulations.fee_table import FeeTable, read_fee_table
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import report

OPEN = EventFigures(ListName.STANDARD, EventKind.SWISS, 30, 24, 3, Fraction(1850))
CLOSED = EventFigures(ListName.STANDARD, EventKind.ROUND_ROBIN, 10, 10, 6, Fraction(2301))


def table(rows: str) -> FeeTable:
    return read_fee_table(f'currency = "EUR"\ncategories = {{ first = 2251, step = 25 }}\n{rows}')


def row(**values: object) -> str:
    lines = [f"{key} = {value!r}" for key, value in ({"name": "Fee", "amount": "1.50"} | values).items()]
    return "[[fee]]\n" + "\n".join(lines).replace("'", '"') + "\n"


@pytest.mark.parametrize(
    ("per", "total"),
    [("event", 150), ("player", 30 * 150), ("rated", 24 * 150), ("unrated", 6 * 150), ("guest", 3 * 150)],
)
def test_a_fee_is_multiplied_by_what_it_is_for(per: str, total: int) -> None:
    assert fees_of(OPEN, table(row(per=per))).total == total


@pytest.mark.parametrize(
    ("condition", "figures", "fits"),
    [
        ({"lists": ["rapid"]}, OPEN, False),
        ({"lists": ["standard", "rapid"]}, OPEN, True),
        ({"kinds": ["swiss"]}, CLOSED, False),
        ({"kinds": ["round-robin"]}, CLOSED, True),
        ({"average_from": 1850}, OPEN, True),
        ({"average_from": 1851}, OPEN, False),
        ({"average_below": 1850}, OPEN, False),
        ({"average_below": 1851}, OPEN, True),
        ({"category_from": 1}, OPEN, False),
        ({"category_from": 3, "category_to": 3}, CLOSED, True),
        ({"category_from": 4}, CLOSED, False),
        ({"category_to": 2}, CLOSED, False),
        ({"players_from": 30, "players_to": 30}, OPEN, True),
        ({"players_from": 31}, OPEN, False),
        ({"players_to": 29}, OPEN, False),
        ({"average_from": 0}, replace(OPEN, rated=0, average=None), False),
        ({"average_below": 4000}, replace(OPEN, rated=0, average=None), False),
    ],
)
def test_a_row_counts_only_if_the_event_fits_it(
    condition: dict[str, object], figures: EventFigures, fits: bool
) -> None:
    assert bool(fees_of(figures, table(row(per="event", **condition))).lines) is fits


def test_a_fee_has_a_least_amount_and_rows_are_added() -> None:
    rows = row(per="unrated", least="20.00") + row(per="event", amount="7.25")
    assert [line.total for line in fees_of(OPEN, table(rows)).lines] == [2000, 725]
    assert fees_of(OPEN, table(rows)).total == 2725


def test_a_row_for_nobody_is_left_out() -> None:
    assert fees_of(replace(OPEN, guests=0), table(row(per="guest", least="20.00"))).lines == ()


def test_the_figures_come_from_the_report() -> None:
    played = report("1 2000 | 2w1\n2 2101 | 1b0\n3 0 | 4w1\n4 1900 | 3b0\n")
    guest = replace(played.entrants[1], federation="FRA")
    entrants = (played.entrants[0], guest, *played.entrants[2:])
    figures = figures_of(replace(played, entrants=entrants), EventFacts(), ListName.STANDARD)
    assert (figures.players, figures.rated, figures.unrated, figures.guests) == (4, 3, 1, 1)
    assert figures.average == Fraction(6001, 3)


def test_a_round_robin_stays_one_though_no_edition_has_articles_for_it() -> None:
    """From 2022 on unrated players of a round robin are rated as in a Swiss; the fee is that of a round robin."""
    table = "1 2000 | 4w1 3b0 2w1\n2 2100 | 3b0 4w1 1b0\n3 1900 | 2w= 1w1 4b1\n4 1850 | 1b= 2b0 3w0\n"
    played = report(table, first_day=date(2024, 5, 1))
    assert figures_of(played, EventFacts(), ListName.STANDARD).kind is EventKind.ROUND_ROBIN
    team = EventFacts(kind=EventKind.TEAM)
    assert figures_of(played, team, ListName.STANDARD).kind is EventKind.TEAM
