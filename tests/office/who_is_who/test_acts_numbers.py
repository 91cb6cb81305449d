"""Numbers in reports: filed under a scheme only if a rule, FIDE's list or an officer vouches for it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.declared import perform
from arpad.office.office import Office
from arpad.office.register.number_rows import unknown_numbers_of
from arpad.office.users import OWNER
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.report import NationalEntry, Report
from tests.builders.chess import event
from tests.builders.offices import NEW, Clock, Desk, trf
from tests.builders.verbs import (
    Submitted,
    accept,
    decide_entrants,
    declare_scheme,
    find_players,
    init,
    number_rules,
    register_player,
    registered,
    set_source_scheme,
    verify,
    withdraw_scheme,
    withdraw_source,
)
from tests.builders.verbs import publish as office_publish
from tests.builders.verbs import submit as office_submit

JAN = date(2018, 1, 1)
NAMES = ("Cormican, Ciaran", "Fox, Anthony", "Daly, Colm", "Quinn, Mark")
ICU = ("268", "4564", "10081", "2500035")


@pytest.fixture
def irish(tmp_path: Path) -> Iterator[Office]:
    """An office that said nothing about numbers."""
    settings = {**NEW, "federation": "IRL", "numbers": ()}
    office = init(str(tmp_path / "irl.db"), **settings, now=Clock(date(2018, 1, 20)))
    yield office
    office.close()


def report(name: str = "Bunratty", day: int = 10, ids: tuple[str, ...] = ICU) -> Report:
    table = "1 0 | 2w1 3w1\n2 0 | 1b0 4w1\n3 0 | 4b1 1b0\n4 0 | 3w0 2b0"
    made = event(name, table, date(2018, 1, day))
    entrants = tuple(
        replace(entrant, name=NAMES[place], id=ids[place], federation="IRL")
        for place, entrant in enumerate(made.entrants)
    )
    return replace(made, entrants=entrants, header=replace(made.header, federation="IRL"))


def submit(office: Office, sent: Report, facts: EventFacts | None = None) -> Submitted:
    return office_submit(office, trf(sent), f"{sent.header.name}.trf", facts=facts)


def icu(office: Office) -> None:
    declare_scheme(office, "icu", name="Irish Chess Union", pattern="9{1-5}")
    set_source_scheme(office, "federation", "irl", "icu")


def test_a_number_that_nothing_vouches_for_is_kept_as_unknown_and_not_as_fides(irish: Office) -> None:
    sent = submit(irish, report())
    assert "numbers-unknown-scheme" in [finding.code for finding in sent.findings]

    players = accept(irish, sent.report).players

    assert [registered(irish, player).identifiers for player in players] == [()] * 4
    with irish.store.reading() as connection:
        assert {item.value for item in unknown_numbers_of(connection, players)} == {*ICU}
    assert [person.id for person in find_players(irish, "268")] == [players[0]]
    assert find_players(irish, "268", public=True) == [], "the public does not see such numbers"


def test_the_unknown_number_is_a_reason_in_the_next_report(irish: Office) -> None:
    players = accept(irish, submit(irish, report()).report).players

    later = submit(irish, report("Later", 11))

    assert [match.candidates[0].player for match in later.doubts] == [*players]
    assert "same-unknown-number" in later.doubts[0].candidates[0].reasons


BORN = date(2001, 2, 3)


def born(sent: Report, **changes: object) -> Report:
    """The report with full births, and other facts of the first entrant."""
    entrants = [replace(entrant, born=BORN) for entrant in sent.entrants]
    entrants[0] = replace(entrants[0], **changes)  # type: ignore[arg-type]
    return replace(sent, entrants=tuple(entrants))


def test_a_newcomer_with_the_same_name_birth_federation_and_number_is_certain(irish: Office) -> None:
    players = accept(irish, submit(irish, born(report())).report).players

    later = submit(irish, born(report("Later", 11)))

    assert later.doubts == ()
    accepted = accept(irish, later.report)
    assert accepted.players == players
    assert accepted.newcomers == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Cormican, Kieran"},
        {"born": 2001},
        {"born": date(2001, 2, 4)},
        {"federation": "ENG"},
        {"id": "269"},
        {"id": ""},
        {"sex": "w"},
    ],
)
def test_a_newcomer_of_whom_one_fact_differs_is_a_doubt(irish: Office, changes: dict[str, object]) -> None:
    accept(irish, submit(irish, born(report(), sex="m")).report)

    later = submit(irish, born(report("Later", 11), **changes))

    assert [match.entrant.number for match in later.doubts] == [1]


def test_two_players_with_the_same_four_facts_are_a_doubt(irish: Office) -> None:
    accept(irish, submit(irish, born(report())).report)
    other = submit(irish, born(report("Other", 11), id=""))
    accept(irish, other.report, matches={1: 0})
    third = submit(irish, born(report("Third", 12)))
    assert third.doubts == (), "the other player was never entered with this number"
    decide_entrants(irish, third.report, {1: 5})
    accept(irish, third.report)

    assert [match.entrant.number for match in submit(irish, born(report("Fourth", 13))).doubts] == [1]


def test_numbers_of_a_declared_scheme_are_filed_under_it_if_they_have_its_form(irish: Office) -> None:
    icu(irish)

    players = accept(irish, submit(irish, report()).report).players

    numbers = [registered(irish, player).identifiers for player in players]
    assert numbers == [(("icu", "268"),), (("icu", "4564"),), (("icu", "10081"),), ()]
    again = submit(irish, report("Later", 11))
    assert [match.entrant.number for match in again.doubts] == [4], "the others are certain by their numbers"
    assert [person.id for person in find_players(irish, "268", public=True)] == [players[0]]
    declare_scheme(irish, "icu", name="Irish Chess Union", pattern="9{1-5}", shown=("lists",))
    assert find_players(irish, "268", public=True) == [], "a hidden scheme"
    assert [person.id for person in find_players(irish, "268")] == [players[0]]


def test_an_officer_says_so_for_one_report(irish: Office) -> None:
    icu(irish)
    withdraw_source(irish, "federation", "IRL")
    sent = submit(irish, report(ids=("1", "2", "3", "4")), EventFacts(number_scheme="icu"))

    players = accept(irish, sent.report).players

    assert registered(irish, players[0]).identifiers == (("icu", "1"),)
    with pytest.raises(BadInput, match="identifier-scheme"):
        submit(irish, report("Later", 11), EventFacts(number_scheme="zps"))


def test_national_records_identify_players_and_give_them_numbers(irish: Office) -> None:
    icu(irish)
    known = register_player(irish, "Cormican, Ciaran", identifiers={"icu": "268"}).id
    made = report(ids=("", "", "", ""))
    national = tuple(
        NationalEntry("IRL", replace(entrant, id=number))
        for entrant, number in zip(made.entrants, ("268", "4564", "10081", ""), strict=True)
    )
    data, _ = write_report(replace(made, national=national), "trf26")
    sent = office_submit(irish, data, "national.trf")
    assert sent.doubts == ()

    players = accept(irish, sent.report).players

    assert players[0] == known
    assert registered(irish, players[1]).identifiers == (("icu", "4564"),)


def test_a_decided_player_gets_the_number_of_the_report(irish: Office) -> None:
    icu(irish)
    fox = register_player(irish, "Fox, A.", federation="IRL", identifiers={"fide": "2500019"}).id
    sent = submit(irish, report())
    assert [match.candidates[0].player for match in sent.doubts] == [fox]

    accept(irish, sent.report, matches={2: fox})

    assert registered(irish, fox).identifiers == (("fide", "2500019"), ("icu", "4564"))


def test_schemes_are_shown_where_the_office_says(irish: Office, tmp_path: Path) -> None:
    icu(irish)
    declare_scheme(irish, "icu", name="Irish Chess Union", pattern="9{1-5}", shown=["player"])
    accept(irish, submit(irish, report()).report)

    folder = tmp_path / "lists"
    publish = partial(office_publish, irish, ListName.STANDARD, date(2018, 2, 1), folder)
    publish(kinds=("canonical",), empty=True, reason="nobody is rated yet")

    (text,) = [path.read_text() for path in folder.glob("*.txt*") if "bundle" not in path.name]
    assert "icu=" not in text
    assert verify(irish).intact


def test_a_scheme_in_use_cannot_be_withdrawn(irish: Office) -> None:
    icu(irish)
    with pytest.raises(BadInput, match="scheme-in-use"):
        withdraw_scheme(irish, "icu", reason="a slip")
    withdraw_source(irish, "federation", "IRL")
    withdraw_scheme(irish, "icu", reason="a slip")

    assert number_rules(irish).declared == {}
    with pytest.raises(BadInput, match="no-scheme"):
        withdraw_scheme(irish, "icu", reason="again")


@pytest.mark.parametrize(
    ("number", "code"), [("123456", "player-value"), ("12a", "player-value"), ("", "player-value")]
)
def test_a_number_of_another_form_is_refused(irish: Office, number: str, code: str) -> None:
    icu(irish)
    with pytest.raises(BadInput, match=code):
        register_player(irish, "Fox, A.", identifiers={"icu": number})


def test_the_same_number_twice_in_a_report_goes_to_one_newcomer(irish: Office) -> None:
    icu(irish)
    sent = submit(irish, report(ids=("7", "7", "8", "9")))
    codes = [finding.code for finding in sent.errors]

    accepted = accept(irish, sent.report, overrule=codes, reason="a slip of the arbiter")

    numbers = [registered(irish, player).identifier("icu") for player in accepted.players]
    assert numbers == ["7", "", "8", "9"]


def test_an_unknown_source_is_refused(irish: Office) -> None:
    for kind, value in (("moon", "x"), ("federation", ""), ("discipline", "go")):
        with pytest.raises(BadInput):
            perform(set_source_scheme, irish, OWNER, {"kind": kind, "value": value, "scheme": "fide"})
    with pytest.raises(BadInput, match="identifier-scheme"):
        set_source_scheme(irish, "federation", "IRL", "zps")
    assert number_rules(irish).sources == ()


def test_a_new_office_can_say_what_numbers_are(desk: Desk) -> None:
    assert [rule.scheme for rule in number_rules(desk.office).sources] == ["fide", "fid"]
    with pytest.raises(BadInput, match="identifier-scheme"):
        init(str(desk.folder / "other.db"), numbers=["icu"])
