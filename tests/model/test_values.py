"""Quick dataclasses behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field
from typing import Any, ClassVar, get_type_hints

import pytest

from arpad.model import values


class Plain:
    """Two fields, one of them with a default, and a constant."""

    limit: ClassVar[int] = 3
    name: str
    games: int = 0


class Rich:
    """Fields of every kind."""

    name: str
    games: list[int] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)
    total: int = field(default=0, init=False)
    only: int = field(default=7, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", len(self.games))


class Empty:
    """No field."""


def both(
    cls: type, *, frozen: bool = True, slots: bool = True, kw_only: bool = False, eq: bool = True
) -> list[Any]:
    """Return a class as the standard library makes it, and as we do."""
    made: list[Any] = []
    for decorate in (dataclasses.dataclass, values.dataclass):
        body = {key: value for key, value in vars(cls).items() if key not in ("__dict__", "__weakref__")}
        fresh = type(cls.__name__, (), body)
        made.append(decorate(frozen=frozen, slots=slots, kw_only=kw_only, eq=eq)(fresh))
    return made


OPTIONS = [
    {"frozen": frozen, "slots": slots, "eq": eq}
    for frozen in (True, False)
    for slots in (True, False)
    for eq in (True, False)
]


def outcome(do: Any) -> Any:
    """Return what a call returns, or the kind and the text of its error."""
    try:
        return do()
    except Exception as error:  # noqa: BLE001  whatever it is, the other must raise it too
        return type(error), str(error)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values_are_made_shown_compared_and_hashed_alike(options: dict[str, bool]) -> None:
    for cls, calls in (
        (Plain, [(("a",), {}), (("a", 2), {}), ((), {"name": "a", "games": 2}), ((), {}), (("a", 1, 2), {})]),
        (Rich, [(("a",), {}), (("a", [1, 2], "n"), {"only": 1}), (("a",), {"total": 1})]),
        (Empty, [((), {})]),
    ):
        standard, ours = both(cls, **options)
        for given, named in calls:
            pair = [outcome(lambda made=made: made(*given, **named)) for made in (standard, ours)]  # noqa: B023
            if isinstance(pair[0], tuple):
                assert pair[0] == pair[1]
                continue
            first, second = pair
            assert repr(first) == repr(second)
            assert (first == copy.copy(first)) is (second == copy.copy(second))
            assert first.__ne__(second) == second.__ne__(first) == NotImplemented or not options["eq"]
            hashes = [outcome(lambda value=value: type(hash(value))) for value in pair]
            assert hashes[0] == hashes[1]
        assert str(inspect.signature(standard)) == str(inspect.signature(ours))
        assert standard.__match_args__ == ours.__match_args__
        assert [item.name for item in dataclasses.fields(standard)] == [
            item.name for item in dataclasses.fields(ours)
        ]


def test_a_frozen_value_refuses_to_be_changed() -> None:
    for made in both(Plain):
        value = made("a")
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'games'"):
            value.games = 1
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'games'"):
            del value.games
        assert dataclasses.replace(value, games=2) == made("a", 2)
        assert {made("a"): 1}[value] == 1


def test_keywords_only() -> None:
    standard, ours = both(Plain, kw_only=True)
    assert str(inspect.signature(standard)) == str(inspect.signature(ours))
    assert outcome(lambda: ours("a")) == outcome(lambda: standard("a"))


@values.dataclass(frozen=True, slots=True)
class Base:
    """A value with a method of its own."""

    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Base) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())


@values.dataclass(frozen=True, slots=True)
class Longer(Base):
    """A field more."""

    games: tuple[int, ...] = ()


def test_own_methods_stay_and_fields_are_inherited() -> None:
    assert (repr(Base("A")), Base("a") == Base("A"), hash(Base("a")) == hash(Base("A"))) == (
        "<A>",
        True,
        True,
    )
    longer = Longer("A", (1,))
    assert repr(longer) == "Longer(name='A', games=(1,))"
    assert longer != Longer("A")
    assert pickle.loads(pickle.dumps(longer)) == longer  # noqa: S301  our own
    assert copy.deepcopy(longer) == longer
    assert get_type_hints(Longer.__init__)["games"] == tuple[int, ...]
    assert not hasattr(longer, "__dict__")
