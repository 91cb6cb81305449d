"""The office's open data: players, lists, events, games and changes with their derivation, as everybody may see them.

The rules are those of the site: players who asked not to be shown and erased ones are left out, as opponents they have
no number; of a birth there is the year; numbers of hidden schemes are not written.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from shutil import rmtree
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.explain.documents import plain_value
from arpad.explain.words import load_words
from arpad.lists.canonical import parse_identifiers
from arpad.lists.explanation import (
    ExplainedChange,
    ExplainedChessEvent,
    ExplainedDraughtsEvent,
)
from arpad.model.canonical_json import dump
from arpad.model.rules import Step
from arpad.office.declared import Reading, WrittenFolder, query
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import sealed_blocks
from arpad.office.lists.in_force import inputs_as_of
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, PUBLISHED
from arpad.office.office import Office
from arpad.office.players.explain import compute_changes
from arpad.office.register.number_rows import hidden, hidden_schemes, merge_targets
from arpad.office.register.table_rows import all_players, load_people_table
from arpad.office.reports import rows as report_rows
from arpad.office.reports.tables import ACCEPTED
from arpad.office.reports.tournament_names import public_names
from arpad.office.settings.acts import with_defaults
from arpad.office.users import ADMINISTRATOR
from arpad.publishing.open_data import (
    CHANGES,
    DESCRIPTION,
    EVENTS,
    GAMES,
    LISTS,
    PLAYERS,
    RATINGS,
    OpenTable,
    TableFiles,
    frame_of,
    write_description,
)
from arpad.reports.number_schemes import ON_PLAYER
from arpad.store import ledger
from arpad.store.jobs import Job
from arpad.system.atomic_files import atomic_folder, prepare_folder
from arpad.system.batches import batches
from arpad.worker.kinds import OPEN_DATA

PREFIX = "data-"
"""Folders with open data end in the number of the last act."""

PLAYERS_AT_ONCE = 2000
"""The most players whose changes are in memory together, however long a list is."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The present number of each player, and the numbers that may not be written."""

    hidden: frozenset[int]
    targets: Mapping[int, int]

    def number(self, player: int | None) -> int | None:
        """Return the number to write; None for a hidden player."""
        if player is None or player in self.hidden:
            return None
        return self.targets.get(player, player)


@dataclass(frozen=True, slots=True)
class WrittenData:
    """Open data that were written into a folder, and the rows of each table."""

    folder: str
    rows: Mapping[str, int]
    total: int


@query("open-data", ADMINISTRATOR, says="office.written-folder")
def write_data(reading: Reading, folder: WrittenFolder) -> WrittenData:
    """Write what everybody may see as CSV and Parquet, with a datapackage.json.

    Players, lists, ratings, events, games, and how each rating changed.

    It writes on this computer, so that programs have no route for it.
    """
    rows = write_open_data(reading.office, folder)
    return WrittenData(str(folder), rows, sum(rows.values()))


def write_open_data(office: Office, folder: Path) -> dict[str, int]:
    """Write the open data into a new folder; return the number of rows of each table.

    Its figures have hundredths, so the lists of rating systems are not in it.
    """
    counts: dict[str, int] = {}
    with atomic_folder(folder) as growing, office.store.reading() as connection:
        settings = with_defaults(connection)
        shown = _Shown(hidden(connection), merge_targets(connection))
        publications = [p for p in lists.all_publications(connection) if p.kind != BASE and not p.list.is_own]
        _write(growing, PLAYERS, _players(connection, shown), counts)
        _write(growing, LISTS, _lists(publications), counts)
        _write(growing, RATINGS, _ratings(connection, publications, shown), counts)
        _write(growing, EVENTS, _events(connection), counts)
        _write_changes(growing, connection, publications, shown, counts)
        write_description(
            growing, load_words(settings["language"]), title=settings["name"] or settings["federation"],
            licence=settings["open_data_licence"], created=office.now().isoformat(timespec="seconds"),
            version=data_version(connection),
        )  # fmt: skip
    return counts


def present_data(root: Path, version: str) -> Path | None:
    """Return the folder of the latest open data below a folder; None if somebody was hidden or erased since."""
    folders = sorted(root.glob(f"{PREFIX}*"), key=_act_of) if root.is_dir() else []
    for folder in reversed(folders):
        try:
            written = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        except OSError:  # the worker has just replaced it
            continue
        return folder if written["version"] == version else None
    return None


def renew_open_data(office: Office, root: Path) -> Path:
    """Write the open data of now below a folder, if an act happened since the last time, and delete earlier ones."""
    prepare_folder(root)
    with office.store.reading() as connection:
        target = root / f"{PREFIX}{ledger.next_seq(connection) - 1}"
    if not target.exists():
        write_open_data(office, target)
    for folder in root.glob(f"{PREFIX}*"):
        if folder != target:
            rmtree(folder, ignore_errors=True)
    return target


def keep_open_data(office: Office, _job: Job) -> None:
    """Write the open data anew into the folder of this server, at night and after each list."""
    renew_open_data(office, Path(os.environ[OPEN_DATA]))


def _act_of(folder: Path) -> int:
    act = folder.name.removeprefix(PREFIX)
    return int(act) if act.isascii() and act.isdecimal() else 0


def data_version(connection: Connection) -> str:
    """Return a text that changes whenever somebody is hidden, shown again, erased or merged."""
    return snapshot(connection).hidden_version


def _write(folder: Path, table: OpenTable, frames: Iterator[pl.DataFrame], counts: dict[str, int]) -> None:
    with TableFiles(folder, table) as files:
        for frame in frames:
            files.add(frame)
    counts[table.name] = files.rows


