"""``arpad witness``: keep the checkpoints of offices, and find a ledger that was shortened or replaced."""

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, read_keys, words_for
from arpad.cli.typer_groups import Commands
from arpad.model.errors import BadInput
from arpad.model.rules import Fact
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.signed_notes import COSIGNED, cosign, new_signing_key, parse_signing_key
from arpad.proofs.witnesses import Watched, WitnessResult, all_watched, check_watched, read_shown, watch
from arpad.system.atomic_files import atomic_write

app = Commands(help="Keep the checkpoints of offices, and find a ledger that was shortened or replaced.")

Folder = Annotated[
    Path, typer.Option("--dir", metavar="DIR", help="The witness's folder; default: arpad-witness.")
]
Office = Annotated[str, typer.Argument(metavar="OFFICE", help="The name of the office in its checkpoints.")]
DEFAULT = Path("arpad-witness")
KEY_FILE = "witness.key"


@app.command()
def add(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="The address of the office's site, or a file with a checkpoint."
        ),
    ],
    key: Annotated[
        list[str],
        typer.Option(
            "--key",
            metavar="KEY",
            help="A public key of the office, or a file of keys; default: of its site.",
        ),
    ] = [],  # noqa: B006  typer never changes it
    folder: Folder = DEFAULT,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Begin to keep the checkpoints of an office.

    Example: arpad witness add https://ratings.example.org
    """
    words = words_for(lang)
    watched = watch(folder, source, read_keys(key))
    size = parse_checkpoint(watched.notes()[-1]).size
    if json:
        print_json("arpad.witness-add/1", _about(watched))
        return
    typer.echo(words.text("witness.added", origin=watched.origin, size=size, path=str(watched.folder)))


@app.command()
def check(
    office: Annotated[
        str, typer.Argument(metavar="[OFFICE]", help="The name of one office; default: all.")
    ] = "",
    other: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE", help="Compare with a checkpoint that another person kept."),
    ] = None,
    folder: Folder = DEFAULT,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Compare the newest checkpoints with those that were kept. Exit status: 0 grown, 1 if a ledger is not right.

    Evidence that others can check is written to the folder.

    Example: arpad witness check --dir witness
    """
    words = words_for(lang)
    shown = None
    if other is not None:
        with naming_file(other):
            shown = read_shown(other.read_bytes())
            office = office or parse_checkpoint(shown.note).origin
    results = [(it, check_watched(it, shown)) for it in _chosen(folder, office)]
    if json:
        print_json("arpad.witness-check/1", {"offices": [_result(it, result) for it, result in results]})
    else:
        for watched, result in results:
            facts: dict[str, Fact] = {
                "origin": watched.origin,
                "size": result.newest.size,
                "kept": result.kept.size,
            }
            sys.stdout.write(words.text(f"witness.{result.code}", **facts) + "\n")
            if result.evidence is not None:
                sys.stdout.write(words.text("witness.evidence", path=str(result.evidence)) + "\n")
    return int(not all(result.is_right for _, result in results))


@app.command("list")
def list_offices(folder: Folder = DEFAULT, *, json: Json = False, lang: Lang = None) -> None:
    """List the offices of the witness, with the last checkpoint of each."""
    words = words_for(lang)
    offices = _chosen(folder, "")
    if json:
        print_json("arpad.witness-list/1", {"offices": [_about(watched) for watched in offices]})
        return
    for watched in offices:
        about = _about(watched)
        typer.echo(
            words.text("witness.listed", **{name: about[name] for name in ("origin", "size", "source")})
        )


@app.command("cosign")
def cosign_newest(
    office: Office,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="The name of the witness's key, when it is made.")
    ] = "",
    folder: Folder = DEFAULT,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Sign the last checkpoint that was kept of an office, and print it with all signatures.

    The key of the witness is made the first time, in the folder. The signature says when the witness had seen the
    checkpoint.

    Example: arpad witness cosign ratings.example.org --name club.example.org
    """
    words_for(lang)
    (watched,) = _chosen(folder, office)
    path = folder / KEY_FILE
    if path.exists():
        key = parse_signing_key(path.read_text("ascii", "replace").strip(), str(path))
    elif name:
        key = new_signing_key(name, COSIGNED)
        with atomic_write(path, private=True) as stream:
            stream.write(key.text().encode())
    else:
        raise BadInput("witness-name")
    note = cosign(watched.notes()[-1], key.name, key.private, int(time.time()))
    watched.keep(note)
    if json:
        print_json("arpad.witness-cosign/1", {"key": key.public.text(), "checkpoint": note.written()})
        return
    sys.stdout.write(note.written())


def _chosen(folder: Path, office: str) -> list[Watched]:
    """Return the offices of a witness, or the one of a name."""
    offices = [it for it in all_watched(folder) if office in ("", it.origin)]
    if not offices:
        raise BadInput("witness-unknown", origin=office or "–", path=str(folder))
    return offices


def _about(watched: Watched) -> dict[str, Any]:
    size = parse_checkpoint(watched.notes()[-1]).size
    keys = [key.text() for key in watched.keys]
    return {"origin": watched.origin, "size": size, "source": watched.source, "keys": keys}


def _result(watched: Watched, result: WitnessResult) -> dict[str, Any]:
    evidence = None if result.evidence is None else str(result.evidence)
    return {
        "origin": watched.origin, "result": result.code, "size": result.newest.size, "kept": result.kept.size,
        "evidence": evidence,
    }  # fmt: skip
