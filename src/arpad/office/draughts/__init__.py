"""The records of the draughts commission: points, promotions, FMJD ratings."""
