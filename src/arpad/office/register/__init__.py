"""The register of players, one for chess and draughts: names, numbers, facts, search."""

PARTS = {"add_first_rows": "number_rows"}
