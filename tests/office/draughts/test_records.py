"""What the commission keeps of draughts lists: points taken and given back, promotions, FMJD ratings, weights."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.draughts.records import fmjd_ratings, player_record, points_register, promotions
from arpad.office.office import Office
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests import commands
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_entries import category, enrol, publish, regionale
from tests.builders.draughts_lists import (
    DRAW,
    INTERNAZIONALE,
    ITALIANA,
    ONE_GAME,
    begin,
    capital,
    closed_years,
    played,
    standing,
)
from tests.builders.offices import Desk
from tests.builders.verbs import (
    Imported,
    accept,
    change_player,
    draft,
    explain,
    import_list,
    init,
    merge,
    ratings_in_force,
    register_player,
    registered,
    revise,
    verify,
)
from tests.builders.verbs import publish as office_publish


def entries(desk: Desk, on_list: ListName = ITALIANA) -> dict[int, list[tuple[int, str, int, int]]]:
    """Player → year, kind, points and total of each entry."""
    return {
        account.player: [(e.year, e.kind, e.points, e.total) for e in account.entries]
        for account in points_register(desk.office, on_list).accounts
    }


def test_the_register_has_what_was_taken_and_what_was_given_back(desk: Desk) -> None:
    """Table 18b: fifty a year, 450 in all, never below 100. Table 22: a foreign player is cancelled after two years."""
    begin(
        desk,
        standing(1, 2000),
        standing(2, 2000),
        standing(3, 130, malus=430),
        standing(4, 2000, foreign=True),
    )
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    closed_years(desk, 2018, 2019)

    # 2018: the third can lose 20 more, the fourth fifty. 2019: nobody played
    assert entries(desk) == {
        1: [(2019, "taken", 50, 50)],
        2: [(2019, "taken", 50, 50)],
        3: [(2017, "brought", 430, 430), (2018, "taken", 20, 450)],
        4: [(2018, "taken", 50, 50), (2019, "cancelled", 1950, 50)],
    }
    accounts = {a.player: a for a in points_register(desk.office, ITALIANA).accounts}
    assert [(accounts[p].capital, accounts[p].total, accounts[p].left) for p in (1, 3, 4)] == [
        (1960, 50, 400),
        (110, 450, 0),
        (None, 50, 400),
    ]

    # a report of 2019 arrives: the two had played
    desk.on(date(2020, 2, 1))
    late = played(desk, "In ritardo", DRAW, date(2019, 6, 10))
    revise(desk.office, ITALIANA, reason="late report", add=(late,))
    assert entries(desk)[1] == [(2019, "taken", 50, 50), (2019, "given-back", 50, 0)]

    # the fourth returns in 2020 with what the commission decides
    decide(desk.office, "capital", player=4, on_list=ITALIANA, capital=1900, reason="art. 3")
    played(desk, "Ritorno", "1 0 | 4w=\n4 0 | 1b=", date(2020, 3, 10))
    publish(desk, date(2020, 6, 30))
    assert entries(desk)[4] == [
        (2018, "taken", 50, 50),
        (2019, "cancelled", 1950, 50),
        (2020, "returned", 1900, 50),
    ]


def test_promotions_of_a_period_have_their_day_and_event(sqlite_desk: Desk) -> None:
    """2490 beats 2490 in dama internazionale: 2490 + 160 + 10 = 2660, Nazionale from 2500 (table 11)."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, regionale(1), regionale(7), on_list=INTERNAZIONALE)
    played(desk, "Primavera", "1 0 | 7w1\n7 0 | 1b0", date(2018, 4, 8), INTERNAZIONALE)
    publish(desk, date(2018, 6, 30), INTERNAZIONALE)
    # 2340 beats 2660: 320 apart gives 0.84 (320-340 of table 19), 2340 + 1.16 x 160 = 2525.6, rounded 2526
    played(desk, "Autunno", "7 0 | 1w1\n1 0 | 7b0", date(2018, 10, 8), INTERNAZIONALE)
    publish(desk, date(2018, 12, 31), INTERNAZIONALE)

    found = promotions(desk.office, INTERNAZIONALE, date(2018, 1, 1), date(2018, 12, 31))
    assert [(p.id, p.held, p.reached, p.capital, p.threshold, p.event, p.day) for p in found] == [
        ("1", Category.REGIONALE, Category.NAZIONALE, 2660, 2500, "Primavera", date(2018, 4, 8)),
        ("7", Category.REGIONALE, Category.NAZIONALE, 2526, 2500, "Autunno", date(2018, 10, 8)),
    ]
    spring = promotions(desk.office, INTERNAZIONALE, date(2018, 4, 8), date(2018, 9, 30))
    assert [p.id for p in spring] == ["1"]
    with pytest.raises(BadInput, match="period-backwards"):
        promotions(desk.office, INTERNAZIONALE, date(2018, 5, 1), date(2018, 4, 1))
    with pytest.raises(BadInput, match="value-unknown"):
        promotions(desk.office, ListName.STANDARD, date(2018, 1, 1), date(2018, 4, 1))
    record = player_record(desk.office, INTERNAZIONALE, 7)
    assert record is not None
    assert ([p.event for p in record.promotions], record.standing.capital) == (["Autunno"], 2526)


