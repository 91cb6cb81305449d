"""``arpad office``: who the entrants of a report are, what officers decided, and likely duplicates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.model.errors import BadInput
from arpad.office.inbox.entrant_decisions import matches

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arpad.explain.words import Words
    from arpad.office.inbox.entrant_decisions import MatchCandidate, MatchedEntrant, ReportMatches
    from arpad.office.inbox.match_players import Match

MatchOption = Annotated[
    list[str],
    typer.Option(
        "--match",
        metavar="NUMBER=PLAYER",
        help="The player of a start number; NUMBER=fide:NUMBER, or NUMBER=new.",
    ),
]


def show_matches(found: ReportMatches, words: Words) -> None:
    """Print the entrants whose player has to be decided, with the candidates."""
    shown = [entrant for entrant in found.matches if entrant.outcome == "doubtful"]
    if not shown:
        console().print(words.text("office.matches-none", report=found.report))
        return
    console().print(words.text("office.matches-first", report=found.report, players=len(shown)))
    console().print(match_table(shown, words))


def ask_who_they_are(doubts: Mapping[int, Sequence[Match]], words: Words) -> dict[int, dict[int, int]]:
    """Ask for the player of each doubtful entrant; return those decided, by report and start number.

    Ctrl-C and the end of input cancel the command, before anything is written.
    """
    from arpad.office.inbox.entrant_decisions import matched_entrant, parse_choice

    decided: dict[int, dict[int, int]] = {}
    for report, doubtful in doubts.items():
        console().print(words.text("office.matches-first", report=report, players=len(doubtful)))
        for item in doubtful:
            console().print(match_table([matched_entrant(item)], words))
            choices = [*(candidate.key for candidate in item.candidates), "new"]
            answer = _answer(
                words.text("office.matches-ask", players=", ".join(choices)), {*choices, ""}, words
            )
            if answer:
                decided.setdefault(report, {})[item.entrant.number] = parse_choice(answer)
    return decided


def _answer(question: str, accepted: Collection[str], words: Words) -> str:
    """Ask until the answer is one of those accepted."""
    while True:
        answer = str(typer.prompt(question, default="", show_default=False)).strip().lower()
        if answer in accepted:
            return answer
        error = BadInput(
            "value-unknown", option="match", value=answer[:20], accepted=", ".join(filter(None, accepted))
        )
        typer.echo(words.error(error))


def match_table(shown: Sequence[MatchedEntrant], words: Words) -> RenderableType:
    """Return a table of entrants: a line for each, and one for each candidate."""
    names = ("start-number", "name", "outcome", "candidate", "score", "reasons")
    columns = [
        (words.text(f"column.{name}"), "right" if name in ("start-number", "score") else "left")
        for name in names
    ]
    rows: list[tuple[str, ...]] = []
    for item in shown:
        outcome = words.text(f"match-outcome.{item.outcome}")
        rows.append((str(item.number), _described(item), outcome, str(item.player or ""), "", ""))
        for candidate in item.candidates:
            why = ", ".join(words.text(f"match-reason.{reason}") for reason in candidate.reasons)
            if candidate.fide:
                why = ", ".join(filter(None, (words.text("match-reason.not-registered"), why)))
            key = candidate.player or f"fide:{candidate.fide}"
            rows.append(("", "", "", f"{key} {_described(candidate)}", str(candidate.score), why))
    return table(columns, rows)


def _described(person: MatchedEntrant | MatchCandidate) -> str:
    facts = (person.title, person.federation, person.born, person.rating)
    return ", ".join([person.name, *(str(fact) for fact in facts if fact)])


COMMANDS = {"matches": command_of(matches, show_matches)}
