"""An office that has used everything: a row in every table."""

from contextlib import suppress
from datetime import date

from sqlalchemy import insert

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.accounts import second_factor
from arpad.office.accounts.keys import open_secret
from arpad.office.accounts.mail_choices import choose_mails
from arpad.office.accounts.sessions import new_link, sign_in
from arpad.office.lists.acts import add_list
from arpad.office.office import Office, utc
from arpad.office.privacy.acts import hide_player
from arpad.office.register.table_rows import add_register_parts
from arpad.office.users import Grant, Role
from arpad.reports.event_facts import EventFacts
from arpad.store.accounts import users_with_factor
from arpad.store.schema import monitor_runs
from arpad.studies.kept_pages import examine_and_store
from arpad.web.api.limits import count_requests
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, WIN, Desk, listed, trf
from tests.builders.optional import of_features
from tests.builders.users import add_user, issue_token
from tests.builders.verbs import (
    accept,
    add_identifier,
    adopt_edition,
    aliases_in_force,
    change_player,
    change_settings,
    decide_entrants,
    declare_distinct,
    declare_scheme,
    draft,
    merge,
    own_editions,
    remove_identifier,
    revise,
    revoke,
    revoke_alias_of,
    revoke_distinct_pair,
    revoke_edition,
    set_source_scheme,
    take_back,
    unmerge,
    withdraw,
    withdraw_source,
)

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
END = MAR
ICELAND = "iceland"
PASSWORD = "vierzehn Buchstaben"  # noqa: S105  of nobody


def build_office(desk: Desk, last: date = END) -> None:
    """Use everything, until a draft for the last day; the months before it have a list."""
    fill_register(desk)
    fill_lists(desk)
    for month in range(END.month, last.month):
        day = date(2018, month, 1)
        desk.publish(day)
        desk.report(event(f"Month {month}", WIN, day.replace(day=20)))
    desk.on(last)
    fill_accounts(desk)
    fill_visits(desk)
    draft(desk.office, STANDARD, last)
    draft(desk.office, ListName(ICELAND, "dwz"), last)
    with desk.office.store.unlogged_writing() as connection:
        add_register_parts(connection, enough=1)
    keep_live_list(desk.office)
    desk.office.close()


