"""The files and rankings of a list written plainly, row by row from values: what the columns must be equal to."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from struct import pack
from typing import Any

import xlsxwriter

from arpad.explain.words import Words
from arpad.lists.canonical import write_canonical
from arpad.lists.published import ListedPlayer, PublishedList

Cut = tuple[ListedPlayer, ...]


def cuts(published: PublishedList) -> dict[str, Cut]:
    """Return every cut by its name, in its order."""
    day, rated = published.day, [row for row in published.rows if row.rating is not None]
    ranked = sorted(rated, key=lambda row: (-(row.rating or 0), row.name.casefold(), row.player))
    by_name = sorted(published.rows, key=lambda row: (row.name.casefold(), row.player))
    active = [row for row in ranked if not row.inactive]
    lowest = active[99].rating if len(active) > 100 else 0
    in_federation = active if published.inactive_leave_federation else ranked
    codes = sorted({row.federation for row in rated if row.federation})
    found = {
        "all": ranked,
        "active": active,
        "top": [row for row in active if (row.rating or 0) >= (lowest or 0)],
        "women": [row for row in active if row.sex == "F"],
        "juniors": [row for row in active if row.born and row.born >= day.year - published.junior_years],
        "seniors": [row for row in active if row.born and row.born <= day.year - 50],
        "titled-unrated": [
            row
            for row in by_name
            if row.rating is None and (row.title or row.women_title) and not row.delisted
        ],
        "delisted": [row for row in by_name if row.rating is None and row.delisted],
        **{f"federation-{code}": [r for r in in_federation if r.federation == code] for code in codes},
    }
    return {name: tuple(rows) for name, rows in found.items()}


def ranks(rows: Sequence[ListedPlayer]) -> list[int | None]:
    """Return the rank of each row among the active ones; equal ratings share one, the inactive have none."""
    return [None if row.inactive else _rank(row, rows) for row in rows]


def _rank(row: ListedPlayer, rows: Sequence[ListedPlayer]) -> int:
    return 1 + sum((other.rating or 0) > (row.rating or 0) for other in rows if not other.inactive)


def rankings(published: PublishedList) -> tuple[list[Any], list[Any]]:
    """Return the pages of a hundred players, and the totals and bands of ratings of each ranking."""
    found = cuts(published)
    names = [
        "active",
        "all",
        "women",
        "juniors",
        "seniors",
        *(name for name in found if "federation-" in name),
    ]
    pages = [
        (
            name,
            first // 100 + 1,
            _rank(found[name][first], found[name]),
            sum(not row.inactive for row in found[name][:first]),
            b"".join(pack("<i", r.player) for r in found[name][first : first + 100]),
        )
        for name in names
        for first in range(0, len(found[name]), 100)
    ]
    bands = {name: Counter((row.rating or 0) // 50 * 50 for row in found[name]) for name in names}
    written = {
        name: " ".join(f"{low}:{counts[low]}" for low in sorted(counts)) for name, counts in bands.items()
    }
    return pages, [(name, len(found[name]), written[name]) for name in names]


# --------------------------------------------------------------------------------------------------------------- texts


def cell(text: str) -> str:
    """Return a text for a spreadsheet: without control characters, no formula."""
    text = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+", " ", text).strip()
    return f"'{text}" if re.match(r"'*[=+\-@]", text) else text


def line(text: str) -> str:
    """Return a text for a line of a file: control characters are blanks."""
    if re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", text):
        return " ".join(re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text).split())
    return text


def _quoted(text: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([text, ""])
    return out.getvalue().removesuffix(",")


def schemes(published: PublishedList) -> list[str]:
    """Return the bodies whose numbers occur."""
    return sorted({scheme for row in published.rows for scheme, _ in row.identifiers})


def csv_file(published: PublishedList, rows: Iterable[ListedPlayer]) -> bytes:
    """Return the CSV of some rows of a list."""
    if published.system.has_titles:
        columns = (
            "id name federation sex title women_title other_titles rating games k born inactive delisted"
        )
    else:
        columns = "id name category title capital games federation sex born delisted"
    bodies = schemes(published)
    lines = [[*columns.split(), *(f"{scheme}_number" for scheme in bodies)]]
    for row in rows:
        values = row._asdict() | {"id": row.player, "capital": row.rating}
        values |= {"inactive": "i" if row.inactive else "", "delisted": "d" if row.delisted else ""}
        fields = [values[name] for name in columns.split()] + [row.identifier(scheme) for scheme in bodies]
        lines.append(["" if value is None else _quoted(cell(str(value))) for value in fields])
    return "".join([",".join(fields) + "\r\n" for fields in lines]).encode()


# -------------------------------------------------------------------------------------------------------- FIDE's files


def _fide_rows(published: PublishedList) -> tuple[list[tuple[int, int | None, ListedPlayer]], list[Any]]:
    """Return FIDE's number or the register's, the latter again if it is used, and the player; and who is left out."""
    rated = [row for row in published.rows if row.rating is not None]
    texts = [(row.identifier("fide"), row) for row in rated]
    numbered = [(int(text) if re.fullmatch("[0-9]+", text) else 0, row) for text, row in texts]
    taken = {number for number, _ in numbered if number}
    rows = [
        (number or row.player, None if number else row.player, row)
        for number, row in numbered
        if number or row.player not in taken
    ]
    left_out = [row for number, row in numbered if not number and row.player in taken]
    return rows, [
        ("list-number-taken", None, None, {"name": row.name, "number": row.player}) for row in left_out
    ]


def _flag(row: ListedPlayer) -> str:
    return ("w" if row.sex == "F" else "") + ("i" if row.inactive else "")


def txt_file(published: PublishedList) -> tuple[bytes, list[Any]]:
    """Return FIDE's text, and code, line, column and facts of its findings."""
    rows, left_out = _fide_rows(published)
    own = any(number is not None for _, number, _ in rows)
    month = f"{published.day:%b%y}".upper()
    widths = [15, 61, 4, 4, 5, 5, 15, 6, 4, 3, 6, *([5, 10] if own else [4])]
    heads = ["ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "OTit", month, "Gms", "K", "B-day", "Flag"]
    heads += ["RegNo"] if own else []
    text = "".join([head.ljust(width) for head, width in zip(heads, widths, strict=True)]).rstrip() + "\r\n"
    cut: list[Any] = []
    for at, (number, own_number, row) in enumerate(rows, start=2):
        values: list[str | int | None] = [
            number, row.name, row.federation, row.sex, row.title, row.women_title, row.other_titles, row.rating,
            row.games, row.k, row.born or "0000", _flag(row), *([own_number] if own else []),
        ]  # fmt: skip
        column = 1
        for place, (value, width) in enumerate(zip(values, widths, strict=True)):
            shown = "" if value is None else line(str(value))
            if len(shown) >= width and not (heads[place] == "Flag" and len(shown) == width):
                cut.append(("list-field-cut", at, column, {"text": shown, "width": width - 1}))
                shown = "" if isinstance(value, int) else shown[: width - 1].rstrip(",")
            text += shown.ljust(width)
            column += width
        text += "\r\n"
    return text.encode(), [*left_out, *cut]


_ELEMENTS = (
    "fideid name country sex title w_title o_title rating games k birthday flag register_number"
).split()


def xml_file(published: PublishedList) -> bytes:
    """Return FIDE's XML."""
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n'
    for number, own, row in _fide_rows(published)[0]:
        values = [
            number, row.name, row.federation, row.sex, row.title, row.women_title, row.other_titles, row.rating,
            row.games, row.k, row.born, _flag(row), own,
        ]  # fmt: skip
        text += "<player>\n"
        for element, value in zip(_ELEMENTS, values, strict=True):
            shown = "" if value is None else line(str(value))
            shown = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            if element != "register_number" or value is not None:
                text += f"<{element}>{shown}</{element}>\n"
        text += "</player>\n"
    return (text + "</playerslist>\n").encode()


# ------------------------------------------------------------------------------------------------------------ workbook

_WIDTHS = {
    "rank": 7, "category": 7, "title": 7, "name": 32, "federation": 7, "sex": 6, "rating": 8, "capital": 10,
    "games": 9, "k": 6, "born": 8, "inactive": 10, "id": 9,
}  # fmt: skip


def xlsx_file(published: PublishedList, words: Words) -> bytes:
    """Return the workbook as the library writes it, cell by cell."""
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(
        out, {"constant_memory": True, "strings_to_formulas": False, "strings_to_numbers": False}
    )
    title = f"{words.text(f'rating-list.title-{published.on_list}')}, {words.day(published.day)}"
    workbook.set_properties({"title": title, "created": datetime(2000, 1, 1)})  # noqa: DTZ001
    bold = workbook.add_format({"bold": True, "font_size": 14})
    heading = workbook.add_format(
        {"bold": True, "font_color": "#ffffff", "bg_color": "#14573f", "border": 1, "border_color": "#9aa5b1"}
    )
    found = cuts(published)
    for key in ("all", "top", "women", "juniors", "titled-unrated", "delisted"):
        if found[key] or key == "all":
            _write_sheet(workbook, published, words, key, found[key], title, bold, heading)
    workbook.close()
    return out.getvalue()


def _write_sheet(
    workbook: Any,
    published: PublishedList,
    words: Words,
    key: str,
    rows: Cut,
    title: str,
    bold: Any,
    heading: Any,
) -> None:
    names = (
        "title name federation sex rating games k born inactive id"
        if published.system.has_titles
        else "category title name federation sex capital games born id"
    ).split()
    if key in {"all", "top", "women", "juniors"}:
        names.insert(0, "rank")
    bodies = schemes(published)
    section = words.text(f"list-section.{key}")
    sheet = workbook.add_worksheet(section)
    heads = [words.text(f"list-column.{name}") for name in names]
    heads += [words.text("list-column.number", scheme=scheme.upper()) for scheme in bodies]
    for column, width in enumerate([*(_WIDTHS[name] for name in names), *[12] * len(bodies)]):
        sheet.set_column(column, column, width)
    sheet.write_string(0, 0, words.labelled(title, section), bold)
    for column, head in enumerate(heads):
        sheet.write_string(2, column, head, heading)
    for at, (rank, row) in enumerate(zip(ranks(rows), rows, strict=True), start=3):
        short = f"category-short.{row.category}"
        values = row._asdict() | {"rank": rank, "id": row.player, "capital": row.rating}
        values |= {"title": row.title or row.women_title, "inactive": "i" if row.inactive else ""}
        values["category"] = words.text(short) if words.has(short) else row.category
        shown = [values[name] for name in names] + [row.identifier(scheme) for scheme in bodies]
        for column, value in enumerate(shown):
            if isinstance(value, int):
                sheet.write_number(at, column, value)
            elif value and cell(value):
                sheet.write_string(at, column, cell(value))
    sheet.freeze_panes(3, 0)
    sheet.autofilter(2, 0, 2 + len(rows), len(heads) - 1)
    sheet.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(2)


# ----------------------------------------------------------------------------------------------------------- all files


def files(published: PublishedList) -> dict[str, bytes]:
    """Return the text files of a list by their names."""
    name, found = published.name, cuts(published)
    made = {f"{name}.canonical.txt": write_canonical(published)}
    if published.system.has_titles:
        made |= {f"{name}.txt": txt_file(published)[0], f"{name}.xml": xml_file(published)}
    made[f"{name}.csv"] = csv_file(published, published.rows)
    unrated = () if published.system.rates_again else ("titled-unrated", "delisted")
    for key in ("top", "women", "juniors", *unrated):
        made[f"{name}-{key}.csv"] = csv_file(published, found[key])
    for key, rows in found.items():
        if key.startswith("federation-"):
            part = re.sub(r"[^\w]|_", "-", key.removeprefix("federation-"))
            made[f"{name}-federation-{part}.csv"] = csv_file(published, rows)
    return made
