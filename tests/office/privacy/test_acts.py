"""A player who asked not to be shown is in no file made after the request, and the lists can still be proved."""

import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from arpad.lists.canonical import read_canonical
from arpad.model.rules import ListName
from arpad.office.lists.history_rows import canonical_text, public_list
from arpad.office.lists.rows import Publication
from arpad.office.privacy.acts import hide_player, show_player
from arpad.office.rankings.files import public_bundle_of
from arpad.publishing.bundle import verify_bundle
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_lists import ITALIANA, begin, played, standing
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import change_player, draft, publish, rewrite_files, take_back, verify
from tests.commands import run, run_json

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
ROUND = """
1 2000 | 2w1 3b=
2 1900 | 1b0 4w1
3 1900 | 4w= 1w=
4 1800 | 3b= 2b0
"""


def round_of(name: str, first: date, last: date, *, secret: bool = True) -> Report:
    """A report that calls player 2 by name and day of birth."""
    report = event(name, ROUND, first, last)
    if not secret:
        return report
    entrant = replace(report.entrants[1], name="Segreta, Anna", born=date(1990, 5, 4))
    return replace(report, entrants=(report.entrants[0], entrant, *report.entrants[2:]))


def worked(desk: Desk) -> Publication:
    """An office with the list of February, on which player 2 stands."""
    desk.list(JAN, *(listed(n, rating) for n, rating in ((1, 2000), (2, 1900), (3, 1900), (4, 1800))))
    change_player(
        desk.office, 2, since=JAN, set_={"name": "Segreta, Anna", "born": "1990-05-04"}, reason="card"
    )
    desk.report(round_of("Open", date(2018, 1, 10), date(2018, 1, 11)))
    desk.on(FEB)
    return publish(desk.office, STANDARD, FEB, desk.folder / "lists")


def names_nobody(data: bytes) -> bool:
    """Whether neither name, nor number, nor birth of player 2 is in a file, or in the files of an archive."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return all(names_nobody(archive.read(name)) for name in archive.namelist())
    return not re.search(rb"Segreta|Player 2|(?<![0-9a-f])(9002|1990)(?![0-9a-f])", data)


@DEEP_ON_POSTGRESQL
def test_every_file_made_after_the_request_leaves_the_player_off(desk: Desk) -> None:
    publication = worked(desk)
    before = {path.name for path in (desk.folder / "lists").iterdir()}
    assert not names_nobody((desk.folder / "lists" / f"{publication.name}.csv").read_bytes())
    hide_player(desk.office, 2, reason="asked in writing")

    publish(desk.office, STANDARD, FEB, desk.folder / "again")
    made = {path.name: path for path in (desk.folder / "again").iterdir()}
    assert made.keys() == before
    for name, path in made.items():
        if name.endswith(".bundle.zip"):
            assert verify_bundle(path).intact  # the office's own
        elif not name.endswith(".pdf"):
            assert names_nobody(path.read_bytes()), name
    assert verify(desk.office).intact


def test_the_public_text_says_what_is_left_off(sqlite_desk: Desk) -> None:
    publication = worked(sqlite_desk)
    hide_player(sqlite_desk.office, 2, reason="asked in writing")
    with sqlite_desk.office.store.reading() as connection:
        whole, public = canonical_text(connection, publication), public_list(connection, publication).text
    found = read_canonical(public)
    assert (found.left_off, found.whole_digest) == (1, publication.digest)
    assert [row.player for row in found.rows] == [1, 3, 4]
    assert sha256(whole).hexdigest() == publication.digest
    assert set(public.split(b"\n")[14:]) < set(whole.split(b"\n"))


def test_the_public_bundle_has_a_stand_in_and_is_verified(
    sqlite_desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publication = worked(sqlite_desk)
    hide_player(sqlite_desk.office, 2, reason="asked in writing")
    with sqlite_desk.office.store.reading() as connection:
        data = public_bundle_of(connection, publication)
    assert names_nobody(data)
    path = tmp_path / "public.zip"
    path.write_bytes(data)
    found = verify_bundle(path)
    assert found.intact
    assert (found.counted["left_off"], found.whole_digest) == (1, publication.digest)
    with zipfile.ZipFile(path) as archive:
        period = json.loads(archive.read("period.json"))
        entrants = json.loads(archive.read("events/1.json"))["players"]
        assert entrants == [1, 5, 3, 4]  # the first number beyond the register
        assert period["hidden"] == [5]
        assert b"5\t1900" in next(archive.read(n) for n in archive.namelist() if n.startswith("lists/"))
    told = run(capsys, "office", "verify", str(path), "--lang", "en")[1]
    assert "1 player is left out" in told
    assert publication.digest in told
    assert run_json(capsys, "office", "verify", str(path))["whole_digest"] == publication.digest


def test_a_list_made_after_the_request_never_had_the_player(desk: Desk) -> None:
    """Computed and used for the opponents, as a player whom a federation leaves out; and shown again when they wish."""
    worked(desk)
    hide_player(desk.office, 2, reason="asked in writing")
    desk.report(round_of("Second", date(2018, 2, 10), date(2018, 2, 11)))
    desk.on(MAR)
    publication = publish(desk.office, STANDARD, MAR, desk.folder / "lists", kinds=("canonical",))
    with desk.office.store.reading() as connection:
        assert names_nobody(canonical_text(connection, publication))
    assert desk.rating(2, MAR) is not None
    show_player(desk.office, 2, reason="wants to be shown")
    assert verify(desk.office).intact
    rows = draft(desk.office, STANDARD, date(2018, 4, 1)).result.published.rows
    assert 2 in {row.player for row in rows}


def test_draughts_lists_have_stand_ins_too(sqlite_desk: Desk, tmp_path: Path) -> None:
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    played(desk, "Gara", "1 0 | 2w=\n2 0 | 1b=", date(2018, 3, 10))
    desk.on(date(2018, 3, 31))
    publication = publish(desk.office, ITALIANA, date(2018, 3, 31))
    hide_player(desk.office, 2, reason="asked in writing")
    with desk.office.store.reading() as connection:
        data = public_bundle_of(connection, publication)
    assert names_nobody(data)
    (tmp_path / "public.zip").write_bytes(data)
    assert verify_bundle(tmp_path / "public.zip").intact
    assert publication.list == ListName.ITALIANA


def test_the_command_hides_and_clears_the_files_of_a_folder(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A federation of which only the hidden player stood on the list has no file any more."""
    desk = sqlite_desk
    desk.list(JAN, *(listed(n, rating) for n, rating in ((1, 2000), (2, 1900), (3, 1900), (4, 1800))))
    change_player(
        desk.office, 2, since=JAN, set_={"name": "Segreta, Anna", "federation": "FIN"}, reason="card"
    )
    desk.report(round_of("Open", date(2018, 1, 10), date(2018, 1, 11)))
    desk.on(FEB)
    out = desk.folder / "lists"
    publish(desk.office, STANDARD, FEB, out, kinds=("canonical", "csv", "sections"))
    assert (out / "standard-2018-02-01-r1-federation-FIN.csv").exists()
    monkeypatch.setenv("ARPAD_DB", desk.place)
    assert run_json(capsys, "office", "privacy", "hide", "2", "--reason", "asked")["hidden"]
    found = run_json(capsys, "office", "privacy", "files", str(out))
    assert found["files"]
    for path in out.iterdir():
        assert path.name.endswith(".bundle.zip") or names_nobody(path.read_bytes()), path.name
    assert not (out / "standard-2018-02-01-r1-federation-FIN.csv").exists()
    run_json(capsys, "office", "privacy", "show", "2", "--reason", "asked again")
    run_json(capsys, "office", "privacy", "files", str(out))
    assert b"Segreta" in (out / "standard-2018-02-01-r1.csv").read_bytes()


