"""The published lists, and rankings of the players of a list."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812  a field has the name of the type
from typing import Annotated

from arpad.lists.canonical import parse_head, parse_line
from arpad.lists.rankings import PAGE
from arpad.model.age_groups import read_group
from arpad.model.cursors import Cursor
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.declared import After, FederationCode, InForceOn, ListChosen, Reading, Size, query
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.history_rows import lines
from arpad.office.lists.in_force import list_on_day
from arpad.office.lists.published import asked_list, list_size, lists_in_force, shown_publications
from arpad.office.lists.rows import Publication
from arpad.office.rankings.selection import ListQuery, asked_ranking, choose, ranked_players
from arpad.office.users import EVERYBODY, Role, own_account

OF_BUNDLES = own_account(
    lambda _connection, user, _given: user.may(Role.OFFICER, "") or user.has(Role.ADMINISTRATOR),
    "bundle-for-members",
)
"""Whole bundles have the reports as they came, with days of birth: officers of all federations and administrators."""

MOST_RANKED = 100_000
"""At most so many players of a ranking are answered."""


def _group_code(text: str, parameter: str) -> str:
    try:
        return read_group(text).code if text else ""
    except BadInput as error:
        raise BadInput(error.code, **{**error.facts, "option": parameter}) from None


def _upper(text: str, _parameter: str) -> str:
    return text.upper()


ListAsked = Annotated[str, Accepts("standard", longest=60, word="list-asked")]
OnlyClub = Annotated[str, Accepts("MI1", longest=20, word="only-club", read=_upper)]
OnlyRegion = Annotated[str, Accepts("LOM", longest=20, word="only-region", read=_upper)]
OnlyGroup = Annotated[str, Accepts("u12", longest=20, word="only-group", read=_group_code)]
Cut = Annotated[str, Accepts("women", longest=20, word="cut")]
Most = Annotated[int, Accepts("100", high=MOST_RANKED, word="most-players")]


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player of a ranking; an inactive one has no rank."""

    rank: int | None
    player: int
    name: str
    rating: int | None


@dataclass(frozen=True, slots=True)
class RankingOfList(ListRevision):
    """The first players of a ranking of a list."""

    total: int
    players: tuple[RankedPlayer, ...]


@query("ranking", EVERYBODY, columns=("rank", "player", "name", "rating"), says="site.nobody-here")
def list_ranking(
    reading: Reading,
    list_: ListChosen,
    *,
    club: OnlyClub = "",
    region: OnlyRegion = "",
    group: OnlyGroup = "",
    federation: FederationCode = "",
    cut: Cut = "all",
    date_: InForceOn | None = None,
    most: Most = 100,
) -> RankingOfList:
    """Rank the players of a list by club, region or age.

    The members are those of the list's day.
    """
    connection = reading.connection
    publication = list_on_day(connection, list_, date_ or reading.today)
    selection = choose(
        connection, publication.day, cut=cut, federation=federation, club=club, region=region, group=group
    )
    ranked = ranked_players(connection, publication, selection)
    first = ranked.head(most).select("rank", "player").rows()
    shown = lines(connection, publication.id, [player for _, player in first])
    listed = [(rank, parse_line(shown[player], own=publication.list.is_own)) for rank, player in first]
    players = tuple(RankedPlayer(rank, it.player, it.name, it.rating) for rank, it in listed)
    return RankingOfList(**list_facts(publication), total=ranked.height, players=players)


@dataclass(frozen=True, slots=True)
class PublishedList:
    """One revision of one published list."""

    name: str
    list: ListName
    day: Day
    revision: int
    edition: str
    digest: str
    players: int
    in_force: bool
    corrects: str | None


