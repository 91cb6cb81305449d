"""``arpad office``: the register of players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import Player, ReadOptions, Reason, WriteOptions, pairs
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_within, parse_day
from arpad.office.register.documents import person_document
from arpad.system.atomic_files import atomic_write

if TYPE_CHECKING:
    from arpad.office.corrections.affected_lists import ToRevise
    from arpad.office.office import Office

MOST_FOUND = 1000


def register_player(
    desk: WriteOptions,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Surname, Name.")] = "",
    federation: Annotated[str, typer.Option(metavar="CODE", help="The federation, as ITA.")] = "",
    sex: Annotated[str, typer.Option(metavar="M|F", help="The sex.")] = "",
    born: Annotated[str, typer.Option(metavar="DATE|YEAR", help="Date or year of birth.")] = "",
    title: Annotated[str, typer.Option(metavar="TITLE", help="As GM, IM, FM, CM.")] = "",
    women_title: Annotated[str, typer.Option(metavar="TITLE", help="As WGM, WIM, WFM, WCM.")] = "",
    affiliation: Annotated[
        str, typer.Option(metavar="IBCA|ICSC|IPCA", help="The body of disabled players, if any.")
    ] = "",
    id_: Annotated[list[str], typer.Option("--id", metavar="SCHEME=NUMBER", help="As fide=800101.")] = [],  # noqa: B006  typer never changes it
    reference: Annotated[
        int | None,
        typer.Option("--reference", metavar="NUMBER", help="Take what is not given from FIDE's list."),
    ] = None,
    reason: Reason = "",
) -> None:
    """Add a player; the register assigns the number."""
    from arpad.office.register.acts import register_player as enter

    numbers = dict(pairs(id_, "id"))
    with desk.acting() as office:
        facts: dict[str, Any] = {
            "federation": federation, "sex": sex, "born": _birth(born), "title": title, "women_title": women_title,
        }  # fmt: skip
        if reference is not None:
            from arpad.office.fide.reference import known_at_fide

            listed = known_at_fide(office, reference)
            name = name or listed.name
            facts = {field: value or getattr(listed, field) for field, value in facts.items()}
            numbers = {"fide": str(reference), **numbers}
        number = enter(office, name, **facts, affiliation=affiliation, identifiers=numbers, reason=reason)
    sentence = desk.words.text("office.registered", player=number)
    desk.tell(sentence, "arpad.office-register-player/1", {"player": number})


def change_player(
    desk: WriteOptions,
    player: Player,
    since: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The day from which it applies.")],
    reason: Reason,
    fact: Annotated[list[str], typer.Option("--set", metavar="FIELD=VALUE", help="As federation=FRA.")],
) -> None:
    """Change the facts about a player from a day on.

    Facts are name, federation, birth, titles and affiliation.
    """
    from arpad.office.register.acts import change_player as change

    facts: dict[str, Any] = dict(pairs(fact, "set"))
    if "born" in facts:
        facts["born"] = _birth(facts["born"])
    if "died" in facts:
        facts["died"] = parse_day(facts["died"], "died") if facts["died"] else None
    with desk.acting() as office:
        change(office, player, since=parse_day(since, "since"), reason=reason, **facts)
    desk.done({"player": player})


def death(
    desk: WriteOptions,
    player: Player,
    reason: Reason,
    day: Annotated[str, typer.Argument(metavar="YYYY-MM-DD", help="The day of death.")] = "",
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw it: it was a mistake.")] = False,
) -> None:
    """Enter or withdraw a player's death (2024 10.2).

    The federation reports it; --withdraw takes back a death entered by mistake.
    """
    from arpad.office.register.acts import report_death, withdraw_death

    if withdraw == bool(day):
        raise BadInput("death-or-withdraw")
    with desk.acting() as office:
        if withdraw:
            withdraw_death(office, player, reason=reason)
        else:
            report_death(office, player, parse_day(day, "YYYY-MM-DD"), reason=reason)
    key = "office.death-withdrawn" if withdraw else "office.death-entered"
    sentence = desk.words.text(key, player=player, day=parse_day(day, "YYYY-MM-DD") if day else "")
    desk.tell(sentence, "arpad.office-done/1", {"player": player, "died": day or None})


def identifier(
    desk: WriteOptions,
    player: Player,
    scheme: Annotated[
        str, typer.Argument(metavar="fide|fsi|fid|fmjd", help="The body that assigned the number.")
    ],
    value: Annotated[str, typer.Argument(metavar="NUMBER", help="The number.")],
    *,
    take: Annotated[bool, typer.Option("--take", help="Remove it: it was entered by mistake.")] = False,
    reason: Reason = "",
) -> None:
    """Add or remove a player's number with another body."""
    from arpad.office.register.acts import add_identifier, remove_identifier

    with desk.acting() as office:
        (remove_identifier if take else add_identifier)(office, player, scheme, value, reason=reason)
    desk.done({"player": player, scheme: value})


