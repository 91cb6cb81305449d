"""Threads and memory of the libraries that are written in C and Rust."""

import os
import subprocess
import sys

import pytest

from arpad.system.native_libraries import prepare_libraries


def test_what_the_environment_says_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    monkeypatch.delenv("_RJEM_MALLOC_CONF", raising=False)

    prepare_libraries()

    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
    assert "narenas:1" in os.environ["_RJEM_MALLOC_CONF"]
    monkeypatch.delenv("_RJEM_MALLOC_CONF")


def test_a_python_without_ctypes_goes_on() -> None:
    program = """
import sys
sys.modules["ctypes"] = None
from arpad.system.native_libraries import prepare_libraries
prepare_libraries()
print("ready")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert run.stdout == "ready\n"


def test_polars_understands_its_settings() -> None:
    """An allocator writes a sentence about a setting that it does not know."""
    program = """
from arpad.system.native_libraries import prepare_libraries
prepare_libraries()
import numpy, polars
print(polars.DataFrame({"rating": numpy.arange(2_000_000)})["rating"].sum())
"""
    environment = {name: value for name, value in os.environ.items() if "MALLOC" not in name}
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )

    assert (run.stdout, run.stderr) == ("1999999000000\n", "")


def test_a_command_prepares_them_before_they_are_loaded() -> None:
    program = """
import os, sys
from arpad.cli import main
sys.argv = ["arpad", "--version"]
try:
    main()
finally:
    print(os.environ.get("OPENBLAS_NUM_THREADS"), "numpy" in sys.modules)
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment
    )

    assert run.stdout.splitlines()[1:] == ["1 False"]
