"""The calculator of round robins with unrated players: the printed example of 8.58, and what it refuses."""

import random
from fractions import Fraction

import pytest

import arpad
from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import ListName
from arpad.rating.preview import rate
from arpad.rating.round_robin import RoundRobinRating, parse_player, rate_round_robin
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition
from arpad.reports.event_facts import EventFacts, KnownPlayer
from tests.builders.chess import report as chess_report
from tests.commands import refusal, run, run_json

EXAMPLE = "2600:8:20:A 2500:7:20:B -:7::C 2400:6:20:D -:6::E 2150:4:30:F 2300:3:30:G -:2::H -:1::I 2300:1:30:J".split()
"""The table printed in 8.58 (2009), with the K that its last column uses (reading 25)."""


def rated(players: list[str], edition: str, *, cycles: int = 1) -> RoundRobinRating:
    return rate_round_robin([parse_player(text) for text in players], chess_edition(edition), cycles=cycles)


def test_the_printed_example_of_8_58() -> None:
    found = rated(EXAMPLE, "fide-2009")
    assert (found.table.rar, found.table.dpa, found.table.ra) == (Fraction(2375), Fraction(59, 2), 2348)
    printed = {
        "A": ("0.89", 351, "7.36", "12.8"),
        "B": ("0.78", 220, "6.48", "10.4"),
        "D": ("0.67", 125, "5.40", "12.0"),
        # printed 2,52 and +44,3: the misprint of reading 24
        "F": ("0.44", -43, "2.55", "43.5"),
        "G": ("0.33", -125, "4.21", "-36.3"),
        "J": ("0.11", -351, "4.21", "-96.3"),
    }
    for player in found.players:
        if player.name in printed:
            p, dp, expected, change = printed[player.name]
            assert (player.p, player.dp) == (int(100 * Fraction(p)), dp)
            assert player.change is not None
            told = sum(game.expected for game in player.change.games)
            assert (from_hundredths(told), player.change.change) == (Fraction(expected), Fraction(change))
    unrated = {
        player.name: (player.unrated.rc, player.unrated.ru, player.unrated.rc_new, player.unrated.ru_new)
        for player in found.players
        if player.unrated is not None
    }
    assert unrated == {
        "C": (2348, 2423, 2348, 2423),
        "E": (2348, 2393, 2348, 2393),
        "H": (2348, 2150, 2342, 2144),
        "I": (2348, 2032, 2322, 2006),
    }
    assert found.findings == ()


def test_the_same_table_in_2017() -> None:
    """20 for each half point: C 2348 + 5 x 20 = 2448, E 2348 + 3 x 20 = 2408; H and I as in 2009.

    Against C and E the six expect, by 8.1b: A (152, 192) .70 + .75 for .73 + .77; B (52, 92) .57 + .63 for .61 + .65;
    D (-48, -8) .43 + .49 for .47 + .51; F (-298, -258) .15 + .18 for .17 + .20; G and J (-148, -108) .30 + .35 for
    .33 + .37. K by 8.56: 10 from 2400 on, else 20.
    """
    found = rated([text.replace(":20:", "::").replace(":30:", "::") for text in EXAMPLE], "fide-2017")
    assert found.table.ra == 2348
    news = {p.name: p.unrated.ru_new for p in found.players if p.unrated is not None}
    assert news == {"C": 2448, "E": 2408, "H": 2144, "I": 2006}
    changes = {p.name: (p.change.k, p.change.change) for p in found.players if p.change is not None}
    assert changes == {
        "A": (10, Fraction("6.9")),  # 8 - 7.31
        "B": (10, Fraction("5.8")),  # 7 - 6.42
        "D": (10, Fraction("6.6")),  # 6 - 5.34
        "F": (20, Fraction("29.8")),  # 4 - 2.51
        "G": (20, Fraction("-23.2")),  # 3 - 4.16
        "J": (20, Fraction("-63.2")),  # 1 - 4.16
    }
    entries = {p.name: p.entry.rating for p in found.players if p.entry is not None}
    assert entries == news


ROWS = ["2000:x11=1", "1900:0x1=1", "1800:00x11", "1700:==0x1", "-:0000x"]


