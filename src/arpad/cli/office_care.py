"""``arpad office``: verifying, the ledger, backup and restore, export, migration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.face import Json, Lang, console, print_json, reader, table
from arpad.cli.office_desk import Author, Db, Now, clock, opened, place, signed, tell
from arpad.explain import Words

if TYPE_CHECKING:
    from arpad.office import Verified


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    for command in (verify, ledger, backup, restore, export, migrate):
        app.command()(command)


def verify(
    bundle: Annotated[
        Path | None, typer.Argument(metavar="BUNDLE", help="A list's bundle; without it, the office itself.")
    ] = None,
    db: Db = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Digests only; do not compute the lists again.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Prove that nothing was altered: 0 intact, 1 altered and where, 2 unreadable.

    Example: arpad office verify standard-2018-05-01-r1.bundle.zip
    """
    say = reader(lang)
    found = _verified(bundle, db, say, quick=quick)
    places = [say.text(f"altered.{place.code}", **place.facts) for place in found.altered]
    if json:
        told = [
            {"code": item.code, "facts": dict(item.facts), "message": sentence}
            for item, sentence in zip(found.altered, places, strict=True)
        ]
        document: dict[str, Any] = {"intact": found.intact, "altered": told, "counted": dict(found.counted)}
        print_json("arpad.office-verify/1", document)
    elif found.intact:
        key = "office.bundle-intact" if bundle is not None else "office.intact"
        sys.stdout.write(say.text(key, **found.counted) + "\n")
    else:
        for sentence in places:
            sys.stdout.write(f"{say.text('office.altered')}: {sentence}\n")
    return int(not found.intact)


def _verified(bundle: Path | None, db: str | None, say: Words, *, quick: bool) -> Verified:
    from arpad.office import verify as prove
    from arpad.office import verify_bundle

    if bundle is not None:
        return verify_bundle(bundle)
    with opened(db, say) as office:
        return prove(office, recompute=not quick)


def ledger(
    since: Annotated[int, typer.Option("--since", metavar="N", help="From this act on.")] = 1,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Every act: who, when, what and why."""
    from arpad.office import ledger as acts

    say = reader(lang)
    with opened(db, say) as office:
        found = acts(office, since)
    if json:
        told = [
            {
                "seq": act.seq, "at": act.at, "author": act.author, "verb": act.verb, "details": act.facts,
                "reason": act.reason, "previous": act.previous, "digest": act.digest,
            }
            for act in found
        ]  # fmt: skip
        print_json("arpad.office-ledger/1", {"acts": told})
        return
    columns = [("", "right")]
    columns += [
        (say.text(f"column.{name}"), "left") for name in ("at", "author", "verb", "reason", "details")
    ]
    rows = [(str(a.seq), a.at, a.author, a.verb, a.reason, a.details[:80]) for a in found]
    console().print(table(columns, rows))


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Everything into one file, while work goes on."""
    from arpad.office import backup as save

    say = reader(lang)
    with opened(db, say) as office:
        rows = save(office, file)
    told = say.text("office.written", path=str(file), rows=sum(rows.values()))
    tell(told, "arpad.office-backup/1", {"file": str(file), "rows": rows}, json=json)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Make the office of a backup in an empty database, of either kind."""
    from arpad.office import restore as bring_back

    say = reader(lang)
    where = place(db, say)
    rows = bring_back(file, where)
    told = say.text("office.written", path=where, rows=sum(rows.values()))
    tell(told, "arpad.office-restore/1", {"rows": rows}, json=json)


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Everything in open formats: CSV, and the reports as they came."""
    from arpad.office import export as write_out

    say = reader(lang)
    with opened(db, say) as office:
        rows = write_out(office, folder)
    told = say.text("office.written", path=str(folder), rows=sum(rows.values()))
    tell(told, "arpad.office-export/1", {"folder": str(folder), "rows": rows}, json=json)


def migrate(
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Bring an older database to the present schema."""
    from arpad.office import migrate as bring_up

    say = reader(lang)
    before, after = bring_up(place(db, say), now=clock(now), author=signed(author) or "office")
    told = say.text("office.migrated", before=before, after=after)
    tell(told, "arpad.office-migrate/1", {"before": before, "after": after}, json=json)


@contextmanager
def counting(say: Words) -> Iterator[Callable[[int], None] | None]:
    """A count on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    with Progress(
        SpinnerColumn(), TextColumn("{task.description} {task.completed}"), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task(say.text("report.reading"), total=None)
        yield lambda rows: bar.update(task, completed=rows)
