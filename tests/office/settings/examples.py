"""Values with which the acts of settings work in the office of the demo."""

from __future__ import annotations

from arpad.model.declared import Upload
from arpad.office.office import Office
from arpad.office.settings.acts import set_logo

LOGO = Upload("logo.png", b"\x89PNG\r\n\x1a\n" + bytes(60))

GIVEN = {
    "settings change": {"set": {"contact": "office@example.org"}},
    "settings logo": {"file": LOGO},
}


def _with_logo(office: Office) -> None:
    set_logo(office, LOGO)


BEFORE = {"settings remove-logo": _with_logo}