def test_a_first_event_of_zero_is_removed_with_its_games() -> None:
    """6.1 of 2017: the other four are all rated and form a round robin of three games each."""
    found = rated(ROWS, "fide-2017")
    assert found.players[4].removed
    assert found.players[4].steps[0].article == "6.1"
    first = found.players[0]
    assert [other.number for other in first.opponents] == [2, 3, 4]
    assert points(first.score) == Fraction("2.5")
    assert first.change is not None
    assert first.change.sum == 250 - (64 + 76 + 85)  # 100, 200 and 300 above


def test_of_a_zero_points_alone_are_enough_and_of_a_half_point_they_are_not() -> None:
    """Who has zero lost every game; of half a point (too few by 8.21 of 2009) nobody knows who gave it."""
    totals = ["2000:3.5", "1900:2.5", "1800:2", "1700:2", "-:0"]
    by_points, by_rows = (
        rated(totals, "fide-2017").players[0].change,
        rated(ROWS, "fide-2017").players[0].change,
    )
    assert by_points is not None
    assert by_rows is not None
    assert (by_points.sum, by_points.change) == (by_rows.sum, by_rows.change)
    with pytest.raises(BadInput, match="round-robin-rows-needed"):
        rated(["2000:3.5", "1900:2.5", "1800:2", "1700:1.5", "-:0.5"], "fide-2009")


GUIDE = ["1800:x101=", "1700:0x=1=", "1600:1=x01", "1500:001x1", "-:==00x"]


def test_the_guide_makes_a_tranche_of_a_short_round_robin() -> None:
    """Four games against the rated, 1 point of 4: average 1650, p .25, dp -193 x 4/5 = -154.4: 1495.6 (fsi-2012).

    By 8.3 of 2012 the tournament's own procedure: Rar 1650; p .63 .5 .63 .5 (2.5, 2, 2.5 and 2 of 4): dpa
    (95 + 0 + 95 + 0)/4 = 47.5; Ra = 1650 - 47.5 x 4/5 = 1612; Ru = 1612 - 193 x 4/5 = 1457.6, rounded 1458.
    """
    guide, fide = (rated(GUIDE, name).players[4] for name in ("fsi-2012", "fide-2012"))
    assert guide.entry is not None
    assert (guide.entry.rating, guide.entry.reason, guide.entry.games) == (None, "too-few-games", 4)
    assert guide.entry.computed == 1496
    assert fide.unrated is not None
    assert (fide.unrated.rc, fide.unrated.ru_new) == (1612, 1458)
    with pytest.raises(BadInput, match="round-robin-rows-needed"):
        rated(["1800:3", "1700:2", "1600:2.5", "-:1.5", "-:1"], "fsi-2012")


def test_the_guides_round_robin_of_ten_with_four_rated_is_listed_at_once() -> None:
    """Four of ten, nine games: Rar (1600 + 1500 + 1400 + 1300)/4 = 1450; all rated on 4.5: dpa 0, Ra 1450.

    Six points are three half points above 4.5: 1450 + 45 = 1495. Three points: p .33, dp -125 x 9/10: 1337.5, up.
    """
    players = ["1600:4.5", "1500:4.5", "1400:4.5", "1300:4.5", *["-:6", "-:3"] * 3]
    found = rated(players, "fsi-2012")
    assert found.table.ra == 1450
    entries = [p.entry for p in found.players if p.entry is not None]
    assert [(entry.rating, entry.reason) for entry in entries] == [
        (1495, "published"),
        (1338, "published"),
    ] * 3
    assert found.findings == ()


