"""Every command with its parameters, and what kind of thing each of them takes, told by its declaration."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from typer.main import get_command

from arpad.cli.program import build


class Kind(StrEnum):
    """What a parameter takes."""

    FLAG = "flag"
    FILE = "a file to read"
    OUT = "a file to write"
    FOLDER = "a folder to write"
    DATABASE = "a database"
    NEW_DATABASE = "a database to make"
    DAY = "a day"
    MOMENT = "a moment"
    NUMBER = "a number"
    CHOICE = "one of a few words"
    EDITION = "an edition"
    FORM = "a text of a certain form"
    TEXT = "any text"


WRITTEN = frozenset(
    {"--out", "--html", "--csv", "--page", "--pdf", "--certificate", "--tournament", "--backups"}
)
WRITTEN_ARGUMENTS = frozenset(
    {
        ("convert", "target"),
        ("deploy-files", "folder"),
        ("office backup", "file"),
        ("office export", "folder"),
        ("office open-data", "folder"),
        ("office privacy files", "folder"),
        ("office proof make-key", "--file"),
        ("office submit", "--receipts"),
        ("witness add", "--dir"),
        ("serve", "--socket"),
        ("demo", "folder"),
        ("deploy-files", "folder"),
    }
)
"""Paths are read unless they stand here: a new one that is written shows, since a missing file is no error for it."""

MAKES_DATABASE = frozenset({"office init", "office restore", "demo"})
NUMBERS = frozenset({"N", "SEED", "CI", "PO", "PA", "PERCENT", "YYYY", "T", "G", "RATING", "GROUP"})
CHOICES = frozenset({"LIST", "FORMAT", "KINDS", "KIND", "STATUS", "CATEGORY", "M|F", "IBCA|ICSC|IPCA"})


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command."""

    name: str
    """``--rating``, or an argument's name."""

    kind: Kind
    argument: bool
    required: bool


@dataclass(frozen=True)
class Command:
    """A command by its whole name, as ``office submit``."""

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def words(self) -> list[str]:
        return self.name.split()


@cache
def commands() -> dict[str, Command]:
    """Every command that can be run, by its name."""
    return {command.name: command for command in _below("", get_command(build()))}


def _below(name: str, command: Any) -> Iterator[Command]:
    inner = getattr(command, "commands", {})
    if name and (not inner or command.invoke_without_command):
        yield Command(name, tuple(_parameter(name, each) for each in command.params if each.name != "help"))
    for word, each in inner.items():
        yield from _below(f"{name} {word}".strip(), each)


def _parameter(command: str, given: Any) -> Parameter:
    argument = given.param_type_name == "argument"
    name = given.name if argument else given.opts[0]
    return Parameter(name, _kind(command, name, given), argument, given.required)


def _kind(command: str, name: str, given: Any) -> Kind:
    metavar, type_name, told = given.metavar or "", type(given.type).__name__, given.help or ""
    if getattr(given, "is_flag", False):
        return Kind.FLAG
    if type_name == "TyperPath":
        return _kind_of_path(command, name, metavar)
    if name == "--db":
        return Kind.NEW_DATABASE if command in MAKES_DATABASE else Kind.DATABASE
    rules = (
        (Kind.EDITION, "TOML" in told or "edition" in name or metavar == "EDITION"),
        (Kind.DAY, metavar == "DATE" or metavar.startswith(("YYYY-MM-DD", "DATE|"))),
        (Kind.MOMENT, metavar == "TIME"),
        (Kind.NUMBER, type_name == "IntParamType" or metavar in NUMBERS),
        (Kind.CHOICE, metavar in CHOICES or bool(re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", metavar))),
        (Kind.FORM, "=" in metavar or ":" in metavar),
    )
    return next((kind for kind, fits in rules if fits), Kind.TEXT)


def _kind_of_path(command: str, name: str, metavar: str) -> Kind:
    if name in WRITTEN or (command, name) in WRITTEN_ARGUMENTS:
        return Kind.FOLDER if metavar in ("DIR", "FOLDER") else Kind.OUT
    return Kind.FILE
