"""``arpad office``: create an office, import a list, migrate the database, encrypt its secrets again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import naming_file, progress_bar
from arpad.cli.office.options import Reason, WriteOptions, clock, signed
from arpad.explain.words import Words, load_words
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among, parse_day
from arpad.office.features import ALL, ANSWERS, BOTH, GAMES, features_left_out
from arpad.regulations import OF_OWN_LISTS

if TYPE_CHECKING:
    import polars as pl

    from arpad.model.rules import ListName
    from arpad.office.imports.acts import Imported
    from arpad.office.office import Office


def init(
    options: WriteOptions,
    federation: Annotated[str, typer.Option(help="The federation's code, as ITA.")] = "",
    name: Annotated[str, typer.Option(help="The name of the publisher.")] = "",
    time_zone: Annotated[str, typer.Option(help="For days and deadlines.")] = "Europe/Rome",
    numbers: Annotated[
        list[str],
        typer.Option("--numbers", metavar="SCHEME", help="What players' numbers in reports are, as fide."),
    ] = [],  # noqa: B006  typer never changes it
    features: Annotated[
        str, typer.Option("--features", metavar="small|national|all", help="What the federation needs.")
    ] = ALL,
    games: Annotated[
        str, typer.Option("--games", metavar="chess|draughts|both", help="The games that it plays.")
    ] = BOTH,
    system: Annotated[
        str, typer.Option("--system", metavar="SYSTEM", help="Rating system of its own list, as icu.")
    ] = "",
    key_name: Annotated[
        str,
        typer.Option(
            "--key-name", metavar="NAME", help="The name in signed checkpoints; default: by --name."
        ),
    ] = "",
) -> None:
    """Create an office in an empty database, with the key that signs its ledger in a file beside it.

    On a terminal and without arguments it asks, and explains each question.

    Example: arpad office init --db new.db --federation ITA
    """
    if sys.argv[1:] == ["office", "init"] and sys.stdin.isatty() and sys.stdout.isatty():
        _guide(options)
        return
    from arpad.office.lists.acts import add_list
    from arpad.office.office import init as make
    from arpad.office.proof import signing_keys
    from arpad.proofs.signed_notes import new_signing_key
    from arpad.regulations.systems import system_named

    named = key_name or signing_keys.key_name(name, federation)
    key_made = new_signing_key(named)  # a name that no key can have is refused before the office is created
    if system:
        system_named(system, OF_OWN_LISTS)
    office = make(
        options.database, federation=federation, name=name, time_zone=time_zone, numbers=numbers,
        without=features_left_out(check_among(features, "features", ANSWERS), check_among(games, "games", GAMES)),
        now=clock(options.now), author=signed(options.author) or "office",
    )  # fmt: skip
    with closing(office):
        if system:
            add_list(office, system, system=system)
        public = signing_keys.make_first_key(office, named, key_made)
        file, where = signing_keys.key_file(office), office.store.address
    key = {"file": str(file), "public": public.text()} if public else None
    lines = [
        options.words.text("office.made", place=where),
        options.words.text("proof.key-made", place=str(file), key=public.text())
        if public
        else options.words.text("proof.no-key-place", variable=f"{signing_keys.VARIABLE}_FILE"),
        options.words.text("office.made-next", db=where),
    ]
    options.tell("\n".join(lines), "arpad.office-init/1", {"database": where, "key": key})


def _guide(options: WriteOptions) -> None:
    from arpad.cli.office import guided_setup

    answers = guided_setup.ask_all()
    words = load_words(answers.language)
    if not guided_setup.confirmed(words, answers):
        typer.echo(words.text("guided.cancelled"))
        return
    for line in guided_setup.set_up(answers, signed(options.author) or "office", clock(options.now)):
        typer.echo(line)


def import_list(
    options: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FIDE TXT, XML or CSV; for draughts a CSV.")],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The list's day.")],
    list_: Annotated[str, typer.Option("--list", metavar="LIST", help="The list.")] = "standard",
    last_event: Annotated[
        str | None,
        typer.Option(
            "--last-event", metavar="YYYY-MM-DD", help="Draughts: last event, if the list has none."
        ),
    ] = None,
    columns: Annotated[
        str, typer.Option("--columns", metavar="COLUMNS", help="As id=1-8,name=11-44, or fide-2004.")
    ] = "",
    *,
    preview: Annotated[bool, typer.Option("--preview", help="Only show what it would do.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    reason: Reason = "",
) -> None:
    """Take over a list that another office published.

    It shows first what it would do, and asks; --yes does it without asking. `take-back` undoes it.

    Example: arpad office import-list list.txt --list rapid --date 2018-05-01 --yes --db office.db
    """
    from arpad.office.imports.acts import import_document
    from arpad.office.imports.acts import import_list as take
    from arpad.reports.formats.lists.layouts import parse_columns

    words = options.words
    if not (preview or yes or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise BadInput("import-ask")
    arguments: dict[str, Any] = {
        "last_event": parse_day(last_event, "last-event") if last_event else None,
        "columns": parse_columns(columns) if columns else None,
    }
    with naming_file(file), options.acting() as office:
        on_list, day = _list_named(office, list_), parse_day(date, "date")
        if not yes:
            with progress_bar(words.text("report.reading")) as update:
                seen = take(
                    replace(office, rehearsing=True), file, on_list, day, progress=update, **arguments
                )
            if preview:
                options.tell(
                    "\n".join(preview_lines(seen, words)),
                    "arpad.office-import/1",
                    import_document(seen, kept=False),
                )
                return
            sys.stdout.write("\n".join(preview_lines(seen, words)) + "\n")
            if not seen.again and not typer.confirm(words.text("office.import-confirm"), default=False):
                sys.stdout.write(words.text("office.import-not") + "\n")
                return
        with progress_bar(words.text("report.reading")) as update:
            result = take(office, file, on_list, day, progress=update, reason=reason, **arguments)
    lines = preview_lines(result, words) if yes else []
    facts = {"rows": result.rows, "newcomers": result.newcomers, "changed": result.changed}
    lines.append(
        words.text("office.imported-again") if result.again else words.text("office.imported", **facts)
    )
    if result.no_federations:
        codes = ", ".join(result.no_federations)
        lines.append(words.text("office.imported-no-federations", codes=codes))
    if result.undated:
        lines.append(words.text("office.imported-undated", players=result.undated))
    options.tell("\n".join(lines), "arpad.office-import/1", import_document(result, kept=True))


FIRST_NAMES = 10


def _list_named(office: Office, name: str) -> ListName:
    from arpad.store.settings import list_named

    with office.store.reading() as connection:
        return list_named(connection, name)


def preview_lines(imported: Imported, words: Words) -> list[str]:
    """Return what an import does, a line for each kind, with the first names."""
    seen = imported.preview
    if seen is None:
        return [words.text("office.imported-again")]
    name = seen.before.name if seen.before else ""
    other = (
        [words.text("office.import-other-month", month=imported.other_month)] if imported.other_month else []
    )
    lines = [
        *other,
        _named("import-new", seen.new["name"].to_list(), words),
        _named("import-changed", list(dict.fromkeys(seen.changed["name"])), words),
    ]
    if seen.before is None:
        return lines
    lines.append(_named("import-leaving", _with_figures(seen.leaving, "rating"), words, list=name))
    key = "import-own-replaced" if seen.own else "import-replaced"
    return [*lines, _named(key, _with_figures(seen.replaced, "before", "after"), words, list=name)]


def _named(key: str, names: Sequence[str], words: Words, **facts: str) -> str:
    """Return a sentence with the number of players and the first names."""
    first = "; ".join(names[:FIRST_NAMES])  # a name has a comma of its own
    more = (
        words.text("office.import-more", players=len(names) - FIRST_NAMES) if len(names) > FIRST_NAMES else ""
    )
    sentence = words.text(f"office.{key}", players=len(names), **facts)
    return words.labelled(sentence, first + more) if first else sentence


def _with_figures(table: pl.DataFrame, *columns: str) -> Sequence[str]:
    return [
        f"{name} ({' → '.join(map(str, figures))})"
        for name, *figures in table.select("name", *columns).iter_rows()
    ]


def migrate(options: WriteOptions) -> None:
    """Bring an older database to the current schema."""
    from arpad.office.office import migrate as bring_up

    before, after = bring_up(
        options.database, now=clock(options.now), author=signed(options.author) or "office"
    )
    key = "office.migrated" if before != after else "office.migrated-before"
    sentence = options.words.text(key, before=before, after=after)
    options.tell(sentence, "arpad.office-migrate/1", {"before": before, "after": after})


def rotate_key(options: WriteOptions) -> None:
    """Encrypt the secrets of all second factors with a new key.

    The key file gets a new key. Keys in ARPAD_KEY are changed there first, the new one before the old one.
    """
    from arpad.office.accounts.keys import rotate_key as rotate

    with options.acting() as office:
        count = rotate(office)
    sentence = options.words.text("office.key-rotated", secrets=count)
    options.tell(sentence, "arpad.office-rotate-key/1", {"secrets": count})
