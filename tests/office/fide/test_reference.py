"""Reference lists: kept beside the register by number and name, month by month, whole or not at all."""

import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import ArpadError
from arpad.model.rules import ListName
from arpad.office.fide.acts import remove_references
from arpad.office.fide.name_rows import MOST_ALIKE, numbers_with_words
from arpad.office.fide.reference import add_reference, find_in_reference, kept_references, reference_history
from arpad.office.fide.rows import newest_reference, reference_in_force, reference_players
from arpad.store import tables
from tests.builders.forgeries import force
from tests.builders.offices import Clock, Desk, listed
from tests.builders.reference import HEADER, REFERENCE, row, write_reference
from tests.builders.verbs import (
    backup,
    erase_player,
    find_players,
    open_office,
    register_player,
    restore,
    take_back,
    verify,
)
from tests.commands import refusal, run, run_json

SEP, OCT = date(2010, 9, 1), date(2010, 10, 1)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An office with the reference lists of two months, which no test changes."""
    folder = tmp_path_factory.mktemp("reference")
    desk = Desk.made(str(folder / "office.db"), folder, Clock(OCT))
    add_reference(desk.office, write_reference(folder, "sep.txt"), SEP)
    later = [line.replace("2658", "2660") for line in REFERENCE]
    add_reference(
        desk.office, write_reference(folder, "oct.txt", *later, row(99, "Neu, Ada", rating=1500)), OCT
    )
    yield desk
    desk.office.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock(OCT))
    yield desk
    desk.office.close()


def test_nobody_enters_the_register(kept: Desk) -> None:
    with kept.office.store.reading() as connection:
        assert tables.count(connection, "players") == 0
    assert [(it.day, it.rows) for it in kept_references(kept.office)] == [(SEP, 5), (OCT, 6)]


def test_a_number_has_a_record_in_each_month_with_the_newest_first(kept: Desk) -> None:
    records = reference_history(kept.office, 400025)
    assert [(it.reference.day, it.player.rating) for it in records] == [(OCT, 2660), (SEP, 2658)]
    newest = records[0].player
    assert (newest.name, newest.federation, newest.sex, newest.title) == ("Short, Nigel D", "ENG", "M", "GM")
    assert (newest.born, newest.rapid_rating, newest.blitz_rating, newest.inactive) == (
        1965,
        2600,
        2678,
        True,
    )


def test_a_woman_is_one_by_her_flag(kept: Desk) -> None:
    assert reference_history(kept.office, 2500036)[0].player.sex == "F"


def test_numbers_that_the_newest_list_knows(kept: Desk) -> None:
    with kept.office.store.reading() as connection:
        assert reference_players(connection, [99, 400025, 400026, 10**12]).keys() == {99, 400025}


def test_the_list_in_force_has_the_ratings_of_its_list(kept: Desk) -> None:
    references = kept_references(kept.office)
    days = [date(2010, 8, 31), SEP, date(2010, 9, 30), OCT]
    in_force = [reference_in_force(references, ListName.BLITZ, day) for day in days]
    assert [it and it.day for it in in_force] == [None, SEP, SEP, OCT]


@pytest.mark.parametrize(
    ("searched", "numbers"),
    [
        ("short", [400025]),
        ("nigel sho", [400025]),
        ("Müller", [4600001]),
        ("Mueller", [4600001]),
        ("orr", [2500036, 2500035]),
        ("400025", [400025]),
        ("nobody", []),
        ("", []),
    ],
)
def test_players_are_found_by_name_sound_and_number(kept: Desk, searched: str, numbers: list[int]) -> None:
    assert [player.id for player in find_in_reference(kept.office, searched)] == numbers


def test_the_office_with_references_is_intact_and_an_altered_block_is_not(kept: Desk, tmp_path: Path) -> None:
    assert verify(kept.office).intact
    backup(kept.office, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", str(tmp_path / "other.db"))
    other = Desk(open_office(str(tmp_path / "other.db"), author="A"), kept.clock, tmp_path, "")
    assert [player.id for player in find_in_reference(other.office, "short")] == [400025]
    force(other, "UPDATE reference_blocks SET data = x'00' WHERE reference = 1")
    codes = [alteration.code for alteration in verify(other.office).altered]
    assert codes == ["reference-block", "row-changed"]
    force(other, "UPDATE reference_blocks SET digest = 'x' WHERE reference = 2")
    assert "reference-digest" in [alteration.code for alteration in verify(other.office).altered]
    other.office.close()


BAD = {
    "cut in the middle": ((HEADER + "".join(REFERENCE))[:-60], "list-cut"),
    "a number twice": (HEADER + "".join(REFERENCE) + REFERENCE[0], "reference-twice"),
    "born in 1850": (HEADER + row(7, "Alt, Ada", born="1850"), "list-row-unreadable"),
    "born after the list": (HEADER + row(7, "Jung, Ada", born="2012"), "reference-birth"),
    "no rows": (HEADER, "list-empty"),
}


@pytest.mark.parametrize(("text", "code"), BAD.values(), ids=BAD)
def test_a_bad_list_is_refused_and_nothing_is_kept(empty: Desk, text: str, code: str) -> None:
    path = empty.folder / "bad.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArpadError) as caught:
        add_reference(empty.office, path, SEP)
    assert caught.value.code == code
    assert kept_references(empty.office) == ()
    with empty.office.store.reading() as connection:
        counts = [
            tables.count(connection, name) for name in ("reference_blocks", "reference_words", "ledger")
        ]
    assert counts == [0, 0, 1]


def test_a_list_twice_another_of_the_day_and_one_that_may_be_cut(empty: Desk) -> None:
    path = write_reference(empty.folder, "sep.txt")
    assert not add_reference(empty.office, path, SEP).again
    assert add_reference(empty.office, path, SEP).again
    short = write_reference(empty.folder, "short.txt", *REFERENCE[:3])
    for day, code in ((SEP, "reference-there"), (OCT, "reference-fewer")):
        with pytest.raises(ArpadError) as caught:
            add_reference(empty.office, short, day)
        assert caught.value.code == code
    assert add_reference(empty.office, short, OCT, fewer=True).reference.rows == 3


def test_removing_the_newest_month_searches_the_one_before(empty: Desk) -> None:
    add_reference(empty.office, write_reference(empty.folder, "sep.txt"), SEP)
    later = write_reference(empty.folder, "oct.txt", *REFERENCE, row(99, "Neu, Ada"))
    add_reference(empty.office, later, OCT)
    assert [it.day for it in remove_references(empty.office, [OCT]).removed] == [OCT]
    assert find_in_reference(empty.office, "neu") == []
    assert [player.id for player in find_in_reference(empty.office, "short")] == [400025]
    assert verify(empty.office).intact
    with pytest.raises(ArpadError) as caught:
        remove_references(empty.office, [OCT])
    assert caught.value.code == "reference-unknown"


def test_an_erased_player_goes_from_the_reference_lists_too(empty: Desk) -> None:
    add_reference(empty.office, write_reference(empty.folder, "sep.txt"), SEP)
    number = register_player(empty.office, "Short, Nigel D", identifiers={"fide": "400025"}).id
    erase_player(empty.office, number, confirm=number, reason="asked for it")
    assert reference_history(empty.office, 400025) == []
    assert find_in_reference(empty.office, "short") == []
    assert verify(empty.office).intact


def test_a_single_list_says_whose_ratings_it_has(empty: Desk) -> None:
    header = "ID Number Name   Fed SEP10 B-day\n"
    path = empty.folder / "blitz.txt"
    path.write_text(header + "1         Ada    ITA 2100  1990 \n", encoding="utf-8")
    reference = add_reference(empty.office, path, SEP, on_list=ListName.BLITZ).reference
    assert reference.lists == (ListName.BLITZ,)
    player = reference_history(empty.office, 1)[0].player
    assert (player.rating, player.blitz_rating) == (None, 2100)


def test_the_commands(kept: Desk, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    db = ("--db", kept.place)
    assert run(capsys, "office fide search Qwerty", *db)[1] == "No player is called “Qwerty”.\n"
    for verb, word in (("references", "2010-09-01"), ("show 400025", "2660"), ("search Müller", "4600001")):
        for language in ("en", "it"):
            status, out, _ = run(capsys, f"office fide {verb}", *db, "--lang", language)
            assert (status, word in out) == (0, True)
    assert "12" in refusal(capsys, "office fide show 12", *db)
    path = str(write_reference(tmp_path, "oct.txt"))
    assert "oct.txt" in refusal(capsys, "office fide reference --day 2010-10-01 --author A", path, *db)


def test_a_player_is_registered_from_the_reference(empty: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("office", "fide", "enter", "2500036", "--db", empty.place, "--author", "A")
    assert "no list of FIDE" in refusal(capsys, *asked)
    add_reference(empty.office, write_reference(empty.folder, "sep.txt"), SEP)
    number = run_json(capsys, *asked)["id"]
    (person,) = find_players(empty.office, "2500036")
    assert (person.id, person.name, person.federation, person.sex, person.born) == (
        number,
        "Orr, Ada",
        "IRL",
        "F",
        1990,
    )
    assert "12" in refusal(capsys, "office", "fide", "enter", "12", "--db", empty.place, "--author", "A")


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_postgresql_keeps_removes_and_undoes_alike(desk: Desk) -> None:
    desk.on(OCT)
    add_reference(desk.office, write_reference(desk.folder, "sep.txt"), SEP)
    add_reference(desk.office, write_reference(desk.folder, "oct.txt", *REFERENCE, row(99, "Neu, Ada")), OCT)
    assert [player.id for player in find_in_reference(desk.office, "müller")] == [4600001]
    remove_references(desk.office, [OCT])
    assert find_in_reference(desk.office, "neu") == []
    desk.list(OCT, listed(1, 2000))
    take_back(desk.office, ListName.STANDARD, OCT, reason="the wrong file")
    assert find_players(desk.office, "9001") == []
    assert verify(desk.office).intact


def test_numbers_with_most_words_of_a_name_are_those_of_a_plain_count(empty: Desk, tmp_path: Path) -> None:
    dice = random.Random(8)  # noqa: S311
    words = [
        a + b for a in ("Bro", "Cal", "Dem", "Fen", "Gol", "Ram") for b in ("nari", "doli", "mesti", "petto")
    ]
    names = {
        700 + i: " ".join(dice.choices(words[: 6 + i % 18], k=dice.choice((2, 3, 4)))) for i in range(1500)
    }
    lines = [row(number, name, rating=1500) for number, name in names.items()]
    add_reference(empty.office, write_reference(tmp_path, "random.txt", *lines), OCT)
    wanted = {
        (" ".join(dice.sample(words, k=dice.choice((1, 2, 3)))), least): least
        for least in (1, 2, 9)
        for _ in range(40)
    }

    with empty.office.store.reading() as connection:
        newest = newest_reference(connection)
        assert newest is not None
        found = numbers_with_words(
            connection, newest.id, {key: (key[0], least) for key, least in wanted.items()}
        )

    for (text, _), least in wanted.items():
        asked = set(text.split())
        shared = {number: len(asked & set(name.split())) for number, name in names.items()}
        counted = {number: count for number, count in shared.items() if count >= min(least, len(asked))}
        few = [n for n, count in counted.items() if sum(it >= count for it in counted.values()) <= MOST_ALIKE]
        assert found.get((text, least), []) == sorted(few, key=lambda number: (-counted[number], number))
    assert 0 < len(found) < len(wanted)
