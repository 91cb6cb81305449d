"""The files of a tournament for everybody: the report without private data, the standings as CSV and as PDF."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from arpad.explain.templates import typeset
from arpad.explain.tie_breaks import tie_break_words, value_words
from arpad.explain.words import Words
from arpad.model.exact import decimal_text
from arpad.office.tournaments.page import TournamentPage
from arpad.publishing.public_bundle import anonymous_entrant, bare_report
from arpad.reports.formats import DRAUGHTS_KINDS, draughts_list, write_report
from arpad.reports.report import Report
from arpad.reports.standings import FinalPlace
from arpad.system.spreadsheet_cells import csv_text

FILE_TYPES = {"trf": "text/plain", "pdf": "application/pdf", "csv": "text/csv"}
"""The kinds of files with their types."""

_COLUMNS = (
    "rank", "number", "id", "name", "title", "federation", "rating", "points", "rated_score", "rated_games", "expected",
    "performance", "k", "change",
)  # fmt: skip


_NAME, _POINTS = 2, 4
"""The columns of the page to print that are strong."""


def tournament_file(played: TournamentPage, kind: str, words: Words, publisher: str) -> bytes:
    """Return the bytes of a file of one of the kinds."""
    if kind == "trf":
        return write_report(public_report(played), "trf16")[0]
    if kind == "csv":
        codes = [it.code for it in played.table.tie_breaks] if played.table else []
        others = [f"{publication.list}_change" for publication, _ in played.others]
        return csv_text((*_COLUMNS, *others, *codes), _rows(played)).encode()
    return standings_pdf(played, words, publisher)


def public_report(played: TournamentPage) -> Report:
    """Return the report with years of birth only, without remarks, and with hidden players as stand-ins.

    A report of draughts says so in its kind of tournament.
    """
    report = bare_report(played.report)
    entrants = tuple(
        anonymous_entrant(entrant, f"Hidden {entrant.number}") if played.is_hidden(index) else entrant
        for index, entrant in enumerate(report.entrants)
    )
    header = report.header
    if played.draughts and draughts_list(report) != played.filed.list:
        kind = ", ".join(filter(None, (header.kind, DRAUGHTS_KINDS[played.filed.list])))
        header = replace(header, kind=kind)
    return replace(report, header=header, entrants=entrants)


def _rows(played: TournamentPage) -> list[list[object]]:
    rows: list[list[object]] = []
    for standing in played.standings:
        entrant, part = played.report.entrants[standing.index], played.result_at(standing.index)
        away = played.is_hidden(standing.index)
        rated = part is not None and part.rated_games > 0
        rows.append([
            standing.rank, entrant.number, None if away else played.players[standing.index],
            "" if away else entrant.name, "" if away else entrant.title, entrant.federation,
            part.before if part else entrant.rating, _decimal(standing.points),
            _decimal(part.rated_score) if part and rated else None,
            part.rated_games if part else None, _decimal(part.expected, 2) if part else None,
            part.performance if part else None, part.k if part else None, _decimal(part.change) if part else None,
            *map(_decimal, played.changes_at(standing.index).values()),
            *(_decimal(value, None if isinstance(value, int) else 2) for value in standing.values),
        ])  # fmt: skip
    return rows


def _decimal(value: Fraction | int | None, places: int | None = None) -> Decimal | None:
    """Return a number as a spreadsheet reads it; as a text, one below zero would be taken for a formula."""
    return Decimal(decimal_text(value, places=places)) if value is not None else None


def standings_pdf(played: TournamentPage, words: Words, publisher: str) -> bytes:
    """Return the final standings on A4, with the tie-breaks; what a list says of the players only if there is one."""
    header = played.report.header
    days = words.days(header.first_day, header.last_day)
    facts = [header.city, days, words.text(f"site.list-{played.filed.list}")]
    if played.rated:
        facts.append(f"{words.text('site.rated-with')} {words.day(played.rated[-1].day)}")
    headings = _pdf_headings(played, words)
    tie_breaks = played.table.tie_breaks if played.table else ()
    document = {
        "language": words.language, "publisher": publisher,
        "title": played.filed.name or words.text("page.untitled"), "facts": [fact for fact in facts if fact],
        "headings": headings,
        "rows": [_pdf_row(played, place, words) for place in played.standings],
        "strong": [_NAME, _POINTS, *([len(headings) - 1] if played.has_changes else ())],
        "note": " · ".join(f"{it.code}: {tie_break_words(it, words)}" for it in tie_breaks),
        "page": words.text("rating-list.page"),
    }  # fmt: skip
    return typeset("tournament", document)


def _pdf_headings(played: TournamentPage, words: Words) -> list[str]:
    capital = "board.ci" if played.draughts else "site.rating"
    keys = ["site.rank", "column.number", "site.player", capital, "site.points-word"]
    codes = [it.code for it in played.table.tie_breaks] if played.table else []
    listed = []
    if played.has_changes:
        chess = ("site.rated-score", "site.expected", "site.performance-short")
        listed = [*(("board.pa", "board.cf") if played.draughts else chess), "site.change"]
    return [*map(words.text, keys), *codes, *map(words.text, listed)]


def _pdf_row(played: TournamentPage, place: FinalPlace, words: Words) -> list[str]:
    entrant, part = played.report.entrants[place.index], played.result_at(place.index)

    def number(value: Fraction | int | None, *, signed: bool = False, places: int | None = None) -> str:
        return "–" if value is None else words.number(value, signed=signed, places=places)

    tie_breaks = played.table.tie_breaks if played.table else ()
    cells = [
        str(place.rank),
        str(entrant.number),
        words.text("site.hidden-name") if played.is_hidden(place.index) else entrant.name,
        number(part.before if part else entrant.rating),
        number(place.points),
        *(value_words(value, it, words) for value, it in zip(place.values, tie_breaks, strict=True)),
    ]
    if not played.has_changes:
        return cells
    expected = number(part.expected if part else None, places=2)
    if played.draughts:
        cells += [expected, number(part.after if part else None)]
    else:
        rated = part is not None and part.rated_games > 0
        score = (
            words.text("site.of-rated", score=part.rated_score, games=part.rated_games)
            if part and rated
            else "–"
        )
        cells += [score, expected, number(part.performance if part else None)]
    return [*cells, number(part.change if part else None, signed=True)]
