"""Each fault in a process of its own: forked, changed, judged by the tests, thrown away.

One session collects the tests and runs them once, to see which functions each calls. Then it forks for every fault,
puts it into what is loaded already, and runs the tests that call the function with the fault, the quickest first.
"""

from __future__ import annotations
import __future__

import ast
import gc
import os
import pickle
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from time import process_time
from types import CodeType, FrameType, FunctionType, ModuleType

import pytest

from tests.mutation.mutants import Mutant, functions, mutants
from tests.mutation.plan import AT_IMPORT, RUN_AT_IMPORT
from tests.paths import ROOT

PACKAGE = ROOT / "src" / "arpad"
KEPT = ROOT / "build" / "mutation"
SURVIVED, KILLED, BROKEN = range(3)
VERDICTS = {SURVIVED: "survived", BROKEN: "broken"}
"""How a process ended; in any other way, of exhaustion too: the fault was noticed."""

TESTS = 150
"""So many tests judge a fault, those of its module before the others: one that escapes them all lacks a test."""

SECONDS = 15
"""Of processor time, for one fault: some never end."""

BYTES = 6 * 2**30
"""Memory for one fault: some never stop collecting."""

Told = Callable[[str, Mutant, str], None]
"""What became of a fault: the module, the fault, ``killed``, ``survived`` or ``untested``."""


@dataclass(frozen=True, slots=True)
class Source:
    """A module and the faults to be made in it."""

    module: str
    tree: ast.Module
    faults: tuple[Mutant, ...]

    @classmethod
    def of(cls, module: str) -> Source:
        """A module with all its faults, from top to bottom."""
        tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
        return cls(module, tree, tuple(mutants(tree)))

    @property
    def file(self) -> str:
        """Where it is kept."""
        return str(PACKAGE / self.module)

    @property
    def name(self) -> str:
        """By which it is imported."""
        return module_name(self.module)

    def code(self, line: int | None = None) -> CodeType:
        """The code of the module as the tree stands, or only that of the definition around a line."""
        body = [part for part in self.tree.body if line is None or _around(part, line)]
        flags = __future__.annotations.compiler_flag
        code: CodeType = compile(ast.Module(body, []), self.file, "exec", flags=flags, dont_inherit=True)
        return code


def module_name(module: str) -> str:
    """The name by which a module is imported."""
    return ("arpad." + module.removesuffix(".py").replace("/", ".")).removesuffix(".__init__")


def _around(part: ast.stmt, line: int) -> bool:
    return part.lineno <= line <= (part.end_lineno or part.lineno)


# ------------------------------------------------------------------------------------------------- processes


class ImportFails(Exception):
    """A module cannot be run with the fault: every test would notice."""


def forked(work: Callable[[], int]) -> int:
    """Do something in a copy of this process, which ends with its answer; gives the number of the process."""
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    status = BROKEN
    try:
        status = work()
    except ImportFails:
        status = KILLED
    finally:
        os._exit(status)


class Children:
    """Processes at work, a few at a time; each ends with the verdict as its status."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.running: dict[int, Callable[[str], None]] = {}

    def start(self, work: Callable[[], int], told: Callable[[str], None]) -> None:
        """Judge one fault; its processor time is limited, since clocks run on while others work."""
        while len(self.running) >= self.jobs:
            self.reap()

        def limited() -> int:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
                for stream in (1, 2):
                    os.dup2(nowhere.fileno(), stream)
            return work()

        self.running[forked(limited)] = told

    def reap(self) -> None:
        """Wait for one of them."""
        pid, status = os.wait()
        self.running.pop(pid)(VERDICTS.get(os.waitstatus_to_exitcode(status), "killed"))

    def finish(self) -> None:
        """Wait for all."""
        while self.running:
            self.reap()


# --------------------------------------------------------------------------------------------------- judging

Place = tuple[str, str]
"""A function: the file and its qualified name."""


def run(tests: Sequence[str], judge: Judge) -> int:
    """Collect some tests in this process, with the plugins that they need and no others, and let them judge."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = [
        "-q",
        "--no-header",
        "--no-summary",
        "-p",
        "no:cacheprovider",
        "-p",
        "_hypothesis_pytestplugin",
    ]
    return int(pytest.main([*options, *tests], plugins=[judge]))


