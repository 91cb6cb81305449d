"""The page of a tournament: who won, what counted, what each player gained; on a phone; as files."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from playwright.sync_api import Browser

from arpad.explain.words import load_words
from arpad.office.privacy.acts import hide_player
from arpad.office.tournaments import page
from arpad.office.tournaments.files import standings_pdf
from arpad.office.tournaments.page import read_tournament
from arpad.rating.tie_breaks import FinalTable, final_table
from arpad.regulations.tie_breaks import TieBreak
from arpad.reports.formats import read_report
from arpad.reports.report import Report
from arpad.system.lru import Lru
from tests.builders.site_fixtures import Served, compact

OPEN, ROUND_ROBIN, DRAUGHTS = 40, 29, 37


def test_a_reader_recomputes_every_change_from_the_row(served: Served) -> None:
    """The change is (rated score − expected) × K, for every rated player of the file."""
    text = served.client().get(f"/tournaments/{OPEN}/files/{OPEN}.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))

    rated = [row for row in rows if row["change"]]
    assert len(rated) > 20
    for row in rated:
        gained = (Fraction(row["rated_score"]) - Fraction(row["expected"])) * int(row["k"])
        assert gained == Fraction(row["change"]), row
    assert [int(row["rank"]) for row in rows] == sorted(int(row["rank"]) for row in rows)
    points = [Fraction(row["points"]) for row in rows]
    assert points == sorted(points, reverse=True)


def test_the_page_names_the_winner_the_list_and_the_ratings_used(served: Served) -> None:
    text = re.sub(r"\s+", " ", served.client().get(f"/tournaments/{OPEN}?round=3").text)
    italian = served.client(language="it").get(f"/tournaments/{OPEN}").text

    assert re.search(
        r'Won by <b><a href="/players/\d+\?list=standard">Salvignoli, Mauro</a></b>, with 6 points', text
    )
    assert re.search(r"Published in the list of <a [^>]*>1 December 2024</a>", text)
    assert re.search(r"ratings used: list of <a [^>]*>1 October 2024</a>", text)
    assert "white against 17, won" in text
    assert text.count('<th scope="row"><a') >= 30 + 30, "the round's games too"
    assert "Classifica finale" in italian
    assert "bianco contro 17, vinta" in italian
    assert "Crosstable" not in text
    assert "Crosstable" in served.client().get(f"/tournaments/{ROUND_ROBIN}").text
    assert "the capital after" in served.client().get(f"/tournaments/{DRAUGHTS}").text


def test_the_page_has_the_tie_breaks_with_their_articles(served: Served) -> None:
    text = re.sub(r"\s+", " ", served.client().get(f"/tournaments/{OPEN}").text)
    assert '<abbr title="Buchholz, without the lowest (C.07, 8.1)">BH/C1</abbr>' in text
    assert "Sonneborn-Berger (C.07, 9.1)." in text
    rows = list(
        csv.DictReader(served.client().get(f"/tournaments/{OPEN}/files/{OPEN}.csv").text.splitlines())
    )
    assert all(Fraction(row["BH/C1"]) <= Fraction(row["BH"]) for row in rows)
    all_play_all = served.client().get(f"/tournaments/{ROUND_ROBIN}").text
    assert ">SB</abbr>" in all_play_all
    assert ">BH</abbr>" not in all_play_all, "Buchholz must not be used in a round robin"
    assert "BH" not in served.client().get(f"/tournaments/{DRAUGHTS}").text


def test_the_final_table_is_computed_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with served.office.store.reading() as connection:
        played = read_tournament(connection, OPEN)
    made: list[FinalTable] = []

    def counted(report: Report, chosen: Sequence[TieBreak]) -> FinalTable:
        made.append(final_table(report, chosen))
        return made[-1]

    monkeypatch.setattr(page, "final_table", counted)
    monkeypatch.setattr(page, "_TABLES", Lru(1))
    assert standings_pdf(played, load_words("en"), "Bellariva").startswith(b"%PDF")
    assert len(made) == 1
    assert served.client().get(f"/tournaments/{OPEN}?fresh=1").status_code == 200
    assert len(made) == 1, "nor on the next visit"


def test_a_championship_of_teams_is_won_by_a_team(served: Served) -> None:
    client = served.client()
    overview = client.get("/tournaments?q=campionato+a+squadre").text
    number = re.findall(r'<a href="/tournaments/(\d+)">', overview)[0]
    assert 'href="/players/' not in overview
    text = compact(client.get(f"/tournaments/{number}").text)
    (won,) = re.findall(r"Won by<b>(.*?)</b>, with", text)
    rows = re.findall(r'<td class="r">(\d)</td><th scope="row">([^<]+)</th>(.*?)</tr>', text)
    assert [row[0] for row in rows] == list("123456")
    assert rows[0][1] == won
    figures = [[Fraction(it) for it in re.findall(r"(\d[\d.]*)<", row[2])] for row in rows]
    assert all(row[0] == 2 * row[2] + row[3] for row in figures)
    assert sum(row[1] for row in figures) == 5 * 3 * 4, "five rounds of three matches on four boards"
    assert [row[:2] for row in figures] == sorted((row[:2] for row in figures), reverse=True)
    assert "(C.07, 13.2.2)" in text
    assert "BH/C1" not in text


def test_a_visitor_ranks_by_other_tie_breaks(served: Served) -> None:
    client = served.client()
    address = f"/tournaments/{OPEN}/files/{OPEN}.csv"
    asked = list(csv.DictReader(client.get(f"{address}?tie-breaks=DE,WIN,bwg,nonsense").text.splitlines()))
    usual = list(csv.DictReader(client.get(address).text.splitlines()))
    assert list(asked[0])[-3:] == ["DE", "WIN", "BWG"]
    assert [row["points"] for row in asked] == [row["points"] for row in usual]
    assert [row["number"] for row in asked] != [row["number"] for row in usual]
    for row, following in pairwise(asked):
        same = (row["points"], row["DE"], row["WIN"]) == (
            following["points"],
            following["DE"],
            following["WIN"],
        )
        assert not same or int(row["BWG"]) >= int(following["BWG"])
    text = compact(client.get(f"/tournaments/{OPEN}?tie-breaks=KS/L%2B1").text)
    assert "KS/L+1: Koya, limit moved by 1 half-point (C.07, 9.2). The ranks follow from points" in text
    assert 'value="KS/L+1"' in text
    assert '<details id="tie-breaks" open>' in text


def test_a_card_of_a_player_adds_up_to_the_tie_breaks(served: Served) -> None:
    client = served.client()
    page = client.get(f"/tournaments/{OPEN}").text
    first = re.findall(rf'href="(/tournaments/{OPEN}/players/\d+)"', page)[0]
    text = client.get(first).text
    _, *rows = re.findall(r"<tr>(.*?)</tr>", text, flags=re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, flags=re.DOTALL) for row in rows]
    sums = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text, flags=re.DOTALL))
    for column, name in ((-3, "Buchholz, without the lowest (C.07, 8.1)"), (-2, "Buchholz (C.07, 8.1)")):
        counted = [row[column].strip() for row in cells if "<s" not in row[column]]
        assert sum(map(Fraction, counted)) == Fraction(sums[name]), name
    assert sum("<s" in row[-3] for row in cells) == 1
    assert "next player" in text
    assert client.get(f"/tournaments/{OPEN}/players/999").status_code == 404
    assert "Tutti i tornei di" in served.client(language="it").get(first).text
    assert client.get(f"/tournaments/{DRAUGHTS}/players/1").status_code == 200


def test_the_page_leaves_out_doubts_about_entrants_that_the_office_settled(served: Served) -> None:
    page = served.client().get(f"/tournaments/{ROUND_ROBIN}")
    findings = served.client().get(f"/api/v1/tournaments/{ROUND_ROBIN}").json()["findings"]
    assert [finding["code"] for finding in findings if finding["severity"] != "info"] == ["match-ambiguous"]
    assert "may be one of these" not in page.text
    assert 'class="findings"' not in page.text


def test_a_board_of_draughts_is_explained_in_the_words_of_elo_rubele(served: Served) -> None:
    page = served.client(language="it").get(f"/tournaments/{DRAUGHTS}").text
    assert "PA il punteggio atteso" in page
    assert "1 patta" in page


def test_the_overview_names_the_winners_and_is_searched_by_words_list_and_year(served: Served) -> None:
    client = served.client()
    every = client.get("/tournaments").text
    for address in ("?q=OGNISSANTI+2024", "?q=open+castel&year=2024&list=standard"):
        text = client.get(f"/tournaments{address}").text
        assert re.findall(r'<a href="/tournaments/(\d+)">', text) == [str(OPEN)], address
        assert re.search(r'<a href="/players/\d+\?list=standard">Salvignoli, Mauro</a>', text)
    earlier = set(re.findall(r'<a href="/tournaments/(\d+)">', client.get("/tournaments?year=2023").text))
    blitz = client.get("/tournaments?list=blitz&year=never").text

    assert earlier < set(re.findall(r'<a href="/tournaments/(\d+)">', every))
    assert set(re.findall(r"<td>(standard|rapid|blitz)</td>", blitz)) == {"blitz"}
    assert "No tournament matches" in client.get("/tournaments?q=zzzz").text
    assert "90 minuti per 40 mosse" in served.client(language="it").get(f"/tournaments/{OPEN}").text


def test_the_files_have_years_of_birth_and_no_hidden_player(own: Served) -> None:
    client = own.client()
    before = client.get(f"/tournaments/{OPEN}/files/{OPEN}.trf").content
    report = read_report(before, "a.trf")
    assert all(entrant.born is None or isinstance(entrant.born, int) for entrant in report.entrants)
    number = int(re.findall(r"/players/(\d+)\?list=standard", client.get(f"/tournaments/{OPEN}").text)[0])

    hide_player(replace(own.office, author="tests"), number, reason="asked")

    for kind in ("trf", "csv"):
        assert b"Salvignoli" not in client.get(f"/tournaments/{OPEN}/files/{OPEN}.{kind}").content
    assert b"Salvignoli" in before
    paper = client.get(f"/tournaments/{OPEN}/files/{OPEN}.pdf")
    assert paper.content.startswith(b"%PDF")
    assert paper.headers["content-disposition"].endswith("''Open%20di%20Ognissanti%202024.pdf")
    assert client.get(f"/tournaments/{OPEN}/files/{OPEN}.exe").status_code == 404


def test_on_a_phone_rank_name_points_and_change_are_there_and_the_rest_opens(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, locale="en-GB", java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{served.address}/tournaments/{OPEN}")
    row = page.locator("table.opens tbody tr").first
    assert row.inner_text().split() == "1 Salvignoli, Mauro More about this player 6 +67.6".split()
    box = row.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    heads = [head for head in page.locator("table.opens thead :is(th, td)").all() if head.is_visible()]
    boxes = [box for head in heads if (box := head.bounding_box())]
    assert [head.inner_text() for head in heads] == ["#", "Player", "Points", "Change"]
    assert len(boxes) == 4
    assert all(0 <= box["x"] < box["x"] + box["width"] <= 390 for box in boxes)
    points, above = row.locator("td").nth(1).bounding_box(), boxes[2]
    assert points is not None
    assert abs(points["x"] + points["width"] - above["x"] - above["width"]) < 1, "a figure is below its head"
    row.locator("summary").click()
    assert "2312" in row.inner_text().split(), "the performance"
    page.goto(f"{served.address}/lists/standard")
    born = page.locator("td.lesser").last
    assert not born.is_visible()
    page.get_by_label("Show all columns").check()
    assert born.is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not page.get_by_label("Show all columns").is_visible()
    context.close()
