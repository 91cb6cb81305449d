"""``arpad replay``: recompute every list from a history of games, under the editions of its days or another one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import (
    EditionOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    naming_file,
    print_json,
    progress_bar,
    table,
    words_for,
)
from arpad.explain.documents import short_finding
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text
from arpad.model.rules import Finding, ListName, Severity
from arpad.model.typed_values import check_rating, parse_day
from arpad.rating.arguments import choose_edition
from arpad.studies.commands.history_source import GamesPath, RatingsFile
from arpad.system.extras import require

if TYPE_CHECKING:
    from polars import DataFrame

    from arpad.lists.engine.columns import PlayerColumns, Roster
    from arpad.regulations.editions import EditionByDay
    from arpad.studies.game_replay import Replayed

COLUMNS = ("date", "edition", "games", "rated_players", "mean", "entered", "delisted")


def replay(
    games: GamesPath,
    *,
    edition: EditionOption = None,
    list_name: ListOption = "standard",
    first: Annotated[str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="First day.")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="YYYY-MM-DD", help="Last day.")] = None,
    ratings: RatingsFile = None,
    start: Annotated[
        int, typer.Option("--start", metavar="N", help="New players begin with this rating; 0: unrated.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write every list here, as Parquet.")
    ] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Recompute every list from a history of games.

    Each list is calculated under the edition of its day, or under the one given. To try a rule, see arpad whatif.
    """
    require("studies", "numpy", "polars")
    from arpad.regulations.editions import always, by_date
    from arpad.studies.game_replay import replay as replayed
    from arpad.studies.game_table import read_games

    words = words_for(lang)
    on_list = chess_list(list_name)
    check_rating(start, "start")
    first_day, last_day = _days(first, last)
    editions = always(choose_edition(edition)) if edition else by_date(on_list)
    roster, facts = _players(games, ratings, on_list)
    lists = []
    with _progress(games) as watch:
        tables = watch(read_games(games, on_list, first_day, last_day))
        for made in replayed(tables, roster, facts, on_list, editions, start=start):
            lists.append(_figures(made))
            if out is not None:
                _write(made, out, on_list)
    document = {
        "edition": edition,
        "list": str(on_list),
        "findings": _findings(lists, editions, on_list, words),
        "lists": lists,
    }
    if json:
        print_json("arpad.replay/1", document)
    else:
        _show(document, words)


def _days(first: str | None, last: str | None) -> tuple[date | None, date | None]:
    from_day = parse_day(first, "from") if first else None
    to_day = parse_day(last, "to") if last else None
    if from_day and to_day and from_day > to_day:
        raise BadInput("replay-days", option="from", value=from_day, last=to_day)
    return from_day, to_day


def _players(games: Path, ratings: Path | None, on_list: ListName) -> tuple[Roster, PlayerColumns]:
    """Return the list before the games, if one is known, and the births of its players."""
    from arpad.lists.engine.columns import PlayerColumns, Roster
    from arpad.lists.period import RegisterFacts
    from arpad.studies.history_files import read_beginning

    with naming_file(ratings or games):
        beginning = read_beginning(games, ratings, on_list)
    roster = Roster.of(beginning.start)
    born = {player: person.born for player, person in beginning.people.items() if player in beginning.start}
    return roster, PlayerColumns.of(RegisterFacts(born=born), roster)


def _figures(made: Replayed) -> dict[str, Any]:
    """Return a few figures of one list."""
    rated = made.roster.rating[made.roster.rating > 0]
    mean = Fraction(int(rated.sum(dtype="int64")), len(rated)) if len(rated) else Fraction(0)
    return {
        "date": str(made.day),
        "edition": made.edition,
        "games": made.played,
        "rated_players": len(rated),
        "mean": decimal_text(mean, places=2),
        "entered": int((made.roster.entered == made.day.toordinal()).sum()),
        "delisted": int(made.roster.delisted.sum()),
        "digest": made.digest,
    }


def _write(made: Replayed, out: Path, on_list: ListName) -> None:
    """Write one list as a Parquet file, players by number."""
    from io import BytesIO

    import polars as pl

    from arpad.system.atomic_files import prepare_folder, write_file

    roster = made.roster
    columns = {
        "player": roster.player,
        "rating": roster.rating,
        "games": made.games,
        "inactive": roster.inactive,
    }
    rated = pl.DataFrame(columns).filter(pl.col("rating") > 0).sort("player")
    stream = BytesIO()
    rated.write_parquet(stream)
    prepare_folder(out)
    write_file(out / f"{on_list}-{made.day}.parquet", stream.getvalue())


# ------------------------------------------------------------------------------------------------- what is said


def _findings(
    lists: Sequence[dict[str, Any]], editions: EditionByDay, on_list: ListName, words: Words
) -> list[dict[str, Any]]:
    """Return a finding if games alone cannot follow an edition."""
    lacking = {}
    for row in lists:
        rules = editions(date.fromisoformat(row["date"])).on(on_list)
        if rules.round_robin_entry:
            lacking[row["edition"]] = rules.round_robin_entry.article
    if not lacking:
        return []
    article = next(iter(lacking.values()))
    finding = Finding(Severity.INFO, "replay-all-swiss", article, facts={"editions": ", ".join(lacking)})
    return [short_finding(finding, words)]


def _show(document: dict[str, Any], words: Words) -> None:
    if not document["lists"]:
        sys.stdout.write(words.text("replay.nothing") + "\n")
        return
    keys = ("list", "edition", "given", "rated", "mean", "entered", "delisted")
    sides = ("left", "left", *["right"] * 5)
    headings = [(words.text(f"replay.{key}"), side) for key, side in zip(keys, sides, strict=True)]
    rows = [[str(row[field]) for field in COLUMNS] for row in document["lists"]]
    console().print(table(headings, rows, title=document["edition"] or ""))
    for finding in document["findings"]:
        sys.stdout.write(finding["message"] + "\n")


@contextmanager
def _progress(path: Path) -> Iterator[Callable[[Iterable[DataFrame]], Iterable[DataFrame]]]:
    """Show a progress bar that fills with the games, on a terminal."""
    from arpad.studies.game_table import count_games

    with progress_bar(path.name) as tell:
        if tell is None:
            yield iter
            return
        total = count_games(path)

        def counted(tables: Iterable[DataFrame]) -> Iterator[DataFrame]:
            done = 0
            for table in tables:
                yield table
                done += table.height
                tell(done, total)

        yield counted
