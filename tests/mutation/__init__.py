"""Mutation testing: small faults are put into the source one by one, and each must make a test fail."""
