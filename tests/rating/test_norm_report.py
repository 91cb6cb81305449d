"""The norms of a report: the worked cases as reports, the strong field, and the remaining rounds."""

import random
import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import arpad
from arpad.model.errors import BadInput
from arpad.rating import wins_left_out
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.rating.norms import Norm
from arpad.regulations.fide.titles.rules import NormTitle
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.report import Report, Round
from tests.builders.norm_cases import NORMS, Case, answer, shown
from tests.builders.norm_reports import BASE, report_of, unfinished, winners
from tests.commands import refusal, run, run_json


def norms_of(case: Case) -> ReportNorms:
    given = case["given"]
    options = NormOptions(
        system=given["system"], kind=given.get("kind", ""), titles=(NormTitle(given["title"]),),
        players=frozenset({1}),
    )  # fmt: skip
    return find_norms(report_of(case), options)


@pytest.mark.parametrize("case", NORMS, ids=lambda case: str(case["name"]))
def test_a_report(case: Case) -> None:
    """A report gives what the games alone give, with the edition of its first day."""
    result = norms_of(case)
    assert result.edition.id == case["edition"]
    ((norm,),) = (player.norms for player in result.players)
    assert shown(norm) == shown(answer(case))


def test_the_order_of_the_players_changes_nothing() -> None:
    dice = random.Random(7)  # noqa: S311  a reproducible order
    for case in NORMS[:12]:
        report = report_of(case)
        order = list(range(len(report.entrants)))
        dice.shuffle(order)
        mixed = replace(
            report,
            entrants=tuple(report.entrants[place] for place in order),
            rounds=tuple(
                Round(
                    tuple(cells.opponents[place] for place in order),
                    "".join(cells.colours[place] for place in order),
                    "".join(cells.results[place] for place in order),
                )
                for cells in report.rounds
            ),
        )
        options = NormOptions(system=case["given"]["system"], titles=tuple(NormTitle))
        before, after = find_norms(report, options), find_norms(mixed, options)
        assert by_number(before) == by_number(after)


def by_number(result: ReportNorms) -> dict[int, list[Any]]:
    return {player.entrant.number: [shown(norm) for norm in player.norms] for player in result.players}


def test_titles_within_reach() -> None:
    """Without a title in question: those above the held one, for women also theirs, if the performance is near."""
    report = report_of(BASE)
    (player, *_) = find_norms(report).players
    assert [str(norm.title) for norm in player.norms] == ["GM", "IM"]
    holder = replace(report.entrants[0], title="IM", sex="w")
    (player, *_) = find_norms(replace(report, entrants=(holder, *report.entrants[1:]))).players
    assert [str(norm.title) for norm in player.norms] == ["GM"]
    woman = replace(holder, title="")
    (player, *_) = find_norms(replace(report, entrants=(woman, *report.entrants[1:]))).players
    assert [str(norm.title) for norm in player.norms] == ["GM", "IM", "WGM", "WIM"]
    assert all(norm.norm for norm in player.norms)


def test_what_is_needed_in_the_remaining_rounds() -> None:
    """After seven rounds 5.5 points against 2470; with 2470 on average 6 of 9 are needed at 2475, 6.5 below."""
    result = find_norms(unfinished(7), NormOptions(titles=(NormTitle.GM,), players=frozenset({1})))
    assert (result.played, result.remaining) == (7, 2)
    ((outlook,),) = (player.outlooks for player in result.players)
    assert outlook is not None
    assert (outlook.rounds, outlook.average, outlook.score) == (2, 2470, 2)
    assert (outlook.possible, outlook.titled, outlook.sought, outlook.federations) == (True, 0, 0, 0)
    assert outlook.own == 4


def test_a_norm_that_is_no_longer_possible() -> None:
    report = unfinished(8)
    weak = tuple(replace(entrant, title="") for entrant in report.entrants)
    result = find_norms(
        replace(report, entrants=weak), NormOptions(titles=(NormTitle.GM,), players=frozenset({1}))
    )
    ((outlook,),) = (player.outlooks for player in result.players)
    assert outlook is not None
    assert not outlook.possible


def test_a_round_robin_that_is_not_over_gives_no_norm() -> None:
    report = report_of(next(case for case in NORMS if case["name"] == "overscore-two"))
    longer = replace(report, header=replace(report.header, rounds=11))
    options = NormOptions(system="round-robin", titles=(NormTitle.GM,), players=frozenset({1}))
    ((norm,),) = (player.norms for player in find_norms(longer, options).players)
    assert [item.name for item in norm.failed] == ["rounds"]
    assert find_norms(longer, replace(options, system="swiss")).players[0].norms[0].norm


