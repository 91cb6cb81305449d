"""Commands of declared acts and queries: options from the parameters, a sentence, a table or JSON from the result."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.declared_options import argument_of, metavar_of, option_name
from arpad.cli.office.options import QueryOptions, WriteOptions
from arpad.cli.typer_groups import Commands
from arpad.explain.documents import worded_document
from arpad.explain.words import Words
from arpad.model.declared import File, Upload, convert
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.office.declarations import declared_in
from arpad.office.declared import Declared, perform, rows_of, said, table_csv, typed_values
from arpad.office.features import feature_modules
from arpad.office.users import OWNER
from arpad.system.atomic_files import write_file


def commands_of(feature: str, noun: str) -> Any:
    """Return the commands of a feature under one noun: a group, or the one command that is just the noun.

    Those that are written by hand are in ``COMMANDS`` of the feature's ``commands.py``, by their words.
    """
    by_words = {it.name: command_of(it) for it in declared_in(feature) if it.name.split()[0] == noun}
    for module in feature_modules(feature, "commands"):
        by_words |= getattr(import_module(module), "COMMANDS", {})
    if noun in by_words:
        return by_words[noun]
    group = Commands(help=f"group.{noun}")
    for words, command in by_words.items():
        if words.split()[0] == noun:
            group.command(words.partition(" ")[2])(command)
    return group


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written."""

    file: str


Show = Callable[[Any, Words], None]
"""Prints a result in words."""


def command_of(declared: Declared[..., Any], show: Show | None = None) -> Callable[..., None]:
    """Return the command of an act or a query, as Typer reads it: every value is a text that ``perform`` converts.

    ``show`` prints a result that is neither a sentence nor one table. A file is written to ``--out``, a table also
    to ``--csv``.
    """
    names = {it.argument: it.name for it in declared.parameters}

    def command(**values: Any) -> None:
        shared, out = values.pop("options"), values.pop(_OUT, None)
        texts = {it: str(value) if isinstance(value, Path) else value for it, value in values.items()}
        given = {names[it]: value for it, value in texts.items() if value not in (None, [])}
        _run(declared, shared, given, show, Path(out) if out else None)

    options = WriteOptions if declared.is_act else QueryOptions
    given = [argument_of(it) for it in declared.parameters if not (it.accepts.secret and it.required)]
    arguments = [
        Argument("options", Argument.KEYWORD_ONLY, annotation=options),
        *given,
        *_out_option(declared),
    ]
    command.__signature__ = Signature(arguments)  # type: ignore[attr-defined]  # typer reads it there
    command.__annotations__ = {argument.name: argument.annotation for argument in arguments}
    command.__doc__ = declared.__doc__
    command.__name__ = declared.name.split()[-1]
    return command


_OUT = "out_file"


def _out_option(declared: Declared[..., Any]) -> list[Argument]:
    """Return the option for the file to write: of a file, or of a table as CSV."""
    if declared.is_file:
        info = typer.Option("--out", metavar="FILE", help="parameter.out-file")
        return [Argument(_OUT, Argument.KEYWORD_ONLY, annotation=Annotated[str, info])]
    if declared.columns:
        info = typer.Option("--csv", metavar="FILE", help="parameter.csv-file")
        return [Argument(_OUT, Argument.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, info])]
    return []


def typed_secret(label: str) -> str:
    """Return a secret that is typed without being shown, or a line from a pipe: it is in no list of commands."""
    if sys.stdin.isatty():
        secret: str = typer.prompt(label, hide_input=True, confirmation_prompt=True)
        return secret
    return sys.stdin.readline().rstrip("\n")


