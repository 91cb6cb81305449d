"""Proposed corrections: exact edits for what leaves one answer only, and none where the file leaves a doubt."""

from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.checks import check_file
from arpad.checks.proposals import _PROPOSERS, correct_file, propose_for_file
from arpad.explain.words import load_words
from arpad.model.rules import Finding
from arpad.reports.formats import read_report
from arpad.reports.report import TextEdit
from tests.builders.trf import HEAD, all_meet, head, player, player_lines, read, text

ADA = {"name": "Bianchi, Ada", "rating": 2010, "id": 900001, "rank": 1}
UGO = {"name": "Verdi, Ugo", "rating": 1950, "id": 900002, "rank": 2}


def findings_of(data: bytes) -> list[Finding]:
    """Everything that reader and checks of the file find."""
    report = read_report(data, "open.trf")
    return [*report.findings, *check_file(report)]


def edits_of(*lines: str) -> dict[str, list[TextEdit]]:
    """The proposed edits by code."""
    return {proposal.finding.code: list(proposal.edits) for proposal in propose_for_file(read(*lines))}


def pair(first: str, second: str, points: tuple[str, str], **more: str) -> list[str]:
    """Two players who met once."""
    return [
        *HEAD,
        player(1, first, points=points[0], **ADA, **more),  # type: ignore[arg-type]
        player(2, second, points=points[1], **UGO),  # type: ignore[arg-type]
    ]


def test_points_become_the_sum_of_the_results() -> None:
    edits = edits_of(*pair("   2 w 1", "   1 b 0", ("0.5", "0.0")))

    assert edits == {"points-not-the-sum": [TextEdit(8, 81, " 0.5", " 1.0")]}


def test_points_that_cannot_be_read_become_the_sum() -> None:
    assert edits_of(*pair("   2 w 1", "   1 b 0", ("1,x", "0.0"))) == {
        "points-unreadable": [TextEdit(8, 81, " 1,x", " 1.0")]
    }


def test_points_that_are_all_zero_are_summed_for_everybody() -> None:
    rounds = [[(1, 2, "10"), (3, 4, "==")]]
    lines = [line[:80] + " 0.0" + line[84:] for line in player_lines(rounds, [1800] * 4)]

    (proposal,) = propose_for_file(read(*HEAD, *lines))

    assert [(edit.line, edit.new) for edit in proposal.edits] == [(8, " 1.0"), (10, " 0.5"), (11, " 0.5")]


@pytest.mark.parametrize(
    ("first", "second", "points", "edit"),
    [
        ("   2 w 1", "   1 b =", ("1.0", "0.0"), TextEdit(9, 99, "=", "0")),
        ("   2 w 1", "   1 b 1", ("0.0", "1.0"), TextEdit(8, 99, "1", "0")),
        ("   2 w +", "   1 b =", ("1.0", "0.0"), TextEdit(9, 99, "=", "-")),
    ],
)
def test_of_two_results_the_one_is_changed_that_the_points_contradict(
    first: str, second: str, points: tuple[str, str], edit: TextEdit
) -> None:
    (edits,) = edits_of(*pair(first, second, points)).values()

    assert edits == [edit]


@pytest.mark.parametrize("points", [("1.0", "0.5"), ("0.0", "0.0"), ("", "0.0")])
def test_a_contradiction_that_the_points_do_not_settle_stays(points: tuple[str, str]) -> None:
    assert edits_of(*pair("   2 w 1", "   1 b =", points)) == {}


def test_a_missing_result_is_the_mirror_of_the_opponents() -> None:
    edits = edits_of(*pair("   2 w 1", "   1 b  ", ("1.0", "0.0")))

    assert edits["result-missing"] == [TextEdit(9, 99, " ", "0")]
    assert edits_of(*pair("   2 w 1", "   1 b  ", ("1.0", "1.0"))) == {}  # the points say otherwise


def test_a_half_is_written_as_the_format_does() -> None:
    assert edits_of(*pair("   2 w ½", "   1 b =", ("0.5", "0.5"))) == {
        "result-unknown": [TextEdit(8, 99, "½", "=")]
    }


def test_an_unknown_colour_is_the_one_that_the_opponents_leaves() -> None:
    assert edits_of(*pair("   2 w 1", "   1 n 0", ("1.0", "0.0"))) == {
        "colour-unknown": [TextEdit(9, 97, "n", "b")]
    }


def test_the_cell_of_an_opponent_without_game_is_filled_in() -> None:
    lines = pair("   2 w 1", "        ", ("1.0", "0.0"))

    assert edits_of(*lines) == {"pairing-one-sided": [TextEdit(9, 95, "     ", "1 b 0")]}


def test_counts_days_and_codes_of_the_header() -> None:
    lines = (
        *("032 ita", "042 2024/03/03", "052 2024/03/01", "062 3 (2)", "072 7", "XXR 1"),
        *player_lines([[(1, 2, "10")], [(2, 1, "10")]], [1800, 1700]),
    )

    assert edits_of("012 Open", *lines) == {
        "event-federation-unknown": [TextEdit(2, 5, "ita", "ITA")],
        "cells-surplus": [TextEdit(7, 5, "1", "2")],
        "last-day-before-first": [
            TextEdit(3, 5, "2024/03/03", "2024/03/01"),
            TextEdit(4, 5, "2024/03/01", "2024/03/03"),
        ],
        "count-of-players": [TextEdit(5, 5, "3", "2")],
        "count-of-rated": [TextEdit(6, 5, "7", "2")],
    }


