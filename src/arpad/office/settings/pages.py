"""The pages of the office's settings: the office itself, and what its site shows."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from litestar import Response, get

from arpad.explain.words import LANGUAGES, Words, load_words
from arpad.model.age_groups import AgeDay
from arpad.model.federations import RULES
from arpad.model.retention import SETTINGS as KEEP_SETTINGS
from arpad.office.declared import perform
from arpad.office.features import FEATURES
from arpad.office.mails import TLS, UNSURE
from arpad.office.settings.acts import FACTOR, LIVE, OWNED, SHOWN, all_settings
from arpad.office.settings.switches import feature_switches
from arpad.web.reader import ADMINISTRATOR, caller_of, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page, page_parts
from arpad.worker.kinds import OPEN_DATA

CONTINENTS = (
    "Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/", "UTC",
)  # fmt: skip

FEATURE_OF = {"live_lists": "live", "running_tournaments": "running", "open_data_licence": "open_data",
              "keep_webhook_log": "webhooks"}  # fmt: skip
"""Settings that an office without a feature does not need."""

_CHOICES: dict[str, Sequence[str]] = {
    "second_factor": FACTOR, "age_day": tuple(AgeDay), "live_lists": LIVE, "running_tournaments": SHOWN,
    "mail_tls": TLS, "mail_unsure": UNSURE, **dict.fromkeys(OWNED, RULES),
}  # fmt: skip
_KINDS = {
    "languages": "languages", "language": "language", "time_zone": "zone", "privacy": "lines", "website": "url",
    **dict.fromkeys(KEEP_SETTINGS, "number"), **dict.fromkeys(_CHOICES, "choice"),
}  # fmt: skip
_LONGEST = {"federation": 10, "age_groups": 200, "card_sites": 2000, "privacy": 5000}


@dataclass(frozen=True, slots=True)
class SettingField:
    """A setting as a form shows it, with the sentence about its consequence."""

    name: str
    kind: str
    """``text``, ``url``, ``number``, ``lines``, ``zone``, ``choice``, ``language`` or ``languages``."""

    label: str
    about: str
    value: str
    choices: Sequence[tuple[str, str]]
    longest: int


def setting_fields(request: WebRequest, *names: str) -> list[SettingField]:
    """Return these settings of the office as fields, without those of features that are missing or switched off."""
    values, words = all_settings(require_office(request)), words_for(request)
    off = settings_of(request).features_off
    shown = [name for name in names if is_needed(name) and FEATURE_OF.get(name) not in off]
    return [_field(name, values[name], words) for name in shown]


def is_needed(name: str) -> bool:
    """Return whether the feature of a setting is there, or every office has the setting."""
    return name not in FEATURE_OF or FEATURE_OF[name] in FEATURES


@cache
def _time_zones() -> list[tuple[str, str]]:
    return [(it, it) for it in sorted(available_timezones()) if it.startswith(CONTINENTS)]


def _field(name: str, value: str, words: Words) -> SettingField:
    family = name.partition("_")[0] if name in OWNED else name
    kind = _KINDS.get(name, "text")
    choices = [(it, words.text(f"setting-choice.{family}-{it}")) for it in _CHOICES.get(name, ())]
    if kind.startswith("language"):
        choices = [(it, load_words(it).text("form.language")) for it in LANGUAGES]
    elif kind == "zone":
        choices = _time_zones()
    about = words.text(f"setting-about.{family}")
    if name == "open_data_licence" and not os.environ.get(OPEN_DATA):
        about = f"{about} {words.text('setting-about.open_data-missing')}"
    label = words.text(f"site.setting-{name}")
    return SettingField(name, kind, label, about, value, choices, _LONGEST.get(name, 200))


@get("/admin", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def office_page(request: WebRequest) -> Response[str]:
    """Show how the office is, and its own settings."""
    forms: dict[str, list[SettingField]] = {
        "office": setting_fields(request, "name", "federation", "time_zone", "contact", "website"),
        "owned": setting_fields(request, *OWNED),
        "kept": setting_fields(request, *KEEP_SETTINGS),
    }
    return page(
        request, "settings/office.html", forms=forms, parts_of_state=page_parts("settings", request),
        features=perform(feature_switches, require_office(request), caller_of(request), {}).features,
    )  # fmt: skip


@get("/admin/site", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def site_page(request: WebRequest) -> Response[str]:
    """Show the settings of the site."""
    shown = ("running_tournaments", "live_lists", "age_groups", "age_day", "card_sites", "open_data_licence")
    forms: dict[str, Any] = {
        "languages": setting_fields(request, "languages", "language"),
        "shown": setting_fields(request, *shown, "privacy"),
    }
    return page(request, "settings/site.html", forms=forms)
