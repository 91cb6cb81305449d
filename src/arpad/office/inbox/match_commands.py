"""``arpad office``: who the entrants of a report are, what officers decided, and likely duplicates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Reason, Report, WriteOptions
from arpad.model.errors import BadInput
from arpad.model.people import birth_year

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arpad.explain.words import Words
    from arpad.office.inbox.match_players import Match

MatchOption = Annotated[
    list[str],
    typer.Option(
        "--match",
        metavar="NUMBER=PLAYER",
        help="The player of a start number; NUMBER=fide:NUMBER, or NUMBER=new.",
    ),
]


def matches(
    look: ReadOptions,
    report: Report,
    *,
    all_: Annotated[bool, typer.Option("--all", help="Also the entrants who are certain or new.")] = False,
) -> None:
    """Show who the entrants of a report are, with the candidates for those in doubt."""
    from arpad.office.inbox.entrant_decisions import match_report
    from arpad.office.inbox.match_documents import match_document

    words = look.words
    with look.opened() as office:
        _, checked = match_report(office, report)
    shown = [match for match in checked.matches if all_ or match.undecided]
    if look.json:
        document = {"report": report, "matches": [match_document(match) for match in shown]}
        print_json("arpad.office-matches/1", document)
        return
    if not shown:
        console().print(words.text("office.matches-none", report=report))
        return
    undecided = sum(match.undecided for match in shown)
    console().print(words.text("office.matches-first", report=report, players=undecided))
    console().print(match_table(shown, words))


def match(
    desk: WriteOptions,
    report: Report,
    decided: Annotated[
        list[str],
        typer.Argument(
            metavar="NUMBER=PLAYER…",
            help="Start number and player; NUMBER=fide:NUMBER, NUMBER=new, or NUMBER=open to undo.",
        ),
    ],
    reason: Reason = "",
    *,
    change: Annotated[bool, typer.Option("--change", help="Change what was decided before.")] = False,
) -> None:
    """Decide who entrants of a report are; it is remembered for later reports."""
    from arpad.office.inbox.entrant_decisions import decide_entrants, match_report, read_matches

    chosen = read_matches(decided)
    with desk.acting() as office:
        decide_entrants(office, report, chosen, change=change, reason=reason)
        _, checked = match_report(office, report)
    left = [item.entrant.number for item in checked.matches if item.undecided]
    lines = [desk.words.text("office.matched", report=report, players=len(chosen))]
    lines += [desk.words.text("office.matched-open", players=len(left))] if left else []
    desk.tell("\n".join(lines), "arpad.office-match/1", {"report": report, "undecided": left})


def ask_who_they_are(doubts: Mapping[int, Sequence[Match]], words: Words) -> dict[int, dict[int, int]]:
    """Ask for the player of each doubtful entrant; return those decided, by report and start number.

    Ctrl-C and the end of input cancel the command, before anything is written.
    """
    from arpad.office.inbox.entrant_decisions import read_matches

    decided: dict[int, dict[int, int]] = {}
    for report, matches in doubts.items():
        console().print(words.text("office.matches-first", report=report, players=len(matches)))
        for item in matches:
            console().print(match_table([item], words))
            choices = [*(candidate.key for candidate in item.candidates), "new"]
            answer = _answer(
                words.text("office.matches-ask", players=", ".join(choices)), {*choices, ""}, words
            )
            if answer:
                decided.setdefault(report, {}).update(read_matches([f"{item.entrant.number}={answer}"]))
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


def match_table(shown: Sequence[Match], words: Words) -> RenderableType:
    """Return a table of entrants: a line for each, and one for each candidate."""
    names = ("start-number", "name", "outcome", "candidate", "score", "reasons")
    columns = [
        (words.text(f"column.{name}"), "right" if name in ("start-number", "score") else "left")
        for name in names
    ]
    rows: list[tuple[str, ...]] = []
    for item in shown:
        entrant = item.entrant
        outcome = words.text(f"match-outcome.{item.outcome}")
        player = str(item.player or "") if not item.undecided else ""
        rows.append((str(entrant.number), _described(entrant.name, entrant), outcome, player, "", ""))
        for candidate in item.candidates:
            why = ", ".join(words.text(f"match-reason.{reason}") for reason in candidate.reasons)
            about = f"{candidate.key} {_described(candidate.name, candidate)}"
            if candidate.fide:
                why = ", ".join(filter(None, (words.text("match-reason.not-registered"), why)))
            rows.append(("", "", "", about, str(candidate.score), why))
    return table(columns, rows)


def _described(name: str, person: object) -> str:
    facts = [getattr(person, field) for field in ("title", "federation", "born", "rating")]
    facts[2] = birth_year(facts[2])
    return ", ".join([name, *(str(fact) for fact in facts if fact)])
