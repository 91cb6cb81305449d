"""The season as values: the same every time, and everything in it that an office has to deal with."""

import io
from collections import Counter
from datetime import date, timedelta
from functools import cache

from arpad.checks import check_file
from arpad.demo import people as register
from arpad.demo.actions import Accept, Correct, ImportList, Publish, RegisterEvent, Revise, SendBack, Submit
from arpad.demo.events import DemoEvent, report, report_file
from arpad.demo.season import Season, season
from arpad.model.chess import EventKind
from arpad.model.rules import Severity
from arpad.regulations.fide.event_kind import meetings
from arpad.reports.formats import read_report
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.formats.lists.fide_list import read_list
from arpad.reports.report import BYES, Report


@cache
def made() -> Season:
    return season()


def by_strength(event: DemoEvent) -> dict[int, int]:
    people = made().people
    known = {key: people[key] for key in event.players if people[key].rated}
    return {key: person.draughts if event.draughts else person.strength for key, person in known.items()}


def sent(event: DemoEvent) -> Report:
    return read_report(report_file(event, made().people, by_strength(event)), event.file)


def test_the_same_seed_makes_the_same_season_and_another_another() -> None:
    assert season() == made()
    assert season("another").people != made().people


def test_about_a_hundred_and_twenty_people_no_two_of_one_name_or_number() -> None:
    people = made().people.values()
    assert len(people) == 120
    assert len({person.name for person in people}) == 120
    numbers = [person.number for person in people if person.number]
    assert len(set(numbers)) == len(numbers)
    assert sum(person.sex == "F" for person in people) > 15
    assert sum(made().begin.year - person.born.year < 18 for person in people) > 15
    assert any(person.strength and person.draughts for person in people)
    assert {person.federation for person in people} > {"ITA"}
    assert any(not person.rated and not person.number for person in people)


def test_acts_come_in_order_and_on_days_that_make_sense() -> None:
    acts = made().acts
    assert [act.day for act in acts] == sorted(act.day for act in acts)
    for act in acts:
        if isinstance(act, Submit | Accept | Correct):
            assert act.day > act.event.last_day
        elif isinstance(act, RegisterEvent):
            assert act.day < act.event.first_day
    sent_in = [act.event.key for act in acts if isinstance(act, Submit)]
    assert {key for key, count in Counter(sent_in).items() if count > 1} == {"2024-vendemmia"}


def test_every_list_comes_out_on_its_day() -> None:
    days = Counter((act.on_list, act.day) for act in made().acts if isinstance(act, Publish))
    assert set(days.values()) == {1}
    months = {date(2023 + month // 12, month % 12 + 1, 1) for month in range(1, 25)}
    for name in ("standard", "rapid", "blitz"):
        assert {day for on_list, day in days if on_list == name} == months
    for name in ("italiana", "internazionale"):
        assert {day for on_list, day in days if on_list == name} == {
            date(2023, 6, 30), date(2023, 12, 31), date(2024, 6, 30), date(2024, 12, 31),
        }  # fmt: skip


def test_a_late_report_one_sent_back_and_two_corrections() -> None:
    acts = made().acts
    late = [
        act for act in acts if isinstance(act, Submit) and act.day > act.event.last_day + timedelta(days=30)
    ]
    assert [act.event.key for act in late] == ["2023-giovani"]
    assert [act.event.key for act in acts if isinstance(act, SendBack)] == ["2024-vendemmia"]
    revisions = [(act.event.key, act.every_list) for act in acts if isinstance(act, Revise)]
    assert revisions == [("2024-primavera", False), ("2024-lago", True)]


def test_a_report_has_nothing_that_a_check_of_the_file_minds() -> None:
    for key, event in {event.key: event for event in made().events}.items():
        found = sent(event)
        assert found.findings == (), key
        errors = [finding.code for finding in check_file(found) if finding.severity == Severity.ERROR]
        assert errors == [], key
        made_anew = report(event, made().people, by_strength(event))
        names = [entrant.name for entrant in made_anew.entrants]
        assert [entrant.name for entrant in found.entrants] == names, key
        rounds = [(r.opponents, r.results) for r in made_anew.rounds]
        assert [(r.opponents, r.results) for r in found.rounds] == rounds, key


def test_the_report_sent_back_deserves_it() -> None:
    (wrong,) = [act.event for act in made().acts if isinstance(act, SendBack)]
    errors = [finding.code for finding in check_file(sent(wrong)) if finding.severity == Severity.ERROR]
    assert errors == ["results-not-mirrored"]


def test_a_correction_turns_one_game_round() -> None:
    for act in made().acts:
        if isinstance(act, Correct):
            (before,) = [
                a.event for a in made().acts if isinstance(a, Accept) and a.event.key == act.event.key
            ]
            one, other = sent(before).rounds, sent(act.event).rounds
            changed = [
                (number, place)
                for number, (r, s) in enumerate(zip(one, other, strict=True), start=1)
                for place in range(len(r.results))
                if r.results[place] != s.results[place]
            ]
            assert len(changed) == 2
            assert {number for number, _ in changed} == {4}


def test_all_kinds_of_events_and_of_cells_occur() -> None:
    kinds: Counter[EventKind] = Counter()
    letters: Counter[str] = Counter()
    odd = 0
    for event in made().events:
        found = sent(event)
        kinds[meetings(found).kind] += 1
        letters.update("".join(cells.results for cells in found.rounds))
        odd += len(event.players) % 2
    assert set(kinds) == {EventKind.SWISS, EventKind.ROUND_ROBIN, EventKind.TEAM, EventKind.MATCH}
    assert kinds[EventKind.SWISS] > 20
    assert odd > 10
    assert all(letters[letter] > 5 for letter in "10=+-UHZ")


def test_nobody_meets_anybody_twice_in_an_open() -> None:
    for event in made().events:
        if event.kind == "swiss":
            pairs = Counter(
                frozenset((key, cell.opponent))
                for cells in event.rounds
                for key, cell in cells.items()
                if cell.opponent and cell.result not in BYES
            )
            assert max(pairs.values()) == 2, event.key  # once from each side


def test_the_first_lists_are_readable() -> None:
    for act in made().acts:
        if isinstance(act, ImportList):
            if act.on_list in ("italiana", "internazionale"):
                assert len(capitals.read(act.data)) > 15
                continue
            with read_list(io.BytesIO(act.data)) as rows:
                found = list(rows)
                assert rows.month == made().begin
            assert len(found) == register.CHESS if act.on_list == "standard" else len(found) > 50
