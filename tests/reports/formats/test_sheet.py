"""Sheets: both layouts, both languages, CSV and XLSX, there and back; and everything that is not a sheet."""

import io
import tracemalloc
import zipfile
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import ArpadError, BadInput, Unreadable
from arpad.reports.formats import read_report, sheet
from arpad.reports.formats.crosstable import Habits, ParsedCell, habits_of, read_cell, write_cell
from arpad.reports.formats.sheet_grid import Value, column_letters
from arpad.reports.formats.sheet_xlsx import LIMIT, write_workbook
from arpad.reports.report import Entrant, Header, Report, Round
from arpad.system.spreadsheet_cells import escape, restore
from tests.builders.random_reports import core, paired_reports, reports
from tests.paths import SHARED
from tests.patience import comes_to_an_end
from tests.thinning import examples

SHARED = SHARED / "data" / "trf"

CROSSTABLE = """\
Event;Spring open
City;Bari
First day;2024-03-01
Deputy arbiter;Neri, Ugo
Deputy arbiter;Sala, Ines

No.;Name;Rtg;Fed;Birth;R1;R2;R3
1;Rossi, Anna;2100;ITA;1990-05-04;2w1;3b½;bye
2;Bianchi, Ugo;1950;ITA;1985;1b0;4 w +;3w=
3;Verdi, Leo;;SUI;;4w1;1w½;2b½
4;"Gallo; Ida";0;ITA;;3b0;2b-;-
"""


def read(text: str) -> Report:
    return sheet.read(text.encode())


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def test_crosstable() -> None:
    report = read(CROSSTABLE)
    assert report.format == "crosstable"
    assert report.findings == ()
    assert report.header == Header(
        "Spring open", "Bari", first_day=date(2024, 3, 1), deputies=("Neri, Ugo", "Sala, Ines")
    )
    assert report.entrants[0] == Entrant(
        1, "Rossi, Anna", 2100, federation="ITA", born=date(1990, 5, 4), line=8
    )
    assert report.entrants[3] == Entrant(4, "Gallo; Ida", None, federation="ITA", line=11)
    assert report.rounds == (
        Round((2, 1, 4, 3), "wbwb", "1010"),
        Round((3, 4, 1, 2), "bwwb", "=+=-"),
        Round((0, 3, 2, 0), "-wb-", "U==Z"),
    )


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_same_in_other_bytes(delimiter: str, encoding: str, end: str) -> None:
    text = CROSSTABLE.replace("Gallo; Ida", "Gallo Ida").replace("Rossi, Anna", "Rossi Anna")
    text = (
        text.replace("Bianchi, ", "Bianchi ")
        .replace("Verdi, ", "Verdi ")
        .replace("Neri, ", "")
        .replace("Sala, ", "")
    )
    expected = read(text)
    other = sheet.read(text.replace(";", delimiter).replace("\n", end).encode(encoding))
    assert core(other) == core(expected)
    assert codes(other) == (["encoding-guessed"] if encoding == "cp1252" else [])


def test_italian_headings_and_letters() -> None:
    report = read(
        "Torneo;Prova\nN°;Cognome;Nome;Sesso;Elo;1° turno;Turno 2\n1;Rossi;Ada;F;1800;2b1;2n0\n2;Neri;Ugo;M;;1n0;1b1\n"
    )
    assert [entrant.name for entrant in report.entrants] == ["Rossi, Ada", "Neri, Ugo"]
    assert [entrant.sex for entrant in report.entrants] == ["w", "m"]
    assert report.rounds == (Round((2, 1), "wb", "10"), Round((2, 1), "bw", "01"))


@pytest.mark.parametrize("heading", ["Club", "Circolo", "Società"])
def test_a_club_is_no_team(heading: str) -> None:
    """Members of two clubs in a round robin do not make it a team event."""
    report = read(f"N.;Nome;{heading};Elo;T1\n1;Rossi;Lazio;1800;2w1\n2;Neri;Puglia;1700;1b0\n")
    assert report.teams == ()
    assert codes(report) == ["sheet-column-unknown"]
    team = read("N.;Nome;Squadra;Elo;T1\n1;Rossi;Lazio;1800;2w1\n2;Neri;Puglia;1700;1b0\n")
    assert [(one.name, one.members) for one in team.teams] == [("Lazio", (1,)), ("Puglia", (2,))]


