"""The draughts commands, from the arguments to stdout, stderr and the exit status."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arpad.reports.formats import write_report
from arpad.reports.report import Header, Record, Report
from tests import commands
from tests.builders.draughts import board_report, round_of, small_event


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run ``arpad rubele`` with arguments, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    return lambda *arguments: Ran(*commands.run(capsys, "rubele", *map(str, arguments)))


CHANGE = ("change", "--discipline", "italiana", "--capital", 3479, "--scored", 14, "--expected", "9.30")
IN_2008 = (*CHANGE, "--edition", "rubele-2008")


def test_change_has_the_fields_that_others_rely_on(run: Run) -> None:
    found = run(*IN_2008, "--json", "--lang", "it").json()
    assert found["schema"] == "arpad.rubele-change/1"
    assert (found["discipline"], found["edition"]) == ("italiana", "rubele-2008")
    assert (found["capital"], found["final"]) == (3479, 3925)
    assert (found["expected"], found["scored"], found["variation"]) == ("9.30", "14", "470")
    assert [step["quantity"] for step in found["steps"]][-1] == "CF"
    assert found["steps"][5]["text"] == "Variazione (V) = +4,70 × 100 = +470"


def test_change_in_words(run: Run) -> None:
    found = run(*IN_2008, "--lang", "it", "--first-of-year")
    assert found.status == 0
    assert "Bonus della prima gara dell'anno: 3925 + 10 = 3935" in found.out
    assert "Tab. 18a" in found.out
    assert "Corrective factor" not in found.out
    assert (
        "Corrective factor (Q): 3925 + 10 = 3935"
        in run(*CHANGE, "--edition", "rubele-2021", "--lang", "en").out
    )
    assert run(*CHANGE, "--date", "2021-05-01", "--json").json()["edition"] == "rubele-2021"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*CHANGE[:4], 99, *CHANGE[5:]), "il capitale 99 è sotto il minimo di 100 punti"),
        ((*CHANGE, "--games", 6), "PO 14 è impossibile in 6 partite: vale da 0 a 12"),
        ((*CHANGE[:-1], "9.305"), "--expected «9.305» non è un punteggio atteso"),
        ((*CHANGE[:-1], "x"), "--expected «x» non è un punteggio atteso"),
        ((*CHANGE[:-1], "-1"), "--expected «-1» non è un punteggio atteso"),
        ((*CHANGE[:6], "14.5", *CHANGE[7:]), "--scored «14.5» non sono punti"),
        ((*CHANGE[:4], "molti", *CHANGE[5:]), "--capital «molti» non è un capitale"),
        ((*CHANGE, "--weight", "0"), "--weight «0» non è un peso"),
        ((*CHANGE, "--edition", "rubele-1066"), "non esiste l'edizione rubele-1066"),
        ((*CHANGE, "--date", "2001-01-01"), "nessuna edizione era in vigore"),
        (("change", "--discipline", "russa", *CHANGE[3:]), "«russa» sconosciuta: valgono italiana, internazionale"),
        (("convert", "--to", "italiana", "--from", "granduca"), "«granduca» sconosciuta: valgono provinciale"),
        (("convert", "--to", "italiana", "--fmjd", "2000"), "solo per la dama internazionale"),
        (("convert", "--to", "italiana"), "manca che cosa convertire"),
        (("convert", "--to", "italiana", "--capital", 1800), "autore e motivo"),
        (("groups", "--players", 18, "--rounds", 6, "--groups", 2), "bastano con 5 turni, o per 1 gruppo"),
        (("groups", "--players", 60, "--rounds", 12, "--groups", 2), "serve il minimo di ogni gruppo"),
        (("groups", "--rounds", 12, "--groups", 2), "manca --players"),
        (("groups", "--players", 60, "--groups", 2), "manca --rounds"),
        (("groups", "--players", 60, "--rounds", 5, "--groups", 9), "--groups «9» non è valido"),
        (("event", "nowhere.csv", "--discipline", "italiana"), "nowhere.csv"),
        (("year-end", "nowhere.csv", "--discipline", "italiana", "--year", 2008), "nowhere.csv"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_status_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    found = run(*arguments, "--lang", "it")
    assert found.status == 2
    assert found.out == ""
    assert said in found.err
    assert found.err.startswith("arpad: ")
    assert found.err.count("\n") == 1


def test_an_edition_of_ones_own(run: Run) -> None:
    own = 'base = "rubele-2008"\n[every]\nminimum_capital = { value = 500, article = "CTF" }\n'
    own += 'starting_capital = { value = 500, article = "CTF" }\n'
    Path("own.toml").write_text(own, encoding="utf-8")
    arguments = (*CHANGE[:4], 510, "--scored", 0, "--expected", 1, "--edition", "own.toml", "--json")
    assert run(*arguments).json()["final"] == 500


def test_expected_adds_up(run: Run) -> None:
    # no. 1 of the board against the five whose capitals are known
    others = [part for capital in (4000, 3482, 3656, 2970, 3161) for part in ("--opponent", capital)]
    found = run("expected", "--discipline", "italiana", "--capital", 3479, *others, "--json").json()
    assert found["expected"] == "5.05"
    assert [game["expected"] for game in found["games"]] == ["0.75", "1.00", "0.91", "1.24", "1.15"]
    assert (
        "(PA) = 5,05"
        in run("expected", "--discipline", "italiana", "--capital", 3479, *others, "--lang", "it").out
    )


# ---------------------------------------------------------------------------------------------------- files


def written(report: Report, format_: str, name: str) -> None:
    Path(name).write_bytes(write_report(report, format_)[0])


@pytest.mark.parametrize(
    ("format_", "name"),
    [
        ("crosstable", "board.csv"),
        ("games", "board.csv"),
        ("crosstable-xlsx", "board.xlsx"),
        ("trf16", "board.trf"),
        ("pdn", "board.pdn"),
    ],
)
def test_the_board_gives_the_same_capitals_from_every_format(run: Run, format_: str, name: str) -> None:
    report = replace(board_report(), records=(Record("GameType", {"type": "22"}),))
    written(report, format_, name)
    found = run("event", name, "--discipline", "italiana", "--json").json()
    final = {player["name"]: player["final"] for player in found["events"][0]["players"]}
    assert final == {
        "Bianco": 3925, "Rosso": 3826, "Verde": 3549, "Giallo": 3916, "Celeste": 3541,
        "Violetto": 3189, "Marrone": 3049, "Rosa": 3305, "Grigio": 2973, "Nero": 2901,
    }  # fmt: skip


CROSSTABLE = """\
Manifestazione;Coppa di primavera
Luogo;Cuneo
Data inizio;2008-05-03
Data fine;2008-05-04

