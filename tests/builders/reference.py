"""A small reference list in FIDE's combined text, made by hand."""

from pathlib import Path

HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\n"
)


def row(
    number: int,
    name: str,
    federation: str = "ITA",
    sex: str = "",
    title: str = "",
    rating: int | str = "",
    rapid: int | str = "",
    blitz: int | str = "",
    born: str = "1980",
    flag: str = "",
) -> str:
    """Return a line of the list."""
    person = f"{number:<15}{name:<61}{federation:<4}{sex:<4}{title:<5}{'':<5}{'':<15}{'':<4}"
    figures = "".join(
        f"{figure:<6}{0 if figure else '':<4}{20 if figure else '':<3}" for figure in (rating, rapid, blitz)
    )
    return f"{person}{figures}{born:<6}{flag:<5}\n"


REFERENCE = (
    row(400025, "Short, Nigel D", "ENG", "M", "GM", 2658, 2600, 2678, "1965", "i"),
    row(2500035, "Orr, Mark J L", "IRL", "M", "IM", 2240, "", "", "1955"),
    row(2500036, "Orr, Ada", "IRL", "", "", 1900, "", "", "1990", "w"),
    row(2500914, "Baburin, Alexander", "IRL", "M", "GM", 2541, 2500, "", "1967"),
    row(4600001, "Müller, Jörg", "GER", "M", "", 2010, "", "", "1971"),
)
"""Five players of September 2010."""


def write_reference(folder: Path, name: str, *lines: str) -> Path:
    """Write a list with these lines, or with all of ``REFERENCE``."""
    path = folder / name
    path.write_text(HEADER + "".join(lines or REFERENCE), encoding="utf-8")
    return path
