"""A rated report as data for other programs: the JSON document and the CSV table."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as html_escape
from typing import Any

from arpad.explain.documents import FindingDocument, ProposalDocument, filled, finding_document
from arpad.explain.editions import edition_name
from arpad.explain.templates import standalone_page
from arpad.explain.words import Words
from arpad.model.chess import Entry
from arpad.model.exact import decimal_text, from_hundredths, points
from arpad.model.rules import Finding, Severity
from arpad.rating.preview import RatedCell, RatedEntrant, RatedReport
from arpad.system.spreadsheet_cells import escape


def document(rated: RatedReport, words: Words) -> dict[str, Any]:
    """Return the document of a rated report, with the names that other programs rely on."""
    return {
        **heading(rated),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "players": [player_document(player, words) for player in rated.players],
    }


def heading(rated: RatedReport) -> dict[str, Any]:
    """Return the event, and how it is treated."""
    header = rated.report.header
    return {
        "event": header.name,
        "city": header.city,
        "federation": header.federation,
        "first_day": str(header.first_day) if header.first_day else None,
        "last_day": str(header.last_day) if header.last_day else None,
        "edition": rated.edition.id if rated.edition else None,
        "list": str(rated.on_list),
        "format": str(rated.kind),
        "treated_as": str(rated.treated_as),
    }


@dataclass
class EventEntryDocument:
    """The result of an event for an unrated player."""

    rating: int | None
    computed: int | None
    games: int
    score: str
    reason: str
    text: str


@dataclass
class RatedGameDocument:
    """One round of one player."""

    round: int
    opponent: int | None
    opponent_rating: int | None
    score: str
    rated: bool
    reason: str | None
    article: str | None
    text: str | None
    difference: int | None
    expected: str | None
    change: str | None


@dataclass
class RatedPlayerDocument:
    """The result of an event for one player."""

    number: int
    id: str | None
    name: str
    rating: int | None
    k: int | None
    k_applied: int | None
    score: str
    rated_games: int
    expected: str | None
    change: str | None
    change_rounded: int | None
    new_rating: int | None
    initial: EventEntryDocument | None
    games: Sequence[RatedGameDocument]


@dataclass
class ReportHeading:
    """The tournament of a report, and how it is treated."""

    event: str
    edition: str | None
    list: str
    format: str
    treated_as: str


@dataclass
class CheckedReportDocument(ReportHeading):
    """A report's findings, and the corrections that Arpad proposes for them."""

    findings: Sequence[FindingDocument]
    proposals: Sequence[ProposalDocument]


@dataclass
class RatedPageDocument(ReportHeading):
    """A rated report; the players of a very large one come in pages, the findings with the first."""

    findings: Sequence[FindingDocument]
    players: Sequence[RatedPlayerDocument]
    next: str
    more: bool


def player_document(player: RatedEntrant, words: Words) -> RatedPlayerDocument:
    """Return what the event is worth to one player, with every round."""
    change = player.change
    expected = sum(game.expected for game in change.games if game.rated) if change else 0
    return filled(
        RatedPlayerDocument,
        player,
        number=player.entrant.number,
        id=player.entrant.id or None,
        name=player.entrant.name,
        k_applied=change.k_applied if change else None,
        score=decimal_text(points(player.score)),
        rated_games=sum(game.rated for game in player.games),
        expected=decimal_text(from_hundredths(expected)) if change else None,
        change=decimal_text(change.change) if change else None,
        change_rounded=change.change_rounded if change else None,
        new_rating=change.new_rating if change else None,
        initial=_initial(player.initial, words) if player.initial else None,
        games=[_game(game, words) for game in player.games],
    )


def _initial(entry: Entry, words: Words) -> EventEntryDocument:
    score, text = decimal_text(points(entry.score)), words.text(f"reason.{entry.reason}")
    return filled(EventEntryDocument, entry, score=score, text=text)


def _game(game: RatedCell, words: Words) -> RatedGameDocument:
    worth = game.change if game.rated else None
    return filled(
        RatedGameDocument,
        game,
        round=game.cell.round,
        opponent=game.cell.opponent_number or None,
        score=decimal_text(points(game.cell.score)),
        reason=game.reason or None,
        article=game.article or None,
        text=words.text(f"not-rated.{game.reason}") if game.reason else None,
        difference=worth.difference if worth else None,
        expected=decimal_text(from_hundredths(worth.expected)) if worth else None,
        change=decimal_text(from_hundredths(worth.change)) if worth else None,
    )


