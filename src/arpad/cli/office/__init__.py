"""``arpad office``: its verbs, in the sections of the help."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from arpad.cli.typer_groups import Commands, command_typed

SECTIONS: dict[str, dict[str, str]] = {
    "Set up": {
        "init": "setup.init",
        "settings": "setup.settings",
        "logo": "setup.logo",
        "user": "user.user",
        "edition": "editions.app",
        "schemes": "numbers.schemes",
        "scheme": "numbers.scheme",
        "source": "numbers.source",
        "import-list": "setup.import_list",
        "import-register": "setup.import_register",
        "reference": "reference.app",
        "webhook": "webhooks.app",
        "follower": "followers.app",
        "migrate": "maintenance.migrate",
        "rotate-key": "maintenance.rotate_key",
        "signing-key": "checkpoints.app",
    },
    "Players": {
        "register-player": "register.register_player",
        "change-player": "register.change_player",
        "death": "register.death",
        "identifier": "register.identifier",
        "club": "@clubs",
        "search": "register.search",
        "player": "explain.player",
        "merge": "register.merge",
        "unmerge": "register.unmerge",
        "duplicates": "duplicates.duplicates",
        "two-people": "duplicates.two_people",
        "aliases": "matches.aliases",
        "revoke-alias": "matches.revoke_alias",
        "player-data": "register.player_data",
        "hide": "register.hide",
        "erase": "register.erase",
        "title": "titles.app",
    },
    "Reports": {
        "register-event": "reports.register_event",
        "change-event": "reports.change_event",
        "refuse-event": "reports.refuse_event",
        "cancel-event": "reports.cancel_event",
        "reinstate-event": "reports.reinstate_event",
        "deadlines": "arbiters.deadlines",
        "arbiter": "arbiters.app",
        "submit": "submit.submit",
        "join-stages": "submit.join_stages",
        "running": "running_tournaments.app",
        "reports": "reports.reports",
        "report": "report.report",
        "matches": "matches.matches",
        "match": "matches.match",
        "accept": "reports.accept",
        "return": "reports.return_",
        "withdraw": "reports.withdraw",
        "reinstate": "reports.reinstate",
        "sent": "arbiters.sent",
        "reconcile": "reconcile.reconcile",
        "fee-table": "fees.fee_table",
        "fees": "fees.fees",
        "invoice": "fees.invoice",
        "invoices": "fees.invoices",
        "invoice-pdf": "fees.invoice_pdf",
        "invoice-paid": "fees.invoice_paid",
        "credit-note": "fees.credit_note",
        "fide-report": "fide.fide_report",
        "fide-numbers": "fide.fide_numbers",
    },
    "Lists": {
        "draft": "lists.draft",
        "live": "live.live",
        "publish": "lists.publish",
        "take-back": "lists.take_back",
        "lists": "lists.lists",
        "revise": "lists.revise",
        "explain": "explain.explain",
        "ranking": "lists.ranking",
        "export-players": "reference.export_players",
        "categories": "lists.categories",
        "draughts": "draughts.app",
    },
    "Decisions": {
        "decide": "decisions.decide",
        "revoke": "decisions.revoke",
        "appeal": "decisions.appeal",
        "settle": "decisions.settle",
    },
    "Proof and backup": {
        "checkpoint": "checkpoints.checkpoint",
        "cosigned": "checkpoints.cosigned",
        "receipt": "checkpoints.receipt",
        "verify": "maintenance.verify",
        "ledger": "maintenance.ledger",
        "backup": "maintenance.backup",
        "jobs": "jobs.jobs",
        "mail": "mail.mail",
        "restore": "maintenance.restore",
        "rehearse": "rehearsal.rehearse",
        "export": "maintenance.export",
        "open-data": "maintenance.open_data",
    },
}
"""Section of the help → verb → the module and the function that runs it, or a group of commands.

A feature after ``@`` declares its commands; the verb is their first word, and the line of help is in its words.
"""


def build(typed: Sequence[str]) -> Commands:
    """Return the verb with which the typed words begin, or all verbs if they begin with none."""
    only = command_typed(typed, {verb for verbs in SECTIONS.values() for verb in verbs})
    group = Commands()
    for section, verbs in SECTIONS.items():
        for verb, target in verbs.items():
            if verb == only or not only:
                group.add(_commands(verb, target), verb, section)
    return group


def _commands(verb: str, target: str) -> Any:
    if target.startswith("@"):
        from arpad.cli.declared import commands_of

        return commands_of(target[1:], verb)
    module, _, name = target.partition(".")
    return getattr(import_module(f"arpad.cli.office.{module}"), name)
