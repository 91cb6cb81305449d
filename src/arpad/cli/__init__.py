"""The command line: ``main`` runs one command; each verb has its module here."""

import gc

from arpad.system.native_libraries import prepare_libraries


def main() -> None:
    """Run a command, and load only what it needs."""
    prepare_process()
    from arpad.cli.program import main as run  # Typer is loaded after the above

    run()


def prepare_process() -> None:
    """Set how the process of a command uses its memory."""
    gc.set_threshold(_COLLECT_EVERY)
    prepare_libraries()


_COLLECT_EVERY = 200_000
"""New objects before the garbage collector runs: more than a command loads. Every 700 takes a fifth of a start."""
