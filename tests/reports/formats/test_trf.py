"""Reading TRF: every field, every habit of real files, every remark with its place."""

from datetime import date
from fractions import Fraction

import pytest

from arpad.model.errors import Unreadable
from arpad.model.rules import Severity
from arpad.reports.formats import read_report, write_report
from arpad.reports.report import Game, worth
from tests.builders.trf import HEAD, PAIR, codes, found, player, read, text


def test_every_field_of_a_player() -> None:
    line = player(
        12, "0000 - U", name="Polgár, Zsuzsa", sex="w", title="WGM", rating=2550, federation="HUN",
        id=700088, born="1969/04/19", points="1.0", rank=3,
    )  # fmt: skip
    report = read(line)
    (entrant,) = report.entrants
    assert (entrant.number, entrant.sex, entrant.title, entrant.name) == (12, "w", "WGM", "Polgár, Zsuzsa")
    assert (entrant.rating, entrant.federation, entrant.id) == (2550, "HUN", "700088")
    assert (entrant.born, entrant.half_points, entrant.rank, entrant.line) == (date(1969, 4, 19), 2, 3, 1)
    assert report.places == {12: 0}


def test_the_header() -> None:
    report = read(
        *HEAD,
        "062 40",
        "072 32",
        "082 0",
        "092 Individual: Swiss-System",
        "112 Primo, Vice",
        "112 Secondo, Vice",
        "132" + " " * 88 + "24/03/01  24/03/02  24/03/03",
        *PAIR,
    )
    header = report.header
    assert (header.name, header.city, header.federation) == ("Open di prova", "Trani", "ITA")
    assert (header.first_day, header.last_day) == (date(2024, 3, 1), date(2024, 3, 3))
    assert (header.players, header.rated_players, header.teams) == (40, 32, 0)
    assert (header.kind, header.chief_arbiter) == ("Individual: Swiss-System", "Conti, Elena")
    assert header.deputies == ("Primo, Vice", "Secondo, Vice")
    assert header.time_control == "90 min + 30 sec"
    assert report.rounds[0].day == date(2024, 3, 1)
    assert header.days_to_come == (date(2024, 3, 2), date(2024, 3, 3))
    assert report.findings == ()


def test_games_of_a_player_round_by_round() -> None:
    report = read(
        player(1, "   2 w 1", "0000 - H", "          "[:8], "   3 b -"),
        player(2, "   1 b 0", "   3 w =", "   3 b W", "0000 - Z"),
        player(3, "0000 - U", "   2 b =", "   2 w L", "   1 w +"),
    )
    assert list(report.games(0)) == [
        Game(1, 1, 2, "w", "1"),
        Game(2, 1, 0, "-", "H"),
        Game(4, 1, 3, "b", "-"),
    ]
    assert [cells.results for cells in report.rounds] == ["10U", "H==", " WL", "-Z+"]
    assert report.rounds[0].opponents == (2, 1, 0)


def test_lower_case_letters_and_capital_colours() -> None:
    report = read(player(1, "   2 W w"), player(2, "   1 B l"), player(3, "0000 - h"))
    assert (report.rounds[0].colours, report.rounds[0].results) == ("wb-", "WLH")


@pytest.mark.parametrize(("letter", "bye"), [("+", "F"), ("=", "H"), ("-", "Z"), ("1", "F"), ("0", "Z")])
def test_byes_of_before_2016_are_read_as_modern_byes(letter: str, bye: str) -> None:
    report = read(*PAIR, player(3, f"0000 - {letter}"), player(4, f"0000 - {letter}"))
    assert report.rounds[0].results == "10" + bye + bye
    finding = found(report, "bye-old-style")
    assert (finding.line, finding.column, finding.player, finding.round) == (3, 99, 3, 1)
    assert finding.facts == {"letter": letter, "read_as": bye, "count": 2, "players": (3, 4)}