@dataclass(frozen=True, slots=True)
class PublishedLists:
    """A page of the published lists, by name, day and revision."""

    lists: tuple[PublishedList, ...]
    next: str
    more: bool


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of a ranking; a player who asked not to be shown has no id and no name; an inactive one no rank."""

    rank: int | None
    id: int | None
    name: str
    federation: str
    title: str
    category: str
    rating: int | None
    games: int
    k: int | None
    born: int | None
    inactive: bool
    printed: str
    """The rating with its marks on the list of a rating system, as 1500 ± 60; else empty."""

    columns: Mapping[str, str]
    """The system's own columns, as index, deviation and floor."""

    change: int | None
    """Since the list before, on the list of a rating system."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list."""

    list: PublishedList
    cut: str
    total: int
    rows: tuple[ListRow, ...]
    next: str
    more: bool


@query(
    "list lists", EVERYBODY, columns=("name", "list", "day", "revision", "edition", "players"), path="/lists"
)
def list_lists(
    reading: Reading, *, list_: ListChosen | None = None, after: After = None, size: Size = 200
) -> PublishedLists:
    """Show every published list, corrections included."""
    shown = _shown_lists(reading, shown_publications(reading.connection))
    chosen = [(publication.id, it) for publication, it in shown.items() if list_ is None or it.list == list_]
    first = 0
    if after is not None:
        places = [place for place, (number, _) in enumerate(chosen, start=1) if number == after.item]
        if not places:
            raise BadInput("bad-cursor", option="after", given=str(after))
        first = places[0]
    on_page = chosen[first : first + size]
    following = str(Cursor(on_page[-1][0])) if on_page else str(after or "")
    return PublishedLists(tuple(it for _, it in on_page), following, first + size < len(chosen))


def _shown_lists(reading: Reading, publications: Iterable[Publication]) -> dict[Publication, PublishedList]:
    """Return lists as everybody sees them."""
    by_id = {it.id: it for it in shown_publications(reading.connection)}
    current = lists_in_force(reading.office, reading.connection)
    return {
        it: PublishedList(
            it.name, it.list, it.day, it.revision, it.edition, it.digest, list_size(it), current.get(it.list) == it,
            by_id[it.corrects].name if it.corrects in by_id else None,
        )
        for it in publications
    }  # fmt: skip


@query("get list", EVERYBODY, columns=("rank", "id", "name", "rating"), path="/lists/{name}")
def get_list(
    reading: Reading,
    name: ListAsked,
    *,
    cut: Cut = "",
    federation: FederationCode = "",
    club: OnlyClub = "",
    region: OnlyRegion = "",
    group: OnlyGroup = "",
    after: After = None,
    size: Size = PAGE,
) -> ListPage:
    """Show a page of a list: the active, all, women, juniors, seniors, a federation, a club, a region, an age group.

    A list that was taken back answers 410 and says when and why. The cursor names the list and the rows that were
    read, so that all pages are of one list while a new one is published.
    """
    connection = reading.connection
    publication = asked_list(reading.office, connection, name)
    if after is not None and after.item != publication.id:
        same = [it for it in shown_publications(connection, publication.list) if it.id == after.item]
        if not same:
            raise BadInput("bad-cursor", option="after", given=str(after))
        publication = same[0]
    asked = ListQuery.of(
        {"cut": cut, "federation": federation, "club": club, "region": region, "group": group}
    )
    read = after.part if after is not None else 0
    ranking = asked_ranking(connection, publication, asked, read // PAGE + 1)
    within = ranking.rows[read % PAGE :][:size] if read < ranking.total else ()
    columns = parse_head(publication.head).columns
    rows = tuple(
        ListRow(
            it.rank, it.player or None, it.name, it.federation, it.title, it.category, it.rating, it.games, it.k,
            it.born, it.inactive, it.printed, dict(zip(columns, it.own, strict=False)), it.change,
        )
        for it in within
    )  # fmt: skip
    read = min(read + len(rows), ranking.total)
    (shown,) = _shown_lists(reading, [publication]).values()
    return ListPage(
        shown, asked.key, ranking.total, rows, str(Cursor(publication.id, read)), read < ranking.total
    )
