"""News by mail, feed and calendar."""
