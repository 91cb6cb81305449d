"""The settings of an office: name, federation, contact, time zone, languages of the site, second factor, the logo."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.model.age_groups import DEFAULT, AgeDay, read_groups
from arpad.model.declared import Accepts, Upload
from arpad.model.errors import BadInput
from arpad.model.federations import ALL, RULES
from arpad.model.retention import MOST_DAYS, default_days
from arpad.model.retention import SETTINGS as KEEP_SETTINGS
from arpad.model.rules import CHESS_LISTS
from arpad.model.typed_values import check_among, check_within, parse_integer
from arpad.office.declared import BACK, Reading, Reason, act, query
from arpad.office.mails import SETTINGS as MAIL_SETTINGS
from arpad.office.mails import TLS, UNSURE, check_address
from arpad.office.office import ActContext, Office, known_zone
from arpad.office.settings import switches
from arpad.office.settings.logo import read_logo, store_logo, take_logo
from arpad.office.users import ADMINISTRATOR
from arpad.store.settings import PUBLIC, add_setting_changes, read_setting, stored_settings

OWNED = tuple(f"owned_{name}" for name in CHESS_LISTS)
"""Which players each chess list is about (``office.lists.ownership``)."""

NAMES = (
    "name", "federation", "time_zone", "language", "languages", "second_factor", "age_groups", "age_day", "live_lists",
    "contact", "website", "privacy", "running_tournaments", "card_sites", "open_data_licence",
    *OWNED, *MAIL_SETTINGS, *KEEP_SETTINGS,
)  # fmt: skip
"""``contact`` (an address, a telephone number), ``website`` and the text ``privacy`` are shown on the site;
``language`` is for visitors who ask for none of the ``languages`` offered, which are separated by blanks;
``second_factor`` is ``offered`` to users, or ``demanded`` of them; ``age_groups`` are those that the site ranks, and
``age_day`` is the day of the year on which the age is counted; ``live_lists`` says who sees the live lists; those of
mail are in ``office.mails``, and ``site_address`` is where links in mails lead;
``running_tournaments`` says whether tournaments in progress have pages; ``card_sites`` are the sites that may frame
cards, as ``https://club.example.org``; ``open_data_licence`` is the licence of the open data, as ``CC-BY-4.0``;
``keep_…`` are the days after which data is deleted (``model.retention``)."""

feature_switches, switch_off, switch_on = switches.feature_switches, switches.switch_off, switches.switch_on

PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""The usual port of a mail server, by the way in which the connection is encrypted."""

FACTOR = ("offered", "demanded")
LIVE = ("off", PUBLIC)
"""Live lists are not kept, or kept and shown to visitors."""

SHOWN = ("shown", "hidden")
"""Whether something is shown to visitors."""

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "second_factor": FACTOR,
    "age_day": tuple(AgeDay),
    "live_lists": LIVE,
    "running_tournaments": SHOWN,
    "mail_unsure": UNSURE,
}
"""Settings with few values."""

_LONGEST = 200
_LONGEST_PRIVACY = 5000
HIGHEST_PORT = 65535

_SITE = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[0-9]{1,5})?"
)
MOST_SITES = 20


Changes = Annotated[
    dict[str, str],
    Accepts(
        "name=Federazione",
        longest=_LONGEST_PRIVACY,
        lines=True,
        word="setting-changes",
        personal=False,
        fields=NAMES,
    ),
]
Image = Annotated[Upload, Accepts(word="logo-file")]


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of an office with its value."""

    settings: dict[str, str]


@dataclass(frozen=True, slots=True)
class ChangedSettings:
    """Every setting after a change, and those that changed."""

    settings: dict[str, str]
    changed: dict[str, str]


@dataclass(frozen=True, slots=True)
class HasLogo:
    """Whether the office has a logo."""

    logo: bool


def all_settings(office: Office) -> dict[str, str]:
    """Return every setting of an office."""
    with office.store.reading() as connection:
        return with_defaults(connection)


def with_defaults(connection: Connection) -> dict[str, str]:
    """Return every setting, with the defaults of those that were never set."""
    stored = dict.fromkeys(NAMES, "") | {
        name: value for name, value in stored_settings(connection).items() if name in NAMES
    }
    offered = offered_languages(connection)
    return {
        **stored,
        "time_zone": stored["time_zone"] or "UTC",
        "languages": " ".join(offered),
        "second_factor": stored["second_factor"] or FACTOR[0],
        "age_groups": stored["age_groups"] or DEFAULT,
        "age_day": stored["age_day"] or str(AgeDay.FIDE),
        "running_tournaments": stored["running_tournaments"] or SHOWN[0],
        "live_lists": stored["live_lists"] or LIVE[0],
        **{name: stored[name] or ALL for name in OWNED},
        **{name: stored[name] or str(default_days(name)) for name in KEEP_SETTINGS},
        "mail_tls": stored["mail_tls"] or TLS[0],
        "mail_unsure": stored["mail_unsure"] or UNSURE[0],
        "mail_port": stored["mail_port"] or str(PORTS[stored["mail_tls"] or TLS[0]]),
        "language": stored["language"] or ("en" if "en" in offered else offered[0]),
    }


def offered_languages(connection: Connection) -> Sequence[str]:
    """Return the languages that the office chose, all of them if it chose none."""
    chosen = read_setting(connection, "languages").split()
    return [name for name in LANGUAGES if name in chosen] or LANGUAGES


@query("settings show", ADMINISTRATOR, path="/office/settings")
def show_settings(reading: Reading) -> Settings:
    """Show the office's settings."""
    return Settings(with_defaults(reading.connection))


