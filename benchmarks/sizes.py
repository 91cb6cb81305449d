"""The sizes of a benchmark: in full, smaller with --quick, and the least that still runs with --tiny.

With --tiny nothing is measured: a test runs every benchmark so, to see that it still works. Stages and commands then
run in the process of the script, since Python takes longer to start than they take.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

QUICK, TINY = "--quick", "--tiny"


def read_arguments(
    description: str, parser: argparse.ArgumentParser | None = None, **sizes: tuple[Any, Any, Any]
) -> argparse.Namespace:
    """Return the arguments of a script: those of its parser, and each of its sizes in full, quick or tiny."""
    parser = parser or argparse.ArgumentParser()
    parser.description = description
    for name, (full, quick, tiny) in sizes.items():
        explanation = f"default: {full}, with {QUICK} {quick}, with {TINY} {tiny}"
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(full), metavar="N", help=explanation)
    way = parser.add_mutually_exclusive_group()
    way.add_argument(QUICK, dest="way", action="store_const", const=1, default=0, help="smaller sizes")
    way.add_argument(TINY, dest="way", action="store_const", const=2, help="the least that runs")
    given = parser.parse_args()
    for name, by_way in sizes.items():
        if getattr(given, name) is None:
            setattr(given, name, by_way[given.way])
    return given


def is_tiny() -> bool:
    """Return whether this script only shows that it works."""
    return TINY in sys.argv


def parser_with_folder() -> argparse.ArgumentParser:
    """Return a parser of a script whose files may be kept."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, help="the folder for the files; default: a temporary one")
    return parser


@contextmanager
def folder_for(given: argparse.Namespace) -> Iterator[Path]:
    """Give the folder that is kept, or a temporary one."""
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        yield given.keep
        return
    with tempfile.TemporaryDirectory(prefix="arpad-benchmark-") as temporary:
        yield Path(temporary)
