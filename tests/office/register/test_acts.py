"""The register: who is found, who changes, who turns out to be somebody else."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.register.acts import players_with_similar_names
from arpad.reports.event_facts import EventFacts
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL, new_database
from tests.builders.offices import STANDARD, Clock, Desk, list_bytes, listed
from tests.builders.verbs import (
    accept,
    add_identifier,
    change_player,
    draft,
    find_players,
    import_list,
    ledger,
    merge,
    publications,
    register_player,
    registered,
    unmerge,
    verify,
)

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def names(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A register with names of many kinds; nobody changes it."""
    folder = tmp_path_factory.mktemp("names")
    place = str(folder / "office.db")
    if request.param == "postgres":
        place = new_database(request.getfixturevalue("postgres_server"))
    desk = Desk.made(place, folder, Clock())
    for name in (
        "Müller, Hans", "Mueller, Karl", "Muller, Pierre", "Sørensen, Åse", "Kortschnoi, Viktor",
        "De Rossi, Mario", "Łukasz, Błażej", "O'Neill, Sean", "Каспаров, Гарри",
        "D'Àngelo di Sant'Elmo, Nicolò",
    ):  # fmt: skip
        register_player(desk.office, name, federation="ITA")
    yield desk
    desk.office.close()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Müller", {"Müller, Hans", "Mueller, Karl", "Muller, Pierre"}),
        ("mueller", {"Müller, Hans", "Mueller, Karl", "Muller, Pierre"}),
        ("MULLER", {"Müller, Hans", "Mueller, Karl", "Muller, Pierre"}),
        ("muller h", {"Müller, Hans"}),
        ("Hans Müller", {"Müller, Hans"}),
        ("H. Muller", {"Müller, Hans"}),
        ("Sorensen", {"Sørensen, Åse"}),
        ("Ase Soerensen", {"Sørensen, Åse"}),
        ("Korchnoi", {"Kortschnoi, Viktor"}),
        ("Korčnoj", {"Kortschnoi, Viktor"}),
        ("Mario De Rossi", {"De Rossi, Mario"}),
        ("lukasz blazej", {"Łukasz, Błażej"}),
        ("ONeill", {"O'Neill, Sean"}),
        ("o neill", {"O'Neill, Sean"}),
        ("D Angelo", {"D'Àngelo di Sant'Elmo, Nicolò"}),
        ("nicolo' sant elmo", {"D'Àngelo di Sant'Elmo, Nicolò"}),
        ("Kasparov", {"Каспаров, Гарри"}),
        ("Garri Kasparow", {"Каспаров, Гарри"}),
        ("Nobody", set()),
        ("", set()),
    ],
)
def test_a_name_is_found_however_it_is_written(names: Desk, asked: str, found: set[str]) -> None:
    assert {person.name for person in find_players(names.office, asked)} == found


@pytest.mark.parametrize(
    ("asked", "similar"),
    [
        ("Kaspxrov", ["Каспаров, Гарри"]),
        ("Onxill Sean", ["O'Neill, Sean"]),
        ("zzzz", []),
        ("", []),
        ("Kasparov Zzzz", []),
    ],
)
def test_a_mistyped_name_leads_to_similar_ones(names: Desk, asked: str, similar: list[str]) -> None:
    assert [person.name for person in players_with_similar_names(names.office, asked)] == similar


def test_a_text_of_one_sound_finds_nobody(names: Desk) -> None:
    assert find_players(names.office, "zzzz") == []


def test_a_player_is_found_by_any_of_their_numbers(sqlite_desk: Desk) -> None:
    player = register_player(
        sqlite_desk.office, "Rossi, Mario", identifiers={"fide": "800101", "fid": "5001"}
    ).id

    for number in ("800101", "5001", str(player)):
        assert [person.id for person in find_players(sqlite_desk.office, number)] == [player]
    with pytest.raises(BadInput, match="identifier-taken"):
        register_player(sqlite_desk.office, "Other", identifiers={"fide": "800101"})


