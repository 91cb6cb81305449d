"""The tests of Arpad."""
