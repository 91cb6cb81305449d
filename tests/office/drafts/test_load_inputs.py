"""The inputs of a list are the same from the tables of the register, and from one that is copied in columns."""

from datetime import date

from arpad.lists.bundle_files import InputFiles
from arpad.lists.compute import compute_list
from arpad.lists.input_files import input_files
from arpad.lists.input_tables import PeopleTable, StateTable
from arpad.office.drafts.acts import draft_sources
from arpad.office.drafts.load_inputs import inputs_of, load_inputs
from arpad.office.lists.rows import all_publications
from arpad.office.register.table_rows import add_register_parts, is_copied
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import change_player, merge, register_player, report_death

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))


def written(desk: Desk, *, copied: bool) -> list[tuple[InputFiles, bytes]]:
    """Return the files and the list of the draft of March and of every publication with events."""
    with desk.office.store.reading() as connection:
        assert is_copied(connection) == copied
        publications = all_publications(connection, STANDARD)
        sources = draft_sources(connection, STANDARD, MAR, publications)
        drafted = load_inputs(connection, STANDARD, MAR, sources.reports, sources.base, sources.as_of)
        assert isinstance(drafted.people, PeopleTable)
        assert isinstance(drafted.states, StateTable)
        every = [drafted, *(inputs_of(connection, it) for it in publications if it.base is not None)]
        return [(input_files(inputs), compute_list(inputs).text) for inputs in every]


def test_tables_and_their_copy_give_the_same_list(desk: Desk) -> None:
    desk.list(JAN, *(listed(number, 1800 + 50 * number, born=1990 + number) for number in range(1, 6)))
    register_player(desk.office, "Unrated, Master", federation="ITA", title="FM")
    later = register_player(desk.office, "Later, Master", identifiers={"fide": "777", "fsi": "a=b c"}).id
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    change_player(
        desk.office, later, since=FEB, set_={"women_title": "WFM", "name": 'New, "Name"'}, reason="x"
    )
    report_death(desk.office, 4, FEB, reason="x")
    merge(desk.office, 3, 5, reason="the same", confirmed=True)
    desk.report(event("Cup", "1 1850 | 3w1\n3 1950 | 1b0\n", date(2018, 2, 20)))
    few = written(desk, copied=False)
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=1)
    assert written(desk, copied=True) == few
    assert all(name in few[0][1].decode() for name in ("Unrated, Master", "WFM"))
