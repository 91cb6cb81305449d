"""``arpad office``: the schemes of players' numbers, and which of them each source of reports uses."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Reason, WriteOptions
from arpad.model.errors import BadInput


def schemes(look: ReadOptions) -> None:
    """Show the number schemes that the office declared, and its rules for sources."""
    from arpad.office.who_is_who.number_schemes import number_rules

    words = look.words
    with look.opened() as office:
        rules = number_rules(office)
    if look.json:
        document = {
            "schemes": [
                {"code": it.code, "name": it.name, "pattern": it.pattern, "shown": sorted(it.shown)}
                for it in rules.declared.values()
            ],
            "sources": [rule._asdict() for rule in rules.sources],
        }
        print_json("arpad.office-schemes/1", document)
        return
    names = ("scheme", "name", "pattern", "shown")
    rows = [(it.code, it.name, it.pattern, ", ".join(sorted(it.shown))) for it in rules.declared.values()]
    if rows:
        console().print(table([(words.text(f"column.{name}"), "left") for name in names], rows))
    sources = [(f"{rule.kind} {rule.value}", rule.scheme) for rule in rules.sources]
    if sources:
        columns = [(words.text(f"column.{name}"), "left") for name in ("source", "scheme")]
        console().print(table(columns, sources))
    if not rows and not sources:
        console().print(words.text("office.no-schemes"))


def scheme(
    desk: WriteOptions,
    code: Annotated[str, typer.Argument(metavar="CODE", help="As icu.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="In words, as 'Irish Chess Union'.")] = "",
    pattern: Annotated[
        str,
        typer.Option(metavar="PATTERN", help="9 a digit, A a letter, X either; a count as in 9{1-5}."),
    ] = "",
    shown: Annotated[
        list[str] | None,
        typer.Option("--shown", metavar="player|lists|nowhere", help="Where; default: player and lists."),
    ] = None,
    reason: Reason = "",
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the scheme.")] = False,
) -> None:
    """Declare a kind of number, as `icu`, or change or withdraw it.

    Example: arpad office scheme icu --name "Irish Chess Union" --pattern "9{1-5}" --db office.db
    """
    from arpad.office.who_is_who.number_schemes import declare_scheme, withdraw_scheme
    from arpad.reports.number_schemes import SHOWN

    with desk.acting() as office:
        if withdraw:
            withdraw_scheme(office, code, reason)
        else:
            places = [place for place in shown or () if place != "nowhere"] if shown else SHOWN
            declare_scheme(office, code, name, pattern, shown=places, reason=reason)
    key = "office.scheme-withdrawn" if withdraw else "office.scheme-declared"
    desk.tell(desk.words.text(key, code=code), "arpad.office-done/1", {"scheme": code})


def source(
    desk: WriteOptions,
    scheme: Annotated[str, typer.Option(metavar="CODE", help="The scheme of the numbers, as icu.")] = "",
    federation: Annotated[str, typer.Option(metavar="CODE", help="Reports of this federation.")] = "",
    arbiter: Annotated[str, typer.Option(metavar="NAME", help="Reports of this chief arbiter.")] = "",
    program: Annotated[str, typer.Option(metavar="NAME", help="Reports of this pairing program.")] = "",
    national: Annotated[
        str, typer.Option(metavar="CODE", help="National records (TRF26) of this federation.")
    ] = "",
    discipline: Annotated[str, typer.Option(metavar="chess|draughts", help="All other reports.")] = "",
    reason: Reason = "",
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the rule of this source.")] = False,
) -> None:
    """Say of which scheme the players' numbers in reports from a source are.

    Example: arpad office source --discipline chess --scheme fide --db office.db
    """
    from arpad.office.who_is_who.number_schemes import set_source_scheme

    named = {
        "federation": federation, "arbiter": arbiter, "program": program, "national": national,
        "discipline": discipline,
    }  # fmt: skip
    given = [(kind, value) for kind, value in named.items() if value.strip()]
    if len(given) != 1 or withdraw == bool(scheme):
        raise BadInput("source-which")
    ((kind, value),) = given
    with desk.acting() as office:
        set_source_scheme(office, kind, value, scheme, reason=reason)
    key = "office.source-withdrawn" if withdraw else "office.source-set"
    sentence = desk.words.text(key, kind=kind, source=value, scheme=scheme)
    desk.tell(sentence, "arpad.office-done/1", {"kind": kind, "source": value, "scheme": scheme or None})