# ------------------------------------------------------------------------------------------------ register and lists


def _players(connection: Connection, shown: _Shown) -> Iterator[pl.DataFrame]:
    unshown = hidden_schemes(connection, ON_PLAYER)
    numbers = [
        number for number in all_players(connection) if number not in shown.hidden | shown.targets.keys()
    ]
    for batch in batches(numbers, 50_000):
        people = load_people_table(
            connection, pl.Series(batch, dtype=pl.Int64), without_schemes=unshown
        ).texts()
        held = [dump(dict(parse_identifiers(text))) for text in people["identifiers"]]
        year = pl.col("born").str.slice(0, 4).cast(pl.Int32, strict=False)
        yield people.with_columns(
            pl.Series("numbers", held, pl.String), born=year, deceased=pl.col("died") != ""
        )


def _lists(publications: list[Publication]) -> Iterator[pl.DataFrame]:
    names = {p.id: p.name for p in publications}
    yield frame_of(
        LISTS,
        (
            (p.name, str(p.list), p.day, p.revision, p.edition, p.digest, names.get(p.corrects or 0))
            for p in publications
        ),
    )


def _ratings(
    connection: Connection, publications: list[Publication], shown: _Shown
) -> Iterator[pl.DataFrame]:
    """Yield the lines of the lists, block by block; a merged player has the present number."""
    gone, targets = list(shown.hidden), dict(shown.targets)
    number = pl.col("player").replace(targets)
    for publication in publications:
        for block in sealed_blocks(connection, publication.id):
            rows = block.table().filter(pl.col("listed") & ~pl.col("player").is_in(gone))
            yield rows.with_columns(number, pl.lit(publication.name).alias("list"))


def _events(connection: Connection) -> Iterator[pl.DataFrame]:
    accepted = report_rows.latest(connection, ACCEPTED, report_rows.count(connection, ACCEPTED))
    for batch in batches(sorted(accepted)):
        filed = report_rows.filed(connection, batch).values()
        names = public_names(connection, filed)
        yield frame_of(
            EVENTS,
            (
                (
                    it.id,
                    names[it.id],
                    it.federation,
                    str(it.list),
                    it.first_day,
                    it.last_day,
                    it.players,
                    it.rounds,
                )
                for it in filed
            ),
        )


# -------------------------------------------------------------------------------------------- changes and games


def _write_changes(
    folder: Path,
    connection: Connection,
    publications: list[Publication],
    shown: _Shown,
    counts: dict[str, int],
) -> None:
    """Write the changes of the newest revision of each list, with the games behind them."""
    newest = {(p.list, p.day): p for p in publications}
    with TableFiles(folder, GAMES) as games, TableFiles(folder, CHANGES) as changes:
        for publication in newest.values():
            for players in _players_rated(connection, publication):
                explained = {
                    number: change
                    for player, change in compute_changes(connection, publication, players).items()
                    if player in players and (number := shown.number(player)) is not None
                }
                name = publication.name
                rows = (_change_row(name, player, it) for player, it in explained.items())
                changes.add(frame_of(CHANGES, rows))
                rows = (
                    row for player, it in explained.items() for row in _game_rows(name, player, it, shown)
                )
                games.add(frame_of(GAMES, rows))
    counts |= {files.table.name: files.rows for files in (games, changes)}


def _players_rated(connection: Connection, publication: Publication) -> Iterator[set[int]]:
    """Yield the players of the reports that a list rates, some at a time; those of one report together."""
    if publication.kind != PUBLISHED:
        return
    merged = merge_targets(connection, inputs_as_of(publication).merges_as_of)
    seen: set[int] = set()
    waiting: set[int] = set()
    for batch in batches(sorted(lists.rated_in(connection, publication.id)), 100):
        for entrants in report_rows.entrants_of(connection, batch).values():
            waiting |= {merged.get(player, player) for player in entrants} - seen
            if len(waiting) >= PLAYERS_AT_ONCE:
                yield waiting
                seen |= waiting
                waiting = set()
    if waiting:
        yield waiting


def _change_row(name: str, player: int, change: ExplainedChange) -> tuple[Any, ...]:
    points = [event.points for event in change.events if event.points is not None]
    steps = [_step("", step) for step in change.steps]
    steps += [_step(event.id, step) for event in change.events for step in event.derivation]
    total = _exact(sum(points, Fraction(0))) if points else None
    return name, player, change.before, change.after, change.games, total, change.edition, dump(steps)


def _step(event: str, step: Step) -> dict[str, Any]:
    return {
        "event": event, "article": step.article, "quantity": step.quantity, "value": plain_value(step.value),
    }  # fmt: skip


def _game_rows(name: str, player: int, change: ExplainedChange, shown: _Shown) -> Iterator[tuple[Any, ...]]:
    for event in change.events:
        k = (
            event.contribution.k_applied
            if isinstance(event, ExplainedChessEvent) and event.contribution
            else None
        )
        own = event.capital if isinstance(event, ExplainedDraughtsEvent) else event.own
        part = event.id.partition("/")[2]
        for game in event.games:
            yield (
                name, event.report, part, player, game.round, shown.number(game.opponent), game.colour.strip(),
                _exact(game.score), own, game.rating, game.difference, _exact(game.expected), game.counts, game.reason,
                game.rule, k, _exact(None if k is None or game.change is None else k * game.change),
            )  # fmt: skip


def _exact(value: Fraction | None) -> Decimal | None:
    """Return a number of hundredths as a decimal; no figure of a game has more places."""
    if value is None:
        return None
    hundredths = value * 100
    if hundredths.denominator != 1:
        raise ValueError(value)
    return Decimal(hundredths.numerator).scaleb(-2)
