"""``arpad deploy-files``: the files for a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, print_json, words_for


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