def fill_accounts(desk: Desk) -> None:
    """Add people who sign in, with everything that belongs to them."""
    office = desk.office
    add_user(office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    secret = second_factor.new_secret()
    code = second_factor.code_at(secret, int(desk.clock().timestamp()) // 30)
    second_factor.turn_on(office, "anna", PASSWORD, secret, code)
    choose_mails(office, "anna", address="anna@example.org", language="en")
    issue_token(office, "anna", "script", ["submit"])
    add_receiver(office)
    hide_player(office, 1, reason="asked")


def fill_visits(desk: Desk) -> None:
    """Sign in and fail to, follow a player, deliver a change, examine a list: rows that come and go."""
    office, now = desk.office, utc(desk.clock())
    code = second_factor.code_at(factor_secret(office), int(desk.clock().timestamp()) // 30 + 1)
    sign_in(office, "anna", PASSWORD, "192.0.2.1", code=code, browser="Firefox")
    with suppress(BadInput):
        sign_in(office, "anna", "wrong password", "192.0.2.1")
    count_requests(office, "192.0.2.1", 1, 1)
    new_link(office, 1, "forgotten")
    follow_player(office)
    deliver(office, now)
    examined = examine_and_store(office, STANDARD)
    with office.store.unlogged_writing() as connection:  # as offices of version 0.1 have it
        row = {"state": "running", "language": "", "version": "0.1.0", "at": str(now), "reason": ""}
        connection.execute(insert(monitor_runs), {"publication": examined.id, **row})


def factor_secret(office: Office) -> str:
    """Return the secret of the only user with a second factor."""
    with office.store.reading() as connection:
        (user,) = users_with_factor(connection)
    secret = open_secret(office, user.id, user.factor)
    assert secret is not None
    return secret


def fill_register(desk: Desk) -> None:
    office = desk.office
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    register_tournament(office)
    change_settings(office, set_={"name": "Another name"})
    add_identifier(office, 1, "fsi", "77", reason="test")
    remove_identifier(office, 1, "fsi", "77", reason="test")
    change_player(office, 1, since=JAN, set_={"federation": "FRA"}, reason="test")
    enter_clubs(office)
    own = 'id = "own-2030"\nbase = "fide-2017"\n'
    for _ in range(2):
        adopt_edition(office, own, lists=[STANDARD], since=date(2030, 1, 1), reason="test")
        adopted = own_editions(office).editions[-1]
        revoke_edition(office, adopted.adoption, reason="test")


def fill_lists(desk: Desk) -> None:
    add_list(desk.office, ICELAND, system="dwz", since=JAN)
    office = desk.office
    fill_matches(desk)
    first = desk.report(event("Match", WIN, date(2018, 1, 10)))
    revoke(office, decide(office, "k", player=1, on_list=STANDARD, day=FEB, k=10, reason="x"), reason="x")
    decide(office, "official", report=first, reason="x")
    take_fees(office, first)
    desk.publish(FEB)
    unmerge(office, merge(office, 2, 3, reason="test", confirmed=True).merge, reason="test")
    merge(office, 2, 3, reason="test", confirmed=True)
    withdraw(office, first, reason="test")
    revise(office, STANDARD, reason="test")
    desk.publish(MAR)
    take_back(office, STANDARD, MAR, reason="test")
    desk.on(MAR)
    add_references(desk)
    enter_arbiter(office)
    make_norm(office)
    send_on(office, desk.report(event("Cup", "1 2000 | 2w=\n2 1900 | 1b=\n", date(2018, 2, 20))))
    desk.send(event("Gara", WIN, FEB), facts=EventFacts(list=ListName.ITALIANA))
    send_running(office)


def fill_matches(desk: Desk) -> None:
    """Decide who entrants are, and revoke it; leave numbers of unknown scheme."""
    office = desk.office
    declare_scheme(office, "icu", name="Irish Chess Union", pattern="9{1-5}")
    set_source_scheme(office, "arbiter", "Nobody", "icu")
    withdraw_source(office, "discipline", "chess")
    sent = desk.send(event("Before", "1 2000 | 7w1\n7 1900 | 1b0\n", date(2018, 1, 5)))
    decide_entrants(office, sent.report, {7: 3})
    accept(office, sent.report)
    revoke_alias_of(office, aliases_in_force(office)[0].id, reason="test")
    revoke_distinct_pair(office, declare_distinct(office, 1, 2).pair, reason="test")


# -------------------------------------------------------------------------- what an office can do without


@of_features("live")
def keep_live_list(office: Office) -> None:
    from arpad.office.live.acts import update_live

    update_live(office, STANDARD)


@of_features("webhooks")
def add_receiver(office: Office) -> None:
    from arpad.office.webhooks.acts import add_webhook

    add_webhook(office, "http://127.0.0.1:9/hook", private_host="127.0.0.1")


@of_features("notices")
def follow_player(office: Office) -> None:
    from arpad.office.notices.acts import Followed, ask_to_follow

    thing = Followed("player", "1", "Player 1", "/players/1")
    ask_to_follow(office, "visitor@example.org", thing, language="en", network="192.0.2.1")


@of_features("webhooks")
def deliver(office: Office, now: str) -> None:
    from arpad.office.webhooks.rows import Attempt, add_attempt, add_delivery

    with office.store.unlogged_writing() as connection:
        add_delivery(connection, 1, "1", "list-published", now)
        add_attempt(connection, Attempt(1, "1", now, 200, ""), done=True)


@of_features("registrations")
def register_tournament(office: Office) -> None:
    from arpad.office.registrations.acts import cancel_registration, register_event, reinstate_registration

    register_event(office, "Open", federation="ITA", first_day=FEB, last_day=FEB)
    cancel_registration(office, 1, reason="test")
    reinstate_registration(office, 1, reason="test")


@of_features("clubs")
def enter_clubs(office: Office) -> None:
    from arpad.office.clubs.acts import change_club, enter_club

    enter_club(office, "MI1", "Milano", since=JAN)
    change_club(office, "MI1", since=FEB, set_={"name": "Milano 1"}, reason="test")


@of_features("fees")
def take_fees(office: Office, report: int) -> None:
    from arpad.office.fees.acts import credit_invoice, issue_invoice, pay_invoice, set_fee_table

    set_fee_table(office, 'currency = "EUR"\n[[fee]]\nname = "Fee"\nper = "player"\namount = "1.00"\n')
    number = issue_invoice(office, report, to=["Club"]).number
    pay_invoice(office, number)
    credit_invoice(office, number, reason="test")


@of_features("fide")
def add_references(desk: Desk) -> None:
    from arpad.office.fide.acts import remove_references
    from arpad.office.fide.reference import add_reference
    from tests.builders.reference import write_reference

    for day in (JAN, FEB):
        add_reference(desk.office, write_reference(desk.folder, f"{day}.txt"), day)
    remove_references(desk.office, [JAN])


@of_features("arbiters")
def enter_arbiter(office: Office) -> None:
    from arpad.office.arbiters.acts import register_arbiter

    register_arbiter(office, "Rossi, Mario", since=JAN)


@of_features("titles")
def make_norm(office: Office) -> None:
    from arpad.office.titles.acts import revoke_norm
    from tests.builders.norms import enter_norm

    revoke_norm(office, enter_norm(office, 1, days=(JAN, FEB)), reason="test")


@of_features("registrations")
def send_on(office: Office, report: int) -> None:
    from arpad.office.registrations.acts import record_sent

    record_sent(office, [report])


@of_features("running")
def send_running(office: Office) -> None:
    from arpad.office.running.versions import send_version

    send_version(office, trf(event("Running", WIN, MAR)), "running.trf", "running")
