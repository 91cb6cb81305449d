"""Follow a player, a club or a list by mail: asked for on the site, confirmed and ended by the link in a mail.

Nobody needs an account. An answer never tells whether an address follows anything: only the links in its mails do.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated

from sqlalchemy import Connection

from arpad.explain.words import MINUS, Words, load_words
from arpad.model.clubs import UnitKind
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.retention import amount_of, kept_for
from arpad.office.clubs.rows import units_on
from arpad.office.declared import Reading, query, task
from arpad.office.lists.rows import Publication
from arpad.office.mails import check_address, queue_mail
from arpad.office.notices import rows
from arpad.office.notices.news import RatingNews, club_members, list_name, named_change, rating_news
from arpad.office.notices.rows import CLUB, LIST, PLAYER, Follow, Follower
from arpad.office.office import Office, today, utc
from arpad.office.register.number_rows import hidden, merge_targets
from arpad.office.register.rows import load_people
from arpad.office.users import ADMINISTRATOR
from arpad.store.settings import kept_list

MAILS_A_DAY = 5
"""To one address, whoever asks."""

REQUESTS_A_DAY = 30
"""From one network."""

MOST_FOLLOWS = 100
CONFIRM_DAYS = amount_of("unconfirmed_follows")
LONGEST_TARGET = 20
KINDS = (PLAYER, CLUB, LIST)
Address = Annotated[
    str, Accepts("anna@example.org", word="follower-address", read=check_address, unwritten=True)
]


@dataclass(frozen=True, slots=True)
class Followed:
    """One thing that can be followed, with its name and the page that shows it."""

    kind: str
    target: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class FollowOnFile:
    """One thing that an address follows, and when the link in the mail was used."""

    kind: str
    target: str
    confirmed: str | None


@dataclass(frozen=True, slots=True)
class FollowerOnFile:
    """An address with what it follows."""

    address: str
    language: str
    made: str
    follows: tuple[FollowOnFile, ...]

    @property
    def confirmed(self) -> tuple[str, ...]:
        """What it follows, in short."""
        return tuple(f"{it.kind} {it.target}" for it in self.follows if it.confirmed)

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """What it was asked to confirm, in short."""
        return tuple(f"{it.kind} {it.target}" for it in self.follows if not it.confirmed)


@dataclass(frozen=True, slots=True)
class FollowersOnFile:
    """The addresses that follow something."""

    followers: tuple[FollowerOnFile, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """An address that follows nothing more."""

    forgotten: bool


@dataclass(frozen=True, slots=True)
class FollowerPage:
    """The page behind the link in a mail, for the owner of the address."""

    token: str
    language: str
    confirmed: tuple[Followed, ...]
    waiting: tuple[Followed, ...]


def followed(connection: Connection, words: Words, kind: str, target: str, office: Office) -> Followed | None:
    """Return a player, a club or a list that can be followed; None if everybody may not see it."""
    target = target[:LONGEST_TARGET]
    if kind == PLAYER and target.isascii() and target.isdecimal():
        number = merge_targets(connection).get(int(target), int(target))
        person = None if number in hidden(connection) else load_people(connection, [number]).get(number)
        return Followed(kind, str(number), person.name, f"/players/{number}") if person else None
    if kind == CLUB:
        day = today(office, connection)
        unit = units_on(connection, day).get(target.upper())
        is_club = unit is not None and unit.kind == UnitKind.CLUB and unit.is_open(day)
        return Followed(kind, unit.code, unit.name, f"/clubs/{unit.code}") if unit and is_club else None
    if kind == LIST and kept_list(connection, target) is not None:
        name = words.text("follow.list", list=list_name(words, target))
        return Followed(kind, target, name, f"/lists/{target}")
    return None


# --------------------------------------------------------------------------------------------------- asking and ending


def ask_to_follow(office: Office, address: str, thing: Followed, *, language: str, network: str) -> None:
    """Send the mail that asks to confirm a follow; the same for every address, or none if there were too many.

    Only too many requests of one network are refused: that tells nothing about an address.
    """
    address = check_address(address).lower()
    moment = office.now()
    now, day_ago = utc(moment), utc(moment - kept_for("follow_requests"))
    keys = [f"to {_digest(address)}", f"from {_digest(network)}"]
    with office.store.unlogged_writing() as connection:
        to_address, from_network = rows.count_requests(connection, keys, now, day_ago)
        if from_network > REQUESTS_A_DAY:
            raise BadInput("follow-many")
        if to_address > MAILS_A_DAY:
            return
        follower = rows.follower_of_address(connection, address) or rows.add_follower(
            connection, address, language, secrets.token_urlsafe(24), now
        )
        if len(rows.follows_of(connection, follower.id)) < MOST_FOLLOWS:
            rows.add_follow(connection, follower.id, thing.kind, thing.target, now)
        queue_mail(
            connection, "follow-confirm", address, language=language, path=_page(follower),
            facts={"name": thing.name, "days": CONFIRM_DAYS}, end_path=_page(follower),
        )  # fmt: skip


def _digest(text: str) -> str:
    return sha256(f"arpad follow {text}".encode()).hexdigest()[:32]


def _page(follower: Follower) -> str:
    return f"/follow/{follower.token}"


def follower_page(office: Office, token: str, words: Words) -> FollowerPage | None:
    """Return what the address of a token follows; None if there is no such token."""
    with office.store.reading() as connection:
        follower = rows.follower_of_token(connection, token)
        if follower is None:
            return None
        of_address = rows.follows_of(connection, follower.id)
        things = [(it, followed(connection, words, it.kind, it.target, office)) for it in of_address]
    return FollowerPage(
        token,
        follower.language,
        tuple(thing for it, thing in things if thing is not None and it.confirmed),
        tuple(thing for it, thing in things if thing is not None and not it.confirmed),
    )


def change_follow(office: Office, token: str, verb: str, kind: str, target: str, language: str = "") -> bool:
    """Confirm or end a follow, or delete the address with everything; return whether the address still exists."""
    with office.store.unlogged_writing() as connection:
        follower = rows.follower_of_token(connection, token)
        if follower is None:
            return False
        if verb == "confirm":
            rows.confirm_follow(connection, follower.id, kind, target, utc(office.now()))
        elif verb == "end":
            rows.end_follow(connection, follower.id, kind, target)
        elif verb == "language":
            rows.set_language(connection, follower.id, language)
        else:
            rows.delete_follower(connection, follower)
            return False
    return True


@task("follower forget", ADMINISTRATOR, says="follow.forgotten")
def forget_follower(office: Office, address: Address) -> Forgotten:
    """Delete an address, everything it follows and every mail to it."""
    with office.store.unlogged_writing() as connection:
        follower = rows.follower_of_address(connection, address)
        if follower is None:
            raise BadInput("no-follower")
        rows.delete_follower(connection, follower)
    return Forgotten(forgotten=True)


@query(
    "follower list", ADMINISTRATOR, columns=("address", "confirmed", "unconfirmed"), path="/office/followers",
    says="follow.none",
)  # fmt: skip
def list_followers(reading: Reading) -> FollowersOnFile:
    """List the addresses with what each follows."""
    known = rows.all_followers(reading.connection)
    return FollowersOnFile(
        tuple(
            FollowerOnFile(
                it.address, it.language, it.made,
                tuple(
                    FollowOnFile(follow.kind, follow.target, follow.confirmed or None)
                    for follow in rows.follows_of(reading.connection, it.id)
                ),
            )
            for it in known
        )
    )  # fmt: skip


def forget_unconfirmed(office: Office) -> int:
    """Delete what was not confirmed within some days; return how many addresses were deleted."""
    before = utc(datetime.now(UTC) - timedelta(days=CONFIRM_DAYS))
    with office.store.unlogged_writing() as connection:
        return rows.forget_unconfirmed(connection, before)


# -------------------------------------------------------------------------------------------------------------- notices


def queue_notices(office: Office, publication: Publication) -> int:
    """Queue one mail about a list to each address that follows something it concerns; return how many."""
    with office.store.reading() as connection:
        following: dict[int, list[Follow]] = {}
        for follow in rows.confirmed_follows(connection):
            following.setdefault(follow.follower, []).append(follow)
        followers = {it.id: it for it in rows.all_followers(connection)}
        news = _News(connection, publication, [it for them in following.values() for it in them])
    kind = "follow-correction" if publication.corrects is not None else "follow-news"
    about = {"list": str(publication.list), "day": str(publication.day)}
    count = 0
    with office.store.unlogged_writing() as connection:
        for number, unsorted in following.items():
            them = sorted(unsorted, key=lambda follow: KINDS.index(follow.kind))
            follower = followers[number]
            words = load_words(follower.language, MINUS)
            lines = list(dict.fromkeys(line for follow in them for line in news.lines(words, follow)))
            if lines or any(news.is_about(follow) for follow in them):
                queue_mail(
                    connection, kind, follower.address, language=follower.language, facts=about, lines=lines,
                    path=f"/lists/{publication.name}", end_path=_page(follower),
                    key=f"news-{publication.id}-{follower.id}",
                )  # fmt: skip
                count += 1
    return count


class _News:
    """The news of one list for everything that somebody follows."""

    def __init__(self, connection: Connection, publication: Publication, follows: Sequence[Follow]) -> None:
        self._list = str(publication.list)
        self._merged = merge_targets(connection)
        self._units = units_on(connection, publication.day)
        players = {self._player(follow) for follow in follows if follow.kind == PLAYER}
        clubs = {follow.target for follow in follows if follow.kind == CLUB}
        self._members = {code: set(club_members(connection, code, publication)) for code in clubs}
        every = players.union(*self._members.values())
        self._changes: Mapping[int, RatingNews] = {
            change.player: change for change in rating_news(connection, publication, every)
        }

    def _player(self, follow: Follow) -> int:
        return self._merged.get(int(follow.target), int(follow.target))

    def is_about(self, follow: Follow) -> bool:
        """Return whether somebody follows the list itself."""
        return follow.kind == LIST and follow.target == self._list

    def lines(self, words: Words, follow: Follow) -> Iterator[str]:
        """Yield the lines of a mail about one thing that is followed."""
        if follow.kind == PLAYER and (change := self._changes.get(self._player(follow))) is not None:
            yield named_change(words, change)
        elif follow.kind == CLUB:
            unit = self._units.get(follow.target)
            members = self._members[follow.target]
            for change in (it for player, it in self._changes.items() if player in members):
                yield f"{unit.name if unit else follow.target} – {named_change(words, change)}"
