"""Enter a player of FIDE's list into the register."""

from __future__ import annotations

from typing import Annotated

from arpad.model.declared import Accepts
from arpad.office.declared import Reason, task
from arpad.office.fide.reference import known_at_fide, listed_at_fide
from arpad.office.office import Office
from arpad.office.register.acts import Player, register_player
from arpad.office.users import officer_of

Listed = Annotated[int, Accepts("2500036", word="fide-number")]


@task(
    "fide enter",
    officer_of("register", lambda connection, given: listed_at_fide(connection, given["number"]).federation),
    says="register.entered",
    page="/desk/players/{id}",
)
def enter_listed(office: Office, number: Listed, *, reason: Reason = "") -> Player:
    """Enter a player of FIDE's newest reference list into the register, with what the list says."""
    listed = known_at_fide(office, number)
    return register_player(
        office, listed.name, federation=listed.federation, sex="F" if listed.sex == "F" else "M",
        born=listed.born, title=listed.title, women_title=listed.women_title,
        identifiers={"fide": str(number)}, reason=reason,
    )  # fmt: skip
