"""``arpad office``: its verbs, in the sections of the help."""

from __future__ import annotations

from typing import Any

from arpad.cli.office import (
    clubs,
    decisions,
    draughts,
    editions,
    explain,
    lists,
    maintenance,
    register,
    reports,
    setup,
    submit,
)
from arpad.cli.typer_groups import Commands

SECTIONS: dict[str, dict[str, Any]] = {
    "Set up": {
        "init": setup.init,
        "settings": setup.settings,
        "edition": editions.app,
        "import-list": setup.import_list,
        "import-register": setup.import_register,
        "migrate": maintenance.migrate,
        "rotate-key": maintenance.rotate_key,
    },
    "Players": {
        "register-player": register.register_player,
        "change-player": register.change_player,
        "death": register.death,
        "identifier": register.identifier,
        "club": clubs.app,
        "transfer": clubs.transfer,
        "search": register.search,
        "player": explain.player,
        "merge": register.merge,
        "unmerge": register.unmerge,
        "hide": register.hide,
        "erase": register.erase,
    },
    "Reports": {
        "register-event": reports.register_event,
        "submit": submit.submit,
        "join-stages": submit.join_stages,
        "reports": reports.reports,
        "accept": reports.accept,
        "return": reports.return_,
        "withdraw": reports.withdraw,
        "reinstate": reports.reinstate,
    },
    "Lists": {
        "draft": lists.draft,
        "publish": lists.publish,
        "take-back": lists.take_back,
        "lists": lists.lists,
        "revise": lists.revise,
        "explain": explain.explain,
        "draughts": draughts.app,
    },
    "Decisions": {
        "decide": decisions.decide,
        "revoke": decisions.revoke,
        "appeal": decisions.appeal,
        "settle": decisions.settle,
    },
    "Proof and backup": {
        "verify": maintenance.verify,
        "ledger": maintenance.ledger,
        "backup": maintenance.backup,
        "restore": maintenance.restore,
        "export": maintenance.export,
    },
}
"""Section of the help → verb → the function that runs it, or a group of commands."""

app = Commands()
for section, verbs in SECTIONS.items():
    for verb, command in verbs.items():
        app.add(command, verb, section)
