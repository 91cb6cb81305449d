"""The register of players, one for chess and draughts: names, numbers, facts, search."""
