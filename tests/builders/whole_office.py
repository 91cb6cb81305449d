"""An office that has used everything: a row in every table that people rely on."""

from __future__ import annotations

from datetime import date

from arpad.accounts import Grant, Role, second_factor
from arpad.accounts.mail_choices import choose_mails
from arpad.accounts.tokens import issue_token
from arpad.accounts.users import add_user
from arpad.accounts.webhooks import add_webhook
from arpad.model.arbiters import Licence
from arpad.model.clubs import UnitKind
from arpad.model.rules import ListName
from arpad.office import verbs
from arpad.office.arbiters import register_arbiter
from arpad.office.deadlines import record_sent
from arpad.office.live import update_live
from arpad.office.privacy import hide_player
from arpad.office.reference import add_reference, remove_references
from arpad.office.running_tournaments import send_version
from arpad.office.titles import record_norm, revoke_norm
from arpad.regulations.chess.titles.rules import NormTitle
from arpad.reports.event_facts import EventFacts
from arpad.store.norms import RecordedNorm
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed, trf
from tests.builders.reference import write_reference

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
END = MAR
PASSWORD = "vierzehn Buchstaben"  # noqa: S105  of nobody


def build_office(desk: Desk) -> None:
    """Use everything."""
    fill_register(desk)
    fill_lists(desk)
    fill_accounts(desk)
    verbs.draft(desk.office, STANDARD, MAR)
    update_live(desk.office, STANDARD)
    desk.office.close()


def fill_accounts(desk: Desk) -> None:
    """Add people who sign in, with everything that belongs to them."""
    office = desk.office
    add_user(office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    secret = second_factor.new_secret()
    code = second_factor.code_at(secret, int(desk.clock().timestamp()) // 30)
    second_factor.turn_on(office, "anna", PASSWORD, secret, code)
    choose_mails(office, "anna", "anna@example.org", "en")
    issue_token(office, "anna", "script", ["submit"])
    add_webhook(office, "http://127.0.0.1:9/hook", private_host="127.0.0.1")
    hide_player(office, 1, "asked")


def fill_register(desk: Desk) -> None:
    office = desk.office
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    verbs.register_event(office, "Open", federation="ITA", first_day=FEB, last_day=FEB)
    verbs.change_settings(office, {"name": "Another name"})
    verbs.add_identifier(office, 1, "fsi", "77", reason="test")
    verbs.remove_identifier(office, 1, "fsi", "77", reason="test")
    verbs.change_player(office, 1, since=JAN, federation="FRA", reason="test")
    verbs.enter_unit(office, UnitKind.CLUB, "MI1", "Milano", since=JAN)
    verbs.change_unit(office, "MI1", since=FEB, name="Milano 1", reason="test")
    own = 'id = "own-2030"\nbase = "fide-2017"\n'
    for _ in range(2):
        verbs.adopt_edition(office, own, on_lists=[STANDARD], since=date(2030, 1, 1), reason="test")
        adopted = verbs.own_editions(office)[-1]
        verbs.revoke_edition(office, adopted.id, "test")


def fill_lists(desk: Desk) -> None:
    office = desk.office
    fill_matches(desk)
    first = desk.report(event("Match", WIN, date(2018, 1, 10)))
    verbs.revoke(
        office, verbs.decide(office, "k", player=1, on_list=STANDARD, day=FEB, k=10, reason="x"), "x"
    )
    verbs.decide(office, "official", report=first, reason="x")
    desk.publish(FEB)
    verbs.unmerge(office, verbs.merge(office, 2, 3, "test"), "test")
    verbs.merge(office, 2, 3, "test")
    verbs.withdraw(office, first, "test")
    verbs.revise(office, STANDARD, reason="test")
    desk.publish(MAR)
    verbs.take_back(office, STANDARD, MAR, reason="test")
    desk.on(MAR)
    for day in (JAN, FEB):
        add_reference(office, write_reference(desk.folder, f"{day}.txt"), day)
    remove_references(office, [JAN])
    register_arbiter(office, "Rossi, Mario", licence=Licence(JAN))
    norm = RecordedNorm(1, NormTitle.IM, "Open", "", JAN, FEB, "", 9)
    revoke_norm(office, record_norm(office, norm), "test")
    record_sent(office, desk.report(event("Cup", "1 2000 | 2w=\n2 1900 | 1b=\n", date(2018, 2, 20))))
    desk.send(event("Gara", WIN, FEB), facts=EventFacts(list=ListName.ITALIANA))
    send_version(office, trf(event("Running", WIN, MAR)), "running.trf", "running")


def fill_matches(desk: Desk) -> None:
    """Decide who entrants are, and revoke it; leave numbers of unknown scheme."""
    office = desk.office
    verbs.declare_scheme(office, "icu", "Irish Chess Union", "9{1-5}")
    verbs.set_source_scheme(office, "arbiter", "Nobody", "icu")
    verbs.set_source_scheme(office, "discipline", "chess", "")
    sent = desk.send(event("Before", "1 2000 | 7w1\n7 1900 | 1b0\n", date(2018, 1, 5)))
    verbs.decide_entrants(office, sent.report, {7: 3})
    verbs.accept(office, sent.report)
    verbs.revoke_alias_of(office, verbs.aliases_in_force(office)[0].id, "test")
    verbs.revoke_distinct_pair(office, verbs.declare_distinct(office, 1, 2), reason="test")