def test_a_change_of_federation_is_a_dated_fact(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000))
    desk.on(date(2018, 1, 20))
    change_player(desk.office, 1, since=date(2018, 2, 15), set_={"federation": "FRA"}, reason="transfer")

    february = draft(desk.office, STANDARD, FEB).result.published.rows
    march = draft(desk.office, STANDARD, MAR).result.published.rows

    assert [row.federation for row in february] == ["ITA"]
    assert [row.federation for row in march] == ["FRA"]


def test_a_changed_name_is_found_under_both(desk: Desk) -> None:
    player = register_player(desk.office, "Bianchi, Anna").id
    change_player(desk.office, player, since=JAN, set_={"name": "Verdi, Anna"}, reason="marriage")

    assert [p.name for p in find_players(desk.office, "verdi")] == ["Verdi, Anna"]
    assert registered(desk.office, player).name == "Verdi, Anna"


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"height": "180"}, "value-unknown"),
        ({}, "value-missing"),
        ({"sex": "X"}, "player-value"),
        ({"name": " "}, "player-name"),
    ],
)
def test_impossible_facts_are_refused(sqlite_desk: Desk, facts: dict[str, str], code: str) -> None:
    player = register_player(sqlite_desk.office, "Bianchi, Anna").id
    with pytest.raises(BadInput, match=code):
        change_player(sqlite_desk.office, player, since=JAN, reason="test", set_=facts)


def test_two_numbers_become_one_player_and_two_again(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 5))
    double = register_player(desk.office, "Player, One", federation="ITA").id
    number = merge(desk.office, 1, double, reason="the same person", confirmed=True).merge
    assert [person.id for person in find_players(desk.office, "player one")] == [1]

    # a report that names the double is rated as the one kept: 2000 beats 1900, +0.36 x 20
    from dataclasses import replace

    game = event("Match", "1 0 | 2w1\n2 1900 | 1b0", date(2018, 1, 10))
    game = replace(game, entrants=(replace(game.entrants[0], id="", name="Player, One"), game.entrants[1]))
    desk.on(date(2018, 1, 11))
    accept(desk.office, desk.send(game).report, matches={1: double})
    assert draft(desk.office, STANDARD, FEB).result.ratings == {1: 2007, 2: 1893}

    unmerge(desk.office, number, reason="they are two")

    made = draft(desk.office, STANDARD, FEB)
    assert made.result.ratings[1] == 2000
    with pytest.raises(BadInput, match="no-merge"):
        unmerge(desk.office, number, reason="twice")


# ---------------------------------------------------------------------------------------------------- imports


@DEEP_ON_POSTGRESQL
def test_a_list_imported_twice_changes_nothing(desk: Desk) -> None:
    path = desk.list(JAN, listed(1, 2000), listed(2, None))
    acts = len(ledger(desk.office))

    again = import_list(desk.office, path, STANDARD, JAN)

    assert again.again
    assert len(ledger(desk.office)) == acts
    path.write_bytes(list_bytes(JAN, listed(1, 2100)))
    with pytest.raises(BadInput, match="list-there"):
        import_list(desk.office, path, STANDARD, JAN)


@DEEP_ON_POSTGRESQL
def test_a_player_who_is_twice_on_a_list_is_named(desk: Desk) -> None:
    with pytest.raises(BadInput) as caught:
        desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(1, 2010))

    assert (caught.value.code, caught.value.facts) == ("player-listed-twice", {"player": "Player 1 (9001)"})
    assert len(ledger(desk.office)) == 1


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize("number", ["abc", "-5", "80 01"])
def test_the_number_of_fide_is_a_number(desk: Desk, number: str) -> None:
    with pytest.raises(BadInput, match="player-value"):
        register_player(desk.office, "Rossi, Mario", identifiers={"fide": number})


