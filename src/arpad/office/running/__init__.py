"""Tournaments in progress."""
