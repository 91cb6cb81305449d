"""A player's page: ratings, every change explained, the curve, comparisons."""

PARTS = {"player_choices": "compare_pages"}
