"""The Typer adapter: options shared as dataclasses, commands in sections, errors in the reader's language."""

import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NoReturn, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from arpad.cli.common import Lang, fail, help_words, set_default_language
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput

_EXAMPLE = re.compile(r"\s*Example: (arpad .+)")
_PART = re.compile(r"[,;:]\s| \(| ;| :")
_FIRST_SENTENCE = re.compile(r"(.+?\.)(?=\s|$)")


def examples(text: str | None) -> list[str]:
    """Return the command lines that a help has as examples."""
    return _EXAMPLE.findall(text or "")


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help, each on one line, without the examples."""
    for part in _EXAMPLE.sub("", text or "").split("\n\n"):
        if line := " ".join(part.split()):
            yield line


def first_sentence(text: str | None, words: Words) -> str:
    """Return the first sentence of a help, for a list of commands."""
    line = words.help(next(paragraphs(text), ""))
    match = _FIRST_SENTENCE.match(line)
    return match.group(1) if match else line


def one_line(sentence: str, width: int) -> str:
    """Return a sentence, or the beginning of it that fits on a line: its first parts, else its first words."""
    if len(sentence) <= width:
        return sentence
    parts = (sentence[: match.start()].rstrip() for match in _PART.finditer(sentence))
    if fitting := [part for part in parts if len(part) < width and part.count("(") == part.count(")")]:
        return f"{fitting[-1]}."
    return f"{sentence[: width - 1].rpartition(' ')[0]} …"


class Helped:
    """How a command writes its help: usage, text, examples, arguments, options."""

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the help of the command in the reader's language."""
        words = help_words()
        pieces = " ".join(map(words.help, self.collect_usage_pieces(ctx)))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{words.help('Usage:')} ")
        for text in paragraphs(self.help):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(words.help(text))
        if lines := examples(self.help):
            with formatter.section(section_title("Examples", words)), formatter.indentation():
                for line in lines:
                    formatter.write(f"{' ' * formatter.current_indent}{line}\n")
        self.format_options(ctx, formatter)

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options and, in a group, its commands."""
        words = help_words()
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                rows[parameter.param_type_name].append((record[0], _explained(parameter, record[1], words)))
        if hasattr(self, "format_commands"):
            self.format_commands(ctx, formatter)
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            if rows[kind]:
                with formatter.section(section_title(title, words)):
                    formatter.write_dl(rows[kind])


def section_title(title: str, words: Words) -> str:
    """Return the title of a section with the language's blank before a colon; Click adds the colon itself."""
    return words.help(title) + words.form.colon.removesuffix(":")


def _explained(parameter: Any, record: str, words: Words) -> str:
    """Return the help of an option with what the library adds to it, as ``[required]``, in the reader's language."""
    text = parameter.help or ""
    extra = record.removeprefix(text)
    for word in ("required", "default", "env var"):
        extra = re.sub(rf"\b{word}\b", words.help(word), extra)
    return words.help(" ".join(text.split())) + extra


class Command(Helped, TyperCommand):
    """One command."""


_LAST = ("json", "lang")
"""The options at the end of every help."""


