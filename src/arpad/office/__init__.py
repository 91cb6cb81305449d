"""The rating office: the verbs of a federation, on its database.

An ``Office`` is a database, a clock and an author; every verb is a function on it, and every act is one transaction
with one row in the ledger. A federation's month, in the order in which it happens:

    office = open_office("office.db", author="R. Officer")      the clock can be given: now=lambda: moment
    import_list(office, Path("list.txt"), ListName.STANDARD, date(2018, 1, 1))
    import_register(office, Path("soci.csv"), date(2018, 1, 1))  players without ratings
    adopt_edition(office, text, on_lists=(ListName.STANDARD,), since=date(2018, 1, 1), reason="…")   its own rules
    register_player(office, "Rossi, Mario", federation="ITA", born=2001, identifiers={"fide": "800101"}) -> player
    register_event(office, "Open", federation="ITA", first_day=…, last_day=…) -> event
    submit(office, data, "open.trf", facts=EventFacts(…), event=None, replaces=None) -> Submitted(report, findings, …)
    accept(office, report, matches={3: 1234, 4: NEW}, overrule=("code",)) -> Accepted(players, newcomers)
    submit_many(office, IncomingFiles([Path("june.zip")]), accept=True) / accept_many(office)      for thousands
    join_stages(office, (4, 7), reason) -> Submitted            stages of one event as one report
    return_(office, report, reason) / withdraw(office, report, reason) / reinstate(office, report, reason)
    decide(office, "not-rated", report=…, reason="…") -> decision;  revoke(office, decision, reason)
    draft(office, ListName.STANDARD, date(2018, 2, 1)) -> Draft      what would be published, and what is left out
    publish(office, ListName.STANDARD, date(2018, 2, 1), Path("lists")) -> Publication
    take_back(office, ListName.STANDARD, date(2018, 2, 1), reason="…")     the newest, while nothing refers to it
    revise(office, ListName.STANDARD, Path("lists"), reason="…", mode="lists" | "base", add=(report,)) -> Revised
    affected(office) -> lists that are based on a list corrected since
    player(office, id) / explain(office, id, ListName.STANDARD, day) / find_players(office, "Muller")
    merge(office, kept, dropped, reason) -> merge;  unmerge(office, merge, reason);  change_player(office, id, since=…)
    lists_to_revise(office) -> the published lists that a merge or its undoing concerns
    report_death(office, id, day, reason="…");  withdraw_death(office, id, reason="…")
    verify(office) / verify_bundle(path) -> Verification
    ledger(office);  export(office, folder);  backup(office, path);  restore(path, place)

Draughts lists (``italiana``, ``internazionale``) use the same verbs: submit, accept, publish on any day; the list of
31 December closes the year. The records of the commission:

    points_register(office, ListName.ITALIANA) -> PointsRegister     points taken and given back (tables 18b, 22)
    promotions(office, ListName.ITALIANA, date(2018, 1, 1), date(2018, 12, 31)) / fmjd_ratings(office)
"""

from __future__ import annotations

from arpad.office.accept import accept, accept_many
from arpad.office.affected_lists import affected
from arpad.office.backup import backup, export, ledger, restore
from arpad.office.corrections import Revised, revise
from arpad.office.decisions import appeal, decide, decisions_in_force, revoke, settle
from arpad.office.draft import Draft, draft
from arpad.office.draughts_records import fmjd_ratings, player_record, promotions
from arpad.office.editions import adopt_edition, own_editions, revoke_edition
from arpad.office.entrant_decisions import (
    aliases_in_force,
    decide_entrants,
    match_report,
    read_matches,
    revoke_alias_of,
)
from arpad.office.erase import Erased, erase_player
from arpad.office.explain import Explanation, explain
from arpad.office.import_list import Imported, import_list
from arpad.office.import_register import Registered, import_register
from arpad.office.incoming_files import IncomingFiles
from arpad.office.join_stages import join_stages, submit_together
from arpad.office.lists_in_force import ratings_in_force
from arpad.office.merge_players import ToRevise, lists_to_revise, merge, unmerge
from arpad.office.number_schemes import (
    declare_scheme,
    number_rules,
    set_source_scheme,
    withdraw_scheme,
)
from arpad.office.office import Office, init, migrate, open_office
from arpad.office.player_file import PlayerFile, player, report_file
from arpad.office.points_register import points_register
from arpad.office.publish import emit, publications, publish, rewrite_files
from arpad.office.register import (
    add_identifier,
    change_player,
    find_players,
    register_player,
    remove_identifier,
    report_death,
    withdraw_death,
)
from arpad.office.report_batch import Accepted, NotAccepted, NotSubmitted, Submitted
from arpad.office.report_status import reinstate, reports_on_file, return_, withdraw
from arpad.office.settings import all_settings, change_settings
from arpad.office.submit import register_event, submit, submit_many
from arpad.office.take_back import take_back
from arpad.office.verify import verify
from arpad.publishing.bundle import Alteration, Verification, verify_bundle
from arpad.store.entrant_decisions import NEW, UNDECIDED

__all__ = [
    "NEW",
    "UNDECIDED",
    "Accepted",
    "Alteration",
    "Draft",
    "Erased",
    "Explanation",
    "Imported",
    "IncomingFiles",
    "NotAccepted",
    "NotSubmitted",
    "Office",
    "PlayerFile",
    "Registered",
    "Revised",
    "Submitted",
    "ToRevise",
    "Verification",
    "accept",
    "accept_many",
    "add_identifier",
    "adopt_edition",
    "affected",
    "aliases_in_force",
    "all_settings",
    "appeal",
    "backup",
    "change_player",
    "change_settings",
    "decide",
    "decide_entrants",
    "decisions_in_force",
    "declare_scheme",
    "draft",
    "emit",
    "erase_player",
    "explain",
    "export",
    "find_players",
    "fmjd_ratings",
    "import_list",
    "import_register",
    "init",
    "join_stages",
    "ledger",
    "lists_to_revise",
    "match_report",
    "merge",
    "migrate",
    "number_rules",
    "open_office",
    "own_editions",
    "player",
    "player_record",
    "points_register",
    "promotions",
    "publications",
    "publish",
    "ratings_in_force",
    "read_matches",
    "register_event",
    "register_player",
    "reinstate",
    "remove_identifier",
    "report_death",
    "report_file",
    "reports_on_file",
    "restore",
    "return_",
    "revise",
    "revoke",
    "revoke_alias_of",
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
    "withdraw",
    "withdraw_death",
    "withdraw_scheme",
]  # fmt: skip
