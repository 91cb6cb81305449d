"""A federation's own edition in an office, with numbers worked by hand.

The edition of the tests stands on fide-2017 and sets K = 25 for everybody usual, and three games for a first rating:

- 2000 beats 1900: expected 0.64, so 0.36 x 25 = 9 points; under FIDE's K of 20 they would be 7.2, rounded 7.
- A newcomer beats 1800, draws with 1900 and loses to 2000: half the points against an average of 1900, so his first
  rating is 1900; under fide-2017 he would need five games.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from arpad import office as verbs
from tests.office.made import STANDARD, Desk, event, listed

JAN, FEB, MAR, APR = (date(2018, month, 1) for month in (1, 2, 3, 4))

OWN = """
id = "circolo-2018"
base = "fide-2017"
effective = 2018-01-01
source = "Decision of the board, 3 December 2017"

[every]
k_usual = { value = 25, article = "own 3" }
minimum_games = { value = 3, article = "own 4" }
k_times_games = "none"
"""
NEXT = OWN.replace("circolo-2018", "circolo-2018b").replace("value = 25", "value = 15")

OPEN = """
1 2000 | 4w1 2w1 .Z
2 1900 | .Z 1b0 4b=
3 1800 | .Z 4w0 .Z
4 0    | 1b0 3b1 2w=
5 1700 | 6w= .Z .Z
6 1700 | 5b= .Z .Z
"""
WIN = """
1 2000 | 2w1
2 1900 | 1b0
"""


def opened(desk: Desk, own: str = OWN, **more: object) -> None:
    """An office that starts from a list without K, and has its own edition since that day."""
    ratings = {1: 2000, 2: 1900, 3: 1800, 5: 1700, 6: 1700}
    desk.list(JAN, *(listed(number, rating, None) for number, rating in ratings.items()))
    verbs.adopt_edition(desk.office, own, reason="decision of the board", **more)  # type: ignore[arg-type]


def bundle(desk: Desk, day: date, revision: int = 1) -> Path:
    return desk.folder / "lists" / f"standard-{day}-r{revision}.bundle.zip"


def test_a_list_is_made_under_the_federations_own_edition(desk: Desk) -> None:
    opened(desk)
    desk.report(event("Open", OPEN, date(2018, 1, 10), date(2018, 1, 12)))
    publication = desk.publish(FEB)

    assert publication.edition == "circolo-2018"
    assert [desk.rating(player, FEB) for player in (1, 2, 3, 6)] == [2009, 1891, 1800, 1900]
    shown = verbs.explain(desk.office, 1, STANDARD, FEB)
    assert shown.story is not None
    (played,) = shown.story["events"]
    assert played["edition"] == shown.story["edition"] == "circolo-2018"
    assert played["k"] == 25
    assert "own 3" in {step[0] for step in played["steps"]}
    assert verbs.verify(desk.office).intact
    assert verbs.verify_bundle(bundle(desk, FEB)).intact


def test_reports_are_checked_under_the_edition_of_their_first_day(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    opened(desk, OWN + 'games_per_day = { value = 2, article = "own 6" }\n', since=date(2018, 1, 5))
    one_day = "1 2000 | 2w1 3w1 .Z\n2 1900 | 1b0 .Z 3w1\n3 1800 | .Z 1b0 2b0\n"

    before = desk.send(event("Before", one_day, date(2018, 1, 4)))
    since = desk.send(event("Since", one_day, date(2018, 1, 5)))

    articles = [
        {finding.article for finding in sent.findings if finding.code == "too-many-games-a-day"}
        for sent in (before, since)
    ]
    assert articles == [set(), {"own 6"}]