@pytest.mark.parametrize(
    ("fields", "code", "column"),
    [
        ({"sex": "u"}, "sex-unknown", 10),
        ({"title": "XYZ"}, "title-unknown", 11),
        ({"name": ""}, "name-missing", 15),
        ({"name": "Wolfeschlegelsteinhausenbergerdor"}, "name-may-be-cut", 15),
        ({"rating": "21OO"}, "rating-unreadable", 49),
        ({"federation": "C.C"}, "federation-unknown", 54),
        ({"id": "'34179178'"}, "id-quoted", 58),
        ({"id": "1990/01/02"}, "id-not-a-number", 58),
        ({"born": "17 May"}, "birth-unreadable", 70),
        ({"points": "x.5"}, "points-unreadable", 81),
        ({"rank": "?"}, "rank-unreadable", 86),
    ],
)
def test_an_odd_field_is_reported_with_its_column(fields: dict[str, str], code: str, column: int) -> None:
    report = read("012 Prova", player(1, "   2 w 1"), player(2, "   1 b 0", **fields))
    finding = found(report, code)
    assert (finding.line, finding.column, finding.player) == (3, column, 2)
    assert codes(report) == [code]


def test_unusual_fields_are_still_read() -> None:
    report = read(
        player(1, sex="F", title="g", rating="0000", id="'34179178'", born="1997/00/00"),
        player(2, sex="", title="wm", rating="", id="0", born="1990.  .", rank=""),
    )
    one, two = report.entrants
    assert (one.sex, one.title, one.rating, one.id, one.born) == ("w", "GM", None, "34179178", 1997)
    assert (two.sex, two.title, two.rating, two.id, two.born, two.rank) == ("", "WIM", None, "", 1990, None)
    assert sorted(codes(report)) == ["id-quoted", "rank-missing", "sex-old-style", "titles-old-style"]


@pytest.mark.parametrize(
    ("cell", "code", "column", "severity"),
    [
        ("   2 w *", "result-unknown", 99, Severity.ERROR),
        ("   2 w 5", "result-unknown", 99, Severity.WARNING),
        ("   2 x 1", "colour-unknown", 97, Severity.WARNING),
        ("  2a w 1", "opponent-unreadable", 92, Severity.ERROR),
        ("   2 w  ", "result-missing", 99, Severity.ERROR),
        ("   2 w", "result-missing", 99, Severity.ERROR),
        ("   2bw 1", "cell-shifted", 96, Severity.WARNING),
    ],
)
def test_an_odd_cell_is_reported_with_its_column(
    cell: str, code: str, column: int, severity: Severity
) -> None:
    report = read(player(1, cell), player(2, "   1 b 0"))
    finding = found(report, code)
    assert (finding.severity, finding.line, finding.column) == (severity, 1, column)
    assert (finding.player, finding.round) == (1, 1)


def test_lines_that_end_early_are_absences() -> None:
    report = read(player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"), player(3))
    assert report.rounds[1].results == "10 "
    finding = found(report, "cells-missing")
    assert (finding.line, finding.player, finding.facts["count"]) == (3, 3, 1)


def test_cells_after_the_last_declared_round() -> None:
    report = read("142 1", player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0"))
    finding = found(report, "cells-surplus")
    assert (finding.line, finding.column, finding.facts["players"]) == (2, 102, (1, 2))
    assert len(report.rounds) == 2


def test_blanks_at_the_end_of_a_line_are_no_round() -> None:
    report = read(*(line + " " * 25 for line in PAIR))
    assert len(report.rounds) == 1


def test_a_gap_in_the_start_numbers() -> None:
    finding = found(read(player(1), player(2), player(5)), "start-numbers-missing")
    assert (finding.line, finding.facts["numbers"]) == (3, (3, 4))


def test_a_field_that_runs_over_its_column() -> None:
    line = player(1)
    report = read(line[:47] + "X" + line[48:])
    finding = found(report, "column-not-blank")
    assert (finding.line, finding.column, finding.player) == (1, 48, 1)


def test_unknown_lines_are_named_and_comments_are_not() -> None:
    report = read(
        "### a comment",
        "# another",
        "DDD SSSS sTTT NNNNNNNNNN RRRR FFF",
        "123456789012345678901234567890",
        "         1         2",
        "",
        *PAIR,
        "101    7      Player 7",
    )
    finding = found(report, "line-unknown")
    assert (finding.line, finding.column, finding.facts["tag"]) == (9, 1, "101")
    assert codes(report) == ["line-unknown"]


def test_a_header_given_twice_counts_once() -> None:
    report = read("012 Primo", "012 Secondo", *PAIR)
    assert report.header.name == "Primo"
    assert found(report, "header-repeated").line == 2


def test_counts_with_something_behind_them() -> None:
    report = read("062 129 (88)", "072 tutti", *PAIR)
    assert (report.header.players, report.header.rated_players) == (129, None)
    assert codes(report) == ["count-unclear", "count-unreadable"]


# -------------------------------------------------------------------------------------------------- days


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("28. 07. 2005", date(2005, 7, 28)),
        ("May 10, 2020", date(2020, 5, 10)),
        ("10 maggio 2020", date(2020, 5, 10)),
        ("24/09/2010", date(2010, 9, 24)),
        ("2011-02-25", date(2011, 2, 25)),
        ("10.09.13", date(2010, 9, 13)),
    ],
)
def test_days_as_real_files_write_them(written: str, day: date) -> None:
    assert read(f"042 {written}", *PAIR).header.first_day == day


