"""``arpad office verify``: of the office, or of a bundle without a database; the exit status says the result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, progress_bar
from arpad.cli.office.options import QueryOptions
from arpad.model.declared import document

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
    look: QueryOptions,
) -> int:
    """Verify that nothing was altered. Exit status: 0 intact, 1 altered, 2 unreadable.

    Example: arpad office verify standard-2018-05-01-r1.bundle.zip
    """
    words = look.words
    result = _verified(bundle, look, quick=quick, since=since)
    if look.json:
        print_json(
            "arpad.office-verify/1", _document(result, words, office=bundle is None, quick=quick, since=since)
        )
        return int(not result.intact)
    if result.intact:
        key = "office.bundle-intact" if bundle is not None else "office.intact"
        sys.stdout.write(words.text(key, **result.counted) + "\n")
        if result.whole_digest:
            left_off = result.counted["left_off"]
            told_of = words.text("office.bundle-left-off", players=left_off, digest=result.whole_digest)
            sys.stdout.write(told_of + "\n")
    for item in result.altered:
        sentence = words.text(f"altered.{item.code}", **item.facts)
        sys.stdout.write(words.labelled(words.text("office.altered"), sentence) + "\n")
    for item in result.erased:
        sys.stdout.write(words.text("office.erased-player", **item.facts) + "\n")
    if bundle is None:
        _print_coverage(result, words, quick=quick, since=since)
    return int(not result.intact)


def _document(result: Verification, words: Words, *, office: bool, quick: bool, since: int) -> Any:
    """Return a verification as JSON has it; that of a bundle says nothing about a database."""
    if office:
        from arpad.office.verify.acts import verified

        return document(verified(result, words, quick=quick, since=since))
    altered = [
        {**document(it), "message": words.text(f"altered.{it.code}", **it.facts)} for it in result.altered
    ]
    about = {"intact": result.intact, "altered": altered, "counted": result.counted}
    return document(about | ({"whole_digest": result.whole_digest} if result.whole_digest else {}))


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


def _verified(bundle: Path | None, look: QueryOptions, *, quick: bool, since: int) -> Verification:
    if bundle is not None:
        from arpad.publishing.bundle import verify_bundle  # needs no database

        return verify_bundle(bundle)
    from arpad.office.verify.acts import verify as prove

    with look.acting() as office, progress_bar(look.words.text("office.verifying")) as update:
        return prove(office, recompute=not quick, since=since, progress=update)