def search(
    look: ReadOptions,
    text: Annotated[str, typer.Argument(metavar="NAME", help="A name in any spelling, or a number.")],
    most: Annotated[int, typer.Option("--most", help="At most this many players.")] = 20,
) -> None:
    """Find players by name, in any spelling, or by number.

    Müller, Mueller and Muller are alike; names may be swapped, abbreviated, or in other alphabets.
    """
    from arpad.office.register.acts import find_players, players_with_similar_names

    words = look.words
    check_within(most, "most", 1, MOST_FOUND)
    with look.opened() as office:
        players = find_players(office, text, most)
        similar = [] if players else players_with_similar_names(office, text)
    if look.json:
        print_json(
            "arpad.office-search/1",
            {
                "players": [person_document(person) for person in players],
                "similar": [person_document(person) for person in similar],
            },
        )
        return
    if not players:
        key = "office.nobody-called-similar" if similar else "office.nobody-called"
        console().print(words.text(key, asked=text))
    if not players and not similar:
        return
    columns = [
        ("id", "right"),
        (words.text("column.name"), "left"),
        (words.text("column.federation"), "left"),
    ]
    columns += [(words.text("column.born"), "right"), ("", "left")]
    rows = [
        (str(p.id), p.name, p.federation, str(p.born or ""), " ".join(f"{s} {n}" for s, n in p.identifiers))
        for p in players or similar
    ]
    console().print(table(columns, rows))


def merge(
    desk: WriteOptions,
    kept: Annotated[int, typer.Argument(metavar="KEPT", help="The number to keep.")],
    dropped: Annotated[int, typer.Argument(metavar="DROPPED", help="The number to drop.")],
    reason: Reason,
    *,
    yes: Annotated[
        bool, typer.Option("--yes", help="Merge them although names or births do not agree.")
    ] = False,
) -> None:
    """Merge two numbers of one player; `unmerge` undoes it."""
    from arpad.office.corrections.affected_lists import lists_to_revise
    from arpad.office.who_is_who.merge import merge as join

    with desk.acting() as office:
        number = join(office, kept, dropped, reason, confirmed=yes)
        concerned = lists_to_revise(office)
    facts = {"merge": number, "kept": kept, "dropped": dropped}
    lines = [desk.words.text("office.merged", **facts), *revise_lines(concerned, desk.words)]
    desk.tell("\n".join(lines), "arpad.office-merge/1", {**facts, "revise": revise_documents(concerned)})


def unmerge(
    desk: WriteOptions,
    number: Annotated[int, typer.Argument(metavar="MERGE", help="The merge's number.")],
    reason: Reason,
) -> None:
    """Undo a merge."""
    from arpad.office.corrections.affected_lists import lists_to_revise
    from arpad.office.who_is_who.merge import unmerge as undo

    with desk.acting() as office:
        undo(office, number, reason)
        concerned = lists_to_revise(office)
    lines = [desk.words.text("office.unmerged", merge=number), *revise_lines(concerned, desk.words)]
    facts = {"merge": number, "revise": revise_documents(concerned)}
    desk.tell("\n".join(lines), "arpad.office-unmerge/1", facts)