def test_an_ambiguous_day_is_settled_by_the_days_of_the_rounds() -> None:
    report = read("042 08/04/2018", "132" + " " * 88 + "18/08/04", *PAIR)
    assert report.header.first_day == date(2018, 8, 4)
    assert "date-ambiguous" not in codes(report)
    assert found(report, "date-unusual").facts["read_as"] == date(2018, 8, 4)


def test_an_ambiguous_day_is_settled_by_the_other_end() -> None:
    report = read("042 24/09/2010", "052 02/10/2010", *PAIR)
    assert report.header.last_day == date(2010, 10, 2)
    assert codes(report) == ["date-unusual", "date-unusual"]


@pytest.mark.parametrize("last", ["13/05/18", "2018/05/13", "13.05.2018"])
def test_a_year_of_two_digits_is_first_or_last_as_the_other_end_lets_expect(last: str) -> None:
    report = read("042 12/05/18", f"052 {last}", *PAIR)
    assert (report.header.first_day, report.header.last_day) == (date(2018, 5, 12), date(2018, 5, 13))
    assert "date-ambiguous" in codes(report)


def test_a_year_of_two_digits_is_settled_by_the_days_of_the_rounds() -> None:
    report = read("042 12/05/18", "052 12/05/18", "132" + " " * 88 + "18/05/12", *PAIR)
    assert (report.header.first_day, report.header.last_day) == (date(2018, 5, 12), date(2018, 5, 12))
    assert codes(report) == ["date-unusual", "date-unusual"]


def test_an_ambiguous_day_that_nothing_settles() -> None:
    report = read("042 08/04/2018", *PAIR)
    finding = found(report, "date-ambiguous")
    assert (finding.line, finding.column) == (1, 5)
    assert (finding.facts["read_as"], finding.facts["other"]) == (date(2018, 4, 8), date(2018, 8, 4))
    assert report.header.first_day == date(2018, 4, 8)


def test_a_day_that_is_none() -> None:
    report = read("042 domani", "052 2024/02/30", *PAIR)
    assert (report.header.first_day, report.header.last_day) == (None, None)
    assert [finding.line for finding in report.findings if finding.code == "date-unreadable"] == [1, 2]


def test_days_of_rounds_in_lines_of_their_own() -> None:
    report = read("132 2025/01/15", "132 2025/01/16", *PAIR)
    assert report.rounds[0].day == date(2025, 1, 15)
    assert report.header.days_to_come == (date(2025, 1, 16),)


def test_days_of_rounds_one_column_to_the_right_and_in_another_order() -> None:
    report = read("132" + " " * 89 + "11.25.02  11.26.02", *PAIR)
    assert report.rounds[0].day == date(2011, 2, 25)
    assert codes(report) == ["round-days-shifted", "round-days-unusual"]


# ------------------------------------------------------------------------------------- extensions and TRF26


def test_javafo_lines() -> None:
    report = read(*PAIR, "XXR 9", "XXC white1", "XXS W=3 D=1 PAB=2.5", "XXZ 1 2", "XXP 1 2")
    assert report.format == "trfx"
    assert (report.header.rounds, report.header.first_colour) == (9, "w")
    points = report.header.points
    assert [worth(points, letter) for letter in "1=0+FUHZ"] == [3, 1, 0, 3, 3, Fraction(5, 2), 1, 0]
    assert [(record.tag, record.numbers) for record in report.records] == [("XXZ", (1, 2)), ("XXP", (1, 2))]


