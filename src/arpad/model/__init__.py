"""The values that everything is about: exact numbers, rules, findings, players, errors."""
