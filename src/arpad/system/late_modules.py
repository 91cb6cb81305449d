"""Modules that other packages import at their start and rarely use: executed when something of them is first used.

SQLAlchemy imports ``asyncio`` and ``importlib.metadata``, which take a fifth of its time; a command of the office uses
neither. ``importlib.util.LazyLoader`` does the same, but executes a module even if only a function is looked up that
is never called.
"""

from __future__ import annotations

import sys
from _thread import RLock  # threading would be loaded for every command
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

_lock = RLock()


def load_late(name: str, *functions: str) -> None:
    """Put a module into its place without executing it; looking up one of ``functions`` does not execute it either.

    A module that is loaded already, or that does not exist, is left as it is.
    """
    if name in sys.modules or (spec := find_spec(name)) is None:
        return
    module = module_from_spec(spec)
    vars(module).pop("__path__", None)  # so that importing one of its submodules executes it
    for function in functions:
        setattr(module, function, _forwarded(module, function))
    module.__class__ = LateModule
    sys.modules[name] = module
    package, _, last = name.rpartition(".")
    if package:
        setattr(sys.modules[package], last, module)


class LateModule(ModuleType):
    """A module that is not executed yet."""

    def __getattr__(self, name: str) -> Any:
        """Execute the module, then return what was asked for."""
        _execute(self)
        return ModuleType.__getattribute__(self, name)


_executing: set[str] = set()


def _execute(module: ModuleType) -> None:
    """Execute a module once; another thread that misses something of it meanwhile waits."""
    with _lock:
        spec = module.__spec__
        waiting = isinstance(module, LateModule) and module.__name__ not in _executing
        if not waiting or spec is None or spec.loader is None:
            return
        _executing.add(module.__name__)
        try:
            if spec.submodule_search_locations is not None:
                module.__path__ = spec.submodule_search_locations
            spec.loader.exec_module(module)
            module.__class__ = ModuleType
        finally:
            _executing.discard(module.__name__)


def _forwarded(module: ModuleType, name: str) -> Callable[..., Any]:
    """Return a function that executes the module and calls its function of that name."""

    def call(*arguments: Any, **named: Any) -> Any:
        _execute(module)
        return getattr(module, name)(*arguments, **named)

    return call