def test_draughts_points() -> None:
    report = read("N.;Nome;T1;T2\n1;A;2w2;2b1\n2;B;1b0;1w1\n")
    assert [cells.results for cells in report.rounds] == ["10", "=="]


def test_capitals_as_the_regulations_print_them() -> None:
    report = read("N.;Nome;Capitale;T1\n1;A;3.479;2w1\n2;B;4.000;1b1\n3;C;12.5;\n")
    assert [entrant.rating for entrant in report.entrants] == [3479, 4000, None]
    assert codes(report) == ["sheet-number"]


def test_a_cross_table_of_chess_results() -> None:
    """Its headings, and its byes: a point, half a point or none without opponent."""
    report = read(
        "Rk.;SNo;;Name;FED;Rtg;1.Rd;2.Rd;3.Rd;Pts\n"
        "1;2;GM;Rossi, Anna;ITA;2100;4w1;3b½;-1;2,5\n"
        "2;3;;Bianchi, Ugo;ITA;1950;-½;2w½;4b1;2\n"
        "3;4;;Verdi, Leo;ITA;1800;2b0; -0 ;3w0;0\n"
    )
    assert report.rounds == (
        Round((4, 0, 2), "w-b", "1H0"),
        Round((3, 2, 0), "bw-", "==Z"),
        Round((0, 4, 3), "-bw", "U10"),
    )
    assert [entrant.half_points for entrant in report.entrants] == [5, 4, 0]


def test_a_dash_before_a_number_is_a_loss_if_the_table_writes_losses_that_way() -> None:
    report = read("No.;Name;R1;R2\n1;A;+2;2w1\n2;B;-1;1b0\n")
    assert report.rounds[0] == Round((2, 1), "  ", "10")


def test_players_without_numbers_are_numbered_as_they_stand() -> None:
    report = read("Name,Rating,R1\nA,1500,2w1\nB,1600,1b0\n")
    assert [entrant.number for entrant in report.entrants] == [1, 2]


def test_players_whose_data_look_like_headings() -> None:
    report = read("Team;n;1\nNo.;Title;Name;Fed;R1\n5;n;Name;Fed;bye\n6;K;Nome;Elo;bye\n")
    assert [entrant.name for entrant in report.entrants] == ["Name", "Nome"]
    assert report.teams[0].name == "n"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("12w1", (12, "w", "1")),
        ("12 w 1", (12, "w", "1")),
        ("12W1", (12, "w", "1")),
        ("5b½", (5, "b", "=")),
        ("5b=", (5, "b", "=")),
        ("5b1/2", (5, "b", "=")),
        ("5b0.5", (5, "b", "=")),
        ("5b0,5", (5, "b", "=")),
        ("5b-", (5, "b", "-")),
        ("5wW", (5, "w", "W")),
        ("5wl", (5, "w", "L")),
        ("5x+", (5, "-", "+")),
        ("5?1", (5, " ", "1")),
        ("5w", (5, "w", " ")),
        ("5", (5, " ", " ")),
        ("+12", (12, " ", "1")),
        ("=12", (12, " ", "=")),
        ("-12", (12, " ", "0")),
        ("", (0, " ", " ")),
        ("bye", (0, "-", "U")),
        ("BYE", (0, "-", "U")),
        ("½ bye", (0, "-", "H")),
        ("-", (0, "-", "Z")),
        ("assente", (0, "-", "Z")),
        ("F", (0, "-", "F")),
        ("12+", None),
        ("w12", None),
        ("12 1", None),
        ("12w10", None),
        ("hello", None),
        ("1-0", None),
        ("²w1", None),
    ],
)
def test_round_cells(text: str, cell: tuple[int, str, str] | None) -> None:
    assert read_cell(text, Habits()) == cell


@given(st.integers(0, 999999), st.sampled_from("wb- "), st.sampled_from("1=0+-WDLHFUZ *?x"))
def test_round_cells_there_and_back(opponent: int, colour: str, result: str) -> None:
    text = write_cell(ParsedCell(opponent, colour, result))
    assert text is not None
    assert read_cell(text, Habits()) == (opponent, colour, result)


