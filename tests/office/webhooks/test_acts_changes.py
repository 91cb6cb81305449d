"""The changes of an office, read from the ledger: which acts they are, who sees them, and in which order."""

from datetime import date

from arpad.model.cursors import Cursor, parse_cursor
from arpad.office.office import Office
from arpad.office.privacy.acts import hide_player
from arpad.office.reports import rows as report_rows
from arpad.office.reports.tournament_names import public_names
from arpad.office.webhooks.acts import Change, changes_after
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import NEW, STANDARD, WIN, Desk, listed
from tests.builders.verbs import reports_on_file, return_, revise, take_back, withdraw

JAN, FEB, MAR = date(2018, 1, 1), date(2018, 2, 1), date(2018, 3, 1)
PUBLIC_KINDS = [
    "list-published", "report-accepted", "list-published", "report-rated", "report-withdrawn", "list-corrected",
    "list-taken-back",
]  # fmt: skip


def read(office: Office, since: str = "", **options: object) -> tuple[Change, ...]:
    with office.store.reading() as connection:
        return changes_after(connection, parse_cursor(since), **options).changes  # type: ignore[arg-type]


def month(desk: Desk) -> tuple[int, int]:
    """A report returned, one rated and withdrawn after the list, a correction taken back; return both reports."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 12))
    returned = desk.send(event("Torneo", WIN, date(2018, 1, 9))).report
    return_(desk.office, returned, reason="the rounds are missing")
    rated = desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    withdraw(desk.office, rated, reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    take_back(desk.office, STANDARD, FEB, reason="it was played")
    return returned, rated


@DEEP_ON_POSTGRESQL
def test_everybody_sees_lists_and_accepted_reports(desk: Desk) -> None:
    returned, rated = month(desk)
    public = read(desk.office)

    assert [change.kind for change in public] == PUBLIC_KINDS
    assert {change.tournament for change in public} == {None, rated}
    correction = public[5]
    assert (correction.publication, correction.corrects) == (
        "standard-2018-02-01-r2",
        "standard-2018-02-01-r1",
    )
    assert correction.address == "/lists/standard-2018-02-01-r2"
    assert {change.name for change in public} == {None}  # the report is withdrawn: its page is gone
    own = read(desk.office, sender=NEW["author"])
    assert [c.kind for c in own if c.tournament == returned] == ["report-received", "report-returned"]
    assert read(desk.office, sender="another") == public
    assert read(desk.office, everything=True) == own


def test_pages_follow_each_other_without_gap_or_repetition(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    month(desk)
    everything = read(desk.office, everything=True)
    with desk.office.store.reading() as connection:
        cursor = Cursor()
        collected: list[Change] = []
        while True:
            page = changes_after(connection, cursor, most=2, everything=True)
            collected += page.changes
            cursor = parse_cursor(str(page.next))
            if not page.more:
                break
    assert tuple(collected) == everything
    cursors = [parse_cursor(change.id) for change in everything]
    assert cursors == sorted(set(cursors))
    published = next(change for change in everything if change.publication == "standard-2018-02-01-r1")
    after = read(desk.office, published.id, everything=True)
    act = parse_cursor(published.id).item
    assert (after[0].kind, after[0].id) == ("report-rated", str(Cursor(act, 1)))
    assert read(desk.office, str(act), everything=True) == after[1:]


def test_a_new_version_withdraws_the_one_before_and_is_rated_once(sqlite_out: Desk) -> None:
    desk = sqlite_out
    (old,) = [report.id for report in reports_on_file(desk.office)]
    draw = WIN.replace("w1", "w=").replace("b0", "b=")
    new = desk.report(event("Match", draw, date(2018, 1, 10)), replaces=old)
    revise(desk.office, STANDARD, reason="a better version")
    desk.report(event("Other", WIN, date(2018, 2, 10)))
    desk.publish(MAR)

    kinds = [(change.kind, change.tournament) for change in read(desk.office)]
    assert kinds[3:8] == [
        ("report-rated", old), ("report-accepted", new), ("report-withdrawn", old), ("list-corrected", None),
        ("report-rated", new),
    ]  # fmt: skip
    assert [tournament for kind, tournament in kinds if kind == "report-rated"] == [old, new, new + 1]


def test_a_tournament_named_after_a_hidden_player_loses_its_name(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    match = desk.report(event("Match Player-Verdi", WIN, date(2018, 1, 10)))
    other = desk.report(event("Open", WIN, date(2018, 1, 20)))
    player = report_players(desk.office, match)[0]

    assert {c.name for c in read(desk.office) if c.tournament} == {"Match Player-Verdi", "Open"}
    hide_player(desk.office, player, reason="asked")
    changes = {c.tournament: c for c in read(desk.office) if c.tournament}
    assert (changes[match].name, changes[match].address) == ("", f"/tournaments/{match}")
    assert changes[other].name == "Open"


def report_players(office: Office, report: int) -> tuple[int, ...]:
    with office.store.reading() as connection:
        assert public_names(connection, report_rows.filed(connection, [report]).values())
        return report_rows.players_of(connection, report)
