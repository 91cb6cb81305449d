"""Regular expressions that can take very long: nested or adjacent unbounded repeats on the same characters.

``(a+)+b`` and ``\\s*[ \\t]*x`` can divide the same characters in many ways, and try them all before they fail. A repeat
that is separated from the next by a character that it cannot match has one way only. A possessive repeat (``\\s*+``)
gives nothing back, so that any other may follow it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

parser: Any = import_module("re._parser")
codes: Any = import_module("re._constants")
"""The parser of the standard library, which has no types."""

FUNCTIONS = frozenset(
    {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
)
SOME = frozenset(map(chr, range(128))) | frozenset("\u00a0\u00e9\u00df\u0663\u03a9\u2028\u3042")
"""Characters that stand for all: ASCII, and a space, letters and a digit beyond it."""

_HAS_PATTERN = re.compile(r"\bre\.[a-z]|match=")
STANDS_FOR_A_VALUE = "\ue000"
"""A character that no pattern has, for what an f-string inserts."""

Characters = frozenset[str]


@dataclass(frozen=True, slots=True)
class Repeat:
    """An unbounded repeat: the characters that can begin and end it."""

    first: Characters
    last: Characters

    def shares_with(self, other: Repeat) -> bool:
        """Whether both can match the same text."""
        return bool(self.first & other.first) and bool(self.last & other.last)


@dataclass(frozen=True, slots=True)
class Shape:
    """The part of a pattern that matters: which repeats can be at its two ends."""

    empty: bool = True
    """Whether it can match nothing."""

    first: Characters = frozenset()
    last: Characters = frozenset()
    leading: tuple[Repeat, ...] = ()
    trailing: tuple[Repeat, ...] = ()
    slow: bool = False
    """Whether two repeats inside can divide the same characters."""

    def then(self, other: Shape) -> Shape:
        """Return the shape of two parts, one after the other."""
        meets = any(left.shares_with(right) for left in self.trailing for right in other.leading)
        return Shape(
            self.empty and other.empty,
            self.first | other.first if self.empty else self.first,
            other.last | self.last if other.empty else other.last,
            self.leading + other.leading if self.empty else self.leading,
            other.trailing + self.trailing if other.empty else other.trailing,
            self.slow or other.slow or meets,
        )

    def either(self, other: Shape) -> Shape:
        """Return the shape of two parts of which one matches."""
        return Shape(
            self.empty or other.empty,
            self.first | other.first,
            self.last | other.last,
            self.leading + other.leading,
            self.trailing + other.trailing,
            self.slow or other.slow,
        )

    def optional(self) -> Shape:
        """Return the shape of the part if it may be missing."""
        return self.either(Shape())

    def possessive(self) -> Shape:
        """Return the shape of the part if it gives nothing back."""
        return Shape(self.empty, self.first, self.last, self.leading, (), slow=self.slow)


def is_slow(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether a pattern has nested or adjacent unbounded repeats on the same characters."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = parser.parse(text, flags)
    beyond = frozenset(letter for letter in text if not letter.isascii())
    return _sequence(list(tree), tree.state.flags, SOME | beyond).slow


def _sequence(items: Sequence[tuple[Any, Any]], flags: int, every: Characters) -> Shape:
    shape = Shape()
    for code, argument in items:
        shape = shape.then(_shape(code, argument, flags, every))
    return shape


def _shape(code: Any, argument: Any, flags: int, every: Characters) -> Shape:
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, most, items = argument
        return _repeat(code, least, most, items, flags, every)
    if code is codes.SUBPATTERN:
        _, added, removed, items = argument
        return _sequence(list(items), (flags | added) & ~removed, every)
    if code is codes.ATOMIC_GROUP:
        return _sequence(list(argument), flags, every).possessive()
    if code is codes.BRANCH:
        return _either([_sequence(list(items), flags, every) for items in argument[1]])
    if code is codes.GROUPREF_EXISTS:
        _, yes, no = argument
        return _sequence(list(yes), flags, every).either(_sequence(list(no or ()), flags, every))
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return Shape(slow=_sequence(list(argument[1]), flags, every).slow)
    if code in (codes.AT, codes.GROUPREF):
        return Shape()
    characters = _characters(code, tuple(argument) if code is codes.IN else argument, flags, every)
    return Shape(empty=False, first=characters, last=characters)


def _either(shapes: Sequence[Shape]) -> Shape:
    first, *others = shapes
    for shape in others:
        first = first.either(shape)
    return first


def _repeat(code: Any, least: int, most: Any, items: Any, flags: int, every: Characters) -> Shape:
    body = _sequence(list(items), flags, every)
    if most == 1:
        shape = body
    elif most is not codes.MAXREPEAT:
        shape = body.then(body)
    else:
        whole = Repeat(body.first, body.last)
        inside = body.slow or (code is not codes.POSSESSIVE_REPEAT and body.then(body).slow)
        shape = Shape(
            body.empty, body.first, body.last, (whole, *body.leading), (whole, *body.trailing), slow=inside
        )
    if code is codes.POSSESSIVE_REPEAT:
        shape = shape.possessive()
    return shape if least else shape.optional()


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


@cache
def _characters(code: Any, argument: Any, flags: int, every: Characters) -> Characters:
    """Return which of all characters one place of a pattern matches."""
    if code is codes.ANY:
        return every if flags & re.DOTALL else every - {"\n"}
    if code is codes.IN:
        negated = argument[0][0] is codes.NEGATE
        listed = frozenset[str]().union(
            *(_characters(*item, flags, every) for item in argument if item[0] is not codes.NEGATE)
        )
        return every - listed if negated else listed
    if code is codes.CATEGORY:
        pattern = re.compile(_CATEGORIES[argument], flags & re.ASCII)
        return frozenset(letter for letter in every if pattern.match(letter))
    if code is codes.NOT_LITERAL:
        return every - _characters(codes.LITERAL, argument, flags, every)
    low, high = argument if code is codes.RANGE else (argument, argument)
    inside = frozenset(letter for letter in every if low <= ord(letter) <= high)
    if flags & re.IGNORECASE:
        inside |= frozenset(
            letter for letter in every if letter.lower() in inside or letter.upper() in inside
        )
    return inside


# ------------------------------------------------------------------------------------------------- in a module


def patterns(source: str) -> Iterator[tuple[int, str | bytes, int]]:
    """Yield the line, the pattern and the flags of every regular expression in the source of a module."""
    if not _HAS_PATTERN.search(source):
        return
    nodes = list(ast.walk(ast.parse(source)))
    constants = {
        target.id: statement.value
        for statement in nodes
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    flags_of_others: int | None = None
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        for node in _pattern_nodes(call):
            text = _text(node, constants)
            if text is not None:
                yield node.lineno, text, _flags(call)
            else:
                flags_of_others = (flags_of_others or 0) | _flags(call)
    if flags_of_others is not None:
        yield from ((line, text, flags_of_others) for line, text in _listed_texts(nodes))


def _listed_texts(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the texts in tuples, lists and dictionaries: those that are compiled in a loop are among them."""
    for node in nodes:
        values = (
            node.elts
            if isinstance(node, ast.Tuple | ast.List)
            else node.values
            if isinstance(node, ast.Dict)
            else ()
        )
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and _is_pattern(value.value):
                yield value.lineno, value.value


