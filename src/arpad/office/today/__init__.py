"""What is to be done today: the next lists, reports to decide, deadlines, corrections, what failed."""
