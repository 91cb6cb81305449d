"""Rating a report: which games count, the round-robin procedure in a file, lists, facts, stages, the page."""

import csv
import io
import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.rating.context import ListedRating
from arpad.rating.preview import RatedReport, rate
from arpad.regulations.calendar import list_in_force
from arpad.regulations.editions import chess_edition
from arpad.reports.event_facts import EventFacts, KnownPlayer, read_facts
from arpad.reports.formats import read_report, write_report
from arpad.reports.formats.trf_map import TrfMap
from arpad.reports.report import FileMap
from arpad.reports.stages import merge_stages
from tests.builders.chess import report as chess_report
from tests.commands import refusal, run, run_json


@pytest.fixture(scope="module")
def examples() -> Any:
    with as_file(files("arpad") / "examples") as folder:
        yield folder


def codes(rated: RatedReport) -> set[str]:
    return {finding.code for finding in rated.findings}


def reasons(rated: RatedReport, place: int) -> list[str]:
    return [game.reason for game in rated.players[place].games]


# ------------------------------------------------------------------------------------- example 8.58 as a TRF


def test_8_58_as_a_report(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rate", str(examples / "round-robin.trf"), "--json")
    document = json.loads(out)
    assert (document["schema"], document["edition"]) == ("arpad.rate/1", "fide-2009")
    assert (document["format"], document["treated_as"]) == ("round-robin", "round-robin")
    players = {player["number"]: player for player in document["players"]}
    entries = {number: player["initial"]["rating"] for number, player in players.items() if player["initial"]}
    assert entries == {3: 2423, 5: 2393, 8: 2144, 9: 2006}
    expected = {number: player["expected"] for number, player in players.items() if player["rating"]}
    assert expected == {1: "7.36", 2: "6.48", 4: "5.4", 6: "2.55", 7: "4.21", 10: "4.21"}
    # With the K of 8.56 (10 and 15), as the regulation would have it.
    changes = {number: player["change"] for number, player in players.items() if player["rating"]}
    assert changes == {1: "6.4", 2: "5.2", 4: "6", 6: "21.75", 7: "-18.15", 10: "-48.15"}
    assert all(game["rated"] for player in document["players"] for game in player["games"])
    assert status in (0, 1)


def test_8_58_with_the_k_of_its_column(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = tmp_path / "facts.toml"
    k = {1: 20, 2: 20, 4: 20, 6: 30, 7: 30, 10: 30}
    facts.write_text(
        "".join(f"[players.{number}]\nk = {value}\n" for number, value in k.items()), encoding="utf-8"
    )
    _, out, _ = run(capsys, "rate", str(examples / "round-robin.trf"), "--facts", str(facts), "--json")
    players = {player["number"]: player for player in json.loads(out)["players"]}
    assert {n: players[n]["change"] for n in k} == {
        1: "12.8", 2: "10.4", 4: "12", 6: "43.5", 7: "-36.3", 10: "-96.3",
    }  # fmt: skip


def test_explain_in_words(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = str(examples / "round-robin.trf")
    for asked in ("9", "800209", "imbriani", "Ines Imbriani"):
        status, out, _ = run(capsys, "explain", report, asked, "--lang", "it")
        assert status == 0
        assert "Rc (nuovo) = 2322" in out
        assert "2006" in out
    assert "several" in refusal(capsys, "explain", str(examples / "open.trf"), "l", "--lang", "en")
    assert "Nobody" in refusal(capsys, "explain", report, "Nobody", "--lang", "en")
    document = run_json(capsys, "explain", report, "6")
    assert document["player"]["games"][0]["steps"][0]["article"] == "8.51"


# ---------------------------------------------------------------------------------------- which games count

SWISS = """
1 2000 | 2w1 3b1 4w=
2 1900 | 1b0 4w1 3b+
3    0 | 4b1 1w0 2w-
4 1800 | 3w0 2b0 1b=
"""


def test_swiss_counts_games_between_rated_players() -> None:
    rated = rate(chess_report(SWISS), edition=chess_edition("fide-2017"))
    assert (rated.kind, rated.treated_as) == (EventKind.ROUND_ROBIN, EventKind.SWISS)
    assert reasons(rated, 0) == ["", "unrated-opponent", ""]
    assert reasons(rated, 1) == ["", "", "unplayed"]
    assert reasons(rated, 2) == ["", "", "unplayed"]
    # 2000 beats 1900 (.64) and draws with 1800 (.76): +.36 -.26 = .10, K 20: +2.
    change = rated.players[0].change
    assert change is not None
    assert (change.change, change.new_rating) == (Fraction(2), 2002)
    # The newcomer: 1 of 2 against 1800 and 2000, hence 1900, but only two games.
    initial = rated.players[2].initial
    assert initial is not None
    assert (initial.rating, initial.computed, initial.reason, initial.games) == (
        None,
        1900,
        "too-few-games",
        2,
    )
    articles = {game.reason: game.article for player in rated.players for game in player.games if game.reason}
    assert articles == {"unrated-opponent": "8.52", "unplayed": "5.1"}


def test_a_complete_round_robin_takes_the_unrated_in() -> None:
    """Five players, one unrated with 2 of 4: Ra = mean of the rated - dpa x 4/5, and everybody gets all games.

    Scores 3 2 2 1 of the rated: p .75 .50 .50 .25, dpa 0; Rar = (2100+2000+1900+1800)/4 = 1950 = Ra = Ru.
    """
    table = """
1 2100 | 2w1 3b1 4w1 5b0 .Z
2 2000 | 1b0 5w1 .Z  3w1 4b0
3 1900 | 4b1 1w0 5b1 2b0 .Z
4 1800 | 3w0 .Z  1b0 .Z  2w1
5    0 | .Z  2b0 3w0 1w1 .Z
"""
    report = chess_report(table)
    assert rate(report, edition=chess_edition("fide-2017")).treated_as == EventKind.SWISS, "4 and 5 never met"
    whole = table.replace("4 1800 | 3w0 .Z  1b0 .Z  2w1", "4 1800 | 3w0 5b0 1b0 .Z  2w1").replace(
        "5    0 | .Z  2b0", "5    0 | 4w1 2b0"
    )
    whole = whole.replace("4 1800 | 3w0 5b0 1b0 .Z  2w1", "4 1800 | 3w0 .Z  1b0 5b0 2w1").replace(
        "5    0 | 4w1 2b0 3w0 1w1 .Z", "5    0 | .Z  2b0 3w0 4w1 1w1"
    )
    whole = whole.replace("1 2100 | 2w1 3b1 4w1 5b0 .Z", "1 2100 | 2w1 3b1 4w1 .Z  5b0")
    rated = rate(chess_report(whole), edition=chess_edition("fide-2017"))
    assert (rated.kind, rated.treated_as) == (EventKind.ROUND_ROBIN, EventKind.ROUND_ROBIN)
    assert rated.round_robin is not None
    assert (rated.round_robin.ra, rated.round_robin.entries[5].ru_new) == (1950, 1950)
    assert [game.opponent_rating for game in rated.players[0].games if game.rated][-1] == 1950
    assert rate(chess_report(whole), edition=chess_edition("fide-2022")).treated_as == EventKind.SWISS


def test_a_zero_scorer_leaves_with_his_games() -> None:
    table = """
1 2000 | 4w1 2b1 3w1
2 2000 | 3w1 1w0 4b1
3 2000 | 2b0 4w1 1b0
4    0 | 1b0 3b0 2w0
"""
    rated = rate(chess_report(table), edition=chess_edition("fide-2017"))
    assert rated.round_robin is not None
    assert rated.round_robin.ignored == (4,)
    assert reasons(rated, 0) == ["ignored-newcomer", "", ""]
    initial = rated.players[3].initial
    assert initial is not None
    assert (initial.rating, initial.reason) == (None, "first-event-score")
    known = EventFacts(players={"4": KnownPlayer(counted_before=True)})
    again = rate(chess_report(table), edition=chess_edition("fide-2017"), facts=known)
    assert again.round_robin is not None
    assert again.round_robin.ignored == ()
    assert reasons(again, 0) == ["", "", ""]


MATCH = """
1 2000 | 2w1 2b1 2w1 2b0 2w0
2 1900 | 1b0 1w0 1b0 1w1 1b1
"""


def test_a_match_counts_until_it_is_decided() -> None:
    rated = rate(chess_report(MATCH), edition=chess_edition("fide-2017"), facts=EventFacts(match_games=4))
    assert rated.kind == EventKind.MATCH
    assert reasons(rated, 0) == ["", "", "", "match-decided", "match-decided"]
    assert rated.players[0].games[3].article == "6.5"
    unknown = rate(chess_report(MATCH), edition=chess_edition("fide-2017"))
    assert reasons(unknown, 0) == [""] * 5


def test_a_match_with_an_unrated_player_is_not_rated() -> None:
    rated = rate(chess_report(MATCH.replace("2 1900", "2 0")), edition=chess_edition("fide-2017"))
    assert set(reasons(rated, 0)) == {"match-unrated"}
    assert rated.players[0].games[0].article == "6.6"
    initial = rated.players[1].initial
    assert initial is not None
    assert (initial.rating, initial.reason) == (None, "no-games")


def test_contradictory_results_do_not_count() -> None:
    rated = rate(
        chess_report(SWISS.replace("2 1900 | 1b0", "2 1900 | 1b1")), edition=chess_edition("fide-2017")
    )
    assert reasons(rated, 0)[0] == "contradiction"
    assert reasons(rated, 1)[0] == "contradiction"


def test_the_gap_rule_of_rapid() -> None:
    table = "1 2650 | 2w1 3b1\n2 2000 | 1b0 3w=\n3 2200 | 2b= 1w0"
    rapid = EventFacts(list=ListName.RAPID)
    rated = rate(
        chess_report(table, time_control="15+10"), edition=chess_edition("fide-2024-12"), facts=rapid
    )
    assert reasons(rated, 0) == ["too-far", ""]
    assert rated.players[0].games[0].article == "RB 7.3.1"
    change = rated.players[0].change
    assert change is not None
    assert change.change == Fraction(10 * 8, 100)


def test_time_is_judged_game_by_game_from_2024() -> None:
    table = "1 2450 | 2w1 .Z 3b1\n2 2000 | 1b0 3w= .Z\n3 1900 | .Z 2b= 1w0\n4 1700 | .Z .Z .Z"
    rated = rate(chess_report(table, time_control="90+0"), edition=chess_edition("fide-2024"))
    assert reasons(rated, 0) == ["too-fast", "bye", "too-fast"]
    assert reasons(rated, 1) == ["too-fast", "", "bye"]


# ------------------------------------------------------------------------------- edition, list, ratings, K


def test_the_first_day_decides_the_edition() -> None:
    for day, name in (
        (date(2010, 1, 1), "fide-2009"),
        (date(2018, 1, 1), "fide-2017"),
        (date(2025, 11, 1), "fide-2025"),
    ):
        rated = rate(chess_report(SWISS, first_day=day))
        assert rated.edition is not None
        assert rated.edition.id == name


def test_without_a_day_or_before_the_first_edition_there_is_still_a_preview() -> None:
    for day, code in ((None, "no-first-day"), (date(2005, 8, 1), "before-first-edition")):
        rated = rate(chess_report(SWISS, first_day=day))
        assert rated.edition is None
        assert code in codes(rated)
        assert set(reasons(rated, 0)) == {"no-edition"}
        preview = rate(chess_report(SWISS, first_day=day), edition=chess_edition("fide-2009"))
        assert preview.players[0].change is not None
    assert "no-first-day" in codes(
        rate(chess_report(SWISS, first_day=None), edition=chess_edition("fide-2009"))
    )


def test_the_time_control_decides_the_list() -> None:
    for control, on_list in (
        ("90+30", ListName.STANDARD),
        ("15+10", ListName.RAPID),
        ("3+2", ListName.BLITZ),
    ):
        assert rate(chess_report(SWISS, time_control=control)).on_list == on_list
    rated = rate(
        chess_report(SWISS, first_day=date(2010, 1, 1), time_control="15+10"),
        facts=EventFacts(list=ListName.RAPID),
    )
    assert "no-such-list-yet" in codes(rated)
    assert rated.edition is None


def test_the_list_in_force_wins_over_the_report() -> None:
    listed = {"9001": ListedRating(2050, 10), "9002": ListedRating(1900, 40), "9003": ListedRating(1700, 20)}
    rated = rate(chess_report(SWISS), edition=chess_edition("fide-2017"), listed=listed)
    assert [player.rating for player in rated.players] == [2050, 1900, 1700, None]
    assert [player.k for player in rated.players] == [10, 40, 20, None]
    found = {(finding.code, finding.player) for finding in rated.findings}
    assert {("rating-differs", 1), ("rating-only-listed", 3), ("not-on-the-list", 4)} <= found


@pytest.mark.parametrize(
    ("edition", "ratings", "ks"), [("fide-2024", [2050, 1900], [20, 40]), ("none", [2050, None], [20, None])]
)
def test_who_has_no_rapid_rating_plays_with_the_standard_one_and_the_k_of_a_newcomer(
    edition: str, ratings: list[int | None], ks: list[int | None]
) -> None:
    """Reading 41, on a file with the lists side by side; nothing is assumed about his games here, there were none."""
    rules = chess_edition("fide-2024")
    if edition == "none":
        lists = {name: replace(on, entry_takes_standard=None) for name, on in rules.lists.items()}
        rules = replace(rules, lists=lists)
    listed = {
        "9001": ListedRating(2000, 20, quick={ListName.RAPID: (2050, 20)}),
        "9002": ListedRating(1900, 20, quick={ListName.RAPID: (None, None)}),
    }
    match = chess_report("1 2050 | 2w1\n2 1900 | 1b0", first_day=date(2024, 5, 10), time_control="15+10")
    rated = rate(match, edition=rules, listed=listed)
    assert rated.on_list == ListName.RAPID
    assert [player.rating for player in rated.players] == ratings
    assert [player.k for player in rated.players] == ks
    assert ("match-with-unrated" in codes(rated)) == (None in ratings)
    assert "k-assumed" not in codes(rated)


@pytest.mark.parametrize(("on_list", "k"), [("rapid", 40), ("standard", 10)])
def test_a_standard_rating_of_2500_brings_no_k_of_10_to_a_rapid_event(on_list: str, k: int) -> None:
    """K 10 needs 2400 on the list itself; 2500 draws with 2500: no change, K 40."""
    listed = {
        "9001": ListedRating(2500, None, quick={ListName.RAPID: (2500, 10)}),
        "9002": ListedRating(2500, None, quick={ListName.RAPID: (None, None)}),
    }
    report = chess_report("1 2500 | 2w=\n2 2500 | 1b=", first_day=date(2024, 5, 10))
    facts = EventFacts(list=ListName(on_list))
    rated = rate(report, facts=facts, edition=chess_edition("fide-2024"), listed=listed)
    assert (rated.players[1].rating, rated.players[1].k) == (2500, k)


def test_the_sender_can_say_that_a_rating_is_the_standard_one() -> None:
    report = chess_report("1 2500 | 2w=\n2 2500 | 1b=", first_day=date(2024, 5, 10))
    facts = read_facts('list = "rapid"\n[players.2]\nfrom_standard = true\n')
    rated = rate(report, facts=facts, edition=chess_edition("fide-2024"))
    assert [player.k for player in rated.players] == [10, 40]
    assert [player.steps[0].quantity for player in rated.players] == ["k-top", "from-standard"]


@pytest.mark.parametrize(
    ("told", "listed", "code"),
    [(2000, 2050, "rating-differs"), (2000, None, "rating-only-told"), (None, 2050, "rating-only-listed")],
)
def test_how_list_and_report_differ_is_said_in_words(told: int | None, listed: int | None, code: str) -> None:
    report = chess_report(SWISS)
    first, *others = report.entrants
    report = replace(report, entrants=(replace(first, rating=told), *others))
    rated = rate(report, edition=chess_edition("fide-2017"), listed={"9001": ListedRating(listed, 20)})
    assert [found.code for found in rated.findings if found.player == 1] == [code]


@pytest.mark.parametrize(("file", "column"), [(TrfMap(()), 49), (FileMap(), None)])
def test_a_rating_has_a_column_only_where_the_file_has_columns(file: FileMap, column: int | None) -> None:
    report = chess_report(SWISS)
    lines = tuple(replace(entrant, line=7) for entrant in report.entrants)
    rated = rate(replace(report, entrants=lines, file_map=file), listed={"9001": ListedRating(2050, 10)})
    places = {(found.line, found.column) for found in rated.findings if found.code == "rating-differs"}
    assert places == {(7, column)}


def test_k_is_taken_at_the_list_that_opens_the_period() -> None:
    assert list_in_force(date(2018, 4, 28), chess_edition("fide-2017").on(ListName.STANDARD)) == date(
        2018, 4, 1
    )
    assert list_in_force(date(2010, 8, 31), chess_edition("fide-2009").on(ListName.STANDARD)) == date(
        2010, 7, 1
    )
    # Eighteen on 2 April 2018: still a junior on the list of 1 April that was in force on 28 April.
    known = EventFacts(players={"1": KnownPlayer(born=date(2000, 4, 2)), "2": KnownPlayer(games=12)})
    rated = rate(chess_report(SWISS), facts=known)
    assert [player.k for player in rated.players] == [40, 40, None, 20]
    assert "k-assumed" in codes(rated)


def test_ratings_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, _ = write_report(chess_report(SWISS), "trf16")
    report = tmp_path / "swiss.trf"
    report.write_bytes(data)
    ratings = tmp_path / "list.csv"
    ratings.write_text(
        "id,name,rating,k\n9001,Player 1,2050,10\n9009,Player 3,1700,20\n9002,Somebody Else,1900,20\n"
    )
    _, out, _ = run(capsys, "rate", str(report), "--ratings", str(ratings), "--json", "--lang", "en")
    document = json.loads(out)
    assert [player["rating"] for player in document["players"]] == [2050, 1900, None, None]
    said = {(item["code"], item["player"]): item["message"] for item in document["findings"]}
    assert "9009" in said["id-proposed", 3], "proposed, never matched in silence"
    assert "Somebody Else" in said["id-of-another", 2]
    assert {item["column"] for item in document["findings"] if item["code"] == "id-proposed"} == {58}
    sheet = tmp_path / "swiss.csv"
    sheet.write_bytes(write_report(chess_report(SWISS), "crosstable")[0])
    _, out, _ = run(capsys, "rate", str(sheet), "--ratings", str(ratings), "--json")
    proposed = [item for item in json.loads(out)["findings"] if item["code"] == "id-proposed"]
    assert [item["column"] for item in proposed] == [19], "where the id begins in its line of the sheet"
    broken = tmp_path / "broken.csv"
    broken.write_text("id,rating\n9001,high\n")
    assert "line 2" in refusal(capsys, "rate", str(report), "--ratings", str(broken), "--lang", "en")
    assert "nowhere.txt" in refusal(capsys, "rate", str(report), "--ratings", "nowhere.txt", "--lang", "en")


def test_a_combined_list_gives_the_ratings_of_the_events_own_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rapid event by its time control: rapid ratings; who has none takes part with the standard one (RB 7.2.1).

    Without a rating he has no games on that list, so his K is that of a new player, as the list itself will take it.
    """
    data, _ = write_report(chess_report(SWISS, first_day=date(2024, 5, 4), time_control="15+10"), "trf16")
    report, ratings = tmp_path / "rapid.trf", tmp_path / "list.csv"
    report.write_bytes(data)
    rows = (
        "id,rating,k,rapid,rapid_k",
        "9001,2000,20,2222,10",
        "9002,1900,20,,",
        "9003,,,1500,40",
        "9004,1800,20,1700,20",
    )
    ratings.write_text("\n".join(rows), encoding="utf-8")
    _, out, _ = run(capsys, "rate", str(report), "--ratings", str(ratings), "--json")
    document = json.loads(out)
    assert document["list"] == "rapid"
    assert [player["rating"] for player in document["players"]] == [2222, 1900, 1500, 1700]
    assert [player["k"] for player in document["players"]] == [10, 40, 40, 20]


def test_rapid_from_january_2012_on() -> None:
    rated = rate(chess_report(SWISS, first_day=date(2012, 3, 3), time_control="25+10"))
    assert rated.edition is not None
    assert (rated.edition.id, rated.on_list) == ("fide-2012", ListName.RAPID)
    assert "k-assumed" not in codes(rated), "K is 20 for all"


def test_the_wrong_list_declared_is_found() -> None:
    wrong = rate(chess_report(SWISS, time_control="15+10"), facts=EventFacts(list=ListName.STANDARD))
    assert "wrong-list" in codes(wrong)
    assert "wrong-list" not in codes(rate(chess_report(SWISS, time_control="15+10")))


def test_deviations_from_the_laws_are_not_allowed_in_2017() -> None:
    deviating = EventFacts(deviations=True, deviations_approved=True)
    assert "deviations-not-allowed" in codes(rate(chess_report(SWISS), facts=deviating))
    assert "deviations-not-allowed" not in codes(
        rate(chess_report(SWISS, first_day=date(2010, 1, 1)), facts=deviating)
    )


def test_everybody_removed_is_no_round_robin_any_more() -> None:
    """Two first-timers, one beats only the other: both are removed one after the other, and one player is left."""
    table = "1 2000 | 2w1 3b1 .Z\n2 0 | 1b0 .Z 3w1\n3 0 | .Z 1w0 2b0"
    rated = rate(chess_report(table), edition=chess_edition("fide-2017"))
    assert rated.round_robin is not None
    assert rated.round_robin.ignored == (3, 2)
    assert reasons(rated, 0) == ["ignored-newcomer", "ignored-newcomer", "bye"]
    removed = {finding.player for finding in rated.findings if finding.code == "first-event-removed"}
    assert removed == {2}, "the check has named 3 already"


def test_what_a_preview_assumes_is_said() -> None:
    by_year = EventFacts(players={"1": KnownPlayer(born=2000)})
    assert "k-by-year" in codes(rate(chess_report(SWISS), facts=by_year))
    many = "\n".join(
        f"{a} 2000 | " + " ".join(f"{3 - a}{'wb'[(a + r) % 2]}=" for r in range(36)) for a in (1, 2)
    )
    rated = rate(chess_report(many))
    assert "k-reduced-alone" in codes(rated)
    assert "list-by-default" in codes(rate(chess_report(SWISS, time_control="1 min")))
    by_officer = codes(
        rate(chess_report(SWISS, time_control=""), facts=EventFacts(time_control="5 min + 3 sec"))
    )
    assert "list-assumed" in by_officer
    one_event = merge_stages([chess_report(SWISS), chess_report(SWISS, first_day=date(2018, 4, 29))])
    assert "stages-not-provided" in codes(rate(one_event))
    in_2010 = merge_stages(
        [chess_report(SWISS, first_day=date(2010, 1, 2)), chess_report(SWISS, first_day=date(2010, 1, 3))]
    )
    assert "stages-not-provided" not in codes(rate(in_2010))


# --------------------------------------------------------------------------------------------------- facts


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("registered = 2017-08-31T10:00:00", "registered"),
        ("received = 9999-12-31", "received"),
        ("registered = 0001-01-01", "registered"),
        ("[players.1]\nborn = 2001-05-31T00:00:00Z", "players.1.born"),
    ],
)
def test_a_moment_or_a_day_that_cannot_be_is_refused_in_the_facts(written: str, key: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_facts(written)
    assert (caught.value.code, caught.value.facts["key"]) == ("facts-value", key)


def test_a_report_of_a_year_nobody_lives_in_is_rated_without_its_days() -> None:
    data, _ = write_report(chess_report(SWISS, first_day=date(9999, 12, 1)), "trf16")
    report = read_report(data)
    assert report.header.first_day is None
    assert {"date-unreadable", "no-first-day"} <= codes(rate(report))


@pytest.mark.parametrize("edition", ["fide-2014", "fide-2017", "fide-2025"])
def test_a_birth_in_the_last_year_of_the_calendar_stops_nothing(edition: str) -> None:
    report = chess_report(SWISS)
    born = tuple(replace(entrant, born=date(9999, 12, 31)) for entrant in report.entrants)
    assert rate(replace(report, entrants=born), edition=chess_edition(edition)).players[0].k == 40


def test_facts_from_toml() -> None:
    facts = read_facts(
        'registered = 2018-04-01\nofficial = true\nlist = "rapid"\nmatch_games = 8\nsuspended_federations = ["XYZ"]\n'
        "[players.12]\nk = 40\nborn = 2001\naffiliated = true\n[players.9001]\nborn = 2001-05-31\n"
    )
    assert (facts.registered, facts.official, facts.list, facts.match_games) == (
        date(2018, 4, 1), True, ListName.RAPID, 8,
    )  # fmt: skip
    assert facts.player(12, "") == KnownPlayer(k=40, born=2001, affiliated=True)
    assert facts.player(1, "9001").born == date(2001, 5, 31)
    assert facts.suspended_federations == ("XYZ",)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("registered = 'soon'", "registered"),
        ("official = 1", "official"),
        ("match_games = true", "match_games"),
        ("colour = 'white'", "colour"),
        ("list = 'bullet'", "bullet"),
        ("players = 3", "players"),
        ("[players.1]\nspeed = 3", "players.1.speed"),
        ("[players]\n1 = 3", "players.1"),
        ("official = ", "TOML"),
    ],
)
def test_bad_facts_are_refused_by_name(
    text: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = write_report(chess_report(SWISS), "trf16")
    (tmp_path / "a.trf").write_bytes(data)
    (tmp_path / "facts.toml").write_text(text, encoding="utf-8")
    arguments = (str(tmp_path / "a.trf"), "--facts", str(tmp_path / "facts.toml"))
    assert part in refusal(capsys, "rate", *arguments, "--lang", "en")


# ------------------------------------------------------------------------------------- several reports, papers


def test_stages_of_one_event_are_rated_as_one() -> None:
    """Two groups side by side, then a final of the two winners: one report of four players and two rounds."""
    one = chess_report("1 2000 | 2w1\n2 1900 | 1b0")
    other = chess_report("1 1800 | 2w1\n2 1700 | 1b0")
    group_b = other.entrants[0], other.entrants[1]
    renamed = tuple(
        type(entrant)(
            entrant.number, f"Other {entrant.number}", entrant.rating, id=str(9100 + entrant.number)
        )
        for entrant in group_b
    )
    second = type(other)(other.header, renamed, other.rounds)
    final = chess_report("7 2000 | 8w=\n8 1800 | 7b=", first_day=date(2018, 4, 29))
    finalists = (
        type(one.entrants[0])(7, "Player 1", 2000, id="9001"),
        type(one.entrants[0])(8, "Other 1", 1800, id="9101"),
    )
    last = type(final)(final.header, finalists, final.rounds)
    joined = merge_stages([last, one, second])
    assert len(joined.entrants) == 4
    assert len(joined.rounds) == 2
    rated = rate(joined)
    winner = next(player for player in rated.players if player.entrant.id == "9001")
    assert [game.opponent_rating for game in winner.games] == [1900, 1800]
    assert joined.header.last_day == date(2018, 4, 29)


def test_an_opponent_who_is_not_in_his_file_stays_nobody() -> None:
    """Number 3 of the first file is nobody; in the joined report the number is taken, by somebody else."""
    one = chess_report("1 2000 | 3w1\n2 1900 | .Z")
    other = chess_report("1 1800 | 2w1\n2 1700 | 1b0")
    second = replace(
        other, entrants=tuple(replace(e, id=f"8{e.id}", name=f"B{e.number}") for e in other.entrants)
    )
    joined = merge_stages([one, second])
    assert joined.rounds[0].opponents[0] not in {entrant.number for entrant in joined.entrants}
    assert "opponent-not-in-file" in codes(rate(joined))


def test_two_lines_of_one_file_are_two_players() -> None:
    """Namesakes without id or birth, and two under one start number: nobody's games are lost."""
    one = chess_report("1 2000 | 2w1\n2 1900 | 1b0")
    namesakes = replace(one, entrants=tuple(replace(e, id="", name="Rossi, Mario") for e in one.entrants))
    other = chess_report("1 1800 | 2w1\n2 1700 | 1b0", first_day=date(2018, 5, 2))
    joined = merge_stages([namesakes, other])
    assert [entrant.name for entrant in joined.entrants] == ["Rossi, Mario"] * 2 + ["Player 1", "Player 2"]
    assert joined.rounds[0].results == "1010"
    doubled = replace(one, entrants=(one.entrants[0], replace(one.entrants[1], number=1)))
    assert merge_stages([doubled, other]).rounds[0].results[:2] == "10"


def test_several_files_at_once(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.trf").write_bytes(b"")
    names = [str(examples / "open.trf"), str(examples / "round-robin.trf"), str(tmp_path / "empty.trf")]
    status, out, _ = run(capsys, "rate", *names, "--json")
    document = json.loads(out)
    assert document["schema"] == "arpad.reports/1"
    assert [item.get("edition") for item in document["reports"]] == ["fide-2017", "fide-2009", None]
    assert "error" in document["reports"][2]
    assert status == 2
    status, out, _ = run(capsys, "rate", *names[:2], "--lang", "en")
    assert "open.trf" in out


def test_the_same_event_in_other_bytes_is_found(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Renamed, in another format and without its last round: still the same event."""
    original = examples / "open.trf"
    run(capsys, "convert", str(original), str(tmp_path / "other.csv"))
    lines = original.read_text(encoding="utf-8").splitlines()
    cut = [line[:151] if line.startswith(("001", "132")) else line for line in lines]
    (tmp_path / "cut.trf").write_text(
        "\n".join(cut).replace("Open di Primavera", "Spring Open"), encoding="utf-8"
    )
    names = [
        str(path)
        for path in (original, examples / "round-robin.trf", tmp_path / "other.csv", tmp_path / "cut.trf")
    ]
    status, out, _ = run(capsys, "check", *names, "--json")
    again = [
        [item["code"] for item in report["findings"] if item["code"] == "same-event"]
        for report in json.loads(out)["reports"]
    ]
    assert again == [[], [], ["same-event"], ["same-event"]]
    assert status == 1


def test_page_and_table(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, sheet = tmp_path / "open.html", tmp_path / "open.csv"
    report = tmp_path / "evil.trf"
    text = (examples / "open.trf").read_text(encoding="utf-8")
    report.write_text(text.replace("Quaglia, Teodoro ", "<b>Q</b> & =1+1  "), encoding="utf-8")
    status, _, err = run(
        capsys, "rate", str(report), "--html", str(page), "--csv", str(sheet), "--lang", "it"
    )
    assert (status in (0, 1), err) == (True, "")
    html = page.read_text(encoding="utf-8")
    assert "<html lang='it'>" in html
    assert "&lt;b&gt;Q&lt;/b&gt; &amp; =1+1" in html
    assert "<b>Q</b>" not in html
    assert "http" not in html
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    assert len(rows) == 15
    assert rows[7]["change_rounded"] == "47"
    blocked = refusal(capsys, "rate", str(report), "--html", str(tmp_path / "no" / "x.html"), "--lang", "en")
    assert "cannot be written" in blocked
    assert "one report" in refusal(
        capsys, "rate", str(report), str(report), "--html", str(page), "--lang", "en"
    )


def test_check_tells_findings_only(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check", str(examples / "open.trf"), "--json")
    document = json.loads(out)
    assert document["schema"] == "arpad.check/1"
    assert "players" not in document
    assert status == int(any(item["severity"] == "error" for item in document["findings"]))
    assert status == 0, "our own example is clean"
    assert run(capsys, "check", str(examples / "open.trf"), "--lang", "it")[0] == 0


def test_convert_between_formats(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(examples / "open.trf")
    for name in ("a.csv", "a.xlsx", "a.trf"):
        assert run(capsys, "convert", source, str(tmp_path / name))[0] == 0
        _, out, _ = run(capsys, "rate", str(tmp_path / name), "--json")
        changes = [player["change"] for player in json.loads(out)["players"]]
        _, out, _ = run(capsys, "rate", source, "--json")
        assert changes == [player["change"] for player in json.loads(out)["players"]], name
    assert (tmp_path / "a.trf").read_bytes() == (examples / "open.trf").read_bytes()
    assert run(capsys, "convert", "template", str(tmp_path / "t.xlsx"), "--lang", "it")[0] == 0
    assert (tmp_path / "t.xlsx").stat().st_size > 1000
    assert ".xlsx" in refusal(capsys, "convert", "template", str(tmp_path / "t.trf"), "--lang", "en")
    assert not (tmp_path / "t.trf").exists()
    assert "a.doc" in refusal(capsys, "convert", source, str(tmp_path / "a.doc"), "--lang", "en")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.trf", b""),
        ("binary.trf", bytes(range(256)) * 50),
        ("archive.zip", b"PK\x03\x04" + b"\0" * 100),
        ("utf16.trf", "001    1 m    Player".encode("utf-16")),
        ("laughs.xml", b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'),
        ("letter.txt", b"Dear arbiter, please find attached the results."),
        ("headers.trf", b"012 A tournament\n042 2018/01/01\n"),
        ("huge.trf", b"001    1\n" * 6_000_000),
    ],
)
def test_files_that_are_no_reports(
    name: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for command in ("rate", "check"):
        assert name in refusal(capsys, command, str(path), "--lang", "en")
    assert "missing.trf" in refusal(capsys, "rate", str(tmp_path / "missing.trf"), "--lang", "en")
