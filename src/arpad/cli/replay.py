"""``arpad replay``: recompute every list from a history of games, under the editions of its days or others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import (
    ClusterOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    naming_file,
    print_json,
    table,
    words_for,
)
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text
from arpad.model.rules import Finding, ListName, Severity
from arpad.model.typed_values import check_rating, check_within, parse_day
from arpad.system.extras import require
from arpad.system.workers import Workers, open_workers

if TYPE_CHECKING:
    from arpad.lists.engine.game_slices import Piece
    from arpad.lists.engine.replay import Replayed
    from arpad.lists.engine.scenarios import GameHistory, ListComparison, Scenario, ScenarioResult

BY_DATE = "by-date"
JOBS_AT_MOST = 256
COLUMNS = ("date", "edition", "games", "rated_players", "mean", "entered", "delisted")

JobsOption = Annotated[int, typer.Option("--jobs", metavar="N", help="Processes on this machine.")]


def replay(
    games: Annotated[
        Path, typer.Argument(metavar="GAMES", help="Parquet or Arrow in the order of dates, or a folder.")
    ],
    *,
    edition: Annotated[
        list[str] | None,
        typer.Option(
            "--edition",
            help="Edition by name, or a TOML file; repeat it: the others are compared with the first.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="EDITION", help="Also replay under this one, and compare."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="RULE=VALUE", help="Also replay with a replaced rule, as floor=1400; repeat."
        ),
    ] = None,
    list_name: ListOption = "standard",
    first: Annotated[str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="First day.")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="YYYY-MM-DD", help="Last day.")] = None,
    ratings: Annotated[
        Path | None,
        typer.Option("--ratings", metavar="FILE", help="The list before: FIDE TXT or XML, or CSV."),
    ] = None,
    start: Annotated[
        int, typer.Option("--start", metavar="N", help="New players begin with this rating; 0: unrated.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write every list here, as Parquet.")
    ] = None,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Recompute every list from a history of games.

    Each list is computed under the edition of its day, or under the one given.
    """
    require("scale", "numpy", "pyarrow")
    from arpad.lists.engine.scenarios import compared

    words = words_for(lang)
    on_list = chess_list(list_name)
    check_rating(start, "start")
    check_within(jobs, "jobs", 1, JOBS_AT_MOST)
    history = _history(games, on_list, _days(first, last), start, ratings)
    scenarios = _scenarios(edition or [], against, set_ or [], on_list)
    with open_workers(jobs, cluster) as workers:
        if cluster:
            _seen_by_all(games, workers)
        results = list(_courses(history, scenarios, workers, out))
    base, *others = results
    document: dict[str, Any] = {
        "edition": edition[0] if edition else None,
        "list": str(on_list),
        "findings": _findings(results, scenarios, on_list, words),
        "lists": _lists(base),
        "scenarios": [_scenario(other, compared(base, other)) for other in others],
    }
    if against:
        scenario = document["scenarios"][-2 if set_ else -1]
        document |= {"against": against, "lists_against": scenario["lists"], "comparison": _last(scenario)}
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


def _scenarios(
    names: Sequence[str], against: str | None, changes: Sequence[str], on_list: ListName
) -> list[Scenario]:
    """Return the scenarios; the others are compared with the first."""
    from arpad.lists.engine.scenarios import Scenario
    from arpad.monitor.whatif import tried_editions
    from arpad.regulations.editions import always, by_date

    others = [*names[1:], *([against] if against else [])]
    scenarios = [Scenario(name, always(_edition(name, on_list))) for name in [*names[:1], *others]]
    if not names:
        scenarios.insert(0, Scenario(BY_DATE, by_date(on_list)))
    if changes:
        tried = tried_editions(scenarios[0].editions, None, changes, on_list)
        scenarios.append(Scenario(f"{scenarios[0].name} {' '.join(changes)}", tried))
    if len({scenario.name for scenario in scenarios}) < len(scenarios):
        twice = next(
            scenario.name for scenario in scenarios if [it.name for it in scenarios].count(scenario.name) > 1
        )
        raise BadInput("scenario-twice", option="edition", value=twice)
    return scenarios


