"""A draughts list as CSV, written and read back: every column of a published list, and of a list of capitals."""

from datetime import date
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from arpad.lists.published import ListedPlayer, PublishedList
from arpad.model.draughts import Category, DraughtsState, Title
from arpad.model.rules import ListName
from arpad.publishing.files import list_files
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests.builders.published_lists import table_of_list

NAMES = st.text(min_size=1, max_size=30).filter(
    lambda t: t.isprintable() and t == t.strip() and t.strip("' ")
)
"""What the register accepts as a name."""

NUMBERS = st.text("0123456789ABCabc-/.", min_size=1, max_size=10).filter(lambda t: t == t.strip())
DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))


@st.composite
def listed(draw: st.DrawFn, player: int) -> ListedPlayer:
    schemes = draw(st.sets(st.sampled_from(["fid", "fide", "fmjd", "fsi"])))
    return ListedPlayer(
        player,
        draw(NAMES),
        draw(st.sampled_from(["", "ITA", "FRA", "NED"])),
        draw(st.sampled_from(["", "M", "F"])),
        str(draw(st.sampled_from(["", *Title]))),
        category=str(draw(st.sampled_from(list(Category)))),
        rating=draw(st.integers(100, 9_999)),
        games=draw(st.integers(0, 400)),
        born=draw(st.none() | st.integers(1900, 2020)),
        delisted=draw(st.booleans()),
        identifiers=tuple(sorted((scheme, draw(NUMBERS)) for scheme in schemes)),
    )


@st.composite
def published(draw: st.DrawFn) -> PublishedList:
    players = draw(st.lists(st.integers(1, 2_000_000), min_size=1, max_size=4, unique=True))
    rows = tuple(draw(listed(player)) for player in players)
    return PublishedList(ListName.ITALIANA, date(2024, 12, 31), 1, "rubele-2021", rows=rows)


@given(published())
def test_a_published_list_reads_back_whole(made: PublishedList) -> None:
    (file,) = list_files(table_of_list(made), ("csv",))
    stream = BytesIO()
    file.write(stream)
    back = capitals.read_rows(stream.getvalue())
    assert made.rows == tuple(
        ListedPlayer(
            row.number or 0,
            row.standing.name,
            row.federation,
            row.sex,
            title=str(row.standing.title or ""),
            category=str(row.standing.category),
            rating=row.standing.capital,
            games=row.games,
            born=row.born,
            delisted=row.delisted,
            identifiers=row.identifiers,
        )
        for row in back
    )
    # the number by which reports know a player is the federation's, never the register's
    assert [row.standing.id for row in back] == [row.identifier("fid") for row in made.rows]
    assert not any(row.standing.history_known for row in back)


@st.composite
def standing(draw: st.DrawFn) -> DraughtsState:
    known = draw(st.booleans())
    return DraughtsState(
        draw(NAMES),
        draw(st.none() | st.integers(100, 9_999)),
        draw(st.sampled_from(list(Category))),
        draw(st.just("") | NUMBERS),
        draw(st.sampled_from([None, *Title])),
        foreign=draw(st.booleans()),
        last_event=draw(st.none() | DAYS) if known else None,
        history_known=known,
        idle_years=draw(st.integers(0, 20)),
        malus=draw(st.integers(0, 450)),
        fmjd=draw(st.none() | st.integers(1, 2_500)),
    )


@given(st.lists(standing(), min_size=1, max_size=8))
def test_a_list_of_capitals_reads_back_whole(made: list[DraughtsState]) -> None:
    """An unknown last event stays unknown; it does not mean that the player never played."""
    assert capitals.read(capitals.write(made)) == tuple(made)