class Group(Helped, TyperGroup):
    """Commands under one name: listed in sections, and with a hint if a command is mistyped."""

    rare: frozenset[str] = frozenset()
    """Commands that the help only names, below the others of their section; each other one then has one line."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that the first argument names."""
        name = args[0]
        if name not in self.commands and not name.startswith("-") and not ctx.resilient_parsing:
            if similar := get_close_matches(name, self.commands):
                raise BadInput("command-nearly", command=name, meant=", ".join(similar))
            raise BadInput("no-such-command", command=name)
        return super().resolve_command(ctx, args)

    def sections(self) -> dict[str, list[str]]:
        """Return the names of the commands by section, in the order of the sections."""
        by_section: dict[str, list[str]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                by_section.setdefault(panel if isinstance(panel, str) else "Commands", []).append(name)
        return by_section

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  as Typer calls it
        """Write the commands, section by section, all with one width of the first column."""
        words = help_words()
        by_section = self.sections()
        described = {name for names in by_section.values() for name in names} - self.rare
        widest = max(map(len, described), default=0)
        for section, names in by_section.items():
            lines = {name: first_sentence(self.commands[name].help, words) for name in names}
            if self.rare:
                lines = {name: one_line(line, formatter.width - widest - 4) for name, line in lines.items()}
            with formatter.section(section_title(section, words)):
                formatter.write_dl([(name.ljust(widest), lines[name]) for name in names if name in described])
                if also := [name for name in names if name not in described]:
                    formatter.write_text(f"{section_title('Also', words)}: {', '.join(also)}")


class Commands(typer.Typer):
    """A group of commands; a parameter of a dataclass type becomes one option per field."""

    def __init__(self, **settings: Any) -> None:
        usual = {"no_args_is_help": True, "pretty_exceptions_enable": False, "rich_markup_mode": None}
        super().__init__(**{"cls": Group} | usual | settings)

    def add_typer(self, typer_instance: typer.Typer, **settings: Any) -> None:
        """Add a group, which accepts --lang before its command, as the whole program does."""
        if typer_instance.registered_callback is None:
            typer_instance.callback()(language_first)
        super().add_typer(typer_instance, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Add a command; the function itself is returned unchanged."""
        add = super().command(name, **{"cls": Command} | settings)

        def added(function: Any) -> Any:
            add(expand_options(function))
            return function

        return added

    def add(self, command: Any, name: str, section: str | None = None) -> None:
        """Add a command or a group under a name, listed in a section of the help."""
        if isinstance(command, typer.Typer):
            self.add_typer(command, name=name, rich_help_panel=section)
        else:
            self.command(name, rich_help_panel=section)(command)

    def add_name(self, name: str, line: str, section: str | None = None) -> None:
        """Add only the name and the line of help of a command that this call does not run."""
        super().command(name, help=line, rich_help_panel=section)(_not_loaded)


def _not_loaded() -> None:
    """Do nothing; registered for the commands that this call does not run."""


def command_typed(typed: Sequence[str], names: Collection[str]) -> str:
    """Return the command with which the typed words begin, after ``--lang``; nothing if they begin otherwise."""
    words = iter(typed)
    for word in words:
        if word == "--lang":
            next(words, None)
        elif not word.startswith("--lang="):
            return word if word in names else ""
    return ""


def language_first(*, lang: Lang = None) -> None:
    """Remember --lang given before a command as its default."""
    set_default_language(lang)


def expand_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with the fields of its dataclass parameters as parameters of their own."""
    hints = get_type_hints(function, include_extras=True)
    shared: dict[str, Any] = {
        name: kind for name, kind in hints.items() if name != "return" and is_dataclass(kind)
    }
    if not shared:
        return function

    @wraps(function)
    def command(**values: Any) -> Any:
        for name, kind in shared.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        return function(**values)

    parameters: list[Parameter] = []
    for parameter in signature(function).parameters.values():
        name = parameter.name
        parameters += _parameters_of(shared[name]) if name in shared else [parameter]
    parameters = [
        parameter.replace(
            kind=Parameter.KEYWORD_ONLY, annotation=hints.get(parameter.name, parameter.annotation)
        )
        for parameter in sorted(parameters, key=lambda parameter: parameter.name in _LAST)
    ]
    command.__signature__ = signature(function).replace(parameters=parameters)  # type: ignore[attr-defined]  # typer reads it there
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _parameters_of(kind: Any) -> list[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]


# ------------------------------------------------------------------------------------------------------ errors

_TOO_MUCH = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.DOTALL)


def refuse(error: TyperException, words: Words) -> NoReturn:
    """End with status 2: print the help if the subcommand is missing, else one sentence about the error."""
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{_message(error)}\n")
        sys.exit(2)
    fail(_sentence(error, words))


def _sentence(error: TyperException, words: Words) -> str:
    param = getattr(error, "param", None)
    option = _as_in_help(param) if param is not None else str(getattr(error, "option_name", ""))
    match type(error).__name__:
        case "NoSuchOption":
            if similar := ", ".join(getattr(error, "possibilities", None) or ()):
                return words.text("usage.option-nearly", option=option, meant=similar)
            return words.text("usage.no-such-option", option=option)
        case "MissingParameter":
            return words.text("usage.missing", option=option)
        case "BadOptionUsage":
            key = "no-value-taken" if "does not take" in _message(error) else "value-missing"
            return words.text(f"usage.{key}", option=option)
        case "BadParameter" if type(getattr(param, "type", None)).__name__ == "IntParamType":
            return words.text("usage.not-a-number", option=option)
        case "BadParameter" if option:
            return words.text("usage.bad-value", option=option, reason=_message(error).rstrip("."))
    return _about_the_whole_line(_message(error), words)


def _about_the_whole_line(message: str, words: Words) -> str:
    if message == "Missing command.":
        return words.text("usage.command-missing")
    if extra := _TOO_MUCH.search(message):
        return words.text("usage.too-much", extra=extra.group(1))
    return words.text("usage.wrong", reason=message.rstrip("."))


def _message(error: TyperException) -> str:
    return str(getattr(error, "message", error))


def _as_in_help(param: Any) -> str:
    """Return the name of an option, or an argument as the help writes it."""
    name = str(param.opts[0]) if param.opts else ""
    return name if name.startswith("-") else (param.metavar or name.upper()).strip("[]")


def as_typed(error: ArpadError) -> ArpadError:
    """Name an option as it is typed (``--last-event``); an argument, in capitals, stays as in the help.

    So does an option that the command named itself, as ``--set mail_port``, and a place in a file.
    """
    option = str(error.facts.get("option", ""))
    if option and not error.facts.get("in_file") and not option.isupper() and not option.startswith("--"):
        error.facts["option"] = "--" + option.replace("_", "-")
    return error