def _edition(name: str, on_list: ListName) -> Any:
    from arpad.rating.arguments import any_edition
    from arpad.regulations.chess.rules import ChessRules
    from arpad.regulations.editions import CHESS_EDITIONS

    chosen = any_edition(name)
    if not isinstance(chosen.on(on_list), ChessRules):
        raise BadInput("unknown-edition", edition=name, accepted=", ".join(it.id for it in CHESS_EDITIONS))
    return chosen


def _history(
    games: Path,
    on_list: ListName,
    days: tuple[date | None, date | None],
    start: int,
    ratings: Path | None,
) -> GameHistory:
    """Return the games, with the list before them if one is given."""
    from arpad.lists.engine.columns import PlayerColumns, Roster
    from arpad.lists.engine.scenarios import GameHistory
    from arpad.lists.period import RegisterFacts
    from arpad.lists.rating_lookup import read_list_rows
    from arpad.model.chess import PlayerState

    path = games.absolute()  # as workers will look for it
    if ratings is None:
        return GameHistory(path, on_list, *days, start)
    standings, born = {}, {}
    with naming_file(ratings):
        for row, combined in read_list_rows(ratings):
            rating, _, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
            if rating:
                standings[row.id] = PlayerState(row.id, rating, peak=rating, k=k, inactive="i" in row.flag)
                born[row.id] = row.born
    roster = Roster.of(standings)
    beside = PlayerColumns.of(RegisterFacts(born=born), roster)
    return GameHistory(path, on_list, *days, start, roster, beside.births, beside.born)


def _courses(
    history: GameHistory, scenarios: Sequence[Scenario], workers: Workers, out: Path | None
) -> Iterator[ScenarioResult]:
    """Run several scenarios in parallel, each on one worker; run a single one, or one that writes lists, in parts."""
    from arpad.lists.engine.scenarios import run_scenario, run_scenarios

    several = len(scenarios) > 1
    if several and workers.count > 1 and out is None:
        yield from progress.watched(history.path.name)(run_scenarios(history, scenarios, workers))
        return
    for scenario in scenarios:
        with _progress(history.path) as watch:
            write_list = _writer(out, history.on_list, scenario.name) if out else None
            yield run_scenario(
                history, scenario, workers=workers, compared=several, watch=watch, on_list_done=write_list
            )


def _seen_by_all(games: Path, workers: Workers) -> None:
    """Refuse if a worker does not find the file: workers read it themselves."""
    path = games.absolute()
    with workers.broadcast(path) as shared:
        sizes = set(workers.map(_size, shared, range(4 * workers.count)))
    if sizes != {_size(path, 0)}:
        raise BadInput("cluster-file", option="cluster", path=str(path))


def _size(path: Path, _: int) -> int | None:
    from arpad.lists.engine.game_files import files_of

    return sum(file.stat().st_size for file in files_of(path)) if path.exists() else None


def _writer(out: Path, on_list: ListName, name: str) -> Callable[[Replayed], None]:
    return lambda replayed: _write(replayed, out, on_list, name)