def test_a_foreign_newcomer_begins_by_the_fmjd_rating_of_the_day(sqlite_desk: Desk) -> None:
    """Table 22: 1300 x 1.8 = 2340; the rating of a later day is not that of the debut."""
    desk = sqlite_desk
    begin(desk, standing(1, 2340), on_list=INTERNAZIONALE)
    report = event("Open", DRAW, date(2018, 3, 10))
    foreign = replace(
        report,
        entrants=tuple(
            replace(e, federation=f) for e, f in zip(report.entrants, ("ITA", "NED"), strict=True)
        ),
    )
    desk.on(date(2018, 3, 11))
    accept(desk.office, desk.send(foreign, facts=EventFacts(list=INTERNAZIONALE)).report)
    for day, rating in ((date(2018, 1, 1), 1300), (date(2018, 6, 1), 2301)):
        decide(desk.office, "fmjd", player=2, day=day, fmjd=rating, reason="FMJD list")
    publish(desk, date(2018, 6, 30), INTERNAZIONALE)

    # equals, a draw, the bonus
    assert capital(desk, 2, date(2018, 6, 30), INTERNAZIONALE) == 2350
    change = explain(desk.office, 2, INTERNAZIONALE, date(2018, 6, 30)).change
    assert change is not None
    debut = change.events[0].steps[0]
    assert (debut.article, debut.quantity, debut.value) == ("Tab. 22", "debut-fmjd", 2340)
    # today's rating: 2301 x 2.5 = 5752.5, rounded half up
    (now,) = fmjd_ratings(desk.office, date(2018, 6, 30))
    assert (now.player, now.rating, now.since, now.factor, now.capital) == (
        2, 2301, date(2018, 6, 1), Fraction(5, 2), 5753,
    )  # fmt: skip
    assert verify(desk.office).intact


def test_a_returning_foreigner_is_converted_by_the_rating_of_the_return(sqlite_desk: Desk) -> None:
    """Table 22: recomputed by the conversion; the list had 1200, the office entered 1000 since: 1800."""
    desk = sqlite_desk
    begin(desk, standing(1, 1800), standing(2, 2000, foreign=True, fmjd=1200), on_list=INTERNAZIONALE)
    for year in (2018, 2019):
        publish(desk, date(year, 12, 31), INTERNAZIONALE)
    decide(desk.office, "fmjd", player=2, day=date(2020, 1, 1), fmjd=1000, reason="FMJD list")
    played(desk, "Ritorno", DRAW, date(2020, 3, 10), INTERNAZIONALE)

    made = draft(desk.office, INTERNAZIONALE, date(2020, 6, 30))

    # the first has lost fifty twice: 1700 against 1800 gives 0.95 (92-112): 1700 + 0.05 x 240 + 10; 1800 - 12 + 10
    assert made.result.ratings == {1: 1722, 2: 1798}


def test_a_weight_halves_the_difference_of_an_event(sqlite_desk: Desk) -> None:
    """Equals at 2000: D = 1, halved 0.5; S = 150: 75 points, and the whole bonus (reading 21)."""
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    report = played(desk, "Gara", ONE_GAME, date(2018, 3, 10))
    decide(desk.office, "weight", report=report, weight=50, reason="validità 50 %")
    publish(desk, date(2018, 3, 31))

    assert [capital(desk, player, date(2018, 3, 31)) for player in (1, 2)] == [2085, 1935]
    assert verify(desk.office).intact
    for weight in (0, 101):
        with pytest.raises(BadInput, match="facts-value"):
            decide(desk.office, "weight", report=report, weight=weight, reason="wrong")


