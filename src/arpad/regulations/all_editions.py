"""All editions, those of the title regulations too: to be shown and compared."""

from typing import Any

from arpad.model.rules import Edition
from arpad.regulations.editions import ALL
from arpad.regulations.fide.titles import b01
from arpad.regulations.fide.titles.rules import TitleRules

TITLE_EDITIONS: tuple[Edition[TitleRules], ...] = b01.EDITIONS
EVERY: tuple[Edition[Any], ...] = (*ALL, *TITLE_EDITIONS)
