"""Every benchmark that ``make bench`` runs still works: its smallest form ends well and prints what run.py reads.

How fast anything is does not matter here.
"""

from runpy import run_path
from typing import Any

import pytest

from tests.paths import BENCHMARKS

RUN = run_path(str(BENCHMARKS / "run.py"), run_name="run")


@pytest.mark.deep
@pytest.mark.parametrize("measured", RUN["BENCHMARKS"], ids=lambda measured: measured.script)
def test_a_benchmark_prints_the_figures_that_have_goals(measured: Any) -> None:
    document = RUN["run_script"](measured, "--tiny")

    assert document, f"{measured.script} failed"
    figures = {name: figure.value(document) for name, figure in measured.figures.items()}
    lacking = {name for name, value in figures.items() if not isinstance(value, int | float)}
    if measured.needs:  # then the script says that it did not measure them
        lacking -= {name for name in lacking if measured.figures[name].name in document}
    assert lacking == set()
