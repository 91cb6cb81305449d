"""Elo-Rubele, the rating system of Italian draughts: capitals, events, years, conversions, groups."""
