"""The regulations for titles (B.01): what a norm needs, and how norms become a title."""
