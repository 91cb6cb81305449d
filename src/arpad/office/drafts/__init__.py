"""Compute the next list from its inputs, draft it, publish it."""
