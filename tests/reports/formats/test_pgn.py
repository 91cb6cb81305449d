"""PGN: what counts as a move, what the tags say, and what is made of games that were not played."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.reports.formats import pgn, read_report
from arpad.reports.formats.tagpairs import format_tags, read_games
from arpad.reports.report import Entrant, Header, Report, Round
from tests.builders.random_reports import core, paired_reports
from tests.patience import comes_to_an_end
from tests.thinning import examples


def game(white: str, black: str, result: str, moves: str = "1. e4 e5", **tags: str) -> str:
    """One game as text."""
    all_tags = {"Event": "Open", "White": white, "Black": black, "Result": result, **tags}
    return format_tags(all_tags) + f"{moves} {result}\n\n"


def read(text: str) -> Report:
    return pgn.read(text.encode())


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    ("moves", "count"),
    [
        ("", 0),
        ("1. e4", 1),
        ("1. e4 e5", 2),
        ("1.e4 e5", 2),
        ("1.e4", 1),
        ("e4 e5", 2),
        ("1. e4 $1 !? ?", 1),
        ("1. e4 {a comment with e5 and (brackets) ; and [more]}", 1),
        ("1. e4 ; e5 to the end of the line\n", 1),
        ("1. e4 ; e5\n 1... c5", 2),
        ("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4)", 1),
        ("1. e4 (1. d4 {unclosed ( in a comment} d5) 1... c5", 2),
        ("\n% 1. e4 e5\n1. d4", 1),
        ("1. ... e5", 1),
        ("{only a comment}", 0),
        ("1. e4 {open", 1),
        ("1. O-O", 1),
    ],
)
def test_moves_are_counted(moves: str, count: int) -> None:
    found = list(read_games([format_tags({"Event": "x"}), moves]))
    assert [(one.moves, one.result) for one in found] == [(count, "")]


@pytest.mark.parametrize("moves", ["1. e4 e5", "1. e4", "", "1. e4 e5 2. d4 {x} exd4 ; y\n 3. c3 (3. Qxd4)"])
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_the_result_after_the_moves(moves: str, result: str) -> None:
    text = format_tags({"Event": "x"}) + moves + " " + result + "\n\n" + format_tags({"Event": "y"})
    found = list(read_games(text.splitlines(keepends=True)))
    assert [(one.tags["Event"], one.result) for one in found] == [("x", result), ("y", "")]


def test_castling_with_noughts_is_not_a_game_lost_by_both() -> None:
    (found,) = read_games([format_tags({"Event": "x"}), "1. e4 e5 2. Nf3 ; book\n 3. 0-0 ; now\n Nf6 1-0\n"])
    assert found.result == "1-0"


@pytest.mark.parametrize(
    ("white", "black", "result", "letter"),
    [
        ("A", "BYE", "1-0", "U"),
        ("bye", "A", "0-1", "U"),
        ("A", "bye", "1/2-1/2", "H"),
        ("A", "riposo", "0-1", "Z"),
        ("A", "bye", "*", "Z"),
    ],
)
@pytest.mark.parametrize("rounds", [True, False])
def test_a_bye_is_not_a_player(white: str, black: str, result: str, letter: str, rounds: bool) -> None:
    first, second = ({"Round": "1"}, {"Round": "2"}) if rounds else ({}, {})
    text = game(white, black, result, "", **first) + game("B", "bye", "1-0", "", **first)
    report = read(text + game("A", "B", "1-0", **second))
    assert [entrant.name for entrant in report.entrants] == ["A", "B"]
    assert report.rounds == (Round((0, 0), "--", f"{letter}U"), Round((2, 1), "wb", "10"))
    assert set(codes(report)) == (set() if rounds else {"pgn-no-round"})


def test_a_player_called_bye_with_an_id_or_rating_is_a_player() -> None:
    report = read(game("A", "Bye", "1-0", BlackElo="1500") + game("Bye, John", "A", "1-0"))
    assert [entrant.name for entrant in report.entrants] == ["Bye", "A", "Bye, John"]
    with pytest.raises(Unreadable):
        read(game("bye", "bye", "1-0"))


def test_games_without_moves_and_games_without_result_differ() -> None:
    tags = format_tags({"Event": "x", "White": "A"}) + format_tags({"Event": "x", "White": "B"})
    assert [one.tags["White"] for one in read_games([tags])] == ["A", "B"]


def test_places_and_escapes() -> None:
    found = list(read_games(['[Event "a \\"b\\" \\\\"]\r\n', '  [Site "c"]\r\n', "\r\n*\r\n", '[Event "d"]']))
    assert found[0].tags == {"Event": 'a "b" \\', "Site": "c"}
    assert found[0].places == {"Event": (1, 9), "Site": (2, 10)}
    assert found[1].line == 5


@given(
    st.dictionaries(
        st.text("abcXYZ_09", min_size=1, max_size=5), st.text(max_size=10), min_size=1, max_size=4
    )
)
def test_tags_there_and_back(tags: dict[str, str]) -> None:
    clean = {
        name: "".join(
            letter for letter in value if letter.isprintable() and not "\ud800" <= letter <= "\udfff"
        )
        for name, value in tags.items()
    }
    (found,) = read_games([format_tags(clean)])
    assert found.tags == clean


def test_report_from_the_tags() -> None:
    common = {"Site": "Bari", "EventDate": "2024.03.01", "TimeControl": "5400+30"}
    text = game(
        "Rossi, Ada", "Neri, Ugo", "1-0", Round="1.1", Date="2024.03.01", WhiteElo="1900", BlackElo="1800",
        WhiteFideId="900001", WhiteTitle="WFM", **common,
    )  # fmt: skip
    text += game("Neri, Ugo", "Verdi, Leo", "1/2-1/2", Round="2.1", Date="2024.03.02", **common)
    text += game("Verdi, Leo", "ROSSI  Ada", "0-1", Round="3", Date="2024.03.??", **common)
    report = read(text)
    assert report.header == Header(
        "Open", "Bari", first_day=date(2024, 3, 1), last_day=date(2024, 3, 2), coded_time_control="5400+30"
    )
    assert [(e.number, e.name, e.rating, e.id, e.title) for e in report.entrants] == [
        (1, "Rossi, Ada", 1900, "900001", "WFM"),
        (2, "Neri, Ugo", 1800, "", ""),
        (3, "Verdi, Leo", None, "", ""),
    ]
    assert report.rounds == (
        Round((2, 1, 0), "wb ", "10 ", date(2024, 3, 1)),
        Round((0, 3, 2), " wb", " ==", date(2024, 3, 2)),
        Round((3, 0, 1), "b w", "1 0"),
    )
    assert report.findings == ()
    assert report.format == "pgn"
    assert core(read_report(text.encode())) == core(report)


def test_a_game_in_which_a_side_made_no_move_is_unplayed() -> None:
    report = read(
        game("A", "B", "1-0", Round="1")
        + game("B", "A", "0-1", "", Round="2")
        + game("A", "B", "1/2-1/2", "1. e4", Round="3")
        + game("A", "B", "1-0", "", Round="4", Termination="forfeit")
        + game("A", "B", "0-0", "", Round="5")
        + game("A", "B", "1-0", Round="6", Termination="time forfeit")
    )
    assert [cells.results for cells in report.rounds] == ["10", "WL", "DD", "+-", "--", "10"]
    assert codes(report) == ["pgn-unplayed"] * 4


def test_tags_without_any_moves() -> None:
    report = read(
        game("A", "B", "1-0", "", Round="1") + game("A", "B", "1-0", "", Round="2", Termination="unplayed")
    )
    assert [cells.results for cells in report.rounds] == ["10", "WL"]
    assert codes(report) == ["pgn-tags-only"]


def test_results_that_are_none() -> None:
    report = read(game("A", "B", "*", Round="1") + game("A", "B", "won", Round="2"))
    assert [cells.results for cells in report.rounds] == ["  ", "  "]
    assert [(finding.code, finding.line) for finding in report.findings] == [
        ("pgn-unfinished", 4),
        ("pgn-result", 12),
    ]


def test_tag_and_moves_disagree() -> None:
    report = read(game("A", "B", "1-0").replace("e5 1-0", "e5 0-1"))
    assert "pgn-results-differ" in codes(report)
    assert report.rounds[0].results == "10"


def test_players_by_id_else_by_name() -> None:
    report = read(
        game("Ada", "Ugo", "1-0", Round="1", WhiteFideId="1", BlackFideId="2")
        + game("Ada", "Ada", "1-0", Round="2", WhiteFideId="1", BlackFideId="3")
        + game("Hugo", "Leo", "1-0", Round="3", WhiteFideId="2", WhiteElo="1500")
        + game("Ugo", "Leo", "1-0", Round="4", WhiteElo="1600")
        + game("Ada", "Leo", "1-0", Round="5")
    )
    assert [(e.number, e.name, e.id) for e in report.entrants] == [
        (1, "Ugo", "2"),
        (2, "Ada", ""),
        (3, "Ada", "1"),
        (4, "Ada", "3"),
        (5, "Leo", ""),
    ]
    assert [finding.player for finding in report.findings] == [1, 1, None]
    assert codes(report) == ["pgn-names-differ", "pgn-ratings-differ", "pgn-name-in-doubt"]


def test_several_events() -> None:
    text = game("A", "B", "1-0") + game("A", "B", "1-0", Event="Blitz")
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert caught.value.code == "pgn-several-events"
    assert "Open, Blitz" in load_words("en").error(caught.value)
    assert caught.value.facts["line"] == 8
    assert pgn.read(text.encode(), event="Blitz").header.name == "Blitz"
    with pytest.raises(BadInput, match="pgn-event-unknown"):
        pgn.read(text.encode(), event="Rapid")


def test_games_of_a_match_without_rounds() -> None:
    report = read(game("A", "B", "1-0") + game("B", "A", "1-0") + game("C", "D", "1-0", Round="?"))
    assert [cells.results for cells in report.rounds] == ["1010", "01  "]
    assert codes(report) == ["pgn-no-round"]
    assert report.findings[0].facts["count"] == 3


def test_two_games_a_round() -> None:
    pairs = [("A", "B", "1.1"), ("C", "D", "1.1"), ("B", "A", "1.2"), ("D", "C", "1.2"), ("A", "C", "2.1")]
    report = read("".join(game(white, black, "1-0", Round=number) for white, black, number in pairs))
    assert [cells.opponents for cells in report.rounds] == [(2, 1, 4, 3), (2, 1, 4, 3), (3, 0, 1, 0)]
    assert codes(report) == ["pgn-rounds-split"]


def test_boards_are_not_rounds() -> None:
    report = read(game("A", "B", "1-0", Round="1.1") + game("C", "D", "1-0", Round="1.2"))
    assert len(report.rounds) == 1


def test_a_player_twice_in_one_round() -> None:
    report = read(game("A", "B", "1-0", Round="1") + game("A", "C", "1-0", Round="1"))
    assert codes(report) == ["paired-twice"]
    assert report.findings[0].line == 9


played = ("10", "01", "==", "+-", "-+", "--", "WL", "LW", "DD")


@settings(max_examples=examples(40), deadline=None)
@given(paired_reports(pairs=played, byes=" "))
def test_written_and_read_again(report: Report) -> None:
    named = tuple(replace(entrant, name=f"P{entrant.number}", id="") for entrant in report.entrants)
    data, _ = pgn.write(replace(report, entrants=named))
    if not any(any(cells.opponents) for cells in report.rounds):
        return
    first = pgn.read(data)
    again, findings = pgn.write(first)
    assert core(pgn.read(again)) == core(first)
    assert findings == ()


def test_namesakes_give_findings() -> None:
    entrants = (
        Entrant(1, "Ada", id="1"),
        Entrant(2, "Ada"),
        Entrant(3, ""),
        Entrant(4, "Ugo", id="4"),
        Entrant(5, "Ugo", id="5"),
    )
    report = Report(
        Header("Open"),
        entrants,
        (Round((2, 1, 4, 3, 0), "wbwb ", "1010 "), Round((0, 0, 0, 5, 4), "   wb", "   10")),
    )
    data, findings = pgn.write(report)
    assert [(finding.code, finding.player) for finding in findings] == [
        ("lost-name", 3),
        ("lost-namesake", 2),
        ("lost-player-number", None),
    ]
    assert '[White "#3"]' in data.decode()


def test_writing_keeps_the_games() -> None:
    entrants = (
        Entrant(1, "Ada", 1900, id="900001", title="WFM", federation="ITA"),
        Entrant(2, 'Ugo "U"', None),
    )
    report = Report(
        Header("Open", "Bari", first_day=date(2024, 3, 1), last_day=date(2024, 3, 2)),
        entrants,
        (Round((2, 1), "wb", "10", date(2024, 3, 1)), Round((2, 1), "bw", "-+", date(2024, 3, 2))),
    )
    data, findings = pgn.write(report)
    assert findings == ()
    assert core(pgn.read(data)) == core(report)


def test_losses_in_pgn_give_findings() -> None:
    report = Report(
        Header("Open", chief_arbiter="Neri"),
        (Entrant(1, "A", sex="w"), Entrant(2, "B"), Entrant(3, "C")),
        (Round((2, 1, 0), "wb-", "10U"),),
    )
    assert [finding.code for finding in pgn.write(report)[1]] == [
        "lost-bye",
        "lost-chief-arbiter",
        "lost-idle-players",
        "lost-player-sex",
    ]
    for finding in pgn.write(report)[1]:
        for language in LANGUAGES:
            assert load_words(language).finding(finding)


BAD = {
    "nothing": (b"", "file-empty", None),
    "binary": (bytes(range(256)), "file-binary", 1),
    "no tags": (b"1. e4 e5 1-0\n", "pgn-no-games", 1),
    "an open tag": (b'[Event "x"]\n[White "Ada]\n', "tag-unclosed", 2),
    "no tag": (b'[Event "x"]\n[White Ada]\n', "tag-unreadable", 2),
    "nobody": (b'[Event "x"]\n[White "?"]\n[Black "A"]\n\n*\n', "pgn-no-player", 1),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    data, code, line = BAD[name]
    with pytest.raises(Unreadable) as caught:
        pgn.read(data)
    assert (caught.value.code, caught.value.facts.get("line")) == (code, line)
    for language in LANGUAGES:
        assert load_words(language).error(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '[A "',
        "(" * 10_000_000,
        "{" * 10_000_000,
        "[" * 1_000_000,
        '[E "x"]\n' + "( " * 9_000_000,
        '[E "x"]' * 2_000_000,
        '[E "x"]\n' + "a " * 4_000_000,
    ],
)
def test_huge_nonsense_is_quick(text: str) -> None:
    with comes_to_an_end(), pytest.raises(Unreadable):
        read(text)


SCRAPS = ["[", "]", '"', "\\", "White", "Black", "Result", "Round", "1-0", "*", "e4", "{", "}", "(", ")", ";", "%",
          "\n", "\r", " ", '[White "A"]', '[Black "B"]', '[Event "E"]', '[Round "1.2"]', '[Result "1-0"]', '[Date "x"]',
          '[WhiteElo "9"]', "$1", "1.", "\x00"]  # fmt: skip


def only_documented(text: str) -> None:
    try:
        report = read(text)
    except ArpadError as error:
        for language in LANGUAGES:
            load_words(language).error(error)
        return
    for finding in report.findings:
        for language in LANGUAGES:
            assert load_words(language).finding(finding)
    pgn.read(pgn.write(report)[0])


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join))
def test_fuzzed_text(text: str) -> None:
    only_documented(text)


@pytest.mark.deep
@settings(max_examples=10_000, deadline=None)
@given(st.lists(st.sampled_from(SCRAPS), max_size=80).map("".join))
def test_fuzzed_text_at_length(text: str) -> None:
    only_documented(text)
