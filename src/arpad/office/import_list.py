"""Taking over a list that somebody else published: the office starts from it.

A million rows pass through in batches; the register gets everybody, the list those with a rating. What the list cannot
tell is read from its K where the K can tell it (``period.listed_k``, reading 6): 10 has reached 2400, the newcomers' K
has its first games still to play.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection

from arpad.lists.canonical import head_and_lines, head_with_count, is_canonical
from arpad.lists.listed_k import imported_standing
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rating_lookup import read_list_rows
from arpad.lists.standings import EMPTY_STATE, StandingRow, list_digest, standings_digest
from arpad.model.chess import Standing
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput, Unreadable
from arpad.model.json_values import from_birth, from_standing
from arpad.model.people import Birth, Person, birth_year
from arpad.model.rules import ListName
from arpad.office.editions import edition_on
from arpad.office.import_draughts_list import take_draughts
from arpad.office.office import ActContext, Office, record_act
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.formats.lists.fide_list import ListRow
from arpad.store import lists, register
from arpad.store.lists import IMPORTED, Publication
from arpad.store.name_index import spelled
from arpad.store.rankings import add_rankings
from arpad.system.batches import batches

Progress = Callable[[int], None]
_HEAD = 4096
_HIGHEST = 1 << 31
"""No number of the register is as high."""


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

    undated: int = 0
    """Draughts: players of whom nobody has said when they last played."""


def import_list(
    office: Office,
    path: Path,
    on_list: ListName,
    day: date,
    *,
    progress: Progress | None = None,
    reason: str = "",
    last_event: date | None = None,
) -> Imported:
    """Take over a list: FIDE's text or XML, a CSV, or a canonical text; for draughts a CSV of capitals (7.23b).

    ``last_event`` states, once for all, when the players of a draughts list last played, where the list does not.
    """
    if last_event is not None and not discipline_of(on_list).by_season:
        raise BadInput("last-event-draughts-only", list=str(on_list))
    digest = _file_digest(path)
    with record_act(office, "import-list", reason) as doing:
        before = _refuse_other(doing.connection, on_list, day, digest)
        if before is not None:
            return Imported(before.id, 0, 0, 0, again=True)
        tell = progress or (lambda _: None)
        if discipline_of(on_list).by_season:
            found = _take_draughts(doing, path, on_list, day, digest, tell, last_event)
        else:
            found = _take_chess(doing, path, on_list, day, digest, tell)
        stated = {"last_event": str(last_event)} if last_event is not None else {}
        doing.record(
            list=str(on_list), day=str(day), file=path.name, sha256=digest, publication=found.publication,
            rows=found.rows, newcomers=found.newcomers, **stated,
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
    doing: ActContext, path: Path, on_list: ListName, day: date, digest: str, progress: Progress
) -> Imported:
    edition = edition_on(doing.connection, on_list, day)
    rules = edition.on(on_list)
    _refuse_another(path, on_list, day)
    connection = doing.connection
    publication = lists.next_publication(connection)
    arrivals = _Arrivals(connection, register.next_player(connection))
    count, changed = 0, 0
    for batch in batches(read_list_rows(path)):
        rows = [row for row, _ in batch]
        who, newcomers = arrivals.place(rows)
        register.add_people(connection, newcomers, doing.seq)
        fresh = {person.id for person in newcomers}
        old = [(player, row) for player, row in zip(who, rows, strict=True) if player not in fresh]
        changed += _update(connection, old, day, doing.seq)
        lists.add_standings(connection, publication, _chess_rows(batch, who, on_list, day, edition.id, rules))
        count += len(batch)
        progress(count)
    _enter(doing, publication, on_list, day, edition.id, digest)
    return Imported(publication, count, arrivals.newcomers, changed)


def _refuse_another(path: Path, on_list: ListName, day: date) -> None:
    """Refuse the canonical text of another list than the one that is named."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if is_canonical(head):
        fields = dict(
            line.split("\t", 1) for line in head.decode("utf-8", "replace").split("\n") if "\t" in line
        )
        if (fields.get("list"), fields.get("date")) != (str(on_list), str(day)):
            raise BadInput(
                "list-of-another", list=str(on_list), day=day, found=fields.get("list", ""), of=fields.get("date", "")
            )  # fmt: skip


class _Arrivals:
    """Whose rows these are: players whom the register knows by a number, and newcomers."""

    def __init__(self, connection: Connection, first_new: int) -> None:
        self.connection = connection
        self.next_new = first_new
        self.newcomers = 0
        self._seen: set[tuple[str, str]] = set()

    def place(self, rows: Sequence[ListRow]) -> tuple[list[int], list[Person]]:
        """Return the player of each row, and the persons who are new to the register."""
        wanted: dict[str, set[str]] = {}
        for row in rows:
            self._refuse_twice(row)
            for scheme, value in row.numbers:
                wanted.setdefault(scheme, set()).add(value)
        known = {
            scheme: register.by_identifier(self.connection, scheme, values)
            for scheme, values in wanted.items()
        }
        numbered = register.load_people(
            self.connection, {row.number for row in rows if row.number is not None and row.number < _HIGHEST}
        )
        who: list[int] = []
        fresh: dict[int, Person] = {}
        for row in rows:
            player = next((known[s][value] for s, value in row.numbers if value in known[s]), None)
            if player is None and row.number is not None and row.number in numbered:
                player = row.number if _same_person(row, numbered[row.number]) else None
            if player is None:
                player = self._number_for(row, numbered, fresh)
                fresh[player] = _person(row, player)
            who.append(player)
        self.newcomers += len(fresh)
        return who, list(fresh.values())

    def _refuse_twice(self, row: ListRow) -> None:
        keys = set(row.numbers) or {("", str(row.id))}
        if row.number is not None:
            keys.add(("", str(row.number)))
        if keys & self._seen:
            raise BadInput("player-listed-twice", player=f"{row.name} ({row.id})")
        self._seen |= keys

    def _number_for(self, row: ListRow, numbered: Container[int], fresh: Container[int]) -> int:
        """Return the number that the list gives a newcomer, if nobody has it here; otherwise the next one."""
        number = row.number
        if number is None or number >= _HIGHEST or number in numbered or number in fresh:
            number = self.next_new
        self.next_new = max(self.next_new, number + 1)
        return number