Anew = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Rewrite the list files in this folder.")
]


def _written_anew(desk: WriteOptions, office: Office, out: Path | None) -> tuple[list[str], list[str]]:
    """Rewrite the list files of a folder; return their names and a sentence about it."""
    from arpad.office.drafts.publish import rewrite_files

    written = rewrite_files(office, out) if out is not None else []
    sentence = desk.words.text("office.rewritten", files=len(written), path=str(out))
    return [path.name for path in written], [sentence] if written else []


def player_data(
    desk: WriteOptions,
    player: Player,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file, as JSON.")],
    reason: Reason = "",
) -> None:
    """Write everything that the office holds about a player to a file, for that person."""
    from arpad.office.privacy.player_data import player_data as collect
    from arpad.office.privacy.player_data import player_data_bytes

    with desk.acting() as office:
        document = collect(office, player, reason)
    with atomic_write(out, private=True) as stream:
        stream.write(player_data_bytes(document))
    desk.done({"player": player, "file": str(out)})


def hide(
    desk: WriteOptions,
    player: Player,
    reason: Reason,
    *,
    show: Annotated[bool, typer.Option("--show", help="Show the player again.")] = False,
    out: Anew = None,
) -> None:
    """Hide a player, at their request, or show them again.

    A hidden player is on no page, in no file and on no list made from now on.
    """
    from arpad.office.privacy.acts import hide_player
    from arpad.system.atomic_files import prepare_folder

    if out is not None:
        prepare_folder(out)
    with desk.acting() as office:
        hide_player(office, player, reason, hidden=not show)
        written, sentence = _written_anew(desk, office, out)
    key = "office.shown-again" if show else "office.hidden"
    lines = [desk.words.text(key, player=player)]
    lines += sentence
    facts = {"player": player, "hidden": not show, "files": written}
    desk.tell("\n".join(lines), "arpad.office-hide/1", facts)


def erase(
    desk: WriteOptions,
    player: Player,
    reason: Reason,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who decided it; default: the author.")
    ] = "",
    out: Anew = None,
) -> None:
    """Erase a player's name, birth and numbers. This cannot be undone.

    They disappear from register, reports, lists and ledger.
    """
    from arpad.office.privacy.erase import erase_player
    from arpad.system.atomic_files import prepare_folder

    if out is not None:
        prepare_folder(out)
    with desk.acting() as office:
        erased = erase_player(office, player, by=by, reason=reason)
        written, about_files = _written_anew(desk, office, out)
    sentence = desk.words.text(
        "office.erased",
        player=player,
        reports=len(erased.reports),
        lists=len(erased.lists),
        acts=len(erased.acts),
    )
    lines = [sentence, desk.words.text("office.erase-backups"), *about_files]
    facts = {
        "player": player, "numbers": list(erased.numbers), "reports": list(erased.reports), "lists": list(erased.lists),
        "acts": list(erased.acts), "files": written,
    }  # fmt: skip
    desk.tell("\n".join(lines), "arpad.office-erase/1", facts)


def revise_lines(concerned: Sequence[ToRevise], words: Words) -> list[str]:
    """Return a sentence for each list to revise, with the cause and the command."""
    return [
        words.text(f"office.revise-{it.cause}", list=str(it.list), day=it.first, lists=it.lists)
        for it in concerned
    ]


def revise_documents(concerned: Sequence[ToRevise]) -> list[dict[str, Any]]:
    """Return the lists to revise, for JSON."""
    return [it.document() for it in concerned]


def _birth(text: str) -> Any:
    if not text:
        return None
    return int(text) if text.isdecimal() else parse_day(text, "born")
