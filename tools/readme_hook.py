"""The README as a package index shows it: without links to files of the repository, which lead nowhere there.

Hatchling runs this when it builds the package (pyproject.toml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|mailto:)[^)]*\)")


def for_index(text: str) -> str:
    """Return Markdown without pictures and links whose target is in the repository; the words of a link stay."""
    return LINK.sub(r"\1", PICTURE.sub("", text))


class ReadmeHook(MetadataHookInterface):
    """The description of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the README into the metadata."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}
