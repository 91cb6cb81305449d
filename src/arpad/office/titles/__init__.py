"""Title norms, applications, and titles by rating."""
