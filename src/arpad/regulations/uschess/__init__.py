"""The rating system of US Chess."""