def test_double_round_robin() -> None:
    """Reading 14: n is players less one, p and bonus run over all games; x stands once or twice."""
    rows = ["2000:x 11 1= 11 11 11", "1900:00x 1= 11 == 11", "1800:0= 0= xx 1= == 10", "1700:000000x1=11"]
    rows += ["-:00 == == 0= x 11", "-:00 00 01 00 00 x"]
    rows[2] = "1800:0= 0= xx == == 10"
    rows[3] = "1700:00 00 == x 1= 11"
    found = rated(rows, "fide-2017", cycles=2)
    assert found.table.games == 10
    fifth = found.players[4]
    # 0 + 1 + 1 + .5 + 2 = 4.5 of 10, p .45, dp -36 x 5/6 = -30
    assert (points(fifth.score), fifth.p, fifth.dp) == (Fraction("4.5"), 45, -36)
    assert fifth.unrated is not None
    assert fifth.unrated.ru == fifth.unrated.rc - 30
    first = found.players[0]
    assert first.change is not None
    assert len(first.change.games) == 10
    # 9.5 of 10 against 1900, 1800, 1700, twice each, and the two unrated
    assert points(first.score) == Fraction("9.5")


@pytest.mark.parametrize(
    "edition", [item.id for item in CHESS_EDITIONS if item.on(ListName.STANDARD).round_robin_entry]
)
def test_the_calculator_gives_what_rating_a_report_gives(edition: str) -> None:
    """Round robins of seven, at random: the same ratings, changes and entry ratings as `arpad rate`."""
    luck = random.Random(edition)  # noqa: S311  the same games every time
    for _ in range(5):
        ratings = [luck.choice([0, 0, luck.randrange(1300, 2600)]) for _ in range(3)]
        ratings += [luck.randrange(1300, 2600) for _ in range(4)]
        cells: list[list[str]] = [["x"] * 7 for _ in range(7)]
        for one in range(7):
            for other in range(one):
                cells[one][other] = luck.choice("1=0")
                cells[other][one] = {"1": "0", "0": "1", "=": "="}[cells[one][other]]
        if 0 not in ratings:
            ratings[0] = 0
        found = rated(
            [f"{r or '-'}:{''.join(row)}:20" for r, row in zip(ratings, cells, strict=True)], edition
        )
        report = chess_report(_report(ratings, cells), first_day=chess_edition(edition).effective)
        known = {str(n): KnownPlayer(k=20) for n in range(1, 8)}
        other_way = rate(report, facts=EventFacts(players=known), edition=chess_edition(edition))
        for mine, theirs in zip(found.players, other_way.players, strict=True):
            assert (mine.change and mine.change.change) == (theirs.change and theirs.change.change)
            if mine.entry is not None:
                assert theirs.initial is not None
                assert (mine.entry.rating, mine.entry.computed) == (
                    theirs.initial.rating,
                    theirs.initial.computed,
                )


