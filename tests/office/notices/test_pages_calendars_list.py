"""The days of lists and their cut-offs, as the editions say."""

from datetime import date

from arpad.model.rules import ListName
from arpad.office.notices.pages import ListDay, calendar_revised, list_days
from tests.builders.offices import STANDARD, Desk
from tests.builders.verbs import import_list


def test_the_days_of_a_list_follow_its_edition(sqlite_out: Desk) -> None:
    with sqlite_out.office.store.reading() as connection:
        days = list_days(connection, date(2018, 2, 15))
        assert calendar_revised(connection) == "2018-01-01T12:00:00Z"
    assert {item.list for item in days} == {STANDARD}
    assert [item.day for item in days] == [
        date(2017 + (month + 7) // 12, (month + 7) % 12 + 1, 1) for month in range(19)
    ]  # every month from August 2017 to February 2019
    march = next(item for item in days if item.day == date(2018, 3, 1))
    # Three days before the list, official events until the day before (7.13).
    assert march == ListDay(STANDARD, date(2018, 3, 1), date(2018, 2, 26), date(2018, 2, 28), "7.13")


def test_draughts_lists_have_two_days_a_year_and_no_cut_off(sqlite_desk: Desk) -> None:
    path = sqlite_desk.folder / "capitals.csv"
    path.write_text("tessera;nome;capitale;categoria\n1;Rossi Mario;5000;maestro\n", encoding="utf-8")
    import_list(sqlite_desk.office, path, ListName.ITALIANA, date(2018, 1, 1))
    with sqlite_desk.office.store.reading() as connection:
        days = list_days(connection, date(2018, 2, 15))
    assert [item.day for item in days] == [date(2017, 12, 31), date(2018, 6, 30), date(2018, 12, 31)]
    assert all(item.cutoff == item.day and not item.article for item in days)
