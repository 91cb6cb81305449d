"""A made-up federation with two years behind it: to look at, to try things on, and to test against."""
