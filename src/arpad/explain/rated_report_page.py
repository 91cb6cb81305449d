"""A rated report as one page that an arbiter can print or mail: no script, no external resource."""

from __future__ import annotations

from html import escape

from arpad.explain.editions import edition_name
from arpad.explain.templates import standalone_page
from arpad.explain.words import Words
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import Finding, Severity
from arpad.rating.preview import RatedCell, RatedEntrant, RatedReport


def page(rated: RatedReport, words: Words) -> str:
    """Return the whole page."""
    header = rated.report.header
    days = " – ".join(dict.fromkeys(words.day(day) for day in (header.first_day, header.last_day) if day))
    where = " · ".join(escape(text) for text in (header.city, header.federation, days) if text)
    edition = edition_name(rated.edition.id, words) if rated.edition else "–"
    facts = words.text(
        "page.facts-as-declared" if rated.kind == rated.treated_as else "page.facts",
        edition=edition,
        list=str(rated.on_list),
        kind=words.text(f"kind.{rated.kind}"),
        treated=words.text(f"kind.{rated.treated_as}"),
    )
    parts = [
        f"<p class='where'>{where}</p>\n<p class='facts'>{escape(facts)}</p>",
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
    head = _row([escape(heading) for heading in headings], kinds, "th")
    body = "\n".join(_row(row, kinds) for row in rows)
    return f"<div class='wide'><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"


PLAYER_COLUMNS = ("number", "name", "rating", "k", "score", "rated-games", "expected", "change", "new-rating")
GAME_COLUMNS = ("round", "opponent", "rating", "difference", "score", "expected", "over-expected", "note")


def _players(rated: RatedReport, words: Words) -> str:
    rows = []
    for player in rated.players:
        number, name, *figures, result = map(escape, player_cells(player, words))
        shown_result = f"<b>{result}</b>" if player.change else result
        rows.append([number, f"<a href='#p{number}'>{name}</a>", *figures, shown_result])
    headings = [words.text(f"column.{column}") for column in PLAYER_COLUMNS]
    return f"<h2>{escape(words.text('page.players'))}</h2>\n" + _table(headings, "rnrrrrrrl", rows)


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
    parts = [f"<h2>{escape(words.text('page.findings'))}</h2>"]
    if not rated.findings:
        parts.append(f"<p>{escape(words.text('page.no-findings'))}</p>")
    for severity in Severity:
        findings = [finding for finding in rated.findings if finding.severity == severity]
        if findings:
            items = "\n".join(f"<li>{_finding(finding, words)}</li>" for finding in findings)
            heading = escape(words.text(f"severity.{severity}"))
            parts.append(f"<h3 class='{severity}'>{heading} ({len(findings)})</h3>\n<ul>\n{items}\n</ul>")
    return "\n".join(parts)


def _finding(finding: Finding, words: Words) -> str:
    where = position_text(finding, words)
    article = (
        f" <span class='article'>{escape(words.article(finding.article))}</span>" if finding.article else ""
    )
    return f"{escape(words.finding(finding))}{article}" + (
        f" <small>{escape(where)}</small>" if where else ""
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
    title = f"{entrant.number}. {escape(entrant.name)} <small>{escape(rating)}</small>"
    heading = f"<h3 id='p{entrant.number}'>{title}</h3>"
    rows = [[escape(cell) for cell in game_cells(game, rated, words)] for game in player.games]
    headings = [words.text(f"column.{column}") for column in GAME_COLUMNS]
    table = _table(headings, "rnrrrrrl", rows) if rows else ""
    steps = "".join(
        f"<li><span class='article'>{escape(article)}</span> {escape(sentence)}</li>"
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
