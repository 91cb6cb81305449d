"""Read rating lists and player registers: FIDE's files, plain CSV, draughts lists, registers."""
