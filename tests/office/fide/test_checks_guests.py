"""Guests count for opponents with the reference list's rating of the day; they are not rated and not on the list."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.lists.input_files import input_files, read_inputs
from arpad.lists.inputs import Guests
from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.drafts.acts import draft
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.fide.acts import remove_references
from arpad.office.fide.reference import add_reference
from arpad.office.inbox.check_report import check
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.in_force import inputs_as_of
from arpad.publishing.bundle import verify_bundle
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.reference import row, write_reference
from tests.builders.verbs import (
    change_player,
    change_settings,
    find_players,
    lists_to_revise,
    register_player,
    revise,
    verify,
)

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
OPEN = """
1 2000 | 2w1 4b1
2 2100 | 1b0 3w1
3 0    | 4w1 2b0
4 1900 | 3b0 1w0
5 1800 | 6w= 7b=
6 1800 | 5b= 8w=
7 1800 | 8w= 5w=
8 1800 | 7b= 6b=
9 1800 | 10w= .H
10 1800 | 9b= .H
"""
"""Players 2 and 3 are foreign, 3 without any rating; all others are ours."""
OURS = (listed(1, 2000), listed(4, 1900), *(listed(number, 1800) for number in range(5, 11)))


def with_guests(report: Report, *numbers: int) -> Report:
    """Return a report in which some entrants are of another federation."""
    entrants = tuple(
        replace(it, federation="FRA", title="FM") if it.number in numbers else it for it in report.entrants
    )
    return replace(report, entrants=entrants)


@pytest.fixture
def desk(tmp_path: Path, both_ways: None) -> Iterator[Desk]:
    """An office of ITA that owns its own players, with reference lists of January and February."""
    made = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    made.list(JAN, *OURS)
    change_settings(made.office, set_={"owned_standard": "home"})
    for day, rating in ((JAN, 2100), (FEB, 2200)):
        lines = [row(9002, "Player 2", "FRA", rating=rating), row(9003, "Player 3", "FRA", rating="")]
        add_reference(made.office, write_reference(tmp_path, f"fide-{day}.txt", *lines), day)
    yield made
    made.office.close()


def rated(desk: Desk, first_day: date) -> None:
    desk.report(with_guests(event("Open", OPEN, first_day, first_day), 2, 3))


def test_the_preview_rates_no_guest(desk: Desk) -> None:
    report = with_guests(event("Open", OPEN, date(2018, 1, 10), date(2018, 1, 10)), 2, 3)
    with desk.office.store.reading() as connection:
        preview = check(connection, report, EventFacts()).rated

    assert preview is not None
    rated = {player.entrant.number for player in preview.players if player.change or player.initial}
    assert rated == {1, 4, 5, 6, 7, 8, 9, 10}
    assert preview.players[1].rating == 2100, "guests count for their opponents"
    assert preview.players[0].games[0].change is not None


def test_a_guest_counts_with_the_reference_and_is_not_on_the_list(desk: Desk) -> None:
    rated(desk, date(2018, 1, 10))
    publication = desk.publish(FEB)
    with desk.office.store.reading() as connection:
        inputs = inputs_of(connection, publication)
    guests = {2: 9002, 3: 9003}
    numbers = {
        int(person.identifier("fide")): player
        for player, person in inputs.people.items()
        if person.identifier("fide") in {"9002", "9003"}
    }
    second, third = (numbers[number] for number in guests.values())
    (of_day,) = inputs.guests.values()
    assert of_day.ratings == {second: 2100, third: None}
    assert (of_day.source, of_day.day, len(of_day.digest)) == ("fide", JAN, 64)
    assert inputs.hidden == {second, third}
    # 2000 with K 20 beats 2100 (+.64) and 1900 (+.36); the unrated guest counts for nothing: 20 x 1.00
    assert desk.rating(1, FEB) == 2020
    assert desk.rating(second, FEB) is None
    assert desk.rating(third, FEB) is None
    with desk.office.store.reading() as connection:
        assert read_players(connection, publication.id, {second, third}).is_empty()
    assert verify(desk.office).intact
    bundle = desk.folder / "lists" / f"{publication.name}.bundle.zip"
    assert verify_bundle(bundle).intact


def test_the_list_of_the_first_day_counts_not_that_of_the_list(desk: Desk) -> None:
    rated(desk, date(2018, 2, 10))
    desk.on(date(2018, 2, 20))
    desk.publish(FEB)
    desk.publish(MAR)
    # 2000 beats 2200: expected .24, so .76 + .36 = 1.12 x 20 = 22.4
    assert desk.rating(1, MAR) == 2022


def test_a_removed_month_leaves_the_published_list_as_it_was(desk: Desk) -> None:
    rated(desk, date(2018, 1, 10))
    publication = desk.publish(FEB)
    remove_references(desk.office, [JAN, FEB])
    assert verify(desk.office).intact
    with desk.office.store.reading() as connection:
        assert len(inputs_of(connection, publication).guests) == 1
    # a correction takes the guests from the list that it corrects
    decide(desk.office, "k", player=1, on_list=STANDARD, day=FEB, k=40, reason="test")
    (revision,) = revise(desk.office, STANDARD, reason="test").revisions
    assert desk.rating(1, FEB) == 2040
    guests = inputs_as_of(revision.publication).guests
    assert guests is not None
    assert [of_day.day for of_day in guests.values()] == [JAN]
    assert verify(desk.office).intact


def test_a_reference_list_that_comes_late_is_a_cause_to_revise(desk: Desk) -> None:
    """The list of February is kept after that of March is out: 2000 beats 2200 instead of 2100, 2022 not 2020."""
    remove_references(desk.office, [FEB])
    rated(desk, date(2018, 2, 10))
    desk.on(date(2018, 2, 20))
    desk.publish(FEB)
    desk.publish(MAR)
    assert desk.rating(1, MAR) == 2020
    lines = [row(9002, "Player 2", "FRA", rating=2200), row(9003, "Player 3", "FRA", rating="")]
    add_reference(desk.office, write_reference(desk.folder, "late.txt", *lines), FEB)

    (told,) = lists_to_revise(desk.office)
    assert (told.list, told.first, told.cause) == (STANDARD, MAR, "basis")
    revise(desk.office, STANDARD, reason="the reference list of February")

    assert desk.rating(1, MAR) == 2022
    assert lists_to_revise(desk.office) == ()
    assert verify(desk.office).intact


def test_without_a_reference_list_a_guest_has_the_rating_of_the_list_in_force(desk: Desk) -> None:
    desk.list(FEB, *OURS, listed(2, 2100, federation="FRA"))
    remove_references(desk.office, [JAN, FEB])
    desk.report(with_guests(event("Open", OPEN, date(2018, 2, 10), date(2018, 2, 10)), 2, 3))
    desk.publish(MAR)
    assert desk.rating(1, MAR) == 2020
    with desk.office.store.reading() as connection:
        (publication,) = [p for p in lists.all_publications(connection) if p.day == MAR]
        (of_day,) = inputs_of(connection, publication).guests.values()
    assert (of_day.source, set(of_day.ratings.values())) == ("", {None})


def test_who_becomes_ours_is_rated_from_that_day_on(desk: Desk) -> None:
    rated(desk, date(2018, 1, 10))
    desk.publish(FEB)
    (player,) = find_players(desk.office, "9002")
    change_player(desk.office, player.id, since=FEB, reason="transfer", set_={"federation": "ITA"})
    desk.report(event("Second", OPEN, date(2018, 2, 10), date(2018, 2, 10)))
    inputs = draft(desk.office, STANDARD, MAR).inputs
    (of_day,) = inputs.guests.values()
    assert player.id not in of_day.ratings
    assert player.id not in inputs.hidden


def test_an_office_that_owns_all_has_no_guests(desk: Desk) -> None:
    change_settings(desk.office, set_={"owned_standard": "all"})
    rated(desk, date(2018, 1, 10))
    inputs = draft(desk.office, STANDARD, FEB).inputs
    assert (inputs.guests, inputs.hidden) == ({}, frozenset())
    assert "guests.jsonl" not in input_files(inputs).contents


def test_guests_are_read_back_from_a_bundle(desk: Desk) -> None:
    rated(desk, date(2018, 1, 10))
    inputs = draft(desk.office, STANDARD, FEB).inputs
    again, _ = read_inputs(input_files(inputs).contents)
    assert again.guests == inputs.guests
    assert Guests({1: None}) == Guests({1: None}, "", None, "")


@pytest.mark.parametrize(("federation", "code"), [("", "owned-federation"), ("ITA", "value-unknown")])
def test_a_rule_that_cannot_be_kept_is_refused(desk: Desk, federation: str, code: str) -> None:
    values = {"federation": federation, "owned_rapid": "home" if not federation else "friends"}
    with pytest.raises(BadInput) as caught:
        change_settings(desk.office, set_=values)
    assert caught.value.code == code


def test_a_rapid_list_takes_the_standard_rating_of_the_reference(desk: Desk) -> None:
    change_settings(desk.office, set_={"owned_rapid": "home"})
    desk.list(JAN, *OURS, on_list=ListName.RAPID)
    report = with_guests(
        event("Quick", OPEN, date(2018, 1, 10), date(2018, 1, 10), time_control="15 min + 10 sec"), 2, 3
    )
    desk.report(report)
    (of_day,) = draft(desk.office, ListName.RAPID, FEB).inputs.guests.values()
    assert sorted(rating or 0 for rating in of_day.ratings.values()) == [0, 2100]


def test_members_are_owned_whatever_their_federation(desk: Desk) -> None:
    change_settings(desk.office, set_={"owned_standard": "members"})
    enter_club(desk.office, "C1", "Club", kind=UnitKind.CLUB, since=JAN)
    second = register_player(desk.office, "Player 2", federation="FRA", identifiers={"fide": "9002"}).id
    transfer(desk.office, second, "C1", since=JAN, reason="joined")
    transfer(desk.office, 1, "C1", since=JAN, reason="joined")
    rated(desk, date(2018, 1, 10))
    publication = desk.publish(FEB)
    with desk.office.store.reading() as connection:
        inputs = inputs_of(connection, publication)
    (of_day,) = inputs.guests.values()
    assert {1, second} & {*of_day.ratings} == set()
    assert {1, second} & inputs.hidden == set()
    assert len(of_day.ratings) == 8
    transfer(desk.office, second, "", since=JAN, reason="never was one")  # known only later
    assert verify(desk.office).intact
