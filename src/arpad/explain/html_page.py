"""A page that stands alone: it can be mailed or printed, and loads nothing."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from arpad.explain.words import Words


def standalone_page(title: str, inside: str, words: Words, *styles: str) -> str:
    """The page around what stands below its title; the style sheets are files of this folder."""
    layouts = files("arpad.explain") / "layouts"
    style = "".join((layouts / name).read_text(encoding="utf-8") for name in styles)
    named = escape(title)
    return (
        f"<!doctype html>\n<html lang='{words.language}'>\n<head>\n<meta charset='utf-8'>\n"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>{named}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{named}</h1>\n{inside}\n"
        "</main>\n</body>\n</html>\n"
    )
