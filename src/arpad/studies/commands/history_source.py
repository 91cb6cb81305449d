"""The history that ``monitor``, ``whatif`` and ``simulate`` look at: files, an office, or a simulated world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import EditionOption, Json, Lang, ListOption, chess_list, list_named, watched, words_for
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_integer
from arpad.rating import arguments
from arpad.regulations.systems import system_of
from arpad.system.extras import require

if TYPE_CHECKING:
    from arpad.office.office import Office
    from arpad.regulations.editions import EditionByDay
    from arpad.studies.draughts_points import CapitalList
    from arpad.studies.history import History, HistoryGame, HistoryList, HistoryPlayer
    from arpad.studies.replay import ReplayedPeriod

GamesPath = Annotated[
    Path, typer.Argument(metavar="GAMES", help="A folder of open data, or a file of games (CSV, Parquet).")
]
HistoryPath = Annotated[
    Path | None,
    typer.Argument(
        metavar="[HISTORY]",
        help="A folder of open data, or a file of games (CSV, Parquet).",
    ),
]
RatingsFile = Annotated[
    Path | None,
    typer.Option("--ratings", metavar="FILE", help="The list before: FIDE TXT or XML, or CSV."),
]
Simulated = Annotated[
    str | None,
    typer.Option(
        "--simulated", metavar="SEED", help="A simulated world with this seed instead of a history."
    ),
]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        envvar="ARPAD_DB",
        metavar="URL",
        help="The office whose lists are examined, if no history is given.",
    ),
]
AsGiven = Annotated[
    bool, typer.Option("--as-given", help="Use the ratings of the file; do not recompute the lists.")
]

WatchedList = Annotated[
    str,
    typer.Option(
        "--list",
        metavar="standard|rapid|blitz|italiana|internazionale",
        help="The rating list; draughts lists from an office.",
    ),
]

PageOption = Annotated[
    Path | None, typer.Option("--page", metavar="FILE", help="Write a self-contained HTML page.")
]


def need_extra() -> None:
    """Refuse in one sentence if the packages for statistics are not installed."""
    require("studies", "numpy", "polars", "scipy")


# -------------------------------------------------------------------------------------------- what is watched


@dataclass(frozen=True, slots=True)
class Watched:
    """A history with its recomputed lists."""

    history: History
    run: Sequence[ReplayedPeriod]
    games: Sequence[HistoryGame]
    lists: Sequence[HistoryList]
    editions: EditionByDay


@dataclass(frozen=True)
class Source:
    """The source of a history: files, an office, or a simulated world."""

    history: HistoryPath = None
    ratings: RatingsFile = None
    simulated: Simulated = None
    db: Db = None

    @property
    def office(self) -> str | None:
        """The database, if the history is that of an office: neither files nor a simulated world are named."""
        return self.db if self.history is None and self.simulated is None else None


@dataclass(frozen=True)
class HistoryQuestion(Source):
    """The options of a question about the games of a chess list."""

    edition: EditionOption = None
    list_: ListOption = "standard"
    as_given: AsGiven = False
    json: Json = False
    lang: Lang = None

    def watched(self) -> Watched:
        """Load the history and recompute its lists."""
        return watch(self, self.edition, self.list_, words_for(self.lang), as_given=self.as_given)


def watch(
    source: Source, edition: str | None, on_list: str, words: Words, *, as_given: bool = False
) -> Watched:
    """Load a history and recompute its lists."""
    from arpad.studies.replay import all_games, all_lists, given_games, replay

    name = chess_list(on_list)
    editions = editions_of(edition, name)
    history, run = history_for(source, editions, name, words)
    if as_given and source.history is not None and source.simulated is None:
        return Watched(history, (), given_games(history, editions), (), editions)
    if run is None:
        run = list(watched(words.text("monitor.replaying"))(replay(history, editions)))
        if not run:
            raise BadInput("history-too-short", path=str(source.history))
    return Watched(history, run, all_games(run), all_lists(history, run), editions)


def history_for(
    source: Source, editions: EditionByDay, name: ListName, words: Words
) -> tuple[History, Sequence[ReplayedPeriod] | None]:
    """Load a history; also return its lists if the source has them."""
    if source.simulated is not None:
        from arpad.studies.simulate import Plan, play

        plan = Plan(seed=parse_integer(source.simulated, "simulated"), players=150, years=1)
        played = play(plan, editions, progress=watched(words.text("monitor.playing")))
        return played.history, played.periods
    if source.history is not None:
        from arpad.studies.history_files import read_history

        return read_history(source.history, source.ratings, name), None
    if source.db is not None:
        from arpad.studies.office_history import history_of

        with office_of(source.db) as office:
            return history_of(office, name)
    raise BadInput("no-history", option="HISTORY")


def in_draughts(on_list: str, source: Source) -> bool:
    """Return whether this is a draughts list, which only an office has."""
    return system_of(list_named(on_list)).rates_again and source.history is None and source.simulated is None


def capitals(source: Source, on_list: str) -> tuple[Mapping[int, HistoryPlayer], Sequence[CapitalList]]:
    """Load the people and the lists of a draughts discipline."""
    if source.db is None:
        raise BadInput("no-history", option="HISTORY")
    from arpad.studies.office_history import capital_history

    with office_of(source.db) as office:
        return capital_history(office, ListName(on_list))


def office_of(db: str | None, author: str = "") -> closing[Office]:
    """Open the office, with the author of acts; it is closed at the end of the ``with`` block."""
    from arpad.office.office import open_office

    if db is None:
        raise BadInput("value-missing", option="db")
    return closing(open_office(db, author=author))


def office_editions(db: str, name: ListName) -> EditionByDay:
    """Return the editions as they came into force in an office, including the federation's own."""
    from arpad.office.editions.acts import editions_in_turn

    with office_of(db) as office:
        return editions_in_turn(office, name)


def editions_of(edition: str | None, name: ListName) -> EditionByDay:
    """Return one edition if it is named, else each as it came into force."""
    from arpad.regulations.editions import always, by_date

    return always(arguments.choose_edition(edition)) if edition else by_date(name)