class Judge:
    """A plugin: the tests once as they are, then some of them again for every fault."""

    def __init__(
        self, sources: Sequence[Source], watched: Sequence[str], jobs: int, told: Told, seen: Path
    ) -> None:
        self.sources = sources
        self.watched = watched
        self.seen = seen
        self.jobs = jobs
        self.told = told
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_sessionstart(self) -> None:
        """A counterexample is enough: no search for the smallest one."""
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutation", settings.get_profile("arpad"), phases=(Phase.explicit, Phase.generate), database=None
        )
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember whether a test holds."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests, then the faults; here no test is ever run, so that nothing is left behind by one."""
        files = {
            str(PACKAGE / module) for module in self.watched
        }  # also for a run of others that goes on from here
        seen = Seen.kept(self.seen)
        new = [item for item in session.items if item.nodeid not in seen.seconds]
        seen = seen.with_(_in_a_copy(partial(self._watch, new, files)))
        self.seen.write_bytes(pickle.dumps(seen))
        for name in seen.modules:
            with suppress(Exception):  # loaded once here, not in every process; some load only in their turn
                import_module(name)
        living = _functions_in(files)
        gc.freeze()
        children = Children(self.jobs)
        for source in self.sources:
            for fault in source.faults:
                put, tests = self._judged_by(source, fault, seen, living, session.items)
                told = partial(self.told, source.module, fault)
                if tests:
                    children.start(partial(self._verdict, put, tests), told)
                else:
                    told("untested")
        children.finish()
        return True

    def _judged_by(
        self,
        source: Source,
        fault: Mutant,
        seen: Seen,
        living: Mapping[Place, FunctionType],
        items: Sequence[pytest.Item],
    ) -> tuple[Callable[[], None], list[pytest.Item]]:
        """How a fault is put in, and the tests that judge it: its module's own first, the quickest of each first."""
        if not fault.function or source.module in RUN_AT_IMPORT:
            named = AT_IMPORT.get(source.module)
            put = partial(_put_into_module, source, fault)
            chosen = [item for item in items if named is None or item.nodeid.startswith(named)]
        else:
            place = (source.file, fault.function)
            callers = seen.callers.get(place, set())
            put = partial(_put_into, living.get(place), source, fault)
            chosen = [item for item in items if item.nodeid in callers]
        good = [item for item in chosen if item.nodeid in seen.seconds]
        own = AT_IMPORT.get(source.module, ())
        return put, sorted(good, key=lambda it: (not it.nodeid.startswith(own), seen.seconds[it.nodeid]))[
            :TESTS
        ]

    def _verdict(self, put: Callable[[], None], items: Sequence[pytest.Item]) -> int:
        put()
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                return KILLED
        return SURVIVED

    def _watch(self, items: Sequence[pytest.Item], files: set[str]) -> Seen:
        """Run the tests as they are; every one makes its own fixtures."""
        callers: dict[Place, set[str]] = defaultdict(set)
        called: set[CodeType] = set()

        def watch(frame: FrameType, event: str, argument: object) -> None:
            if event == "call" and frame.f_code.co_filename in files:
                called.add(frame.f_code)

        for item in items:
            called.clear()
            began = process_time()
            sys.setprofile(watch)
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            finally:
                sys.setprofile(None)
            self.seconds[item.nodeid] = process_time() - began
            for code in called:
                callers[_place(code)].add(item.nodeid)
        for broken in sorted(self.failed):
            sys.stderr.write(f"left out, since it fails without any fault: {broken}\n")
            del self.seconds[broken]
        return Seen(dict(callers), dict(self.seconds), tuple(sys.modules))


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run without any fault has shown."""

    callers: dict[Place, set[str]]
    """The tests that call a function."""

    seconds: dict[str, float]
    """How long each test takes that holds."""

    modules: tuple[str, ...]
    """What they load."""

    @classmethod
    def kept(cls, file: Path) -> Seen:
        """What the last run has shown; nothing, where the file is not there."""
        if not file.exists():
            return cls({}, {}, ())
        seen: Seen = pickle.loads(file.read_bytes())  # noqa: S301  our own
        return seen

    def with_(self, other: Seen) -> Seen:
        """Both together."""
        places = {*self.callers, *other.callers}
        callers = {
            place: self.callers.get(place, set()) | other.callers.get(place, set()) for place in places
        }
        return Seen(callers, self.seconds | other.seconds, (*self.modules, *other.modules))


def _in_a_copy(work: Callable[[], Seen]) -> Seen:
    """Do something in a copy of this process, and bring home what it found."""
    with TemporaryFile() as file:

        def brought() -> int:
            pickle.dump(work(), file)
            file.flush()
            return 0

        os.waitpid(forked(brought), 0)
        file.seek(0)
        seen: Seen = pickle.load(file)  # noqa: S301  our own
        return seen


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname


def _functions_in(files: set[str]) -> dict[Place, FunctionType]:
    """Return every living function of some files: whoever imported it holds the same one."""
    gc.unfreeze()  # tests/conftest.py excepts what is loaded from the search for garbage, and so from this one
    return {
        _place(thing.__code__): thing
        for thing in gc.get_objects()
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in files
    }


# ------------------------------------------------------------------------------------------- putting a fault in


def _put_into(function: FunctionType | None, source: Source, fault: Mutant) -> None:
    """A fault inside a function: the function gets the code with the fault."""
    if function is None:
        raise LookupError(fault.label)
    fault.apply()
    place = _place(function.__code__)
    function.__code__ = next(code for code in functions(source.code(fault.line)) if _place(code) == place)


def _put_into_module(source: Source, fault: Mutant) -> None:
    """A fault that is made at import: the module is run again, and what it made is put into what is loaded.

    The same is done for the modules whose work at import starts from what it made.
    """
    fault.apply()
    _run_again(source)
    for dependant in dependants(source.module):
        _run_again(Source.of(dependant))


def dependants(module: str) -> Iterator[str]:
    """The modules that do their work at import, and import from a module directly."""
    name = module_name(module)
    for other in RUN_AT_IMPORT:
        tree = ast.parse((PACKAGE / other).read_text(encoding="utf-8"))
        if any(isinstance(part, ast.ImportFrom) and part.module == name for part in tree.body):
            yield other


def _run_again(source: Source) -> None:
    """Run a module again, and put what it made into what is loaded."""
    module, copy = sys.modules[source.name], ModuleType(source.name)
    copy.__dict__.update((name, value) for name, value in vars(module).items() if name.startswith("__"))
    sys.modules[source.name] = copy  # dataclasses look for the module that they are in
    try:
        exec(source.code(), copy.__dict__)  # noqa: S102  our own source with one fault in it
    except Exception as error:
        raise ImportFails from error
    finally:
        sys.modules[source.name] = module
    for name, new in vars(copy).items():
        old = module.__dict__.get(name)
        if old is not new and not name.startswith("__"):
            _replace(name, old, new)


def _replace(name: str, old: object, new: object) -> None:
    """One thing for another, wherever it is held: records and functions from inside, others by their name."""
    if isinstance(old, FunctionType) and isinstance(new, FunctionType):
        old.__code__, old.__defaults__, old.__kwdefaults__ = (
            new.__code__,
            new.__defaults__,
            new.__kwdefaults__,
        )
    elif isinstance(old, type) and isinstance(new, type):
        _replace_class(old, new)
    elif is_dataclass(old) and is_dataclass(new):
        for field in fields(old):
            object.__setattr__(old, field.name, getattr(new, field.name))
    elif old != new:
        for other in [*sys.modules.values()]:
            if other.__dict__.get(name) is old and other.__name__.startswith(("arpad", "tests")):
                setattr(other, name, new)


def _replace_class(old: type, new: type) -> None:
    """What is made from the fields, as they are now, and the defaults of every method."""
    for made in {"__init__", "__eq__", "__repr__"} & vars(new).keys():
        setattr(old, made, vars(new)[made])
    for name, method in vars(new).items():
        before = vars(old).get(name)
        if isinstance(before, FunctionType) and isinstance(method, FunctionType):
            before.__defaults__, before.__kwdefaults__ = method.__defaults__, method.__kwdefaults__
