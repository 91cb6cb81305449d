"""The settings of an office that its site needs: name, logo, contact, languages, second factor, editions, the day."""

import time
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from arpad.explain.words import LANGUAGES
from arpad.model.errors import ArpadError
from arpad.model.rules import LISTS, Edition, ListName
from arpad.office.office import Office, today
from arpad.office.parts import site_facts
from arpad.office.switches import features_off
from arpad.regulations.all_editions import EVERY, TITLE_EDITIONS
from arpad.regulations.editions import ALL, with_own
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.store.settings import read_setting
from arpad.web.requests import WebConnection, office_of, prefix_of

FRESH_SECONDS = 5.0
"""After this time the store is asked again, so that every worker learns of a change."""

BOTH_GAMES = ("chess", "draughts")

RETRY_SECONDS = 1.0
"""A store that did not answer is asked again after this time."""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The settings that every page needs."""

    name: str = ""
    """The federation, as the office calls it."""

    federation: str = ""
    """Its code."""

    address: str = ""
    """The address of the site, without a slash at its end; empty if the office has set none."""

    contact: str = ""
    website: str = ""
    logo: str = ""
    """The digest of the logo; empty if there is none."""

    lists: tuple[ListName, ...] = LISTS
    """The lists that the office may keep."""

    language: str = "en"
    own_language: str = ""
    """The language that the office chose; empty if it chose none, so that its texts may be in any."""

    languages: tuple[str, ...] = LANGUAGES
    demands_factor: bool = False
    adoptions: tuple[int, ...] = ()
    """Ids of adopted editions; part of the ETag, so adopting one invalidates cached pages."""

    features_off: tuple[str, ...] = ()
    """The features that the office has switched off; part of the ETag too."""

    games: tuple[str, ...] = BOTH_GAMES
    """The games whose lists the office has published; both before the first list."""

    card_sites: tuple[str, ...] = ()
    """The sites that may frame cards of players and tournaments."""

    own: tuple[Edition[Any], ...] = field(default=(), repr=False)
    """The federation's own editions of the rating regulations, by name."""

    own_titles: tuple[Edition[Any], ...] = field(default=(), repr=False)
    """Its own editions of the title regulations."""

    editions: tuple[Edition[Any], ...] = field(default=ALL, repr=False)
    """All editions that this office uses, by name or by day; without an office the printed ones."""

    title_editions: tuple[Edition[TitleRules], ...] = field(default=TITLE_EDITIONS, repr=False)
    """The editions of the title regulations, to be chosen in the same way."""

    today: date | None = field(default=None, repr=False)
    """The day in the federation's time zone."""

    def other_language(self, language: str) -> str:
        """Return the office's own language if it chose another one than a page has, else an empty text."""
        return "" if self.own_language == language else self.own_language


def settings_of(connection: WebConnection) -> SiteSettings:
    """Return the settings of the office; the store is asked every few seconds and after every act."""
    office = office_of(connection)
    if office is None:
        return SiteSettings()
    state = connection.app.state
    saved: tuple[float, SiteSettings] | None = state.get("settings")
    if saved is not None and time.monotonic() - saved[0] <= FRESH_SECONDS:
        return saved[1]
    try:
        read_at, fresh = time.monotonic(), _read(office)
    except (
        ArpadError
    ):  # the page that reports the failure needs a language and must not wait for the store again
        read_at = time.monotonic() - FRESH_SECONDS + RETRY_SECONDS
        fresh = saved[1] if saved is not None else SiteSettings(demands_factor=True)
    state["settings"] = (read_at, fresh)
    return fresh


def site_address(connection: WebConnection) -> str:
    """Return the address of the site, without a slash at its end: as the office set it, else as the reader wrote it."""
    written = f"{connection.url.scheme}://{connection.url.netloc}{prefix_of(connection)}"
    return settings_of(connection).address or written


def _read(office: Office) -> SiteSettings:
    with office.store.reading() as connection:
        facts, day = site_facts(office, connection), today(office, connection)
        off = features_off(connection)
        own_language = read_setting(connection, "language")
    texts, own = facts["settings"], facts["own"]
    return SiteSettings(
        name=texts["name"],
        federation=texts["federation"].upper(),
        address=texts["site_address"].rstrip("/"),
        contact=texts["contact"],
        website=texts["website"],
        logo=facts["logo"],
        lists=facts["lists"],
        language=texts["language"],
        own_language=own_language,
        languages=tuple(name for name in LANGUAGES if name in texts["languages"].split()),
        demands_factor=texts["second_factor"] == "demanded",
        adoptions=facts["adoptions"],
        features_off=tuple(sorted(off)),
        games=facts["games"] or BOTH_GAMES,
        card_sites=tuple(texts["card_sites"].split()),
        own=own,
        own_titles=facts["own_titles"],
        editions=with_own(ALL, own),
        title_editions=facts["title_editions"],
        today=day,
    )


def every_edition(connection: WebConnection) -> tuple[Edition[Any], ...]:
    """Return the printed editions, those for titles too, and the federation's own."""
    settings = settings_of(connection)
    return (*EVERY, *settings.own, *settings.own_titles)


def forget_settings(connection: WebConnection) -> None:
    """Ask the store again next time, since a setting was changed."""
    connection.app.state["settings"] = None
