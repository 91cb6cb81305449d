"""The tournaments of a year, and how each is played: opens, closed events, a league, a match, draughts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from arpad.demo import pairing as play
from arpad.demo.dice import Dice
from arpad.demo.events import DemoEvent
from arpad.demo.people import CLUBS, TOWNS, DemoPerson
from arpad.model.rules import ListName
from arpad.reports.event_facts import EventFacts

ARBITERS = ("IA Rinaldi, Carla", "FA Sforza, Tito", "FA Molinari, Egle", "IA Pancaldi, Oreste")
_DRAUGHTS_DRAWS, _DRAUGHTS_SCALE = 480, 6
_NOTICE = 40
"""Days before the first one on which an event is registered."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A tournament of the yearly calendar."""

    key: str
    on_list: ListName
    kind: str
    name: str
    month: int
    day: int
    rounds: int
    players: int
    field: str = "open"
    """The field: ``open``, ``juniors``, ``closed`` (with newcomers), ``best``."""

    each_day: int = 2
    """Rounds a day; 0 for one a week."""

    late: int = 2
    """Days after the last round until the report comes in."""

    slip: str = ""
    """``sent-back``, ``corrected``, ``corrected-later``: what goes wrong with it in the second year."""

    format: str = "trf16"


_S, _R, _B = ListName.STANDARD, ListName.RAPID, ListName.BLITZ
_I, _G = ListName.ITALIANA, ListName.INTERNAZIONALE
CALENDAR = (
    Planned("befana", _S, "swiss", "Open della Befana", 1, 3, 7, 39),
    Planned("squadre", _S, "league", "Campionato a squadre", 2, 4, 5, 30, each_day=0),
    Planned("carnevale", _B, "swiss", "Lampo di Carnevale", 2, 19, 9, 25, each_day=9),
    Planned("damiera", _I, "swiss", "Trofeo della Damiera", 2, 25, 7, 17, each_day=4),
    Planned("primavera", _R, "swiss", "Rapid di Primavera", 3, 19, 7, 33, each_day=7, slip="corrected-later"),
    Planned("cento-caselle", _G, "swiss", "Gran Premio delle cento caselle", 3, 25, 7, 15, each_day=4),
    Planned("liberazione", _S, "swiss", "Festival di aprile", 4, 22, 7, 41),
    Planned(
        "chiuso", _S, "round-robin", "Torneo chiuso di qualificazione", 5, 13, 9, 10, "closed", each_day=1
    ),
    Planned("maggio", _I, "round-robin", "Girone di maggio", 5, 27, 9, 10, each_day=5, format="crosstable"),
    Planned("sfida", _S, "match", "Sfida fra i campioni", 6, 3, 6, 2, "best", each_day=1),
    Planned("solstizio", _R, "swiss", "Rapid del solstizio", 6, 18, 7, 29, each_day=7),
    Planned("lago", _S, "swiss", "Open internazionale del Lago", 7, 8, 9, 51, each_day=1, slip="corrected"),
    Planned("ferragosto", _B, "swiss", "Lampo di Ferragosto", 8, 13, 9, 27, each_day=9),
    Planned("giovani", _S, "swiss", "Torneo dei giovani", 9, 9, 5, 19, "juniors", late=66),
    Planned("equinozio", _G, "swiss", "Trofeo dell’Equinozio", 9, 23, 7, 16, each_day=4),
    Planned("vendemmia", _R, "swiss", "Rapid della vendemmia", 10, 15, 7, 31, each_day=7, slip="sent-back"),
    Planned("ognissanti", _S, "swiss", "Open di Ognissanti", 10, 28, 7, 37),
    Planned("castagne", _I, "swiss", "Coppa delle castagne", 11, 18, 7, 18, each_day=4),
    Planned("campionato", _S, "round-robin", "Campionato sociale", 12, 2, 9, 10, "best", each_day=1),
    Planned("natale", _B, "swiss", "Lampo di Natale", 12, 17, 9, 31, each_day=9),
)


