"""The calculators' questions as texts, the same for a form, a shared link and the API; the answers with their steps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from arpad.model.chess import Change, Entry, GameChange, PlayerFacts
from arpad.model.draughts import rank_named
from arpad.model.errors import BadInput
from arpad.model.rules import CHESS_LISTS, DRAUGHTS_LISTS, Edition, ListName, Step
from arpad.rating import calculator as calc
from arpad.rating.draughts_arguments import (
    MOST_GAMES,
    parse_capital,
    parse_count,
    parse_discipline,
    parse_expectation,
    parse_scored,
    parse_weight,
)
from arpad.rating.round_robin import (
    NEWEST,
    RoundRobinRating,
    parse_player,
    rate_round_robin,
    with_earlier_events,
)
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.draughts.capital import CapitalChange, check_scored
from arpad.regulations.draughts.capital import change as capital_change
from arpad.regulations.draughts.capital import expected as points_expected
from arpad.regulations.draughts.groups import Split, split
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.draughts.starting_capital import FMJD_MOST, Debut, from_fmjd, from_other_list
from arpad.regulations.editions import ALL

T = TypeVar("T")

MOST_ITEMS = 200
"""Games, opponents or events in one question."""

MOST_PLAYERS = 10_000
MOST_ROUNDS = 999


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: names with one or several texts."""

    values: Mapping[str, Sequence[str]]
    editions: Sequence[Edition[Any]] = ALL
    """Those that can be asked for by name, or by the day on which they are in force."""

    today: date | None = None
    """In an office the day that decides where none is asked for."""

    def one(self, name: str) -> str | None:
        """The text of a name; nothing where it was left empty."""
        given = [text.strip() for text in self.values.get(name, ()) if text.strip()]
        return given[-1] if given else None

    def editions_of(self, lists: Collection[ListName]) -> list[Edition[Any]]:
        """The editions of chess or of draughts."""
        return [edition for edition in self.editions if not edition.lists.keys().isdisjoint(lists)]

    def needed(self, name: str) -> str:
        """The text of a name that cannot do without."""
        text = self.one(name)
        if text is None:
            raise BadInput("value-missing", option=name)
        return text

    def all(self, name: str) -> list[str]:
        """Every text of a name that was not left empty."""
        found = [text.strip() for text in self.values.get(name, ()) if text.strip()]
        if len(found) > MOST_ITEMS:
            raise BadInput("too-many-values", option=name, most=MOST_ITEMS)
        return found

    def yes(self, name: str) -> bool:
        """Whether a box was ticked."""
        return (self.one(name) or "") in ("1", "true", "on", "yes")

    @property
    def empty(self) -> bool:
        """Whether nothing was asked yet."""
        return not any(
            text.strip() for name, texts in self.values.items() if name != "lang" for text in texts
        )


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A result, the edition it follows and the steps that led to it."""

    edition: Edition[Any]
    list: ListName
    found: T
    steps: tuple[Step, ...] = field(default=())


def _chess(asked: Question, day: date | None = None) -> tuple[Edition[ChessRules], ListName, ChessRules]:
    """The edition by name, or in force on a day, or today, or the newest; and its rules for the list."""
    name = asked.one("list") or "standard"
    if name not in CHESS_LISTS:
        raise BadInput("value-unknown", option="list", value=name, accepted=", ".join(CHESS_LISTS))
    on_list, edition, given = ListName(name), asked.one("edition"), asked.one("date")
    if edition is not None and edition.endswith(".toml"):
        raise BadInput("value-unknown", option="edition", value=edition, accepted="fide-2017")
    chosen_day = calc.parse_day(given, "date") if given else None
    if edition is None and chosen_day is None:
        chosen_day = day or asked.today
    chosen = calc.choose_edition(edition, chosen_day, on_list, asked.editions_of(CHESS_LISTS))
    return chosen, on_list, chosen.on(on_list)


def _coefficient(
    asked: Question, rating: int, games: int, edition: Edition[ChessRules], rules: ChessRules
) -> calc.Coefficient:
    born, on = asked.one("born"), asked.one("on") or asked.one("date")
    facts = PlayerFacts(
        rating,
        games,
        calc.parse_integer(asked.one("peak") or "0", "peak"),
        calc.parse_birth(born, "born") if born else None,
        asked.yes("from_standard"),
    )
    return calc.k_of(facts, calc.parse_day(on, "on") if on else edition.effective, rules)


def change(asked: Question) -> Answer[Change]:
    """The change of a rated player over one period."""
    chosen, on_list, rules = _chess(asked)
    rating = calc.parse_integer(asked.needed("rating"), "rating")
    games = [calc.parse_game(text, rating) for text in [*asked.all("game"), *_paired(asked)]]
    k = asked.one("k")
    if k is not None:
        coefficient = calc.Coefficient(calc.parse_integer(k, "k"), ())
    else:
        so_far = asked.one("games")
        unsaid = 0 if asked.yes("from_standard") else rules.k_new_games.value
        count = calc.parse_integer(so_far, "games") if so_far else unsaid
        coefficient = _coefficient(asked, rating, count, chosen, rules)
    found = calc.change(rating, games, coefficient.k, rules)
    return Answer(chosen, on_list, found, (*_notable(found.games), *coefficient.steps, *found.steps))


def _paired(asked: Question) -> list[str]:
    """Games as a form without JavaScript sends them: opponents and scores side by side."""
    opponents, scores = asked.values.get("opponent", ()), asked.values.get("score", ())
    paired = [(o.strip(), s.strip()) for o, s in zip(opponents, scores, strict=False) if o.strip()]
    if len(paired) > MOST_ITEMS:
        raise BadInput("too-many-values", option="opponent", most=MOST_ITEMS)
    return [f"{opponent}:{score}" for opponent, score in paired]


def _notable(games: Sequence[GameChange]) -> tuple[Step, ...]:
    """What a row of figures cannot tell, once each."""
    told = ("capped", "exempt", "not-capped-again", "too-far")
    found = {(s.quantity, s.value): s for item in games for s in item.steps if s.quantity in told}
    return tuple(found.values())


def entry(asked: Question) -> Answer[Entry]:
    """The entry rating of an unrated player."""
    written = [*asked.all("event"), *_event_rows(asked)]
    events = [calc.parse_event(text) for text in written]
    chosen, on_list, rules = _chess(asked, max((e.last_day for e in events if e.last_day), default=None))
    if sum(len(event.ratings) for event in events) > MOST_ITEMS:
        raise BadInput("too-many-values", option="event", most=MOST_ITEMS)
    found = calc.initial(events, rules, affiliated=asked.yes("affiliated"))
    return Answer(chosen, on_list, found, found.steps)


def _event_rows(asked: Question) -> list[str]:
    """Events as a form sends them: opponents' ratings with blanks or commas, and the points."""
    rows = []
    for ratings, points in zip(asked.values.get("ratings", ()), asked.values.get("points", ()), strict=False):
        if ratings.strip():
            rows.append(",".join(ratings.replace(",", " ").replace(";", " ").split()) + f":{points.strip()}")
    return rows[:MOST_ITEMS]


