"""What an office may settle anew: its name, federation and time zone, and the languages of its site."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.office.office import Office, known_zone, record_act
from arpad.store.settings import add_setting_changes, read_setting

NAMES = ("name", "federation", "time_zone", "language", "languages", "second_factor")
"""``language`` is for whoever asks for none that is offered; ``languages`` are those offered, apart by blanks;
``second_factor`` is ``offered`` to those who sign in, or ``demanded`` of them."""

FACTOR = ("offered", "demanded")

_LONGEST = 200


def all_settings(office: Office) -> dict[str, str]:
    """Every setting, with what holds where nothing was settled."""
    with office.store.reading() as connection:
        return _settled(connection)


def _settled(connection: Connection) -> dict[str, str]:
    found = {name: read_setting(connection, name) for name in NAMES}
    offered = found["languages"].split() or list(LANGUAGES)
    return {
        **found,
        "time_zone": found["time_zone"] or "UTC",
        "languages": " ".join(offered),
        "second_factor": found["second_factor"] or FACTOR[0],
        "language": found["language"] or ("en" if "en" in offered else offered[0]),
    }


def change_settings(office: Office, given: Mapping[str, str], reason: str = "") -> dict[str, str]:
    """Settle something anew from now on; gives what has changed. What was before stays on record."""
    wrong = [name for name in given if name not in NAMES]
    if wrong:
        raise BadInput("value-unknown", option="setting", value=wrong[0][:40], accepted=", ".join(NAMES))
    wanted = {name: _tidied(name, value) for name, value in given.items()}
    with record_act(office, "change-settings", reason) as doing:
        before = _settled(doing.connection)
        _refuse(before | wanted)
        changed = {name: value for name, value in wanted.items() if value != before[name]}
        if changed:
            add_setting_changes(doing.connection, changed, doing.seq)
            doing.record(**changed)
    return changed


def _tidied(name: str, value: str) -> str:
    text = " ".join(value.split())
    if name == "federation":
        return text.upper()
    if name == "languages":
        return " ".join(language for language in LANGUAGES if language in text.split()) if text else ""
    return text


def _refuse(wanted: Mapping[str, str]) -> None:
    name, federation = wanted["name"], wanted["federation"]
    if len(name) > _LONGEST or not name.isprintable():
        raise BadInput("setting-name", option="name", most=_LONGEST)
    if len(federation) > 10 or not (federation.isascii() and (federation.isalnum() or not federation)):  # noqa: PLR2004  ITA
        raise BadInput("setting-federation", option="federation", given=federation[:20])
    known_zone(wanted["time_zone"])
    if wanted["second_factor"] not in FACTOR:
        raise BadInput(
            "value-unknown",
            option="second_factor",
            value=wanted["second_factor"][:20],
            accepted=", ".join(FACTOR),
        )
    offered = wanted["languages"].split()
    if not offered:
        raise BadInput("setting-languages", option="languages", accepted=", ".join(LANGUAGES))
    if wanted["language"] not in offered:
        raise BadInput(
            "value-unknown", option="language", value=wanted["language"][:20], accepted=", ".join(offered)
        )
