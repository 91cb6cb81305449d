"""Norms of random players: the search agrees with all subsets, and a higher title includes the lower ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from random import Random

import pytest

from arpad.model.rules import ListName
from arpad.rating.norms import Norm, find_norm
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.chess.titles.games import NormCell, NormRecord, norm_record
from arpad.regulations.chess.titles.requirements import Candidate, NormEvent, NormGame
from arpad.regulations.chess.titles.rules import NormTitle
from arpad.regulations.editions import named
from arpad.regulations.tables import TABLE_8_1A

EDITION = named("titles-2024", TITLE_EDITIONS)
RULES = EDITION.on(ListName.STANDARD)
TITLED = {"GM", "IM", "FM", "WGM", "WIM", "WFM"}
SOUGHT = {
    "GM": {"GM"},
    "IM": {"GM", "IM"},
    "WGM": {"GM", "IM", "WGM"},
    "WIM": {"GM", "IM", "WGM", "WIM"},
}
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


def figures(games: list[NormGame], title: str) -> tuple[int, int, int] | None:
    """Return average, performance and half-points needed; None if the score is not enough. From the text of 1.4."""
    ratings = sorted(1400 if game.rating is None else game.rating for game in games)
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


def mixed(games: list[NormGame], title: str, event: NormEvent, *, exempt: bool) -> bool:
    """Return whether titles and federations are enough. From the text of 1.4.3 to 1.4.5 and the Annex."""
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


def brute_force(record: NormRecord, title: str) -> tuple[int, list[int]] | None:
    """Return as how many games the best of all choices counts, and its rounds."""
    event, games = record.event, list(record.games)
    exempt = event.kind == "zonal" or (event.kind == "national-championship" and event.host == "ITA")
    fixed = event.system in ("round-robin", "double-round-robin")
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
        if len(kept) < least or (fixed and not mixed(games, title, event, exempt=exempt)):
            continue
        found = figures(kept, title)
        if found is None or not mixed(kept, title, event, exempt=exempt):
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


@pytest.mark.deep
def test_the_search_finds_what_all_subsets_find_in_long_events() -> None:
    assert compare(range(10_000, 10_600), 14)["left out"] > 50


def test_a_norm_for_a_higher_title_is_one_for_the_lower() -> None:
    """Every GM norm is an IM norm, every IM norm of a woman a WGM norm, every WGM norm a WIM norm (1.5.2)."""
    made = 0
    for seed in range(20_000, 20_400):
        norms = [find_norm(random_record(seed), title, EDITION).norm for title in NormTitle]
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
