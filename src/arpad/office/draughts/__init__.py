"""The records of the draughts commission: points, promotions, FMJD ratings."""

PARTS = {
    "player_record": "records",
}