def test_habits() -> None:
    assert habits_of(["12w1", "3b0"]) == Habits(italian_colours=False, two_points=False)
    assert habits_of(["12n1", "3b2"]) == Habits(italian_colours=True, two_points=True)
    assert habits_of(["12n1", "3w0"]) is None
    assert habits_of(["12w1", "-1", "-0"]) == Habits(dash_byes=True)
    assert habits_of(["12w1", "-1", "+3"]) == habits_of(["-1", "+3"]) == habits_of(["-1"]) == Habits()


def test_unreadable_cells_are_findings_with_their_place() -> None:
    report = read("No.;Name;R1;R2\n1;A;2w1;huh\n2;B;1b0;45000\n3;C;12;2w7\n")
    assert [(f.code, f.line, f.column, f.round, f.facts["cell"]) for f in report.findings] == [
        ("sheet-cell", 2, 9, 2, "D2"),
        ("sheet-cell-is-a-day", 3, 9, 2, "D3"),
        ("sheet-cell-no-result", 4, 5, 1, "C4"),
        ("sheet-cell", 4, 8, 2, "D4"),
    ]
    assert load_words("en").finding(report.findings[0]).startswith("Cell D2 contains “huh”")


def test_fields_that_cannot_be_read_are_findings() -> None:
    report = read("No.;Name;Rating;Birth;Sex;Points;Colour;R1\n1;A;high;soon;?;many;red;bye\n")
    assert sorted(codes(report)) == sorted(
        ["sheet-column-unknown", "sheet-number", "sheet-birth", "sheet-sex", "sheet-points"]
    )
    assert report.entrants[0] == Entrant(1, "A", line=2)


def test_days_day_first_and_as_numbers() -> None:
    report = read("Start;01/03/2024\nEnd;45355\nNo.;Name;R1\n1;A;bye\n")
    assert report.header.first_day == date(2024, 3, 1)
    assert report.header.last_day == date(2024, 3, 4)  # 45355 days after 30 December 1899
    assert codes(report) == ["sheet-day-in-doubt"]


def test_days_with_two_digits_for_the_year_are_as_a_spreadsheet_writes_them() -> None:
    report = read("Inizio;12/05/18\nFine;31/05/18\nN.;Nome;T1\n1;A;bye\n")
    assert (report.header.first_day, report.header.last_day) == (date(2018, 5, 12), date(2018, 5, 31))
    assert [str(finding.severity) for finding in report.findings] == ["warning", "warning"]


@pytest.mark.parametrize("key", ["Data", "Giorno", "Date"])
def test_an_event_of_one_day_gives_it_once(key: str) -> None:
    table = "N.;Nome;T1\n1;Rossi Anna;2b2\n2;Bianchi Ugo;1n0\n"
    report = read(f"Gara;Coppa di maggio\n{key};2026-05-03\n{table}")
    day = date(2026, 5, 3)
    assert report.findings == ()
    assert report.header == Header("Coppa di maggio", first_day=day, last_day=day)
    longer = read(f"{key};2026-05-03\nUltimo giorno;2026-05-04\n{table}")
    assert (longer.header.first_day, longer.header.last_day) == (day, date(2026, 5, 4))


def test_team_column() -> None:
    report = read("No.;Name;Team;R1\n1;A;Lazio;2w1\n2;B;Puglia;1b0\n3;C;Lazio;bye\n")
    assert [(team.name, team.members) for team in report.teams] == [("Lazio", (1, 3)), ("Puglia", (2,))]


GAMES = """\
Torneo;Prova
Turno;Bianco;Nero;Risultato;Data
1;Rossi Ada;Neri, Ugo;1-0;2024-03-01
1;Verdi Leo;;U;
2;Neri Ugo;VERDI LEO;½-½;2024-03-02
2;Rossi, Ada;riposo;H;2024-03-02
3;Verdi Leo;Rossi Ada;+/-;2024-03-03
"""


