"""The files of a tournament for everybody: the report without private data, the standings as CSV and as PDF."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from arpad.explain.templates import typeset
from arpad.explain.words import Words
from arpad.model.exact import decimal_text
from arpad.office.tournaments.page import TournamentPage
from arpad.publishing.public_bundle import anonymous_entrant, bare_report
from arpad.reports.formats import DRAUGHTS_KINDS, draughts_list, write_report
from arpad.reports.report import Report
from arpad.system.spreadsheet_cells import csv_text

FILE_TYPES = {"trf": "text/plain", "pdf": "application/pdf", "csv": "text/csv"}
"""The kinds of files with their types."""

_COLUMNS = (
    "rank", "number", "id", "name", "title", "federation", "rating", "points", "rated_score", "rated_games", "expected",
    "performance", "k", "change",
)  # fmt: skip


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
    """Return the final standings on A4, across the page if there are many rounds."""
    header, draughts = played.report.header, played.draughts
    keys = ("column.number", "site.player", "board.ci" if draughts else "site.rating", "site.points-word")
    more = ("board.pa", "board.cf") if draughts else ("site.rated-score", "site.expected", "site.performance")
    headings = [words.text(key) for key in ("site.rank", *keys, *more, "site.change")]
    days = words.days(header.first_day, header.last_day)
    facts = [header.city, days, words.text(f"site.list-{played.filed.list}")]
    if played.rated:
        facts.append(f"{words.text('site.rated-with')} {words.day(played.rated[-1].day)}")
    document = {
        "language": words.language, "publisher": publisher,
        "title": played.filed.name or words.text("page.untitled"), "facts": [fact for fact in facts if fact],
        "headings": headings, "rows": [_pdf_row(played, at, words) for at in range(len(played.standings))],
        "page": words.text("rating-list.page"),
    }  # fmt: skip
    return typeset("tournament", document)


def _pdf_row(played: TournamentPage, at: int, words: Words) -> list[str]:
    standing = played.standings[at]
    entrant, part = played.report.entrants[standing.index], played.result_at(standing.index)

    def number(value: Fraction | int | None, *, signed: bool = False, places: int | None = None) -> str:
        return "–" if value is None else words.number(value, signed=signed, places=places)

    name = words.text("site.hidden-name") if played.is_hidden(standing.index) else entrant.name
    rating = part.before if part else entrant.rating
    expected = number(part.expected if part else None, places=2)
    if played.draughts:
        figures = [expected, number(part.after if part else None)]
    else:
        score = (
            words.text("site.of-rated", score=part.rated_score, games=part.rated_games)
            if part and part.rated_games
            else "–"
        )
        figures = [score, expected, number(part.performance if part else None)]
    change = number(part.change if part else None, signed=True)
    return [
        str(standing.rank),
        str(entrant.number),
        name,
        number(rating),
        number(standing.points),
        *figures,
        change,
    ]
