"""Following by mail: asked, confirmed, told once for each list, ended; limits, privacy and deletion."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from arpad.explain.words import load_words
from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.notices.acts import (
    CONFIRM_DAYS,
    MAILS_A_DAY,
    REQUESTS_A_DAY,
    ask_to_follow,
    change_follow,
    followed,
    follower_page,
    forget_follower,
    forget_unconfirmed,
)
from arpad.office.office import Office
from arpad.office.privacy.acts import erase_player, hide_player
from arpad.store import jobs
from arpad.store.declared_tables import all_tables
from arpad.store.tables import rows
from arpad.worker.kinds import KINDS
from arpad.worker.loop import work_once
from tests.builders.chess import event
from tests.builders.followers import followers_of
from tests.builders.offices import STANDARD, WIN, Desk
from tests.builders.verbs import change_settings, merge, register_player, reports_on_file, revise, withdraw

WORDS = load_words("en")
MAR = date(2018, 3, 1)
PLANNED = {name: KINDS[name] for name in ("changes", "notices")}
ANNA, UGO = "Anna@example.org", "ugo@example.org"


@pytest.fixture
def desk(sqlite_out: Desk) -> Desk:
    """An office with one list that can send mails; Player 1 is in the club MI1."""
    set_up_mail(sqlite_out.office)
    enter_club(sqlite_out.office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(sqlite_out.office, 1, "MI1", since=date(2018, 1, 1))
    work_once(sqlite_out.office, kinds=PLANNED)
    return sqlite_out


def set_up_mail(office: Office) -> None:
    settings = {
        "mail_host": "localhost",
        "mail_sender": "o@example.org",
        "site_address": "https://example.org",
    }
    change_settings(office, set_=settings)


def ask(
    office: Office, address: str, kind: str, target: str, network: str = "n", language: str = "en"
) -> None:
    with office.store.reading() as connection:
        thing = followed(connection, load_words(language), kind, target, office)
    assert thing is not None
    ask_to_follow(office, address, thing, language=language, network=network)


def follow(office: Office, address: str, kind: str, target: str, language: str = "en") -> str:
    """Ask and confirm; return the token."""
    ask(office, address, kind, target, language=language)
    token = next(it.token for it, _ in followers_of(office) if it.address == address.lower())
    assert change_follow(office, token, "confirm", kind, target)
    return token


def mails(office: Office, about: str = "follow-") -> list[dict[str, Any]]:
    with office.store.reading() as connection:
        queued = jobs.all_jobs(connection, ["mail"])
    return [dict(job.payload) for job in reversed(queued) if job.payload["mail"].startswith(about)]


def publish_march(desk: Desk) -> None:
    desk.report(event("Second", WIN, date(2018, 2, 10)))
    desk.publish(MAR)
    work_once(desk.office, kinds=PLANNED)
    work_once(desk.office, kinds=PLANNED)


def test_nothing_is_sent_before_the_address_is_confirmed(desk: Desk) -> None:
    ask(desk.office, ANNA, "player", "1")
    (mail,) = mails(desk.office)
    ((follower, _),) = followers_of(desk.office)
    assert (mail["mail"], mail["to"], mail["path"]) == (
        "follow-confirm", "anna@example.org", f"/follow/{follower.token}",
    )  # fmt: skip
    assert mail["facts"] == {"name": "Player 1", "days": CONFIRM_DAYS}
    publish_march(desk)
    assert mails(desk.office) == [mail]


def test_one_mail_for_each_list_and_address(desk: Desk) -> None:
    for kind, target in (("player", "1"), ("club", "mi1"), ("list", "standard")):
        with desk.office.store.reading() as connection:
            thing = followed(connection, WORDS, kind, target, desk.office)
        assert thing is not None
        token = follow(desk.office, ANNA, kind, thing.target, language="it")
    follow(desk.office, UGO, "player", "2")
    publish_march(desk)
    news = {mail["to"]: mail for mail in mails(desk.office, "follow-news")}
    assert len(mails(desk.office, "follow-news")) == len(news) == 2
    anna, ugo = news["anna@example.org"], news[UGO]
    # 2007 beats 1893: expected 0.66, so +0.34 x 20 = +6.8, rounded +7.
    assert anna["lines"] == ["Player 1: 2007 → 2014 (+7)", "Milano – Player 1: 2007 → 2014 (+7)"]
    assert (anna["language"], anna["path"]) == ("it", "/lists/standard-2018-03-01-r1")
    assert (anna["end_path"], anna["facts"]) == (
        f"/follow/{token}",
        {"list": "standard", "day": "2018-03-01"},
    )
    assert ugo["lines"] == ["Player 2: 1893 → 1886 (−7)"]

    (_, second) = reports_on_file(desk.office)
    withdraw(desk.office, second.id, reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    change_follow(desk.office, token, "end", "list", "standard")
    work_once(desk.office, kinds=PLANNED)
    corrections = mails(desk.office, "follow-correction")
    assert [mail["lines"][0] for mail in corrections] == [
        "Player 1: 2014 → 2007 (−7)", "Player 2: 1886 → 1893 (+7)",
    ]  # fmt: skip


def test_who_is_not_concerned_gets_no_mail(desk: Desk) -> None:
    follow(desk.office, ANNA, "list", "rapid")
    token = follow(desk.office, UGO, "player", "1")
    change_follow(desk.office, token, "end", "player", "1")
    publish_march(desk)
    assert mails(desk.office, "follow-news") == []


def test_asking_again_looks_the_same_and_is_limited(desk: Desk) -> None:
    follow(desk.office, ANNA, "player", "1")
    for _ in range(MAILS_A_DAY + 3):
        ask(desk.office, ANNA.upper(), "player", "1")
    confirmations = mails(desk.office, "follow-confirm")
    assert len(confirmations) == MAILS_A_DAY
    assert all(mail == confirmations[0] for mail in confirmations)
    ((_, follows),) = followers_of(desk.office)
    assert [bool(it.confirmed) for it in follows] == [True]
    for number in range(REQUESTS_A_DAY):
        ask(desk.office, f"a{number}@example.org", "player", "1", network="10.0.0.0/24")
    with pytest.raises(BadInput, match="follow-many"):
        ask(desk.office, "a@example.org", "player", "1", network="10.0.0.0/24")
    ask(desk.office, UGO, "player", "1", network="another")
    desk.on(desk.clock.day + timedelta(days=2))
    ask(desk.office, "b@example.org", "player", "1", network="10.0.0.0/24")
    with pytest.raises(BadInput, match="bad-address"):
        ask(desk.office, "anna@example.org\r\nBcc: ugo@example.org", "player", "1")


def test_a_link_shows_its_own_address_only(desk: Desk) -> None:
    anna = follow(desk.office, ANNA, "player", "1")
    ugo = follow(desk.office, UGO, "club", "MI1")
    ask(desk.office, UGO, "list", "blitz")
    page = follower_page(desk.office, anna, WORDS)
    assert page is not None
    assert [thing.name for thing in page.confirmed] == ["Player 1"]
    assert page.waiting == ()
    other = follower_page(desk.office, ugo, WORDS)
    assert other is not None
    assert ([thing.name for thing in other.confirmed], [thing.target for thing in other.waiting]) == (
        ["Milano"],
        ["blitz"],
    )
    assert follower_page(desk.office, anna[:-1], WORDS) is None
    assert not change_follow(desk.office, "x", "forget", "", "")
    change_follow(desk.office, anna, "end", "club", "MI1")
    assert follower_page(desk.office, ugo, WORDS) == other


def everything(office: Office) -> str:
    with office.store.reading() as connection:
        return "\n".join(str(row) for table in all_tables() for row in rows(connection, table))


@pytest.mark.parametrize("by_link", [True, False])
def test_an_address_is_deleted_on_request(desk: Desk, *, by_link: bool) -> None:
    token = follow(desk.office, ANNA, "player", "1")
    follow(desk.office, UGO, "player", "1")
    publish_march(desk)
    assert "anna@example.org" in everything(desk.office)
    if by_link:
        assert not change_follow(desk.office, token, "forget", "", "")
    else:
        forget_follower(desk.office, ANNA)
        with pytest.raises(BadInput, match="no-follower"):
            forget_follower(desk.office, ANNA)
    assert "anna@" not in everything(desk.office).lower()
    assert token not in everything(desk.office)
    assert {mail["to"] for mail in mails(desk.office)} == {UGO}


def test_an_address_that_is_not_confirmed_is_forgotten(desk: Desk) -> None:
    ask(desk.office, ANNA, "player", "1")
    follow(desk.office, UGO, "player", "1")
    ask(desk.office, UGO, "player", "2")
    recent = (datetime.now(UTC) - timedelta(days=CONFIRM_DAYS - 1)).isoformat()
    with desk.office.store.writing() as connection:
        connection.execute(text("UPDATE follows SET made = :made"), {"made": recent})
        connection.execute(text("UPDATE followers SET made = :made"), {"made": recent})
    assert forget_unconfirmed(desk.office) == 0
    old = (datetime.now(UTC) - timedelta(days=CONFIRM_DAYS + 1)).isoformat()
    with desk.office.store.writing() as connection:
        connection.execute(text("UPDATE follows SET made = :made"), {"made": old})
        connection.execute(text("UPDATE followers SET made = :made"), {"made": old})
    assert forget_unconfirmed(desk.office) == 1
    ((follower, follows),) = followers_of(desk.office)
    assert (follower.address, [it.target for it in follows]) == (UGO, ["1"])
    assert "anna@" not in everything(desk.office)


@pytest.mark.parametrize("erased", [False, True])
def test_follows_of_a_hidden_player_end_without_a_word(desk: Desk, *, erased: bool) -> None:
    token = follow(desk.office, ANNA, "player", "1")
    follow(desk.office, ANNA, "club", "MI1")
    follow(desk.office, UGO, "player", "2")
    publish_march(desk)
    before = len(mails(desk.office))
    assert "Player 1" in str(mails(desk.office, "follow-confirm"))  # it waits, as without a mail server
    if erased:
        erase_player(desk.office, 1, confirm=1, reason="asked")
    else:
        hide_player(desk.office, 1, reason="asked")
    work_once(desk.office, kinds=PLANNED)
    assert len(mails(desk.office)) == before - 1  # nothing new, and no question about the player
    assert "Player 1" not in str(mails(desk.office))
    assert "Player 2: 1893 → 1886 (−7)" in str(mails(desk.office, "follow-news"))
    page = follower_page(desk.office, token, WORDS)
    assert page is not None
    assert [thing.kind for thing in page.confirmed] == ["club"]
    with desk.office.store.reading() as connection:
        assert followed(connection, WORDS, "player", "1", desk.office) is None
    if not erased:  # the name of an erased player matches nobody
        desk.report(event("Third", WIN, date(2018, 3, 10)))
        desk.publish(date(2018, 4, 1))
        work_once(desk.office, kinds=PLANNED)
    assert "Player 1" not in str(mails(desk.office, "follow-news"))


@pytest.mark.parametrize(
    ("kind", "target"),
    [("player", "99"), ("player", "x"), ("club", "NONE"), ("list", "chess"), ("", ""), ("report", "1")],
)
def test_only_what_everybody_sees_can_be_followed(desk: Desk, kind: str, target: str) -> None:
    with desk.office.store.reading() as connection:
        assert followed(connection, WORDS, kind, target, desk.office) is None


def test_the_two_numbers_of_a_player_are_one(desk: Desk) -> None:
    other = register_player(desk.office, "Player One", federation="ITA").id
    merge(desk.office, 1, other, reason="the same", confirmed=True)
    with desk.office.store.reading() as connection:
        thing = followed(connection, WORDS, "player", str(other), desk.office)
    assert thing is not None
    assert thing.target == "1"
