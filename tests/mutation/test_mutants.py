"""The faults that are explained can still be made, and the plan names what is there."""

import pytest

from tests.mutation.__main__ import explained
from tests.mutation.plan import AT_IMPORT, GROUPS, RUN_AT_IMPORT
from tests.mutation.runner import Source
from tests.paths import ROOT

MODULES = [module for group in GROUPS for module in group.modules]


@pytest.mark.parametrize("module", MODULES)
def test_every_explained_fault_can_still_be_made(module: str) -> None:
    """An explanation that has lost its fault is to be taken out, and no two faults share a name."""
    names = [fault.label for fault in Source.of(module).faults]
    assert len(names) == len(set(names))
    assert set(explained(module)) <= set(names)


def test_the_plan_names_what_is_there() -> None:
    for group in GROUPS:
        for test in group.tests:
            assert (ROOT / test).exists()
    assert set(AT_IMPORT) | set(RUN_AT_IMPORT) <= set(MODULES)
    assert all((ROOT / test).exists() for tests in AT_IMPORT.values() for test in tests)
