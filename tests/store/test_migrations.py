"""Migrations: offices and backups of every release, and databases that no release made."""

import ast
import json
import lzma
import zipfile
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import text
from tools import freeze_schema

from arpad.model.errors import Unreadable
from arpad.office.backup.acts import backup, restore
from arpad.office.backup.rehearse import rehearse
from arpad.office.office import Office
from arpad.office.proof.signing_keys import public_keys
from arpad.office.verify.acts import verify
from arpad.proofs.checked_proofs import checked_proof, parse_proof
from arpad.publishing.bundle import verify_bundle
from arpad.store.database import open_store
from arpad.store.declared_tables import whole_schema
from arpad.store.fingerprint import fingerprint, known_fingerprints, stored_schema, upgrade
from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk
from tests.builders.verbs import ledger, open_office, publications
from tests.builders.verbs import migrate as office_migrate
from tests.store.release_files import (
    BACKUP,
    BUNDLE,
    KEY,
    MIGRATIONS,
    MOST_BYTES,
    OFFICE,
    RAPID,
    RECEIPT,
    RELEASES,
    SUMS,
    migrations,
)

ALL_RELEASES = sorted(path for path in RELEASES.iterdir() if path.is_dir())
of_every_release = pytest.mark.parametrize("release", ALL_RELEASES, ids=lambda path: path.name)
LATER = Clock(date(2018, 7, 1))


# ------------------------------------------------------------------------------------------------- the migrations