def test_days_are_not_swapped_if_a_round_would_lie_outside() -> None:
    days = head(first=date(2024, 3, 3), last=date(2024, 3, 1), days=[date(2024, 3, 9)])

    assert "last-day-before-first" not in edits_of(*days, *player_lines([[(1, 2, "10")]], [1800, 1700]))


def test_a_day_is_written_year_month_day() -> None:
    lines = ("042 13.03.2024", "052 14.03.2024", *player_lines([[(1, 2, "10")]], [1800, 1700]))
    report = read("012 Open", *lines)
    edits = [proposal.edits for proposal in propose_for_file(report)]

    assert edits[0] == (TextEdit(2, 5, "13.03.2024", "2024/03/13"),)
    assert len(edits) == 2


def test_a_quoted_number_and_a_small_federation() -> None:
    edits = edits_of(*pair("   2 w 1", "   1 b 0", ("1.0", "0.0"), federation="ita"))
    assert edits == {"federation-unknown": [TextEdit(8, 54, "ita", "ITA")]}

    quoted = [
        line.replace("     900002", "   '900002'") for line in pair("   2 w 1", "   1 b 0", ("1.0", "0.0"))
    ]
    assert edits_of(*quoted) == {"id-quoted": [TextEdit(9, 58, "   '900002'", "     900002")]}


def test_a_count_stays_if_a_player_line_may_be_lost() -> None:
    lines = ["012 Open", "062 3", *player_lines([[(1, 2, "10")]], [1800, 1700])]
    lines[2] = lines[2].replace("   2 w 1", "   3 w 1")

    assert "count-of-players" not in edits_of(*lines)


def test_every_correction_has_words_in_every_language() -> None:
    for language in ("it", "en", "fr"):
        words = load_words(language)
        assert [code for code in sorted(_PROPOSERS) if not words.has(f"proposal.{code}")] == []


# ------------------------------------------------------------------------------------------------- properties

BREAKS = ("points", "result", "count", "days", "blank", "all-zero", "federation")


def broken(lines: list[str], kind: str, place: int) -> list[str]:
    """Return the lines of a right file with one mechanical mistake."""
    first = next(index for index, line in enumerate(lines) if line.startswith("001"))
    index = first + place % (len(lines) - first)
    line = lines[index]
    match kind:
        case "points":
            lines[index] = line[:80] + " 9.5" + line[84:]
        case "result":
            lines[index] = line[:98] + ("0" if line[98] in "1=" else "=") + line[99:]
        case "blank":
            lines[index] = line[:91] + " " * 8 + line[99:]
        case "federation":
            lines[index] = line[:53] + "ita" + line[56:]
        case "all-zero":
            lines[first:] = [line[:80] + " 0.0" + line[84:] for line in lines[first:]]
        case "count":
            lines[1:1] = ["062 77", "072 66"]
        case _:
            lines[1:1] = ["042 2024/03/09", "052 2024/03/01"]
    return lines


@given(
    st.integers(3, 8), st.sampled_from(BREAKS), st.integers(0, 9), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]), st.data(),
)  # fmt: skip
def test_a_corrected_copy_has_no_finding_of_the_kind_and_no_new_one(
    players: int, kind: str, place: int, end: str, encoding: str, data: st.DataObject
) -> None:
    results = st.sampled_from(["10", "01", "==", "+-"])
    rounds = [
        [(white, black, data.draw(results) if black else both) for white, black, both in games]
        for games in all_meet(players)
    ]
    lines = [line.replace("Uno", "Noè") for line in player_lines(rounds, [1800] * players)]
    lines = broken(["012 Città di Forlì", *lines], kind, place)
    original = "".join(line + end for line in lines).encode(encoding)

    corrected = correct_file(original, "open.trf")
    before, after = (Counter(f.code for f in findings_of(d)) for d in (original, corrected.data))

    # the points of a wrong result may contradict the ranks, which those of the file did not
    assert set(after - before) <= ({"rank-against-points"} if kind in ("result", "blank") else set())
    for proposal in corrected.proposals:
        assert after[proposal.finding.code] < before[proposal.finding.code]
    assert correct_file(corrected.data, "open.trf").proposals == ()
    assert outside(corrected.data, corrected.proposals, encoding, old=False) == outside(
        original, corrected.proposals, encoding, old=True
    )
    if kind in ("points", "count", "days", "federation"):
        assert corrected.proposals


def outside(data: bytes, proposals: tuple[object, ...], encoding: str, *, old: bool) -> bytes:
    """Return the bytes of a file without the edited pieces."""
    lines = data.decode(encoding).splitlines(keepends=True)
    edits = [edit for proposal in proposals for edit in proposal.edits]  # type: ignore[attr-defined]
    for edit in sorted(edits, key=lambda item: -item.column):
        start, line = edit.column - 1, lines[edit.line - 1]
        lines[edit.line - 1] = line[:start] + line[start + len(edit.old if old else edit.new) :]
    return data[:3] * data.startswith(b"\xef\xbb\xbf") + "".join(lines).encode(encoding)


def test_text_of_builders_is_right() -> None:
    """The builder of the property above makes a file without findings, so that each one is the break's."""
    lines = player_lines(all_meet(4), [1800] * 4)
    assert [finding.code for finding in findings_of(text("012 Open", *lines))] == []
