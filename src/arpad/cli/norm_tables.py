"""Tables of title norms: every requirement of one, and a row for each of a report."""

from arpad.cli.common import console, table
from arpad.cli.report_tables import print_findings
from arpad.explain.editions import edition_name
from arpad.explain.norm_documents import (
    NormWords,
    article_of,
    notes,
    outlook_text,
    rounds_text,
    sentences,
)
from arpad.explain.words import Words
from arpad.model.exact import points
from arpad.model.rules import ListName
from arpad.rating.norm_report import ReportNorms
from arpad.rating.norms import Norm
from arpad.regulations.fide.titles.field import BigField


def print_norm(norm: Norm, words: Words) -> None:
    """Print the answer for one player and title: the figures, and every requirement with its article."""
    out, phrases = console(), NormWords(words)
    for sentence in sentences(norm, words):
        out.print(sentence)
    headings = [("", "right")] + [
        (words.text(f"norm.column-{name}"), side)
        for name, side in (
            ("requirement", "left"),
            ("required", "right"),
            ("actual", "right"),
            ("verdict", "left"),
            ("missing", "left"),
        )
    ]
    rows = [
        (
            article_of(item),
            phrases.requirement(item, norm),
            phrases.value(item.required),
            phrases.value(item.actual),
            phrases.verdict(item),
            phrases.missing(item, norm),
        )
        for item in norm.requirements
    ]
    out.print(table(headings, rows))
    for item in norm.record.uncounted:
        reason = words.text(f"uncounted.{item.reason}")
        out.print(words.text("norm.round-not-counted", round=item.round, reason=reason, article=item.article))
    for note in notes(norm, words):
        out.print(note)


def print_norms(result: ReportNorms, words: Words, *, in_full: bool) -> None:
    """Print the norms of a report: a row for each player and title, or everything about one player."""
    out, rules = console(), result.edition.on(ListName.STANDARD)
    name = result.report.header.name or words.text("page.untitled")
    out.print(
        words.text(
            "norm.event",
            event=name,
            edition=edition_name(result.edition.id, words),
            system=result.event.system,
            played=result.played,
            rounds=result.event.rounds,
        )
    )
    if result.event.strong_field:
        out.print(words.text("norm.strong-field", article=rules.exempt_swiss.article))
    if result.big != BigField.NO and rules.big_swiss:
        least = rules.big_swiss
        out.print(
            words.text(
                "norm.big-swiss",
                players=least.value.players,
                average=least.value.average,
                article=least.article,
            )
        )
    if result.findings:
        print_findings(result.findings, words)
    if not result.players:
        out.print(words.text("norm.none-in-reach"))
    elif in_full:
        for player in result.players:
            for norm, outlook in zip(player.norms, player.outlooks, strict=True):
                out.print()
                out.print(f"{player.entrant.number} {player.entrant.name}", style="bold")
                print_norm(norm, words)
                if outlook is not None:
                    out.print(outlook_text(outlook, norm, words))
    else:
        _print_rows(result, words)


def _print_rows(result: ReportNorms, words: Words) -> None:
    keys = ["column.number", "column.name", "norm.column-title", "column.score"]
    keys += ["norm.column-needed", "norm.column-average", "site.performance-short"]
    keys += ["norm.column-rounds", "norm.column-outcome"]
    sides = ("right", "fixed", "fixed", "right", "right", "right", "right", "left", "left")
    headings = [words.text(key) for key in keys]
    rows, phrases = [], NormWords(words)
    for player in result.players:
        for norm, outlook in zip(player.norms, player.outlooks, strict=True):
            rows.append(
                (
                    str(player.entrant.number),
                    player.entrant.name,
                    str(norm.title),
                    words.number(points(norm.score)),
                    "–" if norm.needed is None else words.number(points(norm.needed)),
                    str(norm.average or "–"),
                    str(norm.performance or "–"),
                    rounds_text(norm.rounds),
                    words.labelled(phrases.answer(norm), phrases.lacking(norm, outlook)),
                )
            )
    console().print(table(list(zip(headings, sides, strict=True)), rows))
