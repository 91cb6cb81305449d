"""``arpad replay``: a history of games made into every list again, under the editions of its days or under another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.calc import parse_day
from arpad.cli.face import (
    EditionOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    print_json,
    reader,
    table,
)
from arpad.errors import BadInput
from arpad.exact import decimal_text
from arpad.explain import Words
from arpad.model import ListName

if TYPE_CHECKING:
    from arpad.engine.book import Book
    from arpad.engine.history import Played
    from arpad.engine.parts import Editions
    from arpad.engine.replay import Replayed


def replay(
    games: Annotated[Path, typer.Argument(metavar="GAMES", help="Parquet or Arrow, in the order of dates.")],
    *,
    edition: EditionOption = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="EDITION", help="Also under this one, and compare.")
    ] = None,
    list_name: ListOption = "standard",
    first: Annotated[str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="First day.")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="YYYY-MM-DD", help="Last day.")] = None,
    ratings: Annotated[
        Path | None,
        typer.Option("--ratings", metavar="FILE", help="The list before: FIDE TXT or XML, or CSV."),
    ] = None,
    start: Annotated[
        int, typer.Option("--start", metavar="N", help="Everybody new begins with this rating; 0: unrated.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write every list here, as Parquet.")
    ] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Replay a history of games: every list again, under the editions of its days or under another."""
    from arpad.engine.game_files import read_games

    say = reader(lang)
    on_list = chess_list(list_name, say)
    days = _days(first, last)
    if not 0 <= start <= 4000:  # noqa: PLR2004  no rating is higher
        raise BadInput("out-of-range", option="start", value=start, low=0, high=4000)
    documents, lists = [], []
    for name in (edition, against) if against else (edition,):
        editions = _editions(name, on_list)
        with _progress(games) as told:
            batches = told(read_games(games, *days))
            made = _replayed(batches, _book(ratings, on_list), on_list, editions, start, out, name)
        documents.append(made[0])
        lists.append(made[1])
    document: dict[str, Any] = {"edition": edition, "list": str(on_list), "lists": documents[0]}
    if against:
        document |= {"against": against, "lists_against": documents[1], "comparison": _compared(*lists)}
    if json:
        print_json("arpad.replay/1", document)
    else:
        _show(document, say)


def _days(first: str | None, last: str | None) -> tuple[date | None, date | None]:
    from_day = parse_day(first, "from") if first else None
    to_day = parse_day(last, "to") if last else None
    if from_day and to_day and from_day > to_day:
        raise BadInput("replay-days", option="from", value=from_day, last=to_day)
    return from_day, to_day


def _editions(name: str | None, on_list: ListName) -> Editions:
    """One edition throughout, or that of each day."""
    from arpad.calc import any_edition
    from arpad.regulations import CHESS, in_force
    from arpad.rules import ChessRules

    if name is None:
        return lambda day: in_force(CHESS, on_list, day)
    chosen = any_edition(name)
    if not isinstance(chosen.on(on_list), ChessRules):
        raise BadInput("unknown-edition", edition=name, accepted=", ".join(it.id for it in CHESS))
    return lambda _: chosen


def _book(path: Path | None, on_list: ListName) -> Book:
    """The list before the history, or nobody."""
    from arpad.engine.book import Book
    from arpad.engine.columns import Beside, Roster
    from arpad.period import Known
    from arpad.ratings import list_rows
    from arpad.standing import Standing

    if path is None:
        return Book(Roster.of({}))
    standings, born = {}, {}
    for row, combined in list_rows(path):
        rating, _, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
        if rating:
            standings[row.id] = Standing(row.id, rating, peak=rating, k=k, inactive="i" in row.flag)
            born[row.id] = row.born
    roster = Roster.of(standings)
    beside = Beside.of(Known(born=born), roster)
    return Book(roster, beside.births, beside.born)


def _replayed(
    batches: Iterator[Played],
    book: Book,
    on_list: ListName,
    editions: Editions,
    start: int,
    out: Path | None,
    name: str | None,
) -> tuple[list[dict[str, Any]], Replayed | None]:
    from arpad.engine.replay import replay as lists_of

    documents = []
    made = None
    for made in lists_of(batches, book, on_list, editions, start=start):
        documents.append(_document(made))
        if out is not None:
            _write(made, out, on_list, name)
    return documents, made


def _document(made: Replayed) -> dict[str, Any]:
    roster = made.roster
    rated = roster.rating[roster.rating > 0]
    mean = Fraction(int(rated.sum(dtype="int64")), len(rated)) if len(rated) else Fraction(0)
    return {
        "date": str(made.day),
        "edition": made.edition,
        "games": made.played,
        "rated_players": len(rated),
        "mean": decimal_text(mean, places=2),
        "entered": int((roster.entered == made.day.toordinal()).sum()),
        "delisted": int(roster.delisted.sum()),
        "digest": made.digest,
    }


def _write(made: Replayed, out: Path, on_list: ListName, name: str | None) -> None:
    """One list as a Parquet file: players by number."""
    import io

    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from arpad.whole import prepare_folder, write_file

    rated = np.flatnonzero(made.roster.rating)
    order = rated[np.argsort(made.roster.player[rated])]
    columns = {
        "player": made.roster.player[order],
        "rating": made.roster.rating[order],
        "games": made.games[order],
        "inactive": made.roster.inactive[order],
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    prepare_folder(out)
    told = Path(name).stem if name else "by-date"
    write_file(out / f"{on_list}-{made.day}-{told}.parquet", stream.getvalue())


def _compared(one: Replayed | None, other: Replayed | None) -> dict[str, Any] | None:
    """The last lists side by side: players rated on both."""
    if one is None or other is None:
        return None
    ratings = dict(zip(other.roster.player.tolist(), other.roster.rating.tolist(), strict=True))
    pairs = zip(one.roster.player.tolist(), one.roster.rating.tolist(), strict=True)
    apart = [rating - ratings[player] for player, rating in pairs if rating and ratings.get(player)]
    mean = Fraction(sum(apart), len(apart)) if apart else Fraction(0)
    return {
        "date": str(one.day),
        "players": len(apart),
        "mean": decimal_text(mean, signed=True, places=2),
        "largest": max(apart, key=abs, default=0),
    }


@contextmanager
def _progress(path: Path) -> Iterator[Any]:
    """A bar on a terminal; nothing elsewhere."""
    from arpad.engine.game_files import count_games

    if not sys.stderr.isatty():
        yield iter
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(path.name, total=count_games(path))

        def told(batches: Iterator[Played]) -> Iterator[Played]:
            for batch in batches:
                yield batch
                bar.advance(task, len(batch))

        yield told


def _show(document: dict[str, Any], say: Words) -> None:
    if not document["lists"]:
        sys.stdout.write(say.text("replay.nothing") + "\n")
        return
    keys = ("list", "edition", "given", "rated", "mean", "entered", "delisted")
    headings = [
        (say.text(f"replay.{key}"), "left" if key in {"list", "edition"} else "right") for key in keys
    ]
    fields = ("date", "edition", "games", "rated_players", "mean", "entered", "delisted")
    for made in (document["lists"], document.get("lists_against", [])):
        if made:
            rows = [[str(one[field]) for field in fields] for one in made]
            console().print(table(headings, rows))
    if comparison := document.get("comparison"):
        facts = {"one": document["edition"] or "–", "other": document["against"]}
        told = {**facts, **{key: comparison[key] for key in ("players", "mean", "largest")}}
        sys.stdout.write(say.text("replay.compared", **told) + "\n")