def _text(data: bytes, name: str) -> str:
    """Return the text of a file; refuse one that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadInput("cannot-read", path=name, reason=str(error)) from error


def _run(
    declared: Declared[..., Any],
    options: QueryOptions | WriteOptions,
    values: dict[str, Any],
    show: Show | None,
    out: Path | None,
) -> None:
    """Run a declared function on the office of the options, and print what it returns."""
    _read_in(declared, options.words, values)
    try:
        given = _typed(declared, options, values)
        with options.acting() as office:
            result = perform(declared, office, replace(OWNER, language=options.words.language), values)
    except BadInput as error:
        raise _named(declared, error) from None
    if out is not None:
        file = result if isinstance(result, File) else table_csv(declared, result, options.words)
        write_file(out, file.data)
    if isinstance(result, File):
        result = Written(str(out))
    if options.json:
        print_json(f"arpad.office-{declared.key}/1", _as_object(worded_document(result, options.words)))
    elif out is not None:
        sys.stdout.write(f"{options.words.text('office.file-written', path=str(out))}\n")
    elif show is not None:
        show(result, options.words)
    else:
        _print(declared, given, result, options.words)


def _typed(
    declared: Declared[..., Any], options: QueryOptions | WriteOptions, values: dict[str, Any]
) -> dict[str, Any]:
    """Return the typed values; only the office knows the lists of its own, so it is opened only to ask for one."""
    try:
        return convert(declared.parameters, values)
    except BadInput as error:
        if error.facts.get("option") not in {it.name for it in declared.parameters if it.type is ListName}:
            raise
        opened = False
        try:
            with options.acting() as office:
                opened = True
                return typed_values(declared, office, values)
        except ArpadError:
            if opened:
                raise
            raise error from None


def _read_in(declared: Declared[..., Any], words: Words, values: dict[str, Any]) -> None:
    """Put secrets as they are typed, and the bytes of files, into the values."""
    for parameter in declared.parameters:
        if parameter.accepts.secret and (parameter.required or values.pop(parameter.name, False)):
            values[parameter.name] = typed_secret(words.parameter(parameter.word)[0])
        if parameter.is_file and parameter.name in values:
            from arpad.reports.formats import read_bytes

            path = Path(values[parameter.name])
            data = read_bytes(path)
            values[parameter.name] = (
                Upload(path.name, data) if parameter.type is Upload else _text(data, path.name)
            )


def _print(declared: Declared[..., Any], given: Mapping[str, Any], result: Any, words: Words) -> None:
    """Print a result as its table, as a line for each value, or as the sentence of the declaration."""
    if declared.columns and (rows := rows_of(result)):
        print_table(declared, rows, words)
    elif not declared.is_act and not declared.says:
        sys.stdout.write("".join(_lines(worded_document(result, words))))
    else:
        key, facts = said(declared, given, result)
        sys.stdout.write(f"{words.text(key or 'office.done', **facts)}\n")


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each name and value of an answer that has neither a table nor a sentence."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _lines(value)
        else:
            yield f"{name}\t{value}\n"


def _named(declared: Declared[..., Any], error: BadInput) -> BadInput:
    """Return an error that names an argument as the help writes it; an option gets its dashes from ``as_typed``."""
    named = {field: f"{option_name(it)} {field}" for it in declared.parameters for field in it.accepts.fields}
    named |= {it.name: metavar_of(it) for it in declared.parameters if it.positional}
    if error.facts.get("option") in named:
        error.facts["option"] = named[error.facts["option"]].split("=")[0]
    return error


def _as_object(result: Any) -> Mapping[str, Any]:
    """Return a document as a JSON object; a bare list is the rows of a table."""
    return result if isinstance(result, Mapping) else {"rows": result}


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
    texts = [[_cell(name, value, words) for value in values] for name, values in cells.items()]
    return headings, list(zip(*texts, strict=True))


def _cell(column: str, value: Any, words: Words) -> str:
    """Return a value as a table shows it: in words if its column has some, as ``status.accepted``."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return words.text("value.yes" if value else "value.no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text}" for name, text in value.items())
    key = f"{column.replace('_', '-')}.{value}"
    if words.has(key):
        return words.text(key)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