def test_a_sender_states_the_weight_with_the_report(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    desk.on(date(2018, 3, 10))
    sent = desk.send(event("Gara", ONE_GAME, date(2018, 3, 10)), facts=EventFacts(list=ITALIANA, weight=50))
    accept(desk.office, sent.report)
    assert draft(desk.office, ITALIANA, date(2018, 3, 31)).result.ratings == {1: 2085, 2: 1935}


def test_a_category_given_by_decision_holds_from_its_day(sqlite_desk: Desk) -> None:
    """A Regionale of dama internazionale is made Nazionale from 1 March: the debut of April is by Nazionale (1000)."""
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(2, 2000))
    begin(desk, regionale(1), regionale(3), on_list=INTERNAZIONALE)
    for player, day in ((1, date(2018, 3, 1)), (3, date(2018, 5, 1))):
        decide(
            desk.office,
            "category",
            player=player,
            on_list=INTERNAZIONALE,
            day=day,
            category="N",
            reason="CTF",
        )
    played(desk, "Aprile", ONE_GAME, date(2018, 4, 10))
    played(desk, "Aprile tre", "3 0 | 4w=\n4 0 | 3b=", date(2018, 4, 20))
    publish(desk, date(2018, 4, 30))
    publish(desk, date(2018, 4, 30), INTERNAZIONALE)
    publish(desk, date(2018, 6, 30), INTERNAZIONALE)

    # as computed in test_draughts_debut: 1000 beats 2000; the third was no Nazionale yet on 20 April: 300, a draw, 310
    assert [capital(desk, player, date(2018, 4, 30)) for player in (1, 2, 3)] == [1229, 1791, 310]
    assert [category(desk, 3, date(2018, month, 30), INTERNAZIONALE) for month in (4, 6)] == [
        "regionale",
        "nazionale",
    ]
    # entered after the list was out: the debut stays until a correction
    decide(
        desk.office,
        "category",
        player=3,
        on_list=INTERNAZIONALE,
        day=date(2018, 4, 1),
        category="N",
        reason="CTF",
    )
    publish(desk, date(2018, 5, 31))
    assert capital(desk, 3, date(2018, 5, 31)) == 310
    revise(desk.office, ITALIANA, reason="category from April")
    # 1000 against 300: 700 apart gives 1.33 and 0.67 (690-711); 0.33 x 150 = 49.5: 950.5, rounded 951, and 349.5, 350
    assert [capital(desk, player, date(2018, 5, 31)) for player in (3, 4)] == [961, 360]
    assert verify(desk.office).intact
    with pytest.raises(BadInput, match="unknown-category"):
        decide(
            desk.office,
            "category",
            player=3,
            on_list=ITALIANA,
            day=date(2018, 4, 1),
            category="X",
            reason="?",
        )
    with pytest.raises(BadInput, match="decision-value"):
        decide(
            desk.office, "category", player=3, on_list=ListName.RAPID, day=date(2018, 4, 1), category="N",
            reason="?",
        )  # fmt: skip


WITHOUT = """id,name,category,capital
9001,Player 1,nazionale,2000
9002,Player 2,nazionale,2000
9003,Player 3,nazionale,2000
"""


def taken_over(desk: Desk, last_event: date | None = None) -> Imported:
    desk.on(date(2018, 1, 1))
    path = desk.folder / "without.csv"
    path.write_text(WITHOUT, encoding="utf-8")
    return import_list(desk.office, path, ITALIANA, date(2017, 12, 31), last_event=last_event)


