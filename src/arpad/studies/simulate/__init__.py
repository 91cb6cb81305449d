"""A simulated world: people whose true strength is known, who grow, age, join, leave and play rated tournaments.

Everything follows from one number. ``population`` is about people, ``season`` about tournaments, ``run`` plays the
world through any edition and measures how far the ratings are from the truth.
"""

from arpad.studies.simulate.population import Plan
from arpad.studies.simulate.run import SimulatedWorld, Tried, plans_of, play, play_many, tried

__all__ = ["Plan", "SimulatedWorld", "Tried", "plans_of", "play", "play_many", "tried"]
