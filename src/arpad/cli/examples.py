"""``arpad examples``: the example files of the package in a folder of one's own."""

from __future__ import annotations

import shutil
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, print_json, words_for


def examples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Copy the example files that the tutorials use into a folder.

    Example: arpad examples examples
    """
    from arpad.system.atomic_files import atomic_folder

    with atomic_folder(folder) as temporary, as_file(files("arpad") / "examples") as packaged:
        shutil.copytree(packaged, temporary, dirs_exist_ok=True)
    copied = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    if json:
        print_json("arpad.examples/1", {"folder": str(folder), "files": copied})
    else:
        words = words_for(lang)
        sys.stdout.write(words.text("demo.examples", folder=str(folder), files=", ".join(copied)) + "\n")
