"""``arpad office``: its verbs, in the sections of the help."""

import inspect
import os
import re
from collections.abc import Sequence
from contextlib import closing
from importlib import import_module
from importlib.resources import files
from typing import Any

from arpad.cli.common import Lang
from arpad.cli.office.options import Db, use_feature
from arpad.cli.typer_groups import Commands, Group, command_typed, language_first
from arpad.explain.words import load_words
from arpad.model.errors import ArpadError
from arpad.office.features import FEATURES
from arpad.office.switches import SETTING, features_off, known_features
from arpad.store.file_setting import file_setting

SECTIONS: dict[str, dict[str, str]] = {
    "Set up": {
        "init": "cli.office.setup.init",
        "import-list": "cli.office.setup.import_list",
        "migrate": "cli.office.setup.migrate",
        "rotate-key": "cli.office.setup.rotate_key",
    },
    "Players": {},
    "Reports": {},
    "Lists": {},
    "Proof and backup": {"verify": "office.verify.commands.verify"},
}
"""Section of the help → verb → the module and the function that runs it, or a group of commands.

Features name their own commands in ``office/features.py``.
"""

RARE = frozenset(
    "alias appeal duplicate edition export feature import-register inbox "
    "jobs list mail match matches migrate number open-data privacy ranking rehearse reinstate restore return revoke "
    "rotate-key settle take-back token unmerge withdraw".split()
)
"""Commands that the help only names."""


class OfficeGroup(Group):
    """The commands of the office: of a small one, the help fits on two screens."""

    rare = RARE


def build(typed: Sequence[str] | None) -> Commands:
    """Return the verb with which the typed words begin; of words without a verb, all verbs by their lines of help.

    Without words (None), all verbs with their commands.
    """
    targets = _targets()
    only = command_typed(typed or (), targets)
    group = Commands(cls=OfficeGroup)
    if only:
        use_feature(_feature_of(targets[only][1]))
    else:
        group.callback()(_office_first)
    off = frozenset() if only else _off(typed or ())
    shown = [verb for verb in ([only] if only else targets) if _feature_of(targets[verb][1]) not in off]
    if typed is not None and targets.keys().isdisjoint(typed):
        for verb in sorted(shown, key=_is_group):
            group.add_name(verb, "" if verb in RARE else _line(verb, targets[verb][1]), targets[verb][0])
    else:
        for verb in shown:
            group.add(_commands(verb, targets[verb][1]), verb, targets[verb][0])
    return group


def _feature_of(target: str) -> str:
    """Return the feature that a verb is of; empty if it is of the program itself."""
    return (
        target[1:] if target.startswith("@") else target.split(".")[1] if target.startswith("office.") else ""
    )


def _off(typed: Sequence[str]) -> frozenset[str]:
    """Return the features that are switched off in the office whose help is asked for."""
    words = [*typed, ""]
    named = [it.removeprefix("--db=") for it in words if it.startswith("--db=")]
    named += [words[at + 1] for at, it in enumerate(words) if it == "--db"]
    database = [it for it in (*named, os.environ.get("ARPAD_DB", "")) if it]
    if not database:
        return frozenset()
    names = file_setting(database[0], SETTING)
    if names is not None:
        return known_features(names.split())
    from arpad.office.office import open_office

    try:
        with closing(open_office(database[0])) as office, office.store.reading() as connection:
            return features_off(connection)
    except ArpadError:  # the help is for everybody, also if the office cannot be read
        return frozenset()


def _office_first(*, db: Db = None, lang: Lang = None) -> None:  # noqa: ARG001  ``build`` has read it
    """Take the office whose commands the help lists, and the language."""
    language_first(lang=lang)


def _targets() -> dict[str, tuple[str, str]]:
    """Return each verb with its section and what runs it; a feature after ``@`` brings its commands itself."""
    found = {verb: (section, target) for section, verbs in SECTIONS.items() for verb, target in verbs.items()}
    found = {verb: found[verb] for verb in found if _feature_of(found[verb][1]) in {"", *FEATURES}}
    for name, feature in FEATURES.items():
        found |= dict.fromkeys(feature.commands, (feature.section, f"@{name}"))
    order = [*SECTIONS, *(feature.section for feature in FEATURES.values())]
    return dict(sorted(found.items(), key=lambda item: order.index(item[1][0])))


def _is_group(verb: str) -> bool:
    return load_words("en").has(f"group.{verb}")


def _line(verb: str, target: str) -> str:
    """Return the help of a verb from its source: the list of verbs imports no feature."""
    if _is_group(verb):
        return f"group.{verb}"
    if not target.startswith("@"):
        module, _, name = target.rpartition(".")
        return _docstring((files("arpad") / f"{module.replace('.', '/')}.py").read_text("utf-8"), name)
    modules = [it for it in (files("arpad.office") / target[1:]).iterdir() if it.name.endswith(".py")]
    modules.sort(key=lambda it: not it.name.endswith("commands.py"))  # commands by hand come first
    written = "\n".join(module.read_text("utf-8") for module in modules)
    by_hand = re.search(
        rf'^COMMANDS = {{[^}}]*"{verb}": (?:command_of\((?:\w+\.)?)?(\w+)', written, re.MULTILINE
    )
    declared = re.search(rf'^@\w+\(\s*"{verb}"[\s\S]*?^def (\w+)', written, re.MULTILINE)
    found = by_hand or declared
    return _docstring(written, found[1] if found else verb)


def _docstring(source: str, name: str) -> str:
    """Return the docstring of a function."""
    found = re.search(rf'^def {name}\([\s\S]*?"""([\s\S]*?)"""', source, re.MULTILINE)
    return inspect.cleandoc(found[1]) if found else ""


def _commands(verb: str, target: str) -> Any:
    if target.startswith("@"):
        from arpad.cli.declared import commands_of

        return commands_of(target[1:], verb)
    module, _, name = target.rpartition(".")
    return getattr(import_module(f"arpad.{module}"), name)