def test_games() -> None:
    report = read(GAMES)
    assert report.format == "games"
    assert report.findings == ()
    assert [(entrant.number, entrant.name) for entrant in report.entrants] == [
        (1, "Rossi Ada"),
        (2, "Neri, Ugo"),
        (3, "Verdi Leo"),
    ]
    assert report.rounds == (
        Round((2, 1, 0), "wb-", "10U", date(2024, 3, 1)),
        Round((0, 3, 2), "-wb", "H==", date(2024, 3, 2)),
        Round((3, 0, 1), "b w", "- +", date(2024, 3, 3)),
    )


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("1-0", "10"), ("1 - 0", "10"), ("1:0", "10"), ("2-0", "10"), ("½-½", "=="), ("1/2", "=="), ("1/2-1/2", "=="),
        ("0.5-0.5", "=="), ("=", "=="), ("1-1", "=="), ("0-1", "01"), ("0-2", "01"), ("+/-", "+-"), ("+--", "+-"),
        ("1-0 ff", "+-"), ("1-0F", "+-"), ("1-0 (forfeit)", "+-"), ("0-1f", "-+"), ("-/+", "-+"), ("0-0", "--"),
        ("0-0f", "--"), ("W-L", "WL"), ("D-D", "DD"), ("*", "  "), ("", "  "),
    ],
)  # fmt: skip
def test_results_of_games(text: str, letters: str) -> None:
    report = read(f"Round;White;Black;Result\n1;A;B;{text}\n")
    assert report.rounds[0].results == letters
    assert codes(report) == (["games-unfinished"] if letters == "  " else [])


def test_games_by_number_id_and_name() -> None:
    report = read(
        "No.;Name;ID\n7;Ada;900001\n8;Ugo;900002\n9;Leo;900003\n\n"
        "Round;White;Black;Result\n1;7;900002;1-0\n2;leo;8;0-1\n3;Nobody;9;1-0\n"
    )
    assert [cells.opponents for cells in report.rounds] == [(8, 7, 0, 0), (0, 9, 8, 0), (0, 0, 1, 9)]
    assert report.entrants[3] == Entrant(1, "Nobody", line=9)
    assert codes(report) == ["games-player-unknown"]


def test_games_with_ids_and_ratings_in_addition_to_names() -> None:
    report = read(
        "Round,White,White Elo,White ID,Black,Black Elo,Black ID,Result\n"
        "1,Ada,1800,11111,Ugo,1700,22222,1-0\n2,Ugo,1700,22222,Ada R.,1800,11111,0-1\n"
    )
    assert [(e.name, e.rating, e.id) for e in report.entrants] == [
        ("Ada", 1800, "11111"),
        ("Ugo", 1700, "22222"),
    ]


def test_games_that_cannot_be_read() -> None:
    report = read(
        "Round;White;Black;Result\n1;A;B;1-0\n1;A;C;0-1\nx;A;B;1-0\n2;A;B;won\n3;;;1-0\n4;A;-;best\n5;A;A;1-0\n"
    )
    assert [(f.code, f.line) for f in report.findings] == [
        ("paired-twice", 3),
        ("games-round", 4),
        ("games-result", 5),
        ("games-no-player", 6),
        ("games-bye", 7),
        ("paired-twice", 8),
    ]


def test_a_result_that_became_a_date() -> None:
    report = read("Round;White;Black;Result\n1;A;B;45324\n")
    assert codes(report) == ["sheet-cell-is-a-day"]


# --------------------------------------------------------------------------------------- there and back


@settings(max_examples=examples(40), deadline=None)
@given(reports(), st.sampled_from(["crosstable", "crosstable-xlsx"]), st.sampled_from(LANGUAGES))
def test_any_report_as_a_crosstable(report: Report, name: str, language: str) -> None:
    data, findings = sheet.write(report, name, language)
    again = sheet.read(data)
    assert findings == ()
    assert core(again) == core(report)
    assert again.format == name


@settings(max_examples=examples(40), deadline=None)
@given(paired_reports(), st.sampled_from(["games", "games-xlsx"]), st.sampled_from(LANGUAGES))
def test_any_paired_report_as_games(report: Report, name: str, language: str) -> None:
    data, findings = sheet.write(report, name, language)
    again = sheet.read(data)
    empty = not report.rounds[-1].results.strip() and not any(report.rounds[-1].opponents)
    assert [finding.code for finding in findings] == (["lost-round"] if empty else [])
    if not empty:
        assert core(again) == core(report)


def test_a_fact_whose_value_is_a_word_of_headings_is_no_heading() -> None:
    """Found by chance: a federation called «name» was taken for a heading of two columns."""
    text = "Event;Cup\nFederation;name\n\nNo.;Name;1\n1;Rossi;2w1\n2;Bianchi;1b0\n"
    report = sheet.read(text.encode())
    assert report.header.federation == "name"
    assert [entrant.name for entrant in report.entrants] == ["Rossi", "Bianchi"]


