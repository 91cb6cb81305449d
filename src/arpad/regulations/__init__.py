"""The law: every edition as a value, its tables, its calendar and its procedures."""
