"""Tell the senders of reports by mail what happened to them."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from arpad.office.mails import mail_is_set_up, queue_for_user
from arpad.office.reports.tables import reports
from arpad.store.accounts import MailChoice, choice_of
from arpad.store.bulk import in_values
from arpad.store.schema import ledger, mail_choices, users


def queue_report_mails(connection: Connection, events: Iterable[tuple[str, int]], **facts: Any) -> None:
    """Tell the senders of reports what happened to them: pairs of ``received`` and so on, and the report."""
    events = list(events)
    if not events or not mail_is_set_up(connection):
        return
    known = _senders(connection, {number for _, number in events})
    for event, number in events:
        if number in known:
            name, choice = known[number]
            queue_for_user(
                connection, choice, f"report-{event}", path=f"/desk/reports/{number}", report=number,
                event=name, **facts,
            )  # fmt: skip


def _senders(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[str, MailChoice]]:
    """Return the name and the sender's choice of each report whose sender has an open account with an address."""
    query = (
        select(reports.c.id, reports.c.name, mail_choices)
        .join_from(reports, ledger, ledger.c.seq == reports.c.act)
        .join(users, users.c.login == ledger.c.author)
        .join(mail_choices, mail_choices.c.user == users.c.id)
        .where(in_values(connection, reports.c.id, numbers), users.c.active == 1)
    )
    return {row.id: (row.name, choice_of(row)) for row in connection.execute(query)}
