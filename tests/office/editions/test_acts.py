"""A federation's own edition in an office, with numbers worked by hand.

The edition of the tests stands on fide-2017 and sets K = 25 for everybody usual, and three games for a first rating:

- 2000 beats 1900: expected 0.64, so 0.36 x 25 = 9 points; under FIDE's K of 20 they would be 7.2, rounded 7.
- A newcomer beats 1800, draws with 1900 and loses to 2000: half the points against an average of 1900, so his first
  rating is 1900; under fide-2017 he would need five games.
"""

import csv
import zipfile
from datetime import date
from pathlib import Path

import pytest

from arpad.explain.words import load_words
from arpad.lists.explanation import ExplainedChessEvent
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName, Rule
from arpad.office.editions.acts import editions_in_turn
from arpad.office.rankings.files import public_bundle_of
from arpad.studies.whatif import tried_editions
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, list_bytes, listed, trf
from tests.builders.verbs import (
    adopt_edition,
    backup,
    draft,
    explain,
    export,
    ledger,
    open_office,
    own_editions,
    publications,
    restore,
    revise,
    revoke_edition,
    verify,
    verify_bundle,
    withdraw,
)
from tests.commands import run, run_json

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
    adopt_edition(desk.office, own, reason="decision of the board", **more)  # type: ignore[arg-type]


def bundle(desk: Desk, day: date, revision: int = 1) -> Path:
    return desk.folder / "lists" / f"standard-{day}-r{revision}.bundle.zip"


def test_a_list_is_made_under_the_federations_own_edition(desk: Desk) -> None:
    opened(desk)
    desk.report(event("Open", OPEN, date(2018, 1, 10), date(2018, 1, 12)))
    publication = desk.publish(FEB)

    assert publication.edition == "circolo-2018"
    assert [desk.rating(player, FEB) for player in (1, 2, 3, 6)] == [2009, 1891, 1800, 1900]
    shown = explain(desk.office, 1, STANDARD, FEB)
    assert shown.change is not None
    (played,) = shown.change.events
    assert played.edition == shown.change.edition == "circolo-2018"
    assert isinstance(played, ExplainedChessEvent)
    assert played.contribution is not None
    assert played.contribution.k == 25
    assert "own 3" in {step.article for step in played.steps}
    assert verify(desk.office).intact
    assert verify_bundle(bundle(desk, FEB)).intact


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


def test_a_later_printed_edition_waits_until_the_federation_adopts_it(sqlite_desk: Desk) -> None:
    """fide-2024 is in force from 1 March 2024; the federation's own, of 2018, stands until another follows it."""
    desk = sqlite_desk
    desk.list(date(2024, 2, 1), listed(1, 2000, None), listed(2, 1900, None))
    adopt_edition(desk.office, OWN, lists=[STANDARD], since=date(2024, 2, 1), reason="board")
    desk.report(event("Match", WIN, date(2024, 3, 5)))

    assert draft(desk.office, STANDARD, date(2024, 3, 1)).inputs.edition == "circolo-2018"
    desk.publish(date(2024, 4, 1), special="no list in March")
    assert desk.rating(1, date(2024, 4, 1)) == 2009

    back = 'id = "circolo-2024"\nbase = "fide-2024"\n'
    adopt_edition(desk.office, back, lists=[STANDARD], since=date(2024, 4, 15), reason="back to FIDE")
    assert draft(desk.office, STANDARD, date(2024, 5, 1)).inputs.edition == "circolo-2024"
    # 2009 against 1891 is 118: expected 0.66, so 0.34 x 25 = 8.5 before the change and 0.34 x 20 = 6.8 since
    desk.report(event("Old", WIN, date(2024, 4, 10)))
    desk.report(event("New", WIN.replace("w1", "b1").replace("b0", "w0"), date(2024, 4, 20)))
    assert draft(desk.office, STANDARD, date(2024, 5, 1)).result.ratings[1] == 2009 + 15


def test_a_history_is_tried_under_the_editions_of_its_office(sqlite_desk: Desk) -> None:
    opened(sqlite_desk, lists=[STANDARD])
    was = editions_in_turn(sqlite_desk.office, STANDARD)
    would = tried_editions(was, None, ["k_usual=30"], STANDARD)
    days = (date(2017, 8, 1), date(2018, 1, 1), date(2024, 5, 1))
    assert [was(day).id for day in days] == ["fide-2017", "circolo-2018", "circolo-2018"]
    assert [would(day).id for day in days] == ["fide-2017+", "circolo-2018+", "circolo-2018+"]
    assert would(days[2]).on(STANDARD).minimum_games.value == 3
    assert editions_in_turn(sqlite_desk.office, ListName.RAPID)(days[2]).id == "fide-2024"


