"""The table is complete, and every command works while luck is good: a refusal elsewhere is for the one thing wrong."""

import pytest

from tests.commands import run
from tests.robustness.command_tree import Kind, commands
from tests.robustness.working_calls import VALID, Household
from tests.thinning import one_in

ELSEWHERE = {
    "demo": "tests/demo builds it; it takes long",
    "office title certificate": "tests/surfaces runs it in an office with a norm",
    "office title it1": "tests/surfaces runs it in an office with a norm",
    "office live show": "tests/office/live computes a list first",
}


def test_every_command_is_in_the_table() -> None:
    missing = sorted(commands().keys() - VALID.keys())
    assert not missing, (
        f"{missing}: add a way to call it that works to VALID in tests/robustness/working_calls.py"
    )
    assert sorted(VALID.keys() - commands().keys()) == []


def test_the_kinds_are_told_by_the_declarations() -> None:
    found = {(c.name, p.name): p.kind for c in commands().values() for p in c.parameters}
    assert found["rate", "--html"] == Kind.OUT
    assert found["rate", "files"] == Kind.FILE
    assert found["office publish", "--out"] == Kind.FOLDER
    assert found["office publish", "date"] == Kind.DAY
    assert found["office init", "--db"] == Kind.NEW_DATABASE
    assert found["calc change", "--game"] == Kind.FORM
    assert found["calc change", "--list"] == Kind.CHOICE
    assert found["whatif", "--try"] == Kind.EDITION
    assert found["editions show", "name"] == Kind.EDITION


@pytest.mark.parametrize("name", one_in(4, (name for name in VALID if name not in ELSEWHERE)))
def test_it_works_while_luck_is_good(name: str, home: Household, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *name.split(), *home.valid(name))
    assert status in (0, 1), err
    assert "arpad:" not in err
    assert out or name == "serve"