@pytest.mark.parametrize("written", ["1e999999999", "1/0", "tre"])
def test_the_points_of_a_result_must_be_a_finite_decimal(written: str) -> None:
    with comes_to_an_end():
        report = read(f"Worth of a result;WW;{written}\nWorth of a result;WD;1,5\n{CROSSTABLE}")
    assert report.header.points == {"WD": Fraction(3, 2)}
    assert codes(report).count("sheet-value") == 1


@pytest.mark.parametrize("above", ["\r\n", "Spring open\r\n", "Spring open\r\n\r\nBari\r\n"])
def test_a_sheet_is_known_below_lines_without_cells(above: str) -> None:
    report = read_report((above + CROSSTABLE).encode())
    assert (report.format, len(report.entrants), report.header.city) == ("crosstable", 4, "Bari")


def test_real_reports_there_and_back() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared reports are not beside the repository")
    count = 0
    for path in sorted(SHARED.rglob("*.t*")):
        try:
            report = read_report(path.read_bytes(), path.name)
        except Unreadable:
            continue
        data, findings = sheet.write(report, "crosstable")
        lost = {finding.code for finding in findings}
        expected = core(report)
        if "lost-team-facts" in lost:
            expected = (*expected[:3], core(sheet.read(data))[3])
        assert core(sheet.read(data)) == expected, path.name
        count += 1
    assert count > 50


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", ["crosstable", "games"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_templates_can_be_read(layout: str, language: str, kind: str) -> None:
    data = sheet.template(layout, language, kind)
    report = read_report(data)
    assert core(report) == core(sheet.EXAMPLE)
    assert report.findings == ()
    assert data == sheet.template(layout, language, kind)


def test_wrong_wishes() -> None:
    for wish in (
        lambda: sheet.template("swiss", "it"),
        lambda: sheet.template("games", "it", "ods"),
        lambda: sheet.write(sheet.EXAMPLE, "trf16"),
    ):
        with pytest.raises(BadInput):
            wish()


def test_a_language_without_headings_of_its_own_gets_the_english_ones() -> None:
    assert sheet.write(sheet.EXAMPLE, "games", "la") == sheet.write(sheet.EXAMPLE, "games", "en")


@pytest.mark.parametrize("text", ["=1+1", "+39 06", "-x", "@me", "'=x", "''-x", "'t Hart", "plain", "-5"])
def test_escape_and_restore(text: str) -> None:
    assert restore(escape(text)) == text
    assert escape(text)[0] not in "=+-@\t\r"


def test_texts_are_escaped_and_numbers_are_not() -> None:
    report = replace(
        sheet.EXAMPLE, header=Header(name='=HYPERLINK("x")', city="+39", kind="-a", chief_arbiter="@home")
    )
    data, _ = sheet.write(report, "crosstable")
    text = data.decode("utf-8-sig")
    for escaped in ('"\'=HYPERLINK(""x"")"', "'+39", "'-a", "'@home"):
        assert f",{escaped}\r\n" in text
    assert "'2105" not in text
    assert core(sheet.read(data)) == core(report)


def test_losses_in_a_sheet_give_findings() -> None:
    report = Report(
        Header(name="a\x00b\r\nc"),
        (Entrant(1, "A"), Entrant(2, "B")),
        (Round((2, 1), "wb", "11"), Round((2, 9), "wb", "10"), Round((2, 1), "  ", "10")),
    )
    found = [finding.code for finding in sheet.write(report, "crosstable")[1]]
    assert found == ["lost-letters"]
    found = [finding.code for finding in sheet.write(report, "games")[1]]
    assert found.count("lost-cell") == 4
    assert found.count("lost-colours") == 1


def test_column_letters() -> None:
    assert [column_letters(column) for column in (1, 26, 27, 702, 703, 16384)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
        "XFD",
    ]


def test_every_finding_and_error_has_words() -> None:
    for language in LANGUAGES:
        for report in (read(GAMES), read("No.;Name;Q;R1\nx;A\n1;A;1;12w!\n".replace("x;A\n", ""))):
            for finding in report.findings:
                assert load_words(language).finding(finding)


# ------------------------------------------------------------------------------------------ bad input


