"""The features of an office: one folder beside this module for each, and one line in this list.

The list holds names, not imports, so that a command loads only the features that it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


SMALL, NATIONAL, ALL = ANSWERS = ("small", "national", "all")
"""What a federation needs: register, reports and lists; what a national federation uses; everything."""

CHESS, DRAUGHTS, BOTH = GAMES = ("chess", "draughts", "both")


@dataclass(frozen=True, slots=True)
class Feature:
    """What the list says about a feature."""

    needs: tuple[str, ...] = ()
    """The features that it may import."""

    commands: tuple[str, ...] = ()
    """The first words of its commands below ``arpad office``."""

    section: str = ""
    """The section of the help in which its commands are."""

    optional: bool = False
    """Whether an office can do without it."""

    least: str = SMALL
    """The smallest of the three ready answers, to what a federation needs, that has it."""

    game: str = ""
    """The only game that it is about."""


def _every(needs: str = "", commands: str = "", section: str = "") -> Feature:
    """Return a feature that every office has."""
    return Feature(tuple(needs.split()), tuple(commands.split()), section)


def _optional(
    needs: str = "", commands: str = "", section: str = "", *, least: str = NATIONAL, game: str = ""
) -> Feature:
    """Return a feature that an office can do without."""
    return Feature(
        tuple(needs.split()), tuple(commands.split()), section, optional=True, least=least, game=game
    )


FEATURES: Mapping[str, Feature] = {
    "settings": _every(commands="settings feature", section="Set up"),
    "register": _every("", "register search import-register", "Players"),
    "accounts": _every("settings", "user token", "Set up"),
    "lists": _every("register", "lists list", "Lists"),
    "editions": _every("lists", "edition", "Set up"),
    "reports": _every("register lists editions", "reports return withdraw reinstate", "Reports"),
    "proof": _every("register lists reports", "ledger proof", "Proof and backup"),
    "mail": _every("settings register accounts reports proof", "mail jobs", "Proof and backup"),
    "decisions": _every("register editions reports", "decide revoke appeal settle", "Reports"),
    "clubs": _optional("register lists reports", "club", "Players"),
    "arbiters": _optional("proof", "arbiter", "Reports"),
    "fees": _optional("reports proof", "fee", "Reports"),
    "drafts": _every("settings register lists editions reports proof"),
    "registrations": _optional("editions reports arbiters", "tournament", "Reports"),
    "inbox": _every(
        "register lists editions reports proof decisions drafts", "submit inbox matches match accept report", "Reports"
    ),
    "rankings": _every("settings register lists proof drafts", "ranking", "Lists"),
    "verify": _every("register lists reports proof drafts"),
    "titles": _optional("register lists editions reports drafts", "title", "Players", game=CHESS),
    "notices": _optional("register lists editions reports proof clubs registrations", "follower", "Set up"),
    "categories": _optional("register lists editions reports drafts", "category", "Lists", game=CHESS),
    "draughts": _optional("register lists editions reports drafts", "draughts", "Lists", game=DRAUGHTS),
    "players": _every("register lists editions reports proof drafts inbox", "player explain", "Players"),
    "imports": _every("register lists editions inbox"),
    "backup": _every("lists editions verify", "backup restore rehearse export", "Proof and backup"),
    "fide": _optional("register lists reports proof clubs drafts inbox imports", "fide", "Players", game=CHESS),
    "running": _optional(
        "settings register lists editions reports proof registrations inbox", "running", "Reports", least=ALL
    ),
    "webhooks": _optional("settings accounts lists reports notices", "webhook", "Set up", least=ALL),
    "tournaments": _every("register lists editions reports inbox players"),
    "corrections": _every(
        "register lists editions reports proof drafts inbox verify imports", "draft publish take-back revise", "Lists"
    ),
    "today": _every("settings register lists reports drafts inbox backup corrections", "today", "Reports"),
    "live": _optional("register lists reports drafts inbox players", "live", "Lists", least=ALL),
    "open_data": _optional("settings register lists reports players", "open-data", "Proof and backup", least=ALL),
    "who_is_who": _every(
        "register lists reports inbox corrections", "merge unmerge duplicate alias number", "Players"
    ),
    "privacy": _every("register lists reports proof drafts verify who_is_who", "privacy", "Players"),
}  # fmt: skip
"""Each feature after those that it needs."""


def features_left_out(answer: str = ALL, games: str = BOTH) -> tuple[str, ...]:
    """Return the features that an office can do without, for what a federation needs and the games that it plays."""
    out = {
        name
        for name, feature in FEATURES.items()
        if feature.optional
        and (ANSWERS.index(feature.least) > ANSWERS.index(answer) or not _is_played(feature.game, games))
    }
    return tuple(name for name in FEATURES if name in out or out & {*features_needed_by(name)})


def _is_played(game: str, games: str) -> bool:
    return games == BOTH or game in {"", games}


def features_needed_by(name: str) -> tuple[str, ...]:
    """Return the features that an office can do without and that a feature needs, also those that these need."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        needs = {it for it in FEATURES[waiting.pop()].needs if FEATURES[it].optional} - found
        found |= needs
        waiting += needs
    return tuple(it for it in FEATURES if it in found)


def features_that_need(name: str) -> tuple[str, ...]:
    """Return the features that an office can do without and that need a feature."""
    return tuple(
        it for it, feature in FEATURES.items() if feature.optional and name in features_needed_by(it)
    )


def feature_folders(name: str) -> Mapping[str, Traversable]:
    """Return the folder of this name, as ``words`` or ``templates``, of each feature that has one."""
    office = files("arpad.office")
    folders = {feature: office / feature / name for feature in FEATURES}
    return {feature: folder for feature, folder in folders.items() if folder.is_dir()}


@cache
def feature_modules(name: str, ending: str) -> tuple[str, ...]:
    """Return the modules of a feature with this name, or whose names end so: ``pages`` and ``invoice_pages``."""
    folder = files("arpad.office") / name
    stems = sorted(entry.name.removesuffix(".py") for entry in folder.iterdir() if entry.name.endswith(".py"))
    chosen = (stem for stem in stems if stem == ending or stem.endswith(f"_{ending}"))
    return tuple(f"arpad.office.{name}.{stem}" for stem in chosen)


@cache
def load_tables() -> None:
    """Import the tables of all features, which register themselves in the store: a database has all of them."""
    for name in FEATURES:
        feature_module(name, "tables")


def feature_module(name: str, module: str) -> ModuleType | None:
    """Return a module of a feature; None if the feature does without, or is not there."""
    if name not in FEATURES:
        return None
    path = f"arpad.office.{name}.{module}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None


def about_feature(name: str) -> str:
    """Return what a feature is about: the docstring of its folder."""
    return (import_module(f"arpad.office.{name}").__doc__ or "").strip()
