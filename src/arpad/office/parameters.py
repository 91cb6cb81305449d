"""Parameters that acts and queries of several features take."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.declared import Accepts
from arpad.model.rules import ListName

MOST_ROWS = 1000
"""At most so many rows are one answer."""


def _cursor(text: str, _parameter: str) -> Cursor | None:
    return parse_cursor(text) if text else None


def _path(text: str, _parameter: str) -> Path:
    return Path(text)


PlayerNumber = Annotated[int, Accepts("1", word="player", picks="player")]
ReportNumber = Annotated[int, Accepts("1", word="report", picks="report")]
FirstDay = Annotated[date, Accepts("2024-01-01", word="first-day")]
LastDay = Annotated[date, Accepts("2025-12-31", word="last-day")]
AppliesFrom = Annotated[date, Accepts("2025-01-10", word="applies-from")]
ListDay = Annotated[date, Accepts("2025-02-01", word="list-day")]
InForceOn = Annotated[date, Accepts("2025-01-10", word="in-force-on")]
OnDay = Annotated[date, Accepts("2025-01-10", word="on-day")]
ListChosen = Annotated[ListName, Accepts("standard", word="list")]
After = Annotated[Cursor | None, Accepts("1", longest=40, word="after", read=_cursor)]
"""Where the last answer of a query ended that is answered in pages; its answer has ``next`` and ``more``."""

WrittenFile = Annotated[Path, Accepts("office.zip", longest=1000, word="written-file", read=_path)]
WrittenFolder = Annotated[Path, Accepts("folder", longest=1000, word="written-folder", read=_path)]
"""Places on this computer: what takes one is for the command line only."""

Size = Annotated[int, Accepts("50", high=MOST_ROWS, word="size")]
FederationCode = Annotated[
    str, Accepts("ITA", longest=10, word="federation", read=lambda text, _parameter: text.upper())
]
