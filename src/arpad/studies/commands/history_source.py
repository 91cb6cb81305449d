"""The history that ``monitor``, ``whatif`` and ``simulate`` look at: files, an office, or a simulated world."""

from __future__ import annotations

from collections.abc import Sequence
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
    from arpad.studies.history import History
    from arpad.studies.replay import ReplayedPeriod
    from arpad.studies.report import MonitorReport

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
class ListQuestion(Source):
    """The options of a question about a list."""

    edition: EditionOption = None
    list_: WatchedList = "standard"
    json: Json = False
    lang: Lang = None

    def report(self) -> MonitorReport:
        """Load the history and recompute its lists."""
        return examine(self, self.edition, list_named(self.list_), words_for(self.lang))


@dataclass(frozen=True)
class GamesQuestion(Source):
    """The options of a question about the games of a chess list."""

    edition: EditionOption = None
    list_: ListOption = "standard"
    as_given: AsGiven = False
    json: Json = False
    lang: Lang = None

    def report(self) -> MonitorReport:
        """Load the history and recompute its lists."""
        return examine(
            self, self.edition, chess_list(self.list_), words_for(self.lang), as_given=self.as_given
        )


def examine(
    source: Source, edition: str | None, on_list: ListName, words: Words, *, as_given: bool = False
) -> MonitorReport:
    """Load the history of a list and recompute its lists; only an office has a history of draughts."""
    from arpad.studies.replay import given_games, replay
    from arpad.studies.report import MonitorReport

    if system_of(on_list).rates_again and source.history is None and source.simulated is None:
        from arpad.studies.office_history import capital_history

        if source.db is None:
            raise BadInput("no-history", option="HISTORY")
        with office_of(source.db) as office:
            people, capitals = capital_history(office, on_list)
        return MonitorReport(on_list, people, capitals=capitals)
    name = chess_list(on_list)
    editions = editions_of(edition, name)
    history, run = history_for(source, editions, name, words)
    if as_given and source.history is not None and source.simulated is None:
        return MonitorReport(name, history.people, history, given=given_games(history, editions))
    if run is None:
        run = list(watched(words.text("monitor.replaying"))(replay(history, editions)))
        if not run:
            raise BadInput("history-too-short", path=str(source.history))
    return MonitorReport(name, history.people, history, run)


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
