"""The menu of the desk: every page of the desk in its group, and who may open it.

Pages for daily work and those to set the office up are two menus, each of which leads to the other.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import groupby

from arpad.office.features import FEATURES
from arpad.office.users import Grant, Role, User


class Who(Enum):
    """Who may open a page of the desk."""

    SENDER = auto()
    """Who sends reports and is no officer."""

    STAFF = auto()
    """Arbiters and officers."""

    OFFICER = auto()
    OFFICER_OF_ALL = auto()
    """An officer who is not bound to a federation (9.3)."""

    ADMINISTRATOR = auto()

    def includes(self, grants: Collection[Grant]) -> bool:
        """Return whether somebody with these roles is one of them."""
        roles = {grant.role for grant in grants}
        match self:
            case Who.SENDER:
                return Role.ARBITER in roles and Role.OFFICER not in roles
            case Who.STAFF:
                return Role.ARBITER in roles or Role.OFFICER in roles
            case Who.OFFICER:
                return Role.OFFICER in roles
            case Who.OFFICER_OF_ALL:
                return Grant(Role.OFFICER) in grants
            case Who.ADMINISTRATOR:
                return Role.ADMINISTRATOR in roles


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the desk; the words of its name are ``site.desk-<key>``."""

    group: str
    address: str
    key: str
    who: Who = Who.OFFICER
    feature: str = ""
    """The feature without which there is no such page; empty for a page that every office has."""

    below: tuple[str, ...] = ()
    """Addresses of pages that belong to it and do not begin with its own."""

    def has(self, path: str) -> bool:
        """Return whether a path is this page or one of those below it."""
        places = (self.address, *self.below)
        return any(path == it or (it not in _STARTS and path.startswith(f"{it}/")) for it in places)


_STARTS = ("/desk", "/admin")

DAILY = (
    DeskPage("reports", "/desk", "today"),
    DeskPage("reports", "/desk", "my-reports", Who.SENDER, below=("/desk/reports",)),
    DeskPage("reports", "/desk/reports", "inbox", below=("/desk/clean", "/desk/upload")),
    DeskPage("reports", "/desk/running", "running", Who.STAFF, "running"),
    DeskPage("lists", "/desk/lists", "periods", Who.OFFICER_OF_ALL, below=("/desk/draft", "/desk/publish")),
    DeskPage("lists", "/desk/corrections", "corrections", Who.OFFICER_OF_ALL),
    DeskPage("lists", "/desk/draughts", "draughts", Who.OFFICER_OF_ALL, "draughts"),
    DeskPage("lists", "/desk/import", "import", Who.OFFICER_OF_ALL),
    DeskPage("players", "/desk/players", "players"),
    DeskPage("players", "/desk/duplicates", "duplicates"),
    DeskPage("players", "/desk/clubs", "clubs", feature="clubs"),
    DeskPage("players", "/desk/titles", "titles", feature="titles"),
    DeskPage("tournaments", "/desk/events", "events", feature="registrations"),
    DeskPage("tournaments", "/desk/arbiters", "arbiters", feature="arbiters"),
    DeskPage("tournaments", "/desk/fees", "fees", feature="fees", below=("/desk/invoices",)),
    DeskPage("office", "/desk/decisions", "decisions"),
    DeskPage("office", "/desk/reconciliation", "reconciliation", feature="fide"),
    DeskPage("office", "/desk/ledger", "ledger", below=("/desk/verify",)),
)
"""The pages for daily work, in the order of the menu."""

SET_UP = (
    DeskPage("settings", "/admin", "settings-office", Who.ADMINISTRATOR),
    DeskPage("settings", "/admin/site", "settings-site", Who.ADMINISTRATOR),
    DeskPage("settings", "/admin/mail", "settings-mail", Who.ADMINISTRATOR),
    DeskPage("settings", "/admin/people", "settings-people", Who.ADMINISTRATOR),
    DeskPage("settings", "/admin/programs", "settings-programs", Who.ADMINISTRATOR),
    DeskPage("settings", "/admin/webhooks", "webhooks", Who.ADMINISTRATOR, "webhooks"),
    DeskPage("rules", "/admin/editions", "editions", Who.ADMINISTRATOR),
    DeskPage("rules", "/admin/watching", "watching", Who.ADMINISTRATOR),
    DeskPage("numbers", "/desk/numbers", "numbers"),
    DeskPage("numbers", "/desk/aliases", "aliases"),
)
"""The pages to set the office up."""


@dataclass(frozen=True, slots=True)
class DeskMenu:
    """The menu beside a page of the desk."""

    groups: tuple[tuple[str, tuple[DeskPage, ...]], ...]
    here: str
    """The key of the page, or an empty text."""

    other: str
    """The key of the link to the other menu: ``set-up`` or ``desk``."""

    other_address: str
    """Where the other menu begins for this user; empty if there is nothing for them."""


def desk_menu(user: User, features_off: Collection[str], path: str) -> DeskMenu:
    """Return the menu beside a page of the desk for a user."""
    return _menu(user.grants, frozenset(FEATURES) - {*features_off}, path)


@lru_cache(maxsize=512)
def _menu(grants: tuple[Grant, ...], features: frozenset[str], path: str) -> DeskMenu:
    """Return the menu for somebody with these roles, in an office with these features."""
    daily, set_up = (
        [page for page in pages if page.feature in {"", *features} and page.who.includes(grants)]
        for pages in (DAILY, SET_UP)
    )
    is_set_up = path.startswith("/admin") or any(page.has(path) for page in set_up)
    pages, others = (set_up, daily) if is_set_up else (daily, set_up)
    return DeskMenu(
        tuple((group, tuple(inside)) for group, inside in groupby(pages, lambda page: page.group)),
        next((page.key for page in pages if page.has(path)), ""),
        "desk" if is_set_up else "set-up",
        others[0].address if others else "",
    )
