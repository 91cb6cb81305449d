"""DWZ, the rating system of the Deutscher Schachbund."""
