"""The command line: one command per verb.

Results go to stdout, diagnostics to stderr. Exit status: 0 fine, 1 the findings hold an error, 2 wrong usage or
unreadable input, said in one sentence. Only the module of the verb that is asked for is loaded; a new verb is one
more row of ``VERBS``.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import typer
from typer.exceptions import TyperException

from arpad.cli.face import fail, language_of_arguments
from arpad.errors import ArpadError
from arpad.explain import words

VERBS = {
    "rate": ("reports", "Check and rate reports: all problems at once, and the change of every player."),
    "check": (
        "reports",
        "Findings only: everything that is wrong with a report, each with its place and article.",
    ),
    "explain": ("reports", "One player of a report, game by game, in words with the articles."),
    "convert": ("reports", "Convert a report between formats; what the target cannot hold is listed."),
    "calc": ("calc", "Calculate a change, an entry rating, K or an expectation."),
    "editions": ("editions", "The editions of the regulations: all, one in full, or two compared."),
    "rubele": ("rubele", "Draughts: capitals, events, boards, groups, years (Elo-Rubele)."),
    "office": ("office", "The rating office: register, reports, lists, corrections, proofs."),
    "replay": (
        "replay",
        "Replay a history of games: every list again, under the editions of its days or under another.",
    ),
    "demo": (
        "demo",
        "Make a demonstration office: a federation that never was, its reports, lists and corrections.",
    ),
    "monitor": ("monitor", "Watch the system: points, drift, calibration, islands, integrity."),
    "whatif": ("trials", "Replay a history under other rules and compare."),
    "simulate": (
        "trials",
        "Play a made world through an edition and tell how far its ratings stray from the true strengths.",
    ),
    "serve": ("serve", "Serve the site and the API until interrupted."),
    "user": ("user", "Enter somebody who may sign in; the password is asked for, or read from a pipe."),
}
"""Verb → its module here (which holds ``app`` for a group, else a function of that name) and its line of help."""


def build(only: str | None = None) -> typer.Typer:
    """The whole program, or only one verb with the others as names."""
    made = typer.Typer(
        name="arpad",
        help="Arpad, the rating office: checks, rates, publishes and explains.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    for verb, (module, line) in VERBS.items():
        if only is not None and verb != only:
            made.command(verb, help=line)(_not_loaded)
            continue
        loaded = import_module(f"arpad.cli.{module}")
        if hasattr(loaded, "app"):
            made.add_typer(loaded.app, name=verb, help=line)
        else:
            made.command(verb)(getattr(loaded, verb))
    return made


def _not_loaded() -> None:
    """Stand in for a verb that was not asked for."""


def main() -> None:
    """Run a command; whatever goes wrong ends in one sentence and its exit status."""
    language = language_of_arguments(sys.argv[1:])
    asked = next((word for word in sys.argv[1:] if word in VERBS), "")
    only = None if "_ARPAD_COMPLETE" in os.environ else asked
    try:
        status = build(only)(standalone_mode=False, prog_name="arpad")
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
