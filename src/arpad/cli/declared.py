"""Commands of declared acts and queries: options from the parameters, a sentence, a table or JSON from the result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, WriteOptions
from arpad.cli.typer_groups import Commands
from arpad.explain.words import Words
from arpad.model.declared import Parameter, Upload, convert, document
from arpad.model.errors import BadInput
from arpad.office.declarations import declared_in
from arpad.office.declared import Declared, perform, said
from arpad.office.features import feature_modules
from arpad.office.users import OWNER


def commands_of(feature: str, noun: str) -> Any:
    """Return the commands of a feature under one noun: a group, or the one command that is just the noun.

    Those that are written by hand are in ``COMMANDS`` of the feature's ``commands.py``, by their words.
    """
    by_words = {it.name: command_of(it) for it in declared_in(feature)}
    for module in feature_modules(feature, "commands"):
        by_words |= getattr(import_module(module), "COMMANDS", {})
    if noun in by_words:
        return by_words[noun]
    group = Commands(help=f"group.{noun}")
    for words, command in by_words.items():
        if words.split()[0] == noun:
            group.command(words.partition(" ")[2])(command)
    return group


Show = Callable[[Mapping[str, Any], Any, Words], None]
"""Prints a result that is not one sentence or one table, for the typed values that were given."""


def command_of(declared: Declared[..., Any], show: Show | None = None) -> Callable[..., None]:
    """Return the command of an act or a query, as Typer reads it: every value is a text that ``perform`` converts."""

    def command(**values: Any) -> None:
        shared = values.pop("options")
        given = {name: value for name, value in values.items() if value not in (None, [])}
        _run(declared, shared, given, show)

    options = WriteOptions if declared.is_act else ReadOptions
    given = [_argument(parameter) for parameter in declared.parameters]
    arguments = [Argument("options", Argument.KEYWORD_ONLY, annotation=options), *given]
    command.__signature__ = Signature(arguments)  # type: ignore[attr-defined]  # typer reads it there
    command.__annotations__ = {argument.name: argument.annotation for argument in arguments}
    command.__doc__ = declared.__doc__
    command.__name__ = declared.name.split()[-1]
    return command


def _argument(parameter: Parameter) -> Argument:
    """Return a parameter as Typer reads it; its help is the key of its words."""
    kind: Any = bool if parameter.type is bool else list[str] if _repeats(parameter) else str
    help_key = f"parameter.{parameter.word}"
    metavar = _metavar(parameter)
    if parameter.positional:
        info: Any = typer.Argument(metavar=metavar, help=help_key)
    elif parameter.type is bool:
        info = typer.Option(option_name(parameter), help=help_key)
    else:
        info = typer.Option(option_name(parameter), metavar=metavar, help=help_key)
    default = Argument.empty if parameter.required else False if parameter.type is bool else None
    wide = kind if parameter.required or parameter.type is bool else kind | None
    return Argument(parameter.name, Argument.KEYWORD_ONLY, default=default, annotation=Annotated[wide, info])


def _repeats(parameter: Parameter) -> bool:
    return parameter.many or parameter.type is dict


def option_name(parameter: Parameter) -> str:
    """Return the option of a parameter, as ``--first-day``."""
    return f"--{parameter.name.strip('_').replace('_', '-')}"


def _metavar(parameter: Parameter) -> str:
    if parameter.type is Upload:
        return "FILE"
    if parameter.type is dict:
        return "NAME=VALUE"
    if parameter.choices:
        return "|".join(parameter.choices)
    if parameter.accepts.example[:4].isdecimal() and parameter.accepts.example[4:5] == "-":
        return "YYYY-MM-DD"
    return parameter.name.strip("_").replace("_", "-").upper()


def _run(
    declared: Declared[..., Any], options: ReadOptions, values: dict[str, Any], show: Show | None
) -> None:
    """Run a declared function on the office of the options, and print what it returns."""
    from arpad.reports.formats import read_bytes

    for parameter in declared.parameters:
        if parameter.type is Upload and parameter.name in values:
            path = Path(values[parameter.name])
            values[parameter.name] = Upload(path.name, read_bytes(path))
    try:
        with options.acting() if isinstance(options, WriteOptions) else options.opened() as office:
            result = perform(declared, office, OWNER, values)
    except BadInput as error:
        raise _named(declared, error) from None
    given = convert(declared.parameters, values)
    if options.json:
        print_json(f"arpad.office-{declared.key}/1", _as_object(document(result)))
    elif show is not None:
        show(given, result, options.words)
    elif declared.columns and (rows := rows_of(result)):
        print_table(declared, rows, options.words)
    else:
        key, facts = said(declared, given, result)
        sys.stdout.write(f"{options.words.text(key or 'office.done', **facts)}\n")


def _named(declared: Declared[..., Any], error: BadInput) -> BadInput:
    """Return an error that names an argument as the help writes it; an option gets its dashes from ``as_typed``."""
    named = {it.name: _metavar(it) for it in declared.parameters if it.positional}
    if error.facts.get("option") in named:
        error.facts["option"] = named[error.facts["option"]].split("=")[0]
    return error


def _as_object(result: Any) -> Mapping[str, Any]:
    """Return a document as a JSON object; a bare list is the rows of a table."""
    return result if isinstance(result, Mapping) else {"rows": result}


def rows_of(result: Any) -> list[Any]:
    """Return the rows of a result: itself if it is a list, else its one field that is a list of records."""
    if isinstance(result, list | tuple):
        return list(result)
    fields = getattr(result, "__dataclass_fields__", ())
    lists = [value for name in fields if isinstance(value := getattr(result, name), list | tuple)]
    return list(lists[0]) if lists else []


def print_table(declared: Declared[..., Any], rows: list[Any], words: Words) -> None:
    """Print rows as the table of a query."""
    console().print(table(*_table(declared.columns, rows, words)))


def _table(
    columns: Iterable[str], rows: list[Any], words: Words
) -> tuple[list[tuple[str, str]], list[tuple[str, ...]]]:
    """Return headings and cells; a column of numbers is on the right."""
    cells = {name: [getattr(row, name) for row in rows] for name in columns}
    headings = [
        (words.text(f"column.{name}"), "right" if any(isinstance(value, int) for value in values) else "left")
        for name, values in cells.items()
    ]
    texts = [[_cell(value, words) for value in values] for values in cells.values()]
    return headings, list(zip(*texts, strict=True))


def _cell(value: Any, words: Words) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return words.text("value.yes" if value else "value.no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text}" for name, text in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
