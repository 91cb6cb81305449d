"""Clubs, regions and the members of clubs."""

PARTS = {
    "club_choices": "rows",
    "club_codes": "acts",
    "clubs_of_player": "rows",
    "members_on": "rows",
    "units_on": "rows",
}