def test_the_first_migration_imports_nothing_of_ours() -> None:
    tree = ast.parse((MIGRATIONS / "0001_initial.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports] == ["from alembic import op"]


@pytest.mark.skipif(len(migrations()) > 1, reason="a later migration changes the schema")
def test_the_first_migration_is_written_from_the_schema() -> None:
    """If it fails: run tools/freeze_schema.py, as long as 0.1.0 is not released."""
    assert (MIGRATIONS / "0001_initial.py").read_text(encoding="utf-8") == freeze_schema.first_migration()


def test_all_migrations_together_create_the_live_schema(place: str) -> None:
    store = open_store(place, create=True)
    with store.writing() as connection:
        upgrade(connection)
        assert fingerprint(stored_schema(connection)) == fingerprint(whole_schema())
    store.engine.dispose()
    assert list(known_fingerprints()) == [path.name[:4] for path in migrations()]
    assert known_fingerprints()[max(known_fingerprints())] == fingerprint(whole_schema())


@of_every_release
def test_a_released_migration_is_never_changed(release: Path) -> None:
    recorded = [line.split() for line in (release / SUMS).read_text(encoding="ascii").splitlines()]
    assert recorded
    for digest, name in recorded:
        assert sha256((MIGRATIONS / name).read_bytes()).hexdigest() == digest, name


# ------------------------------------------------------------------------------------- offices of earlier releases


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the key with which the offices sign."""
    monkeypatch.setenv("ARPAD_SIGNING_KEY", KEY.text())


def migrate(place: str) -> None:
    """Migrate an office; it is an act if its schema was an older one."""
    before, after = office_migrate(place, now=LATER)
    assert after == max(known_fingerprints())
    with closing(open_office(place)) as office:
        assert (ledger(office)[-1].verb == "migrate") == (before != after)


def check_office(office: Office, folder: Path) -> None:
    """Check that an office of a release is intact and goes on: a report comes, and a list."""
    checked = verify(office)
    assert checked.altered == ()
    assert len({publication.list for publication in publications(office)}) >= 3
    desk = Desk(office, Clock(LATER.day), folder, office.store.address)
    before = desk.rating(1, LATER.day, RAPID)
    desk.report(event("After", WIN, LATER.day, time_control="15 min + 10 sec per move"))
    desk.publish(date(2018, 8, 1), RAPID, special="late")
    assert (desk.rating(1, date(2018, 8, 1), RAPID) or 0) > (before or 0)
    assert verify(office).altered == ()


@of_every_release
def test_the_office_of_a_release_is_migrated(release: Path, tmp_path: Path, key: None) -> None:
    path = tmp_path / "office.db"
    path.touch(mode=0o600)
    path.write_bytes(lzma.decompress((release / OFFICE).read_bytes()))

    migrate(str(path))

    with closing(open_office(str(path), now=LATER, author="B")) as office:
        check_office(office, tmp_path)


@of_every_release
def test_the_office_of_a_release_is_migrated_on_either_database(
    release: Path, place: str, tmp_path: Path, key: None
) -> None:
    restore(release / BACKUP, place, migrating=False)

    migrate(place)

    with closing(open_office(place, now=LATER, author="B")) as office:
        check_office(office, tmp_path)


@of_every_release
def test_the_backup_of_a_release_is_restored(release: Path, place: str, tmp_path: Path, key: None) -> None:
    restore(release / BACKUP, place, now=LATER)

    with closing(open_office(place, now=LATER, author="B")) as office:
        assert rehearse(release / BACKUP, office).serves
        check_office(office, tmp_path)


@of_every_release
def test_bundle_and_receipt_of_a_release_are_verified(release: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "rapid-2018-04-01-r1.bundle.zip"
    bundle.write_bytes((release / BUNDLE).read_bytes())
    assert verify_bundle(bundle).intact
    restore(release / BACKUP, str(tmp_path / "office.db"))
    with (
        closing(open_office(str(tmp_path / "office.db"))) as office,
        office.store.reading() as connection,
    ):
        keys = public_keys(connection)
    proof = parse_proof(json.loads((release / RECEIPT).read_text(encoding="utf-8")))
    assert checked_proof(proof, keys, None).holds


@of_every_release
def test_the_files_of_a_release_are_small(release: Path) -> None:
    assert sum(path.stat().st_size for path in release.iterdir()) < MOST_BYTES


# ------------------------------------------------------------------------------------------ databases of no release


def changed(desk: Desk, *statements: str) -> str:
    """Change the schema of an office by hand, and close it; return its address."""
    with desk.office.store.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    desk.office.close()
    return desk.place


def refusals(place: str) -> set[str]:
    """Return the codes with which an office is refused when it is opened and migrated."""
    codes = set()
    for act in (lambda: open_office(place), lambda: office_migrate(place, now=LATER)):
        with pytest.raises(Unreadable) as refused:
            act()
        codes.add(refused.value.code)
    return codes


def test_a_database_of_a_development_version_is_refused(out: Desk) -> None:
    """It had a higher number and no fingerprint: it is not newer."""
    place = changed(
        out,
        "ALTER TABLE alembic_version DROP COLUMN fingerprint",
        "UPDATE alembic_version SET version_num = '0010'",
    )
    assert refusals(place) == {"database-foreign"}


def test_a_database_with_the_number_of_a_release_but_other_tables_is_refused(out: Desk) -> None:
    place = changed(out, "ALTER TABLE alembic_version DROP COLUMN fingerprint", "DROP TABLE column_parts")
    assert refusals(place) == {"database-foreign"}


def test_a_database_with_the_fingerprint_of_another_schema_is_refused(out: Desk) -> None:
    place = changed(out, "UPDATE alembic_version SET fingerprint = 'another'")
    assert refusals(place) == {"database-foreign"}


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("DROP TABLE column_parts", "column_parts"),
        ("ALTER TABLE jobs ADD COLUMN colour TEXT", "jobs"),
        ("DROP INDEX ix_jobs_due", "jobs"),
        ("CREATE TABLE visitors (id INTEGER)", "visitors"),
    ],
)
def test_a_half_made_database_is_refused_with_its_table(out: Desk, statement: str, table: str) -> None:
    place = changed(out, statement)
    with closing(open_office(place)) as office, pytest.raises(Unreadable) as refused:
        verify(office)
    assert (refused.value.code, refused.value.facts["tables"]) == ("database-tables", table)
    with pytest.raises(Unreadable, match="database-tables"):
        office_migrate(place, now=LATER)


@pytest.mark.parametrize("fingerprints", [{}, {"fingerprint": "0" * 64}])
def test_a_backup_of_a_development_version_is_refused(
    sqlite_desk: Desk, tmp_path: Path, fingerprints: dict[str, str]
) -> None:
    backup(sqlite_desk.office, tmp_path / "now.zip")
    with zipfile.ZipFile(tmp_path / "now.zip") as old, zipfile.ZipFile(tmp_path / "old.zip", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "manifest.json":
                manifest = json.loads(data)
                del manifest["fingerprint"]
                data = json.dumps({**manifest, **fingerprints}).encode()
            new.writestr(name, data)
    with pytest.raises(Unreadable, match="database-foreign"):
        restore(tmp_path / "old.zip", str(tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()