def workbook(**parts: str | bytes) -> bytes:
    """A ZIP with a workbook part, and what the parts say."""
    out = io.BytesIO()
    namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    given_parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook {namespace} {relations}><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<R><Relationship Id="r1" Target="worksheets/sheet1.xml"/></R>',
        "xl/worksheets/sheet1.xml": parts.get("sheet", "<worksheet/>"),
        "xl/sharedStrings.xml": parts.get("strings", "<sst/>"),
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in given_parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def rows_xml(*rows: str) -> str:
    return "<worksheet><sheetData>" + "".join(rows) + "</sheetData></worksheet>"


def inline(address: str, text: str) -> str:
    return f'<c r="{address}" t="inlineStr"><is><t>{text}</t></is></c>'


def test_workbooks_of_other_programs() -> None:
    headings = zip("BCDE", ("No.", "Name", "R1", "Fed"), strict=True)
    heading = "<row>" + "".join(inline(f"{column}1", text) for column, text in headings)
    player = (
        '<row r="5"><c r="B5"><v>1.0</v></c><c r="C5" t="s"><v>1</v></c><c r="D5" t="s"><v>0</v></c>'
        '<c r="E5" t="str"><v>ITA</v></c></row>'
    )
    strings = (
        "<sst><si><r><t> ½ </t></r><r><t>bye</t></r><rPh><t>no</t></rPh></si>"
        "<si><r><t>Ada </t></r><r><t>Serra</t></r></si></sst>"
    )
    report = sheet.read(workbook(sheet=rows_xml(heading + "</row>", player), strings=strings))
    assert report.entrants == (Entrant(1, "Ada Serra", federation="ITA", line=5),)
    assert report.rounds == (Round((0,), "-", "H"),)


@pytest.mark.parametrize("coded", ["_x0000_", "_xD800_", "_x000D_", "\n", "_xFFFE_"])
def test_control_characters_in_names_become_blanks(coded: str) -> None:
    """A code may stand for a NUL or for half a letter, which no database takes and no page can show."""
    cells = zip("ABC", ("No.", "Name", "R1"), strict=True)
    heading = "<row>" + "".join(inline(f"{column}1", text) for column, text in cells) + "</row>"
    cells = zip("ABC", ("1", f"Rossi,{coded}Anna_x0041_", "bye"), strict=True)
    player = "<row>" + "".join(inline(f"{column}2", text) for column, text in cells) + "</row>"
    report = sheet.read(workbook(sheet=rows_xml(heading, player)))
    assert report.entrants[0].name == "Rossi, AnnaA"


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'


def lying_bomb() -> bytes:
    """A part that unpacks to a hundred times what it declares."""
    data = bytearray(workbook(sheet=rows_xml("<row/>") + " " * (60 * 1024 * 1024)))
    real = (60 * 1024 * 1024 + len(rows_xml("<row/>"))).to_bytes(4, "little")
    return bytes(data).replace(real, (1000).to_bytes(4, "little"))


def plain_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("report.trf", "012 x")
    return out.getvalue()


