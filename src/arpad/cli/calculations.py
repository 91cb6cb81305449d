"""Commands of calculators: options from the signature, JSON or words from the answer."""

from collections.abc import Callable, Mapping
from inspect import Parameter as Argument
from inspect import Signature
from typing import Any, TypeAlias

import typer

from arpad.cli.common import Json, Lang, console, derivation, print_json, words_for
from arpad.cli.declared_options import argument_of
from arpad.explain.documents import Calculation
from arpad.explain.words import Words
from arpad.model.rules import Severity
from arpad.rating.calculator import Answer, Question

Show: TypeAlias = Callable[[Answer[Any], Words], None]
"""Prints an answer."""


def command_of(calculation: Calculation, show: Show) -> Callable[..., None]:
    """Return the command of a calculator, as Typer reads it."""
    calculator = calculation.calculator

    def command(*, json: bool, lang: str | None, **values: Any) -> None:
        answer(calculation, values, show, json=json, lang=lang)

    arguments = [
        *map(argument_of, calculator.parameters),
        Argument("json", Argument.KEYWORD_ONLY, default=False, annotation=Json),
        Argument("lang", Argument.KEYWORD_ONLY, default=None, annotation=Lang),
    ]
    command.__signature__ = Signature(arguments)  # type: ignore[attr-defined]  # typer reads it there
    command.__annotations__ = {argument.name: argument.annotation for argument in arguments}
    command.__doc__ = calculator.__doc__
    return command


def answer(
    calculation: Calculation, values: Mapping[str, Any], show: Show, *, json: bool, lang: str | None
) -> None:
    """Answer the question of a command line; exit with status 1 if a finding is an error."""
    words = words_for(lang)
    found = calculation.calculator(Question.from_options(**values))
    if json:
        print_json(f"arpad.{calculation.name.replace(' ', '-')}/1", calculation.document(found, words))
    else:
        show(found, words)
    if any(finding.severity == Severity.ERROR for finding in getattr(found.result, "findings", ())):
        raise typer.Exit(1)


def print_steps(found: Answer[Any], title: str, words: Words, *tables: Any) -> None:
    """Print the title of an answer, its tables, and its derivation."""
    out = console()
    out.print(title)
    for rows in tables:
        out.print(rows)
    out.print(derivation(found.steps, words))
