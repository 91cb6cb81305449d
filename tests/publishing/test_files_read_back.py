"""Arpad reads back every list file it writes to the same values, and an office takes over its own list whole."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arpad.lists.canonical import read_canonical
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rating_lookup import look_up_ratings, read_list_rows
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.lists.history_rows import canonical_text
from arpad.publishing.files import list_files
from arpad.reports.formats.lists.fide_rows import ListRow
from tests.builders.chess import report as chess_report
from tests.builders.published_lists import CHESS, table_of_list
from tests.builders.verbs import (
    find_players,
    import_list,
    init,
    publications,
    register_player,
    registered,
    verify,
)
from tests.thinning import one_in

DAY = date(2024, 3, 1)
_LETTERS = st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs", "M"))
_WORD = st.text(_LETTERS | st.sampled_from("-'=+@,;\"&<>."), min_size=1, max_size=9)
NAMES = st.lists(_WORD, min_size=1, max_size=5).map(" ".join)
NUMBERS = st.one_of(st.none(), st.integers(1, 99_999_999))


@st.composite
def listed(draw: st.DrawFn) -> ListedPlayer:
    """A player as a register knows one, rated, titled without a rating, or delisted."""
    fide, fsi = (
        draw(NUMBERS),
        draw(st.one_of(st.just(""), st.from_regex(r"[A-Z0-9][A-Z0-9 -]{0,8}[0-9]", fullmatch=True))),
    )
    numbers = tuple((scheme, str(value)) for scheme, value in (("fide", fide), ("fsi", fsi)) if value)
    title = draw(st.sampled_from(("", "GM", "IM", "FM", "CM")))
    women_title = draw(st.sampled_from(("", "WGM", "WIM", "WFM", "WCM")))
    kind = draw(st.sampled_from(("rated", "titled", "delisted"))) if title or women_title else "rated"
    rated = kind == "rated"
    return ListedPlayer(
        draw(st.integers(1, 999_999)),
        draw(NAMES),
        draw(st.sampled_from(("", "ITA", "FIN", "SWE"))),
        draw(st.sampled_from(("", "M", "F"))),
        title,
        women_title,
        draw(st.sampled_from(("", "FI", "FI,NA", "IA,FST,IO"))),
        rating=draw(st.integers(1000, 2900)) if rated else None,
        games=draw(st.integers(0, 99)) if rated else 0,
        k=draw(st.sampled_from((None, 10, 20, 40))) if rated else None,
        born=draw(st.one_of(st.none(), st.integers(1900, 2020))),
        inactive=draw(st.booleans()) if rated else False,
        delisted=kind == "delisted",
        identifiers=numbers,
    )


def _unlike(row: ListedPlayer) -> tuple[str, ...]:
    return (f"own {row.player}", *(f"{scheme} {value}" for scheme, value in row.identifiers))


@st.composite
def published(draw: st.DrawFn) -> PublishedList:
    """A list in which no number is two players'."""
    rows, taken = [], set[str]()
    for row in draw(st.lists(listed(), max_size=6)):
        if not taken & set(_unlike(row)):
            rows.append(row)
            taken |= set(_unlike(row))
    return PublishedList(ListName.STANDARD, DAY, 3, "fide-2022", rows=tuple(rows))


def written(made_list: PublishedList, kind: str, folder: Path) -> tuple[Path, bool]:
    """The file of one kind, and whether everything had a place in it."""
    (file,) = list_files(table_of_list(made_list), (kind,))
    stream = io.BytesIO()
    findings = file.write(stream)
    path = folder / file.name
    path.write_bytes(stream.getvalue())
    return path, not findings


def rated(made_list: PublishedList) -> list[ListedPlayer]:
    return [row for row in made_list.rows if row.rating is not None]


def shown(row: ListRow) -> ListedPlayer:
    """What a reader found, as a row of the list; a number that the file does not tell is 0."""
    return ListedPlayer(
        row.number or 0, row.name, row.federation, row.sex, row.title, row.women_title, row.other_titles,
        rating=row.rating, games=row.games or 0, k=row.k, born=row.born if isinstance(row.born, int) else None,
        inactive=row.inactive, delisted=row.delisted, identifiers=row.numbers,
    )  # fmt: skip