def test_a_draw_may_be_worth_more_with_black() -> None:
    points = read(*PAIR, "XXS WD=0.4 BD=0.6").header.points
    assert (worth(points, "=", "w"), worth(points, "=", "b")) == (Fraction(2, 5), Fraction(3, 5))


def test_bbp_lines() -> None:
    points = read(*PAIR, "BBW  3.0", "BBD  1.0", "BBZ  0.5", "BBF  0.0").header.points
    assert [worth(points, letter) for letter in "1=0-ZU"] == [3, 1, 0, 0, Fraction(1, 2), 3]


def test_trf26_point_system_and_header() -> None:
    report = read(
        "142 9",
        "152 B",
        "162  W 3.0    D 1.0    A 0.5",
        "172 ITA FIDON",
        "182 un programma",
        "192 FIDE_DUTCH_2026",
        "202 BH/C1,SB",
        "212 PTS,BH",
        "222 40/6000+30:900+30",
        "352 WBWB",
        "362 TW 2.0   TD 1.0   TL 0.0",
        *PAIR,
    )
    header = report.header
    assert report.format == "trf26"
    assert (header.rounds, header.first_colour, header.coded_kind) == (9, "b", "FIDE_DUTCH_2026")
    assert (header.starting_rank, header.pairing_program) == ("ITA FIDON", "un programma")
    assert (header.tie_breaks, header.standings_order) == ("BH/C1,SB", "PTS,BH")
    assert (header.coded_time_control, header.board_colours) == ("40/6000+30:900+30", "WBWB")
    assert header.match_points == {"TW": 2, "TD": 1, "TL": 0}
    assert [worth(header.points, letter) for letter in "1=0-ZU"] == [
        3,
        1,
        0,
        Fraction(1, 2),
        Fraction(1, 2),
        3,
    ]
    assert report.findings == ()


def test_trf26_team_records() -> None:
    report = read(
        *PAIR,
        "310   1 Alfa                             ALFA    2486   15.0   28.5  11     1    2",
        "240 H   2    4   12",
        "250  2.0        1   4    1   25",
        "260   1  14    1   11   16",
        "299 -   1.0               4",
        "300   1   5  17   14    0   29   39",
        "320  1.0  2.0          50  49",
        "330 +-   4  23  33",
    )
    (team,) = report.teams
    assert (team.number, team.name, team.nick, team.strength) == (1, "Alfa", "ALFA", "2486")
    assert (team.match_points, team.game_points, team.rank, team.members) == (
        Fraction(15), Fraction(57, 2), 11, (1, 2),
    )  # fmt: skip
    records = {record.tag: record for record in report.records}
    assert (records["240"].fields, records["240"].numbers) == ({"type": "H", "round": "2"}, (4, 12))
    assert records["250"].fields == {
        "match_points": "2.0", "first_round": "1", "last_round": "4", "first": "1", "last": "25",
    }  # fmt: skip
    assert records["260"].numbers == (1, 11, 16)
    assert (records["299"].fields, records["299"].numbers) == ({"type": "-", "match_points": "1.0"}, (4,))
    assert records["300"].fields == {"round": "1", "team": "5", "opponent": "17"}
    assert records["300"].numbers == (14, 0, 29, 39)
    assert records["320"].numbers == (0, 0, 50, 49)
    assert records["330"].fields == {"type": "+-", "round": "4", "white": "23", "black": "33"}
    assert report.findings == ()


def test_a_record_off_its_columns_is_kept_unread() -> None:
    report = read(*PAIR, "299 +  2.0  2.5   1    1")
    assert report.records == ()
    assert found(report, "record-unreadable").line == 3


def test_old_teams() -> None:
    name = "Circolo scacchistico"
    report = read(*PAIR, f"013 {name:<32}   1    2")
    assert [(team.name, team.members, team.number) for team in report.teams] == [(name, (1, 2), None)]


def test_national_ratings_need_a_federation_and_a_number() -> None:
    national = "ITA" + player(2, name="", rating=2100, federation="PUG", id="A123")[3:79]
    report = read(*PAIR, national, "DDD    1 ruler", "ITALIA 1")
    (entry,) = report.national
    assert (entry.body, entry.entrant.number, entry.entrant.rating) == ("ITA", 2, 2100)
    assert (entry.entrant.federation, entry.entrant.id) == ("PUG", "A123")
    assert found(report, "national-ratings").facts["body"] == "ITA"


