"""The steps from one schema to the next, in order."""