def round_robin(asked: Question) -> Answer[RoundRobinRating]:
    """A round robin with unrated players."""
    chosen, on_list, _ = _chess(asked, NEWEST.effective)
    players = [parse_player(text) for text in [*asked.all("player"), *_player_rows(asked)]]
    earlier = (asked.one("counted_before") or "").replace(",", " ").split()
    day = asked.one("date")
    found = rate_round_robin(
        with_earlier_events(players, earlier), chosen, on_list, cycles=2 if asked.yes("double") else 1,
        day=calc.parse_day(day, "date") if day else None,
    )  # fmt: skip
    return Answer(chosen, on_list, found, found.table.steps)


def _player_rows(asked: Question) -> list[str]:
    """Players as a form sends them: rating, results, K and name side by side; a blank rating is none."""
    columns = [asked.values.get(name, ()) for name in ("rating", "results", "k", "name")]
    rows = [
        tuple(text.strip() for text in row) for row in zip_longest(*columns, fillvalue="") if row[1].strip()
    ]
    if len(rows) > MOST_ITEMS:
        raise BadInput("too-many-values", option="results", most=MOST_ITEMS)
    for rating, _, k, _ in rows:  # a sentence names the field of the form, not a part of --player
        for text, name in ((rating.strip("-–"), "rating"), (k, "k")):
            if text:
                calc.parse_integer(text, name)
    return [f"{rating or '-'}:{results}:{k}:{name}" for rating, results, k, name in rows]


