"""Of which players an own edition requires membership: one idea for chess and draughts."""

from enum import StrEnum


class Members(StrEnum):
    """The players of whom an own edition requires membership."""

    HOME = "home"
    """Those of the federation itself; guests need not be members."""

    ALL = "all"
