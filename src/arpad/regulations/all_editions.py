"""All editions, those of the title regulations too: to be shown and compared."""

from __future__ import annotations

from typing import Any

from arpad.model.rules import Edition
from arpad.regulations.chess.titles import b01
from arpad.regulations.chess.titles.rules import TitleRules
from arpad.regulations.editions import ALL

TITLE_EDITIONS: tuple[Edition[TitleRules], ...] = b01.EDITIONS
EVERY: tuple[Edition[Any], ...] = (*ALL, *TITLE_EDITIONS)