@pytest.mark.parametrize("away", [False, True])
def test_the_public_bundle_tells_nothing_private_that_was_stated_of_a_player(
    sqlite_desk: Desk, away: bool, tmp_path: Path
) -> None:
    """A birth, a death and a FIDE ID in facts by decision: the list is computed without them."""
    desk = sqlite_desk
    desk.list(JAN, *(listed(n, rating) for n, rating in ((1, 2000), (2, 1900), (3, 1900), (4, 1800))))
    report = desk.report(round_of("Open", date(2018, 1, 10), date(2018, 1, 11), secret=False))
    stated = {
        "players.9002.born": "1990-05-04", "players.9002.norm": "yes", "players.9003.born": "1991-06-07",
        "players.9003.died": "2018-01-20",
    }  # fmt: skip
    decide(desk.office, "fact", report=report, reason="cards", facts=stated)
    publication = desk.publish(FEB)
    if away:
        hide_player(desk.office, 2, reason="asked in writing")
    with desk.office.store.reading() as connection:
        data = public_bundle_of(connection, publication)
    (tmp_path / "public.zip").write_bytes(data)
    assert verify_bundle(tmp_path / "public.zip").intact
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        told = b"".join(archive.read(name) for name in archive.namelist())
    assert not re.search(rb"1990-05-04|1991-06-07|2018-01-20", told)
    assert names_nobody(data) or not away


def test_the_files_of_a_list_taken_back_are_written_anew_too(sqlite_desk: Desk) -> None:
    publication = worked(sqlite_desk)
    take_back(sqlite_desk.office, STANDARD, FEB, reason="a mistake")
    hide_player(sqlite_desk.office, 2, reason="asked in writing")
    folder = sqlite_desk.folder / "lists"
    rewrite_files(sqlite_desk.office, folder)
    assert names_nobody((folder / f"{publication.name}.csv").read_bytes())
