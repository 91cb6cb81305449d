"""Tests of the readers of lists and registers."""
