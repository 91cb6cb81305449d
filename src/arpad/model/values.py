"""Dataclasses that are made quickly: a command of the office loads some two hundred of them.

``dataclasses.dataclass`` compiles six functions for each frozen class. This one compiles only ``__init__``; the other
methods are closures over the fields. Everything else of ``dataclasses`` (``field``, ``fields``, ``replace``) works as
with the original, which type checkers see.
"""

from __future__ import annotations

import dataclasses
import sys
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: Any = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        kw_only: bool = False,
        eq: bool = True,
    ) -> Any:
        """Return the class as a dataclass."""
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)
        return _as_dataclass(cls, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)


__all__ = ["dataclass"]


def _as_dataclass(cls: Any, *, frozen: bool, slots: bool, kw_only: bool, eq: bool) -> Any:
    own = set(vars(cls))
    has_hash = "__hash__" in own and not (cls.__hash__ is None and "__eq__" in own)
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # otherwise the original looks at the signature, which takes long
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    fields = dataclasses.fields(made)
    methods: dict[str, Any] = {"__init__": _init(made, frozen=frozen), "__repr__": _repr(fields)}
    if eq:
        methods["__eq__"] = _eq(fields)
        if not has_hash:
            made.__hash__ = _hash(fields) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            if name in ("__init__", "__repr__", "__eq__"):
                method.__qualname__ = f"{made.__qualname__}.{name}"
            setattr(made, name, method)
    return made


class _Factory:
    """The default of a parameter whose value is made anew for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _init(cls: Any, *, frozen: bool) -> Any:
    """Compile ``__init__``; names with two underscores are its own."""
    own: dict[str, Any] = {"__FACTORY": _FACTORY, "__set": object.__setattr__}
    parameters, keywords, body = ["self"], ["*"], []
    fields = dataclasses.fields(cls)
    for item in fields:
        name = item.name
        value, default = _value(item, own)
        if item.init:
            (keywords if item.kw_only else parameters).append(f"{name}{default}")
        if item.init or default:
            body.append(f"  __set(self, {name!r}, {value})" if frozen else f"  self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("  self.__post_init__()")
    given = ", ".join([*parameters, *(keywords if len(keywords) > 1 else ())])
    text = f"def __create({', '.join(own)}):\n def __init__({given}):\n" + "\n".join(body or ["  pass"])
    scope: dict[str, Any] = {}
    exec(f"{text}\n return __init__", vars(sys.modules[cls.__module__]), scope)  # noqa: S102  as dataclasses does
    method = scope["__create"](**own)
    method.__annotations__ = {item.name: item.type for item in fields if item.init} | {"return": None}
    return method


def _value(item: Any, own: dict[str, Any]) -> tuple[str, str]:
    """Return what a field is set to, and the default of its parameter; what they name is added to ``own``."""
    name = item.name
    if item.default_factory is not dataclasses.MISSING:
        own[f"__new_{name}"] = item.default_factory
        new = f"__new_{name}()"
        return (f"{new} if {name} is __FACTORY else {name}" if item.init else new), "=__FACTORY"
    if item.default is not dataclasses.MISSING:
        own[f"__default_{name}"] = item.default
        return (name if item.init else f"__default_{name}"), f"=__default_{name}"
    return name, ""


def _getter(names: list[str]) -> Any:
    """Return a function from an instance to its values: a tuple, or the only one."""
    return attrgetter(*names) if names else lambda _: ()


def _repr(fields: Any) -> Any:
    names = [item.name for item in fields if item.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({values})"

    return __repr__


def _eq(fields: Any) -> Any:
    values = _getter([item.name for item in fields if item.compare])

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(fields: Any) -> Any:
    values = _getter([item.name for item in fields if (item.compare if item.hash is None else item.hash)])

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _refuse_to_set(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for item, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)
