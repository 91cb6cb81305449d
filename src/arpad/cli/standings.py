"""``arpad standings``: the final table of a report with its tie-breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import Json, Lang, console, naming_file, print_json, words_for
from arpad.cli.grids import Grid
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.rating.team_table import TeamPlace, TeamTable
    from arpad.rating.tie_breaks import FinalTable, Value
    from arpad.reports.report import Report


def standings(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A report in any format.")],
    tie_breaks: Annotated[
        str | None,
        typer.Option("--tie-breaks", metavar="CODES", help="As BH/C1,DE,WIN; default: those of the report."),
    ] = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Print the final table of a report with its tie-breaks (C.07).

    Without --tie-breaks and without tie-breaks in the report, the usual ones count. Example: arpad standings open.trf
    """
    from arpad.rating.event import refuse_draughts
    from arpad.rating.team_table import team_table
    from arpad.rating.tie_breaks import final_table
    from arpad.regulations.tie_breaks import ARTICLES, read_tie_breaks
    from arpad.reports.formats import read_file

    words = words_for(lang)
    with naming_file(file):
        report = read_file(file)
        refuse_draughts(report)
    chosen, unknown = read_tie_breaks(tie_breaks or "")
    if unknown:
        accepted = ", ".join(ARTICLES)
        raise BadInput("value-unknown", option="tie-breaks", value=unknown[0], accepted=accepted)
    teams = None if chosen else team_table(report)
    table = final_table(report, chosen)
    if json:
        print_json("arpad.standings/1", _document(report, table, teams))
        return
    if teams:
        _print_teams(report.header.name, teams, words)
        return
    from arpad.explain.tie_breaks import tie_break_words, value_words

    figures = [(tie_break.code, "right") for tie_break in table.tie_breaks]
    columns = ((words.text("site.rank"), "right"), (words.text("site.player"), "left"))
    rows = tuple(
        (
            str(place.rank),
            report.entrants[place.index].name,
            words.number(place.points),
            *(
                value_words(value, of, words)
                for value, of in zip(place.values, table.tie_breaks, strict=True)
            ),
        )
        for place in table.places
    )
    out = console()
    out.print(Grid((*columns, (words.text("site.points-word"), "right"), *figures), rows, report.header.name))
    for tie_break in table.tie_breaks:
        out.print(f"{tie_break.code}: {tie_break_words(tie_break, words)}")
    out.print(
        words.text("tie-break.ranks-of-report" if table.ranks_of_report else "tie-break.ranks-computed")
    )
    if table.unknown:
        out.print(words.text("tie-break.not-computed", codes=", ".join(table.unknown)))


def _print_teams(name: str, teams: TeamTable, words: Words) -> None:
    from arpad.explain.tie_breaks import team_tie_break_words

    keys = ("site.rank", "tie-break.team", "tie-break.match-points", "tie-break.game-points")
    columns = tuple((words.text(key), "left" if key == "tie-break.team" else "right") for key in keys)
    rows = tuple(
        (str(it.rank), it.name, *(words.number(value) for value in _figures(it) if value is not None))
        for it in teams.places
    )
    out = console()
    out.print(Grid((*columns, *((code, "right") for code in teams.shown)), rows, name))
    for code in teams.tie_breaks:
        out.print(f"{code}: {team_tie_break_words(code, words)}")
    out.print(
        words.text("tie-break.ranks-of-report" if teams.ranks_of_report else "tie-break.ranks-of-teams")
    )
    if teams.unknown:
        out.print(words.text("tie-break.not-computed", codes=", ".join(teams.unknown)))


def _figures(place: TeamPlace) -> tuple[Value, ...]:
    return (place.match_points, place.game_points, *place.values)


def _document(report: Report, table: FinalTable, teams: TeamTable | None) -> dict[str, Any]:
    """Return a final table for programs; values that do not end in decimals have two."""
    return {
        "edition": table.played.rules.id,
        "all_play_all": table.played.all_play_all,
        "ranks_of_report": table.ranks_of_report,
        "tie_breaks": [{"code": it.code, "article": it.article} for it in table.tie_breaks],
        "not_computed": table.unknown,
        "teams": [
            {
                "rank": it.rank,
                "name": it.name,
                "match_points": decimal_text(it.match_points),
                "game_points": decimal_text(it.game_points),
                "tie_breaks": [None if value is None else decimal_text(value) for value in it.values],
            }
            for it in (teams.places if teams else ())
        ],
        "team_tie_breaks": teams.tie_breaks if teams else (),
        "rows": [
            {
                "rank": place.rank,
                "number": report.entrants[place.index].number,
                "name": report.entrants[place.index].name,
                "points": decimal_text(place.points),
                "tie_breaks": [None if value is None else decimal_text(value) for value in place.values],
            }
            for place in table.places
        ],
    }
