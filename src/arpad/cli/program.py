"""The program: one command per verb.

Results go to stdout, diagnostics to stderr. Exit status: 0 success, 1 the findings include an error, 2 wrong usage
or unreadable input, explained in one sentence. Only the module of the given verb is loaded; a new verb is one more
row of ``VERBS``.
"""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command

import arpad.office  # noqa: F401  its features bring their words
from arpad import __version__
from arpad.cli import settings_file
from arpad.cli.common import Lang, begin_command_line, fail, with_file
from arpad.cli.typer_groups import Commands, as_typed, command_typed, language_first, refuse
from arpad.explain.words import load_words
from arpad.model.errors import ArpadError


def print_version(wanted: bool) -> None:
    """Print the version and exit, if it is wanted."""
    if wanted:
        typer.echo(f"arpad {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
]

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Tournament reports": {
        "rate": ("reports", "Check and rate reports: all problems and changes."),
        "check": ("reports", "Check a report: whether it is ready, and every problem with its place."),
        "explain": ("reports", "Explain one player of a report, game by game, with the articles."),
        "standings": ("standings", "Print the final table of a report with its tie-breaks (C.07)."),
        "convert": ("reports", "Convert a report to another format."),
        "norms": ("norms", "Find the title norms of a report, article by article."),
        "verify": (
            "verify",
            "Verify something that you have kept: what it proves, and what it does not.",
        ),
        "witness": (
            "witness",
            "Keep the checkpoints of offices, and find a ledger that was shortened or replaced.",
        ),
    },
    "Calculators and rules": {
        "calc": (
            "calc",
            "Calculate a change, an initial rating, K, an expected score, a performance or a norm.",
        ),
        "rubele": ("rubele", "Rate draughts events: capitals, crosstables, groups, years (Elo-Rubele)."),
        "editions": ("editions", "Show the editions of the regulations, or compare two."),
    },
    "Rating office": {
        "office": ("office", "Run a rating office: register, reports, lists, proofs."),
        "serve": ("serve", "Serve the site and the API until interrupted."),
        "work": ("serve", "Do the jobs of an office until stopped: mails, nightly verification and backup."),
        "deploy-files": (
            "folders",
            "Write the files for a server: units, proxy, containers, pinned packages.",
        ),
        "demo": ("folders", "Create a demonstration office with two years of lists."),
        "examples": ("folders", "Copy the example files that the tutorials use into a folder."),
        "config": ("config", "Set your database, your name and your language once."),
    },
    "Studies": {
        "history": (
            "history",
            "Rate the reports of a folder one after the other under any rating system, with a list on each list day.",
        ),
        "replay": ("arpad.studies.commands.replay", "Recompute every list from a history of games."),
        "reconcile": (
            "reconcile",
            "Compare FIDE's next list with your own calculation, and say why they differ.",
        ),
        "monitor": (
            "arpad.studies.commands.monitor",
            "Examine the rating system: drift, calibration, integrity.",
        ),
        "whatif": (
            "arpad.studies.commands.whatif",
            "Replay a history under other rules and compare: who moves, newcomers, points, forecasts, thresholds.",
        ),
        "simulate": (
            "arpad.studies.commands.simulate",
            "Simulate a federation and measure how accurate its ratings are.",
        ),
    },
}
"""Section of the help → verb → its module, here or by its whole name, and its line of help.

The module has ``build`` for a group that loads one command, ``app`` for a group, else a function of the verb's name.
"""

VERBS = {verb: target for verbs in SECTIONS.values() for verb, target in verbs.items()}

HELP = """Arpad, the rating office: checks, rates, publishes and explains.

Example: arpad rate open.trf

Example: arpad calc expected 2000 1800

Example: arpad office draft standard 2026-12-01 --db office.db

Example: arpad rate --help
"""


def build(typed: Sequence[str] | None = None) -> Commands:
    """Return the whole program; for the words of a command line, only the verb that they name.

    If they name none, every verb has only its line of help.
    """
    only = command_typed(typed or (), VERBS)
    program = Commands(name="arpad", help=HELP)
    program.callback()(first_options)
    for section, verbs in SECTIONS.items():
        for verb, (module, line) in verbs.items():
            if typed is None or verb == only:
                _add_verb(program, section, verb, module, line, typed)
            elif not only:
                program.add_name(verb, line, section)
    return program


def _add_verb(
    program: Commands, section: str, verb: str, name: str, line: str, typed: Sequence[str] | None
) -> None:
    module = import_module(name if name.startswith("arpad.") else f"arpad.cli.{name}")
    if hasattr(module, "build"):
        group = module.build(None if typed is None else typed[typed.index(verb) + 1 :])
        program.add_typer(group, name=verb, help=line, rich_help_panel=section)
    elif hasattr(module, "app"):
        program.add_typer(module.app, name=verb, help=line, rich_help_panel=section)
    else:
        program.command(verb, rich_help_panel=section)(getattr(module, verb.replace("-", "_")))


def first_options(*, version: Version = False, lang: Lang = None) -> None:  # noqa: ARG001  it prints by itself
    """Remember --lang given before a command as its default."""
    language_first(lang=lang)


def main() -> None:
    """Run a command; every error ends in one sentence and its exit status."""
    language = "en"
    try:
        language = begin_command_line(sys.argv[1:])
        signal.signal(signal.SIGTERM, _terminated)
        _prepare_stdout()
        _read_server_settings()
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
    except Exception as error:  # noqa: BLE001  a missing extra, or a fault of ours
        fail(_fault(error, language))
    gc.freeze()  # the process ends: Python need not look through all objects once more
    sys.exit(status if isinstance(status, int) else 0)


def _read_server_settings() -> None:
    """Take settings from the file in ``ARPAD_SETTINGS``, and the office from that in ``ARPAD_DB_FILE``."""
    if os.environ.get("ARPAD_SETTINGS"):
        from arpad.system.server_settings import read_settings_file

        read_settings_file()
    if os.environ.get("ARPAD_DB_FILE") and not os.environ.get("ARPAD_DB"):
        from arpad.system.server_settings import secret

        os.environ["ARPAD_DB"] = secret("ARPAD_DB")


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
        defaults = _saved_values(command, settings_file.read_strictly())
        with command.make_context("arpad", sys.argv[1:], default_map=defaults) as context:
            return command.invoke(context)
    except typer.Exit as stopped:
        return stopped.exit_code
    except EOFError:
        raise typer.Abort from None


def _saved_values(command: Any, saved: Mapping[str, str]) -> dict[str, Any]:
    """Return the user's settings as the defaults of the options that take them, command by command."""
    if not saved:
        return {}
    values: dict[str, Any] = {
        parameter.name: saved[name]
        for parameter in command.params
        for name in ("db", "author")
        if name in saved and parameter.envvar == f"ARPAD_{name.upper()}"
    }
    for name, below in getattr(command, "commands", {}).items():
        values[name] = _saved_values(below, saved)
    return values


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
    """Return the sentence that names the extra to install, else that of an error in Arpad."""
    if isinstance(error, ModuleNotFoundError):
        from arpad.system.extras import missing_extra

        if refusal := missing_extra(error):
            return load_words(language).error(refusal)
    if os.environ.get(TRACE):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    position = f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119  pathlib would be loaded for every command
    what = f"{type(error).__name__} {error}".split("\n", 1)[0][:200]
    return load_words(language).text("usage.fault", what=what, place=position, variable=TRACE)
