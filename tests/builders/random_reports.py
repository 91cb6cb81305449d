"""Made reports for the tests of sheets and PGN."""

import string
from dataclasses import replace
from datetime import date
from typing import Any

from hypothesis import strategies as st

from arpad.reports.report import Entrant, Header, Report, Round, Team


def core(report: Report) -> tuple[object, ...]:
    """What a report says, without where it says it."""
    entrants = tuple(replace(entrant, line=None) for entrant in report.entrants)
    return report.header, entrants, report.rounds, tuple(replace(team, line=None) for team in report.teams)


LETTERS = string.ascii_letters + string.digits + " ,.;:'\"=+-@/éèàößøłŠ½'\t日"
texts = st.text(LETTERS, max_size=12).map(lambda text: " ".join(text.split()))
days = st.dates(date(1930, 1, 1), date(2030, 12, 31))
births = st.one_of(st.none(), st.integers(1900, 2030), days)
counts = st.one_of(st.none(), st.integers(0, 999))


@st.composite
def entrants(draw: st.DrawFn, most: int = 6) -> tuple[Entrant, ...]:
    numbers = draw(st.lists(st.integers(1, 999), min_size=1, max_size=most, unique=True))
    return tuple(
        Entrant(
            number,
            draw(texts),
            draw(st.one_of(st.none(), st.integers(1, 3000))),
            draw(st.sampled_from(["", "m", "w"])),
            draw(texts),
            draw(texts),
            draw(texts),
            draw(births),
            draw(counts),
            draw(counts),
            draw(counts),
        )
        for number in numbers
    )


headers = st.builds(
    Header,
    name=texts,
    city=texts,
    federation=texts,
    first_day=st.one_of(st.none(), days),
    last_day=st.one_of(st.none(), days),
    players=counts,
    rated_players=counts,
    teams=counts,
    rounds=counts,
    kind=texts,
    coded_kind=texts,
    chief_arbiter=texts,
    deputies=st.lists(texts.filter(bool), max_size=2).map(tuple),
    time_control=texts,
    coded_time_control=texts,
    tie_breaks=texts,
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any report a TRF could give: cells need not agree with one another."""
    players = draw(entrants())
    size = len(players)
    cell: dict[str, Any] = {
        "opponents": st.lists(st.integers(0, 999), min_size=size, max_size=size).map(tuple),
        "colours": st.text("wb- ", min_size=size, max_size=size),
        "results": st.text("1=0+-WDLHFUZ *", min_size=size, max_size=size),
        "day": st.one_of(st.none(), days),
    }
    rounds = tuple(draw(st.lists(st.builds(Round, **cell), max_size=3)))
    members = st.lists(st.sampled_from([player.number for player in players]), max_size=3).map(tuple)
    numbers = st.one_of(st.none(), st.integers(0, 99))
    team = st.builds(Team, texts.filter(bool), members, numbers)
    return Report(draw(headers), players, rounds, teams=tuple(draw(st.lists(team, max_size=2))))


PAIRS = ["10", "01", "==", "+-", "-+", "--", "WL", "LW", "DD", "  "]


@st.composite
def paired_reports(draw: st.DrawFn, pairs: tuple[str, ...] = tuple(PAIRS), byes: str = "UHFZ ") -> Report:
    """A report whose cells agree, as a list of games can hold it."""
    players = draw(entrants())
    rounds = []
    for _ in range(draw(st.integers(1, 3))):
        order = draw(st.permutations(range(len(players))))
        opponents, colours, results = [0] * len(players), [" "] * len(players), [" "] * len(players)
        games = draw(st.integers(0, len(players) // 2))
        for game in range(games):
            white, black = order[2 * game], order[2 * game + 1]
            opponents[white], opponents[black] = players[black].number, players[white].number
            colours[white], colours[black] = "w", "b"
            results[white], results[black] = tuple(draw(st.sampled_from(pairs)))
        for place in order[2 * games :]:
            results[place] = draw(st.sampled_from(byes))
            colours[place] = " " if results[place] == " " else "-"
        rounds.append(
            Round(tuple(opponents), "".join(colours), "".join(results), draw(st.one_of(st.none(), days)))
        )
    return Report(draw(headers), players, tuple(rounds))
