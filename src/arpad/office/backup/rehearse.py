"""Rehearse a restore: bring a backup back into a scratch database, verify it, and compare it with the office."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from arpad.office.backup.acts import restore
from arpad.office.lists import rows as lists
from arpad.office.office import Office, open_office
from arpad.office.verify.acts import verify
from arpad.office.verify.lists import Progress
from arpad.publishing.verification import Verification
from arpad.store import ledger, tables
from arpad.store.database import scratch_database


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of an office by which two copies of it are compared."""

    acts: tuple[str, ...]
    """The digest of every act, the first one first."""

    lists: Mapping[str, str]
    """The digest of every list by its name."""

    reports: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A backup beside the office of today."""

    same_acts: int
    """How many acts both have, from the first one on."""

    missing_acts: int
    """Acts of the office that came after the backup."""

    other_acts: int
    """Acts of the backup that the office does not have."""

    missing_lists: tuple[str, ...]
    """Lists of the office that the backup does not have."""

    other_lists: tuple[str, ...]
    """Lists of the backup that the office does not have, or has with another digest."""

    missing_reports: int

    @property
    def same_office(self) -> bool:
        """Whether both begin with the same act."""
        return self.same_acts > 0

    @property
    def continues(self) -> bool:
        """Whether the office went on from the backup, and nothing of it is lost or changed since."""
        return self.same_office and not self.other_acts and not self.other_lists


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a rehearsal."""

    rows: Mapping[str, int]
    """The number of rows of each table that were restored."""

    verification: Verification
    comparison: Comparison | None
    """None if there was no office to compare with."""

    @property
    def serves(self) -> bool:
        """Whether the office could go on with this backup."""
        compared = self.comparison
        return self.verification.intact and (compared is None or compared.continues)


def rehearse(path: Path, office: Office | None = None, progress: Progress | None = None) -> Rehearsal:
    """Restore a backup where nobody uses it, verify it, compare it with an office, and leave nothing behind."""
    with scratch_database(office.store if office else None) as scratch:
        rows = restore(path, scratch)
        with closing(open_office(scratch)) as copy:
            verification = verify(copy, progress=progress)
            restored = contents(copy, rows["ledger"])  # without the act that migrated an older backup
    return Rehearsal(rows, verification, compare(restored, contents(office)) if office else None)


def contents(office: Office, acts: int | None = None) -> Contents:
    """Return the contents of an office at this moment, with its first ``acts`` acts or all."""
    with office.store.reading() as connection:
        return Contents(
            tuple(ledger.digests(connection))[:acts],
            {publication.name: publication.digest for publication in lists.ever_published(connection)},
            tables.count(connection, "reports"),
        )


def compare(restored: Contents, running: Contents) -> Comparison:
    """Return what a backup has and has not of an office."""
    same = 0
    for restored_act, running_act in zip(restored.acts, running.acts, strict=False):
        if restored_act != running_act:
            break
        same += 1
    return Comparison(
        same,
        len(running.acts) - same,
        len(restored.acts) - same,
        tuple(name for name in running.lists if name not in restored.lists),
        tuple(name for name, digest in restored.lists.items() if running.lists.get(name) != digest),
        max(0, running.reports - restored.reports),
    )
