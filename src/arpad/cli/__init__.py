"""The command line: one command per verb.

Results go to stdout, diagnostics to stderr. Exit status: 0 fine, 1 the findings hold an error, 2 wrong usage or
unreadable input, said in one sentence.
"""

from __future__ import annotations

import os
import sys

import typer
from typer.exceptions import TyperException

from arpad.cli import calc, demo, editions, reports, rubele
from arpad.cli.face import fail, language_of_arguments
from arpad.errors import ArpadError
from arpad.explain import words

app = typer.Typer(
    name="arpad",
    help="Arpad, the rating office: checks, rates, publishes and explains.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (reports.rate, reports.check, reports.explain, reports.convert, demo.demo):
    app.command()(command)
app.add_typer(calc.app, name="calc")
app.add_typer(editions.app, name="editions")
app.add_typer(rubele.app, name="rubele")


def main() -> None:
    """Run a command; whatever goes wrong ends in one sentence and its exit status."""
    language = language_of_arguments(sys.argv[1:])
    try:
        status = app(standalone_mode=False)
    except ArpadError as error:
        fail(words(language).error(_as_option(error)))
    except TyperException as error:
        fail(_usage(error, language))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of the pipe has gone: nothing is left to be said, not even while Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def _as_option(error: ArpadError) -> ArpadError:
    """On the command line an argument is named as it is typed."""
    if "option" in error.facts:
        error.facts["option"] = "--" + str(error.facts["option"]).replace("_", "-")
    return error


def _usage(error: TyperException, language: str) -> str:
    """Wrong usage in one sentence."""
    param = getattr(error, "param", None)
    option = param.opts[0] if param is not None and param.opts else ""
    if param is not None and not option.startswith("-"):
        option = option.upper()
    match type(error).__name__:
        case "NoSuchOption":
            return words(language).text("usage.no-such-option", option=str(getattr(error, "option_name", "")))
        case "NoSuchCommand":
            return words(language).text(
                "usage.no-such-command", command=str(getattr(error, "command_name", ""))
            )
        case "MissingParameter":
            return words(language).text("usage.missing", option=option)
        case "BadParameter" | "BadOptionUsage" if option:
            reason = str(getattr(error, "message", "")).rstrip(".")
            return words(language).text("usage.bad-value", option=option, reason=reason)
    message = getattr(error, "message", str(error))
    return words(language).text("usage.wrong", reason=str(message).rstrip("."))