def test_a_later_list_brings_facts_and_newcomers(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    path = desk.folder / "next.txt"
    path.write_bytes(list_bytes(FEB, listed(1, 2010, federation="FRA"), listed(3, 1500)))

    found = import_list(desk.office, path, STANDARD, FEB)

    assert (found.rows, found.newcomers, found.changed) == (2, 1, 1)
    assert registered(desk.office, 1).federation == "FRA"
    assert (desk.rating(1, JAN), desk.rating(1, FEB), desk.rating(2, FEB)) == (2000, 2010, None)


def test_the_k_of_an_imported_list_decides_the_next_period_and_seeds_the_facts(desk: Desk) -> None:
    """Reading 6: K 40 of an adult has games still to play, K 10 has reached 2400."""
    desk.list(JAN, listed(1, 2000, 40, born=1980), listed(2, 2000, 10, born=1980))
    desk.report(event("January", "1 2000 | 2w1\n2 2000 | 1b0", date(2018, 1, 10)))
    desk.publish(FEB)
    assert (desk.rating(1, FEB), desk.rating(2, FEB)) == (2020, 1995)

    rows = draft(desk.office, STANDARD, MAR).result.published.rows
    assert [(row.player, row.k) for row in rows] == [(1, 40), (2, 10)]


@pytest.mark.parametrize("content", [b"", b"not a list", b"ID Number      Name\n12x3\n"])
def test_an_unreadable_list_leaves_nothing_behind(sqlite_desk: Desk, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)

    with pytest.raises(BadInput):
        import_list(sqlite_desk.office, path, STANDARD, JAN)

    assert len(ledger(sqlite_desk.office)) == 1
    assert publications(sqlite_desk.office) == ()


def test_the_birth_is_kept_to_the_day_and_shown_by_the_year(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000, born=2001))
    change_player(desk.office, 1, since=JAN, set_={"born": "2001-05-31"}, reason="identity card")

    row = draft(desk.office, STANDARD, FEB).result.published.rows[0]

    assert row.born == 2001
    assert registered(desk.office, 1).born == date(2001, 5, 31)


def test_blanks_about_a_number_or_a_federation_mean_nothing(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    anna = register_player(office, "Neri, Anna", identifiers={"fide": " 101 "}).id
    with pytest.raises(BadInput, match="identifier-taken"):
        register_player(office, "Neri, Bice", identifiers={"fide": "101"})
    with pytest.raises(BadInput, match="identifier-taken"):
        add_identifier(office, anna, "fide", "101 ")
    change_player(
        office, anna, since=JAN, set_={"federation": " ita ", "name": " Neri, Anna M. "}, reason="slip"
    )
    person = registered(office, anna)
    assert (person.name, person.federation, person.identifiers) == (
        "Neri, Anna M.",
        "ITA",
        (("fide", "101"),),
    )


def test_a_merged_player_brings_the_standard_rating_to_the_rapid_list(sqlite_desk: Desk) -> None:
    """Without a rapid rating a player takes part with the standard one, under whichever number that stands.

    2000 beats 1900: expected 0.64, so 0.36 x 20 = 7.2 points.
    """
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.list(JAN, listed(1, 2000), listed(4, 1700), listed(5, 1700), on_list=ListName.RAPID)
    kept = register_player(desk.office, "Player 2", federation="ITA").id
    merge(desk.office, kept, 2, reason="the same", confirmed=True)
    desk.report(
        event(
            "Rapid",
            "1 2000 | 2w1\n2 1900 | 1b0\n4 1700 | 5w=\n5 1700 | 4b=",
            date(2018, 1, 10),
            time_control="15 min + 10 sec per move",
        ),
        facts=EventFacts(list=ListName.RAPID),
    )

    desk.publish(FEB, ListName.RAPID)

    assert desk.rating(1, FEB, ListName.RAPID) == 2007
    assert verify(desk.office).intact
