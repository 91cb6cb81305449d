"""A player's page: ratings, every change explained, the curve, comparisons."""
