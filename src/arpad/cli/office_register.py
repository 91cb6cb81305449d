"""``arpad office``: the register of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.calc import parse_day
from arpad.cli.face import Json, Lang, console, print_json, reader, table
from arpad.cli.office_desk import Author, Db, Now, Player, Reason, opened, tell
from arpad.errors import BadInput

if TYPE_CHECKING:
    from arpad.store.register import Person

MOST_FOUND = 1000
PersonField = Annotated[str, typer.Option()]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    app.command("register-player")(register_player)
    app.command("change-player")(change_player)
    for command in (search, merge, unmerge):
        app.command()(command)


def register_player(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Surname, Name.")],
    federation: PersonField = "",
    sex: Annotated[str, typer.Option(metavar="M|F")] = "",
    born: Annotated[str, typer.Option(metavar="DATE|YEAR")] = "",
    title: PersonField = "",
    women_title: PersonField = "",
    affiliation: Annotated[str, typer.Option(metavar="IBCA|ICSC|IPCA")] = "",
    id_: Annotated[list[str], typer.Option("--id", metavar="SCHEME=NUMBER", help="As fide=800101.")] = [],  # noqa: B006  typer never changes it
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Enter a player; the register gives him his number."""
    from arpad.office import register_player as enter

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        number = enter(
            office, name, federation=federation, sex=sex, born=_birth(born), title=title, women_title=women_title,
            affiliation=affiliation, identifiers=dict(pairs(id_, "id")), reason=reason,
        )  # fmt: skip
    tell(say.text("office.registered", player=number), "arpad.office-player/1", {"player": number}, json=json)


def change_player(
    player: Player,
    since: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The day from which it holds.")],
    reason: Reason,
    fact: Annotated[list[str], typer.Option("--set", metavar="FIELD=VALUE", help="As federation=FRA.")],
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Change a player's name, federation, birth, titles or affiliation from a day on."""
    from arpad.office import change_player as change

    say = reader(lang)
    facts: dict[str, Any] = dict(pairs(fact, "set"))
    if "born" in facts:
        facts["born"] = _birth(facts["born"])
    with opened(db, say, author=author, now=now) as office:
        change(office, player, since=parse_day(since, "since"), reason=reason, **facts)
    tell(say.text("office.done"), "arpad.office-done/1", {"player": player}, json=json)


def search(
    asked: Annotated[str, typer.Argument(metavar="NAME", help="A name however written, or a number.")],
    most: Annotated[int, typer.Option("--most", help="At most so many.")] = 20,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Find players: Müller, Mueller and Muller alike, swapped names, initials, other alphabets."""
    from arpad.office import find_players

    say = reader(lang)
    if not 1 <= most <= MOST_FOUND:
        raise BadInput("out-of-range", option="most", value=most, low=1, high=MOST_FOUND)
    with opened(db, say) as office:
        found = find_players(office, asked, most)
    if json:
        print_json("arpad.office-search/1", {"players": [person_document(person) for person in found]})
        return
    columns = [("id", "right"), (say.text("column.name"), "left"), (say.text("column.federation"), "left")]
    columns += [(say.text("column.born"), "right"), ("", "left")]
    rows = [
        (str(p.id), p.name, p.federation, str(p.born or ""), " ".join(f"{s} {n}" for s, n in p.identifiers))
        for p in found
    ]
    console().print(table(columns, rows))


def merge(
    kept: Annotated[int, typer.Argument(metavar="KEPT", help="The number that stays.")],
    dropped: Annotated[int, typer.Argument(metavar="DROPPED", help="The number that goes.")],
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Two numbers are one player; `arpad office unmerge` undoes it."""
    from arpad.office import merge as join

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        number = join(office, kept, dropped, reason)
    facts = {"merge": number, "kept": kept, "dropped": dropped}
    tell(say.text("office.merged", **facts), "arpad.office-merge/1", facts, json=json)


def unmerge(
    number: Annotated[int, typer.Argument(metavar="MERGE", help="The merge's number.")],
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Undo a merge."""
    from arpad.office import unmerge as undo

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        undo(office, number, reason)
    tell(say.text("office.done"), "arpad.office-done/1", {"merge": number}, json=json)


def person_document(person: Person) -> dict[str, Any]:
    """A player for JSON; the year of birth only."""
    born = getattr(person.born, "year", person.born)
    return {
        "id": person.id, "name": person.name, "federation": person.federation, "sex": person.sex, "born": born,
        "title": person.title, "women_title": person.women_title, "identifiers": dict(person.identifiers),
    }  # fmt: skip


def _birth(text: str) -> Any:
    if not text:
        return None
    return int(text) if text.isdecimal() else parse_day(text, "born")


def pairs(given: list[str], option: str) -> list[tuple[str, str]]:
    """Options written NAME=VALUE."""
    pairs = []
    for item in given:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise BadInput("bad-form", option=option, value=item, accepted="NAME=VALUE")
        pairs.append((name, value))
    return pairs
