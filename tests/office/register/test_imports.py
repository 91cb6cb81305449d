"""A register taken over from a CSV file: players without ratings, each entered once, doubts left to a person."""

from datetime import date
from pathlib import Path

import pytest

from arpad.model.declared import Upload
from arpad.model.errors import Unreadable
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Desk
from tests.builders.verbs import (
    ImportedRegister,
    find_players,
    import_register,
    ledger,
    merge,
    registered,
    verify,
)
from tests.commands import run, run_json

JAN = date(2018, 1, 1)
SOCI = """Nome;Federazione;Sesso;Nato;Titolo;FIDE;FSI
Rossi, Mario;ita;M;1990;;800101;11
"Neri, Anna";ITA;f;12/05/2001;WFM;;12
Bianchi, Ugo;ITA;;;;;
"""


def soci(desk: Desk, text: str = SOCI, since: date = JAN) -> ImportedRegister:
    path = desk.folder / "soci.csv"
    path.write_text(text, encoding="utf-8")
    return import_register(desk.office, Upload.of(path), date_=since)


def test_players_are_added_without_ratings_and_only_once(desk: Desk) -> None:
    found = soci(desk)
    assert (found.rows, found.newcomers, found.changed, found.doubts) == (3, 3, 0, ())
    people = [registered(desk.office, number) for number in (1, 2, 3)]
    assert [(p.name, p.federation, p.sex, p.born, p.women_title, p.identifiers) for p in people] == [
        ("Rossi, Mario", "ITA", "M", 1990, "", (("fide", "800101"), ("fsi", "11"))),
        ("Neri, Anna", "ITA", "F", date(2001, 5, 12), "WFM", (("fsi", "12"),)),
        ("Bianchi, Ugo", "ITA", "", None, "", ()),
    ]
    acts = len(ledger(desk.office))

    again = soci(desk)

    assert (again.newcomers, again.changed) == (0, 0)
    assert [(doubt.line, doubt.name) for doubt in again.doubts] == [(4, "Bianchi, Ugo")]  # a name alone
    assert len(ledger(desk.office)) == acts
    assert verify(desk.office).intact


def test_facts_about_known_players_are_valid_from_the_day_of_the_file(desk: Desk) -> None:
    soci(desk)
    text = "name,born,federation,fide,fsi\nRossi Mario,,SMR,800101,\nNeri Anna,2001,,900202,12\n"
    found = soci(desk, text, date(2018, 6, 1))
    assert (found.newcomers, found.changed, found.doubts) == (0, 2, ())
    rossi, neri = (registered(desk.office, number) for number in (1, 2))
    assert (rossi.name, rossi.federation, rossi.born) == ("Rossi Mario", "SMR", 1990)
    assert (neri.born, neri.identifiers) == (date(2001, 5, 12), (("fide", "900202"), ("fsi", "12")))


@pytest.mark.parametrize(
    ("row", "newcomers", "doubts"),
    [
        ("Rossi, Mario,1990,", 0, 0),  # the same name and year: he
        ("Rossi, Mario,1975,", 1, 0),  # another year: another
        ("Rossi, Mario,,", 0, 1),  # nobody can say
        ("Rossi, Mario,1990,800999", 1, 0),  # another number: another
        ("Verdi, Rosa,,800101", 0, 0),  # the number decides
    ],
)
def test_rows_are_matched_to_players(sqlite_desk: Desk, row: str, newcomers: int, doubts: int) -> None:
    soci(sqlite_desk)
    last, first, born, number = row.split(",")
    found = soci(sqlite_desk, f'name,born,fide\n"{last},{first}",{born},{number}\n')
    assert (found.newcomers, len(found.doubts)) == (newcomers, doubts)


def test_a_file_adds_no_player_twice(sqlite_desk: Desk) -> None:
    found = soci(sqlite_desk, SOCI + "Rossi, M.;ITA;M;1990;;800101;\nBianchi, Ugo;SMR;;;;;\n")
    assert found.newcomers == 3
    assert [(doubt.line, doubt.candidates) for doubt in found.doubts] == [(5, ""), (6, "")]


@pytest.mark.parametrize(
    "again",
    [
        "Rossi, Mario;ITA;M;1990;;;",  # without his numbers
        "Rossi, Mario;ITA;M;;;;",  # without his birth either
        "Rossi, Mario;ITA;M;1990;;;11",  # with one of them
        "Neri, Anna;ITA;F;2001;;900202;",  # with another body's
    ],
)
def test_a_possible_repetition_is_left_to_an_officer(sqlite_desk: Desk, again: str) -> None:
    found = soci(sqlite_desk, f"{SOCI}{again}\n")
    assert (found.newcomers, [(doubt.line, doubt.candidates) for doubt in found.doubts]) == (3, [(5, "")])

    once_more = soci(sqlite_desk, f"{SOCI}{again}\n")
    assert (once_more.newcomers, once_more.changed) == (0, 0)
    assert [doubt.line for doubt in once_more.doubts] == [4, 5]


