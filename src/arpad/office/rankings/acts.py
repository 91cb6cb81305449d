"""Rankings of the players of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from arpad.lists.canonical import parse_line
from arpad.model.age_groups import read_group
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.office.declared import Reading, query
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.in_force import list_on_day
from arpad.office.lists.line_rows import lines
from arpad.office.parameters import FederationCode, InForceOn, ListChosen
from arpad.office.rankings.selection import choose, ranked_players
from arpad.office.users import EVERYBODY

MOST_RANKED = 100_000
"""At most so many players of a ranking are answered."""


def _group_code(text: str, parameter: str) -> str:
    try:
        return read_group(text).code if text else ""
    except BadInput as error:
        raise BadInput(error.code, **{**error.facts, "option": parameter}) from None


def _upper(text: str, _parameter: str) -> str:
    return text.upper()


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
    listed = [(rank, parse_line(shown[player])) for rank, player in first]
    players = tuple(RankedPlayer(rank, it.player, it.name, it.rating) for rank, it in listed)
    return RankingOfList(**list_facts(publication), total=ranked.height, players=players)