def test_a_list_without_last_event_is_imported_by_stating_it_once(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    assert taken_over(desk, last_event=date(2017, 6, 1)).undated == 0
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    closed_years(desk, 2018)

    # the bonus of the year's first event, and fifty points for who did not play
    assert [capital(desk, player, date(2018, 12, 31)) for player in (1, 2, 3)] == [2010, 2010, 1950]
    assert verify(desk.office).intact


def test_the_last_event_can_be_stated_after_the_import(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    assert taken_over(desk).undated == 3
    played(desk, "Gara", DRAW, date(2018, 3, 10))
    with pytest.raises(BadInput, match="year-end-without-history"):
        draft(desk.office, ITALIANA, date(2018, 12, 31))

    decide(desk.office, "last-event", on_list=ITALIANA, day=date(2017, 6, 1), reason="archive of the CTF")
    closed_years(desk, 2018, 2019)

    assert [capital(desk, player, date(2018, 12, 31)) for player in (1, 2, 3)] == [2010, 2010, 1950]
    assert [capital(desk, player, date(2019, 12, 31)) for player in (1, 2, 3)] == [1960, 1960, 1900]
    assert verify(desk.office).intact


def test_a_last_event_is_stated_only_where_it_is_missing(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    with pytest.raises(BadInput, match="last-event-late"):
        taken_over(desk, last_event=date(2018, 6, 1))
    path = desk.folder / "with.csv"
    path.write_bytes(capitals.write([standing(1, 2000)]))
    with pytest.raises(BadInput, match="last-event-listed"):
        import_list(desk.office, path, ITALIANA, date(2017, 12, 31), last_event=date(2017, 6, 1))
    with pytest.raises(BadInput, match="last-event-draughts-only"):
        import_list(desk.office, path, ListName.STANDARD, date(2018, 1, 1), last_event=date(2017, 6, 1))


def test_a_published_list_is_taken_over_by_another_office(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    change_player(
        desk.office,
        1,
        since=date(2018, 1, 1),
        reason="?",
        set_={"federation": "ITA", "sex": "F", "born": "1990"},
    )
    played(desk, "Gara", ONE_GAME, date(2018, 3, 10))
    publish(desk, date(2018, 3, 31))
    file = desk.folder / "lists" / "italiana-2018-03-31-r1.csv"

    other = init(str(desk.folder / "other.db"), federation="ITA", name="Other", now=desk.clock, author="T")
    register_player(other, "Somebody Else")  # the numbers of the two registers differ
    import_list(other, file, ITALIANA, date(2018, 3, 31))

    assert ratings_in_force(other, ITALIANA, date(2018, 4, 1)) == {2: 2160, 3: 1860}
    person = registered(other, 2)
    assert (person.name, person.federation, person.sex, person.born, person.identifiers) == (
        "Player 1", "ITA", "F", 1990, (("fid", "9001"),),
    )  # fmt: skip


def test_a_list_is_taken_over_and_the_records_are_asked_for_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentences of the commands, in Italian; a wrong list or weight ends with status 2 and writes nothing."""
    place, file = str(tmp_path / "office.db"), tmp_path / "list.csv"
    file.write_text(WITHOUT, encoding="utf-8")

    def office(*words: str) -> tuple[int, str, str]:
        return commands.run(capsys, "office", *words, "--db", place, "--lang", "it")

    acting = ("--author", "T. Officer", "--now", "2018-01-10T10:00:00Z")
    assert office("init", "--federation", "ITA", *acting)[0] == 0
    taking = ("import-list", str(file), "--list", "italiana", "--date", "2017-12-31", "--yes", *acting)
    status, _, err = office(*taking, "--last-event", "2018-02-01")
    assert (status, "è successiva alla lista" in err) == (2, True)
    status, out, _ = office(*taking)
    assert (status, "di 3 giocatori non si conosce l'ultima gara" in out) == (0, True)
    decided = (
        "decide",
        "last-event",
        "--list",
        "italiana",
        "--date",
        "2017-06-01",
        "--reason",
        "archivio",
        *acting,
    )
    assert office(*decided)[0] == 0
    at_the_end = ("--author", "T. Officer", "--now", "2018-12-31T10:00:00Z")
    assert office("publish", "italiana", "2018-12-31", *at_the_end)[0] == 0

    status, out, _ = office("draughts", "points", "italiana")
    assert (status, out.count("defalcati a fine anno")) == (0, 3)
    csv = tmp_path / "points.csv"
    assert office("draughts", "points-csv", "italiana", "--out", str(csv))[0] == 0
    assert (
        csv.read_text("utf-8").splitlines()[1]
        == "1,Player 1,2018,taken,50,50,italiana-2018-12-31-r1,1950,400"
    )
    status, out, _ = office(
        "draughts", "promotions", "italiana", "--from", "2018-01-01", "--to", "2018-12-31"
    )
    assert (status, out.strip()) == (0, "Nessuno.")
    status, out, err = office("draughts", "points", "standard")
    assert (status, out) == (2, "")
    assert "italiana" in err
    status, _, err = office("decide", "fmjd", "--player", "1", "--reason", "?", *acting)
    assert (status, "date, fmjd" in err) == (2, True)


def test_a_corrected_year_knows_the_merge_that_it_was_corrected_for(sqlite_desk: Desk) -> None:
    """Number 3 has no capital, number 4 has 2000 and malus 100: one player, from whom the year takes fifty."""
    desk = sqlite_desk
    enrol(desk)
    cancelled = replace(standing(3, 2000, foreign=True), capital=None)
    begin(desk, standing(1, 2000), cancelled, standing(4, 2000, malus=100))
    closed_years(desk, 2018)
    assert entries(desk)[4] == [(2017, "brought", 100, 100), (2018, "taken", 50, 150)]
    merge(desk.office, 3, 4, reason="the same player", confirmed=True)

    revise(desk.office, ITALIANA, reason="one player")

    assert entries(desk)[3] == [(2018, "taken", 50, 150)]


def test_an_fmjd_rating_is_the_players_under_the_number_kept(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    enrol(desk)
    begin(desk, standing(6, 2000, fmjd=2100), on_list=INTERNAZIONALE)
    decide(desk.office, "fmjd", player=7, day=date(2018, 1, 1), fmjd=2200, reason="card")
    merge(desk.office, 1, 7, reason="the same player", confirmed=True)
    merge(desk.office, 2, 6, reason="the same player", confirmed=True)
    desk.on(date(2018, 2, 1))
    assert [(one.player, one.rating) for one in fmjd_ratings(desk.office)] == [(1, 2200), (2, 2100)]


def test_a_published_list_carries_its_whole_state_and_closes_the_year_elsewhere(sqlite_desk: Desk) -> None:
    """Tables 18a, 18b, 22: malus so far, last event, idle years, foreigners and FMJD ratings are in the CSV."""
    desk = sqlite_desk
    begin(
        desk,
        standing(1, 2000),
        standing(2, 2000),
        standing(3, 900, malus=430),
        standing(4, 2000, foreign=True, fmjd=1200, idle_years=0),
        replace(standing(5, 1500), last_event=None),
        on_list=INTERNAZIONALE,
    )
    publish(desk, date(2018, 12, 31), INTERNAZIONALE)  # nobody played: 50 from everybody, 20 from the third
    played(desk, "Gara", DRAW, date(2019, 3, 10), INTERNAZIONALE)
    publish(desk, date(2019, 6, 30), INTERNAZIONALE)
    file = desk.folder / "lists" / "internazionale-2019-06-30-r1.csv"
    other = init(str(desk.folder / "other.db"), federation="ITA", name="Other", now=desk.clock, author="T")
    import_list(other, file, INTERNAZIONALE, date(2019, 6, 30))

    def closed(office: Office, year: int) -> dict[int, int]:
        desk.on(date(year, 12, 31))
        office_publish(office, INTERNAZIONALE, date(year, 12, 31), desk.folder / f"{year}")
        return ratings_in_force(office, INTERNAZIONALE, date(year, 12, 31))

    # 2018 took 50 from each and 20 from the third (450 in all). 2019: the two draw and have the bonus (1960 each);
    # the third has no more points to lose, the fourth is cancelled after two years, the fifth loses 50 again
    assert closed(desk.office, 2019) == {1: 1960, 2: 1960, 3: 880, 5: 1400}
    assert closed(other, 2019) == {1: 1960, 2: 1960, 3: 880, 5: 1400}
    assert closed(desk.office, 2020) == closed(other, 2020) == {1: 1910, 2: 1910, 3: 880, 5: 1350}

    def rows(office: Office) -> str:
        folder = desk.folder / ("again" if office is other else "first")
        desk.on(date(2021, 1, 31))
        office_publish(office, INTERNAZIONALE, date(2021, 1, 31), folder, kinds=("csv",))
        return (folder / "internazionale-2021-01-31-r1.csv").read_text(encoding="utf-8")

    assert rows(desk.office) == rows(other)
