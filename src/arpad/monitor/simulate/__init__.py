"""A made world: people whose true strength is known, who grow, age, join and leave, and play rated tournaments.

Everything comes from one number. ``population`` is about people, ``season`` about tournaments, ``run`` plays the
world through any edition and says how far the ratings stray from the truth.
"""

from arpad.monitor.simulate.population import Plan
from arpad.monitor.simulate.run import SimulatedWorld, Tried, plans_of, play, play_many, tried

__all__ = ["Plan", "SimulatedWorld", "Tried", "plans_of", "play", "play_many", "tried"]