@act("settings change", ADMINISTRATOR, says="settings.saved", page=BACK)
def change_settings(act: ActContext, *, set_: Changes, reason: Reason = "") -> ChangedSettings:
    """Change the office's settings; the earlier values stay on record.

    Example: arpad office settings change --set languages="it en" --db office.db
    """
    tidied = {name: _tidied(name, value) for name, value in set_.items()}
    before = with_defaults(act.connection)
    _refuse(before | tidied)
    changed = {name: value for name, value in tidied.items() if value != before[name]}
    add_setting_changes(act.connection, changed, act.seq)
    act.unchanged = not changed
    act.record(set=changed)
    return ChangedSettings(before | tidied, changed)


@act("settings logo", ADMINISTRATOR, says="settings.logo-set", page=BACK, verb="set-logo")
def set_logo(act: ActContext, file: Image, *, reason: Reason = "") -> HasLogo:
    """Set the federation's logo, which the site shows: PNG, JPEG or WebP, at most 200 KiB."""
    store_logo(act, file.data)
    return HasLogo(logo=True)


@act("settings remove-logo", ADMINISTRATOR, says="settings.logo-removed", page=BACK, verb="remove-logo")
def remove_logo(act: ActContext, *, reason: Reason = "") -> HasLogo:
    """Remove the federation's logo."""
    take_logo(act)
    return HasLogo(logo=False)


def _tidied(name: str, value: str) -> str:
    if name == "privacy":  # its paragraphs stay
        return "\n".join(" ".join(line.split()) for line in value.splitlines()).strip()
    text = " ".join(value.split())
    if name == "federation":
        return text.upper()
    if name == "age_groups" and text:
        return " ".join(group.label for group in read_groups(text))
    if name == "card_sites":
        return " ".join(dict.fromkeys(site.rstrip("/") for site in text.lower().split()))
    if name == "site_address":
        return text.rstrip("/")
    if name == "languages":
        return " ".join(language for language in LANGUAGES if language in text.split()) if text else ""
    return text


def _refuse(settings: Mapping[str, str]) -> None:
    name, federation = settings["name"], settings["federation"]
    if len(name) > _LONGEST or not name.isprintable():
        raise BadInput("setting-name", option="name", most=_LONGEST)
    if len(federation) > 10 or not (federation.isascii() and (federation.isalnum() or not federation)):  # noqa: PLR2004  ITA
        raise BadInput("setting-federation", option="federation", given=federation[:20])
    _refuse_contact(settings)
    _refuse_licence(settings["open_data_licence"])
    known_zone(settings["time_zone"])
    for option, accepted in _CHOICES.items():
        check_among(settings[option], option, accepted)
    for name in OWNED:
        check_among(settings[name], name, RULES)
        if settings[name] != ALL and not federation:
            raise BadInput("owned-federation", option=name)
    _refuse_days(settings)
    _refuse_sites(settings["card_sites"].split())
    _refuse_mail(settings)
    offered = settings["languages"].split()
    if not offered:
        raise BadInput("setting-languages", option="languages", accepted=", ".join(LANGUAGES))
    check_among(settings["language"], "language", offered)


def _refuse_days(settings: Mapping[str, str]) -> None:
    for name in KEEP_SETTINGS:
        check_within(parse_integer(settings[name], name), name, 1, MOST_DAYS)


def _refuse_sites(sites: Sequence[str]) -> None:
    wrong = [site for site in sites if not _SITE.fullmatch(site)]
    if wrong or len(sites) > MOST_SITES:
        raise BadInput("setting-sites", option="card_sites", given=(wrong or sites)[0][:80], most=MOST_SITES)


def _refuse_licence(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9.+ -]{0,60}", name):
        raise BadInput("bad-form", option="open_data_licence", value=name[:60], accepted="CC-BY-4.0")


def _refuse_contact(settings: Mapping[str, str]) -> None:
    """Refuse a contact, a website or a text about privacy that pages could not show."""
    for option, most in (("contact", _LONGEST), ("website", _LONGEST), ("privacy", _LONGEST_PRIVACY)):
        text = settings[option]
        if len(text) > most or not text.replace("\n", "").isprintable():
            raise BadInput("setting-name", option=option, most=most)
    website = settings["website"]
    host = website.partition("://")[2].partition("/")[0]
    if website and (not website.startswith(("https://", "http://")) or not host or " " in website):
        raise BadInput("setting-website", option="website", given=website[:60])


def _refuse_mail(settings: Mapping[str, str]) -> None:
    check_among(settings["mail_tls"], "mail_tls", TLS)
    port = settings["mail_port"]
    if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= HIGHEST_PORT):
        raise BadInput("bad-form", option="mail_port", value=port[:20], accepted="587")
    if settings["mail_sender"]:
        check_address(settings["mail_sender"], "mail_sender")
    if not re.fullmatch(r"[\w.:-]{0,253}", settings["mail_host"], re.ASCII):
        raise BadInput(
            "bad-form", option="mail_host", value=settings["mail_host"][:60], accepted="mail.example.org"
        )
    if len(settings["mail_user"]) > _LONGEST or not settings["mail_user"].isprintable():
        raise BadInput("setting-name", option="mail_user", most=_LONGEST)
    address = settings["site_address"]
    if address and not re.fullmatch(r"https?://[\w.-]+(:\d{1,5})?(/[\w./~-]*)?", address, re.ASCII):
        raise BadInput(
            "bad-form", option="site_address", value=address[:60], accepted="https://ratings.example.org"
        )


def site_facts(office: Office, connection: Connection) -> dict[str, Any]:
    """Return the settings and the logo that the pages of the site show."""
    logo = read_logo(connection)
    return {"settings": all_settings(office), "logo": logo.digest if logo else ""}
