"""Values with which the queries of live lists work in the office of the demo."""

from __future__ import annotations

from arpad.model.rules import ListName
from arpad.office.live.acts import update_live
from arpad.office.office import Office
from arpad.office.settings.acts import change_settings

VARIES = {"live show": ("computed",), "live update": ("computed",)}


def prepare(office: Office) -> None:
    """Let everybody see the live lists, of which one is computed."""
    change_settings(office, set_={"live_lists": "public"})
    update_live(office, ListName.STANDARD)