def test_lines_of_other_programs_with_the_same_tags_are_not_misread() -> None:
    report = read("142 |a|b|", *PAIR)
    assert report.header.rounds is None
    assert codes(report) == ["line-unknown"]


# ------------------------------------------------------------------------------------------------ the file


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end(end: str) -> None:
    report = read_report(text(*HEAD, *PAIR, end=end))
    assert len(report.entrants) == 2
    assert report.header.city == "Trani"


def test_a_byte_order_mark() -> None:
    report = read_report(b"\xef\xbb\xbf" + text(*HEAD, *PAIR))
    assert (report.header.name, report.encoding) == ("Open di prova", "utf-8-sig")


def test_western_letters_are_read_with_a_warning() -> None:
    data = "\n".join([player(1, name="Muñoz, José"), player(2, name="Šimko, Ján")]).encode("cp1252")
    report = read_report(data)
    assert [entrant.name for entrant in report.entrants] == ["Muñoz, José", "Šimko, Ján"]
    finding = found(report, "encoding-guessed")
    assert (finding.line, finding.column, finding.facts["encoding"]) == (1, 17, "cp1252")


def test_bytes_that_even_the_western_page_lacks() -> None:
    assert read_report(player(1).encode() + b"\n012 \x81\xe9").encoding == "latin-1"


@pytest.mark.parametrize(
    "name",
    [
        "Muñiz, José",
        "Nicolò, Aldo",
        "Müller, Jörg",
        "Schröder, Max",
        "Garçía, Tomás",
        "Curiel, Michèle",
        "Høeg, Claus",
        "Dalì, Ugo",
        "Verità, Ada",
    ],
)
def test_letters_of_dos(name: str) -> None:
    data = "\r\n".join([player(1, name=name), player(2, name="Rossi, Anna")]).encode("cp850")
    report = read_report(data)
    assert (report.entrants[0].name, report.encoding) == (name, "cp850")
    assert found(report, "encoding-guessed").facts["encoding"] == "cp850"
    assert write_report(report, "trf16")[0] == data


@pytest.mark.parametrize(
    "name", ["Torneo… e poi", "L’Aquila – città", "Open „Èlite“", "Élan£", "“Bari”, open", "Šimko", "Nº 3½°"]
)
def test_signs_of_windows_are_not_taken_for_letters_of_dos(name: str) -> None:
    data = "\n".join([f"012 {name}", player(1, name="Muñoz, José")]).encode("cp1252")
    assert (read_report(data).header.name, read_report(data).encoding) == (name, "cp1252")


def test_a_mark_of_utf_8_before_western_letters() -> None:
    report = read_report(b"\xef\xbb\xbf" + "\n".join(["012 Città", player(1)]).encode("cp1252"))
    assert (report.header.name, report.encoding) == ("Città", "cp1252-sig")


def test_columns_count_letters_not_bytes() -> None:
    assert read(player(1, "0000 - U", name="Ćosić, Đorđe")).rounds[0].results == "U"


def test_more_players_than_start_numbers() -> None:
    with pytest.raises(Unreadable) as caught:
        read_report(("001    1\n" * 10_000).encode())
    assert (caught.value.code, caught.value.facts["line"]) == ("too-many-players", 10_000)


def test_a_line_without_end_costs_no_memory() -> None:
    long_line = player(2, *(["   1 b 0"] * 301))
    with pytest.raises(Unreadable) as caught:
        read(player(1), long_line)
    assert (caught.value.code, caught.value.facts["line"]) == ("too-many-rounds", 2)


def test_remarks_without_end_are_only_counted() -> None:
    odd = "".join("   2 x 1  " for _ in range(10))
    report = read(*(player(number, sex="u") + "  " + odd for number in range(1, 1001)))
    # A thousand of the sex and ten thousand of the colours; five thousand are kept.
    assert len(report.findings) == 5001
    assert found(report, "more-findings").facts["count"] == 6000


def test_tabs_give_a_finding() -> None:
    line = player(1).replace("Rossi, Mario ", "Rossi,\tMario ")
    finding = found(read(line), "tab-in-line")
    assert (finding.line, finding.column, finding.player) == (1, 21, 1)
