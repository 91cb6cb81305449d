"""All verbs of the office under one name, and its ledger."""

from __future__ import annotations

from arpad.office.backup.acts import backup, export, restore
from arpad.office.corrections.acts import Revised, revise
from arpad.office.corrections.affected_lists import ToRevise, lists_to_revise
from arpad.office.corrections.take_back import take_back
from arpad.office.decisions.acts import appeal, decide, decisions_in_force, revoke, settle
from arpad.office.drafts.acts import Draft, draft, keep_draft, preview_draft
from arpad.office.drafts.publish import emit, publish, rewrite_files
from arpad.office.editions.acts import adopt_edition, own_editions, revoke_edition
from arpad.office.imports.acts import Imported, import_list
from arpad.office.inbox.accept import WaitingReports, accept, accept_many, waiting_reports
from arpad.office.inbox.acts import join_stages, submit_together
from arpad.office.inbox.entrant_decisions import decide_entrants, match_report
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.results import Accepted, NotAccepted, NotSubmitted, Submitted
from arpad.office.inbox.submit import submit, submit_many
from arpad.office.lists.in_force import publications, ratings_in_force
from arpad.office.office import Office, init, migrate, open_office
from arpad.office.players.acts import show_player as player
from arpad.office.players.explain import Explanation, explain
from arpad.office.players.file import PlayerFile
from arpad.office.privacy.acts import Erased, erase_player
from arpad.office.register.acts import (
    add_identifier,
    change_player,
    find_players,
    import_register,
    register_player,
    remove_identifier,
    report_death,
    withdraw_death,
)
from arpad.office.register.imports import ImportedRegister
from arpad.office.reports.acts import reinstate, return_, withdraw
from arpad.office.reports.entrant_rows import NEW, UNDECIDED
from arpad.office.reports.status import reports_on_file
from arpad.office.settings.acts import all_settings, change_settings
from arpad.office.verify.acts import verify
from arpad.office.who_is_who.acts import (
    aliases_in_force,
    declare_distinct,
    declare_scheme,
    merge,
    revoke_alias_of,
    revoke_distinct_pair,
    set_source_scheme,
    unmerge,
    withdraw_scheme,
    withdraw_source,
)
from arpad.office.who_is_who.duplicates import likely_duplicates
from arpad.office.who_is_who.number_acts import number_rules
from arpad.publishing.bundle import verify_bundle
from arpad.publishing.verification import Alteration, Verification
from arpad.store import ledger as ledger_rows
from arpad.store.ledger import Act

__all__ = [
    "NEW",
    "UNDECIDED",
    "Accepted",
    "Alteration",
    "Draft",
    "Erased",
    "Explanation",
    "Imported",
    "ImportedRegister",
    "IncomingFiles",
    "NotAccepted",
    "NotSubmitted",
    "Office",
    "PlayerFile",
    "Revised",
    "Submitted",
    "ToRevise",
    "Verification",
    "WaitingReports",
    "accept",
    "accept_many",
    "add_identifier",
    "adopt_edition",
    "aliases_in_force",
    "all_settings",
    "appeal",
    "backup",
    "change_player",
    "change_settings",
    "decide",
    "decide_entrants",
    "decisions_in_force",
    "declare_distinct",
    "declare_scheme",
    "draft",
    "emit",
    "erase_player",
    "explain",
    "export",
    "find_players",
    "import_list",
    "import_register",
    "init",
    "join_stages",
    "keep_draft",
    "ledger",
    "likely_duplicates",
    "lists_to_revise",
    "match_report",
    "merge",
    "migrate",
    "number_rules",
    "open_office",
    "own_editions",
    "player",
    "preview_draft",
    "publications",
    "publish",
    "ratings_in_force",
    "register_player",
    "reinstate",
    "remove_identifier",
    "report_death",
    "reports_on_file",
    "restore",
    "return_",
    "revise",
    "revoke",
    "revoke_alias_of",
    "revoke_distinct_pair",
    "revoke_edition",
    "rewrite_files",
    "set_source_scheme",
    "settle",
    "submit",
    "submit_many",
    "submit_together",
    "take_back",
    "unmerge",
    "verify",
    "verify_bundle",
    "waiting_reports",
    "withdraw",
    "withdraw_death",
    "withdraw_scheme",
    "withdraw_source",
]  # fmt: skip


def ledger(office: Office, since: int = 1) -> list[Act]:
    """Return every act from a number on, in order."""
    with office.store.reading() as connection:
        return list(ledger_rows.acts(connection, since))
