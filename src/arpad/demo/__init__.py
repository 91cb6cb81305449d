"""A made-up federation with a history of two years: to look at, to try things on, and to test against."""
