"""Commands that share options: what several of them take is one dataclass, each field an option or an argument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints

import typer

from arpad.cli.common import Lang, set_default_language
from arpad.cli.usage import Group

_LAST = ("json", "lang")
"""In every help these close the list."""


class Commands(typer.Typer):
    """A group of commands; a parameter that is a dataclass stands for all of its fields."""

    def __init__(self, **settings: Any) -> None:
        usual = {"no_args_is_help": True, "pretty_exceptions_enable": False, "rich_markup_mode": None}
        super().__init__(cls=Group, **usual | settings)

    def add_typer(self, typer_instance: typer.Typer, **settings: Any) -> None:
        """Enter a group; like the whole program it hears a language that is named before the command."""
        if typer_instance.registered_callback is None:
            typer_instance.callback()(language_first)
        super().add_typer(typer_instance, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Enter a command; the function itself stays as it is."""
        enter = super().command(name, **settings)

        def entered(function: Any) -> Any:
            enter(expand_options(function))
            return function

        return entered


def language_first(*, lang: Lang = None) -> None:
    """What stands before a command: the language in which it speaks, where it names none itself."""
    set_default_language(lang)


def expand_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same command with the fields of its dataclasses as parameters of their own."""
    hints = get_type_hints(function, include_extras=True)
    shared: dict[str, Any] = {
        name: kind for name, kind in hints.items() if name != "return" and is_dataclass(kind)
    }
    if not shared:
        return function

    @wraps(function)
    def command(**given: Any) -> Any:
        for name, kind in shared.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return function(**given)

    parameters: list[Parameter] = []
    for one in signature(function).parameters.values():
        parameters += _fields_of(shared[one.name]) if one.name in shared else [one]
    parameters = [
        one.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints.get(one.name, one.annotation))
        for one in sorted(parameters, key=lambda one: one.name in _LAST)
    ]
    command.__signature__ = signature(function).replace(parameters=parameters)  # type: ignore[attr-defined]  # typer reads it there
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _fields_of(kind: Any) -> list[Parameter]:
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
