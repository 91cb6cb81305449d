"""Hostile command lines, in this process: a valid call with one or two of its arguments changed, by their kinds."""

import io
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from typer.main import get_command

from arpad import cli
from arpad.cli import program
from tests.fuzz.mutations import LONGEST, NUMBERS, TOKENS, mutate
from tests.robustness.command_tree import Kind, Parameter, commands
from tests.robustness.test_commands import not_one_sentence
from tests.robustness.working_calls import VALID, Household, furnish, replaced

LEFT_OUT = frozenset({"serve", "work", "demo", "simulate"})
"""Commands that run until they are stopped, or for as long as their numbers say."""

SAMPLES = {
    Kind.DAY: b"2018-02-01",
    Kind.MOMENT: b"2018-03-20T12:00:00Z",
    Kind.NUMBER: b"12",
    Kind.CHOICE: b"standard",
    Kind.EDITION: b"fide-2017",
    Kind.FORM: b"k_usual=10",
    Kind.TEXT: b"Rossi, Mario",
}
WRITTEN = frozenset({Kind.OUT, Kind.FOLDER, Kind.NEW_DATABASE})
ADDRESSES = (
    "postgresql://:::",
    "mysql://127.0.0.1/office",
    "sqlite://",
    "postgresql://[::1",
    "file:///",
    "://",
)


class Terminal:
    """The program with a household of its own; nobody is at the keyboard, and no name has an address."""

    def __init__(self, folder: Path) -> None:
        self.home = furnish(folder)

    def run(self, words: Sequence[str]) -> tuple[str, str]:
        """Run a command; return its status and what is wrong with its end, if anything."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))
        before = Path.cwd()
        with ExitStack() as stack:
            for place, name, value in _circumstances():
                stack.enter_context(patch.object(place, name, value))
            stack.enter_context(patch.dict(os.environ, self._environment(), clear=True))
            stack.enter_context(patch.object(sys, "argv", ["arpad", *words]))
            stack.enter_context(patch.object(sys, "stdin", io.StringIO("correct horse battery\n")))
            stack.enter_context(redirect_stdout(out))
            stack.enter_context(redirect_stderr(err))
            stack.callback(os.chdir, before)
            os.chdir(self.home.folder / "fresh")
            try:
                cli.main()
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 0
        return f"exit {status}", _problem(status, _text(out), _text(err))

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARPAD_")}
        return {**kept, "LC_ALL": "C", "XDG_CONFIG_HOME": str(self.home.folder / "fresh" / "settings")}


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined,no-any-return]


def _problem(status: int, out: str, err: str) -> str:
    if "Traceback" in err + out or "error in Arpad" in err:
        return f"trace {err[-1500:]}"
    if status not in (0, 1, 2):
        return f"status {status} {err[-300:]}"
    return not_one_sentence(out, err) if status == 2 else ""


@cache
def _circumstances() -> tuple[tuple[Any, str, Any], ...]:
    from arpad.office.mail import worker as mails
    from arpad.store import database

    whole, put_together = cache(program.build), cache(get_command)

    def nowhere(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    return (
        (program, "build", lambda _typed: whole()),
        (program, "get_command", put_together),
        (mails, "hand_over", lambda *_arguments, **_options: nullcontext()),
        (database, "WAIT_SECONDS", 0),
        (socket, "getaddrinfo", nowhere),
    )


# ------------------------------------------------------------------------------------------------------ hostile words


def hostile_command(random: Random, home: Household) -> list[str]:
    """Return the words of a hostile command line, with the files that it names."""
    home.fresh()
    name = random.choice(_names())
    command, words = commands()[name], home.valid(name)
    parameters = [each for each in command.parameters if each.kind != Kind.FLAG]
    for at in range(random.choice((1, 1, 1, 2)) if parameters else 0):
        parameter = random.choice(parameters)
        value = _value(random, home, parameter, f"hostile{at}", _valid_word(words, parameter))
        words = replaced(command, words, parameter.name, value)
    return [*command.words, *words]


@cache
def _names() -> list[str]:
    return sorted(VALID.keys() - LEFT_OUT)


def _valid_word(words: Sequence[str], parameter: Parameter) -> str:
    """Return the value of a parameter in a valid call; empty if it is an argument or not given."""
    return words[words.index(parameter.name) + 1] if parameter.name in words else ""


def _value(random: Random, home: Household, parameter: Parameter, name: str, valid: str) -> str:
    fresh, kind = home.folder / "fresh", parameter.kind
    hostile_text: Callable[[bytes], str] = lambda sample: _as_word(_hostile(random, sample))  # noqa: E731
    if kind in WRITTEN:  # never outside of the folder
        return str(fresh / (hostile_text(b"out.csv").replace("/", "_").lstrip(".") or "x"))
    if kind == Kind.DATABASE:
        if random.random() < 0.3:
            return random.choice(ADDRESSES)
        path = fresh / f"{name}.db"
        path.write_bytes(_damaged(random, (home.folder / "kept.db").read_bytes()))
        path.chmod(0o600)  # otherwise a warning comes first
        return str(path)
    if kind in (Kind.FILE, Kind.EDITION) and random.random() < 0.7:
        files = _files(home.folder)
        data = random.choice(files) if kind == Kind.FILE else (home.folder / "edition.toml").read_bytes()
        path = fresh / (name + random.choice((".trf", ".csv", ".toml", ".xlsx", ".zip", "")))
        path = path.with_suffix(".toml") if kind == Kind.EDITION else path
        path.write_bytes(mutate(random, data, files))
        return str(path)
    return hostile_text(valid.encode("utf-8", "surrogateescape") or SAMPLES.get(kind, b"open.trf"))


def _hostile(random: Random, sample: bytes) -> bytes:
    return random.choice((*NUMBERS, *TOKENS)) if random.random() < 0.4 else mutate(random, sample)


def _as_word(data: bytes) -> str:
    """Return bytes as a word of a command line, which has no NUL."""
    return data[:3000].replace(b"\x00", b"").decode("utf-8", "surrogateescape")


def _damaged(random: Random, data: bytes) -> bytes:
    """Return a database with some wrong bytes, or cut off."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 4, 64))):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed[: random.randrange(len(changed))] if random.random() < 0.3 else changed)


@cache
def _files(folder: Path) -> list[bytes]:
    """Return the files of the household, and not the large ones."""
    paths = [path for path in sorted(folder.iterdir()) if path.is_file() and path.stat().st_size < LONGEST]
    return [path.read_bytes() for path in paths]