@pytest.mark.parametrize("kind", one_in(2, ["canonical", "csv", "txt", "xml"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made_list=published())
def test_a_list_file_is_read_back_to_the_same_values(
    tmp_path: Path, kind: str, made_list: PublishedList
) -> None:
    """FIDE's layouts hold the rated, FIDE's number or else the register's, and no other body's."""
    path, whole = written(made_list, kind, tmp_path)
    found = [shown(row) for row, _ in read_list_rows(path)]
    if kind in ("canonical", "csv"):
        assert found == list(made_list.rows)
    elif whole:
        expected = []
        for row in rated(made_list):
            fide = tuple(pair for pair in row.identifiers if pair[0] == "fide")
            expected.append(row._replace(player=0 if fide else row.player, identifiers=fide))
        assert found == expected


def test_the_fide_number_of_a_report_is_looked_up_in_our_own_csv(tmp_path: Path) -> None:
    """Player 3 of the register is not FIDE's 3, and player 1 is FIDE's 800101."""
    path, _ = written(CHESS, "csv", tmp_path)
    report = chess_report("800101 0 | 3w=\n3 0 | 800101b=\n1 0 | .Z")
    wanted = replace(report, entrants=tuple(replace(e, id=str(e.number)) for e in report.entrants))
    found = look_up_ratings(path, [wanted])
    assert {number: row.name for number, row in found.rows.items()} == {
        "800101": "Marchesi, Leonardo",
        "3": "Kettunen, Aarne",
    }


@pytest.mark.parametrize("kind", ["canonical", "csv"])
def test_an_office_takes_its_own_list_over_whole(tmp_path: Path, kind: str) -> None:
    """The register's numbers stay, FIDE's and FSI's go under their bodies; nobody and nothing is lost."""
    path, _ = written(CHESS, kind, tmp_path)
    office = init(str(tmp_path / "fresh.db"), author="T. Officer")
    found = import_list(office, path, ListName.STANDARD, CHESS.day)
    assert (found.rows, found.newcomers) == (9, 9)
    with office.store.reading() as connection:
        rows = read_canonical(canonical_text(connection, publications(office)[0])).rows
    assert rows == CHESS.rows
    assert verify(office).intact
    assert registered(office, 1).identifiers == (("fide", "800101"), ("fsi", "A-12"))
    assert registered(office, 3).identifiers == ()

    # the next list of the same source finds everybody again, by number and name
    next_list = PublishedList(ListName.STANDARD, date(2024, 4, 1), 13, "fide-2022", rows=CHESS.rows)
    path, _ = written(next_list, kind, tmp_path)
    again = import_list(office, path, ListName.STANDARD, next_list.day)
    assert (again.rows, again.newcomers, again.changed) == (9, 0, 0)
    office.close()


@pytest.mark.parametrize("kind", ["txt", "xml"])
def test_fides_layouts_keep_the_bodies_apart(tmp_path: Path, kind: str) -> None:
    path, _ = written(CHESS, kind, tmp_path)
    office = init(str(tmp_path / "fresh.db"), author="T. Officer")
    import_list(office, path, ListName.STANDARD, CHESS.day)
    with office.store.reading() as connection:
        rows = read_canonical(canonical_text(connection, publications(office)[0])).rows
    by_name = {row.name: row for row in rows}
    for row in rated(CHESS):
        numbers = tuple(pair for pair in row.identifiers if pair[0] == "fide")
        same = by_name[row.name]
        assert same == row._replace(player=same.player, identifiers=numbers)
    office.close()


@pytest.mark.parametrize("kind", ["txt", "xml"])
def test_an_office_takes_over_a_rapid_list_in_fides_layouts(tmp_path: Path, kind: str) -> None:
    """FIDE's file of one list has rating, games and K once, whichever list it is."""
    path, _ = written(replace(CHESS, on_list=ListName.RAPID), kind, tmp_path)
    office = init(str(tmp_path / "fresh.db"), author="T. Officer")
    import_list(office, path, ListName.RAPID, CHESS.day)
    with office.store.reading() as connection:
        rows = read_canonical(canonical_text(connection, publications(office)[0])).rows
    assert {row.name: (row.rating, row.games, row.k) for row in rows} == {
        row.name: (row.rating, row.games, row.k) for row in rated(CHESS)
    }
    office.close()


def test_a_number_of_another_office_is_no_player_of_ours(tmp_path: Path) -> None:
    """Number 3 is somebody else here: the listed player gets a number of this register."""
    office = init(str(tmp_path / "other.db"), author="T. Officer")
    for name in ("Uno, Anna", "Due, Bice", "Tre, Carla"):
        register_player(office, name)
    path, _ = written(CHESS, "csv", tmp_path)
    import_list(office, path, ListName.STANDARD, CHESS.day)
    assert registered(office, 3).name == "Tre, Carla"
    (kettunen,) = find_players(office, "Kettunen")
    assert kettunen.id > 3
    assert kettunen.identifiers == ()
    office.close()


def test_the_canonical_text_of_another_list_is_refused(tmp_path: Path) -> None:
    path, _ = written(CHESS, "canonical", tmp_path)
    office = init(str(tmp_path / "other.db"), author="T. Officer")
    with pytest.raises(BadInput, match="list-of-another"):
        import_list(office, path, ListName.RAPID, CHESS.day)
    with pytest.raises(BadInput, match="list-of-another"):
        import_list(office, path, ListName.STANDARD, date(2024, 4, 1))
    office.close()


def test_a_csv_of_ones_own_keeps_sex_titles_and_the_inactive(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "fide_id;nome;sesso;titolo;titolo_femminile;elo;inattivo\n"
        "9001;Rossi, Anna;F;FM;WGM;2050;x\n9002;Neri, Ugo;M;;;1900;\n"
    )
    assert [
        (row.id, row.sex, row.title, row.women_title, row.inactive) for row, _ in read_list_rows(path)
    ] == [
        (9001, "F", "FM", "WGM", True),
        (9002, "M", "", "", False),
    ]
