"""The small faults: every place of a module where one can be made, and what is put there.

Left alone: annotations, decorators, docstrings, imports and ``__all__``, names of types. They do not change a result.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
COMPARISON: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
FUNCTIONS = {
    "min": "max", "max": "min", "any": "all", "all": "any",
    "bisect_left": "bisect_right", "bisect_right": "bisect_left",
}  # fmt: skip
LONGEST = 80
"""Characters of source in a label."""

TYPE_NAMES = {"TypeAlias", "TypeVar", "NewType"}
PLAIN = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.NamedExpr
"""What stands as a condition by itself; comparisons and their like have faults of their own."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault."""

    function: str
    """The outermost function or method it is in, by its qualified name; empty: the fault is made at import."""

    line: int
    text: str
    """What stood there and what was put there, in source."""

    nth: int
    """The how-manieth of that text in that function, counted from nought."""

    parent: ast.AST
    field: str
    index: int | None
    replacement: ast.AST

    @property
    def label(self) -> str:
        """A name that stays when lines are moved."""
        return f"{self.function or '<module>'}: {self.text}" + (f" #{self.nth}" if self.nth else "")

    def apply(self) -> None:
        """Put the fault into the tree that the mutant was found in; there is no way back."""
        fresh = ast.fix_missing_locations(self.replacement)
        if self.index is None:
            setattr(self.parent, self.field, fresh)
        else:
            getattr(self.parent, self.field)[self.index] = fresh


def mutants(tree: ast.Module) -> Iterator[Mutant]:
    """Every fault that can be made in a module, from top to bottom."""
    seen: Counter[tuple[str, str]] = Counter()
    for site in _sites(tree):
        node = site.node
        for replacement in _replacements(node):
            ast.copy_location(replacement, node)
            text = _told(node, replacement)
            nth = seen[site.function, text]
            seen[site.function, text] += 1
            line = getattr(node, "lineno", getattr(site.parent, "lineno", 0))
            yield Mutant(site.function, line, text, nth, site.parent, site.field, site.index, replacement)


def functions(code: CodeType) -> Iterator[CodeType]:
    """The code of every function of a module, however deep."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from functions(constant)


@dataclass(frozen=True, slots=True)
class _Site:
    function: str
    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST


def _sites(parent: ast.AST, function: str = "", prefix: str = "") -> Iterator[_Site]:
    """Every node that may be replaced, with the function it is in."""
    for field, index, node in _children(parent):
        inside, below = function, prefix
        if isinstance(node, ast.ClassDef) and not function:
            below = f"{prefix}{node.name}."
        if isinstance(parent, ast.FunctionDef) and field == "body" and not function:
            inside = prefix + parent.name
        yield _Site(inside, parent, field, index, node)
        yield from _sites(node, inside, below)


def _children(parent: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(parent):
        if field in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        items = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, node in items:
            if isinstance(node, ast.AST) and not _left_alone(node, parent, field):
                yield field, index, node


def _left_alone(node: ast.AST, parent: ast.AST, field: str) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.expr_context):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
        return True
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id in TYPE_NAMES
    if isinstance(node, ast.Assign):
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return True
        called = node.value.func if isinstance(node.value, ast.Call) else None
        return isinstance(called, ast.Name) and called.id in TYPE_NAMES
    return isinstance(node, ast.Constant) and isinstance(parent, ast.JoinedStr | ast.FormattedValue) and (
        field == "format_spec"
    )  # fmt: skip


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may be put in the place of a node."""
    yield from _other_expressions(node)
    yield from _turned_conditions(node)
    yield from _other_statements(node)


def _other_expressions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant() as constant:
            yield from _other_constants(constant)
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Compare(left, operators, others):
            for place, comparison in enumerate(operators):
                for other in COMPARISON[type(comparison)]:
                    yield ast.Compare(left, [*operators[:place], other(), *operators[place + 1 :]], others)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.Call() as call:
            yield from _other_calls(call)


def _other_constants(constant: ast.Constant) -> Iterator[ast.AST]:
    match constant.value:
        case bool() as value:
            yield ast.Constant(not value)
        case int() as number:
            yield from (ast.Constant(number + 1), ast.Constant(number - 1))
        case str() as text:
            yield ast.Constant(text + "~")


def _other_calls(call: ast.Call) -> Iterator[ast.AST]:
    function, positional, keywords = call.func, call.args, call.keywords
    if isinstance(function, ast.Name) and function.id in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[function.id], ast.Load()), positional, keywords)
    for place, keyword in enumerate(keywords):
        if keyword.arg is not None:
            yield ast.Call(function, positional, keywords[:place] + keywords[place + 1 :])


def _turned_conditions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If(test, body, orelse) if isinstance(test, PLAIN):
            yield ast.If(_not(test), body, orelse)
        case ast.IfExp(test, body, orelse) if isinstance(test, PLAIN):
            yield ast.IfExp(test, orelse, body)
        case ast.While(test, body, orelse) if isinstance(test, PLAIN):
            yield ast.While(_not(test), body, orelse)
        case ast.comprehension(target, iterable, tests, asynchronous):
            for place, test in enumerate(tests):
                if isinstance(test, PLAIN):
                    turned = [*tests[:place], _not(test), *tests[place + 1 :]]
                    yield ast.comprehension(target, iterable, turned, asynchronous)


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    nothing = ast.Constant(None)
    match node:
        case ast.AugAssign(target, operator, value) if type(operator) in ARITHMETIC:
            yield ast.AugAssign(target, ARITHMETIC[type(operator)](), value)
        case ast.Return(ast.expr() as value) if not _is_none(value):
            yield ast.Return(nothing)
        case ast.Assign([ast.Name() | ast.Attribute() | ast.Subscript()] as targets, value) if not _is_none(
            value
        ):
            yield ast.Assign(targets, nothing)
        case ast.AnnAssign(target, annotation, ast.expr() as value, simple) if not _is_none(value):
            yield ast.AnnAssign(target, annotation, nothing, simple)
        case ast.Expr() | ast.Raise():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _not(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _told(node: ast.AST, replacement: ast.AST) -> str:
    """What stood there and what was put there."""
    if isinstance(node, ast.Call) and isinstance(replacement, ast.Call):
        for keyword in node.keywords:
            if keyword not in replacement.keywords:
                return f"{_source(node.func)}(): without {keyword.arg}={_source(keyword.value)}"
        return f"{_source(node.func)}() → {_source(replacement.func)}()"
    if isinstance(replacement, ast.Return | ast.Assign | ast.AnnAssign):
        return f"{_source(node)} → None"
    return f"{_source(node)} → {_source(replacement)}"


def _source(node: ast.AST) -> str:
    """A node in source, in one line and not too long; of a block only its head."""
    if isinstance(node, ast.comprehension):
        return " ".join(f"if {ast.unparse(test)}" for test in node.ifs)
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
