"""The settings of Sphinx for the documentation site; tools/docs.py prepares the pages and calls it."""

from __future__ import annotations

from typing import Any

project = "Arpad"
author = "the Arpad authors"
project_copyright = "the Arpad authors, MIT licence"
language = "en"

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
highlight_language = "none"  # a block says its language itself
nitpicky = True

html_theme = "furo"
html_title = "Arpad"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/mark.svg"
html_logo = "static/mark.svg"
html_copy_source = False
html_show_sourcelink = False
html_use_index = False

# The colours of src/arpad/web/static/site.css.
_SERIF = "Lora, Charter, Georgia, 'Times New Roman', serif"
_SANS = "'Public Sans', 'Segoe UI', system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif"
_MONO = "'Source Code Pro', ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
_LIGHT = {
    "font-stack": _SANS,
    "font-stack--headings": _SERIF,
    "font-stack--monospace": _MONO,
    "color-brand-primary": "#14573f",
    "color-brand-content": "#14573f",
    "color-brand-visited": "#14573f",
    "color-foreground-primary": "#1b222c",
    "color-foreground-secondary": "#566070",
    "color-foreground-muted": "#566070",
    "color-background-primary": "#fdfdfb",
    "color-background-secondary": "#f3f4f0",
    "color-background-border": "#dfe3e8",
    "color-code-background": "#f3f4f0",
    "color-highlight-on-target": "#fff3c9",
}
_DARK = {
    "color-brand-primary": "#82cfb1",
    "color-brand-content": "#82cfb1",
    "color-brand-visited": "#82cfb1",
    "color-foreground-primary": "#e8eaed",
    "color-foreground-secondary": "#a4adba",
    "color-foreground-muted": "#a4adba",
    "color-background-primary": "#12161b",
    "color-background-secondary": "#1b2129",
    "color-background-border": "#333b46",
    "color-code-background": "#1b2129",
    "color-highlight-on-target": "#4a3d10",
}
html_theme_options = {"light_css_variables": _LIGHT, "dark_css_variables": _DARK}


def say_language(_app: Any, name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Mark the Italian pages as Italian, for browsers and screen readers."""
    if name.endswith(".it"):
        context["language"] = "it"


def setup(app: Any) -> None:
    """Connect what this file adds to Sphinx."""
    app.connect("html-page-context", say_language)
