"""National categories of chess players."""
