"""Take over a list of another publisher."""
