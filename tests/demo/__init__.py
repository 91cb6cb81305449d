"""The made-up federation."""
