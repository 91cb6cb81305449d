"""FIDE's lists: what the office takes from them."""

from __future__ import annotations

from arpad.office.fide.player_acts import enter_listed

__all__ = ["enter_listed"]
