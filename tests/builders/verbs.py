"""All verbs of the office under one name, and what tests ask of it: its ledger, reports, ratings, duplicates."""

# ruff: noqa: F401  other tests import the verbs from here
# mypy: implicit-reexport

from datetime import date

from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.backup.acts import backup, export, restore
from arpad.office.corrections.acts import revise
from arpad.office.corrections.affected_lists import ToRevise, affected_lists
from arpad.office.corrections.publishing import take_back
from arpad.office.decisions.acts import appeal, decide, revoke, settle
from arpad.office.drafts.acts import draft, preview_draft
from arpad.office.drafts.publish import emit, publish, rewrite_files
from arpad.office.editions.acts import adopt_edition, own_editions, revoke_edition
from arpad.office.imports.acts import Imported, import_list
from arpad.office.inbox.accept import accept, accept_many, waiting_reports
from arpad.office.inbox.acts import join_stages, submit_together
from arpad.office.inbox.entrant_decisions import decide_entrants, match_report
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.report_detail import ReportDetail, read_detail
from arpad.office.inbox.results import Accepted, NotAccepted, Submitted
from arpad.office.inbox.submit import submit, submit_many
from arpad.office.lists.history_rows import ratings
from arpad.office.lists.in_force import publication_in_force, publications
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office, init, migrate, open_office, today
from arpad.office.players.acts import show_player as player
from arpad.office.players.explain import Explanation, explain_on
from arpad.office.privacy.acts import erase_player
from arpad.office.register.acts import (
    add_identifier,
    change_player,
    find_players,
    import_register,
    known_player,
    register_player,
    remove_identifier,
    report_death,
    withdraw_death,
)
from arpad.office.register.entrant_numbers import NumberRules, load_number_rules
from arpad.office.register.imports import ImportedRegister
from arpad.office.reports import rows
from arpad.office.reports.acts import reinstate, return_, withdraw
from arpad.office.reports.entrant_rows import NEW, UNDECIDED, EntrantDecision
from arpad.office.reports.rows import Decision, Filed, filed
from arpad.office.reports.status import report_on_file
from arpad.office.settings.acts import all_settings, change_settings
from arpad.office.verify.acts import verify
from arpad.office.who_is_who.acts import (
    declare_distinct,
    declare_scheme,
    merge,
    present_aliases,
    revoke_alias_of,
    revoke_distinct_pair,
    set_source_scheme,
    unmerge,
    withdraw_scheme,
    withdraw_source,
)
from arpad.office.who_is_who.duplicates import Duplicate, likely_pairs
from arpad.publishing.bundle import verify_bundle
from arpad.store import ledger as ledger_rows
from arpad.store.ledger import Act


def ledger(office: Office, since: int = 1) -> list[Act]:
    """Return every act from a number on, in order."""
    with office.store.reading() as connection:
        return list(ledger_rows.acts(connection, since))


def lists_to_revise(office: Office) -> tuple[ToRevise, ...]:
    """Return the published lists that a merge or its undoing concerns, or whose basis has changed since."""
    with office.store.reading() as connection:
        return affected_lists(connection)


def ratings_in_force(office: Office, on_list: ListName, day: date) -> dict[int, int]:
    """Return the rating of every player on the list in force on a day."""
    with office.store.reading() as connection:
        publication = publication_in_force(all_publications(connection, on_list), day)
        return ratings(connection, publication.id) if publication else {}


def reports_on_file(office: Office, *, status: str = "", on_list: ListName | None = None) -> list[Filed]:
    """Return the reports on file, only those of one status or list if given."""
    with office.store.reading() as connection:
        reports = filed(connection).values()
    return [it for it in reports if status in ("", it.status) and on_list in (None, it.list)]


def report_detail(office: Office, number: int) -> ReportDetail:
    """Return everything about a report on file."""
    with office.store.reading() as connection:
        return read_detail(connection, report_on_file(connection, number))


def aliases_in_force(office: Office, text: str = "") -> list[EntrantDecision]:
    """Return the aliases in force, those of one player if ``text`` is a number, or with a name that contains it."""
    with office.store.reading() as connection:
        return present_aliases(connection, text)


def likely_duplicates(office: Office, most: int = 100) -> list[Duplicate]:
    """Return pairs of players who are likely the same, the likeliest first."""
    with office.store.reading() as connection:
        return likely_pairs(connection)[:most]


def number_rules(office: Office) -> NumberRules:
    """Return the schemes that the office declared, and its rules for sources."""
    with office.store.reading() as connection:
        return load_number_rules(connection)


def decisions_in_force(office: Office) -> tuple[Decision, ...]:
    """Return the decisions that are not revoked."""
    with office.store.reading() as connection:
        return rows.decisions_in_force(connection)


def registered(office: Office, number: int) -> Person:
    """Return a player of the register."""
    with office.store.reading() as connection:
        return known_player(connection, number)


def explain(office: Office, number: int, on_list: ListName, day: date | None = None) -> Explanation:
    """Return the rating in force on a day and how it came about."""
    with office.store.reading() as connection:
        return explain_on(connection, number, on_list, day or today(office, connection))