def test_namesakes_with_different_numbers_are_two_players(sqlite_desk: Desk) -> None:
    text = "name,fide\nRossi Mario,1\nRossi Mario,2\n"
    assert (soci(sqlite_desk, text).newcomers, soci(sqlite_desk, text).doubts) == (2, ())


def test_a_number_in_two_columns_counts_once(sqlite_desk: Desk) -> None:
    assert soci(sqlite_desk, "nome;fide;id fide\nRossi, Mario;1;1\nNeri, Anna;;2\n").newcomers == 2
    assert [registered(sqlite_desk.office, n).identifiers for n in (1, 2)] == [
        (("fide", "1"),),
        (("fide", "2"),),
    ]


@DEEP_ON_POSTGRESQL
def test_a_second_number_of_one_body_is_skipped(desk: Desk) -> None:
    """By his FSI number he is Rossi, who has another FIDE ID: a person says which of the two is a mistake."""
    soci(desk)
    acts = len(ledger(desk.office))

    text = "name;federation;fide;fsi\nRossi Mario;FRA;800999;11\nNeri Anna;FRA;900202;12\n"
    found = soci(desk, text, date(2018, 6, 1))

    assert (found.newcomers, found.changed) == (0, 1)
    (doubt,) = found.doubts
    assert (doubt.line, doubt.name, doubt.held, doubt.given) == (
        2,
        "Rossi Mario",
        "fide 800101",
        "fide 800999",
    )
    rossi, neri = (registered(desk.office, number) for number in (1, 2))
    assert (rossi.federation, rossi.identifiers) == ("ITA", (("fide", "800101"), ("fsi", "11")))
    assert (neri.federation, neri.identifiers) == ("FRA", (("fide", "900202"), ("fsi", "12")))
    assert len(ledger(desk.office)) == acts + 1


def test_numbers_of_merged_players_belong_to_the_one_kept(desk: Desk) -> None:
    text = "name;fide;fsi\nRossi Mario;1;11\nRossi M.;2;\n"
    soci(desk, text)
    merge(desk.office, 1, 2, reason="one person", confirmed=True)

    again = soci(desk, "name;fide;fsi\nRossi Mario;2;11\n")
    assert (again.newcomers, again.changed, again.doubts) == (0, 0, ())

    other = soci(desk, "name;fide;fsi\nRossi Mario;3;11\n")
    assert [(doubt.line, doubt.given) for doubt in other.doubts] == [(2, "fide 3")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nome;nato\nRossi, Mario;ieri\n", "list-row-unreadable"),
        ("nome;sesso\nRossi, Mario;x\n", "list-row-unreadable"),
        ("nome;affiliazione\nRossi, Mario;CLUB\n", "list-row-unreadable"),
        ("nome;fide\nRossi, Mario;8001x\n", "list-row-unreadable"),
        ("nome;nato\n;1990\n", "list-row-unreadable"),
        ("fide;nome\n1;Rossi, Mario\n2\n", "list-row-unreadable"),
        ("nome;fide;id fide\nRossi, Mario;1;2\n", "list-row-unreadable"),
        ("fide;nato\n1;1990\n", "list-column"),
        ('nome;nato\n"Rossi;1990\n', "sheet-quotes"),
        ("", "file-empty"),
    ],
)
def test_an_unreadable_file_adds_nobody(sqlite_desk: Desk, text: str, code: str) -> None:
    with pytest.raises(Unreadable, match=code):
        soci(sqlite_desk, text)
    assert find_players(sqlite_desk.office, "Rossi") == []


def test_the_command_says_each_doubt_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--db", str(tmp_path / "office.db"), "--author", "A"]
    run_json(capsys, "office init", *at)
    file = tmp_path / "soci.csv"
    taking = ["office import-register", str(file), "--date", "2018-01-01", *at]
    file.write_text(SOCI, encoding="utf-8")
    told = run_json(capsys, *taking)
    assert (told["rows"], told["newcomers"], told["doubts"]) == (3, 3, [])
    file.write_text("name,fide,fsi\nRossi,800999,11\n", encoding="utf-8")
    assert (
        "line 2: Rossi is 1 Rossi, Mario (ITA, 1990), who has the number fide 800101;"
        " the player cannot have fide 800999 too"
    ) in run(capsys, *taking)[1]