BAD = {
    "nothing": (b"", "file-empty"),
    "blanks": (b"  \r\n\r\n", "file-empty"),
    "binary": (bytes(range(256)) * 8, "file-binary"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "file-binary"),
    "prose": (b"Dear arbiter,\nthe tournament went well; see you.\n", "sheet-no-heading"),
    "headings only": (b"No.;Name;R1\n", "sheet-no-rows"),
    "an open quotation": (b'No.;Name;R1\n1;"Ada;2w1\n', "sheet-quotes"),
    "a number that is none": (b"No.;Name;R1\none;Ada;2w1\n", "sheet-start-number"),
    "number zero": (b"No.;Name;R1\n0;Ada;2w1\n", "sheet-start-number"),
    "a round twice": (b"No.;Name;R1;Round 1\n1;Ada;2w1;2w1\n", "sheet-round-twice"),
    "two tables": (b"No.;Name;R1\n1;Ada;2w1\nNo.;Name;R1\n1;Ada;2w1\n", "sheet-table-twice"),
    "two layouts": (b"No.;Name;R1\n1;Ada;2w1\nRound;White;Black;Result\n", "sheet-two-layouts"),
    "two languages": (b"No.;Name;R1\n1;Ada;2w1\n2;Ugo;1n0\n", "sheet-two-languages"),
    "a plain ZIP": (plain_zip(), "sheet-zip"),
    "a cut workbook": (workbook()[:-200], "sheet-xlsx-broken"),
    "an empty workbook": (workbook(), "sheet-no-heading"),
    "broken XML": (workbook(sheet="<worksheet><row>"), "sheet-xlsx-broken"),
    "a string nobody has": (
        workbook(sheet=rows_xml('<row><c t="s"><v>9</v></c></row>')),
        "sheet-xlsx-broken",
    ),
    "entities": (workbook(sheet=ENTITIES), "sheet-xlsx-broken"),
    "a row beyond the last": (
        workbook(sheet=rows_xml('<row r="99999999"><c><v>1</v></c></row>')),
        "sheet-xlsx-broken",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_one_sentence(name: str) -> None:
    assert_refused(*BAD[name])


def test_a_bomb_is_refused_in_one_sentence() -> None:
    sheet_in_it = rows_xml("<row>" + inline("A1", "x" * 60) + "</row>") + " " * (2 * LIMIT)
    assert_refused(workbook(sheet=sheet_in_it), "sheet-too-large")


def assert_refused(data: bytes, code: str) -> None:
    with comes_to_an_end(), pytest.raises(Unreadable) as caught:
        sheet.read(data)
    assert caught.value.code == code
    for language in LANGUAGES:
        assert "\n" not in load_words(language).error(caught.value)


def test_a_bomb_that_lies_about_its_size() -> None:
    data = lying_bomb()
    tracemalloc.start()
    with pytest.raises(Unreadable):
        sheet.read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * LIMIT


def test_a_cell_in_the_last_corner_costs_nothing() -> None:
    rows: list[list[Value]] = [["No.", "Name", "R1"], [1, "Ada", "bye"]]
    data = write_workbook([("S", rows)], [[]])
    far = workbook(
        sheet=rows_xml(
            "<row>" + inline("A1", "No.") + inline("B1", "Name") + inline("C1", "R1") + "</row>",
            "<row>"
            + inline("A2", "1")
            + inline("B2", "Ada")
            + inline("C2", "bye")
            + inline("XFD2", "far")
            + "</row>",
        )
    )
    assert core(sheet.read(far)) == core(sheet.read(data))


def test_rounds_no_tournament_has() -> None:
    players = "".join(f"{number};P\n" for number in range(1, 5001))
    with pytest.raises(Unreadable) as caught:
        read(f"No.;Name\n{players}\nRound;White;Black;Result\n999;1;2;1-0\n")
    assert caught.value.code == "report-too-large"


# --------------------------------------------------------------------------------------------- fuzzing

SCRAPS = [
    "No.", "Name", "R1", "R2", "Round", "White", "Black", "Result", "Event", "Team", "Round date", "1", "2", "12w1",
    "1-0", "bye", "½", "'", '"', ";", ",", "\t", "\n", "\r", "=", "-", "999", "\x00", "é", "0", "45000",
    "Worth of a result", "1/0",
]  # fmt: skip


def only_documented(data: bytes) -> None:
    try:
        report = sheet.read(data)
    except ArpadError as error:
        for language in LANGUAGES:
            load_words(language).error(error)
        return
    for finding in report.findings:
        for language in LANGUAGES:
            assert load_words(language).finding(finding)
    for name in ("crosstable", "games"):
        again, _ = sheet.write(report, name)
        sheet.read(again)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(SCRAPS), max_size=40).map(";".join) | st.text(max_size=80))
def test_fuzzed_text(text: str) -> None:
    only_documented(text.encode("utf-8", "replace"))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8),
    st.sampled_from(["csv", "xlsx"]),
)
def test_damaged_files(damage: list[tuple[int, int]], kind: str) -> None:
    data = bytearray(sheet.template("games", "it", kind))
    for place, byte in damage:
        data[place % len(data)] = byte
    only_documented(bytes(data))


@pytest.mark.deep
@settings(max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8),
    st.sampled_from(["csv", "xlsx"]),
    st.sampled_from(["games", "crosstable"]),
    st.lists(st.sampled_from(SCRAPS), max_size=60),
)
def test_damaged_files_at_length(
    damage: list[tuple[int, int]], kind: str, layout: str, scraps: list[str]
) -> None:
    data = bytearray(sheet.template(layout, "en", kind))
    for place, byte in damage:
        data[place % len(data)] = byte
    only_documented(bytes(data))
    only_documented(";".join(scraps).encode())
