"""What is wrong with a command line, in one sentence of the reader's language."""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from typing import Any, NoReturn

from typer.core import TyperGroup
from typer.exceptions import TyperException

from arpad.cli.common import fail
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput

_TOO_MUCH = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.DOTALL)


class Group(TyperGroup):
    """Commands under one name; who mistypes one of them is told which one may be meant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is asked for."""
        asked = args[0]
        if asked not in self.commands and not asked.startswith("-") and not ctx.resilient_parsing:
            meant = get_close_matches(asked, self.commands)
            if meant:
                raise BadInput("command-nearly", command=asked, meant=", ".join(meant))
            raise BadInput("no-such-command", command=asked)
        return super().resolve_command(ctx, args)


def refuse(error: TyperException, words: Words) -> NoReturn:
    """End with status 2: a command without its subcommand shows the help, anything else is said in one sentence."""
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{_message(error)}\n")
        sys.exit(2)
    fail(_sentence(error, words))


def _sentence(error: TyperException, words: Words) -> str:
    param = getattr(error, "param", None)
    option = _as_in_help(param) if param is not None else str(getattr(error, "option_name", ""))
    match type(error).__name__:
        case "NoSuchOption":
            if meant := ", ".join(getattr(error, "possibilities", None) or ()):
                return words.text("usage.option-nearly", option=option, meant=meant)
            return words.text("usage.no-such-option", option=option)
        case "MissingParameter":
            return words.text("usage.missing", option=option)
        case "BadOptionUsage":
            wants = "no-value-taken" if "does not take" in _message(error) else "value-missing"
            return words.text(f"usage.{wants}", option=option)
        case "BadParameter" if type(getattr(param, "type", None)).__name__ == "IntParamType":
            return words.text("usage.not-a-number", option=option)
        case "BadParameter" if option:
            return words.text("usage.bad-value", option=option, reason=_message(error).rstrip("."))
    return _of_the_whole_line(_message(error), words)


def _of_the_whole_line(message: str, words: Words) -> str:
    if message == "Missing command.":
        return words.text("usage.command-missing")
    if extra := _TOO_MUCH.search(message):
        return words.text("usage.too-much", extra=extra.group(1))
    return words.text("usage.wrong", reason=message.rstrip("."))


def _message(error: TyperException) -> str:
    return str(getattr(error, "message", error))


def _as_in_help(param: Any) -> str:
    """An option by its name; an argument by what the help calls it."""
    name = str(param.opts[0]) if param.opts else ""
    return name if name.startswith("-") else (param.metavar or name.upper()).strip("[]")


def as_typed(error: ArpadError) -> ArpadError:
    """An option is named as it is typed; an argument, in capitals, as the help calls it."""
    option = str(error.facts.get("option", ""))
    if option and not option.isupper():
        error.facts["option"] = "--" + option.replace("_", "-")
    return error
