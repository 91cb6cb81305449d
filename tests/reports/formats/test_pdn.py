"""PDN files and the list file."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.explain.words import load_words
from arpad.model.draughts import Category, DraughtsState, Title
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.regulations.rubele.editions import RUBELE_2008
from arpad.reports.formats import pdn, read_report
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.report import Record
from tests.builders.draughts import board_report, round_of, small_event
from tests.patience import comes_to_an_end

ITALIAN = """\
[Event "Coppa Città di Novara"]
[Site "Novara"]
[Date "2008.05.04"]
[Round "1"]
[White "Rossi, Anna"]
[Black "Bianchi, Bruno"]
[WhiteRating "3000"]
[BlackRating "2900"]
[GameType "22,W,8,8,N2,1"]
[Result "1-0"]

1. 22-19 11-14 {a comment [with "brackets"] in it} 2. 23-20 1-0

[Event "Coppa Città di Novara"]
[Date "2008.05.05"]
[Round "2"]
[White "Bianchi, Bruno"]
[Black "Rossi, Anna"]
[GameType "22"]
[Result "1/2-1/2"]

1/2-1/2
"""
INTERNATIONAL = (
    ITALIAN.replace('"22,W,8,8,N2,1"', '"20"')
    .replace('"22"', '"20"')
    .replace('"1-0"', '"2-0"')
    .replace('"1/2-1/2"', '"1-1"')
)


@pytest.mark.parametrize(
    ("text", "name"), [(ITALIAN, ListName.ITALIANA), (INTERNATIONAL, ListName.INTERNAZIONALE)]
)
def test_both_disciplines_give_two_one_and_no_points(text: str, name: ListName) -> None:
    report = read_report(text.encode(), "novara.pdn")
    assert report.format == "pdn"
    assert pdn.discipline(report) is name
    assert report.header.name == "Coppa Città di Novara"
    assert (report.header.first_day, report.header.last_day) == (date(2008, 5, 4), date(2008, 5, 5))
    event = run_season([DraughtsEvent("e", report)], None, lambda day: RUBELE_2008.on(name)).events[0]
    scores = {player.name: player.change.scored for player in event.players if player.change}
    assert scores == {"Rossi, Anna": 3, "Bianchi, Bruno": 1}
    assert {finding.code for finding in event.findings} == {"draughts-bonus-unknown"}


@pytest.mark.parametrize("given", ["25", "21,W,8,8,N1,0", "99"])
def test_other_game_types_are_refused_in_one_sentence(given: str) -> None:
    with pytest.raises(Unreadable) as caught:
        pdn.read(ITALIAN.replace("22,W,8,8,N2,1", given).encode())
    assert load_words("it").error(caught.value) == (
        f"riga 9, colonna 12: il GameType «{given}» non è ammesso qui: vale 20, 22 "
        "(20 dama internazionale, 22 dama italiana)"
    )


def test_two_game_types_in_one_file_are_refused() -> None:
    with pytest.raises(Unreadable) as caught:
        pdn.read(ITALIAN.replace('"22"', '"20"').encode())
    assert caught.value.facts["accepted"] == "22"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [('"1-0"', '"3-0"', "pdn-result"), ('"Rossi, Anna"', '"?"', "pdn-no-player"), ("[", "", "pdn-no-games")],
)
def test_an_unreadable_file_is_refused_with_its_line(old: str, new: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        pdn.read(ITALIAN.replace(old, new).encode())
    assert caught.value.code == code
    assert load_words("it").error(caught.value).startswith("riga ")


def test_games_lost_by_both_unplayed_or_unfinished_do_not_count() -> None:
    for result, termination in (("0-0", ""), ("2-0", "Forfeit"), ("*", "")):
        text = INTERNATIONAL.replace('"2-0"]', f'"{result}"]\n[Termination "{termination}"]')
        event = run_season(
            [DraughtsEvent("e", pdn.read(text.encode()))],
            None,
            lambda day: RUBELE_2008.on(ListName.INTERNAZIONALE),
        ).events[0]
        assert {player.change.scored for player in event.players if player.change} == {1}


def test_games_of_one_meeting_are_rounds_in_their_order() -> None:
    text = ITALIAN.replace('[Round "1"]', '[Round "1.2"]').replace('[Round "2"]', '[Round "1.1"]')
    report = pdn.read(text.encode())
    assert [cells.results for cells in report.rounds] == ["==", "10"]


def test_games_without_round_go_into_the_next_free_round() -> None:
    report = pdn.read(ITALIAN.replace('[Round "1"]\n', "").replace('[Round "2"]\n', "").encode())
    assert [cells.results for cells in report.rounds] == ["10", "=="]
    assert [finding.code for finding in report.findings] == ["draughts-rounds-guessed"]
    assert load_words("it").finding(report.findings[0]).startswith("2 partite non hanno il turno")


@pytest.mark.deep
@pytest.mark.parametrize("count", [10_000, pytest.param(30_000, marks=pytest.mark.deep)])
def test_thousands_of_games_without_round_come_to_an_end(count: int) -> None:
    game = '[White "A"]\n[Black "B"]\n[GameType "20"]\n[Result "1-1"]\n\n1-1\n\n'
    with comes_to_an_end():
        report = pdn.read((game * count).encode())
    assert len(report.rounds) == count


def test_a_bye_is_not_a_player() -> None:
    """A bye counts neither in PO nor in PA, and nobody is entered on the list."""
    bye = '\n[Event "Coppa Città di Novara"]\n[Round "3"]\n[White "%s"]\n[Black "%s"]\n[GameType "22"]\n[Result "%s"]\n'
    text = ITALIAN + bye % ("Rossi, Anna", "BYE", "1-0") + bye % ("riposo", "Bianchi, Bruno", "1/2-1/2")
    report = pdn.read(text.encode())
    assert [entrant.name for entrant in report.entrants] == ["Rossi, Anna", "Bianchi, Bruno"]
    assert (report.rounds[2].opponents, report.rounds[2].results) == ((0, 0), "UH")
    with pytest.raises(Unreadable, match="pdn-no-player"):
        pdn.read((ITALIAN + bye % ("bye", "bye", "1-0")).encode())


def test_two_events_in_one_file_are_refused_by_name() -> None:
    first, _, second = ITALIAN.partition("\n[Event ")
    text = f"{first}\n[Event {second.replace('Novara', 'Bari', 1)}"
    with pytest.raises(Unreadable) as caught:
        pdn.read(text.encode())
    assert (caught.value.code, caught.value.facts["line"]) == ("pdn-several-events", 14)
    assert "Coppa Città di Bari" in load_words("it").error(caught.value)
    nameless = f"{first}\n{second.partition(chr(10))[2]}"
    assert len(pdn.read(nameless.encode()).rounds) == 2


@pytest.mark.parametrize("kind", ["20", "22"])
def test_a_report_comes_back_from_pdn(kind: str) -> None:
    report = replace(board_report(), records=(Record("GameType", {"type": kind}),))
    data, _ = pdn.write(report)
    back = pdn.read(data)
    assert pdn.discipline(back) is pdn.discipline(report)
    before = {(e.name, e.rating) for e in report.entrants}
    assert {(e.name, e.rating) for e in back.entrants} == before

    def games(of: object) -> set[tuple[int, str, str, str]]:
        assert isinstance(of, type(report))
        name = {e.number: e.name for e in of.entrants}
        return {(g.round, name[g.number], name[g.opponent], g.result) for p in range(10) for g in of.games(p)}

    assert games(back) == games(report)


def test_byes_have_no_place_in_pdn() -> None:
    report = small_event([2000, 2000, 2000], round_of(3, [(1, 2, "+")], {3: "U"}))
    data, findings = pdn.write(report)
    assert "pdn-byes-lost" in {finding.code for finding in findings}
    assert b'[Termination "forfeit"]' in data
    assert pdn.read(data).rounds[0].results == "+-"


def refusal(data: bytes) -> str | None:
    try:
        pdn.read(data)
    except BadInput as error:
        return load_words("it").error(error)
    return None


@given(st.binary(max_size=300))
def test_any_bytes_give_a_report_or_a_sentence(data: bytes) -> None:
    assert refusal(b'[Event "x"]\n' + data) != ""


# ------------------------------------------------------------------------------------------- the list file

LIST = """\
tessera;nome;categoria;capitale;straniero;ultima_gara
1;Rossi Anna;M;4000;no;2008-05-04
2;Bianchi Bruno;;2500;sì;
"""


def test_an_italian_list_is_read() -> None:
    base = {1000: Category.REGIONALE, 2000: Category.NAZIONALE}
    anna, bruno = capitals.read(LIST.encode(), base)
    assert anna == DraughtsState("Rossi Anna", 4000, Category.MAESTRO, "1", last_event=date(2008, 5, 4))
    assert capitals.read(LIST.replace("4000", "4.000").encode(), base)[0] == anna
    assert bruno == DraughtsState("Bianchi Bruno", 2500, Category.NAZIONALE, "2", foreign=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [("capitale", "x"), ("4000", "4000.5"), ("4000", "-3"), (";M;", ";granduca;"), ("2008-05-04", "4/5/8"),
     ("sì", "boh"), ("Rossi Anna", " "), ("4000", "9" * 5000), ("Rossi Anna", '"' + "x" * 200_000)],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_a_list_that_cannot_be_read_names_line_and_column(old: str, new: str) -> None:
    with pytest.raises(Unreadable) as caught:
        capitals.read(LIST.replace(old, new).encode())
    assert load_words("it").error(caught.value).startswith("riga ")
    assert load_words("en").error(caught.value).startswith("line ")


def test_blank_lines_above_the_headings_are_passed_over() -> None:
    assert capitals.read(f"\r\n \r\n{LIST}".encode()) == capitals.read(LIST.encode())
    with pytest.raises(Unreadable) as caught:
        capitals.read(f"\n\n{LIST.replace('4000', 'x')}".encode())
    assert caught.value.facts["line"] == 4


@pytest.mark.parametrize("text", ["name,capital\n", ",,,\n", " \n;;\n;\n"])
def test_an_empty_list_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        capitals.read(text.encode())


NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("written", "name"), [("'t Hart", "'t Hart"), ("'=SUM(A1)", "=SUM(A1)"), ("''=x", "'=x"), ("'-", "-")]
)
def test_an_apostrophe_that_belongs_to_a_name_stays(written: str, name: str) -> None:
    (standing,) = capitals.read(f"capital,name\n3000,{written}\n".encode())
    assert standing.name == name
    assert f",{written},".encode() in capitals.write([standing])


@given(
    st.builds(
        DraughtsState,
        name=NAMES,
        capital=st.none() | st.integers(100, 9000),
        category=st.sampled_from(Category),
        id=st.from_regex(r"[0-9]{0,6}", fullmatch=True),
        title=st.none() | st.sampled_from(Title),
        foreign=st.booleans(),
        last_event=st.none() | st.dates(date(1990, 1, 1), date(2030, 1, 1)),
        idle_years=st.integers(0, 20),
        malus=st.integers(0, 450),
        fmjd=st.none() | st.integers(1, 2600),
    )
)
def test_a_list_comes_back_as_it_was_written(standing: DraughtsState) -> None:
    data = capitals.write([standing])
    assert capitals.read(data) == (standing,)
    assert capitals.write(capitals.read(data)) == data
