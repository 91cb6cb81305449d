"""Every parameter of every command against bad luck: one sentence, status 2, nothing on stdout, nothing half done."""

import pytest

from tests.commands import run
from tests.robustness.bad_input import CASES, Case
from tests.robustness.command_tree import Command, Kind, Parameter, commands
from tests.robustness.working_calls import Household, replaced
from tests.thinning import one_in

LONGEST_SENTENCE = 2000

EVERY_WAY = frozenset(
    {"office ledger", "office migrate", "office user add", "serve", "monitor keep", "monitor points"}
)
USUAL = frozenset({"missing", "a picture", "newer", "no server", "locked", "no rights"})

MILD: dict[tuple[str, str, str], str] = {
    ("office settings logo", "file", "a picture"): "a logo is a picture",
    ("office privacy files", "folder", "disk full"): "there is no file in the folder to write again",
    ("office ranking", "--group", "nothing"): "an empty text is an option that is not given",
}
"""Command, parameter, case → why it may be accepted after all."""


def parameters() -> list[tuple[Command, Parameter]]:
    return [
        (command, each)
        for command in commands().values()
        for each in command.parameters
        if each.kind != Kind.FLAG and each.name != "--lang"
    ]


def cases(command: Command, parameter: Parameter) -> list[Case]:
    """Return the bad values for a parameter; all of them for some commands, the usual ones for commands alike."""
    every = list(CASES[parameter.kind])
    if parameter.kind == Kind.DATABASE and command.name not in EVERY_WAY:
        return [case for case in every if case.name in USUAL]
    if (
        parameter.name in {"history", "--players"} and command.name not in EVERY_WAY
    ):  # one reader for all of them
        return [case for case in every if not case.name.startswith("huge")]
    if parameter.name == "--simulated":  # an odd number makes a valid world, slowly
        return [case for case in every if case.strict]
    return every


def not_one_sentence(out: str, err: str) -> str:
    """What is wrong with a refusal, if anything."""
    if out:
        return f"something on stdout: {out[:200]!r}"
    if not err.startswith("arpad: ") or err.count("\n") != 1 or not err.endswith("\n"):
        return f"not one line: {err[-600:]!r}"
    if "error in Arpad" in err:
        return f"a fault: {err}"
    if "secret" in err:
        return f"a password shown: {err}"
    if not err.rstrip("\n").isprintable() or len(err) > LONGEST_SENTENCE:
        return f"not a sentence: {err[:600]!r}"
    return ""


def trouble(
    capsys: pytest.CaptureFixture[str], home: Household, command: Command, parameter: Parameter, case: Case
) -> str:
    """What a command does wrong in a piece of bad luck, if anything."""
    home.fresh()
    words = replaced(command, home.valid(command.name, parameter.name), parameter.name, case.value(home))
    with case.circumstances(home):
        before = home.files()
        status, out, err = run(capsys, *command.words, *words)
    if status not in (0, 1, 2):
        return f"status {status}: {err[:300]}"
    if status == 2:
        left = home.files().items() ^ before.items()
        return not_one_sentence(out, err) or (f"files changed: {sorted(left)}" if left else "")
    if "Traceback" in err + out:
        return "a traceback"
    mild = (command.name, parameter.name, case.name) in MILD
    return f"accepted, status {status}" if case.strict and not mild else ""


@pytest.mark.parametrize(("command", "parameter"), one_in(20, parameters()), ids=lambda part: part.name)
def test_bad_luck(
    command: Command, parameter: Parameter, home: Household, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {
        case.name: said
        for case in cases(command, parameter)
        if (said := trouble(capsys, home, command, parameter, case))
    }
    assert not found, "\n".join(f"{name}: {said}" for name, said in found.items())
