"""Reports in which players make title norms."""

from dataclasses import replace
from datetime import date

from arpad.reports.formats import write_report
from arpad.reports.report import MIRROR, Entrant, Header, Report, Round
from tests.builders.norm_cases import NORMS, Case, cells

ABSENT = (0, "-", " ")


def report_of(case: Case) -> Report:
    """Return a report in which player 1 has the games of a case, and everybody else only those."""
    given = case["given"]
    player = Entrant(
        1, "Candidate, Ada", 2400, sex="w" if given.get("sex") else "m", federation=given["federation"]
    )
    entrants, rows = [player], [[]]  # type: list[Entrant], list[list[tuple[int, str, str]]]
    rows = [[ABSENT] * given["rounds"]]
    numbers: dict[str, int] = {}
    for cell in cells(case):
        if not cell.person:
            rows[0][cell.round - 1] = (0, "-", cell.result)
            continue
        if cell.person not in numbers:
            numbers[cell.person] = len(entrants) + 1
            code = cell.origin or cell.federation  # a report shows the federation that counts
            entrants.append(
                Entrant(len(entrants) + 1, f"Opponent {cell.person}", cell.rating, "m", cell.title, code)
            )
            rows.append([ABSENT] * given["rounds"])
        number = numbers[cell.person]
        rows[0][cell.round - 1] = (number, "w", cell.result)
        rows[number - 1][cell.round - 1] = (1, "b", MIRROR[cell.result])
    for entrant, missed in field_of(case, len(entrants)):
        entrants.append(entrant)
        rows.append([(0, "-", "Z" if number in missed else "U") for number in range(1, given["rounds"] + 1)])
    rounds = [
        Round(tuple(row[index][0] for row in rows), "".join(row[index][1] for row in rows),
              "".join(row[index][2] for row in rows))
        for index in range(given["rounds"])
    ]  # fmt: skip
    year = int(case["edition"].removeprefix("titles-"))
    first = date(year, 12, 20)
    header = Header(
        name=case["name"], federation=given["host"], first_day=first, last_day=first, rounds=given["rounds"],
        kind=f"Individual: {given['system']}", time_control="90 min/40 moves + 30 min + 30 sec per move from move one",
    )  # fmt: skip
    return Report(header, tuple(entrants), tuple(rounds))


def field_of(case: Case, number: int) -> list[tuple[Entrant, list[int]]]:
    """Return the players of the field of a case, with the rounds that they miss."""
    if "field" not in case:
        return []
    given = case["field"]
    federations = given["federations"].split()
    return [
        (
            Entrant(
                number + place, f"Foreign {place}", 2300, title="IM" if place <= given["titled"] else "FM",
                federation=federations[(place - 1) % len(federations)],
            ),
            given.get("missed", {}).get(str(place), []),
        )
        for place in range(1, given["foreign"] + 1)
    ]  # fmt: skip


BASE = next(case for case in NORMS if case["name"] == "derived-base-6.5")


def unfinished(rounds: int) -> Report:
    report = report_of(BASE)
    return replace(report, rounds=report.rounds[:rounds])


def winners(players: int, rounds: int, *, titled: bool = False, announced: int = 0) -> Report:
    """Return a tournament in which the first players win every round, each against the same few others in turn."""
    entrants = [Entrant(n, f"Winner {n}", 2400, "m", "", "ITA") for n in range(1, players + 1)]
    others = range(players + 1, 2 * players + 1)
    for number in others:
        rating = None if number % 3 == 0 else 2450 + number
        title = ("GM", "IM", "FM")[number % 3] if titled else ""
        entrants.append(
            Entrant(number, f"Loser {number}", rating, "m", title, ("FRA", "ESP", "GER")[number % 3])
        )
    columns = []
    for turn in range(rounds):
        meets = [players + 1 + (number + turn // 2) % players for number in range(players)]
        met = {other: number + 1 for number, other in enumerate(meets)}
        columns.append(
            Round(
                (*meets, *(met[other] for other in others)), "w" * players + "b" * players,
                "1" * players + "0" * players,
            )
        )  # fmt: skip
    header = Header(
        name="Winners", federation="ITA", first_day=date(2024, 3, 1), rounds=announced or rounds,
        kind="Individual: Swiss-System", time_control="90 min/40 moves + 30 min + 30 sec per move from move one",
    )  # fmt: skip
    return Report(header, tuple(entrants), tuple(columns))


TRF = write_report(report_of(BASE), "trf26")[0].decode()