def test_one_list_may_have_its_own_edition_and_the_others_not(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    for on_list in (STANDARD, ListName.RAPID):
        desk.list(JAN, listed(1, 2000, None), listed(2, 1900, None), on_list=on_list)
    adopt_edition(desk.office, OWN, lists=[ListName.RAPID], reason="rapid only")

    editions = {name: draft(desk.office, name, FEB).inputs.edition for name in (STANDARD, ListName.RAPID)}

    assert editions == {STANDARD: "fide-2017", ListName.RAPID: "circolo-2018"}


@DEEP_ON_POSTGRESQL
def test_a_correction_of_an_older_list_takes_the_edition_known_then(desk: Desk) -> None:
    opened(desk)
    desk.report(event("First", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    adopt_edition(desk.office, NEXT, since=date(2018, 2, 10), reason="K 15")
    late = desk.report(
        event("Late", WIN.replace("1 2000 | 2w1", "1 2000 | 2b1").replace("1b0", "1w0"), date(2018, 1, 20))
    )
    # 2009 beats 1891: 118 apart, expected 0.66, 0.34 x 15 = 5.1
    desk.report(event("Second", WIN, date(2018, 2, 12)))
    desk.publish(MAR)
    # the late game, 2000 against 1900 and K 25, is rated in March too: 2009 + 9 + 5.1
    assert desk.rating(1, MAR) == 2023

    withdraw(desk.office, late, reason="not played")
    desk.on(date(2018, 3, 5))
    revised = revise(desk.office, STANDARD, desk.folder / "lists", reason="withdrawn", kinds=("canonical",))
    assert [(r.publication.day, r.publication.edition) for r in revised.revisions] == [(MAR, "circolo-2018b")]
    assert desk.rating(1, date(2018, 3, 6)) == 2014

    withdraw(desk.office, 1, reason="not played either")
    revised = revise(desk.office, STANDARD, desk.folder / "lists", reason="withdrawn", kinds=("canonical",))
    # without a game in January March begins from 2000 and 1900: 0.36 x 15 = 5.4
    assert [(r.publication.day, r.publication.edition) for r in revised.revisions] == [
        (FEB, "circolo-2018"),
        (MAR, "circolo-2018b"),
    ]
    assert [desk.rating(1, date(2018, 3, 6)), desk.rating(1, FEB)] == [2005, 2009]
    assert verify(desk.office).intact
    for day, revision in ((FEB, 2), (MAR, 3)):
        assert verify_bundle(bundle(desk, day, revision)).intact


def test_a_bundle_holds_the_edition_and_no_other_will_do(sqlite_desk: Desk, tmp_path: Path) -> None:
    desk = sqlite_desk
    opened(desk)
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    with zipfile.ZipFile(bundle(desk, FEB)) as archive:
        assert archive.read("editions/circolo-2018.toml").decode() == OWN
        members = {name: archive.read(name) for name in archive.namelist()}
    members["editions/circolo-2018.toml"] = OWN.replace("25", "24").encode()
    altered = tmp_path / "altered.zip"
    with zipfile.ZipFile(altered, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    assert [one.facts for one in verify_bundle(altered).altered] == [{"name": "editions/circolo-2018.toml"}]
    with desk.office.store.reading() as connection:
        (publication,) = [p for p in publications(desk.office) if p.day == FEB]
        shared = public_bundle_of(connection, publication)
    (tmp_path / "public.zip").write_bytes(shared)
    assert verify_bundle(tmp_path / "public.zip").intact


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE editions SET since = '2018-06-01' WHERE list = 'blitz'",
        "UPDATE editions SET act = 1 WHERE list = 'blitz'",
    ],
)
def test_an_edition_of_an_altered_office_is_named(sqlite_desk: Desk, statement: str) -> None:
    desk = sqlite_desk
    opened(desk)
    with desk.office.store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER keep_editions_UPDATE")
        connection.exec_driver_sql(statement)
    found = verify(desk.office).altered
    assert [(one.code, one.facts.get("edition")) for one in found if one.code == "edition-text"] == [
        ("edition-text", "circolo-2018")
    ]


def test_the_whole_office_is_taken_along(desk: Desk, tmp_path: Path) -> None:
    opened(desk)
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    backup(desk.office, tmp_path / "office.zip")
    restore(tmp_path / "office.zip", str(tmp_path / "again.db"))
    again = open_office(str(tmp_path / "again.db"), now=desk.clock, author="T")
    assert own_editions(again) == own_editions(desk.office)
    assert verify(again).intact
    assert draft(again, STANDARD, MAR).inputs.edition == "circolo-2018"
    again.close()

    export(desk.office, tmp_path / "out")
    assert (tmp_path / "out" / "circolo-2018.toml").read_text(encoding="utf-8") == OWN
    with (tmp_path / "out" / "editions.csv").open(encoding="utf-8", newline="") as stream:
        assert [(row["list"], row["since"], row["text"]) for row in csv.DictReader(stream)] == [
            (name, "2018-01-01", OWN) for name in ("standard", "rapid", "blitz")
        ]


def test_what_cannot_be_adopted_is_refused_in_a_sentence(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    opened(desk, lists=[STANDARD])
    desk.publish(FEB)
    later = date(2018, 2, 2)

    def refused(code: str, text: str = NEXT, **more: object) -> None:
        with pytest.raises(ArpadError, match=code):
            adopt_edition(desk.office, text, **{"reason": "because", "since": later, **more})  # type: ignore[arg-type]

    refused("value-missing", reason=" ")
    refused("own-edition-key", NEXT.replace("k_usual", "k_usuel"))
    refused("own-edition-toml", "id = ")
    refused("own-edition-value", NEXT.replace("circolo-2018b", "our rules/2018"))
    refused("edition-name-taken", NEXT.replace("circolo-2018b", "fide-2022"))
    refused("edition-name-taken", NEXT.replace("circolo-2018b", "circolo-2018"), lists=[ListName.RAPID])
    refused("edition-overlaps", OWN)  # once more on the same list
    refused("edition-late", since=FEB)
    refused("no-list", lists=[ListName.ITALIANA])
    assert len(own_editions(desk.office).editions) == 1

    (number,) = adopt_edition(desk.office, NEXT, lists=[STANDARD], since=later, reason="b").adoptions
    refused("edition-overlaps", NEXT.replace("2018b", "2018c"), lists=[STANDARD])
    revoke_edition(desk.office, number, reason="a slip")
    with pytest.raises(BadInput, match="no-adoption"):
        revoke_edition(desk.office, number, reason="again")
    with pytest.raises(BadInput, match="edition-used"):
        revoke_edition(desk.office, 1, reason="too late")
    adopt_edition(desk.office, NEXT.replace("2018b", "2018c"), lists=[STANDARD], since=later, reason="c")
    assert [act.verb for act in ledger(desk.office)][-3:] == [
        "adopt-edition",
        "revoke-edition",
        "adopt-edition",
    ]
    assert verify(desk.office).intact


def test_an_own_edition_cannot_be_based_on_another(sqlite_desk: Desk) -> None:
    """A file must contain all changes; the sentence says what to do instead."""
    desk = sqlite_desk
    opened(desk, lists=[STANDARD])
    on_own = 'id = "circolo-2019"\nbase = "circolo-2018"\neffective = 2019-01-01\n'
    with pytest.raises(BadInput) as caught:
        adopt_edition(desk.office, on_own, reason="b")
    assert (caught.value.code, caught.value.facts) == (
        "edition-on-own",
        {"option": "text", "base": "circolo-2018", "printed": "fide-2017"},
    )
    assert "copy the changes of circolo-2018" in load_words("en").error(caught.value)
    with pytest.raises(BadInput, match="own-edition-value"):
        adopt_edition(desk.office, on_own.replace('"circolo-2018"', '"fide-2081"'), reason="b")
    copied = OWN.replace("circolo-2018", "circolo-2019").replace("2018-01-01", "2019-01-01")
    assert adopt_edition(desk.office, copied, lists=[STANDARD], reason="b").adoptions == (2,)


def test_draughts_may_have_their_own_too(sqlite_desk: Desk) -> None:
    """Under Elo-Rubele as printed a newcomer to the Italian game begins with 300; here with 400."""
    desk = sqlite_desk
    text = 'id = "dama-2018"\nbase = "rubele-2008"\n[italiana]\nstarting_capital = { value = 400, article = "own 1" }\n'
    adopt_edition(desk.office, text, lists=[ListName.ITALIANA], since=JAN, reason="board")
    inputs = draft(desk.office, ListName.ITALIANA, date(2018, 6, 30)).inputs
    assert inputs.edition == "dama-2018"
    assert inputs.governing().on(ListName.ITALIANA).starting_capital == Rule(400, "own 1")


@DEEP_ON_POSTGRESQL
def test_a_bundle_has_the_edition_that_the_explanation_names(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--db", place, "--author", "A", "--now", "2018-01-02T10:00:00Z"]
    own = tmp_path / "circolo-2018.toml"
    own.write_text(OWN, encoding="utf-8")
    (tmp_path / "list.txt").write_bytes(list_bytes(JAN, listed(1, 2000, None), listed(2, 1900, None)))
    (tmp_path / "match.trf").write_bytes(trf(event("Match", WIN, date(2018, 1, 10))))
    run(capsys, "office init --federation ITA", *at)
    run(capsys, "office import-list", str(tmp_path / "list.txt"), "--date", "2018-01-01", "--yes", *at)
    assert "printed" in run(capsys, "office edition list --lang en --db", place)[1]
    run_json(capsys, "office edition adopt", str(own), "--lists", "standard", "--reason", "board", *at)
    _, shown, _ = run(capsys, "office edition list --db", place)
    assert [word in shown for word in ("1", "standard", "circolo-2018", "2018-01-01")] == [True] * 4
    later = [*at[:-1], "2018-02-01T10:00:00Z"]
    run(capsys, "office submit", str(tmp_path / "match.trf"), *later)
    run(capsys, "office accept 1", *later)
    run(capsys, "office publish standard 2018-02-01 --out", str(tmp_path / "out"), *later)
    _, told, _ = run(capsys, "office explain 1 --list standard --date 2018-02-01 --db", place)
    assert "2009" in told
    assert "own 3" in told
    (made,) = (tmp_path / "out").glob("*.bundle.zip")
    assert run_json(capsys, "office verify", str(made))["intact"] is True
