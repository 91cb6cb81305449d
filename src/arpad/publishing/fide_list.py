"""Write rating lists in FIDE's layouts, as our reader and other programs read them: text in columns, and XML.

Both are written from columns with the names of ``ListRow``; a column that is missing is blank.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from html import escape
from typing import BinaryIO, NamedTuple

import polars as pl

from arpad.lists.published import FIDE
from arpad.lists.published_table import ListTable
from arpad.model.errors import BadInput
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.fixed_width import Column, Layout, one_line
from arpad.reports.formats.lists.fide_list import ELEMENTS
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.system.text_columns import TOGETHER, change_texts, write_lines

LAYOUTS = ("combined", "single", "xml", "pairing")
_LINE_END = "\r\n"
_NO_BIRTH = "0000"
_PERSON = "id 1-15 name 16-76 federation 77-80 sex 81-84 title 85-89 women_title 90-94 other_titles 95-109 "
_FIGURES = (
    "online_title 110-113 rating 114-119 games 120-123 k 124-126 rapid_rating 127-132 rapid_games 133-136 "
    "rapid_k 137-139 blitz_rating 140-145 blitz_games 146-149 blitz_k 150-152 born 153-158 "
)
_COMBINED = Layout.of(f"{_PERSON}{_FIGURES} flag 159-162").columns
_PAIRING = Layout.of(
    f"{_PERSON}{_FIGURES} flag 159-163 national_number 164-178 national_standard 179-184 national_rapid 185-190 "
    "national_blitz 191-196"
).columns
"""The combined list with national number and ratings after FIDE's columns, for pairing programs."""

_NATIONAL = ("national_number", "national_standard", "national_rapid", "national_blitz")
_ONE_LIST = f"{_PERSON} rating 110-115 games 116-119 k 120-122 born 123-128 "
_SINGLE = Layout.of(f"{_ONE_LIST} flag 129-132").columns
_SINGLE_WITH_NUMBERS = Layout.of(f"{_ONE_LIST} flag 129-133 number 134-143").columns
"""FIDE's columns and one for the register's number, for a list with players who have no FIDE ID."""

_NOT_IN_SINGLE = frozenset({"rapid_rating", "blitz_rating", "online_title"})
_HEADINGS = {
    "id": "ID Number", "name": "Name", "federation": "Fed", "sex": "Sex", "title": "Tit", "women_title": "WTit",
    "other_titles": "OTit", "online_title": "FOA", "rating": "SRtng", "games": "SGm", "k": "SK",
    "rapid_rating": "RRtng", "rapid_games": "RGm", "rapid_k": "Rk", "blitz_rating": "BRtng", "blitz_games": "BGm",
    "blitz_k": "BK", "born": "B-day", "flag": "Flag", "national_number": "NatNo", "national_standard": "NRtng",
    "national_rapid": "NRap", "national_blitz": "NBlz", "number": "RegNo",
}  # fmt: skip
_SINGLE_HEADINGS = {"rating": "Rtng", "games": "Gms", "k": "K"}
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


# ------------------------------------------------------------------------------------------------- a published list


def fide_columns(table: ListTable) -> tuple[pl.DataFrame, tuple[Finding, ...]]:
    """Return the rated players as rows of FIDE's files (7.12, 7.1.2), and findings about players left out of them.

    A player's id there is FIDE's number, which pairing programs write into reports. A player without one gets the
    register's number, or is left out with a finding if that number is another player's at FIDE.
    """
    all_rows = table.frame.select("player", *_AS_LISTED, FLAG)
    rows = all_rows.hstack([table.numbers_at(FIDE).alias(FIDE)])
    rows = rows.filter(pl.col("rating").is_not_null()).with_columns(_FIDE_NUMBER)
    taken = rows.select(_TAKEN).to_series()
    left_out: tuple[Finding, ...] = ()
    if len(taken):
        is_taken = _WITHOUT & pl.col("player").is_in(taken.implode())
        left_out = tuple(
            Finding(Severity.WARNING, "list-number-taken", facts={"name": name, "number": number})
            for number, name in rows.filter(is_taken).select("player", "name").rows()
        )
        rows = rows.filter(~is_taken)
    without = rows.filter(_WITHOUT)["player"].cast(pl.String)
    ids = rows[FIDE].alias("id").scatter(rows.select(_WITHOUT.arg_true()).to_series(), without)
    number = pl.when(_WITHOUT).then("player").alias("number")
    return rows.select(pl.lit(ids), *_AS_LISTED, "flag", number), left_out