def _is_pattern(text: str) -> bool:
    try:
        parser.parse(text)
    except (re.error, OverflowError):
        return False
    return True


def _pattern_nodes(call: ast.Call) -> list[ast.expr]:
    """Return the pattern of a call of ``re``, and the ``match`` of ``pytest.raises``."""
    function = call.func
    is_re = (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in FUNCTIONS
    )
    nodes = [call.args[0]] if is_re and call.args else []
    named = ("pattern",) if is_re else ("match",)
    return nodes + [word.value for word in call.keywords if word.arg in named]


def _text(node: ast.expr, constants: dict[str, ast.expr], depth: int = 0) -> str | bytes | None:
    """Return the text of an expression, with one character for each value that is not known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.Name) and node.id in constants and depth < 5:
        return _text(constants[node.id], constants, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = (_text(side, constants, depth + 1) for side in (node.left, node.right))
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        return left + right if isinstance(left, bytes) and isinstance(right, bytes) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_inserted(part, constants, depth) for part in node.values)
    return None


def _inserted(part: ast.expr, constants: dict[str, ast.expr], depth: int) -> str:
    text = _text(part.value if isinstance(part, ast.FormattedValue) else part, constants, depth + 1)
    return text if isinstance(text, str) else STANDS_FOR_A_VALUE


def _flags(call: ast.Call) -> int:
    """Return the flags that a call names, whichever way they are combined."""
    named = [
        node.attr
        for argument in (*call.args[1:], *(word.value for word in call.keywords))
        for node in ast.walk(argument)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"
    ]
    flags = 0
    for name in named:
        flags |= int(getattr(re, name, 0)) if name.isupper() else 0
    return flags
