"""``arpad office title``: answers that are neither a sentence nor one table."""

import sys

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.norm_documents import ReportNormsDocument
from arpad.explain.title_applications import TitleApplication, requirement_rows
from arpad.explain.words import Words
from arpad.office.titles import acts
from arpad.office.titles.applications import APPLICATION_FACTS


def _show_report(found: ReportNormsDocument, words: Words) -> None:
    out = console()
    norms = [(player, norm) for player in found.players for norm in player.norms]
    if not norms:
        out.print(words.text("norm.none-in-reach"))
    for player, norm in norms:
        out.print(f"{player.name}, {norm.title}", style="bold")
        out.print(norm.text, markup=False)


def _show_checks(found: acts.NextTitles, words: Words) -> None:
    out = console()
    if not found.titles:
        out.print(words.text("title.nothing-above"))
    names = ("requirement", "article", "needed", "there", "met")
    headings = [(words.text(f"title.{name}"), "left") for name in names]
    for it in found.titles:
        verdict = "title.complete" if it.complete else "title.incomplete"
        out.print(words.text(verdict, title=str(it.title)), style="bold")
        out.print(table(headings, requirement_rows(it.requirements, words)))


def _show_application(application: TitleApplication, words: Words) -> None:
    """Print what the form holds, and name on stderr what is missing."""
    out = console()
    verdict = "title.complete" if application.complete else "title.incomplete"
    out.print(words.text(verdict, title=application.title), style="bold")
    out.print(words.text("certificate.total-games", games=application.total_games))
    for norm in application.norms:
        out.print(
            f"{norm.norm}  {norm.title}  {norm.event}, {norm.first_day} – {norm.last_day}", markup=False
        )
    askable = [name for name in application.missing if name in APPLICATION_FACTS]
    if askable:
        fields = ", ".join(f"{words.text(f'certificate.{name}')} ({name})" for name in askable)
        asked = words.text("certificate.asked-application", fields=fields, example=f"--fact {askable[0]}=…")
        sys.stderr.write(asked + "\n")


COMMANDS = {
    "title report-norms": command_of(acts.report_norms, _show_report),
    "title check": command_of(acts.next_titles, _show_checks),
    "title apply": command_of(acts.application, _show_application),
}
