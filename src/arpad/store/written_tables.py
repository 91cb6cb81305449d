"""The tables that each act may write: one line for each verb.

``LedgerWriter`` refuses an act that writes another table, and ``verify`` names one. A verb may add rows to the tables
of its line; in a table that is not append-only it may also change them. It may delete rows of tables with a minus.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from arpad.store.lasting_values import ERASABLE

_REGISTER = "players player_facts identifiers"
_REPORT = "reports report_statuses running_tournaments"
_LIST = "publications list_blocks rated_reports"

_TABLES = {
    "accept": "report_statuses entrants entrant_decisions unknown_numbers players identifiers",
    "add-identifier": "identifiers identifier_changes -unknown_numbers",
    "add-reference": "reference_lists reference_blocks",
    "add-user": "users grants mail_choices",
    "add-webhook": "webhooks",
    "adopt-edition": "editions",
    "appeal": "decisions",
    "cancel-event": "event_changes",
    "change-arbiter": "arbiter_facts",
    "change-club": "club_facts",
    "change-event": "event_changes",
    "change-password": "users",
    "change-player": "player_facts",
    "change-settings": "settings setting_changes",
    "change-user": "users grants -grants -recovery_codes -mail_choices -tokens",
    "checkpoint": "",
    "choose-mails": "mail_choices -mail_choices",
    "choose-password": "users",
    "cosignature": "",
    "credit-invoice": "invoices",
    "decide": "decisions",
    "declare-scheme": "number_schemes",
    "end-tournament": "running_tournaments -running_tournaments",
    "enter-club": "clubs",
    "erase": "hidden_players running_tournaments -monitor_pages",
    "examine-list": "monitor_pages -monitor_pages",
    "hide-player": "hidden_players -monitor_pages",
    "import-arbiters": "arbiters arbiter_facts arbiter_licences",
    "import-clubs": "clubs club_facts",
    "import-list": f"{_LIST} {_REGISTER} identifier_changes",
    "import-memberships": "player_facts",
    "import-register": f"{_REGISTER} identifier_changes",
    "init": "settings source_schemes",
    "invoice": "invoices",
    "issue-token": "tokens",
    "join-stages": _REPORT,
    "license-arbiter": "arbiter_licences",
    "match": "entrant_decisions players identifiers",
    "merge": "merges",
    "migrate": "",
    "pay-invoice": "invoice_payments",
    "player-data": "",
    "publish": _LIST,
    "record-norm": "norms",
    "record-norms": "norms",
    "refuse-event": "event_changes",
    "register-arbiter": "arbiters arbiter_facts arbiter_licences",
    "register-event": "events",
    "register-player": f"{_REGISTER} identifier_changes",
    "reinstate": "report_statuses",
    "reinstate-event": "event_changes",
    "remove-identifier": "identifier_changes",
    "remove-logo": "setting_changes",
    "remove-reference": "reference_removals -reference_blocks",
    "remove-webhook": "-webhooks",
    "reopen-invoice": "invoice_payments",
    "retry-mails": "",
    "return": "report_statuses",
    "revise": _LIST,
    "revoke": "revocations",
    "revoke-alias": "alias_revocations",
    "revoke-edition": "edition_revocations",
    "revoke-norm": "norm_revocations",
    "revoke-two-people": "distinct_revocations",
    "rotate-key": "users webhooks",
    "second-factor": "users recovery_codes -recovery_codes",
    "send-version": "running_versions running_tournaments",
    "sent-to-fide": "sent_reports",
    "set-fee-table": "setting_changes",
    "set-logo": "setting_changes",
    "settle": "decisions revocations",
    "show-player": "-hidden_players -monitor_pages",
    "signing-key": "",
    "source-scheme": "source_schemes",
    "submit": f"{_REPORT} entrant_decisions",
    "take-back": "taken_back -players -player_facts -identifiers -identifier_changes",
    "transfer": "player_facts",
    "try-rule": "monitor_pages -monitor_pages",
    "two-people": "distinct_players",
    "unmerge": "unmerges",
    "use-recovery-code": "-recovery_codes",
    "withdraw": "report_statuses",
    "withdraw-scheme": "number_schemes",
    "withdraw-token": "-tokens",
}
"""Verb → the tables that its acts write, and with a minus those from which they delete."""

NAMED_BY = {
    "alias_revocations": "decision",
    "arbiter_facts": "arbiter",
    "arbiter_licences": "arbiter",
    "arbiters": "id",
    "club_facts": "=code",
    "clubs": "code",
    "decisions": "id",
    "distinct_players": "id",
    "distinct_revocations": "pair",
    "edition_revocations": "adoption",
    "editions": "id",
    "entrant_decisions": "report",
    "entrants": "report",
    "event_changes": "event",
    "events": "id",
    "grants": "=roles",
    "hidden_players": "player =player",
    "identifier_changes": "player value",
    "identifiers": "player value",
    "invoice_payments": "=invoice",
    "invoices": "report",
    "mail_choices": "=login",
    "merges": "id",
    "monitor_pages": "=list =player",
    "norm_revocations": "norm",
    "norms": "id",
    "number_schemes": "code",
    "player_facts": "player",
    "players": "id",
    "recovery_codes": "=login",
    "reference_lists": "id",
    "reference_removals": "reference",
    "report_statuses": "report",
    "reports": "id",
    "revocations": "decision",
    "running_tournaments": "=tournament =report",
    "running_versions": "tournament",
    "sent_reports": "report",
    "setting_changes": "name =digest =sha256",
    "settings": "name",
    "source_schemes": "value =source",
    "taken_back": "publication",
    "tokens": "id =login",
    "unknown_numbers": "report",
    "unmerges": "merge",
    "users": "login",
    "webhooks": "id",
}
"""Table → how the details of an act name the rows that it writes, so that the ledger does not hide them.

They have the value of one of these columns, or, after an equals sign, one of these keys.
"""

NAMES_NONE = {
    "erase": "numbers",
    "import-arbiters": "entered",
    "import-clubs": "sha256",
    "import-list": "sha256",
    "import-memberships": "sha256",
    "import-register": "sha256",
    "init": "time_zone",
}
"""The verbs of acts that write many rows and name none of them, each with a key that its details have."""

INIT = "init"
"""The verb of the first act."""

ERASE = "erase"
"""The verb of an erasure: only it changes rows of append-only tables, as ``store.lasting_values`` allows."""

VERBS = frozenset(_TABLES)


@dataclass(frozen=True, slots=True)
class VerbTables:
    """The tables of a verb."""

    writes: frozenset[str]
    deletes: frozenset[str]


@cache
def tables_of(verb: str) -> VerbTables:
    """Return the tables that acts of a verb may write; none if there is no such verb."""
    names = _TABLES.get(verb, "").split()
    return VerbTables(
        frozenset(name for name in names if name[0] != "-"),
        frozenset(name[1:] for name in names if name[0] == "-"),
    )


def refuse_undeclared(verb: str, written: Collection[str], deleted: Collection[str]) -> None:
    """Raise if an act writes a table that the line of its verb does not have."""
    declared, changed = tables_of(verb), ERASABLE if verb == ERASE else frozenset()
    missing = sorted({*written} - declared.writes - changed)
    missing += [f"-{name}" for name in sorted({*deleted} - declared.deletes)]
    if missing or verb not in _TABLES:
        raise AssertionError(f'add to {__name__}: "{verb}": "… {" ".join(missing)}"')
