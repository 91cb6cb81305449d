"""``arpad simulate``: play a simulated world through an edition, and measure how far ratings are from strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import EditionOption, Json, Lang, console, print_json, watched, words_for
from arpad.explain.words import Words
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day, parse_integer, parse_within
from arpad.studies.commands.history_source import PageOption, editions_of, need_extra
from arpad.studies.commands.output import document as json_values
from arpad.studies.commands.output import grid
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.studies.simulate import Tried

SEEDS_AT_MOST = 100_000
SHOWN = 60
"""Rows of a table on the terminal."""

PLAYERS_AT_MOST = 20_000
YEARS_AT_MOST = 50


def simulate(
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="The seed of the random numbers.")] = "1",
    players: Annotated[str, typer.Option("--players", metavar="N", help="People on the first day.")] = "400",
    years: Annotated[str, typer.Option("--years", metavar="N", help="Years played.")] = "3",
    edition: EditionOption = None,
    begins: Annotated[
        str, typer.Option("--begins", metavar="YYYY-MM-DD", help="The first list.")
    ] = "2018-01-01",
    seeds: Annotated[
        str, typer.Option("--seeds", metavar="N", help="Number of worlds, with consecutive seeds.")
    ] = "1",
    jobs: Annotated[str, typer.Option("--jobs", metavar="N", help="Worlds simulated in parallel.")] = "1",
    stable: Annotated[bool, typer.Option("--stable", help="Strengths and players never change.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write the history here (one world).")
    ] = None,
    page: PageOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Simulate a federation and measure how accurate its ratings are.

    Example: arpad simulate --players 80 --years 1 --seed 7 --edition fide-2017
    """
    if page is not None or not json:
        need_extra()
    from arpad.studies.history_files import write_history
    from arpad.studies.simulate import Plan, Tried, play, play_many

    words = words_for(lang)
    plan = Plan(
        seed=parse_integer(seed, "seed"),
        players=parse_within(players, "players", 20, PLAYERS_AT_MOST),
        years=parse_within(years, "years", 1, YEARS_AT_MOST),
        begins=parse_day(begins, "begins").replace(day=1),
        stable=stable,
    )
    editions = editions_of(edition, ListName.STANDARD)
    worlds, side_by_side = (
        parse_within(seeds, "seeds", 1, SEEDS_AT_MOST),
        parse_within(jobs, "jobs", 1, 256),
    )
    document: dict[str, Any] = {"edition": edition or "by-date", "plan": asdict(plan)}
    if worlds > 1:
        many = play_many(plan, editions, worlds, jobs=side_by_side)
        tried = list(watched(words.text("monitor.playing"))(many))
        document |= {
            "worlds": [{"seed": it.seed, "first": it.distances[0], "last": it.last} for it in tried],
            "over_all": _over_all(tried),
        }
    else:
        played = play(plan, editions, progress=watched(words.text("monitor.playing")), derived=False)
        if out is not None:
            write_history(played.history, out)
        tried = [Tried(plan.seed, played.distances)]
        document |= {
            "tournaments": len(played.history.tournaments),
            "games": sum(len(tournament.boards) for tournament in played.history.tournaments),
            "distances": played.distances,
        }
    title = words.text(
        "monitor.title-simulation", edition=edition or words.text("monitor.by-date"), seed=plan.seed
    )
    if json:
        print_json("arpad.simulate/1", json_values(document))
    if page is not None or not json:
        _tell_simulation(title, plan.years, tried, words, page, quiet=json)


def _tell_simulation(
    title: str,
    years: int,
    worlds: Sequence[Tried],
    words: Words,
    page: Path | None,
    *,
    quiet: bool,
) -> None:
    """Write the page, print the table, or both."""
    from arpad.studies import simulation_page as simulation_report
    from arpad.studies.conclusions import sentence
    from arpad.studies.report_page import watched_page

    if page is not None:
        write_file(page, watched_page(title, simulation_report.body(years, worlds, words), words).encode())
    if quiet:
        return
    out = console()
    out.print(title)
    out.print(f"  {sentence(simulation_report.conclusion(years, worlds), words)}")
    out.print(grid(simulation_report.distances_of(worlds, words, SHOWN), words))


def _over_all(tried: Sequence[Tried]) -> dict[str, Any]:
    """Return each figure of the last lists on average, and its 95 % interval."""
    from statistics import stdev

    from arpad.studies.simulation_page import over_worlds

    intervals = over_worlds(tried)
    return {
        **{name: interval.value for name, interval in intervals.items()},
        "bias_deviation": stdev(world.last.bias for world in tried),
        "intervals": intervals,
    }
