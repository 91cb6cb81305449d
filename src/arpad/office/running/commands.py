"""``arpad office running send``, whose file may be in any format."""

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.office.options import WriteOptions


def send(
    options: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The report after the round.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="parameter.running-name")],
    *,
    older: Annotated[
        bool, typer.Option("--older", help="Replace the present version although this one is older.")
    ] = False,
) -> None:
    """Show a round: the version replaces the one before; nothing is submitted."""
    from arpad.office.running.versions import send_version
    from arpad.reports.formats import read_bytes

    data = read_bytes(file)
    with options.acting() as office:
        sent = send_version(office, data, file.name, name, older=older)
    tournament = sent.tournament
    key = "again" if sent.again else "sent"
    sentence = options.words.text(
        f"running.{key}", name=name, version=tournament.version, rounds=tournament.rounds
    )
    document = {"name": name, "version": tournament.version, "rounds": tournament.rounds, "again": sent.again}
    options.tell(sentence, "arpad.office-running-sent/1", document)


COMMANDS = {"running send": send}
