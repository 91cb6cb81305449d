"""Officers' decisions, with reason and article; revoked, appealed, settled."""
