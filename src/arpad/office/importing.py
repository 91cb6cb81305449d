"""Taking over a list that somebody else published: the office starts from it.

A million rows pass through in batches; the register gets everybody, the list those with a rating. What the list cannot
tell is assumed from its K (reading 6): 10 has reached 2400, the newcomers' K has its first games still to play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection

from arpad.errors import BadInput, Unreadable
from arpad.formats import capitals as capital_lists
from arpad.formats.fide_list import ListRow
from arpad.model import Birth, ListName, birth_year
from arpad.office.desk import Acting, Office, acting
from arpad.office.editions import edition_on
from arpad.office.lists import canonical_parts, with_count
from arpad.published import DRAUGHTS, ListedPlayer, PublishedList
from arpad.ratings import list_rows
from arpad.rules import ChessRules
from arpad.standing import Standing
from arpad.store import lists, register
from arpad.store.lists import IMPORTED, Publication, StandingRow
from arpad.store.many import batches
from arpad.store.rankings import add_rankings
from arpad.store.register import Person
from arpad.store.schema import players
from arpad.store.values import from_birth, from_capital, from_standing

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought."""

    publication: int
    rows: int
    newcomers: int
    """Players the register did not know."""

    changed: int
    """Players of whom the list says something else than the register did."""

    again: bool = False
    """The same file had been imported before: nothing was done."""


def import_list(
    office: Office,
    path: Path,
    on_list: ListName,
    day: date,
    *,
    progress: Progress | None = None,
    reason: str = "",
) -> Imported:
    """Take over a list: FIDE's text or XML, or CSV; for draughts a CSV of capitals."""
    digest = _file_digest(path)
    with acting(office, "import-list", reason) as doing:
        before = _refuse_other(doing.connection, on_list, day, digest)
        if before is not None:
            return Imported(before.id, 0, 0, 0, again=True)
        take = _take_draughts if on_list in DRAUGHTS else _take_chess
        found = take(doing, path, on_list, day, digest, progress or (lambda _: None))
        doing.record(
            list=str(on_list), day=str(day), file=path.name, sha256=digest, publication=found.publication,
            rows=found.rows, newcomers=found.newcomers,
        )  # fmt: skip
    return found


