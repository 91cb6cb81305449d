"""The interface of rating systems, by a small one: plain Elo with K 32, a rating for every newcomer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from arpad.explain.event_documents import event_document
from arpad.explain.words import load_words
from arpad.model.errors import BadInput, NoEdition
from arpad.model.exact import half_up
from arpad.model.real_numbers import exact, number_text, real, round_real
from arpad.model.rules import Finding, Rule
from arpad.rating.event_question import EventAnswer, answer_event, parse_json, read_question
from arpad.regulations import systems
from arpad.regulations.outcomes import Adjustment, Derivation, GameFigures, Line, Outcome, Pass, PlayerOutcome
from arpad.regulations.rating_system import DecidingDay, Driver, System, SystemEdition
from arpad.regulations.system_fields import whole
from arpad.regulations.systems import edition_on
from arpad.regulations.units import Entrant, Unit, scores_of


@dataclass(frozen=True, slots=True)
class Rules:
    k: Rule[int]
    start: Rule[int]


def parse(values: Mapping[str, Any], place: str) -> Entrant[int]:
    if values["fixed"] and "rating" not in values:
        raise BadInput("value-missing", option=f"{place}.rating")
    return Entrant(values.get("rating"), values["fixed"])


def values_of(entrant: Entrant[int]) -> dict[str, Any]:
    rating = {} if entrant.state is None else {"rating": entrant.state}
    return {**rating, "fixed": True} if entrant.fixed else rating


def _same(explained: Derivation) -> Derivation:
    return explained


def rate(unit: Unit[int], rules: Rules) -> Outcome[int]:
    before = {name: rules.start.value if it.state is None else it.state for name, it in unit.entrants.items()}
    players: dict[str, PlayerOutcome[int]] = {}
    findings: list[Finding] = []
    for name, games in unit.games_by_player().items():
        entrant = unit.entrants[name]
        if entrant.fixed or not games:
            players[name] = PlayerOutcome(before=entrant.state, after=entrant.state)
            continue
        figures = []
        for game in games:
            expected = 1 / (1 + real(10) ** (real(before[game.opponent] - before[name]) / 400))
            figures.append(
                GameFigures(
                    opponent=game.opponent,
                    score=game.score,
                    value=before[game.opponent],
                    expected=exact(expected),
                    contribution=rules.k.value * (game.score - exact(expected)),
                )
            )
        change = sum(Fraction(it.contribution) for it in figures)
        after, doubts = round_real(real(before[name] + change), half_up, "K", player=name)
        findings += doubts
        rounding = Adjustment("rounding", "K", after - before[name] - change)
        part = Pass(name="games", article="K", games=tuple(figures), adjustments=(rounding,), result=after)
        explained: Derivation = ({"score": scores_of(games)}, (part,))
        players[name] = PlayerOutcome(before=entrant.state, after=after, derive=partial(_same, explained))
    return Outcome(players, tuple(findings))


EDITIONS = tuple(
    SystemEdition(
        id=f"plain-{day.year}",
        applies_from=day,
        known_since=known,
        source="a club",
        rules=Rules(k=Rule(k, "K"), start=Rule(1500, "S")),
    )
    for day, known, k in (
        (date(2020, 1, 1), None, 32),
        (date(2022, 1, 1), date(2022, 6, 1), 20),
    )
)
PLAIN = System(
    id="plain",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=(whole("rating", 0, 4000),),
    parse=parse,
    values=values_of,
    rating_of=lambda state: state,
    rate=rate,
    line=lambda state, _rules, _day: Line(figure=state, text=str(state)),
)


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arpad.rating.event_question.system_named", lambda _name: PLAIN)


def answer(**question: Any) -> EventAnswer:
    return answer_event(read_question("plain", question))


def test_a_small_system_rates_an_event() -> None:
    rated = answer(
        edition="plain-2020",
        players={
            "a": {"rating": 1600},
            "b": {"rating": 1400, "fixed": True},
            "new": {},
            "idle": {"rating": 1},
        },
        games=[["a", "b", 0.5], ["new", "a", "1/2", 2]],
    )
    document = event_document(rated, load_words("en"))["players"]
    assert document["a"]["after"] == {"rating": 1587}
    assert document["a"]["change"] == -13
    assert document["a"]["passes"][0]["games"][0]["expected"] == "0.7597469266"
    assert (document["new"]["before"], document["new"]["printed"]) == ({}, 1504)
    assert document["b"]["after"] == {"rating": 1400, "fixed": True}
    assert document["idle"]["change"] == 0


def test_contributions_and_adjustments_add_up_to_the_change() -> None:
    rated = answer(
        edition="plain-2020",
        players={"a": {"rating": 1600}, "b": {"rating": 1450}, "c": {"rating": 1333}},
        games=[["a", "b", 1], ["b", "c", "0"], ["a", "c", Decimal("0.5")]],
    )
    for player in rated.players.values():
        assert player.outcome.passes[-1].total() == player.change


def test_the_edition_follows_the_deciding_day_and_what_was_known() -> None:
    assert edition_on(PLAIN, date(2021, 12, 31)).id == "plain-2020"
    assert edition_on(PLAIN, date(2022, 1, 1)).id == "plain-2022"
    assert edition_on(PLAIN, date(2022, 3, 1), known=date(2022, 5, 31)).id == "plain-2020"
    with pytest.raises(NoEdition, match="the first applies from 1 January 2020"):
        edition_on(PLAIN, date(2019, 12, 31))
    assert answer(end="2021-05-01", players={"a": {}}).edition.id == "plain-2020"
    assert answer(players={"a": {}}).edition.id == "plain-2022"


A_AND_B = {"players": {"a": {"rating": 1500}, "b": {}}}


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({}, "players is missing"),
        ({"players": {}}, "players is missing"),
        ({"players": []}, "players has [] where a JSON object is needed"),
        ({**A_AND_B, "teams": 1}, "JSON has no field teams; accepted are edition, start, end, players, games"),
        ({"players": {"a": {"index": 3}}}, "players.a has no field index; accepted are rating, fixed"),
        ({"players": {"a": {"rating": -1}}}, "players.a.rating is -1, but must be between 0 and 4000"),
        ({"players": {"a": {"rating": 1500.5}}}, "players.a.rating has 1500.5 where a whole number is needed"),
        ({"players": {"a": {"rating": True}}}, "players.a.rating has true where a whole number is needed"),
        ({"players": {"a": {"fixed": 1}}}, "players.a.fixed “1” is unknown: accepted are true, false"),
        ({"players": {"a": {"fixed": True}}}, "players.a.rating is missing"),
        ({"players": {" ": {}}}, 'players has " " where the name of a player or an edition is needed'),
        ({**A_AND_B, "edition": "plain-1999"}, "there is no edition plain-1999; the editions are plain-2020"),
        ({**A_AND_B, "end": "2019-01-01"}, "no edition of plain applies on 1 January 2019"),
        ({**A_AND_B, "end": "2021-02-30"}, "end has 2021-02-30 where a date is needed"),
        ({**A_AND_B, "start": "2021-03-02", "end": "2021-03-01"}, "the period begins on 2 March 2021 and ends before"),
        ({**A_AND_B, "games": {}}, "games has {} where a list is needed"),
        ({**A_AND_B, "games": [["a", "b"]]}, 'games.1 is ["a", "b"], but must be written as [PLAYER, OPP'),
        ({**A_AND_B, "games": [["a", "b", 1], ["a", "b", 2]]}, "games.2 has the score 2; accepted are 0, 0.5, 1"),
        ({**A_AND_B, "games": [["a", "a", 1]]}, "games.1: a cannot play against themselves"),
        ({**A_AND_B, "games": [["a", "c", 1]]}, "games.1: c is not among the players"),
        ({**A_AND_B, "games": [["a", "b", 1, 0]]}, "games.1 is 0, but must be between 1 and 999"),
        ({**A_AND_B, "games": [["a", "b", 1, 1], ["b", "a", 1, 1]]}, "games.2: b has two games in round 1"),
        ({**A_AND_B, "periods": [[]]}, "the system plain takes “games”"),
        ({**A_AND_B, "facts": {"tau": 1}}, "facts has no field tau; accepted are –"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place(question: dict[str, Any], sentence: str) -> None:
    with pytest.raises((BadInput, NoEdition)) as refusal:
        answer(**question)
    assert load_words("en").error(refusal.value).startswith(sentence)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1, "a": 2}', '{"a": NaN}', "[" * 100_000, "1e9999999"])
def test_a_text_that_is_no_question_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_question("plain", parse_json(text))


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(BadInput, match="system “ingo” is unknown"):
        systems.system_named("ingo")


def test_a_real_value_near_a_half_is_a_finding() -> None:
    assert round_real(real("2.5"), half_up) == (3, ())
    assert round_real(real("2.50001"), half_up) == (3, ())
    value, findings = round_real(real("2.4999999"), half_up, "3.5", player="a")
    assert (value, [finding.code for finding in findings]) == (2, ["rounding-in-doubt"])
    assert load_words("en").finding(findings[0]).startswith("a: the value 2.4999999000 lies so near")


def test_a_number_that_is_not_whole_has_ten_places() -> None:
    assert [number_text(Fraction(value)) for value in (1500, "1850.25", "-1/3")] == [
        1500,
        "1850.2500000000",
        "-0.3333333333",
    ]
