"""A closed pipe, a full disk behind stdout, Ctrl-C: every command ends as it should."""

import io
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from arpad import cli
from tests.builders.verbs import init, open_office, verify
from tests.robustness.test_working_calls import ELSEWHERE
from tests.robustness.working_calls import VALID, Household
from tests.thinning import one_in

QUIET = frozenset({"serve"})
"""Commands that write nothing to stdout."""

OURS = str(Path(cli.__file__).parents[1])
COMMANDS = [name for name in VALID if name not in ELSEWHERE and name not in QUIET]


@contextmanager
def stdout_is(handle: int) -> Iterator[None]:
    """Replace stdout, as a shell does."""
    before = sys.stdout
    sys.stdout = io.TextIOWrapper(os.fdopen(handle, "wb"), encoding="utf-8")
    try:
        yield
    finally:
        with sys.stdout:
            sys.stdout = before


def ended(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["arpad", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    return stopped.value.code if isinstance(stopped.value.code, int) else 0


@pytest.mark.parametrize("name", one_in(12, COMMANDS))
def test_a_closed_pipe_is_no_error(
    name: str, home: Household, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with stdout_is(writing):
        status = ended(monkeypatch, *name.split(), *home.valid(name))
    assert (status, capsys.readouterr().err) == (0, "")


@pytest.mark.parametrize("name", one_in(12, COMMANDS, 1))
def test_a_full_disk_behind_stdout_is_reported(
    name: str, home: Household, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with stdout_is(os.open("/dev/full", os.O_WRONLY)):
        status = ended(monkeypatch, *name.split(), *home.valid(name))
    message = capsys.readouterr().err
    assert status == 2
    assert message.startswith("arpad: stdout: ")
    assert message.count("\n") == 1


@contextmanager
def counted(stop_at: int | None = None) -> Iterator[list[int]]:
    """Count the calls of our own functions, and press Ctrl-C at one of them."""
    calls = [0]

    def watch(frame: FrameType, what: str, _argument: object) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(OURS):
            calls[0] += 1
            if calls[0] == stop_at:
                raise KeyboardInterrupt

    sys.setprofile(watch)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # in the middle of clearing away
@pytest.mark.parametrize(
    ("name", "tenths"),
    [
        *((name, ((2, 5, 8)[number % 3],)) for number, name in enumerate(COMMANDS[2::20])),
        *(pytest.param(name, (2, 5, 8), marks=pytest.mark.deep) for name in COMMANDS),
    ],
)
def test_an_interrupted_command_leaves_everything_whole(
    name: str,
    tenths: tuple[int, ...],
    home: Household,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with counted() as calls:
        assert ended(monkeypatch, *name.split(), *home.valid(name)) in (0, 1)
    for part in tenths:
        home.fresh()
        sys.stdin.seek(0)
        before = home.files()
        with counted(calls[0] * part // 10):
            status = ended(monkeypatch, *name.split(), *home.valid(name))
        assert status in (0, 1, 130)
        assert "Traceback" not in capsys.readouterr().err
        assert not [path for path in home.files() if path.endswith(".part")]
        other_files = {path: state for path, state in before.items() if path != "office.db"}
        assert other_files.items() <= home.files().items()
        office = open_office(str(home.folder / "office.db"))
        assert verify(office, recompute=False).intact
        office.close()


# --------------------------------------------------------------------------------- the same in processes of their own


def process(*words: str, **more: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "arpad", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": _can_be_interrupted, **more}
    return subprocess.Popen(command, **pipes)  # type: ignore[call-overload, no-any-return]


def _can_be_interrupted() -> None:
    """Undo that tests which run in the background ignore Ctrl-C, as do their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupted", "asked to end"]
)
def test_waiting_for_a_file_ends_quietly(tmp_path: Path, number: signal.Signals, status: int) -> None:
    waiting = tmp_path / "report"
    os.mkfifo(waiting)
    # once the pipe is opened for reading, the command is at work
    with process("check", str(waiting)) as running, waiting.open("wb"):
        running.send_signal(number)
        _, message = running.communicate(timeout=1800)
    assert (running.returncode, message) == (status, b"")


def test_a_reader_that_stops_after_a_line_is_no_error() -> None:
    with process("editions", "show", "fide-2017", "--json") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert (running.wait(60), running.stderr.read()) == (0, b"")


def test_a_closed_stdout_is_no_error() -> None:
    with process("editions", stdout=None, preexec_fn=lambda: os.close(1)) as running:
        _, message = running.communicate(timeout=1800)
    assert (running.returncode, message) == (0, b"")


def test_a_terminal_without_the_letters_gets_question_marks(tmp_path: Path) -> None:
    with process(
        "editions", "show", "fide-2017", "--lang", "it", env={"PYTHONIOENCODING": "ascii"}
    ) as running:
        output, message = running.communicate(timeout=1800)
    assert (running.returncode, message) == (0, b"")
    assert output.isascii()


def test_a_foreign_database_is_not_changed(home: Household) -> None:
    path = home.folder / "fresh" / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE letters (text)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(Exception, match="office-exists"):
        init(str(path))
    assert path.read_bytes() == before
