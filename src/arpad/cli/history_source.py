"""What ``monitor``, ``whatif`` and ``simulate`` share: their options, the history they look at, their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import (
    EditionOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    list_named,
    print_json,
    table,
    words_for,
)
from arpad.explain.words import Words
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.rating import calculator as calc

if TYPE_CHECKING:
    from arpad.monitor.conclusions import Conclusion
    from arpad.monitor.draughts_points import CapitalList
    from arpad.monitor.history import History, HistoryGame, HistoryList, HistoryPlayer
    from arpad.monitor.replay import ReplayedPeriod
    from arpad.office import Office
    from arpad.regulations.editions import EditionByDay

HistoryPath = Annotated[
    Path | None,
    typer.Argument(
        metavar="[HISTORY]",
        help="A folder with games.csv and players.csv, or a file of games (CSV, Parquet).",
    ),
]
PlayersFile = Annotated[
    Path | None, typer.Option("--players", metavar="FILE", help="Players with their first ratings, as CSV.")
]
Simulated = Annotated[
    str | None,
    typer.Option("--simulated", metavar="SEED", help="A made world of this number instead of a history."),
]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        envvar="ARPAD_DB",
        metavar="URL",
        help="The office whose own lists are watched, where no history is given.",
    ),
]
AsGiven = Annotated[
    bool, typer.Option("--as-given", help="Take the ratings of the file; do not make the lists again.")
]

WatchedList = Annotated[
    str,
    typer.Option(
        "--list",
        metavar="standard|rapid|blitz|italiana|internazionale",
        help="The rating list; draughts lists from an office.",
    ),
]

PACKAGES = ("numpy", "scipy", "glicko2")


def need_extra() -> None:
    """One sentence where the statistics are not installed."""
    for package in PACKAGES:
        if find_spec(package) is None:
            raise BadInput("extra-missing", extra="monitor", package=package)


# -------------------------------------------------------------------------------------------- what is watched


@dataclass(frozen=True, slots=True)
class Watched:
    """A history with its lists made again."""

    history: History
    run: Sequence[ReplayedPeriod]
    games: Sequence[HistoryGame]
    lists: Sequence[HistoryList]
    editions: EditionByDay


@dataclass(frozen=True)
class Source:
    """Where a history comes from: files, an office, or a made world."""

    history: HistoryPath = None
    players: PlayersFile = None
    simulated: Simulated = None
    db: Db = None

    @property
    def office(self) -> str | None:
        """The office, where the history is its own: neither files nor a made world were asked for."""
        return self.db if self.history is None and self.simulated is None else None


@dataclass(frozen=True)
class HistoryQuestion(Source):
    """What is asked of the games of a chess list, and how the answer is told."""

    edition: EditionOption = None
    list_: ListOption = "standard"
    as_given: AsGiven = False
    json: Json = False
    lang: Lang = None

    def watched(self) -> Watched:
        """The history that the question is about, its lists made again."""
        return watch(self, self.edition, self.list_, words_for(self.lang), as_given=self.as_given)


def watch(
    source: Source, edition: str | None, on_list: str, words: Words, *, as_given: bool = False
) -> Watched:
    """The history that a command is about, its lists made again."""
    from arpad.monitor.replay import all_games, all_lists, given_games, replay

    name = chess_list(on_list)
    editions = editions_of(edition, name)
    history, run = history_for(source, editions, name, words)
    if as_given and source.history is not None and source.simulated is None:
        return Watched(history, (), given_games(history, editions), (), editions)
    if run is None:
        run = list(progress.watched(words.text("monitor.replaying"))(replay(history, editions)))
        if not run:
            raise BadInput("history-too-short", path=str(source.history))
    return Watched(history, run, all_games(run), all_lists(history, run), editions)


def history_for(
    source: Source, editions: EditionByDay, name: ListName, words: Words
) -> tuple[History, Sequence[ReplayedPeriod] | None]:
    """A history, with its lists where they come along."""
    if source.simulated is not None:
        from arpad.monitor.simulate import Plan, play

        plan = Plan(seed=calc.parse_integer(source.simulated, "simulated"), players=150, years=1)
        played = play(plan, editions, progress=progress.watched(words.text("monitor.playing")))
        return played.history, played.periods
    if source.history is not None:
        from arpad.monitor.history_files import read_history

        return read_history(source.history, source.players, name), None
    if source.db is not None:
        from arpad.monitor.office_history import history_of

        with office_of(source.db) as office:
            return history_of(office, name)
    raise BadInput("no-history", option="HISTORY")


def in_draughts(on_list: str, source: Source) -> bool:
    """Whether the list is one of draughts, which only an office keeps."""
    return (
        discipline_of(list_named(on_list)).by_season and source.history is None and source.simulated is None
    )


def capitals(source: Source, on_list: str) -> tuple[Mapping[int, HistoryPlayer], Sequence[CapitalList]]:
    """The people and the lists of a draughts discipline."""
    if source.db is None:
        raise BadInput("no-history", option="HISTORY")
    from arpad.monitor.office_history import capital_history

    with office_of(source.db) as office:
        return capital_history(office, ListName(on_list))


def office_of(db: str | None) -> closing[Office]:
    """The office that was named, closed again at the end."""
    from arpad.office import open_office

    if db is None:
        raise BadInput("value-missing", option="db")
    return closing(open_office(db))


def office_editions(db: str, name: ListName) -> EditionByDay:
    """The editions as they came into force in an office, its federation's own among them."""
    from arpad.office.editions import editions_in_turn

    with office_of(db) as office:
        return editions_in_turn(office, name)


def editions_of(edition: str | None, name: ListName) -> EditionByDay:
    """One edition where it is named, else each as it came into force."""
    from arpad.regulations.editions import always, by_date

    return always(calc.choose_edition(edition)) if edition else by_date(name)


def print_found(schema: str, body: dict[str, Any], conclusions: Sequence[Conclusion], words: Words) -> None:
    """The figures and what they mean, as one JSON document."""
    from arpad.cli.monitor_documents import conclusion_documents, document

    print_json(schema, {**document(body), "conclusions": conclusion_documents(conclusions, words)})


def title(question: str, on_list: str, words: Words) -> str:
    """What was asked, and of which list."""
    return words.text(f"monitor.title-{question}", list=words.text(f"site.list-{on_list}"))


def tell(title: str, tables: Sequence[Any], conclusions: Sequence[Conclusion], words: Words) -> None:
    """What the figures mean, then the figures."""
    from arpad.monitor.sentences import told

    out = console()
    out.print(title)
    for sentence in told(conclusions, words):
        out.print(f"  {sentence}")
    for one in tables:
        out.print(one)


def figures(keys: str, rows: Iterable[Sequence[str]], words: Words) -> Any:
    """Headings by key; a first column is left, the others are right unless they end in a colon."""
    columns = []
    for index, key in enumerate(keys.split()):
        columns.append(
            (words.text(f"monitor.{key.rstrip(':')}"), "left" if index == 0 or key.endswith(":") else "right")
        )
    return table(columns, rows)


def measured(words: Words, value: float, places: int = 0, *, signed: bool = False) -> str:
    """A measured number, so many decimals of it."""
    from arpad.monitor.sentences import measured as in_words

    return in_words(words, value, places, signed=signed)
