"""What holds for each of the six systems: one interface, with editions, states, a calculation, a line and its lists."""

from datetime import date
from importlib import import_module
from typing import Any

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.system_units import state_of, state_text
from arpad.model.chess import EventKind, Performance, PlayerState
from arpad.model.disciplines import DISCIPLINES, discipline_of
from arpad.model.draughts import Category, DraughtsState
from arpad.model.errors import BadInput
from arpad.model.json_values import from_capital, from_state, to_capital
from arpad.model.rules import LISTS, ListName
from arpad.regulations import FOLDERS, OF_OWN_LISTS
from arpad.regulations.editions import CHESS_EDITIONS, DRAUGHTS_EDITIONS
from arpad.regulations.fide.system import SYSTEM as FIDE
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.regulations.systems import (
    edition_digest,
    edition_on,
    is_edition_of_system,
    system_named,
    system_of,
)
from tests.regulations.system_cases import answer

DAYS = {"start": "2025-03-01", "end": "2025-03-02"}
PLAYERS: dict[str, dict[str, Any]] = {
    "dwz": {"rating": 1600, "index": 5, "born": 1990},
    "fide": {"rating": 1800, "games": 40},
    "glicko2": {"rating": 1600, "rd": 60, "volatility": "0.06"},
    "icu": {"rating": 1600, "games": 40, "born": "1990-01-01", "joined": "2000-01-01"},
    "rubele": {"rating": 2500, "category": "nazionale", "last_event": "2024-06-01"},
    "uschess": {"rating": "1600", "games": 40, "wins": 18, "draws": 4, "losses": 18, "events": 10, "peak": 1700},
}  # fmt: skip
PENDING = Performance("1", EventKind.SWISS, 5, 6, 10_000, 5, 5, 6, date(2024, 1, 1))  # type: ignore[arg-type]
UNRATED = from_state(PlayerState(7, tranches=(PENDING,)))
RATED = from_state(PlayerState(7, 2000, inactive=True))
MAESTRO = from_capital(DraughtsState("Rossi", 3000, Category.MAESTRO, "7"))


def question(name: str, score: str = "1") -> dict[str, Any]:
    """Return an event of three players, one of them a guest and one a newcomer."""
    players = {"a": PLAYERS[name], "b": PLAYERS[name], "g": {**PLAYERS[name], "fixed": True}, "n": {}}
    games = [
        ["a", "b", score, 1],
        ["g", "n", "0", 1],
        ["a", "g", "0.5", 2],
        ["b", "n", "0.5", 2],
        ["a", "n", "0", 3],
    ]
    return {**DAYS, "players": players, "games": games}


def test_every_folder_with_a_system_is_named() -> None:
    assert set(PLAYERS) == set(FOLDERS)
    assert {on_list.system for on_list in LISTS} == set(FOLDERS) - set(OF_OWN_LISTS)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_system_has_editions_a_day_and_a_name_in_every_language(name: str) -> None:
    system = system_named(name)
    assert system.id == name
    assert len({it.id for it in system.editions}) == len(system.editions)
    assert edition_on(system, date(2026, 1, 1)).applies_from <= date(2026, 1, 1)
    assert len({edition_digest(it) for it in system.editions}) == len(system.editions)
    assert all(load_words(language).has(f"rating-system.{name}") for language in LANGUAGES)


@pytest.mark.parametrize("name", FOLDERS)
def test_an_event_is_rated_and_every_state_goes_on(name: str) -> None:
    won, lost = (answer(name, question(name, score)) for score in ("1", "0"))
    assert won.players["a"].outcome.passes
    assert (won.players["a"].change or 0) > (lost.players["a"].change or 0)
    assert won.players["g"].outcome.after == won.players["g"].outcome.before
    system = system_named(name)
    for player in won.players.values():
        if (state := player.outcome.after) is not None:
            assert state_of(system, state_text(system, state)) == state
            line = system.line(state, won.edition.rules, date(2025, 4, 1))
            assert line.text or line.figure is None


@pytest.mark.parametrize("name", FOLDERS)
def test_a_guest_needs_a_rating(name: str) -> None:
    with pytest.raises(BadInput) as refusal:
        answer(name, {**DAYS, "players": {"g": {"fixed": True}}, "games": []})
    assert refusal.value.facts["option"] == "players.g.rating"


@pytest.mark.parametrize("name", FOLDERS)
def test_the_list_of_a_system_is_computed_by_a_function(name: str) -> None:
    module, _, function = system_named(name).computed_by.rpartition(".")
    assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("name", FOLDERS)
def test_stored_states_are_asked_and_joined(name: str) -> None:
    system = system_named(name)
    state = answer(name, question(name)).players["a"].outcome.after
    text = {"fide": RATED, "rubele": MAESTRO}.get(name) or state_text(system, state)
    assert isinstance(system.stored.rating_of(text), int)
    assert list(system.stored.merge({9: text, 5: text}, {9: 3})) == [3, 5]
    kept = system.stored.merge({9: text, 3: text}, {9: 3})
    assert system.stored.rating_of(kept[3]) == system.stored.rating_of(text)


@pytest.mark.parametrize("on_list", LISTS)
def test_each_list_has_one_system_and_one_game(on_list: ListName) -> None:
    assert [name for name in FOLDERS if on_list in system_named(name).lists] == [system_of(on_list).id]
    assert [it for it in DISCIPLINES if it.name == on_list.game] == [discipline_of(on_list)]


