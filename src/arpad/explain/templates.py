"""Fill the templates of ``layouts``: HTML pages and, by Typst, PDF."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from arpad.explain.words import Words


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a PDF, in words and numbers."""

    title: str
    headings: tuple[str, ...]
    sides: str
    """``l``, ``r`` or ``c`` for each column."""

    widths: tuple[int, ...]
    """In millimetres; 0 takes the rest of the width."""

    rows: tuple[tuple[str, ...], ...]
    faint: tuple[bool, ...]
    """Whether each row is printed faint."""

    note: str = ""


def fill_template(name: str, parts: Mapping[str, str]) -> str:
    """Return the HTML of a template with its parts, which are HTML themselves."""
    page = (files("arpad.explain") / "layouts" / f"{name}.html").read_text(encoding="utf-8")
    for part, value in parts.items():
        page = page.replace(f"<!--{part}-->", value)
    return page


FONTS = {"Lora": "fontpkg_lora", "Public Sans": "fontpkg_public_sans"}
"""The fonts of Arpad by family, on the site and in print, and the packages that contain them."""


@cache
def _fonts() -> Any:
    """Return the fonts of Typst with those of the site that are installed."""
    import typst

    installed = [files(package) for package in FONTS.values() if find_spec(package) is not None]
    return typst.Fonts(font_paths=[str(folder / "files") for folder in installed])


def typeset(name: str, data: Any) -> bytes:
    """Return the PDF of a template and its data, which may contain dataclasses; equal bytes for equal data.

    The words are passed as data, so nothing in a name can be taken for markup.
    """
    import typst

    return typst.compile(_layout(name), format="pdf", font_paths=_fonts(), sys_inputs=_inputs(data))


def draw_picture(name: str, data: Any) -> bytes:
    """Return the PNG of a template of one page and its data, a pixel for each of its points."""
    import typst

    return typst.compile(_layout(name), format="png", ppi=72.0, font_paths=_fonts(), sys_inputs=_inputs(data))


def _layout(name: str) -> bytes:
    return (files("arpad.explain") / "layouts" / f"{name}.typ").read_bytes()


def _inputs(data: Any) -> dict[str, str]:
    """Return the data as JSON; half a character, from bytes on a command line, becomes a question mark."""
    text = json.dumps(data, default=_as_object, ensure_ascii=False)
    return {"data": text.encode("utf-8", "replace").decode()}


def _as_object(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def standalone_page(title: str, inside: str, words: Words, *styles: str) -> str:
    """Return a self-contained page, to be mailed or printed; ``styles`` are style sheets in ``layouts``."""
    layouts = files("arpad.explain") / "layouts"
    style = "".join((layouts / name).read_text(encoding="utf-8") for name in styles)
    named = escape(title)
    return (
        f"<!doctype html>\n<html lang='{words.language}'>\n<head>\n<meta charset='utf-8'>\n"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>{named}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{named}</h1>\n{inside}\n"
        "</main>\n</body>\n</html>\n"
    )
