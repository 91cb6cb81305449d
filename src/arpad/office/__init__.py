"""The rating office: the verbs that join the core and the store.

An ``Office`` is a database, a clock and whoever is at the desk; every verb is a function on it, every act that stays is
one transaction with one row in the ledger. A federation's month, in the order in which it happens:

    office = open_office("office.db", author="R. Officer")      the clock can be given: now=lambda: moment
    import_list(office, Path("list.txt"), ListName.STANDARD, date(2018, 1, 1))
    register_player(office, "Rossi, Mario", federation="ITA", born=2001, identifiers={"fide": "800101"}) -> player
    register_event(office, "Open", federation="ITA", first_day=…, last_day=…) -> event
    submit(office, data, "open.trf", facts=EventFacts(…), event=None, replaces=None) -> Submitted(report, findings, …)
    accept(office, report, matches={3: 1234, 4: NEW}, overrule=("code",)) -> Accepted(players, newcomers)
    return_(office, report, reason) / withdraw(office, report, reason)
    decide(office, "not-rated", report=…, reason="…") -> decision;  revoke(office, decision, reason)
    draft(office, ListName.STANDARD, date(2018, 2, 1)) -> Draft      what would be published, and what is left out
    publish(office, ListName.STANDARD, date(2018, 2, 1), Path("lists")) -> Publication
    revise(office, ListName.STANDARD, Path("lists"), reason="…", mode="lists" | "base", add=(report,)) -> Revised
    player(office, id) / explain(office, id, ListName.STANDARD, day) / find_players(office, "Muller")
    merge(office, kept, dropped, reason) -> merge;  unmerge(office, merge, reason);  change_player(office, id, since=…)
    verify(office) / verify_bundle(path) -> Verified
    ledger(office);  export(office, folder);  backup(office, path);  restore(path, place)

Draughts lists (``italiana``, ``internazionale``) go the same way: submit, accept, publish on any day; the list of
31 December closes the year.
"""