CSV_COLUMNS = (
    "number", "id", "name", "rating", "k", "k_applied", "score", "rated_games", "expected", "change",
    "change_rounded", "new_rating", "initial_rating", "initial_games", "initial_reason",
)  # fmt: skip


def csv_text(rated: RatedReport, words: Words) -> str:
    """Return one row for each player; text that a spreadsheet would take for a formula gets an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for player in rated.players:
        row = vars(player_document(player, words))
        row |= {f"initial_{key}": getattr(row["initial"], key, None) for key in ("rating", "games", "reason")}
        writer.writerow([_safe(row[column]) for column in CSV_COLUMNS])
    return stream.getvalue()


def _safe(value: Any) -> Any:
    """Return a value for a spreadsheet: a decimal stays a number, no text becomes a formula."""
    numeric = isinstance(value, str) and value.lstrip("-").replace(".", "", 1).isdecimal()
    return escape(value) if isinstance(value, str) and not numeric else value


def page(rated: RatedReport, words: Words) -> str:
    """Return the whole page."""
    header = rated.report.header
    days = words.days(header.first_day, header.last_day)
    where = " · ".join(html_escape(text) for text in (header.city, header.federation, days) if text)
    edition = edition_name(rated.edition.id, words) if rated.edition else "–"
    facts = words.text(
        "page.facts-as-declared" if rated.kind == rated.treated_as else "page.facts",
        edition=edition,
        list=str(rated.on_list),
        kind=words.text(f"kind.{rated.kind}"),
        treated=words.text(f"kind.{rated.treated_as}"),
    )
    parts = [
        f"<p class='where'>{where}</p>\n<p class='facts'>{html_escape(facts)}</p>",
        _players(rated, words),
        _findings(rated, words),
        *(_player(player, rated, words) for player in rated.players),
    ]
    return standalone_page(header.name or words.text("page.untitled"), "\n".join(parts), words, "rated.css")


def _row(cells: list[str], kinds: str, tag: str = "td") -> str:
    """Return a table row; ``kinds`` has ``l``, ``r`` or ``n`` (the row's heading) for each cell."""
    row = []
    for cell, kind in zip(cells, kinds, strict=True):
        element, scope = ("th", " scope='row'") if kind == "n" and tag == "td" else (tag, "")
        scope = " scope='col'" if tag == "th" else scope
        side = " class='r'" if kind == "r" else ""
        row.append(f"<{element}{scope}{side}>{cell}</{element}>")
    return f"<tr>{''.join(row)}</tr>"


def _table(headings: list[str], kinds: str, rows: list[list[str]]) -> str:
    head = _row([html_escape(heading) for heading in headings], kinds, "th")
    body = "\n".join(_row(row, kinds) for row in rows)
    return f"<div class='wide'><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"


PLAYER_COLUMNS = ("number", "name", "rating", "k", "score", "rated-games", "expected", "change", "new-rating")
GAME_COLUMNS = ("round", "opponent", "rating", "difference", "score", "expected", "over-expected", "note")


def _players(rated: RatedReport, words: Words) -> str:
    rows = []
    for player in rated.players:
        number, name, *figures, result = map(html_escape, player_cells(player, words))
        shown_result = f"<b>{result}</b>" if player.change else result
        rows.append([number, f"<a href='#p{number}'>{name}</a>", *figures, shown_result])
    headings = [words.text(f"column.{column}") for column in PLAYER_COLUMNS]
    return f"<h2>{html_escape(words.text('page.players'))}</h2>\n" + _table(headings, "rnrrrrrrl", rows)


def player_cells(player: RatedEntrant, words: Words) -> tuple[str, ...]:
    """Return the row of a participant, for paper and terminal."""
    first = (str(player.entrant.number), player.entrant.name, str(player.rating or "–"), str(player.k or "–"))
    rated = [game.cell.score for game in player.games if game.rated]
    counted = f"{words.number(points(sum(rated)))}/{len(rated)}"
    score = words.number(points(player.score))
    if player.change is None:
        return (*first, score, counted, "–", "–", entry_text(player, words))
    expected = from_hundredths(sum(game.expected for game in player.change.games if game.rated))
    change = words.number(player.change.change, signed=True)
    return (*first, score, counted, words.number(expected, places=2), change, str(player.change.new_rating))


def entry_text(player: RatedEntrant, words: Words) -> str:
    """Return the result of an unrated player in a few words."""
    if player.initial is None:
        return "–"
    if player.initial.rating is not None:
        return words.text("page.entry", rating=player.initial.rating)
    if player.initial.computed is not None:
        return words.text("page.performance", rating=player.initial.computed, games=player.initial.games)
    return words.text(f"reason.{player.initial.reason}")


def _findings(rated: RatedReport, words: Words) -> str:
    parts = [f"<h2>{html_escape(words.text('page.findings'))}</h2>"]
    if not rated.findings:
        parts.append(f"<p>{html_escape(words.text('page.no-findings'))}</p>")
    for severity in Severity:
        findings = [finding for finding in rated.findings if finding.severity == severity]
        if findings:
            items = "\n".join(f"<li>{_finding(finding, words)}</li>" for finding in findings)
            heading = html_escape(words.text(f"severity.{severity}"))
            parts.append(f"<h3 class='{severity}'>{heading} ({len(findings)})</h3>\n<ul>\n{items}\n</ul>")
    return "\n".join(parts)


def _finding(finding: Finding, words: Words) -> str:
    where = position_text(finding, words)
    article = (
        f" <span class='article'>{html_escape(words.article(finding.article))}</span>"
        if finding.article
        else ""
    )
    return f"{html_escape(words.finding(finding))}{article}" + (
        f" <small>{html_escape(where)}</small>" if where else ""
    )


def position_text(finding: Finding, words: Words) -> str:
    """Return the position of a finding in words."""
    parts = []
    cell = str(finding.facts.get("cell", ""))
    if "!" in cell:  # of a workbook: its sheet and its address
        parts.append(words.text("place.cell", cell=cell))
    elif finding.line is not None and finding.column is not None:
        parts.append(words.text("place.line-column", line=finding.line, column=finding.column))
    elif finding.line is not None:
        parts.append(words.text("place.line", line=finding.line))
    if finding.player is not None:
        parts.append(words.text("place.player", player=finding.player))
    if finding.round is not None:
        parts.append(words.text("place.round", round=finding.round))
    return ", ".join(parts)


def _player(player: RatedEntrant, rated: RatedReport, words: Words) -> str:
    entrant = player.entrant
    rating = str(player.rating or words.text("page.unrated"))
    title = f"{entrant.number}. {html_escape(entrant.name)} <small>{html_escape(rating)}</small>"
    heading = f"<h3 id='p{entrant.number}'>{title}</h3>"
    rows = [[html_escape(cell) for cell in game_cells(game, rated, words)] for game in player.games]
    headings = [words.text(f"column.{column}") for column in GAME_COLUMNS]
    table = _table(headings, "rnrrrrrl", rows) if rows else ""
    steps = "".join(
        f"<li><span class='article'>{html_escape(article)}</span> {html_escape(sentence)}</li>"
        for article, sentence in words.steps(player.derivation)
    )
    return f"<section>\n{heading}\n{table}\n<ol class='steps'>{steps}</ol>\n</section>"


def note(game: RatedCell, rated: RatedReport, words: Words) -> str:
    """Return a note on a game: why it does not count, or with which rating it does."""
    if game.reason:
        reason = words.text(f"not-rated.{game.reason}")
        return f"{reason} ({game.article})" if game.article else reason
    if game.change is not None and game.change.capped:
        return words.text("page.capped")
    opponent = game.cell.opponent
    if opponent is not None and rated.players[opponent].rating is None and rated.edition:
        return words.text("page.from-event", article=rated.edition.on(rated.on_list).articles.get("pass", ""))
    return ""


def game_cells(game: RatedCell, rated: RatedReport, words: Words) -> tuple[str, ...]:
    """Return the row of a game, for paper and terminal."""
    opponent = rated.report.entrants[game.cell.opponent].name if game.cell.opponent is not None else "–"
    worth = game.change if game.rated else None
    return (
        str(game.cell.round),
        opponent,
        str(game.opponent_rating or "–"),
        words.number(worth.difference, signed=True) if worth else "–",
        words.number(points(game.cell.score)),
        words.number(from_hundredths(worth.expected), places=2) if worth else "–",
        words.number(from_hundredths(worth.change), signed=True, places=2) if worth else "–",
        note(game, rated, words),
    )
