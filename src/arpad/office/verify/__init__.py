"""Verify the database, and compare what people have kept with it."""