@pytest.mark.parametrize(
    ("text", "host"), [("ITA", "ITA"), ("Italia", "ITA"), (" germany ", "GER"), ("Atlantis", "")]
)
def test_the_host_federation(text: str, host: str) -> None:
    report = report_of(BASE)
    result = find_norms(replace(report, header=replace(report.header, federation=text)))
    assert result.event.host == host
    assert ("norms-host-unknown" in {finding.code for finding in result.findings}) == (not host)


def test_the_ratings_of_a_list_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everybody has 100 points more on the list: an average of 2560 instead of 2460."""
    report = report_of(BASE)
    numbered = tuple(replace(entrant, id=str(900_000 + entrant.number)) for entrant in report.entrants)
    path, listed = tmp_path / "open.trf", tmp_path / "list.csv"
    path.write_bytes(write_report(replace(report, entrants=numbered), "trf26")[0])
    rows = [
        f"{entrant.id},{entrant.name.replace(',', '')},{(entrant.rating or 0) + 100}" for entrant in numbered
    ]
    listed.write_text("\n".join(["id,name,rating", *rows]) + "\n", encoding="utf-8")
    document = run_json(
        capsys, "norms", str(path), "--player", "1", "--title", "GM", "--ratings", str(listed)
    )
    assert document["players"][0]["norms"][0]["average"] == 2560


def test_bad_reports() -> None:
    report = report_of(BASE)
    undated = replace(report, header=replace(report.header, first_day=None, last_day=None))
    with pytest.raises(BadInput, match="norms-no-day"):
        find_norms(undated)
    assert find_norms(undated, NormOptions(edition="titles-2024")).players
    with pytest.raises(BadInput, match="norms-no-rounds"):
        find_norms(replace(report, rounds=()))
    odd = (
        replace(report.entrants[1], title="ZZ", federation=""),
        replace(report.entrants[2], federation="Spain"),
    )
    strange = replace(report, entrants=(report.entrants[0], *odd, *report.entrants[3:]))
    codes = {finding.code for finding in find_norms(strange).findings}
    assert codes == {"norms-federation-unknown", "norms-title-unknown"}


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_command(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.trf"
    path.write_bytes(write_report(report_of(BASE), "trf26")[0])
    document = run_json(capsys, "norms", str(path), "--lang", language)
    assert (document["schema"], document["edition"], document["system"]) == (
        "arpad.norms/1",
        "titles-2024",
        "swiss",
    )
    (player,) = [player for player in document["players"] if player["number"] == 1]
    assert [(norm["title"], norm["norm"], norm["games"]) for norm in player["norms"]] == [
        ("GM", True, 9),
        ("IM", True, 11),
    ]
    for options in ((), ("--player", "1"), ("--title", "WIM")):
        status, out, err = run(capsys, "norms", str(path), "--lang", language, *options)
        assert (status, err) == (0, "")
        assert "GM" in out or "WIM" in out


def test_the_command_refuses_a_report_without_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of(BASE)
    header = replace(report.header, first_day=None, last_day=None)
    path = tmp_path / "open.trf"
    path.write_bytes(write_report(replace(report, header=header), "trf26")[0])
    assert "--edition" in refusal(capsys, "norms", str(path))
    assert run_json(capsys, "norms", str(path), "--date", "2023-05-01")["edition"] == "titles-2023"


FAST = "60 min + 30 sec per move"


def a_norm(edition: str = "titles-2024") -> Report:
    """A report with a norm of its first player."""
    case = next(
        it
        for it in NORMS
        if it["edition"] == edition and it["expected"].get("norm") and it["given"]["rounds"] == 9
    )
    return report_of(case)


def with_days(made: Report, a_day: int) -> Report:
    """The report with so many rounds on each day."""
    first = made.header.first_day or date(2024, 12, 20)
    rounds = [
        replace(cells, day=first + timedelta(index // a_day)) for index, cells in enumerate(made.rounds)
    ]
    return replace(made, rounds=tuple(rounds), header=replace(made.header, last_day=rounds[-1].day))


def of_first(result: ReportNorms) -> list[Norm]:
    return [norm for player in result.players if player.entrant.number == 1 for norm in player.norms]


def test_three_rounds_a_day_and_fast_games_give_no_norm() -> None:
    """B.01 1.1.3: at most two rounds a day, and two hours for sixty moves; what breaks it is a failed requirement."""
    made = a_norm()
    assert any(norm.norm for norm in of_first(find_norms(with_days(made, 2))))

    many = of_first(find_norms(with_days(made, 3)))
    assert not any(norm.norm for norm in many)
    failed = {(it.name, it.article, it.required, it.actual) for norm in many for it in norm.failed}
    assert ("rounds-per-day", "1.1.3", 2, 3) in failed

    fast = replace(made, header=replace(made.header, time_control=FAST))
    quick = of_first(find_norms(fast))
    assert not any(norm.norm for norm in quick)
    failed = {(it.name, it.article, it.required, it.actual) for norm in quick for it in norm.failed}
    assert ("minutes", "1.1.3", 120, 90) in failed
    stated = NormOptions.of_facts(EventFacts(time_control="90 min + 30 sec per move"))
    assert any(norm.norm for norm in of_first(find_norms(fast, stated)))


def test_an_approval_of_2026_gives_norms_in_faster_games() -> None:
    """Reading 64: approved events with 75 minutes or more give norms from 1 January 2026, not in the pilot before."""
    made = a_norm()
    for day, possible in ((date(2025, 10, 1), False), (date(2026, 2, 1), True)):
        header = replace(made.header, time_control=FAST, first_day=day, last_day=day)
        fast = replace(made, header=header)
        for approved in (True, False):
            options = NormOptions.of_facts(EventFacts(fast_approved=approved))
            assert any(norm.norm for norm in of_first(find_norms(fast, options))) == (possible and approved)


def test_an_edition_of_which_the_minutes_are_not_known_only_warns() -> None:
    made = a_norm("titles-2023")
    fast = replace(made, header=replace(made.header, time_control=FAST))
    norms = of_first(find_norms(fast))
    assert any(norm.norm for norm in norms)
    assert all(it.warns for norm in norms for it in norm.requirements if it.name == "minutes")


# ---------------------------------------------------------------------------------------------- costly reports


@pytest.mark.parametrize("titled", [False, True])
def test_norms_of_many_winners_who_meet_opponents_twice_are_found_soon(titled: bool) -> None:
    """Twenty winners of nineteen rounds took more than 150 seconds."""
    begun = time.process_time()
    result = find_norms(winners(20, 19, titled=titled), NormOptions(titles=tuple(NormTitle)[:2]))
    assert time.process_time() - begun < 10
    assert len(result.players) == 40
    assert all(norm.norm is not None for player in result.players for norm in player.norms)
    assert any(norm.norm for player in result.players for norm in player.norms) == titled


@pytest.mark.parametrize("announced", [100, 99_999, 999_999, 10**18])
def test_an_impossible_number_of_announced_rounds_is_a_finding(announced: int) -> None:
    """A report of 1 kB that announces 999,999 rounds took more than a minute and 250 MB."""
    begun = time.process_time()
    result = find_norms(winners(4, 9, announced=announced), NormOptions(titles=(NormTitle.GM,)))
    assert time.process_time() - begun < 10
    (finding,) = [item for item in result.findings if item.code == "norms-rounds-announced"]
    assert finding.facts == {"rounds": announced, "most": 99}
    assert (result.event.rounds, result.remaining) == (9, 0)


def test_an_announced_number_that_an_event_can_have_is_no_finding() -> None:
    result = find_norms(winners(4, 9, announced=99), NormOptions(titles=(NormTitle.GM,)))
    assert [item.code for item in result.findings if "rounds" in item.code] == []
    assert result.remaining == 90


def test_a_report_with_more_rounds_than_an_event_has_is_a_finding() -> None:
    result = find_norms(winners(4, 100), NormOptions(titles=(NormTitle.GM,)))
    assert "norms-too-many-rounds" in [item.code for item in result.findings]
    assert result.players == ()


def test_searches_that_were_stopped_are_undecided_in_words_and_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wins_left_out, "MOST_STEPS", 0)
    path = tmp_path / "winners.trf"
    path.write_bytes(write_report(winners(4, 13, titled=True), "trf16")[0])
    document = run_json(capsys, "norms", str(path), "--title", "GM")
    assert {norm["norm"] for player in document["players"][:4] for norm in player["norms"]} == {None}
    assert "norms-undecided" in [finding["code"] for finding in document["findings"]]
    for language, word in (("en", "undecided"), ("it", "indecis"), ("fr", "indécis")):
        assert word in run(capsys, "norms", str(path), "--title", "GM", "--lang", language)[1]
        assert (
            word in run(capsys, "norms", str(path), "--title", "GM", "--player", "1", "--lang", language)[1]
        )
    norms = arpad.read(path).norms(title=["GM"])
    assert {row["norm"] for row in norms.rows()[:4]} == {None}
