"""The FIDE rating regulations: editions and procedures."""
