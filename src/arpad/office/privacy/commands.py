"""``arpad office privacy``: what its commands print and write."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import print_json
from arpad.cli.declared import command_of
from arpad.cli.office.options import Player, Reason, WriteOptions
from arpad.explain.words import Words
from arpad.model.declared import document
from arpad.office.declared import perform
from arpad.office.drafts.publish import rewrite_files
from arpad.office.privacy.acts import Erased, erase_player, player_data, player_data_bytes
from arpad.office.users import OWNER
from arpad.system.atomic_files import atomic_write, prepare_folder


def _print_erased(erased: Erased, words: Words) -> None:
    counts = {"reports": len(erased.reports), "lists": len(erased.lists), "acts": len(erased.acts)}
    sentences = (
        words.text("office.erased", player=erased.player, **counts),
        words.text("office.erase-backups"),
    )
    sys.stdout.write("\n".join(sentences) + "\n")


def data(
    options: WriteOptions,
    player: Player,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The file, as JSON.")] = None,
    reason: Reason = "",
) -> None:
    """Write everything that the office holds about a player, for that person.

    Without a file it goes to the standard output.
    """
    given = {"player": player, "reason": reason}
    if out is None:
        with options.acting() as office:
            result = perform(player_data, office, OWNER, given)
        print_json("arpad.player-data/1", document(result))
        return
    with atomic_write(out, private=True) as stream:  # first: an act whose file cannot be written is not done
        with options.acting() as office:
            result = perform(player_data, office, OWNER, given)
        stream.write(player_data_bytes(result))
    options.done({"player": player, "file": str(out)})


def files(
    options: WriteOptions,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of list files.")],
) -> None:
    """Write the files of published lists in a folder again, without players who are hidden or erased."""
    prepare_folder(folder)
    with options.acting() as office:
        written = rewrite_files(office, folder)
    sentence = options.words.text("office.rewritten", files=len(written), path=str(folder))
    options.tell(sentence, "arpad.office-privacy-files/1", {"files": [path.name for path in written]})


COMMANDS = {
    "privacy data": data,
    "privacy files": files,
    "privacy erase": command_of(erase_player, _print_erased),
}