_FIDE_NUMBER = (
    pl.when(pl.col(FIDE).str.contains("^[0-9]+$"))
    .then(pl.col(FIDE).str.strip_chars_start("0"))
    .otherwise(pl.lit(""))
)
_WITHOUT = pl.col(FIDE) == ""
_OWN = pl.col("player").filter(_WITHOUT).cast(pl.String)
_TAKEN = _OWN.filter(_OWN.is_in(pl.col(FIDE).filter(pl.col(FIDE).is_in(_OWN.implode())).implode())).cast(
    pl.Int64
)
"""The numbers of players without a FIDE ID that are other players' at FIDE."""

_AS_LISTED = (
    "name", "federation", "sex", "title", "women_title", "other_titles", "rating", "games", "k", "born",
)  # fmt: skip
FLAG = pl.concat_str(
    pl.when(pl.col("sex") == "F").then(pl.lit("w")).otherwise(pl.lit("")),
    pl.when("inactive").then(pl.lit("i")).otherwise(pl.lit("")),
).alias("flag")


# ------------------------------------------------------------------------------------------------------------ any rows


def write_list(
    rows: Iterable[ListRow], stream: BinaryIO, layout: str, month: date | None = None
) -> tuple[Finding, ...]:
    """Write the rows and return findings about what the layout could not hold."""
    values = [[None if value is None else str(value) for value in row[: len(_COLUMNS)]] for row in rows]
    columns = pl.DataFrame(values, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row")
    return write_columns(columns, stream, layout, month)


_COLUMNS = ListRow._fields[: ListRow._fields.index("number") + 1]
_NUMBERS = frozenset(
    {"id", "born", "number", *_NATIONAL, *(n for n in _COLUMNS if n.endswith(("rating", "games", "k")))}
)


def write_columns(
    rows: pl.DataFrame, stream: BinaryIO, layout: str, month: date | None = None
) -> tuple[Finding, ...]:
    """Write rows in columns and return findings about what the layout could not hold.

    If there are register's numbers, the layouts ``single`` and ``xml`` get a last column for them.
    """
    if layout not in LAYOUTS:
        raise BadInput("layout-unknown", layout=layout, accepted=LAYOUTS)
    own_numbers = "number" in rows.columns and rows["number"].null_count() < len(rows)
    if layout == "xml":
        _write_xml(rows, stream, own_numbers=own_numbers)
        return ()
    single = _SINGLE_WITH_NUMBERS if own_numbers else _SINGLE
    columns = {"combined": _COMBINED, "pairing": _PAIRING}.get(layout, single)
    headings = {**_HEADINGS, **(_SINGLE_HEADINGS if layout == "single" else {})}
    words = {column.name: headings[column.name] for column in columns}
    if layout == "single" and month:
        words["rating"] = f"{_MONTHS[month.month - 1]}{month.year % 100:02}"
    stream.write((Layout(columns).format("", words) + _LINE_END).encode())
    return _write_text(rows, stream, columns, single=layout == "single")


class _Loss(NamedTuple):
    """Something that the layout cannot hold; in the order of the file."""

    row: int
    order: int
    code: str
    column: Column | None = None
    text: str = ""


_FIRST_LINE = 2
"""The line of the first row."""


def _write_text(
    rows: pl.DataFrame, stream: BinaryIO, columns: Sequence[Column], *, single: bool
) -> tuple[Finding, ...]:
    losses = _figures_not_held(rows, len(columns)) if single else []
    names = [column.name for column in columns]
    padded = [pl.col(it.name).str.pad_end(it.width - (it is not columns[-1])) for it in columns]
    for first, part in _parts(rows):
        texts = _texts(part, names, no_birth=_NO_BIRTH)
        concerned = texts.select(map(_may_not_fit, columns))
        texts = texts.with_columns(
            _fitting(texts[column.name], mask.arg_true(), first, column, order, losses)
            for order, (column, mask) in enumerate(zip(columns, concerned, strict=True))
            if mask.any()
        )
        write_lines(texts, padded, stream, " ", _LINE_END)
    return _findings(losses)


def _parts(rows: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield some thousand rows at a time, with the number of the first."""
    for number, part in enumerate(rows.iter_slices(TOGETHER)):
        yield number * TOGETHER, part


def _texts(rows: pl.DataFrame, names: Sequence[str], no_birth: str = "") -> pl.DataFrame:
    """Return columns as texts."""
    texts = rows.with_columns(_text(rows, name, no_birth if name == "born" else "") for name in names)
    return texts.select(names)


def _text(rows: pl.DataFrame, name: str, blank: str = "") -> pl.Expr:
    """Return a column as texts."""
    if name not in rows.columns:
        return pl.lit(blank).alias(name)
    return pl.col(name).cast(pl.String).fill_null(blank)


@cache
def _may_not_fit(column: Column) -> pl.Expr:
    """Return which texts have to be looked at one by one; bytes are counted faster than letters."""
    text = pl.col(column.name).str
    too_long = text.len_bytes() > _longest(column)
    if column.name == "born":
        return too_long | text.contains("-", literal=True)
    return too_long if column.name in _NUMBERS else too_long | text.contains(_CONTROLS)


def _longest(column: Column) -> int:
    """Return how long a text may be; a blank before the next column is needed except after the last."""
    return column.width if column.name == "flag" else column.width - 1


def _fitting(
    texts: pl.Series, rows: pl.Series, first: int, column: Column, order: int, losses: list[_Loss]
) -> pl.Series:
    """Return the texts with those of some rows as they fit; a number that does not fit is left out.

    The number of the first row is ``first``.
    """
    fitting: list[str] = []
    for row, text in zip(rows, texts.gather(rows), strict=True):
        shown = one_line(text)
        if column.name == "born" and "-" in shown:
            losses.append(_Loss(first + row, order, "list-only-year"))
            shown = shown.partition("-")[0]
        if len(shown) > _longest(column):
            losses.append(_Loss(first + row, order, "list-field-cut", column, shown))
            shown = "" if column.name in _NUMBERS else shown[: column.width - 1].rstrip(",")
        fitting.append(shown)
    return texts.clone().scatter(rows, fitting)


_CONTROLS = r"[\x00-\x1f\x7f-\x9f\u{2028}\u{2029}]"
"""The characters that ``one_line`` replaces."""


def _figures_not_held(rows: pl.DataFrame, order: int) -> list[_Loss]:
    """Return the rows with ratings of other lists or an online title, for which a list of one kind has no column."""
    held = [_text(rows, name).is_in(["", "0"]) for name in _NOT_IN_SINGLE & {*rows.columns}]
    lines = rows.select(~pl.all_horizontal(*held)).to_series().arg_true() if held else ()
    return [_Loss(row, order, "list-figures-not-held") for row in lines]


def _findings(losses: list[_Loss]) -> tuple[Finding, ...]:
    notes = Notes()
    for row, _, code, column, text in sorted(losses, key=lambda loss: loss[:2]):
        line = _FIRST_LINE + row
        if column is not None:
            notes.add(Severity.WARNING, code, line, column.first, text=text, width=column.width - 1)
        else:
            severity = Severity.INFO if code == "list-only-year" else Severity.WARNING
            notes.count(severity, code, line)
    return notes.all()


# ----------------------------------------------------------------------------------------------------------------- XML


def _write_xml(rows: pl.DataFrame, stream: BinaryIO, *, own_numbers: bool) -> None:
    """Write the fields of the single text; of the combined one, if rows have figures that only this has."""
    columns = {*rows.columns}
    layout = [*(_COMBINED if _NOT_IN_SINGLE & columns else _SINGLE)]
    layout += [column for column in _PAIRING if column.name in columns.intersection(_NATIONAL)]
    names = [column.name for column in layout]
    end = pl.lit("</player>")
    if own_numbers:
        with_number = pl.concat_str(_xml_elements(["number"]), pl.lit("\n"), end)
        end = pl.when(pl.col("number") != "").then(with_number).otherwise(end)
    fields = [pl.lit("<player>").alias("begin"), _xml_elements(names).alias("fields"), end.alias("end")]
    stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n')
    for _, part in _parts(rows):
        texts = _texts(part, [*names, *(["number"] if own_numbers else [])])
        odd = pl.all().exclude(*_NUMBERS).str.contains(_NOT_XML)
        texts = change_texts(texts, odd, lambda written: escape(one_line(written), quote=False))
        write_lines(texts, fields, stream, "\n")
    stream.write(b"</playerslist>\n")


def _xml_elements(names: Sequence[str]) -> pl.Expr:
    """Return the elements of some columns, each on its line."""
    elements = [(name, ELEMENTS.get(name, name)) for name in names]
    lines = [
        pl.concat_str(pl.lit(f"<{element}>"), name, pl.lit(f"</{element}>")) for name, element in elements
    ]
    return pl.concat_str(lines, separator="\n")


_NOT_XML = r"[&<>\x00-\x1f\x7f-\x9f\u{2028}\u{2029}]"
