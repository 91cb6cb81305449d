"""The rules by which a list is about all players, or only about those whom the office owns."""

from __future__ import annotations

ALL, HOME, MEMBERS = "all", "home", "members"
RULES = (ALL, HOME, MEMBERS)
