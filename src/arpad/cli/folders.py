"""``arpad demo``, ``examples`` and ``deploy-files``: commands that write a folder of files."""

import shutil
import sys
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, print_json, progress_bar, words_for
from arpad.model.rules import Fact
from arpad.model.typed_values import parse_day


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    db: Annotated[
        str, typer.Option("--db", metavar="URL", help="An empty database instead of DIR/office.db.")
    ] = "",
    day: Annotated[
        str, typer.Option("--day", metavar="YYYY-MM-DD", help="The day on which it ends; default: today.")
    ] = "",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Create a demonstration office with two years of lists.

    It is a fictitious federation with reports, lists and corrections. It ends in the month of today, with work to do.

    Example: arpad demo bellariva
    """
    from arpad.demo.build import build

    words = words_for(lang)
    with progress_bar(words.text("demo.building")) as tell:
        end = parse_day(day, "day") if day else datetime.now(UTC).date()
        built = build(folder, database=db, end=end, living=True, progress=tell)
    facts: dict[str, Fact] = {
        "database": built.database, "lists": str(built.lists), "players": built.players, "reports": built.reports,
        "publications": built.publications,
    }  # fmt: skip
    if json:
        print_json("arpad.demo/1", facts)
    else:
        sys.stdout.write(words.text("demo.built", **facts) + "\n")


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


def deploy_files(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Write the files for a server: units, proxy, containers, pinned packages.

    The deployment guide says where each belongs.

    Example: arpad deploy-files arpad-files
    """
    from arpad.system.deploy_files import write_deploy_files

    names = write_deploy_files(folder)
    if json:
        print_json("arpad.deploy-files/1", {"folder": str(folder), "files": names})
    else:
        typer.echo("\n".join([words_for(lang).text("serve.deploy-files", path=str(folder)), *names]))
