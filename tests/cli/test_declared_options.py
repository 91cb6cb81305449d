"""How the help names a value that a declared command takes."""

import pytest
from tools.command_page import commands


@pytest.mark.parametrize(
    ("command", "parameter", "shown"),
    [
        ("arpad office fee pay", "number", "NUMBER"),
        ("arpad office fee pay", "day", "YYYY-MM-DD"),
        ("arpad office register death", "day", "YYYY-MM-DD"),
    ],
)
def test_only_a_day_is_named_as_a_day(command: str, parameter: str, shown: str) -> None:
    parameters = {it.name: it.metavar for it in dict(commands())[command].params}
    assert parameters[parameter] == shown
