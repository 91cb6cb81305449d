"""A rated report as one page that an arbiter can print or mail: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from arpad.exact import from_hundredths, points
from arpad.explain import Words
from arpad.model import Finding, Severity
from arpad.rate import RatedCell, RatedEntrant, RatedReport


def page(rated: RatedReport, say: Words) -> str:
    """The whole page."""
    style = (files("arpad") / "papers" / "rated.css").read_text(encoding="utf-8")
    header = rated.report.header
    title = escape(header.name or say.text("page.untitled"))
    days = " – ".join(say.day(day) for day in (header.first_day, header.last_day) if day)
    where = " · ".join(escape(text) for text in (header.city, header.federation, days) if text)
    edition = rated.edition.id if rated.edition else "–"
    facts = say.text(
        "page.facts",
        edition=edition,
        list=str(rated.on_list),
        kind=say.text(f"kind.{rated.kind}"),
        treated=say.text(f"kind.{rated.treated_as}"),
    )
    parts = [
        f"<h1>{title}</h1>\n<p class='where'>{where}</p>\n<p class='facts'>{escape(facts)}</p>",
        _players(rated, say),
        _findings(rated, say),
        *(_player(player, rated, say) for player in rated.players),
    ]
    body = "\n".join(parts)
    return (
        f"<!doctype html>\n<html lang='{say.language}'>\n<head>\n<meta charset='utf-8'>\n"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>{title}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _row(cells: list[str], kinds: str, tag: str = "td") -> str:
    """Cells with ``l``, ``r`` or ``n`` (a row's own heading) for each."""
    made = []
    for cell, kind in zip(cells, kinds, strict=True):
        element, scope = ("th", " scope='row'") if kind == "n" and tag == "td" else (tag, "")
        scope = " scope='col'" if tag == "th" else scope
        side = " class='r'" if kind == "r" else ""
        made.append(f"<{element}{scope}{side}>{cell}</{element}>")
    return f"<tr>{''.join(made)}</tr>"


def _table(headings: list[str], kinds: str, rows: list[list[str]]) -> str:
    head = _row([escape(heading) for heading in headings], kinds, "th")
    body = "\n".join(_row(row, kinds) for row in rows)
    return f"<div class='wide'><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"


def _players(rated: RatedReport, say: Words) -> str:
    columns = ("number", "name", "rating", "k", "score", "rated-games", "expected", "change", "new-rating")
    rows = []
    for player in rated.players:
        number = player.entrant.number
        name = f"<a href='#p{number}'>{escape(player.entrant.name)}</a>"
        change = player.change
        counted = sum(game.rated for game in player.games)
        figures = [
            str(number),
            name,
            str(player.rating or "–"),
            str(player.k or "–"),
            say.number(points(player.score)),
        ]
        if change:
            expected = from_hundredths(sum(game.expected for game in change.games if game.rated))
            figures += [
                str(counted),
                say.number(expected, places=2),
                say.number(change.change, signed=True),
                f"<b>{change.new_rating}</b>",
            ]
        else:
            figures += [str(counted), "–", "–", escape(entry_text(player, say))]
        rows.append(figures)
    headings = [say.text(f"column.{column}") for column in columns]
    return f"<h2>{escape(say.text('page.players'))}</h2>\n" + _table(headings, "rnrrrrrrr", rows)


def entry_text(player: RatedEntrant, say: Words) -> str:
    """What an unrated player gets, in a few words."""
    if player.initial is None:
        return "–"
    if player.initial.rating is not None:
        return say.text("page.entry", rating=player.initial.rating)
    if player.initial.computed is not None:
        return say.text("page.performance", rating=player.initial.computed, games=player.initial.games)
    return say.text(f"reason.{player.initial.reason}")


def _findings(rated: RatedReport, say: Words) -> str:
    parts = [f"<h2>{escape(say.text('page.findings'))}</h2>"]
    if not rated.findings:
        parts.append(f"<p>{escape(say.text('page.no-findings'))}</p>")
    for severity in Severity:
        found = [finding for finding in rated.findings if finding.severity == severity]
        if found:
            items = "\n".join(f"<li>{_finding(finding, say)}</li>" for finding in found)
            heading = escape(say.text(f"severity.{severity}"))
            parts.append(f"<h3 class='{severity}'>{heading} ({len(found)})</h3>\n<ul>\n{items}\n</ul>")
    return "\n".join(parts)


def _finding(finding: Finding, say: Words) -> str:
    where = place(finding, say)
    article = f" <span class='article'>{escape(finding.article)}</span>" if finding.article else ""
    return f"{escape(say.finding(finding))}{article}" + (f" <small>{escape(where)}</small>" if where else "")


def place(finding: Finding, say: Words) -> str:
    """Where a finding is, in words."""
    parts = []
    if finding.line is not None and finding.column is not None:
        parts.append(say.text("place.line-column", line=finding.line, column=finding.column))
    elif finding.line is not None:
        parts.append(say.text("place.line", line=finding.line))
    if finding.player is not None:
        parts.append(say.text("place.player", player=finding.player))
    if finding.round is not None:
        parts.append(say.text("place.round", round=finding.round))
    return ", ".join(parts)


def _player(player: RatedEntrant, rated: RatedReport, say: Words) -> str:
    entrant = player.entrant
    rating = str(player.rating or say.text("page.unrated"))
    title = f"{entrant.number}. {escape(entrant.name)} <small>{escape(rating)}</small>"
    heading = f"<h3 id='p{entrant.number}'>{title}</h3>"
    rows = [_game(game, rated, say) for game in player.games]
    columns = ("round", "opponent", "rating", "difference", "score", "expected", "change", "note")
    table = _table([say.text(f"column.{column}") for column in columns], "rnrrrrrl", rows) if rows else ""
    told = "".join(
        f"<li><span class='article'>{escape(article)}</span> {escape(sentence)}</li>"
        for article, sentence in say.steps(player.derivation)
    )
    return f"<section>\n{heading}\n{table}\n<ol class='steps'>{told}</ol>\n</section>"


def note(game: RatedCell, rated: RatedReport, say: Words) -> str:
    """What a row of figures cannot tell: why a game does not count, or with what it does."""
    if game.reason:
        said = say.text(f"not-rated.{game.reason}")
        return f"{said} ({game.article})" if game.article else said
    if game.change is not None and game.change.capped:
        return say.text("page.capped")
    opponent = game.cell.opponent
    if opponent is not None and rated.players[opponent].rating is None and rated.edition:
        return say.text("page.from-event", article=rated.edition.on(rated.on_list).articles["pass"])
    return ""


def _game(game: RatedCell, rated: RatedReport, say: Words) -> list[str]:
    opponent = rated.report.entrants[game.cell.opponent].name if game.cell.opponent is not None else "–"
    worth = game.change if game.rated else None
    return [
        str(game.cell.round),
        escape(opponent),
        str(game.opponent_rating or "–"),
        say.number(worth.difference, signed=True) if worth else "–",
        say.number(points(game.cell.score)),
        say.number(from_hundredths(worth.expected), places=2) if worth else "–",
        say.number(from_hundredths(worth.change), signed=True, places=2) if worth else "–",
        escape(note(game, rated, say)),
    ]
