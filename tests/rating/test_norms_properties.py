"""Norms of random players: the search agrees with all subsets, and a higher title includes the lower ones."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from random import Random

import pytest

from arpad.model.rules import Edition, ListName
from arpad.rating.norms import Norm, find_norm
from arpad.rating.wins_left_out import MOST_STEPS, Budget
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import named
from arpad.regulations.fide.titles.games import NormCell, NormRecord, norm_record
from arpad.regulations.fide.titles.requirements import Candidate, NormEvent, NormGame
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from arpad.regulations.tables import TABLE_8_1A

EDITION = named("titles-2024", TITLE_EDITIONS)
RULES = EDITION.on(ListName.STANDARD)
TITLED = {"GM", "IM", "FM", "WGM", "WIM", "WFM"}
SOUGHT = {"GM": {"GM"}, "IM": {"GM", "IM"}, "WGM": {"GM", "IM", "WGM"}, "WIM": {"GM", "IM", "WGM", "WIM"}}
LOWER = {"GM": 0, "IM": 150, "WGM": 200, "WIM": 350}
SYSTEMS = ("swiss", "swiss", "swiss", "round-robin", "double-round-robin", "team", "knockout")


def random_record(seed: int, most_rounds: int = 12) -> NormRecord:
    """Return a strong player's tournament, near the limits of a norm."""
    random = Random(seed)  # noqa: S311  a reproducible tournament
    rounds = random.randint(9, most_rounds)
    system = random.choice(SYSTEMS)
    middle = random.choice((2120, 2280, 2330, 2420, 2480))
    federations = ["ITA"] * random.randint(1, 6) + ["FRA"] * random.randint(1, 6) + ["ESP", "GER", "FID", ""]
    titles = random.choice(
        (["GM", "IM", "FM", ""], ["GM", "GM", "IM", "FM", "CM"], ["IM", "WGM", "WIM", "WFM", "GM"])
    )
    results = random.choice(("111==0", "11110=", "1=", "11=0+"))
    twice = system == "double-round-robin" or random.random() < 0.15
    opponents = {
        person: (
            random.choice(titles),
            None if random.random() < 0.06 else middle + random.randint(-260, 160),
            random.choice(federations),
        )
        for person in range(rounds // 2 + rounds % 2 if twice else rounds)
    }
    cells = []
    for number in range(1, rounds + 1):
        person = (number - 1) % len(opponents)
        result = random.choice(results) if random.random() > 0.04 else random.choice("UHZ-")
        if result in "UHZ":
            cells.append(NormCell(number, result))
        else:
            title, rating, federation = opponents[person]
            cells.append(NormCell(number, result, title, rating, federation, "", str(person)))
    kind = random.choice(("", "", "", "national-championship", "zonal", "world-team", "world-cup"))
    event = NormEvent(system, rounds, kind, random.choice(("ITA", "FRA")))
    random.shuffle(cells)
    return norm_record(Candidate("ITA", "w"), event, cells, RULES, EDITION.effective)


# --------------------------------------------------------------------------------------------- brute force


def figures(games: list[NormGame], title: str, *, old: bool) -> tuple[int, int, int] | None:
    """Return average, performance and half-points needed; None if the score is not enough. From the text of 1.4."""
    unrated = 1000 if old else 1400
    ratings = sorted(unrated if game.rating is None else game.rating for game in games)
    ratings[0] = max(ratings[0], 2200 - LOWER[title])
    mean = floor(Fraction(sum(ratings), len(ratings)) + Fraction(1, 2))
    if mean < 2380 - LOWER[title]:
        return None

    def reached(halves: int) -> int:
        percent = floor(Fraction(100 * halves, 2 * len(games)) + Fraction(1, 2))
        return mean + TABLE_8_1A.difference(percent)

    scores = range(ceil(Fraction(70 * len(games), 100)), 2 * len(games) + 1)
    needed = next((halves for halves in scores if reached(halves) >= 2600 - LOWER[title]), None)
    score = sum(game.score for game in games)
    return None if needed is None or score < needed else (mean, reached(score), needed)


def mixed(games: list[NormGame], title: str, event: NormEvent, *, exempt: bool, old: bool) -> bool:
    """Return whether titles and federations are enough. From the text of 1.4.3 to 1.4.5 and the Annex.

    Until 2023 at most a fifth of the opponents and the player may be unrated.
    """
    if old and sum(game.rating is None for game in games) > (len(games) + 1) // 5:
        return False
    people = {game.person: game for game in games}
    double = event.system == "double-round-robin"
    number = len(people) if double else len(games)
    share = Fraction(1, 2) if double else Fraction(1, 3)
    if sum(game.title in TITLED for game in people.values()) < ceil(Fraction(number, 2)):
        return False
    if sum(game.title in SOUGHT[title] for game in people.values()) < max(3, ceil(share * number)):
        return False
    if exempt or (event.system == "team" and len(games) < 9):
        return True
    counted = Counter(game.federation for game in (people.values() if double else games) if game.federation)
    return (
        len(set(counted) - {"ITA"}) >= 2
        and counted["ITA"] <= floor(Fraction(3 * number, 5))
        and max(counted.values(), default=0) <= floor(Fraction(2 * number, 3))
    )


def brute_force(record: NormRecord, title: str, *, old: bool = False) -> tuple[int, list[int]] | None:
    """Return as how many games the best of all choices counts, and its rounds; ``old`` is by the edition of 2017."""
    event, games = record.event, list(record.games)
    exempt = event.kind == "zonal" or (event.kind == "national-championship" and event.host == "ITA")
    fixed = event.system in ("round-robin", "double-round-robin") and not old
    least = 9
    if event.kind == "world-team" and 7 <= event.rounds <= 9:
        least = 7
    if event.kind == "world-cup":
        least = 8
    best = None
    choices: set[tuple[int, ...]] = set()
    for end in [len(games)] if fixed else range(len(games) + 1):
        wins = [index for index in range(end) if games[index].score == 2]
        for number in range(len(wins) + 1):
            for left_out in combinations(wins, number):
                choices.add(tuple(index for index in range(end) if index not in left_out))
    for choice in choices:
        kept = [games[index] for index in choice]
        if len(kept) < least or (fixed and not mixed(games, title, event, exempt=exempt, old=old)):
            continue
        found = figures(kept, title, old=old)
        if found is None or not mixed(kept, title, event, exempt=exempt, old=old):
            continue
        _, rp, needed = found
        base = 9 if event.kind == "world-cup" and len(kept) == 8 else len(kept)
        counted = min(base, 13) + (sum(game.score for game in kept) - needed) // 2
        only_wins = all(games[index].score == 2 for index in set(range(len(games))) - set(choice))
        key = (counted, len(kept), only_wins, rp, [-game.round for game in kept])
        if best is None or key > best[0]:
            best = (key, [game.round for game in kept])
    return None if best is None else (best[0][0], best[1])


def ordinary(norm: Norm) -> tuple[int, list[int]] | None:
    """Return the norm as the brute force gives it; None also if a bye or the last round made it."""
    return (norm.counted, list(norm.rounds)) if norm.norm and norm.basis is None else None


def compare(seeds: range, most_rounds: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        record = random_record(seed, most_rounds)
        for title in NormTitle:
            norm = find_norm(record, title, EDITION)
            assert ordinary(norm) == brute_force(record, title), (seed, title)
            found["norm" if norm.norm else "none"] += 1
            found["left out"] += bool(norm.norm and norm.dropped)
    return found


def test_the_search_finds_what_all_subsets_find() -> None:
    found = compare(range(400), 11)
    assert found["norm"] > 100
    assert found["none"] > 100
    assert found["left out"] > 30


def repeated_record(seed: int, rounds: int, edition: Edition[TitleRules] = EDITION) -> NormRecord:
    """Return the tournament of a player who wins most games and may meet each opponent up to five times.

    Many opponents are unrated or without a title, and many come from two or three federations.
    """
    random = Random(seed)  # noqa: S311  a reproducible tournament
    middle, spread = random.choice((2250, 2400, 2450, 2500, 2550)), random.choice((50, 200, 400, 700))
    federations = random.choice(
        (
            ("ITA", "FRA"),
            ("ITA", "FRA", "ESP"),
            ("FRA", "ESP", ""),
            ("ITA", "ITA", "FRA", "FRA", "ESP", "FID"),
        )
    )
    titles = random.choice(
        (("GM", ""), ("GM", "IM", "FM", ""), ("GM", "IM", "FM", "WGM", "WIM"), ("GM", "GM", "IM", "CM"))
    )
    results, above = random.choice(("1", "1", "11111=", "111=0")), random.choice((0, 0, 200, -200))
    meetings, unrated = random.choice((1, 2, 2, 3, 4, 5)), random.choice((0.02, 0.05, 0.3))
    people = []
    for _ in range(-(-rounds // meetings)):
        title = random.choice(titles)
        rating = middle + random.randint(-spread, spread) + (above if title else 0)
        people.append((title, None if random.random() < unrated else rating, random.choice(federations)))
    order = [person for person in range(len(people)) for _ in range(meetings)][:rounds]
    random.shuffle(order)
    cells = [
        NormCell(number, random.choice(results), *people[person], "", str(person))
        for number, person in enumerate(order, start=1)
    ]
    event = NormEvent(random.choice(SYSTEMS), rounds, random.choice(("", "", "zonal")), "ITA")
    return norm_record(Candidate("ITA", "w"), event, cells, edition.on(ListName.STANDARD), edition.effective)


def compare_repeated(seeds: range, most_rounds: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        old = seed % 3 == 0
        edition = named("titles-2017", TITLE_EDITIONS) if old else EDITION
        record = repeated_record(seed, 9 + seed % (most_rounds - 8), edition)
        for title in NormTitle:
            norm = find_norm(record, title, edition)
            assert norm.norm is not None
            assert ordinary(norm) == brute_force(record, title, old=old), (seed, title)
            found["norm" if norm.norm else "none"] += 1
            found["left out"] += bool(norm.norm and norm.dropped)
    return found


def test_the_search_finds_what_all_subsets_find_if_opponents_are_met_again() -> None:
    found = compare_repeated(range(700), 11)
    assert found["norm"] > 100
    assert found["none"] > 300
    assert found["left out"] > 30


@pytest.mark.deep
def test_the_search_finds_what_all_subsets_find_if_opponents_are_met_again_in_long_events() -> None:
    assert compare_repeated(range(100_000, 104_000), 13)["left out"] > 400


@pytest.mark.parametrize(("rounds", "most"), [(13, 5_000), (19, 20_000), (40, 400_000)])
def test_a_search_takes_few_steps_however_often_opponents_are_met(rounds: int, most: int) -> None:
    """All sets of wins of one of these players would be 8,192 to a trillion."""
    for seed in range(60):
        record = repeated_record(seed, rounds)
        for title in NormTitle:
            budget = Budget()
            norm = find_norm(record, title, EDITION, budget)
            assert norm.norm is not None
            assert "search-stopped" not in norm.warnings
            assert MOST_STEPS - budget.report < most, (seed, title)


def winner(rounds: int, title: str = "", meetings: int = 2) -> NormRecord:
    """Return a player who wins every game, each opponent met so many times."""
    cells = [
        NormCell(number, "1", title, 2500 + number // meetings, "FRA", "", str(number // meetings))
        for number in range(rounds)
    ]
    event = NormEvent("swiss", rounds)
    return norm_record(Candidate("ITA"), event, cells, RULES, EDITION.effective)


def test_a_search_without_steps_is_undecided_and_never_says_no() -> None:
    record = repeated_record(5, 13)
    answers = set()
    for steps in (0, 30, 300, 3_000, 30_000):
        for seed in range(40):
            record = repeated_record(seed, 13)
            norm = find_norm(record, NormTitle.WIM, EDITION, Budget(report=steps))
            complete = find_norm(record, NormTitle.WIM, EDITION)
            stopped = "search-stopped" in norm.warnings
            assert norm.norm in (complete.norm, None)
            assert norm.norm is None or stopped or norm == complete
            answers.add((norm.norm is None, stopped))
    assert (True, False) in answers
    assert (False, False) in answers


def test_a_player_with_more_games_than_any_event_has_is_undecided() -> None:
    assert find_norm(winner(100, "GM"), NormTitle.GM, EDITION).norm is None
    assert find_norm(winner(99), NormTitle.GM, EDITION).failed  # nobody has a title


@pytest.mark.deep
def test_the_search_finds_what_all_subsets_find_in_long_events() -> None:
    assert compare(range(10_000, 10_600), 14)["left out"] > 50


def test_a_norm_for_a_higher_title_is_one_for_the_lower() -> None:
    """Every GM norm is an IM norm, every IM norm of a woman a WGM norm, every WGM norm a WIM norm (1.5.2)."""
    made = 0
    for seed in range(20_000, 20_400):
        norms = [find_norm(random_record(seed), title, EDITION).norm is True for title in NormTitle]
        assert norms == sorted(norms), seed
        made += any(norms)
    assert made > 150


def test_the_order_of_the_rounds_in_the_question_changes_nothing() -> None:
    for seed in range(200):
        record = random_record(seed)
        again = norm_record(
            record.player,
            record.event,
            [
                NormCell(
                    game.round, "0=1"[game.score], game.title, game.rating, game.federation, "", game.person
                )
                for game in reversed(record.games)
            ],
            RULES,
            EDITION.effective,
        )
        assert again.games == record.games
        for title in NormTitle:
            norm = find_norm(
                replace(again, bye_rounds=record.bye_rounds, last_forfeit=record.last_forfeit), title, EDITION
            )
            assert norm.rounds == find_norm(record, title, EDITION).rounds
