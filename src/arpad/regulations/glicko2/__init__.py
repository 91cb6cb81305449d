"""Glicko and Glicko-2 as rating lists: a rating, its deviation and its volatility, period by period."""

from arpad.regulations.glicko2.system import SYSTEM

__all__ = ["SYSTEM"]
