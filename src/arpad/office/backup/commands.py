"""``arpad office restore`` and ``rehearse``: bring a backup back, or try it before that is needed."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import print_json, progress_bar
from arpad.cli.office.options import ReadOptions
from arpad.model.declared import document

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.backup.rehearse import Comparison, Rehearsal


def rehearse(
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup.")],
    *,
    alone: Annotated[
        bool, typer.Option("--alone", help="Do not compare it with the office, which may be lost.")
    ] = False,
    options: ReadOptions,
) -> int:
    """Try a backup: restore it into a scratch database, verify it, compare it with the office.

    Nothing is left behind. Exit status: 0 the backup would serve, 1 it would not, 2 unreadable.

    Example: arpad office rehearse backup.zip --db office.db
    """
    from arpad.office.backup.rehearse import rehearse as try_out

    words = options.words
    with ExitStack() as stack:
        office = None if alone else stack.enter_context(options.opened())
        with progress_bar(words.text("office.verifying")) as update:
            result = try_out(file, office, update)
    if options.json:
        print_json("arpad.office-rehearsal/1", _document(result))
    else:
        sys.stdout.write("\n".join(rehearsal_lines(result, words)) + "\n")
    return int(not result.serves)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    options: ReadOptions,
) -> None:
    """Restore a backup into an empty database.

    The database may be SQLite or PostgreSQL. A backup of an older version is migrated.
    """
    from arpad.office.backup.acts import restore as bring_back

    rows = bring_back(file, options.database)
    sentence = options.words.text("office.written", path=options.database, rows=sum(rows.values()))
    options.tell(sentence, "arpad.office-restore/1", {"rows": rows})


def rehearsal_lines(result: Rehearsal, words: Words) -> list[str]:
    """Return the report of a rehearsal in words."""
    lines = [words.text("rehearsal.restored", rows=sum(result.rows.values()))]
    if result.verification.intact:
        lines.append(words.text("office.intact", **result.verification.counted))
    lines += [
        f"{words.text('office.altered')}: {words.text(f'altered.{item.code}', **item.facts)}"
        for item in result.verification.altered
    ]
    if result.comparison is not None:
        lines += _compared(result.comparison, words)
    return [*lines, words.text("rehearsal.serves" if result.serves else "rehearsal.serves-not")]


def _compared(compared: Comparison, words: Words) -> list[str]:
    if not compared.same_office:
        return [words.text("rehearsal.other-office")]
    lines = []
    if compared.other_acts:
        lines.append(words.text("rehearsal.other-acts", acts=compared.other_acts, last=compared.same_acts))
    if compared.other_lists:
        lines.append(words.text("rehearsal.other-lists", names=", ".join(compared.other_lists)))
    if compared.missing_acts:
        lines.append(
            words.text(
                "rehearsal.missing", acts=compared.missing_acts, reports=compared.missing_reports,
                lists=len(compared.missing_lists),
            )
        )  # fmt: skip
        lines += [words.text("rehearsal.missing-list", name=name) for name in compared.missing_lists]
    elif compared.continues:
        lines.append(words.text("rehearsal.same"))
    return lines


def _document(result: Rehearsal) -> Any:
    about = {"serves": result.serves, "rows": result.rows, "altered": result.verification.altered}
    if (compared := result.comparison) is not None:
        about["compared"] = {**document(compared), "continues": compared.continues}
    return document(about)


COMMANDS = {"restore": restore, "rehearse": rehearse}
