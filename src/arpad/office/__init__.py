"""The rating office: the verbs of a federation, on its database.

An ``Office`` is a database, a clock and an author; every verb is a function on it, and every act is one transaction
with one row in the ledger. A federation's month, in the order in which it happens:

    office = open_office("office.db", author="R. Officer")      the clock can be given: now=lambda: moment
    import_list(office, Path("list.txt"), ListName.STANDARD, date(2018, 1, 1))
    import_register(office, Upload.of(Path("soci.csv")), date_=date(2018, 1, 1))      players without ratings
    adopt_edition(office, text, lists=(ListName.STANDARD,), since=date(2018, 1, 1), reason="…")   its own rules
    register_player(office, "Rossi, Mario", federation="ITA", born=2001, identifiers={"fide": "800101"}) -> Player
    import_clubs(office, data, "clubs.csv", date(2018, 1, 1)) / import_memberships(office, data, "members.csv")
    enter_club(office, "MI1", "Milano", kind=UnitKind.CLUB, since=…);  transfer(office, player, "MI1", since=…)
    register_event(office, "Open", federation="ITA", first_day=…, last_day=…) -> event
    submit(office, data, "open.trf", facts=EventFacts(…), event=None, replaces=None) -> Submitted(report, findings, …)
    accept(office, report, matches={3: 1234, 4: NEW}, overrule=("code",)) -> Accepted(players, newcomers)
    submit_many(office, IncomingFiles([Path("june.zip")]), accept=True) / accept_many(office)      for thousands
    join_stages(office, (4, 7), reason) -> Submitted            stages of one event as one report
    return_(office, report, reason="…") / withdraw(office, report, reason="…") / reinstate(office, report, reason="…")
    decide(office, "not-rated", report=…, reason="…") -> decision;  revoke(office, decision, reason)
    draft(office, ListName.STANDARD, date(2018, 2, 1)) -> Draft      what would be published, and what is left out
    update_live(office, ListName.STANDARD) -> LiveState              the live list, up to the last act
    publish(office, ListName.STANDARD, date(2018, 2, 1), Path("lists")) -> Publication
    take_back(office, ListName.STANDARD, date(2018, 2, 1), reason="…")     the newest, while nothing refers to it
    revise(office, ListName.STANDARD, Path("lists"), reason="…", mode="lists" | "base", add=(report,)) -> Revised
    show_player(office, id) / explain_rating(office, id, date_=day) / find_players(office, "Muller")
    merge(office, kept, dropped, reason=…) -> Merged;  unmerge(office, merge, reason=…)
    change_player(office, id, since=…, set_={"title": "FM"}, reason=…)
    report_death(office, id, day, reason="…");  withdraw_death(office, id, reason="…")
    verify(office) / verify_bundle(path) -> Verification
    ledger(office);  export(office, folder);  backup(office, path);  restore(path, place)

Draughts lists (``italiana``, ``internazionale``) use the same verbs: submit, accept, publish on any day; the list of
31 December closes the year. The records of the commission:

    points_register(office, ListName.ITALIANA) -> PointsRegister     points taken and given back (tables 18b, 22)
    promotions(office, ListName.ITALIANA, date(2018, 1, 1), date(2018, 12, 31)) / fmjd_ratings(office)
"""

from arpad.explain.words import add_words
from arpad.office.features import feature_folders

add_words(lambda: feature_folders("words").values())
