"""Clubs, regions and the members of clubs."""