def _report(ratings: list[int], cells: list[list[str]]) -> str:
    """The table as a report of seven rounds, by the circle method with a bye."""
    seats = [*range(7), None]
    columns: list[list[str]] = [[] for _ in range(7)]
    for _ in range(7):
        for one, other in zip(seats[:4], seats[:3:-1], strict=True):
            if one is None or other is None:
                columns[one if one is not None else other or 0].append(".Z")
            else:
                columns[one].append(f"{other + 1}w{cells[one][other]}")
                columns[other].append(f"{one + 1}b{cells[other][one]}")
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return "\n".join(f"{n + 1} {ratings[n]} | {' '.join(columns[n])}" for n in range(7))


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (["2000:1", "-:0"], "round-robin-players"),
        (["2000:2", "1900:1", "1800:0"], "round-robin-all-rated"),
        (["-:2", "-:1", "-:0"], "round-robin-none-rated"),
        (["2000:2", "1900:2", "-:0"], "round-robin-sum"),
        (["2000:3", "1900:0", "-:0"], "round-robin-points"),
        (["2000:2", "1900:2", "1800:2", "1700:0", "1600:0", "-:9"], "round-robin-points"),
        (["2000:4", "1900:4", "1800:1", "1700:1", "-:0"], "round-robin-impossible"),
        (["2000:x11", "1900:0x1", "-:1=x"], "round-robin-contradiction"),
        (["2000:x1", "1900:0x1", "-:00x"], "round-robin-row"),
        (["2000:1x1", "1900:0x1", "-:00x"], "round-robin-row"),
        (["2000", "1900:1", "-:0"], "bad-form"),
        (["4001:2", "1900:1", "-:0"], "out-of-range"),
        (["2000:2:101", "1900:1", "-:0"], "out-of-range"),
        (["2000:two", "1900:1", "-:0"], "bad-score"),
        (["20x:2", "1900:1", "-:0"], "not-a-number"),
    ],
)
def test_what_cannot_be_a_round_robin_is_refused_in_one_sentence(players: list[str], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        rated(players, "fide-2017")
    assert refused.value.code == code
    for language in ("it", "en"):
        assert load_words(language).error(refused.value)


@pytest.mark.parametrize("edition", ["fide-2022", "fide-2024", "fide-2025"])
def test_editions_without_these_articles_say_so(edition: str) -> None:
    with pytest.raises(BadInput) as refused:
        rated(EXAMPLE, edition)
    said = load_words("en").error(refused.value)
    assert edition in said
    assert refused.value.code == "no-round-robin-articles"


def test_a_field_with_too_few_rated_players_is_worked_out_and_said_to_be_wrong() -> None:
    """6.2 and 6.21 of 2017: a third, and in a field of fewer than ten at least four."""
    found = rated(["2000:2", "-:1", "-:0"], "fide-2017")
    assert {(finding.code, finding.article) for finding in found.findings} == {
        ("round-robin-small-few-rated", "6.21")
    }


def test_the_library_takes_players_as_pairs_or_with_k() -> None:
    field = [
        (2600, 8),
        (2500, 7),
        (None, 7),
        (2400, 6),
        (None, 6),
        (2150, 4),
        (2300, 3),
        (None, 2),
        (None, 1),
    ]
    found = arpad.rate_round_robin([*field, (2300, "1", 30)], edition="fide-2009")
    assert [player.ru_new for player in found.players if player.ru_new] == [2423, 2393, 2144, 2006]
    assert found.players[9].change == Fraction("-96.3")


EXAMPLE_OPTIONS = [part for text in EXAMPLE for part in ("--player", text)]


def test_the_command_gives_the_printed_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "calc", "round-robin", "--edition", "fide-2009", *EXAMPLE_OPTIONS)
    assert (found["schema"], found["edition"]) == ("arpad.calc-round-robin/1", "fide-2009")
    assert (found["rar"], found["dpa"], found["ra"]) == ("2375", "29.5", 2348)
    players = {player["name"]: player for player in found["players"]}
    assert players["A"]["change"] == "12.8"
    assert players["F"]["expected"] == "2.55"
    assert [players["I"][name] for name in ("rc", "ru", "rc_new", "ru_new", "p", "dp")] == [
        2348, 2032, 2322, 2006, "0.11", -351,
    ]  # fmt: skip
    assert players["I"]["initial"]["rating"] == 2006
    assert "9/10" in players["I"]["steps"][1]["text"]
    for language, word in (("it", "media del torneo"), ("en", "average of the tournament")):
        status, out, _ = run(
            capsys, "calc round-robin --edition fide-2009", *EXAMPLE_OPTIONS, "--lang", language
        )
        assert status == 0
        assert word in out


def test_the_command_refuses_and_warns(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "calc", "round-robin", "--edition", "fide-2024", *EXAMPLE_OPTIONS, "--lang", "en")
    assert said.startswith("the edition fide-2024 has no articles of its own for round robins")
    assert "RATING" in refusal(capsys, "calc", "round-robin", "--lang", "en")
    beyond = ("--counted-before", "11")
    assert "counted-before" in refusal(
        capsys, "calc", "round-robin", *EXAMPLE_OPTIONS, *beyond, "--lang", "en"
    )
    status, out, _ = run(capsys, "calc round-robin --player 2000:2 --player -:1 --player 1900:0 --lang en")
    assert status == 1
    assert "6.21" in out


def test_who_has_an_earlier_event_is_not_removed_for_a_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """p .00, dp -800 x 4/5 below the average of the tournament."""
    options = [part for text in ROWS for part in ("--player", text)]
    found = run_json(capsys, "calc round-robin --edition fide-2017", *options, "--counted-before", "5")
    last = found["players"][4]
    assert (last["removed"], last["dp"], last["ru"]) == (False, -800, found["ra"] - 640)
