"""The program: one command per verb.

Results go to stdout, diagnostics to stderr. Exit status: 0 success, 1 the findings include an error, 2 wrong usage
or unreadable input, explained in one sentence. Only the module of the given verb is loaded; a new verb is one more
row of ``VERBS``.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from arpad.cli.common import fail, forget_language, language_of_arguments, with_file
from arpad.cli.typer_groups import Commands, as_typed, command_typed, language_first, refuse
from arpad.explain.words import load_words
from arpad.model.errors import ArpadError

VERBS = {
    "rate": ("reports", "Check and rate reports: all findings and changes."),
    "check": ("reports", "Check a report: every finding with its position and article."),
    "explain": ("reports", "Explain one player of a report, game by game, with the articles."),
    "convert": ("reports", "Convert a report to another format."),
    "norms": ("norms", "Find the title norms of a report, article by article."),
    "calc": ("calc", "Calculate a change, an entry rating, K, an expectation or a norm."),
    "reconcile": (
        "reconcile",
        "Compare FIDE's next list with your own calculation, and say why they differ.",
    ),
    "fees": ("fees", "Compute the fees of events by your own table, and write the invoice."),
    "editions": ("editions", "Show the editions of the regulations, or compare two."),
    "rubele": ("rubele", "Rate draughts events: capitals, boards, groups, years (Elo-Rubele)."),
    "office": ("office", "Run a rating office: register, reports, lists, proofs."),
    "replay": (
        "replay",
        "Recompute every list from a history of games.",
    ),
    "demo": (
        "demo",
        "Create a demonstration office with two years of lists.",
    ),
    "monitor": ("monitor", "Examine the rating system: drift, calibration, integrity."),
    "whatif": ("whatif", "Replay a history under other rules and compare."),
    "simulate": (
        "simulate",
        "Simulate a world and compare its ratings with true strengths.",
    ),
    "serve": ("serve", "Serve the site and the API until interrupted."),
    "work": ("work", "Do the jobs of an office: mails, nightly verification and backup."),
    "user": ("user", "Add a user who may sign in to the site."),
}
"""Verb → its module here and its line of help.

The module has ``build`` for a group that loads one command, ``app`` for a group, else a function of the verb's name.
"""


def build(typed: Sequence[str] | None = None) -> Commands:
    """Return the whole program; for the words of a command line, only the verb that they name.

    If they name none, every verb has only its line of help.
    """
    only = command_typed(typed or (), VERBS)
    program = Commands(name="arpad", help="Arpad, the rating office: checks, rates, publishes and explains.")
    program.callback()(language_first)
    for verb, (module, line) in VERBS.items():
        if typed is not None and verb != only:
            if not only:
                program.add_name(verb, line)
            continue
        loaded = import_module(f"arpad.cli.{module}")
        if hasattr(loaded, "build"):
            program.add_typer(
                loaded.build(typed[typed.index(verb) + 1 :] if typed else ()), name=verb, help=line
            )
        elif hasattr(loaded, "app"):
            program.add_typer(loaded.app, name=verb, help=line)
        else:
            program.command(verb)(getattr(loaded, verb))
    return program


def main() -> None:
    """Run a command; every error ends in one sentence and its exit status."""
    gc.set_threshold(_COLLECT_EVERY)
    language = language_of_arguments(sys.argv[1:])
    forget_language()
    signal.signal(signal.SIGTERM, _terminated)
    _prepare_stdout()
    try:
        _read_database_file()
        status = _run(build(_typed_words()))
        sys.stdout.flush()
    except ArpadError as error:
        fail(with_file(load_words(language).error(as_typed(error)), str(error.facts.get("file", ""))))
    except TyperException as error:
        refuse(error, load_words(language))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        _leave_stdout()  # the reader of the pipe is gone
        sys.exit(0)
    except OSError as error:
        _leave_stdout()
        path = str(error.filename or "stdout")
        fail(load_words(language).text("usage.system", place=path, reason=error.strerror or str(error)))
    except MemoryError:
        fail(load_words(language).text("usage.memory"))
    except Exception as error:  # noqa: BLE001  a fault of ours, which also ends in a sentence
        fail(_fault(error, language))
    gc.freeze()  # the process ends: Python need not look through all objects once more
    sys.exit(status if isinstance(status, int) else 0)


def _read_database_file() -> None:
    """Take the office from the file in ``ARPAD_DB_FILE``: its address may hold a password."""
    if os.environ.get("ARPAD_DB_FILE") and not os.environ.get("ARPAD_DB"):
        from arpad.system.secret_values import secret

        os.environ["ARPAD_DB"] = secret("ARPAD_DB")


_COLLECT_EVERY = 200_000
"""New objects before the garbage collector runs: more than a command loads. Every 700 takes a fifth of a start."""

_COMPLETING = "_ARPAD_COMPLETE"
TRACE = "ARPAD_TRACE"
"""The environment variable that prints the traceback of a fault of Arpad."""


def _typed_words() -> list[str]:
    """Return the words after ``arpad`` on the command line, or on the one that a shell wants to complete."""
    if _COMPLETING not in os.environ:
        return sys.argv[1:]
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]


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
    """Exit on SIGTERM; unfinished files are removed on the way out."""
    sys.exit(128 + number)


def _prepare_stdout() -> None:
    """Print a question mark for a letter that the terminal lacks; if stdout is closed, print nothing."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  open until the end
    elif hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")


def _leave_stdout() -> None:
    """Redirect stdout to nowhere, so that Python can close it without an error."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123  pathlib would be loaded for every command
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _fault(error: Exception, language: str) -> str:
    if os.environ.get(TRACE):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    position = f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119  pathlib would be loaded for every command
    what = f"{type(error).__name__} {error}".split("\n", 1)[0][:200]
    return load_words(language).text("usage.fault", what=what, place=position, variable=TRACE)
