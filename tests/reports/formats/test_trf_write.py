"""Writing TRF: untouched lines stay to the byte, changed values change their columns, and nothing is lost unsaid."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.reports.formats import read_report, write_report
from arpad.reports.report import Entrant, Header, NationalEntry, Record, Report, Round, Team
from tests.builders.trf import HEAD, PAIR, player, read, text


def written(report: Report, variant: str = "") -> bytes:
    data, findings = write_report(report, variant or report.format)
    assert findings == ()
    return data


def values(report: Report) -> tuple[object, ...]:
    """Return a report without its line numbers."""
    return (
        report.header,
        [replace(entrant, line=None) for entrant in report.entrants],
        report.rounds,
        [replace(team, line=None) for team in report.teams],
        [replace(record, line=None) for record in report.records],
        [replace(entry, entrant=replace(entry.entrant, line=None)) for entry in report.national],
    )


ODD = (
    b"\xef\xbb\xbf### intestazione\r\n"
    b"012 Torneo  \r"
    b"099 riga ignota\t\r\n\r\n"
    + text(player(1, "   2 w 1") + "   "[:2], player(2, "   1 b 0", "0000 - +"), end="\n")
    + b"XXR 5\n  coda senza fine"
)


@pytest.mark.parametrize(
    "data",
    [
        text(*HEAD, *PAIR),
        text(*HEAD, *PAIR, end="\r\n"),
        text(*PAIR, end="\r"),
        ODD,
        "\n".join([player(1, name="Muñoz, José"), "012 fine"]).encode("cp1252"),
    ],
)
def test_an_unchanged_report_is_written_to_the_byte(data: bytes) -> None:
    assert written(read_report(data)) == data


def test_a_changed_field_changes_its_columns_only() -> None:
    report = read_report(ODD)
    entrants = (replace(report.entrants[0], rating=2222), report.entrants[1])
    assert written(replace(report, entrants=entrants)) == ODD.replace(b"1800", b"2222", 1)


def test_a_changed_cell_changes_only_itself() -> None:
    report = read(*HEAD, player(1, "   2 w 1", "0000 - +"), player(2, "   1 b 0", "0000 - -"))
    first = replace(report.rounds[0], results="==")
    out = written(replace(report, rounds=(first, report.rounds[1])))
    assert out == text(*HEAD, player(1, "   2 w =", "0000 - +"), player(2, "   1 b =", "0000 - -"))


def test_a_changed_header_replaces_or_adds_its_line() -> None:
    report = read(*HEAD, *PAIR)
    header = replace(
        report.header, name="Altro nome", kind="Swiss", last_day=date(2024, 3, 4), deputies=("Uno", "Due")
    )
    assert written(replace(report, header=header)) == text(
        "012 Altro nome",
        *HEAD[1:4],
        "052 2024/03/04",
        "092 Swiss",
        *HEAD[5:6],
        "112 Uno",
        "112 Due",
        *HEAD[6:],
        *PAIR,
    )


def test_a_change_of_rounds_goes_to_whichever_line_says_it() -> None:
    for line in ("XXR 5", "142 5"):
        report = read(*PAIR, line)
        header = replace(report.header, rounds=7)
        assert written(replace(report, header=header)) == text(*PAIR, line[:4] + "7")


def test_a_round_more_and_a_round_less() -> None:
    report = read(*PAIR)
    more = Round((2, 1), "bw", "01", date(2024, 3, 2))
    longer = written(replace(report, rounds=(*report.rounds, more)))
    assert b"   2 w 1     2 b 0\n" in longer
    assert (" " * 98 + "24/03/02").encode() in longer
    again = read_report(longer)
    shorter = replace(again, rounds=(replace(again.rounds[0], day=None),))
    assert read_report(written(shorter)).rounds == report.rounds


def test_a_player_more_and_a_player_less() -> None:
    report = read(*HEAD, *PAIR, "XXR 3")
    third = Entrant(3, "Neri, Livia", 1700, "w", "WFM", "ITA", "900003", 2001, 0, 3)
    cells = replace(report.rounds[0], opponents=(2, 1, 0), colours="wb-", results="10Z")
    out = written(replace(report, entrants=(*report.entrants, third), rounds=(cells,)))
    line = player(
        3, "0000 - Z", name="Neri, Livia", sex="w", title="WFM", rating=1700, id=900003,
        born="2001/00/00", rank=3,
    )  # fmt: skip
    assert out == text(*HEAD, *PAIR, line, "XXR 3")
    again = read_report(out)
    first = Round((0,), "-", "Z")
    assert written(replace(again, entrants=again.entrants[2:], rounds=(first,))) == text(*HEAD, line, "XXR 3")


def test_a_letter_the_encoding_lacks_turns_the_file_into_utf8() -> None:
    report = read_report(player(1, name="Muñoz, José").encode("cp1252"))
    data, findings = write_report(
        replace(report, entrants=(replace(report.entrants[0], name="Ştefan, Ion"),)), report.format
    )
    assert read_report(data).entrants[0].name == "Ştefan, Ion"
    assert [finding.code for finding in findings] == ["encoding-changed"]


def test_teams_and_records_change_in_place() -> None:
    lines = [
        *PAIR,
        "310   1 Alfa                             ALFA    2486   15.0   28.5  11     1",
        "240 H   2    1",
    ]
    report = read(*lines)
    team = replace(report.teams[0], members=(1, 2), nick="AL")
    record = replace(report.records[0], numbers=(1, 2))
    out = written(replace(report, teams=(team,), records=(record,)))
    lines[2] = "310   1 Alfa                             AL      2486   15.0   28.5  11     1    2"
    lines[3] = "240 H   2    1    2"
    assert out == text(*lines)
    assert written(replace(report, records=())) == text(*PAIR, "310   1 Alfa                             "
                                                        "ALFA    2486   15.0   28.5  11     1")  # fmt: skip


def test_old_team_lines_follow_the_new_ones() -> None:
    old = f"013 {'Alfa':<32}   1"
    report = read(
        *PAIR, "310   1 Alfa                                                           1     1", old
    )
    team = replace(report.teams[0], members=(1, 2))
    assert written(replace(report, teams=(team,))).endswith(text(old + "    2"))


def test_the_encoding_can_be_chosen() -> None:
    report = read_report(player(1, name="Muñoz, José").encode("cp1252"))
    assert written(replace(report, encoding="utf-8-sig")) == player(1, name="Muñoz, José").encode("utf-8-sig")


def test_the_mark_of_utf_8_before_other_letters_stays_there() -> None:
    data = b"\xef\xbb\xbf012 Open della Citt\xe0\n" + player(1).encode()
    report = read_report(data)
    assert (report.header.name, report.encoding) == ("Open della Città", "cp1252-sig")
    assert written(report) == data
    assert [
        finding.facts["encoding"] for finding in report.findings if finding.code == "encoding-guessed"
    ] == ["cp1252"]


FULL = Report(
    header=Header(
        name="Torneo di prova",
        city="Bari",
        federation="ITA",
        first_day=date(2025, 9, 13),
        last_day=date(2025, 9, 14),
        players=3,
        rated_players=2,
        teams=1,
        rounds=4,
        kind="Svizzero",
        coded_kind="FIDE_TEAM",
        chief_arbiter="Conti, Elena",
        deputies=("Uno", "Due"),
        time_control="90+30",
        coded_time_control="5400+30",
        days_to_come=(date(2025, 9, 14), None, date(2025, 9, 15)),
        points={
            "WW": Fraction(3),
            "BW": Fraction(3),
            "FW": Fraction(3),
            "FPB": Fraction(3),
            "PAB": Fraction(1),
        },
        match_points={"TW": Fraction(2), "TD": Fraction(1)},
        first_colour="b",
        starting_rank="ITA FIDON",
        pairing_program="un programma",
        tie_breaks="BH",
        standings_order="PTS,BH",
        board_colours="WB",
    ),
    entrants=(
        Entrant(1, "Šimko, Ján", 2310, "m", "FM", "SVK", "14900001", date(1980, 2, 29), 6, 1),
        Entrant(2, "Rossi, Ada", None, "w", "", "ITA", "", 2012, 1, 2),
        Entrant(3, "Neri"),
    ),
    rounds=(Round((2, 1, 0), "wb-", "10U", date(2025, 9, 13)), Round((0, 3, 2), " wb", "Z= ", None)),
    teams=(Team("Alfa", (1, 2), 1, "ALFA", "2310", Fraction(2), Fraction(7, 2), 1),),
    records=(
        Record("240", {"type": "Z", "round": "4"}, (3,)),
        Record("320", {"match_points": "1.0"}, (0, 1)),
    ),
    national=(NationalEntry("SVK", Entrant(1, "", 2290, federation="BA", id="A1")),),
    format="made",
)


def test_a_whole_report_in_trf26_is_read_back_the_same() -> None:
    again = read_report(written(FULL, "trf26"))
    assert values(again) == values(FULL)
    assert again.format == "trf26"


def test_losses_in_trf16_give_findings() -> None:
    data, findings = write_report(FULL, "trf16")
    again = read_report(data)
    assert again.entrants[0].name == "Šimko, Ján"
    assert again.rounds == FULL.rounds
    assert again.teams[0].members == (1, 2)
    assert {(finding.code, finding.facts.get("tag")) for finding in findings} == {
        *(
            ("header-not-held", tag)
            for tag in ("142", "152", "172", "182", "192", "202", "212", "222", "352")
        ),
        ("points-not-held", None),
        ("records-not-held", "362"),
        ("records-not-held", "240"),
        ("records-not-held", "320"),
        ("records-not-held", "SVK"),
    }


def test_trfx_holds_rounds_colour_and_points() -> None:
    data, _ = write_report(FULL, "trfx")
    again = read_report(data)
    assert again.format == "trfx"
    assert (again.header.rounds, again.header.first_colour) == (4, "b")
    assert again.header.points == FULL.header.points


def test_a_number_of_rounds_that_is_plain_from_the_cells_is_no_loss() -> None:
    report = replace(FULL, header=Header(name="T", rounds=2), teams=(), records=(), national=())
    assert read_report(written(report, "trf16")).rounds == report.rounds


@pytest.mark.parametrize(
    ("change", "code", "kept"),
    [
        ({"name": "Wolfeschlegelsteinhausenbergerdorff"}, "name-cut", "Wolfeschlegelsteinhausenbergerdor"),
        ({"federation": "ITALIA"}, "federation-cut", "ITA"),
        ({"rating": 12345}, "rating-left-out", None),
        ({"id": "123456789012"}, "id-left-out", ""),
        ({"half_points": 2001}, "points-left-out", None),
    ],
)
def test_long_values_give_findings_and_numbers_are_never_cut(
    change: dict[str, object], code: str, kept: object
) -> None:
    entrant = replace(FULL.entrants[0], **change)  # type: ignore[arg-type]
    report = Report(Header(), (entrant,), ())
    data, findings = write_report(report, "trf16")
    (field,) = change
    assert [(finding.code, finding.player) for finding in findings] == [(code, 1)]
    assert getattr(read_report(data).entrants[0], field) == kept


def test_k_has_no_place_in_a_trf() -> None:
    report = Report(Header(), (Entrant(1, "Rossi", k=20), Entrant(2, "Verdi", k=40)), ())
    _, findings = write_report(report, "trf16")
    assert [(finding.code, finding.facts["count"]) for finding in findings] == [("k-not-held", 2)]


def test_line_breaks_in_a_name_do_not_break_the_file() -> None:
    report = Report(Header(name="Due\nrighe"), (Entrant(1, "Rossi,\r\nAda"),), ())
    again = read_report(written(report, "trf16"))
    assert (again.header.name, again.entrants[0].name) == ("Due righe", "Rossi, Ada")
