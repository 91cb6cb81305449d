"""Player files for pairing programs (Swiss-Manager, Vega, Sharly Chess), written through FIDE's layouts.

Text and XML are FIDE's combined list: its columns have FIDE's ratings if a reference list has the player, otherwise our
own; national number and ratings follow after FIDE's columns, where programs that do not know them read on. The CSV has
all of them side by side, and the clubs.
"""

from typing import BinaryIO

import polars as pl

from arpad.model.rules import Finding
from arpad.publishing.fide_list import FLAG, write_columns
from arpad.system.spreadsheet_cells import escape
from arpad.system.text_columns import change_texts, joined_lines

FORMATS = ("txt", "xml", "csv")
_LISTS = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}
_FIGURES = ("rating", "games", "k")
CSV = (
    "fide_number", "national_number", "name", "federation", "sex", "title", "women_title", "born", "club", "club_name",
    "standard", "rapid", "blitz", "fide_standard", "fide_rapid", "fide_blitz", "k", "inactive",
)  # fmt: skip
"""The columns of the CSV."""


def write_players(players: pl.DataFrame, stream: BinaryIO, kind: str) -> tuple[Finding, ...]:
    """Write players (``office.fide.exchange``) in one of the formats; return findings about what did not fit."""
    if kind == "csv":
        _write_csv(players, stream)
        return ()
    return write_columns(_fide_columns(players), stream, "pairing" if kind == "txt" else "xml")


def _fide_columns(players: pl.DataFrame) -> pl.DataFrame:
    """Return FIDE's columns and the national ones."""
    number = pl.when(pl.col("fide") != "").then("fide").otherwise(pl.col("player").cast(pl.String))
    listed = pl.any_horizontal(pl.col(f"{prefix}rating").is_not_null() for prefix in _LISTS.values())
    figures = [
        pl.when(listed).then(prefix + name).otherwise(f"own_{on_list}_{name}").alias(prefix + name)
        for on_list, prefix in _LISTS.items()
        for name in _FIGURES
    ]
    person = ("name", "federation", "sex", "title", "women_title", "other_titles", "born")
    national = [pl.col(f"own_{on_list}_rating").alias(f"national_{on_list}") for on_list in _LISTS]
    return players.select(number.alias("id"), *person, *figures, FLAG, "national_number", *national)


def _write_csv(players: pl.DataFrame, stream: BinaryIO) -> None:
    own = [pl.col(f"own_{on_list}_rating").alias(on_list) for on_list in _LISTS]
    fide = [pl.col(f"{prefix}rating").alias(f"fide_{on_list}") for on_list, prefix in _LISTS.items()]
    inactive = pl.when(pl.col("inactive").fill_null(value=False)).then(pl.lit("i")).otherwise(pl.lit(""))
    texts = players.select(
        pl.col("fide").alias("fide_number"), *CSV[1:10], *own, *fide, pl.col("own_standard_k").alias("k"),
        inactive.alias("inactive"),
    ).select(pl.all().cast(pl.String).fill_null(""))  # fmt: skip
    texts = change_texts(texts, pl.all().str.contains(r'^[=+\-@\t\r]|[",\r\n]'), _cell)
    stream.write((",".join(CSV) + "\r\n").encode())
    stream.write(joined_lines(texts, separator=",", end="\r\n"))


def _cell(text: str) -> str:
    shown = escape(text)
    return '"' + shown.replace('"', '""') + '"' if any(letter in shown for letter in '",\r\n') else shown
