"""The command line: one command per verb.

Results go to stdout, diagnostics to stderr. Exit status: 0 fine, 1 the findings hold an error, 2 wrong usage or
unreadable input, said in one sentence. Only the module of the verb that is asked for is loaded; a new verb is one
more row of ``VERBS``.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from arpad.cli.common import fail, forget_language, language_of_arguments, with_file
from arpad.cli.typer_groups import Commands, as_typed, language_first, refuse
from arpad.explain.words import load_words
from arpad.model.errors import ArpadError

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
    "whatif": ("whatif", "Replay a history under other rules and compare."),
    "simulate": (
        "simulate",
        "Play a made world through an edition and tell how far its ratings stray from the true strengths.",
    ),
    "serve": ("serve", "Serve the site and the API until interrupted."),
    "user": ("user", "Enter somebody who may sign in; the password is asked for, or read from a pipe."),
}
"""Verb → its module here (which holds ``app`` for a group, else a function of that name) and its line of help."""


def build(only: str | None = None) -> Commands:
    """The whole program, or only one verb with the others as names."""
    made = Commands(name="arpad", help="Arpad, the rating office: checks, rates, publishes and explains.")
    made.callback()(language_first)
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
    forget_language()
    only = next((word for word in _begun() if word in VERBS), "")
    signal.signal(signal.SIGTERM, _terminated)
    _prepare_stdout()
    try:
        status = _run(build(only))
        sys.stdout.flush()
    except ArpadError as error:
        fail(with_file(load_words(language).error(as_typed(error)), str(error.facts.get("file", ""))))
    except TyperException as error:
        refuse(error, load_words(language))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        _leave_stdout()  # the reader of the pipe has gone: nothing is left to be said
        sys.exit(0)
    except OSError as error:
        _leave_stdout()
        place = str(error.filename or "stdout")
        fail(load_words(language).text("usage.system", place=place, reason=error.strerror or str(error)))
    except MemoryError:
        fail(load_words(language).text("usage.memory"))
    except Exception as error:  # noqa: BLE001  a fault of ours; the person at the terminal gets a sentence all the same
        fail(_fault(error, language))
    sys.exit(status if isinstance(status, int) else 0)


_COMPLETING = "_ARPAD_COMPLETE"
TRACE = "ARPAD_TRACE"
"""The variable that asks for the whole story where Arpad itself is at fault."""


def _begun() -> list[str]:
    """The words of the command line; those that a shell would complete, where it asks."""
    if _COMPLETING not in os.environ:
        return sys.argv[1:]
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()


def _run(program: Commands) -> Any:
    command = get_command(program)
    if _COMPLETING in os.environ:
        return command(prog_name="arpad", complete_var=_COMPLETING)
    try:
        with command.make_context("arpad", sys.argv[1:]) as context:
            return command.invoke(context)
    except typer.Exit as stopped:
        return stopped.exit_code
    except EOFError:
        raise typer.Abort from None


def _terminated(number: int, _frame: object) -> None:
    """Asked to end: what is half done is cleared away on the way out."""
    sys.exit(128 + number)


def _prepare_stdout() -> None:
    """A letter that the terminal lacks becomes a question mark; a stdout that is closed swallows everything."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  open until the end
    elif hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")


def _leave_stdout() -> None:
    """Nothing more goes there, not even while Python closes it."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123  pathlib would be loaded for every command
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _fault(error: Exception, language: str) -> str:
    if os.environ.get(TRACE):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119  pathlib would be loaded for every command
    what = f"{type(error).__name__} {error}".split("\n", 1)[0][:200]
    return load_words(language).text("usage.fault", what=what, place=place, variable=TRACE)
