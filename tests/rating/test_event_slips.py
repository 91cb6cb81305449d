"""A slip in a cell of a report (oneself as opponent, a wrong number, one side only) is a finding on every way."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.checks.draughts import check_report as check_draughts
from arpad.explain.norm_documents import report_norms_document
from arpad.explain.rated_report import document
from arpad.explain.words import load_words
from arpad.library.reports import example
from arpad.model.rules import ListName, Severity
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.rating.norm_report import find_norms
from arpad.rating.preview import rate
from arpad.regulations.rubele.editions import RUBELE_2008
from arpad.reports.duplicates import game_marks
from arpad.reports.report import Report, Round
from arpad.reports.standings import final_standings, grid, meets_all, pairings
from tests import commands
from tests.builders.chess import event
from tests.builders.offices import Desk, listed
from tests.builders.trf import all_meet, report, some_rounds
from tests.builders.verbs import accept, draft

WORDS = load_words("en")
DAYS = [date(2010, 3, 1), date(2015, 3, 1), date(2018, 3, 1), date(2024, 5, 1)]
RESULTS = ("10", "01", "==")


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Return a round robin of some cycles, or a part of one, with rated and unrated players."""
    players = draw(st.integers(3, 7))
    rounds = all_meet(players, draw(st.integers(1, 2))) if draw(st.booleans()) else some_rounds(players, 3)
    games = [
        [(white, black, draw(st.sampled_from(RESULTS)) if black else both) for white, black, both in row]
        for row in rounds
    ]
    ratings = draw(st.lists(st.sampled_from([0, 1450, 1900, 2450]), min_size=players, max_size=players))
    made = report(games, ratings)
    day = draw(st.sampled_from(DAYS))
    return replace(made, header=replace(made.header, first_day=day, last_day=day))


def with_cell(made: Report, number: int, place: int, opponent: int) -> Report:
    """Return the report with another opponent in one cell."""
    cells = made.rounds[number]
    opponents = (*cells.opponents[:place], opponent, *cells.opponents[place + 1 :])
    changed = Round(opponents, cells.colours, cells.results, cells.day)
    return replace(made, rounds=(*made.rounds[:number], changed, *made.rounds[number + 1 :]))


def pass_every_way(made: Report) -> set[str]:
    """Rate a report on every way; return the codes of the errors."""
    rated = rate(made)
    document(rated, WORDS)
    report_norms_document(find_norms(made), WORDS)
    final_standings(made)
    meets_all(made)
    grid(made)
    game_marks(made, [entrant.name for entrant in made.entrants])
    for number in made.round_numbers:
        pairings(made, number)
    return {finding.code for finding in rated.findings if finding.severity is Severity.ERROR}


@given(reports(), st.data())
def test_another_opponent_in_one_cell_is_an_error_and_nothing_raises(
    made: Report, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    place = data.draw(
        st.sampled_from([p for p, opponent in enumerate(made.rounds[number].opponents) if opponent])
    )
    others = [n for n in range(1, made.size + 3) if n != made.rounds[number].opponents[place]]
    opponent = data.draw(st.sampled_from(others))
    slipped = with_cell(made, number, place, opponent)

    expected = (
        "paired-with-himself"
        if opponent == made.entrants[place].number
        else "opponent-not-in-file"
        if opponent > made.size
        else "pairing-not-mutual"
    )
    one_sided = {"pairing-one-sided"} if expected == "pairing-not-mutual" else set()
    assert pass_every_way(slipped) & {expected, *one_sided}

    draughts = {f.code for f in check_draughts(slipped) if f.severity is Severity.ERROR}
    assert draughts & {"draughts-pairing", "draughts-result-mismatch"}
    run_season([DraughtsEvent("1", slipped)], None, lambda _: RUBELE_2008.on(ListName.ITALIANA))


def self_paired() -> bytes:
    """Return the round robin of the examples, in which player 7 is entered as their own opponent."""
    data = example("round-robin.trf").read_bytes()
    slipped = data.replace(b"8 w 0     6 b 1", b"8 w 0     7 b 1")
    assert slipped != data
    return slipped


@pytest.mark.parametrize("ending", ["trf", "csv", "xlsx"])
def test_the_commands_name_the_player_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    source, path = tmp_path / "slip.trf", tmp_path / f"slip.{ending}"
    source.write_bytes(self_paired())
    if path != source:
        commands.run(capsys, "convert", str(source), str(path))
    for command in ("check", "rate"):
        _, out, _ = commands.run(capsys, command, str(path), "--json")
        codes = [(finding["code"], finding["player"]) for finding in json.loads(out)["findings"]]
        assert ("paired-with-himself", 7) in codes


def test_an_office_rates_a_report_whose_slip_an_officer_set_aside(sqlite_desk: Desk) -> None:
    """Player 3 is entered as their own opponent in a round robin with an unrated player: the list is made."""
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900), listed(3, 1800))
    rows = "1 2000 | 2w1 3w1 4w1\n2 1900 | 1b0 4w1 3w=\n3 1800 | 4w= 1b0 3b=\n4 0 | 3b= 2b0 1b0"
    made = event("Torneo", rows, date(2018, 1, 10))
    sent = desk.send(made)
    errors = {finding.code for finding in sent.findings if finding.severity is Severity.ERROR}
    assert "paired-with-himself" in errors
    accept(desk.office, sent.report, overrule=errors, reason="the arbiter cannot be reached")
    ratings_after = draft(desk.office, ListName.STANDARD, date(2018, 2, 1)).result.ratings
    # 2000 beats 1900 and 1800 (K 20): 20 x (1 - .64) + 20 x (1 - .76)
    assert ratings_after[1] == 2012