def coefficient(asked: Question) -> Answer[int]:
    """The development coefficient."""
    on = asked.one("on")
    chosen, on_list, rules = _chess(asked, calc.parse_day(on, "on") if on else None)
    rating = calc.parse_integer(asked.needed("rating"), "rating")
    games = calc.parse_integer(asked.needed("games"), "games")
    found = _coefficient(asked, rating, games, chosen, rules)
    return Answer(chosen, on_list, found.k, found.steps)


def expected(asked: Question) -> Answer[GameChange]:
    """What a player may expect against an opponent."""
    chosen, on_list, rules = _chess(asked)
    rating = calc.parse_integer(asked.needed("rating"), "rating")
    opponent = calc.parse_integer(asked.needed("opponent"), "opponent")
    found = calc.expected(rating, opponent, rules)
    return Answer(chosen, on_list, found, tuple(step for step in found.steps if step.quantity != "delta"))


# ------------------------------------------------------------------------------------------------- draughts


def _draughts(
    asked: Question, option: str = "discipline"
) -> tuple[Edition[DraughtsRules], ListName, DraughtsRules]:
    """Return the edition by name or in force on the event's date, else the source document; and its rules."""
    on_list = parse_discipline(asked.one(option) or "italiana", option)
    name = asked.one("edition")
    if name is not None and name.endswith(".toml"):
        raise BadInput("value-unknown", option="edition", value=name, accepted="rubele-2008")
    chosen = calc.choose_draughts(name, asked.one("date"), on_list, asked.editions_of(DRAUGHTS_LISTS))
    return chosen, on_list, chosen.on(on_list)


def capital(asked: Question) -> Answer[CapitalChange]:
    """The capital after an event; the expectation as given, or from the opponents' capitals."""
    chosen, on_list, rules = _draughts(asked)
    before = parse_capital(asked.needed("capital"), "capital", rules)
    scored = parse_scored(asked.needed("scored"))
    others = [part for text in asked.all("opponents") for part in text.replace(",", " ").split()]
    if len(others) > MOST_ITEMS:
        raise BadInput("too-many-values", option="opponents", most=MOST_ITEMS)
    if others:
        capitals = [parse_capital(text, "opponents", rules) for text in others]
        expectation = sum(points_expected(before, other, rules) for other in capitals)
        check_scored(scored, expectation, len(capitals))
    else:
        expectation = parse_expectation(asked.needed("expected"))
        if games := asked.one("games"):
            check_scored(scored, expectation, parse_count(games, "games", 1, MOST_GAMES))
    weight = parse_weight(asked.one("weight") or "100")
    found = capital_change(
        before, scored, expectation, rules, weight=weight, first_of_year=asked.yes("first_of_year")
    )
    return Answer(chosen, on_list, found, found.steps)


def conversion(asked: Question) -> Answer[Debut]:
    """Category and capital with which a player begins on the other list."""
    chosen, on_list, rules = _draughts(asked, "to")
    held, fmjd = asked.one("from"), asked.one("fmjd")
    if (held is None) == (fmjd is None):
        raise BadInput("one-of-two", option="from", other="fmjd")
    if held is not None:
        found = from_other_list(rank_named(held), rules)
    else:
        found = from_fmjd(parse_count(fmjd or "", "fmjd", 1, FMJD_MOST), rules)
    return Answer(chosen, on_list, found, found.steps)


def groups(asked: Question) -> Answer[Split]:
    """The split of an event's players into groups."""
    chosen, on_list, rules = _draughts(asked)
    minimum = asked.one("minimum")
    found = split(
        parse_count(asked.needed("players"), "players", 1, MOST_PLAYERS),
        parse_count(asked.needed("rounds"), "rounds", 1, MOST_ROUNDS),
        parse_count(asked.needed("groups"), "groups", *rules.group_numbers.value),
        rules,
        minimum=parse_count(minimum, "minimum", 2, MOST_PLAYERS) if minimum else None,
    )
    return Answer(chosen, on_list, found)
