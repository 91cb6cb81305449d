"""A hidden player is in nothing that leaves the office by itself or goes to other sites.

One table of outlets: each shows the player before, so that the test can fail, and none does after.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

import pytest

from arpad.explain.words import load_words
from arpad.model.clubs import UnitKind
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.live.acts import update_live
from arpad.office.mail.worker import write_mail
from arpad.office.notices.acts import ask_to_follow, change_follow, followed
from arpad.office.notices.rows import CONFIRM_MAIL
from arpad.office.privacy.acts import hide_player
from arpad.office.registrations.acts import register_event
from arpad.office.running.versions import send_version
from arpad.office.webhooks.acts import ChangeKind, add_webhook, retry_webhook
from arpad.reports.formats import write_report
from arpad.reports.report import Report
from arpad.store import jobs
from arpad.worker.kinds import KINDS
from arpad.worker.loop import work_once
from tests.builders.chess import event
from tests.builders.followers import followers_of
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.receivers import Receiver, receiving
from tests.builders.site_fixtures import Served, serving
from tests.builders.verbs import accept, all_settings, publish, return_
from tests.office.mail.mail_office import add_person, mails_of, set_up_mail

NAME, WORD = "Zanetti, Ugo", "Zanetti"
TOLD = {name: KINDS[name] for name in ("changes", "notices", "webhook")}


@dataclass(frozen=True)
class Place:
    """An office whose site is served, with a receiver of webhooks."""

    desk: Desk
    site: Served
    receiver: Receiver
    webhook: int


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Player 1 won a memorial of their own name, plays another, is in a club, and is followed."""
    folder = tmp_path_factory.mktemp("office")
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("ARPAD_KEY_FILE", str(folder / "key"))
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    office = desk.office
    desk.list(date(2018, 1, 1), listed(1, 2000, name=NAME), listed(2, 1900))
    set_up_mail(office, 25, live_lists="public", card_sites="https://club.example.org")
    add_person(office, "anna")
    enter_club(office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(office, 1, "MI1", since=date(2018, 1, 1))
    with receiving(status=500) as receiver, serving(office) as site:
        webhook = add_webhook(
            office, receiver.url, kind=[ChangeKind.REPORT_ACCEPTED], private_host="127.0.0.1"
        ).webhook
        _work(desk)
        yield Place(desk, site, receiver, webhook)
    office.close()
    monkeypatch.undo()


def match(name: str, day: date) -> Report:
    """Return a match that the player won."""
    report = event(name, WIN, day)
    return replace(report, entrants=(replace(report.entrants[0], name=NAME), *report.entrants[1:]))


def _work(desk: Desk) -> None:
    """Let the office do what makes every outlet speak of the player."""
    office = desk.office
    memorial = match("Memorial Zanetti", date(2018, 1, 10))
    register_event(office, "Memorial Zanetti", first_day=date(2018, 1, 10), last_day=date(2018, 1, 10))
    for kind, target, confirmed in (("player", "1", True), ("club", "MI1", True), ("player", "1", False)):
        address = f"{kind}{confirmed}@example.org"
        with office.store.reading() as connection:
            thing = followed(connection, load_words("en"), kind, target, office)
        assert thing is not None
        ask_to_follow(office, address, thing, language="en", network="n")
        if confirmed:
            token = next(it.token for it, _ in followers_of(office) if it.address == address.lower())
            change_follow(office, token, "confirm", kind, target)
    arbiter = replace(desk, office=replace(office, author="anna"))
    accepted = arbiter.send(memorial).report
    accept(office, accepted)
    work_once(office, kinds=TOLD)
    desk.on(date(2018, 2, 1))
    publish(office, STANDARD, date(2018, 2, 1))
    returned = arbiter.send(match("Second Zanetti", date(2018, 2, 3))).report
    return_(office, returned, reason="Zanetti played another day")
    arbiter.send(match("Received", date(2018, 2, 5)))
    desk.report(match("Open", date(2018, 2, 6)))
    update_live(office, STANDARD)
    running = replace(
        memorial.header, name="Third Zanetti", first_day=date(2018, 2, 9), last_day=date(2018, 2, 9)
    )
    send_version(
        arbiter.office, write_report(replace(memorial, header=running), "trf16")[0], "third.trf", "third"
    )
    work_once(office, kinds=TOLD)


def page(address: str) -> Callable[[Place], str]:
    return lambda place: place.site.client().get(address).text


def mail(kind: str) -> Callable[[Place], str]:
    """Return the texts of all mails of a kind, as they would be sent now."""

    def texts(place: Place) -> str:
        office = place.desk.office
        settings = all_settings(office)
        waiting = [job for job in mails_of(office) if job.payload["mail"] == kind]
        return "\n".join(str(write_mail(office, job.payload, job.key, settings)) for job in waiting)

    return texts


def webhook(place: Place) -> str:
    """Return the requests that a webhook gets now for changes whose first delivery failed."""
    earlier = len(place.receiver.requests)
    retry_webhook(place.desk.office, place.webhook)
    work_once(place.desk.office, kinds=TOLD)
    return "".join(request.body.decode() for request in place.receiver.requests[earlier:])


OUTLETS: dict[str, Callable[[Place], str]] = {
    "feed of the player": page("/feeds/en/players/1"),
    "feed of the club": page("/feeds/en/clubs/MI1"),
    "feed of the opponent": page("/feeds/en/players/2"),
    "calendar": page("/calendars/en/tournaments.ics"),
    "card of the player": page("/cards/players/1"),
    "picture of the player": page("/cards/players/1/card.svg"),
    "card of the tournament": page("/cards/tournaments/1"),
    "picture of the tournament": page("/cards/tournaments/1/card.svg"),
    "card of the tournament in progress": page("/cards/running/third"),
    "picture of the tournament in progress": page("/cards/running/third/card.svg"),
    "live list": page("/live/standard"),
    "live list with received reports": page("/live/standard?reports=received"),
    "live list for programs": page("/api/v1/live/standard"),
    "changes": page("/api/v1/changes"),
    "webhook": webhook,
    "confirmation mail": mail(CONFIRM_MAIL),
    "news mail": mail("follow-news"),
    "received mail": mail("report-received"),
    "returned mail": mail("report-returned"),
    "accepted mail": mail("report-accepted"),
    "rated mail": mail("report-rated"),
}


def test_a_hidden_player_is_in_no_outlet(place: Place) -> None:
    before = {name: WORD in outlet(place) for name, outlet in OUTLETS.items()}
    assert [name for name, shown in before.items() if not shown] == []
    hide_player(place.desk.office, 1, reason="asked in writing")
    update_live(place.desk.office, STANDARD)
    after = {name: outlet(place) for name, outlet in OUTLETS.items()}
    assert [name for name, text in after.items() if WORD in text] == []
    with place.desk.office.store.reading() as connection:
        waiting = [job.payload.get("lines") for job in jobs.all_jobs(connection, ["mail"])]
    assert WORD not in str(waiting)
