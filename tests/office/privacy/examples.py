"""Values with which the acts of privacy work in the office of the demo."""

from arpad.office.privacy.acts import hide_player

BEFORE = {"privacy show": lambda office: hide_player(office, 1, reason="asked")}
