"""Glicko and Glicko-2, for clubs and online federations."""
