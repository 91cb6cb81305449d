"""Small invented reports, written as readable tables: each line has number, rating, cells."""

from __future__ import annotations

from datetime import date

from arpad.reports.report import Entrant, Header, Report, Round


def made(
    text: str,
    *,
    first_day: date | None = date(2018, 4, 28),
    last_day: date | None = None,
    time_control: str = "90 min/40 moves + 30 min + 30 sec per move from move one",
    **header: object,
) -> Report:
    """Return a report from lines such as ``1 2000 | 2w1 3b= .H``; rating 0 is unrated, ``.`` is no opponent."""
    entrants, rows = [], []
    for line in text.strip().splitlines():
        left, _, right = line.partition("|")
        number, rating = left.split()
        entrants.append(
            Entrant(
                int(number),
                f"Player {number}",
                int(rating) or None,
                id=str(9000 + int(number)),
                federation="ITA",
            )
        )
        rows.append([_cell(cell) for cell in right.split()])
    rounds = [
        Round(
            tuple(row[index][0] for row in rows),
            "".join(row[index][1] for row in rows),
            "".join(row[index][2] for row in rows),
        )
        for index in range(max(map(len, rows), default=0))
    ]
    made_header = Header(
        name="Made",
        federation="ITA",
        first_day=first_day,
        last_day=last_day or first_day,
        time_control=time_control,
        **header,  # type: ignore[arg-type]
    )
    return Report(made_header, tuple(entrants), tuple(rounds))


def _cell(text: str) -> tuple[int, str, str]:
    if text.startswith("."):
        return 0, "-", text[1:]
    return int(text[:-2]), text[-2], text[-1]
