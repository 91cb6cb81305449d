"""Deaths (2024 10.2, RB 9.2): who is reported dead is inactive from the next list on (reading 46)."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.declared import Upload
from arpad.model.errors import BadInput, Unreadable
from arpad.office.inbox.check_report import check
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.published_lists import players_in
from tests.builders.verbs import (
    draft,
    import_register,
    registered,
    report_death,
    revise,
    verify,
    verify_bundle,
    withdraw_death,
)
from tests.commands import run

MAY, JUNE, JULY = (date(2024, month, 1) for month in (5, 6, 7))
DAY = date(2024, 5, 20)
FACTS = EventFacts(registered=date(2024, 4, 1), licensed_arbiters=True, match_games=1)


def inactive(desk: Desk, day: date) -> dict[int, bool]:
    rows = draft(desk.office, STANDARD, day).result.published.rows
    return {row.player: row.inactive for row in rows}


def codes(desk: Desk, first: date) -> set[tuple[str, str, str]]:
    with desk.office.store.reading() as connection:
        found = check(connection, event("Match", WIN, first), FACTS)
    return {(str(f.severity), f.code, f.article) for f in found.findings if "deceased" in f.code}


@DEEP_ON_POSTGRESQL
def test_a_dead_player_is_listed_with_the_rating_and_in_no_ranking(desk: Desk) -> None:
    """Games played before the death count as ever: 2000 beats 1900 (.64) with K 20: +7."""
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2024, 5, 10)), facts=FACTS)
    desk.on(date(2024, 5, 25))
    report_death(desk.office, 1, DAY, reason="the federation wrote")

    assert inactive(desk, JUNE) == {1: True, 2: False}
    desk.publish(JUNE)
    assert desk.rating(1, JUNE) == 2007
    listed_now = draft(desk.office, STANDARD, JULY).result.published
    assert [row.player for row in players_in(listed_now, "top")] == [2]
    assert verify(desk.office, recompute=True).intact
    bundle = next((desk.folder / "lists").glob("standard-2024-06-01*.bundle.zip"))
    assert verify_bundle(bundle).intact


def test_a_death_is_taken_back(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.on(date(2024, 5, 25))
    report_death(desk.office, 1, DAY, reason="letter")
    assert registered(desk.office, 1).died == DAY
    withdraw_death(desk.office, 1, reason="a namesake")
    assert registered(desk.office, 1).died is None
    assert inactive(desk, JUNE) == {1: False, 2: False}
    with pytest.raises(BadInput, match="not-dead"):
        withdraw_death(desk.office, 1, reason="again")


def test_lists_before_the_death_are_as_they_were(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.publish(JUNE)
    desk.on(date(2024, 6, 25))
    report_death(desk.office, 1, date(2024, 6, 20), reason="letter")
    assert revise(desk.office, STANDARD, reason="anything else?").revisions == ()
    assert inactive(desk, JULY) == {1: True, 2: False}


@pytest.mark.parametrize(
    ("day", "code"), [(date(2024, 6, 2), "death-in-future"), (date(1979, 1, 1), "death-before-birth")]
)
def test_a_day_that_cannot_be_is_refused(sqlite_desk: Desk, day: date, code: str) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000, born=1980))
    desk.on(JUNE)
    with pytest.raises(BadInput, match=code):
        report_death(desk.office, 1, day, reason="letter")


def test_a_dead_player_in_a_later_event_is_a_finding_with_the_article_of_its_edition(
    sqlite_desk: Desk,
) -> None:
    desk = sqlite_desk
    desk.list(date(2017, 9, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2024, 6, 25))
    report_death(desk.office, 1, DAY, reason="letter")
    assert codes(desk, DAY) == set()
    assert codes(desk, date(2024, 5, 21)) == {("error", "player-deceased", "10.2")}
    # under the text of 2017 there is no article, but somebody should look
    report_death(desk.office, 1, date(2018, 1, 1), reason="wrong year")
    assert registered(desk.office, 1).died == date(2018, 1, 1)
    assert codes(desk, date(2018, 1, 5)) == {("warning", "player-deceased-before", "")}


def test_a_dead_player_without_a_rating_is_found_too(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, None))
    desk.on(date(2024, 6, 25))
    report_death(desk.office, 2, DAY, reason="letter")
    assert codes(desk, date(2024, 6, 1)) == {("error", "player-deceased", "10.2")}


SOCI = "Nome;FIDE;Decesso\nPlayer 1;9001;20/05/2024\nNeri, Anna;77;2020-02-02\nBianchi, Ugo;78;\n"


def test_a_register_file_brings_deaths(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    path = desk.folder / "soci.csv"
    path.write_text(SOCI, encoding="utf-8")
    desk.on(JULY)
    found = import_register(desk.office, Upload.of(path), date_=JULY)
    assert (found.newcomers, found.changed) == (2, 1)
    assert [registered(desk.office, n).died for n in (1, 3, 4)] == [DAY, date(2020, 2, 2), None]
    again = import_register(desk.office, Upload.of(path), date_=JULY)
    assert (again.newcomers, again.changed) == (0, 0)
    path.write_text("Nome;FIDE;Decesso\nPlayer 2;9002;2024\n", encoding="utf-8")
    with pytest.raises(Unreadable):
        import_register(desk.office, Upload.of(path), date_=JULY)


def test_the_day_is_printed(sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.on(date(2024, 6, 25))
    report_death(desk.office, 1, date(2024, 5, 20), reason="letter")
    status, out, _ = run(capsys, "office player 1 --lang it --db", desk.place)
    assert (status, "† 20 maggio 2024" in out) == (0, True)


def test_a_shared_bundle_tells_the_year_alone_and_gives_the_same_list(sqlite_desk: Desk) -> None:
    from arpad.lists.compute import compute_list
    from arpad.publishing.public_bundle import reduce_inputs

    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.on(date(2024, 5, 25))
    report_death(desk.office, 1, DAY, reason="letter")
    made = draft(desk.office, STANDARD, JUNE)
    shared = reduce_inputs(made.inputs)
    assert shared.people[1].died == date(2024, 1, 1)
    assert compute_list(replace(shared)).digest == made.result.digest


def test_a_later_day_in_place_of_an_earlier_one(sqlite_desk: Desk) -> None:
    """Alive on the list of June after all, dead on that of July."""
    desk = sqlite_desk
    desk.list(MAY, listed(1, 2000), listed(2, 1900))
    desk.on(date(2024, 6, 25))
    report_death(desk.office, 1, DAY, reason="letter")
    report_death(desk.office, 1, date(2024, 6, 20), reason="the day was wrong")
    assert registered(desk.office, 1).died == date(2024, 6, 20)
    assert inactive(desk, JUNE) == {1: False, 2: False}
    assert inactive(desk, JULY) == {1: True, 2: False}
