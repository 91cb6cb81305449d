"""The season as values: the same every time, and everything in it that an office has to deal with."""

import io
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from arpad.checks import check_file
from arpad.demo import people as register
from arpad.demo.actions import Accept, Correct, ImportList, Publish, RegisterEvent, Revise, SendBack, Submit
from arpad.demo.dice import Dice
from arpad.demo.events import DemoEvent, report, report_file
from arpad.demo.season import Season, season
from arpad.lists.period import Event, close
from arpad.model.chess import EventKind, PlayerState
from arpad.model.rules import ListName, Severity
from arpad.regulations.editions import CHESS_EDITIONS, in_force
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


def test_dice_are_fair_enough_and_stay_in_bounds() -> None:
    dice = Dice("fair", 1)
    rolled = Counter(dice.below(6) for _ in range(6000))
    assert sorted(rolled) == [0, 1, 2, 3, 4, 5]
    assert all(850 < count < 1150 for count in rolled.values())
    assert sorted(dice.shuffled(range(20))) == list(range(20))
    spread = [dice.spread(1600, 100) for _ in range(2000)]
    assert 1590 < sum(spread) // 2000 < 1610
    assert 1000 <= min(spread) < max(spread) <= 2200


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


# ------------------------------------------------------------------------- the standard list, without any office


def standard_lists() -> dict[date, Mapping[int, PlayerState]]:
    """Two years of the standard list through ``period`` alone, reports in the order in which they were accepted."""
    people, standings = made().people, dict[int, PlayerState]()
    by_number = {person.number: key for key, person in people.items() if person.number}
    (first,) = [a for a in made().acts if isinstance(a, ImportList) and a.on_list == ListName.STANDARD]
    with read_list(io.BytesIO(first.data)) as rows:
        for row in rows:
            key = by_number[row.id]
            standings[key] = PlayerState(
                key, rating=row.rating, games=30, peak=row.rating or 0, k=row.k, entered=made().begin,
                last_list=made().begin,
                inactive="i" in row.flag,
            )  # fmt: skip
    lists: dict[date, Mapping[int, PlayerState]] = {made().begin: standings}
    waiting: list[Event] = []
    for act in made().acts:
        if isinstance(act, Accept) and act.event.on_list == ListName.STANDARD:
            then = lists[max(day for day in lists if day <= act.event.first_day)]
            ratings = {key: s.rating for key, s in then.items() if s.rating is not None}
            found = read_report(report_file(act.event, people, ratings))
            names = {people[key].name: key for key in act.event.players}
            players = tuple(names[entrant.name] for entrant in found.entrants)
            edition = in_force(CHESS_EDITIONS, ListName.STANDARD, act.event.first_day)
            waiting.append(Event(act.event.key, found, players, edition, act.event.facts))
        elif isinstance(act, Publish) and act.on_list == ListName.STANDARD:
            period = close(
                ListName.STANDARD, act.day, max(lists), lists[max(lists)], waiting,
                lambda player, day: _rating(lists, player, day), in_force(CHESS_EDITIONS, ListName.STANDARD, act.day),
            )  # fmt: skip
            lists[act.day] = period.standings
            waiting.clear()
    return lists


def _rating(lists: Mapping[date, Mapping[int, PlayerState]], player: int, day: date) -> int | None:
    then = lists[max(known for known in lists if known <= day)]
    return then[player].rating if player in then else None


def test_the_stories_happen() -> None:
    lists = standard_lists()
    last = lists[max(lists)]
    falls = [day for day, standings in lists.items() if standings[register.CHESS].delisted]
    assert falls == [date(2023, 2, 1)]  # he plays in January, from just above the floor
    newcomers = {key for key, person in made().people.items() if person.strength and not person.rated}
    entered = {key for key in newcomers if key in last and last[key].rating}
    assert len(entered) > 8
    assert any(key in last and last[key].rating is None for key in {*newcomers, register.CHESS})
    stopping = [person.key for person in made().people.values() if person.stops == 6]
    assert all(last[key].inactive for key in stopping)
    assert not any(lists[date(2023, 6, 1)][key].inactive for key in stopping)
    rated = [standing.rating for standing in last.values() if standing.rating]
    assert min(rated) >= 1400  # the floor since March 2024
