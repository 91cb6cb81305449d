"""The office's open data."""