def _same_person(row: ListRow, person: Person) -> bool:
    """Whether a row of a list with our own numbers is about the player who has its number here."""
    other = {scheme for scheme, _ in row.numbers} & {scheme for scheme, _ in person.identifiers}
    return not other and spelled(row.name) == spelled(person.name)


def _person(row: ListRow, number: int) -> Person:
    return Person(
        number, row.name.strip() or str(row.id), row.federation, row.sex, row.born, row.title, row.women_title,
        row.other_titles, identifiers=row.numbers,
    )  # fmt: skip


def _update(connection: Connection, old: Sequence[tuple[int, ListRow]], day: date, act: int) -> int:
    """Where a list says something new of a player, that is a fact since its day; blanks say nothing."""
    have = register.load_people(connection, [player for player, _ in old])
    found: list[tuple[int, str, str, date]] = []
    numbers: list[tuple[str, str, int]] = []
    for player, row in old:
        person, listed = have[player], _person(row, player)
        found += [
            (player, field, getattr(listed, field), day)
            for field in ("name", "federation", "sex", "title", "women_title", "other_titles")
            if getattr(listed, field) and getattr(listed, field) != getattr(person, field)
        ]
        if listed.born and says_more(listed.born, person.born):
            found.append((player, "born", from_birth(listed.born), day))
        bodies = {scheme for scheme, _ in person.identifiers}
        numbers += [(scheme, value, player) for scheme, value in row.numbers if scheme not in bodies]
    register.add_facts(connection, found, act)
    register.add_identifiers(connection, numbers, act)
    return len({player for player, *_ in found})


def says_more(listed: Birth, known: Birth) -> bool:
    """Whether a listed birth is news: another one, and not merely the year of a day that is known."""
    return listed != known and not (isinstance(known, date) and listed == known.year)


def _chess_rows(
    batch: Sequence[tuple[ListRow, bool]],
    who: Sequence[int],
    on_list: ListName,
    day: date,
    edition: str,
    rules: ChessRules,
) -> Iterator[StandingRow]:
    """Yield a row for each rated player; of a list of our own also the titled unrated and the delisted."""
    listed: list[ListedPlayer] = []
    states: dict[int, Standing] = {}
    for player, (row, combined) in zip(who, batch, strict=True):
        rating, games, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
        if rating is not None:
            states[player] = imported_standing(player, rating, k, row.born, day, rules, inactive=row.inactive)
        elif row.identifiers is None:
            continue
        person = _person(row, player)
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
                delisted=row.delisted,
                identifiers=person.identifiers,
            )
        )
    _, lines = head_and_lines(PublishedList(on_list, day, 1, edition, tuple(listed)))
    for line in lines:
        player = int(line.split("\t", 1)[0])
        if player in states:
            yield StandingRow(player, states[player].rating, from_standing(states[player]), line)
        else:
            yield StandingRow(player, None, EMPTY_STATE, line)


# --------------------------------------------------------------------------------------------------- draughts


def _take_draughts(
    doing: ActContext,
    path: Path,
    on_list: ListName,
    day: date,
    digest: str,
    progress: Progress,
    last_event: date | None,
) -> Imported:
    taken = take_draughts(doing, path, on_list, day, progress, last_event)
    _enter(doing, taken.publication, on_list, day, taken.edition, digest)
    return Imported(taken.publication, taken.rows, taken.newcomers, taken.changed, undated=taken.undated)


# --------------------------------------------------------------------------------------------------- the row


def _enter(
    doing: ActContext, publication: int, on_list: ListName, day: date, edition: str, digest: str
) -> None:
    """The list's own row, once everybody's is there."""
    connection = doing.connection
    before = [p for p in lists.all_publications(connection, on_list) if p.day < day]
    empty = PublishedList(
        on_list, day, max((p.number for p in before), default=0) + 1, edition, (),
        lists.next_revision(connection, on_list, day),
        previous=before[-1].digest if before else "",
    )  # fmt: skip
    head, _ = head_and_lines(empty)
    head = head_with_count(head, lists.count_lines(connection, publication))
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
            list_digest(head, _lines(connection, publication)),
            standings_digest(rows),
            digest,
            "{}",
            doing.today,
            None,
            None,
            doing.seq,
        ),
    )
    add_rankings(connection, publication)


def _lines(connection: Connection, publication: int) -> Iterator[str]:
    """Yield the lines one after the other: a million of them are not all in memory."""
    return (row.line for row, _ in lists.standing_rows(connection, publication) if row.line is not None)