N.;Nome;Categoria;Capitale;T1;T2;T3;Punti
1;Anna;CM;3000;4b2;2n1;3b2;5
2;Bruno;N;2900;3n0;1b1;4n+;3
3;Carla;R;1900;2b2;4n2;1n0;4
4;Dario;P;900;1n0;3b0;2b-;0
"""


def test_an_italian_cross_table_with_two_points_for_a_win(run: Run) -> None:
    Path("cuneo.csv").write_text(CROSSTABLE, encoding="utf-8")
    ran = run("event", "cuneo.csv", "--discipline", "italiana", "--json", "--lang", "it")
    event = ran.json()["events"][0]
    assert ran.status == 0, event["findings"]
    assert (event["event"], event["last_day"]) == ("Coppa di primavera", "2008-05-04")
    anna, bruno, carla, dario = event["players"]
    # Anna: 2100 above Dario 1.79, 100 above Bruno 1.05, 1100 above Carla 1.49; 5 - 4.33 = 0.67 × 100
    assert (anna["scored"], anna["expected"], anna["final"]) == ("5", "4.33", 3067)
    # Bruno: 1000 above Carla 1.46, 100 below Anna 0.95, the forfeit does not count; 1 - 2.41 = -1.41 × 150
    assert (bruno["scored"], bruno["expected"], bruno["final"]) == ("1", "2.41", 2689)
    # Carla: 0.54 + 1.46 + 0.51 = 2.51; 4 - 2.51 = 1.49 × 150 = 223.5, 2123.5 rounded up: Nazionale
    assert (carla["expected"], carla["final"], carla["category_after"]) == ("2.51", 2124, "nazionale")
    # Dario: 0.21 + 0.54 = 0.75; -0.75 × 150 = -112.5, 787.5
    assert (dario["expected"], dario["final"]) == ("0.75", 788)
    assert event["promotions"] == [
        {
            "name": "Carla", "id": None, "from": "regionale", "to": "nazionale", "capital": 2124, "threshold": 2000,
            "event": "Coppa di primavera", "day": "2008-05-04",
        }
    ]  # fmt: skip
    assert [finding["code"] for finding in event["findings"]] == [
        "draughts-bonus-unknown",
        "draughts-not-counted",
    ]


def test_a_trf_with_two_one_and_no_points(run: Run) -> None:
    report = small_event([2000, 2100], round_of(2, [(1, 2, "1")]), round_of(2, [(2, 1, "=")]))
    claimed = (replace(report.entrants[0], half_points=6), replace(report.entrants[1], half_points=2))
    written(replace(report, entrants=claimed), "trf16", "two.trf")
    assert " 3.0" in Path("two.trf").read_text(encoding="utf-8")
    ran = run("event", "two.trf", "--discipline", "italiana", "--json")
    event = ran.json()["events"][0]
    assert [player["scored"] for player in event["players"]] == ["3", "1"]
    assert not [finding for finding in event["findings"] if finding["severity"] == "error"]


def test_an_error_among_the_findings_gives_status_1(run: Run) -> None:
    Path("cuneo.csv").write_text(CROSSTABLE.replace(";900;", ";90;"), encoding="utf-8")
    found = run("event", "cuneo.csv", "--discipline", "italiana", "--lang", "it")
    assert found.status == 1
    assert (
        "errore riga 10, giocatore 4: Dario: il capitale 90 è sotto il minimo di 100 ed è riportato al minimo ("
        in found.out
    )


def test_other_games_are_refused(run: Run) -> None:
    report = replace(board_report(), records=(Record("GameType", {"type": "20"}),))
    written(report, "pdn", "board.pdn")
    found = run("event", "board.pdn", "--discipline", "italiana", "--lang", "it")
    assert (found.status, found.out) == (2, "")
    assert "board.pdn è di internazionale, non di italiana" in found.err
    text = Path("board.pdn").read_text(encoding="utf-8")
    Path("board.pdn").write_text(text.replace('"20"', '"25"'), encoding="utf-8")
    found = run("event", "board.pdn", "--discipline", "internazionale", "--lang", "it")
    assert (found.status, found.out) == (2, "")
    assert "GameType «25» non è ammesso qui: vale 20, 22" in found.err
    written(board_report(), "pgn", "chess.pgn")
    found = run("board", "chess.pgn", "--discipline", "italiana", "--lang", "it")
    assert (found.status, found.out) == (2, "")


# ---------------------------------------------------------------------------------- a year of a federation

LIST = """\
id,name,category,capital,foreign,last_event,idle_years,malus,fmjd
1,Anna,candidato-maestro,3000,no,2007-11-04,0,0,
2,Bruno,nazionale,2900,no,2007-11-04,0,0,
3,Carla,regionale,1900,no,2008-01-13,0,0,
4,Dario,provinciale,900,no,2006-10-01,1,50,
5,Emil,maestro,4200,yes,2006-10-01,1,50,2250
6,Franca,provinciale,120,no,2005-10-01,2,100,
"""


def test_from_a_list_to_the_next_through_an_event_and_the_years_end(run: Run) -> None:
    Path("cuneo.csv").write_text(CROSSTABLE, encoding="utf-8")
    Path("list.csv").write_text(LIST, encoding="utf-8")
    arguments = ("--discipline", "italiana", "--lang", "it")
    found = run("event", "cuneo.csv", "--capitals", "list.csv", "--out", "next.csv", *arguments)
    assert found.status == 0
    rows = [line.split(",") for line in Path("next.csv").read_text(encoding="utf-8").splitlines()[1:]]
    # the bonus for Anna, Bruno and Dario; Carla has played in January already
    assert [(row[1], row[4]) for row in rows] == [
        ("Anna", "3077"), ("Bruno", "2699"), ("Carla", "2124"), ("Dario", "798"), ("Emil", "4200"), ("Franca", "120"),
    ]  # fmt: skip
    closed = run("year-end", "next.csv", "--year", 2008, "--out", "2009.csv", *arguments, "--json").json()
    assert [(entry["name"], entry["taken"], entry["after"], entry["total"]) for entry in closed["malus"]] == [
        ("Franca", 20, 100, 120)
    ]
    assert [entry["name"] for entry in closed["cancelled"]] == ["Emil"]
    assert [(entry["name"], entry["malus"]) for entry in closed["register"]] == [
        ("Dario", 50), ("Emil", 50), ("Franca", 120),
    ]  # fmt: skip
    told = run("year-end", "next.csv", "--year", 2008, *arguments).out
    assert (
        "Franca: Nessuna gara nell'anno: 120 − 20 = 100; in tutto 120 punti defalcati sui 450 possibili"
        in told
    )
    again = run("year-end", "2009.csv", "--year", 2007, *arguments)
    assert again.status == 2
    assert "ha già giocato il 4 maggio 2008" in again.err


def test_a_chain_of_files_goes_by_date_and_edition(run: Run) -> None:
    for name, day in (("b.trf", date(2020, 12, 30)), ("a.trf", date(2021, 1, 3))):
        written(small_event([2000, 2000], round_of(2, [(1, 2, "=")]), day=day), "trf16", name)
    found = run("event", "a.trf", "b.trf", "--discipline", "italiana", "--by-date", "--json").json()
    assert [(event["id"], event["edition"]) for event in found["events"]] == [
        ("b.trf", "rubele-2008"),
        ("a.trf", "rubele-2021"),
    ]
    assert [standing["capital"] for standing in found["standings"]] == [2010, 2010]
    assert found["standings"][0]["last_event"] == "2021-01-03"
    fixed = run("event", "a.trf", "b.trf", "--discipline", "italiana", "--json").json()
    # with the bonus of 2008 for the new year, since the first event of the chain tells when they played
    assert [standing["capital"] for standing in fixed["standings"]] == [2010, 2010]


def test_half_weight_and_one_player_in_words(run: Run) -> None:
    written(board_report(), "trf16", "board.trf")
    found = run(
        "event",
        "board.trf",
        "--discipline",
        "italiana",
        "--weight",
        "50%",
        "--player",
        "bianco",
        "--lang",
        "it",
    )
    assert found.status == 0
    assert "La gara vale il 50 %: D = +4,70 × 50 : 100 = +2,35" in found.out
    assert "Rosso" not in found.out
    missing = run("event", "board.trf", "--discipline", "italiana", "--player", "Nessuno", "--lang", "it")
    assert (missing.status, missing.out) == (2, "")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("bianko", "nessun giocatore bianko nel rapporto; forse Bianco"),
        ("99", "nessun giocatore 99 fra i 10 del rapporto"),
    ],
)
def test_a_player_is_looked_for_as_in_chess(run: Run, asked: str, said: str) -> None:
    written(board_report(), "trf16", "board.trf")
    found = run("event", "board.trf", "--discipline", "italiana", "--player", asked, "--lang", "it")
    assert (found.status, found.out) == (2, "")
    assert said in found.err


def test_a_name_that_several_bear_is_not_explained_for_all_of_them(run: Run) -> None:
    report = board_report()
    twice = [replace(one, name="Neri, " + one.name) for one in report.entrants[:2]]
    written(replace(report, entrants=(*twice, *report.entrants[2:])), "trf16", "board.trf")
    found = run("event", "board.trf", "--discipline", "italiana", "--player", "neri", "--lang", "it")
    assert (found.status, found.out) == (2, "")
    assert "neri corrisponde a più giocatori: 1 Neri" in found.err


def test_only_the_events_of_a_player_are_told(run: Run) -> None:
    written(board_report(), "trf16", "board.trf")
    two = small_event([2000, 2000], round_of(2, [(1, 2, "1")]), names=("Uno", "Due"))
    written(two, "trf16", "small.trf")
    found = run("event", "board.trf", "small.trf", "--discipline", "italiana", "--player", "bianco")
    assert found.status == 0
    assert found.out.count("dama italiana") + found.out.count("Italian draughts") == 1


def test_promotions_are_listed(run: Run) -> None:
    written(board_report(), "trf16", "board.trf")
    found = run("promotions", "board.trf", "--discipline", "italiana", "--lang", "it")
    assert found.status == 0
    for words_ in ("Bianco", "Giallo", "Violetto", "9 marzo 2008", "Torneo dei colori"):
        assert words_ in found.out
    assert "Celeste" not in found.out
    listed = run("promotions", "board.trf", "--discipline", "internazionale", "--json").json()["promotions"]
    # 3479 + 4.70 × 80 = 3855; Giallo was a master with 3826 already, Violetto stops at 3152
    assert [(item["name"], item["to"], item["capital"]) for item in listed] == [("Bianco", "maestro", 3855)]


# --------------------------------------------------------------------------------------------------- boards


def test_the_board_on_a_terminal(run: Run) -> None:
    written(board_report(), "trf16", "board.trf")
    found = run("board", "board.trf", "--discipline", "italiana", "--lang", "it")
    assert found.status == 0
    first = next(line for line in found.out.splitlines() if "Bianco" in line and "3479" in line)
    assert (
        first.split()
        == "1 Bianco CM 3479 ■ 1 2 2 2 1 2 1 2 1 14 9,30 +4,70 100→50 +470* 3925 +446 Maestro".split()
    )
    assert "n. 9 Grigio: soglia di 3000 in discesa, S da 100 a 150; eccedenza 18 → 27" in found.out
    assert len(found.out.splitlines()) > 20


def test_the_board_as_a_page_and_as_pdf(run: Run) -> None:
    report = board_report()
    named = replace(report.entrants[0], name='<script>alert("1")</script> #strong[x] & Ω')
    report = replace(
        report, entrants=(named, *report.entrants[1:]), header=replace(report.header, name="<b>Gara</b> $x$")
    )
    written(report, "crosstable", "board.csv")
    found = run(
        "board", "board.csv", "--discipline", "italiana", "--html", "b.html", "--pdf", "b.pdf", "--lang", "it"
    )
    assert (found.status, found.out) == (0, "")
    page = Path("b.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "size: A4 landscape" in page
    assert "http" not in page
    assert page.count('class="square own"') == 10
    assert "3925" in page
    assert Path("b.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("players", [10, 14, 16, 18, 20])
def test_a_board_of_twenty_stands_on_one_sheet(run: Run, players: int) -> None:
    games = [(number, number + 1, "=") for number in range(1, players, 2)]
    names = [f"Castelbarco di Sotto {number:02}" for number in range(1, players + 1)]
    report = small_event([2000] * players, *[round_of(players, games)] * 7, names=names)
    written(report, "trf16", "board.trf")
    run("board", "board.trf", "--discipline", "italiana", "--pdf", "b.pdf")
    assert b"/Type/Pages/Count 1/" in Path("b.pdf").read_bytes()


def test_a_board_that_cannot_be_written_leaves_nothing(run: Run) -> None:
    written(board_report(), "trf16", "board.trf")
    found = run("board", "board.trf", "--discipline", "italiana", "--pdf", "nowhere/b.pdf", "--lang", "it")
    assert found.status == 2
    assert "non si può scrivere nowhere/b.pdf" in found.err


def test_the_board_of_a_swiss_is_by_round(run: Run) -> None:
    rounds = (
        round_of(6, [(1, 2, "1"), (3, 4, "=")], {5: "U", 6: "Z"}),
        round_of(6, [(1, 3, "+"), (5, 6, "0")]),
    )
    written(small_event([2000, 1900, 1800, 1700, 1600, 1500], *rounds), "trf16", "swiss.trf")
    found = run("board", "swiss.trf", "--discipline", "internazionale", "--lang", "it")
    line = next(line for line in found.out.splitlines() if "Giocatore 1" in line)
    assert line.split()[:7] == ["1", "Giocatore", "1", "R", "2000", "2:2", "3:+"]
    document = run("board", "swiss.trf", "--discipline", "internazionale", "--json").json()
    assert document["schema"] == "arpad.rubele-board/1"
    assert document["players"][0]["games"][1] == {
        "round": 2, "opponent": 3, "opponent_capital": 1800, "result": "+", "scored": "2", "counted": False,
        "expected": None,
    }  # fmt: skip


# --------------------------------------------------------------------------------------------------- groups


def test_groups_have_the_fields_that_others_rely_on(run: Run) -> None:
    found = run("groups", "--players", 200, "--rounds", 5, "--groups", 3, "--json").json()
    assert found == {
        "schema": "arpad.rubele-groups/1", "players": 200, "rounds": 5, "groups": 3,
        "critical": 60, "increment": 46, "first_group_cap": 61, "minimum": 8, "sizes": [61, 69, 70],
    }  # fmt: skip


def test_a_list_of_players_is_split_by_capital(run: Run) -> None:
    players = "".join(f"Giocatore {number:02},{3000 - 10 * number}\n" for number in range(1, 31))
    Path("start.csv").write_text("name,capital\n" + players, encoding="utf-8")
    found = run("groups", "start.csv", "--rounds", 5, "--groups", 3, "--json").json()
    assert found["sizes"] == [14, 8, 8]
    assert [group[0]["name"] for group in found["members"]] == [
        "Giocatore 01",
        "Giocatore 15",
        "Giocatore 23",
    ]
    told = run("groups", "start.csv", "--rounds", 5, "--groups", 3, "--free", 3, "--lang", "it").out
    assert "Gruppo 1 (15 giocatori)" in told
    written(replace(board_report(), header=Header("x")), "trf16", "board.trf")
    small = run("groups", "board.trf", "--rounds", 5, "--groups", 2, "--minimum", 4, "--json").json()
    assert small["sizes"] == [6, 4]
    assert small["members"][0][0]["name"] == "Rosso"


def test_the_whole_table(run: Run) -> None:
    rows = run("groups", "--table", "--json").json()["splits"]
    assert len(rows) == 5 * 6 * 183
    assert {"groups": 2, "rounds": 5, "players": 18, "critical": 40, "increment": 0, "first_group_cap": 15,
            "minimum": 8, "sizes": [10, 8]} in rows  # fmt: skip
    found = run("groups", "--table", "--groups", 2, "--lang", "it")
    assert "Suddivisione in gruppi secondo le formule della tabella 23: 2 gruppi" in found.out
    assert "18 10+8 – – – – –".split() in [line.split() for line in found.out.splitlines()]
    assert run("groups", "--table", "--groups", 6, "--html", "g.html", "--pdf", "g.pdf").status == 0
    assert "<td>30+34+34+34+34+34</td>" in Path("g.html").read_text(encoding="utf-8")
    assert Path("g.pdf").read_bytes().startswith(b"%PDF")


def test_a_reduced_weight_shows_all_decimals_of_d(run: Run) -> None:
    written(small_event([2000, 2010], round_of(2, [(1, 2, "1")])), "trf16", "one.trf")
    # 2 - 0.99 = 1.01; at 50 % 0.505, × 150 = 75.75
    for command in ("board", "event"):
        out = run(command, "one.trf", "--discipline", "italiana", "--weight", 50, "--lang", "en").out
        assert "+0.505" in out
        assert "2076" in out


PDN = """[Event "Coppa"]
[Date "{day}"]
[Round "1"]
[White "Rossi Anna"]
[Black "Bianchi Ugo"]
[GameType "{kind}"]
[Result "1-0"]

