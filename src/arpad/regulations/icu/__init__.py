"""The rating system of the Irish Chess Union."""
