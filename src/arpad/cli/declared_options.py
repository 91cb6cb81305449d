"""Options and arguments of a command from declared parameters; it loads nothing of an office."""

import re
from inspect import Parameter as Argument
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.model.declared import Parameter

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def argument_of(parameter: Parameter) -> Argument:
    """Return a parameter as Typer reads it; its help is the key of its words."""
    is_flag = parameter.type is bool or parameter.accepts.secret
    kind: Any = bool if is_flag else list[str] if _repeats(parameter) else str
    if parameter.type is Path:
        kind = Path  # so that the shell completes it
    metavar = metavar_of(parameter)
    if parameter.positional:
        info: Any = typer.Argument(metavar=metavar, help=parameter.help)
    elif is_flag:
        info = typer.Option(option_name(parameter), help=parameter.help)
    else:
        info = typer.Option(option_name(parameter), metavar=metavar, help=parameter.help)
    default: Any = Argument.empty if parameter.required else False if is_flag else None
    if parameter.accepts.about and parameter.choices:  # no words of its own say which one is usual
        default = parameter.default
    wide = kind if parameter.required or is_flag else kind | None
    return Argument(
        parameter.argument, Argument.KEYWORD_ONLY, default=default, annotation=Annotated[wide, info]
    )


def _repeats(parameter: Parameter) -> bool:
    return parameter.many or parameter.type is dict


def option_name(parameter: Parameter) -> str:
    """Return the option of a parameter, as ``--first-day``."""
    return f"--{parameter.name.strip('_').replace('_', '-')}"


def metavar_of(parameter: Parameter) -> str:
    """Return how the help names the value of a parameter."""
    if parameter.accepts.form:
        return parameter.accepts.form
    if parameter.is_file:
        return "FILE"
    if parameter.type is dict:
        return "NAME=VALUE"
    if parameter.choices and not parameter.positional:
        return "|".join(parameter.choices)
    if _DAY.match(parameter.accepts.example):
        return "YYYY-MM-DD"
    return parameter.name.strip("_").replace("_", "-").upper()
