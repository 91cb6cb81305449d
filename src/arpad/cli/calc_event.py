"""``arpad calc event``: one event or period rated under any rating system, without a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arpad.cli.common import console, derivation, naming_file, print_json, table
from arpad.explain.event_documents import event_document, figure_table, pass_name
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import Severity
from arpad.rating.event_question import (
    EventAnswer,
    answer_event,
    question_of,
    read_entrant,
    read_file,
    read_question,
    read_states,
)
from arpad.regulations.systems import system_named

_PLAYERS = ("player", "opponent")
"""The facts of a finding that name a player."""


def rate_question(file: Path, system: str, words: Words, *, json: bool) -> int:
    """Rate the event of a JSON file; return the exit status."""
    system_named(system)
    with naming_file(file, with_places=True):
        answer = answer_event(read_question(system, read_file(file)))
    return _answered(answer, words, json=json)


def rate_under_system(
    name: str,
    files: Sequence[Path],
    ratings: Path | None,
    edition: str | None,
    unfit: Mapping[str, Any],
    words: Words,
    *,
    json: bool,
) -> int:
    """Rate one report under another rating system; return the exit status."""
    from arpad.reports.formats import read_file as read_report_file

    system = system_named(name)
    if option := next((option for option, value in unfit.items() if value), ""):
        raise BadInput("not-with-system", option=option)
    if len(files) > 1:
        raise BadInput("not-with-system", option=f"FILE {files[1]}")
    states: dict[str, dict[str, Any]] = {}
    if ratings is not None:
        with naming_file(ratings, with_places=True):
            states = read_states(ratings, system)
            for identifier, values in states.items():
                read_entrant(system, values, identifier)
    with naming_file(files[0], with_places=True):
        report = read_report_file(files[0])
        answer = answer_event(read_question(name, question_of(system, report, states, edition)))
    names = {str(entrant.number): entrant.name for entrant in report.entrants}
    return _answered(answer, words, names, json=json)


def _answered(
    answer: EventAnswer, words: Words, names: Mapping[str, str] | None = None, *, json: bool
) -> int:
    if json:
        print_json("arpad.calc-event/1", event_document(answer, words))
    else:
        _print(answer, words, names)
    return int(any(finding.severity == Severity.ERROR for finding in answer.findings))


def _print(answer: EventAnswer, words: Words, names: Mapping[str, str] | None) -> None:
    out = console()
    name = words.text(f"rating-system.{answer.system}")
    out.print(words.text("calc.event-title", system=name, edition=answer.edition.id))
    labels = {player: f"{player} {names[player]}" if names else player for player in answer.players}
    for finding in answer.findings:
        facts = {
            name: labels.get(str(it), it) if name in _PLAYERS else it for name, it in finding.facts.items()
        }
        said = words.cited_finding(replace(finding, facts=facts))
        out.print(words.labelled(words.text(f"severity.{finding.severity}"), said))
    headings, rows = figure_table(answer, words)
    columns = [(heading, "right" if number else "left") for number, heading in enumerate(headings)]
    out.print(table(columns, [(labels[player], *figures) for player, *figures in rows]))
    for player, rated in answer.players.items():
        for part in rated.outcome.passes:
            out.print()
            out.print(f"{labels[player]}{words.form.colon} {pass_name(part, words)}")
            out.print(derivation(part.derivation, words))
