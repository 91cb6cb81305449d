"""The news of lists, players and clubs, worked by hand; hidden players are in none of it."""

from datetime import date

from arpad.explain.words import load_words
from arpad.model.clubs import UnitKind
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.notices.news import (
    RatingNews,
    club_news,
    list_news,
    list_title,
    named_change,
    player_news,
    player_title,
    tournament_news,
    tournament_title,
)
from arpad.office.privacy.acts import hide_player
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import reports_on_file, revise, take_back, withdraw

FEB, MAR = date(2018, 2, 1), date(2018, 3, 1)
# 2000 beats 1900: expected 0.64, so +0.36 x 20 = +7.2 and -7.2.


def test_a_player_a_club_and_a_list_have_the_same_news(sqlite_out: Desk) -> None:
    desk = sqlite_out
    enter_club(desk.office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    for player in (1, 2):
        transfer(desk.office, player, "MI1", since=date(2018, 1, 1))
    with desk.office.store.reading() as connection:
        (january, february), members = player_news(connection, 1, 9)[::-1], club_news(connection, "MI1", 1)
        newest = list_news(connection, STANDARD, 1)
        (tournament,) = tournament_news(connection, 1, 9)
    assert january.ratings == (RatingNews(1, "Player 1", None, 2000, 0),)
    assert february.ratings == (RatingNews(1, "Player 1", 2000, 2007, 1),)
    assert members[0].ratings == (*february.ratings, RatingNews(2, "Player 2", 1900, 1893, 1))
    assert newest[0].publication == february.publication == members[0].publication
    assert (newest[0].at, tournament.at) == ("2018-02-01T12:00:00Z", "2018-01-10T12:00:00Z")
    words, parole = load_words("en"), load_words("it")
    assert player_title(words, february) == "List standard of 1 February 2018: 2000 → 2007 (+7)"
    assert player_title(parole, january) == "Lista standard del 1° gennaio 2018: primo Elo 2000"
    assert named_change(words, members[0].ratings[1]) == "Player 2: 1900 → 1893 (-7)"
    assert tournament_title(words, tournament) == "Tournament accepted: Match"


def test_a_correction_tells_only_what_it_changed(sqlite_out: Desk) -> None:
    desk = sqlite_out
    (report,) = reports_on_file(desk.office)
    withdraw(desk.office, report.id, reason="never played")
    revise(desk.office, STANDARD, reason="never played")
    with desk.office.store.reading() as connection:
        correction = player_news(connection, 1, 1)[0]
        assert tournament_news(connection, 1, 9) == []
    assert correction.ratings == (RatingNews(1, "Player 1", 2007, 2000, 0),)
    title = list_title(load_words("it"), correction.publication)
    assert title == "Correzione 2 della lista standard del 1° febbraio 2018"
    take_back(desk.office, STANDARD, FEB, reason="it was played")
    with desk.office.store.reading() as connection:
        latest = list_news(connection, None, 2)
        assert player_news(connection, 1, 1)[0].ratings[0].after == 2007
    assert [item.taken_back for item in latest] == [True, False]
    assert list_title(load_words("en"), latest[0].publication, taken_back=True).endswith("was unpublished")


def test_who_does_not_change_has_no_news_and_who_is_hidden_never(sqlite_out: Desk) -> None:
    desk = sqlite_out
    desk.report(event("Again", WIN.replace("2w1", "2w=").replace("1b0", "1b="), date(2018, 2, 10)))
    desk.publish(MAR)
    enter_club(desk.office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(desk.office, 1, "MI1", since=date(2018, 1, 1))
    with desk.office.store.reading() as connection:
        assert [item.publication.day for item in player_news(connection, 1, 2)] == [MAR, FEB]
    hide_player(desk.office, 1, reason="asked")
    with desk.office.store.reading() as connection:
        assert player_news(connection, 1, 9) == []
        assert club_news(connection, "MI1", 9) == []


def test_a_player_without_games_has_no_news(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900), listed(3, 1800))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    with desk.office.store.reading() as connection:
        assert [item.publication.day for item in player_news(connection, 3, 9)] == [date(2018, 1, 1)]
