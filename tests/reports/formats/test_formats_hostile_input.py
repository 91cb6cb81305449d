"""Whatever bytes come in, readers give a report or a documented error: never anything else."""

import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import Unreadable
from arpad.model.people import YEARS
from arpad.reports.formats import read_report, trf, write_report
from arpad.reports.formats.fixed_width import one_line
from arpad.reports.formats.lists.fide_list import read_list
from arpad.reports.formats.trf_columns import KNOWN
from arpad.reports.report import Entrant, Header, Report, Round
from tests.builders.trf import HEAD, PAIR, player, text
from tests.thinning import examples

SEEDS = (
    text(*HEAD, "132" + " " * 88 + "24/03/01", *PAIR),
    text(*PAIR, "XXR 9", "XXS W=3 D=1", "XXP 1 2", "BBW  3.0", end="\r\n"),
    text(
        "142 9",
        "162  W 3.0    D 1.0",
        "362 TW 2.0   TD 1.0",
        player(1, "   2 w 1", "0000 - +", "   2 b *"),
        player(2, "   1 b 0", "", "   1 w"),
        "ITA    1 m    Rossi                             1800 PUG",
        "013 Alfa                               1    2",
        "310   1 Alfa                             ALFA    2486   15.0   28.5  11     1    2",
        "240 H   2    4   12",
        "250  2.0        1   4    1   25",
        "299 -   1.0               4",
        "300   1   5  17   14    0   29   39",
        "320  1.0  2.0          50  49",
        "330 +-   4  23  33",
    ),
)
LISTS = (
    text(
        "ID Number      Name             Fed Sex Tit  WTit OTit           SEP14 Gms K  B-day Flag",
        "10207538       A E M, Doshtagir BAN M             IA,FT          1860  0   20 1974  i   ",
    ),
    text(
        '<?xml version="1.0"?><playerslist>',
        "<player><fideid>7</fideid><name>Ada</name><rating>2300</rating></player>",
        '<player FIDEID="8"><name>Ugo</name><birthday>1962-02-02</birthday></player></playerslist>',
    ),
)
SNIPPETS = st.sampled_from(
    [b"001", b"001    1", b"\r", b"\n", b"\t", b" ", b"0000 - +", b"132 ", b"042 08/04/2018", b"\xef\xbb\xbf", b"\xff",
     b"\xe9", b"<", b"&a;", b"310", b"XXS W=", b"9" * 400, "½²٣\u2028\x85\x1c".encode(), b"-0.5", b"|", b"\x1a", b"'"]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A good file with pieces cut out, put in, doubled or shifted."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        insert = draw(SNIPPETS | st.binary(max_size=12) | st.just(bytes(data[start:end]) * 2))
        data[start:end] = insert
    return bytes(data)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Lines with known tags and anything behind them."""
    tag = st.sampled_from(sorted(KNOWN)) | st.sampled_from(["001", "ITA", "###", "DDD"])
    body = st.text(st.sampled_from("0123456789 .-/wb=+*|'aÈ½٣\t") | st.characters(), max_size=120)
    end = st.sampled_from(["\n", "\r\n", "\r"])
    made = draw(st.lists(st.tuples(tag, body, end), min_size=1, max_size=12))
    return "".join(f"{tag} {body}{end}" for tag, body, end in made).encode("utf-8", "surrogatepass")


def has_a_sentence(error: Unreadable) -> None:
    for language in LANGUAGES:
        assert load_words(language).error(error)


def survives(data: bytes) -> None:
    """Read it, write it back to the byte, read it again; or get a sentence that says why not."""
    try:
        report = trf.read(data)
    except Unreadable as error:
        has_a_sentence(error)
        return
    again, findings = write_report(report, report.format)
    assert again == data
    assert findings == ()
    for finding in report.findings:
        assert all(load_words(language).finding(finding) for language in LANGUAGES)
        assert finding.line is not None
        assert 1 <= finding.line <= len(report.source)
    for cells in report.rounds:
        assert len(cells.opponents) == len(cells.colours) == len(cells.results) == len(report.entrants)
    data, _ = write_report(replace(report, source=()), "trf26")
    anew = read_report(data)
    assert [entrant.name for entrant in anew.entrants] == [
        one_line(entrant.name) for entrant in report.entrants
    ]


def survives_as_list(data: bytes) -> None:
    try:
        for row in read_list(io.BytesIO(data)):
            assert row.id > 0
    except Unreadable as error:
        has_a_sentence(error)


@settings(max_examples=examples(60))
@given(damaged(SEEDS))
def test_damaged_reports(data: bytes) -> None:
    survives(data)


@settings(max_examples=examples(60))
@given(lines())
def test_made_up_lines(data: bytes) -> None:
    survives(data)


@settings(max_examples=examples(60))
@given(damaged(LISTS))
def test_damaged_lists(data: bytes) -> None:
    survives_as_list(data)


@settings(max_examples=examples(60))
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    survives_as_list(data)
    try:
        read_report(data)
    except Unreadable as error:
        has_a_sentence(error)


@pytest.mark.deep
@settings(max_examples=20_000, deadline=None)
@given(damaged(SEEDS) | lines())
def test_many_damaged_reports(data: bytes) -> None:
    survives(data)


@pytest.mark.deep
@settings(max_examples=20_000, deadline=None)
@given(damaged(LISTS) | st.binary(max_size=2000))
def test_many_damaged_lists(data: bytes) -> None:
    survives_as_list(data)


# ------------------------------------------------------------------------------- any report at all, written

letters = st.text(
    st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), max_size=20
)
entrants = st.builds(
    Entrant,
    number=st.integers(1, 9999),
    name=letters.filter(bool),
    rating=st.none() | st.integers(1, 9999),
    sex=st.sampled_from(["", "m", "w"]),
    title=st.sampled_from(["", "GM", "WCM"]),
    federation=st.sampled_from(["", "ITA", "FID"]),
    id=st.just("") | st.integers(1, 10**10).map(str),
    born=st.none() | st.integers(1900, 2020) | st.dates(),
    half_points=st.none() | st.integers(0, 199),
    rank=st.none() | st.integers(0, 9999),
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    players = tuple(draw(st.lists(entrants, min_size=1, max_size=5)))
    count = len(players)
    cell = st.tuples(st.integers(1, 9999), st.sampled_from("wb- "), st.sampled_from("1=0+-WDL "))
    bye = st.tuples(st.just(0), st.sampled_from("- "), st.sampled_from("HFUZ"))
    rounds = []
    for _ in range(draw(st.integers(0, 4))):
        cells = draw(st.lists(cell | bye, min_size=count, max_size=count))
        opponents, colours, results = zip(*cells, strict=True)
        day = draw(st.none() | st.dates(min_value=date(1970, 1, 1), max_value=date(2069, 12, 31)))
        rounds.append(Round(opponents, "".join(colours), "".join(results), day))
    header = Header(
        name=draw(letters),
        first_day=draw(st.none() | st.dates(date(YEARS[0], 1, 1), date(YEARS[-1], 12, 31))),
        players=draw(st.none() | st.integers(0, 999)),
    )
    return Report(header, players, tuple(rounds))


@settings(max_examples=examples(60))
@given(reports(), st.sampled_from(["trf16", "trfx", "trf26"]))
def test_any_report_is_read_back_as_it_was_written(report: Report, variant: str) -> None:
    data, findings = write_report(report, variant)
    again = read_report(data)
    assert findings == ()
    assert again.header == report.header
    assert tuple(replace(entrant, line=None) for entrant in again.entrants) == report.entrants
    assert again.rounds == report.rounds