1. 21-17 12-16 1-0
"""


@pytest.mark.parametrize("command", ["rate", "check", "norms"])
def test_chess_commands_refuse_draughts(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "coppa.pdn"
    path.write_text(PDN.format(day="2019.03.01", kind="22"), encoding="utf-8")
    sentence = commands.refusal(capsys, command, str(path), "--lang", "en")
    assert sentence == f"{path}: these are games of draughts: `arpad rubele event` checks and rates them"


@pytest.mark.parametrize(("kind", "on_list"), [("22", "italiana"), ("20", "internazionale")])
def test_an_office_takes_games_of_draughts_for_their_own_list(
    kind: str, on_list: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, db = tmp_path / "coppa.pdn", ("--db", str(tmp_path / "office.db"), "--author", "T")
    path.write_text(PDN.format(day="2019.03.01", kind=kind), encoding="utf-8")
    commands.run_json(capsys, "office", "init", "--federation", "ITA", *db)
    (sent,) = commands.run_json(capsys, "office", "submit", str(path), *db)["reports"]
    assert sent["list"] == on_list
    commands.run_json(capsys, "office", "accept", str(sent["report"]), *db)
    drafted = commands.run_json(capsys, "office", "draft", on_list, "2019-06-30", *db[:2])
    assert (drafted["events"], drafted["players"]) == ([sent["report"]], 2)
