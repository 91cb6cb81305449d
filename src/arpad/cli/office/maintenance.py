"""``arpad office``: verify, backup, restore, export, migrate, rotate-key."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import console, print_json
from arpad.cli.office.options import ReadOptions, WriteOptions, clock, signed

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.publishing.verification import Verification


def verify(
    bundle: Annotated[
        Path | None, typer.Argument(metavar="BUNDLE", help="A list's bundle; without it, the office itself.")
    ] = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Digests only; do not compute the lists again.")
    ] = False,
    since: Annotated[
        int, typer.Option("--since", metavar="ACT", min=0, help="Rely on everything up to this act.")
    ] = 0,
    look: ReadOptions,
) -> int:
    """Verify that nothing was altered. Exit status: 0 intact, 1 altered, 2 unreadable.

    Example: arpad office verify standard-2018-05-01-r1.bundle.zip
    """
    words = look.words
    result = _verified(bundle, look, quick=quick, since=since)
    places = [words.text(f"altered.{item.code}", **item.facts) for item in result.altered]
    if look.json:
        _print_document(result, places, office=bundle is None, quick=quick, since=since)
        return int(not result.intact)
    if result.intact:
        key = "office.bundle-intact" if bundle is not None else "office.intact"
        sys.stdout.write(words.text(key, **result.counted) + "\n")
        if result.whole_digest:
            left_off = result.counted["left_off"]
            told_of = words.text("office.bundle-left-off", players=left_off, digest=result.whole_digest)
            sys.stdout.write(told_of + "\n")
    for sentence in places:
        sys.stdout.write(words.labelled(words.text("office.altered"), sentence) + "\n")
    for item in result.erased:
        sys.stdout.write(words.text("office.erased-player", **item.facts) + "\n")
    if bundle is None:
        _print_coverage(result, words, quick=quick, since=since)
    return int(not result.intact)


def _print_document(
    result: Verification, sentences: list[str], *, office: bool, quick: bool, since: int
) -> None:
    """Print a verification as JSON."""
    document: dict[str, Any] = {
        "intact": result.intact,
        "altered": [
            {"code": item.code, "facts": dict(item.facts), "message": sentence}
            for item, sentence in zip(result.altered, sentences, strict=True)
        ],
        "counted": dict(result.counted),
    }
    if result.whole_digest:
        document["whole_digest"] = result.whole_digest
    if office:
        # a bundle is verified without a database
        from arpad.store.declared_tables import derived_tables, not_covered, proved_tables

        document["covered"] = {
            "since": since,
            "proved": sorted(proved_tables()),
            "derived": [] if quick else sorted(derived_tables()),
            "not_covered": list(not_covered()),
        }
        if result.uncompared is not None:
            document["uncompared"] = asdict(result.uncompared)
        document["stale"] = [{"code": item.code, "facts": dict(item.facts)} for item in result.stale]
        document["entered_later"] = [dict(item.facts) for item in result.later]
    if result.erased:
        document["erased"] = [{**item.facts, "day": str(item.facts["day"])} for item in result.erased]
    print_json("arpad.office-verify/1", document)


def _print_coverage(result: Verification, words: Words, *, quick: bool, since: int) -> None:
    """Print what the verification of an office covers, and what it does not."""
    from arpad.store.declared_tables import not_covered

    lines = [words.text("office.covers-since" if since else "office.covers", act=since)]
    if not quick and all(item.code == "row-derived" for item in result.altered):
        lines.append(words.text("office.covers-derived"))
    lines += [words.text(f"office.{item.code}", **item.facts) for item in (*result.later, *result.stale)]
    lines.append(words.text("office.covers-not", names=", ".join(not_covered())))
    if absent := result.uncompared:
        names = {"tables": ", ".join(absent.tables), "verbs": ", ".join(absent.verbs) or "–"}
        lines.append(words.text("office.covers-not-here", **names))
    for line in lines:
        console().print(line)


def _verified(bundle: Path | None, look: ReadOptions, *, quick: bool, since: int) -> Verification:
    if bundle is not None:
        from arpad.publishing.bundle import verify_bundle  # needs no database

        return verify_bundle(bundle)
    from arpad.office.verify.acts import verify as prove

    with look.opened() as office, progress.bar(look.words.text("office.verifying")) as update:
        return prove(office, recompute=not quick, since=since, progress=update)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    look: ReadOptions,
) -> None:
    """Write everything into one file, while work goes on."""
    from arpad.office.backup.acts import backup as save

    with look.opened() as office:
        rows = save(office, file)
    sentence = look.words.text("office.written", path=str(file), rows=sum(rows.values()))
    look.tell(sentence, "arpad.office-backup/1", {"file": str(file), "rows": rows})


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    look: ReadOptions,
) -> None:
    """Restore a backup into an empty database.

    The database may be SQLite or PostgreSQL. A backup of an older version is migrated.
    """
    from arpad.office.backup.acts import restore as bring_back

    rows = bring_back(file, look.database)
    sentence = look.words.text("office.written", path=look.database, rows=sum(rows.values()))
    look.tell(sentence, "arpad.office-restore/1", {"rows": rows})


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
    look: ReadOptions,
) -> None:
    """Write everything as CSV, and the reports as received."""
    from arpad.office.backup.acts import export as write_out

    with look.opened() as office:
        rows = write_out(office, folder)
    sentence = look.words.text("office.written", path=str(folder), rows=sum(rows.values()))
    look.tell(sentence, "arpad.office-export/1", {"folder": str(folder), "rows": rows})


def migrate(desk: WriteOptions) -> None:
    """Bring an older database to the current schema."""
    from arpad.office.office import migrate as bring_up

    before, after = bring_up(desk.database, now=clock(desk.now), author=signed(desk.author) or "office")
    key = "office.migrated" if before != after else "office.migrated-before"
    sentence = desk.words.text(key, before=before, after=after)
    desk.tell(sentence, "arpad.office-migrate/1", {"before": before, "after": after})


def rotate_key(desk: WriteOptions) -> None:
    """Encrypt the secrets of all second factors with a new key.

    The key file gets a new key. Keys in ARPAD_KEY are changed there first, the new one before the old one.
    """
    from arpad.office.accounts.keys import rotate_key as rotate

    with desk.acting() as office:
        count = rotate(office)
    sentence = desk.words.text("office.key-rotated", secrets=count)
    desk.tell(sentence, "arpad.office-rotate-key/1", {"secrets": count})
