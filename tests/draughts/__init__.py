"""The tests of Elo-Rubele."""