@pytest.mark.parametrize(
    ("on_list", "stand_in", "used"),
    [
        (ListName.STANDARD, None, (ListName.STANDARD,)),
        (ListName.RAPID, ListName.STANDARD, (ListName.RAPID, ListName.STANDARD)),
        (ListName.ITALIANA, None, (ListName.ITALIANA,)),
        (ListName("ireland", "icu"), None, (ListName("ireland", "icu"),)),
    ],
)
def test_standard_ratings_stand_in_for_rapid_and_blitz(
    on_list: ListName, stand_in: ListName | None, used: tuple[ListName, ...]
) -> None:
    system = system_of(on_list)
    assert system.stand_in_for(on_list) == stand_in
    assert system.lists_used(on_list) == used


def test_ratings_of_another_list_enter() -> None:
    assert FIDE.lists_entering(ListName.RAPID) == (ListName.STANDARD,)
    assert FIDE.lists_entering(ListName.STANDARD) == ()
    assert RUBELE.lists_entering(ListName.ITALIANA) == (ListName.INTERNAZIONALE,)
    assert RUBELE.other_list(ListName.INTERNAZIONALE) == ListName.ITALIANA
    assert system_named("icu").lists_entering(ListName("ireland", "icu")) == ()


def test_a_chess_state_has_a_rating_and_pending_events() -> None:
    stored = FIDE.stored
    assert [stored.rating_of(it) for it in (RATED, UNRATED)] == [2000, None]
    assert [stored.is_inactive(it) for it in (RATED, UNRATED)] == [True, False]
    assert [stored.pending_events(it) for it in (RATED, UNRATED)] == [0, 1]
    assert (stored.category_of(RATED), stored.with_name(RATED, "Nobody", 8)) == ("", RATED)


def test_a_draughts_state_has_a_capital_a_category_and_a_name() -> None:
    stored = RUBELE.stored
    assert (stored.rating_of(MAESTRO), stored.category_of(MAESTRO)) == (3000, "maestro")
    assert (stored.is_inactive(MAESTRO), stored.pending_events(MAESTRO)) == (False, 0)
    renamed, renumbered = (to_capital(stored.with_name(MAESTRO, "Nobody", n)) for n in (None, 8))
    assert (renamed.name, renamed.id, renumbered.name, renumbered.id) == ("Nobody", "7", "Nobody", "8")


def test_the_editions_of_a_first_list_go_by_day_and_the_others_by_name() -> None:
    for system, printed in ((FIDE, CHESS_EDITIONS), (RUBELE, DRAUGHTS_EDITIONS)):
        ids = [it.id for it in system.editions]
        assert len(ids) == sum(len(it.lists) for it in printed)
        assert ids[-1] == printed[-1].id
    assert edition_on(RUBELE, date(2022, 1, 1)).id == "rubele-2021"
    assert edition_on(FIDE, date(2017, 8, 1)).id == "fide-2017"


def test_a_period_of_fide_is_the_sum_of_its_games() -> None:
    """By hand: K 20, 400 points below is 0.92 expected; two draws against equals change nothing."""
    players = {"a": {"rating": 2000, "games": 50}, "b": {"rating": 1600, "games": 50}}
    rated = answer("fide", {**DAYS, "players": players, "games": [["a", "b", "0"]]})
    assert [rated.players[it].after["rating"] for it in "ab"] == [1982, 1618]
    assert rated.players["a"].outcome.figures["k"] == 20


def test_a_newcomer_of_fide_waits_for_five_games() -> None:
    opponents = {f"o{number}": {"rating": 1800, "fixed": True} for number in range(5)}
    games = [["n", name, "0.5"] for name in opponents]
    few = answer("fide", {**DAYS, "players": {"n": {}, **opponents}, "games": games[:3]})
    waiting = few.players["n"].after
    assert ("rating" in waiting, len(waiting["tranches"])) == (False, 1)
    later = {"start": "2025-04-01", "end": "2025-04-02"}
    rated = answer("fide", {**later, "players": {"n": waiting, **opponents}, "games": games[3:]})
    assert rated.players["n"].after["rating"] == 1800


def test_a_capital_passes_a_threshold_as_in_its_list() -> None:
    """Tables 14 and 17: 2990 + 150 is 140 beyond 3000, of which 100/150 count; and Q is 10."""
    players = {name: {**PLAYERS["rubele"], "rating": 2990} for name in "ab"}
    rated = answer("rubele", {**DAYS, "players": players, "games": [["a", "b", "1"]]})
    assert rated.players["a"].after == {
        "rating": 3103,
        "category": "candidato-maestro",
        "last_event": date(2025, 3, 2),
    }
    assert "threshold-up" in [it.quantity for it in rated.players["a"].outcome.steps]


def test_a_year_ends_between_two_events() -> None:
    played = DraughtsState("", 3000, Category.MAESTRO, last_event=date(2022, 5, 1))
    (turn,) = RUBELE.turns(date(2023, 2, 1), date(2023, 12, 31))
    rules = edition_on(RUBELE, turn.day).rules
    assert (turn.place > ("2023-12-31", "2023-12-30"), turn.place < ("2024-01-01",)) == (True, True)
    assert turn.change(played, rules).capital == 2950


def test_printed_editions_keep_the_links_to_their_articles() -> None:
    assert not any(is_edition_of_system(it.id) for it in CHESS_EDITIONS)
    assert not any(is_edition_of_system(it.id) for it in DRAUGHTS_EDITIONS)
    assert is_edition_of_system("icu-2013")
    assert is_edition_of_system("fide-2024-rapid")


@pytest.mark.parametrize("name", ["fide", "rubele", "ingo"])
def test_an_office_has_lists_of_its_own_only_of_other_systems(name: str) -> None:
    with pytest.raises(BadInput, match="value-unknown"):
        system_named(name, OF_OWN_LISTS)
