"""The season on a real office: every list verified from its bundle, and what the stories leave behind."""

import json
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from arpad.demo import people as register
from arpad.demo.build import Built, build
from arpad.demo.season import Season, season
from arpad.lists.canonical import read_canonical
from arpad.lists.compute_chess import compute_chess_list
from arpad.lists.published import PublishedList
from arpad.model.rules import DRAUGHTS_LISTS
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists.in_force import publications
from arpad.office.lists.rows import Publication
from arpad.office.office import open_office
from arpad.office.verify.acts import verify
from arpad.publishing.bundle import verify_bundle
from arpad.reports.formats.lists.fide_list import open_list
from tests.builders.office_fixtures import new_database
from tests.builders.published_lists import fide_rows, players_in
from tests.commands import refusal


@pytest.fixture(scope="module")
def built(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return what the command told of the demo, with a copy of the database and the shared lists."""
    document = json.loads((demo_folder.parent / "demo.json").read_text(encoding="utf-8"))
    assert (document["database"], document["lists"]) == (
        str(demo_folder / "office.db"),
        str(demo_folder / "lists"),
    )
    database = shutil.copy(demo_folder / "office.db", tmp_path_factory.mktemp("demo"))
    counts = (document[name] for name in ("players", "reports", "publications"))
    return Built(str(database), demo_folder / "lists", *counts)


@cache
def demo_season() -> Season:
    return season()


def published(built: Built, name: str) -> PublishedList:
    return read_canonical((built.lists / f"{name}.canonical.txt").read_bytes())


def publications_of(built: Built) -> tuple[Publication, ...]:
    with closing(open_office(built.database)) as office:
        return publications(office)


def test_the_contents_of_the_demo(built: Built) -> None:
    folder = built.lists.parent
    assert sorted(path.name for path in folder.iterdir()) == ["lists", "office.db", "office.db.signing-key"]
    assert (built.players, built.reports) == (120, 40)
    # three chess lists for 24 months, two draughts lists for four half-years, and two revisions
    assert built.publications == 3 * 24 + 2 * 4 + 2


@pytest.mark.deep
def test_the_office_and_every_bundle_are_intact(built: Built) -> None:
    with closing(open_office(built.database)) as office:
        assert verify(office).altered == ()
    for path in sorted(built.lists.glob("*.bundle.zip")):
        assert verify_bundle(path).altered == (), path.name


def test_files_and_rows_say_the_same(built: Built) -> None:
    for publication in publications_of(built):
        path = built.lists / f"{publication.list}-{publication.day}-r{publication.revision}.canonical.txt"
        if publication.kind == "published":
            assert sha256(path.read_bytes()).hexdigest() == publication.digest


def test_fides_files_are_read_back_to_the_list(built: Built) -> None:
    for name in ("standard-2025-01-01-r1", "standard-2024-09-01-r2", "blitz-2023-12-01-r1"):
        for suffix in ("txt", "xml"):
            with open_list(built.lists / f"{name}.{suffix}") as rows:
                assert list(rows) == fide_rows(published(built, name))


def test_the_correction_revises_two_lists_and_the_first_ones_stay(built: Built) -> None:
    revised = sorted(path.name for path in built.lists.glob("*-r2.bundle.zip"))
    assert revised == ["standard-2024-08-01-r2.bundle.zip", "standard-2024-09-01-r2.bundle.zip"]
    first, second = published(built, "standard-2024-08-01-r1"), published(built, "standard-2024-08-01-r2")
    assert (
        second.revises
        == sha256((built.lists / "standard-2024-08-01-r1.canonical.txt").read_bytes()).hexdigest()
    )
    before = {row.player: row.rating for row in first.rows}
    changed = [row.player for row in second.rows if row.rating != before[row.player]]
    assert len(changed) == 2  # the two players of the game that was turned round


def test_the_other_correction_leaves_its_lists_alone(built: Built) -> None:
    assert list(built.lists.glob("rapid-*-r2*")) == []
    kinds = [p.kind for p in publications_of(built) if p.list == "rapid"]
    assert kinds.count("base") == 1


def test_somebody_is_delisted_inactive_titled_without_rating(built: Built) -> None:
    (gone,) = players_in(published(built, "standard-2023-02-01-r1"), "delisted")
    person = demo_season().people[register.CHESS]
    assert (gone.name, gone.rating) == (person.name, None)
    assert players_in(published(built, "standard-2023-03-01-r1"), "delisted") == ()
    titled = {row.name for row in players_in(published(built, "blitz-2023-02-01-r1"), "titled-unrated")}
    assert {demo_season().people[key].name for key in (1, 2)} <= titled
    last = published(built, "standard-2025-01-01-r1")
    stopped = {p.name for p in demo_season().people.values() if p.stops == 6}
    assert stopped <= {row.name for row in last.rows if row.inactive}
    assert last.edition == "fide-2024-12"


def test_a_late_report_counts_on_the_next_open_list(built: Built) -> None:
    played = next(e for e in demo_season().events if e.key == "2023-giovani").players
    names = {demo_season().people[key].name for key in played if demo_season().people[key].rated}
    then, later = (published(built, f"standard-2023-{month}-01-r1") for month in ("10", "12"))
    assert not any(row.games for row in then.rows if row.name in names)
    assert sum(bool(row.games) for row in later.rows if row.name in names) > 5


def test_lists_are_chained(built: Built) -> None:
    one, other = "standard-2023-05-01-r1", "standard-2023-06-01-r1"
    digest = sha256((built.lists / f"{one}.canonical.txt").read_bytes()).hexdigest()
    assert published(built, other).previous == digest


def test_the_same_acts_give_the_same_bytes(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginning = tuple(act for act in demo_season().acts if act.day <= date(2023, 3, 1))
    short_season = replace(demo_season(), acts=beginning)
    monkeypatch.setattr("arpad.demo.build.season", lambda **_: short_season)
    monkeypatch.setattr("arpad.demo.build._shown", lambda _: frozenset())  # drawing a PDF takes long
    steps: list[tuple[int, int]] = []

    again = build(tmp_path / "again", progress=lambda done, total: steps.append((done, total)))

    texts = sorted(again.lists.glob("*.canonical.txt"))
    assert len(texts) == 6
    for path in texts:
        assert path.read_bytes() == (built.lists / path.name).read_bytes(), path.name
    assert steps == [(number, len(beginning)) for number in range(1, len(beginning) + 1)]
    assert [path.name for path in tmp_path.iterdir()] == ["again"]  # no temporary folder is left


@pytest.mark.deep
def test_postgresql_gives_the_same_bytes(
    built: Built, tmp_path: Path, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "demo"
    database = new_database(postgres_server)
    monkeypatch.setenv("ARPAD_SIGNING_KEY_FILE", str(tmp_path / "signing-key"))
    other = build(folder, database=database)
    names = sorted(path.name for path in built.lists.iterdir())
    assert names == sorted(path.name for path in other.lists.iterdir())
    for name in names:
        assert (other.lists / name).read_bytes() == (built.lists / name).read_bytes(), name
    with closing(open_office(database)) as office:
        assert verify(office).altered == ()
    assert [path.name for path in folder.iterdir()] == ["lists"]


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "something").write_text("else", encoding="utf-8")
    said = refusal(capsys, "demo", str(tmp_path), "--lang", "en")
    assert said == f"{tmp_path} is there already and not empty: a new or empty folder is needed"
    assert [path.name for path in tmp_path.iterdir()] == ["something"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "file" in refusal(capsys, "demo", str(tmp_path / "file" / "demo"), "--lang", "it")


@pytest.mark.deep
def test_every_chess_list_is_the_same_on_columns_and_the_readable_way(built: Built) -> None:
    on_columns = pytest.importorskip("arpad.lists.compute_fast", reason="the extra `scale` is not installed")
    compared = 0
    with closing(open_office(built.database)) as office, office.store.reading() as connection:
        for publication in publications_of(built):
            if publication.kind != "published" or publication.list in DRAUGHTS_LISTS:
                continue
            inputs = inputs_of(connection, publication)
            columns, readable = on_columns.compute_list_fast(inputs), compute_chess_list(inputs)
            assert columns.digest == readable.digest == publication.digest
            assert columns.standings_digest == readable.standings_digest == publication.standings_digest
            for part in ("states", "ratings", "movements", "entered", "delisted", "pending"):
                assert getattr(columns, part) == getattr(readable, part), (publication.name, part)
            compared += 1
    assert compared == 3 * 24 + 2