def _write(replayed: Replayed, out: Path, on_list: ListName, name: str) -> None:
    """Write one list as a Parquet file, players by number."""
    import io

    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from arpad.system.atomic_files import prepare_folder, write_file

    rated = np.flatnonzero(replayed.roster.rating)
    order = rated[np.argsort(replayed.roster.player[rated])]
    columns = {
        "player": replayed.roster.player[order],
        "rating": replayed.roster.rating[order],
        "games": replayed.games[order],
        "inactive": replayed.roster.inactive[order],
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    prepare_folder(out)
    scenario = Path(name).name.removesuffix(".toml").replace(" ", "-").replace("/", "-")
    write_file(out / f"{on_list}-{replayed.day}-{scenario}.parquet", stream.getvalue())


# ------------------------------------------------------------------------------------------------- what is said


def _lists(result: ScenarioResult) -> list[dict[str, Any]]:
    return [
        {
            "date": str(row.day),
            "edition": row.edition,
            "games": row.games,
            "rated_players": row.rated,
            "mean": decimal_text(row.mean, places=2),
            "entered": row.entered,
            "delisted": row.delisted,
            "digest": row.digest,
        }
        for row in result.lists
    ]


def _scenario(result: ScenarioResult, comparison: Sequence[ListComparison]) -> dict[str, Any]:
    """Return the document of another scenario and of its comparison with the first."""
    movers = comparison[-1].movers if comparison else ()
    return {
        "name": result.name,
        "lists": _lists(result),
        "comparison": [
            {
                "date": str(row.day),
                "players": row.both,
                "moved": row.moved,
                "mean": decimal_text(row.mean, signed=True, places=2),
                "distance": decimal_text(row.distance, places=2),
                "gained": row.gained,
                "lost": row.lost,
                "largest": row.movers[0].would - row.movers[0].was if row.movers else 0,
            }
            for row in comparison
        ],
        "movers": [{"player": mover.player, "was": mover.was, "would": mover.would} for mover in movers],
    }


def _last(scenario: dict[str, Any]) -> dict[str, Any] | None:
    """Return the comparison of the last list for ``--against``: the first scenario minus the other."""
    if not scenario["comparison"]:
        return None
    last = scenario["comparison"][-1]
    mean = last["mean"].translate(str.maketrans("+-", "-+")) if last["mean"].strip("+-0.") else last["mean"]
    return {"date": last["date"], "players": last["players"], "mean": mean, "largest": -last["largest"]}


def _findings(
    results: Sequence[ScenarioResult], scenarios: Sequence[Scenario], on_list: ListName, words: Words
) -> list[dict[str, Any]]:
    """Return a finding if a history of games alone cannot follow an edition."""
    lacking = {}
    for result, scenario in zip(results, scenarios, strict=True):
        for row in result.lists:
            rules = scenario.editions(row.day).on(on_list)
            if rules.round_robin_entry:
                lacking[row.edition] = rules.round_robin_entry.article
    if not lacking:
        return []
    article = next(iter(lacking.values()))
    finding = Finding(Severity.INFO, "replay-all-swiss", article, facts={"editions": ", ".join(lacking)})
    return [
        {
            "severity": str(finding.severity),
            "code": finding.code,
            "article": finding.article,
            "message": words.finding(finding),
        }
    ]


def _show(document: dict[str, Any], words: Words) -> None:
    if not document["lists"]:
        sys.stdout.write(words.text("replay.nothing") + "\n")
        return
    _show_lists(document["edition"] or "", document["lists"], words)
    for other in document["scenarios"]:
        _show_lists(other["name"], other["lists"], words)
        keys = ("date", "players", "moved", "mean", "distance", "largest", "gained", "lost")
        headings = [(words.text(f"replay.compared-{key}"), "right") for key in keys]
        rows = [[str(row[key]) for key in keys] for row in other["comparison"]]
        title = words.text("replay.compared", other=other["name"])
        console().print(table(headings, rows, title=title))
        movers = [[str(row[key]) for key in ("player", "was", "would")] for row in other["movers"]]
        if movers:
            columns = [(words.text(f"replay.mover-{key}"), "right") for key in ("player", "was", "would")]
            console().print(table(columns, movers, title=words.text("replay.movers")))
    for finding in document["findings"]:
        sys.stdout.write(finding["message"] + "\n")


def _show_lists(title: str, lists: Sequence[dict[str, Any]], words: Words) -> None:
    keys = ("list", "edition", "given", "rated", "mean", "entered", "delisted")
    sides = ("left", "left", *["right"] * 5)
    headings = [(words.text(f"replay.{key}"), side) for key, side in zip(keys, sides, strict=True)]
    rows = [[str(row[field]) for field in COLUMNS] for row in lists]
    console().print(table(headings, rows, title=title))


@contextmanager
def _progress(path: Path) -> Iterator[Any]:
    """Show a progress bar that fills with the games, on a terminal."""
    from arpad.lists.engine.game_files import count_games

    with progress.bar(path.name) as tell:
        if tell is None:
            yield iter
            return
        total = count_games(path)

        def counted(pieces: Iterator[Piece]) -> Iterator[Piece]:
            done = 0
            for piece in pieces:
                yield piece
                done += len(piece)
                tell(done, total)

        yield counted
