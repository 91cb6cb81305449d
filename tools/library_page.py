"""The page of the public names of the library for the documentation site, and their signatures.

``python -m tools.library_page`` records the signatures, with which a test compares: they change only on purpose.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import arpad

RECORD = Path(__file__).parents[1] / "tests" / "library" / "public_names.txt"
"""The signatures as they were recorded."""

TABLES = ("to_arrow(", "to_pandas(", "to_polars(")
"""The methods of all tables, which the head names."""

HEAD = """# Public names of the library

These names and signatures change only as [the policy of versions](../project/versions.md) says.
[The guide](../guides/library.md) says how to use them; Python shows the same with `help(arpad.read)`.

Parameters have the names of the options of `arpad calc`, `rate` and `norms` and of the API, values those of the fields
of the `--json` document. What has `rows() -> list[Row]` has `to_arrow()`, `to_pandas()` and `to_polars()` too; a column
is an attribute of the object of its row. Scores, expectations and changes are exact fractions. `in_words` and
`sentence` speak any language. An error has `code` and `facts`, and `str(error)` is its English sentence.

| type of an argument | accepted |
|---|---|
| `Score` | points: `1`, `0.5`, `"0.5"`, `"½"`, `Fraction(1, 2)` |
| `Game` | `(opponent, score)`, `(opponent, score, own)`, `(opponent, score, own, event)`, or the text of `--game` |
| `Event` | `(ratings, score)`, `(ratings, score, last_day)`, or the text of `--event` |
| `Player` | `(rating, results)`, perhaps with K and name, or the text of `--player`; the rating None is no rating |
| `EditionChoice` | the name of an edition, the path of its TOML file, an `Edition` |
| `Day`, `Birth` | a `date`; of a birth also the year alone |
| `Source` | the path of a file, or its bytes |
| `ListFile` | the path of a rating list |
| `Facts` | a mapping with the names of [the facts file](formats.md) |
"""


def page() -> str:
    """Return the page."""
    names = [(name, getattr(arpad, name)) for name in arpad.__all__]
    parts = [HEAD, "## Functions\n"]
    parts += [
        f"### {name}\n\n```python\narpad.{name}{signature(value)}\n```\n\n{first_sentence(value)}\n"
        for name, value in names
        if inspect.isfunction(value)
    ]
    parts.append("## Values\n")
    parts += [
        class_text(name, value) for name, value in names if inspect.isclass(value) and not is_error(value)
    ]
    parts.append("## Errors\n")
    parts += [
        f"### {name}\n\n{first_sentence(value)} A subclass of `{value.__base__.__name__}`.\n"
        for name, value in names
        if is_error(value)
    ]
    return "\n".join(parts)


def signatures() -> str:
    """Return a line for each public name and each of its members."""
    lines = []
    for name in arpad.__all__:
        value = getattr(arpad, name)
        if inspect.isfunction(value):
            lines.append(f"{name}{signature(value)}")
        elif is_error(value):
            lines.append(f"{name}: {value.__base__.__name__}")
        elif inspect.isclass(value):
            inner = value if issubclass(value, Enum) else members(value)
            lines += [name, *(f"    {member}" for member in inner)]
    return "".join(f"{line}\n" for line in lines)


def is_error(value: Any) -> bool:
    """Return whether a public name is an error."""
    return inspect.isclass(value) and issubclass(value, Exception)


def class_text(name: str, kind: type) -> str:
    """Return the section of a class: its first sentence, what its docstring lists, and its members."""
    lines = [f"### {name}", "", first_sentence(kind), ""]
    if issubclass(kind, Enum):
        lines += [", ".join(f"`{member}`" for member in kind), ""]
    else:
        if not hasattr(kind, "__dataclass_fields__") and kind.__module__.startswith("arpad.library"):
            lines += ["```text", *rest(kind), "```", ""]
        rows = [row for row in members(kind) if not row.startswith(TABLES)]
        lines += ["```python", *rows, "```", ""] if rows else []
    return "\n".join(lines)


def members(kind: type) -> Iterator[str]:
    """Yield the public fields, properties and methods of a class, each with its type."""
    fields = getattr(kind, "_fields", None) or list(getattr(kind, "__dataclass_fields__", ()))
    for field in fields:
        owner = next(base for base in kind.__mro__ if field in base.__annotations__)
        yield f"{field}: {plain(owner.__annotations__[field])}"
    for name, value in inspect.getmembers_static(kind):
        if name.startswith("_") or name in fields or name == "COLUMNS":
            continue
        if isinstance(value, property) and value.fget:
            yield f"{name}: {plain(value.fget.__annotations__['return'])}"
        elif inspect.isfunction(value) and value.__module__.startswith("arpad."):
            yield f"{name}{signature(value)}"
        elif inspect.ismemberdescriptor(value):
            yield name


def signature(function: Any) -> str:
    """Return the signature of a function with its types as they are written, without the first argument of a method."""
    written = inspect.signature(function)
    parameters = [parameter for name, parameter in written.parameters.items() if name != "self"]
    parts, starred = [], False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        default = parameter.default
        shown = getattr(default, "id", None) or (default if isinstance(default, type) else repr(default))
        end = "" if default is parameter.empty else f" = {shown}"
        parts.append(f"{parameter.name}: {plain(parameter.annotation)}{end}")
    return f"({', '.join(parts)}) -> {plain(written.return_annotation)}"


def plain(annotation: Any) -> str:
    """Return a type as it is written in the source."""
    annotation = getattr(annotation, "__forward_arg__", annotation)
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def rest(value: Any) -> list[str]:
    """Return the lines of a docstring after its first paragraph: the attributes of a class."""
    return (inspect.getdoc(value) or "").partition("\n\n")[2].splitlines()


def first_sentence(value: Any) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split()).replace("``", "`")


if __name__ == "__main__":
    RECORD.write_text(signatures(), encoding="utf-8")