def played(
    planned: Planned, year: int, people: Mapping[int, DemoPerson], seed: str, begin: date
) -> DemoEvent:
    """Return what became of a planned event in a year."""
    dice = Dice(seed, planned.key, year)
    days = _days(planned, year)
    month = (year - begin.year) * 12 + planned.month - begin.month
    draughts = planned.on_list in (_I, _G)
    strengths = {
        person.key: person.draughts if draughts else person.on(days[0], begin)
        for person in people.values()
        if person.plays(month) and (person.draughts if draughts else person.strength)
    }
    players = _field(planned, dice, people, strengths, year)
    table = (
        play.TournamentTable(strengths, dice, _DRAUGHTS_DRAWS, _DRAUGHTS_SCALE)
        if draughts
        else play.TournamentTable(strengths, dice)
    )
    teams = _teams(dice, players, strengths) if planned.kind == "league" else ()
    if planned.kind == "league":
        play.league(table, [members for _, members in teams])
        players = [key for _, members in teams for key in members]
    elif planned.kind == "round-robin":
        play.round_robin(table, dice.shuffled(players))
    elif planned.kind == "match":
        play.match(table, players[0], players[1], planned.rounds)
    else:
        play.swiss(table, players, planned.rounds)
    days = days[: len(table.rounds)]  # fewer players than planned play fewer rounds against everybody
    return DemoEvent(
        key=f"{year}-{planned.key}",
        on_list=planned.on_list,
        name=f"{planned.name} {year}",
        city=dice.pick(TOWNS),
        kind=planned.kind,
        days=days,
        players=tuple(players),
        rounds=tuple(table.rounds),
        teams=teams,
        arbiter=dice.pick(ARBITERS),
        format=planned.format,
        facts=_facts(planned, days),
    )


def _days(planned: Planned, year: int) -> tuple[date, ...]:
    first = date(year, planned.month, planned.day)
    each = planned.each_day
    steps = (7 * number if each == 0 else number // each for number in range(planned.rounds))
    return tuple(first + timedelta(days=step) for step in steps)


def _facts(planned: Planned, days: Sequence[date]) -> EventFacts:
    """Return what the office knows of an event in addition to its report."""
    return EventFacts(
        registered=days[0] - timedelta(days=_NOTICE),
        received=days[-1] + timedelta(days=planned.late),
        list=planned.on_list,
        official=False,
        league=planned.kind == "league",
        norms=False,
        licensed_arbiters=True,
        deviations=False,
        match_games=planned.rounds if planned.kind == "match" else None,
    )


def _field(
    planned: Planned, dice: Dice, people: Mapping[int, DemoPerson], strengths: Mapping[int, int], year: int
) -> list[int]:
    """Return the participants, the strongest first."""
    able = sorted(strengths, key=lambda key: (-strengths[key], key))
    able = [key for key in able if people[key].rated or planned.field in ("open", "juniors", "closed")]
    match planned.field:
        case "juniors":
            able = [key for key in able if people[key].born.year >= year - 18]
        case "best":
            return dice.sample(able[:14], planned.players)
        case "closed":
            rated = [key for key in able if people[key].rated and strengths[key] < 1900]  # noqa: PLR2004  club players
            new = [key for key in able if not people[key].rated]
            return [*dice.sample(rated[:30], planned.players - 3), *dice.shuffled(new)[:3]]
    weak = [key for key in able if strengths[key] < 800 and planned.key == "befana"]  # noqa: PLR2004  the weak player always enters
    chosen = {*dice.shuffled(able)[: planned.players], *weak}
    return [key for key in able if key in chosen]


def _teams(
    dice: Dice, players: Sequence[int], strengths: Mapping[int, int]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return six clubs of five, of which four play; nearly equally strong, each in order of strength."""
    teams: list[list[int]] = [[] for _ in CLUBS]
    for start in range(0, len(CLUBS) * 5, len(CLUBS)):
        for team, player in zip(teams, dice.shuffled(players[start : start + len(CLUBS)]), strict=True):
            team.append(player)
    ordered = [tuple(sorted(team, key=lambda key: (-strengths[key], key))) for team in teams]
    return tuple(zip(CLUBS, ordered, strict=True))
