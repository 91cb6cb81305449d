"""``arpad office``: who the entrants of a report are, what officers decided, and likely duplicates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import ReadOptions, Reason, WriteOptions
from arpad.model.errors import BadInput
from arpad.model.people import birth_year
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


# ----------------------------------------------------------------------------------------------------- aliases


def aliases(
    look: ReadOptions,
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Part of a name, or a player's number.")] = "",
) -> None:
    """Show the aliases: names that officers said are a player of the register."""
    from arpad.office.inbox.entrant_decisions import aliases_in_force

    words = look.words
    with look.opened() as office:
        present = aliases_in_force(office, text)
    if look.json:
        documents = [
            {
                "alias": item.id, "name": item.name, "born": birth_year(item.born), "source": item.source,
                "player": item.player, "report": item.report, "author": item.author, "day": item.at[:10],
            }
            for item in present
        ]  # fmt: skip
        print_json("arpad.office-aliases/1", {"aliases": documents})
        return
    names = ("alias", "name", "born", "source", "player", "report", "decided-by", "day")
    columns = [(words.text(f"column.{name}"), "left") for name in names]
    rows = [
        (
            str(item.id), item.name, str(birth_year(item.born) or ""), item.source, str(item.player),
            str(item.report), item.author, item.at[:10],
        )
        for item in present
    ]  # fmt: skip
    console().print(table(columns, rows) if rows else words.text("office.no-aliases"))


def revoke_alias(
    desk: WriteOptions,
    alias: Annotated[int, typer.Argument(metavar="ALIAS", help="The alias's number.")],
    reason: Reason,
) -> None:
    """Revoke an alias: the name is doubtful again in later reports."""
    from arpad.office.inbox.entrant_decisions import revoke_alias_of

    with desk.acting() as office:
        revoke_alias_of(office, alias, reason)
    desk.tell(desk.words.text("office.alias-revoked", alias=alias), "arpad.office-done/1", {"alias": alias})


COMMANDS = {"matches": command_of(matches, show_matches)}
