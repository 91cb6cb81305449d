"""The page, the files and the API of a list of the office's own: its printed ratings, columns and changes."""

from datetime import date
from fractions import Fraction

import polars as pl
import pytest

from arpad.explain.words import load_words
from arpad.lists.explanation import ExplainedSystemEvent
from arpad.office.lists.history_rows import public_list
from arpad.office.lists.published import previous_publication
from arpad.office.players.acts import get_player
from arpad.office.players.explain import eventful_lists, explain_on
from arpad.office.rankings.acts import get_list
from arpad.office.tournaments.acts import get_tournament
from arpad.publishing.list_pdf import pdf_list, sections, worksheets
from arpad.store.settings import list_named
from tests.builders.chess import event
from tests.builders.offices import Desk
from tests.builders.own_lists import ROUND_ROBIN, begun, ireland, taken_over
from tests.builders.site_fixtures import serving

FEB, MARCH, APRIL = date(2018, 2, 1), date(2018, 3, 1), date(2018, 4, 1)
STATES = {
    "icu": "id,rating,games\n9001,1800,100\n9002,1700,5\n9003,1600,100\n",
    "dwz": "id,rating,index,born\n9001,1800,20,1980\n9002,1700,80,1980\n9003,1600,3,1980\n",
    "uschess": "id,rating,games\n9001,1800,100\n9002,1700,12\n9003,1600,100\n",
    "glicko2": "id,rating,rd,volatility\n9001,1800,80,0.06\n9002,1700,90,0.06\n9003,1600,60,0.06\n",
}
COLUMNS = {"icu": {"games"}, "dwz": {"index"}, "uschess": {"games", "floor"}, "glicko2": {"deviation"}}


@pytest.mark.parametrize("system", STATES)
def test_page_and_api_show_what_the_system_prints(sqlite_desk: Desk, system: str) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk, system)
    taken_over(desk, own, STATES[system])
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published = desk.publish(FEB, own)
    rows = {row.id: row for row in get_list(desk.office, published.name).rows}
    assert {row.id: (row.k, row.category) for row in rows.values()} == dict.fromkeys(rows, (None, ""))
    assert all(set(row.columns) == COLUMNS[system] and row.printed for row in rows.values())
    assert {it.k for it in get_player(desk.office, 2).standings if it.list == own} == {None}
    with serving(desk.office) as site:
        page = site.client().get(f"/lists/{published.name}").text
        player = site.client().get(f"/players/2?list={own}").text
    assert rows[2].printed in page
    assert ">Floor<" in page or system != "uschess"
    assert "cut=women" not in page, "these lists do not show the sex"
    assert 'name="title"' not in page
    assert f"/lists/{own}-2018-02-01-r1" in player
    with desk.office.store.reading() as connection:
        table = public_list(connection, published)
    words = load_words("en")
    printed = next(iter(sections(table, words)))
    shown = dict(
        zip(printed.headings, next(row for row in printed.rows if rows[2].printed in row), strict=True)
    )
    assert all(
        shown[words.text(f"list-column.own-{name}")] == rows[2].columns[name] for name in COLUMNS[system]
    )
    assert shown["Change"].replace("−", "-") == (f"{rows[2].change:+d}" if rows[2].change else "0")
    _, _, headings, values = next(iter(worksheets(table, words)))
    assert values.row(by_predicate=pl.col("id") == 2, named=True)["change"] == rows[2].change
    assert "Change" in dict(headings)
    assert pdf_list(table, words, published.digest).startswith(b"%PDF")


def test_changes_are_counted_from_the_list_before(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    february, march, april = (desk.publish(day, own) for day in (FEB, MARCH, APRIL))
    with desk.office.store.reading() as connection:
        assert previous_publication(connection, april) == march
        assert eventful_lists(connection, 1, (february, march, april)) == {february.id}
        assert explain_on(connection, 1, own, APRIL).since == february


def test_what_the_rules_changed_is_no_late_event(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    desk.publish(date(2024, 2, 1), own)
    desk.report(event("Cork", ROUND_ROBIN, date(2024, 2, 5), date(2024, 2, 7)))
    desk.publish(date(2024, 3, 1), own)
    with desk.office.store.reading() as connection:
        change = explain_on(connection, 2, list_named(connection, "ireland"), date(2024, 3, 1)).change
    assert change is not None
    (step,) = change.steps
    assert (step.quantity, step.article, step.facts["day"]) == ("system-turn", "L", date(2024, 3, 1))
    (cork,) = change.events
    assert isinstance(cork, ExplainedSystemEvent)
    by_event = (cork.final or 0) - (cork.own or 0)
    assert (change.before or 0) + by_event + int(str(step.value)) == change.after


@pytest.mark.parametrize("system", STATES)
def test_a_tournament_shows_its_changes_on_each_list(sqlite_desk: Desk, system: str) -> None:
    desk = sqlite_desk
    begun(desk)
    own = ireland(desk, system)
    taken_over(desk, own, STATES[system])
    number = desk.report(event("Dublin", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    published, _ = desk.publish(FEB, own), desk.publish(FEB)
    rows = {row.id: row.rating or 0 for row in get_list(desk.office, published.name).rows}
    players = {player.id: player for player in get_tournament(desk.office, number).players}
    assert players[1].change == "5"
    changes = {player: Fraction(it.other_changes[own] or 0) for player, it in players.items()}
    assert {player: round(changes[player]) for player in (1, 2, 3)} == {
        it: rows[it] - 1900 + 100 * it for it in (1, 2, 3)
    }
    with serving(desk.office) as site:
        page = site.client().get(f"/tournaments/{number}").text
        card = site.client().get(f"/tournaments/{number}/players/2").text
        table = site.client().get(f"/tournaments/{number}/files/{number}.csv").text
    assert f"{own}_change" in table.split("\r\n")[0]
    assert page.count("<small>") >= 2
    assert ">+5<" in page
    places = 2 if changes[2].denominator > 1 else None
    shown = load_words("en").number(changes[2], signed=True, places=places).replace("-", "−")
    assert shown in page
    assert shown in card