def _file_digest(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    return digest.hexdigest()


def _refuse_other(connection: Connection, on_list: ListName, day: date, digest: str) -> Publication | None:
    """The import of the very same file, if there was one; another list of that day, or a later one, is refused."""
    for before in lists.all_publications(connection, on_list):
        if before.day == day and before.kind == IMPORTED and before.inputs_digest == digest:
            return before
        if before.day >= day:
            raise BadInput("list-there", list=str(on_list), day=before.day, revision=before.revision)
    return None


# ------------------------------------------------------------------------------------------------------ chess


def _take_chess(
    doing: Acting, path: Path, on_list: ListName, day: date, digest: str, progress: Progress
) -> Imported:
    edition = edition_on(doing.connection, on_list, day)
    rules = edition.on(on_list)
    connection = doing.connection
    publication = lists.next_publication(connection)
    first_new = register.next_id(connection, players)
    next_new, count, changed = first_new, 0, 0
    seen: set[int] = set()
    for batch in batches(list_rows(path)):
        for row, _ in batch:
            if row.id in seen:
                raise BadInput("player-listed-twice", player=f"{row.name} ({row.id})")
            seen.add(row.id)
        known = register.by_identifier(connection, "fide", [str(row.id) for row, _ in batch])
        newcomers = []
        for row, _ in batch:
            if str(row.id) not in known:
                known[str(row.id)] = next_new
                newcomers.append(_person(row, next_new))
                next_new += 1
        register.add_people(connection, newcomers, doing.seq)
        old = [(known[str(row.id)], row) for row, _ in batch if known[str(row.id)] < first_new]
        changed += _update(connection, old, day, doing.seq)
        lists.add_standings(
            connection, publication, _chess_rows(batch, known, on_list, day, edition.id, rules)
        )
        count += len(batch)
        progress(count)
    _enter(doing, publication, on_list, day, edition.id, digest)
    return Imported(publication, count, next_new - first_new, changed)


def _person(row: ListRow, number: int) -> Person:
    return Person(
        number, row.name.strip() or str(row.id), row.federation, row.sex, row.born, row.title, row.women_title,
        row.other_titles, identifiers=(("fide", str(row.id)),),
    )  # fmt: skip


def _update(connection: Connection, old: Sequence[tuple[int, ListRow]], day: date, act: int) -> int:
    """Where a list says something new of a player, that is a fact since its day; blanks say nothing."""
    have = register.people(connection, [player for player, _ in old])
    found: list[tuple[int, str, str, date]] = []
    for player, row in old:
        person, listed = have[player], _person(row, player)
        found += [
            (player, field, getattr(listed, field), day)
            for field in ("name", "federation", "sex", "title", "women_title", "other_titles")
            if getattr(listed, field) and getattr(listed, field) != getattr(person, field)
        ]
        if listed.born and says_more(listed.born, person.born):
            found.append((player, "born", from_birth(listed.born), day))
    register.add_facts(connection, found, act)
    return len({player for player, *_ in found})


def says_more(listed: Birth, known: Birth) -> bool:
    """Whether a listed birth is news: another one, and not merely the year of a day that is known."""
    return listed != known and not (isinstance(known, date) and listed == known.year)


def _chess_rows(
    batch: Sequence[tuple[ListRow, bool]],
    known: dict[str, int],
    on_list: ListName,
    day: date,
    edition: str,
    rules: ChessRules,
) -> Iterator[StandingRow]:
    listed: list[ListedPlayer] = []
    states: dict[int, Standing] = {}
    for row, combined in batch:
        rating, games, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
        if rating is None:
            continue
        player = known[str(row.id)]
        person = _person(row, player)
        states[player] = _seeded(player, rating, k, row, day, rules)
        listed.append(
            ListedPlayer(
                player,
                person.name,
                person.federation,
                person.sex,
                person.title,
                person.women_title,
                person.other_titles,
                rating=rating,
                games=games or 0,
                k=k,
                born=birth_year(row.born),
                inactive=row.inactive,
                identifiers=person.identifiers,
            )
        )
    _, lines = canonical_parts(PublishedList(on_list, day, 1, edition, tuple(listed)))
    for line in lines:
        player = int(line.split("\t", 1)[0])
        yield StandingRow(player, states[player].rating, from_standing(states[player]), line)


def _seeded(player: int, rating: int, k: int | None, row: ListRow, day: date, rules: ChessRules) -> Standing:
    junior = bool(
        rules.k_junior_until
        and rules.k_junior_below
        and rating < rules.k_junior_below.value
        and rules.k_junior_until.value(row.born, day)
    )
    new = k == rules.k_new.value and not junior
    peak = max(rating, rules.k_top_from.value) if k == rules.k_top.value else rating
    return Standing(
        player,
        rating=rating,
        games=0 if new else rules.k_new_games.value,
        peak=peak,
        k=k,
        last_list=None if row.inactive else day,
        inactive=row.inactive,
    )


# --------------------------------------------------------------------------------------------------- draughts


def _take_draughts(
    doing: Acting, path: Path, on_list: ListName, day: date, digest: str, progress: Progress
) -> Imported:
    from arpad.capitals import Category
    from arpad.draughts.categories import base_capital

    edition = edition_on(doing.connection, on_list, day)
    rules = edition.on(on_list)
    begins = {base_capital(category, rules): category for category in Category}
    found = capital_lists.read(path.read_bytes(), begins)
    connection = doing.connection
    publication = lists.next_publication(connection)
    first_new = next_new = register.next_id(connection, players)
    known = register.by_identifier(connection, "fid", [entry.id for entry in found if entry.id])
    newcomers: list[Person] = []
    listed: list[ListedPlayer] = []
    states: dict[int, str] = {}
    ratings: dict[int, int | None] = {}
    for entry in found:
        player = known.get(entry.id) if entry.id else _only_one(connection, entry.name)
        if player is None:
            player, next_new = next_new, next_new + 1
            numbers = (("fid", entry.id),) if entry.id else ()
            newcomers.append(Person(player, entry.name, identifiers=numbers))
        if player in states:
            raise BadInput("player-listed-twice", player=entry.name)
        states[player] = from_capital(replace(entry, id=str(player)))
        ratings[player] = entry.capital
        listed.append(
            ListedPlayer(
                player,
                entry.name,
                title=str(entry.title or ""),
                category=entry.category,
                rating=entry.capital,
                identifiers=(("fid", entry.id),) if entry.id else (),
            )
        )
    register.add_people(connection, newcomers, doing.seq)
    _, lines = canonical_parts(PublishedList(on_list, day, 1, edition.id, tuple(listed)))
    by_player = {int(line.split("\t", 1)[0]): line for line in lines}
    lists.add_standings(
        connection,
        publication,
        (
            StandingRow(player, ratings[player], states[player], by_player[player])
            for player in sorted(states)
        ),
    )
    progress(len(found))
    _enter(doing, publication, on_list, day, edition.id, digest)
    return Imported(publication, len(found), next_new - first_new, 0)


def _only_one(connection: Connection, name: str) -> int | None:
    same = register.same_name(connection, name)
    return same[0].id if len(same) == 1 else None


# --------------------------------------------------------------------------------------------------- the row


def _enter(doing: Acting, publication: int, on_list: ListName, day: date, edition: str, digest: str) -> None:
    """The list's own row, once everybody's is there."""
    connection = doing.connection
    before = [p for p in lists.all_publications(connection, on_list) if p.day < day]
    empty = PublishedList(
        on_list, day, max((p.number for p in before), default=0) + 1, edition, (),
        lists.next_revision(connection, on_list, day),
        previous=before[-1].digest if before else "",
    )  # fmt: skip
    head, _ = canonical_parts(empty)
    head = with_count(head, sum(1 for _ in lists.lines(connection, publication)))
    rows: Iterable[tuple[int, str]] = (
        (row.player, row.state) for row, _ in lists.standing_rows(connection, publication)
    )
    lists.add_publication(
        connection,
        Publication(
            publication,
            on_list,
            day,
            empty.revision,
            empty.number,
            IMPORTED,
            edition,
            head,
            lists.list_digest(head, lists.lines(connection, publication)),
            lists.standings_digest(rows),
            digest,
            "{}",
            doing.today,
            None,
            None,
            doing.seq,
        ),
    )
    add_rankings(connection, publication)
