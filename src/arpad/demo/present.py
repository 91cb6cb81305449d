"""The demo on its last day: reports, tournaments and settings that give the desk work and fill every page.

Reports wait, one was returned, a tournament is being played, others are announced; there are clubs, arbiters, fees,
norms, a decision, two lists of FIDE, live lists and a logo. A feature that is not there adds nothing.
"""

import io
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from arpad.demo.actions import Accept, Act, RegisterEvent, SendBack, Submit
from arpad.demo.calendar import ARBITERS, Planned, played
from arpad.demo.events import DemoEvent, one_sided, report_file
from arpad.demo.people import CLUBS, HOME, TOWNS, DemoPerson
from arpad.demo.season import SEED, Season
from arpad.model.declared import Upload
from arpad.model.rules import ListName
from arpad.office.decisions.acts import decide
from arpad.office.features import feature_module
from arpad.office.lists.in_force import ratings_on
from arpad.office.office import Office
from arpad.office.settings.acts import change_settings, set_logo
from arpad.publishing.fide_list import write_list
from arpad.reports.formats.lists.fide_rows import ListRow

_S, _R, _B = ListName.STANDARD, ListName.RAPID, ListName.BLITZ
WAITING, DOUBTFUL, RETURNED, ACCEPTED, RUNNING, COMING, LATE = (
    Planned("trofeo", _S, "swiss", "Trofeo di Vignalta", 1, 1, 7, 27),
    Planned("sabato", _R, "swiss", "Rapid del sabato", 1, 1, 7, 23, each_day=7),
    Planned("notte", _B, "swiss", "Lampo di mezzanotte", 1, 1, 9, 21, each_day=9),
    Planned("rocca", _S, "swiss", "Open della Rocca", 1, 1, 7, 31),
    Planned("circolo", _S, "swiss", "Torneo del circolo", 1, 1, 7, 24, each_day=1),
    Planned("gran-premio", _S, "swiss", "Gran Premio di Bellariva", 1, 1, 9, 20, each_day=1),
    Planned("ritardo", _R, "swiss", "Rapid del Lungolago", 1, 1, 7, 20, each_day=7),
)
PLAYED = 4
"""Rounds of the tournament in progress that have been played."""

OTHERS = 2
"""Players whom FIDE rates otherwise."""

FEES = """currency = "EUR"
issuer = ["Federazione dimostrativa di Bellariva", "Via della Torre 3, Bellariva"]

[[fee]]
name = "Quota per giocatore"
per = "player"
amount = "1.50"

[[fee]]
name = "Diritti di segreteria"
per = "event"
amount = "20.00"
"""


def present_acts(season: Season) -> Iterator[Act]:
    """Yield what happens in the last days: reports that wait, one sent back, one accepted, tournaments to come."""
    for days, planned in ((11, RETURNED), (5, WAITING), (3, DOUBTFUL), (1, ACCEPTED)):
        event = _ending(planned, season, season.end - timedelta(days=days))
        came = min(event.last_day + timedelta(days=1), season.end)
        event = replace(event, facts=replace(event.facts, received=came))
        yield RegisterEvent(max(event.first_day - timedelta(days=30), season.begin), event)
        sent = one_sided(event, 2) if planned in (RETURNED, DOUBTFUL) else event
        yield Submit(came, sent)
        if planned is RETURNED:
            yield SendBack(came, sent, "Turno 2: il risultato di una partita è diverso dalle due parti.")
        if planned is ACCEPTED:
            yield Accept(came, event)
    for days, planned in ((-34, LATE), (3, RUNNING), (24, COMING)):
        event = _ending(planned, season, season.end + timedelta(days=days))
        yield RegisterEvent(max(event.first_day - timedelta(days=30), season.begin), event)


def _ending(planned: Planned, season: Season, last: date) -> DemoEvent:
    """Return a tournament of this kind whose last round is on a day, with people who still play."""
    event = played(planned, season.end.year, season.people, SEED, season.begin)
    days = tuple(day + (last - event.last_day) for day in event.days)
    facts = replace(event.facts, registered=days[0] - timedelta(days=30), received=None)
    return replace(
        event, days=days, key=f"{last.year}-{planned.key}", name=f"{planned.name} {last.year}", facts=facts
    )


# --------------------------------------------------------------------------------------------------- the office


def furnish(office: Office) -> None:
    """Set the office up as people do on the first day: contact, logo, fees, clubs, arbiters."""
    change_settings(
        office,
        set_={
            "contact": "ratings@bellariva.example.org", "website": "https://bellariva.example.org",
            "language": "it", "live_lists": "public",
        },
    )  # fmt: skip
    set_logo(office, Upload("logo.png", logo()))
    first = _first_day(office)
    if (fees := feature_module("fees", "acts")) is not None:
        fees.set_fee_table(office, FEES)
    if (clubs := feature_module("clubs", "acts")) is not None:
        clubs.enter_club(office, "BEL", "Bellariva e dintorni", since=first, kind="region")
        for name in CLUBS:
            clubs.enter_club(office, _code(name), name, since=first, region="BEL")
    if (arbiters := feature_module("arbiters", "acts")) is not None:
        for number, named in enumerate(ARBITERS):
            title, _, name = named.partition(" ")
            arbiters.register_arbiter(
                office, name, fide=str(89_910_001 + number), federation=HOME, title=title, since=first
            )  # fmt: skip


def _first_day(office: Office) -> date:
    return office.now().date()


def _code(club: str) -> str:
    return "".join(letter for letter in club.upper() if letter.isalpha())[:4]


def logo() -> bytes:
    """Return a mark of eight by eight squares as PNG."""
    size, square = 96, 12
    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            is_dark = (x // square + y // square) % 2
            rows += bytes((20, 87, 63) if is_dark else (243, 244, 240))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def enliven(office: Office, players: Mapping[int, int], reports: Mapping[str, int], season: Season) -> None:
    """Do what needs the players and the reports of the season: members, norms, invoices, FIDE's lists, live lists."""
    known = {key: person for key, person in season.people.items() if key in players}
    _members(office, players, known, season.begin)
    _norms(office, players, known, season.end)
    _sent_to_fide(office, reports, season)
    _invoices(office, [reports[key] for key in invoiced_events(season)])
    next_month = (season.end.replace(day=1) + timedelta(days=31)).replace(day=1)
    decide(
        office, "k", player=players[next(iter(known))], list_=_S, date_=next_month, value={"k": "20"},
        reason="Torna a giocare dopo una lunga pausa.",
    )  # fmt: skip
    _fide_lists(office, players, known, season.end)
    _in_progress(office, players, season)
    if (live := feature_module("live", "acts")) is not None:
        for on_list in (_S, _R, _B):
            live.update_live(office, on_list)


def _sent_to_fide(office: Office, reports: Mapping[str, int], season: Season) -> None:
    """Record that the chess reports of earlier months were sent on, except the latest, which is overdue."""
    registrations, before = feature_module("registrations", "acts"), season.end.replace(day=1)
    if registrations is None:
        return
    events = {event.key: event for event in season.events if not event.draughts and event.last_day < before}
    for event in [*events.values()][:-1]:
        registrations.record_sent(office, [reports[event.key]], day=event.last_day + timedelta(days=9))


def _members(
    office: Office, players: Mapping[int, int], people: Mapping[int, DemoPerson], since: date
) -> None:
    clubs = feature_module("clubs", "acts")
    if clubs is None:
        return
    for key, person in people.items():
        if person.federation == HOME:
            club = CLUBS[TOWNS.index(person.town) % len(CLUBS)]
            clubs.transfer(office, players[key], _code(club), since=since)


def _norms(office: Office, players: Mapping[int, int], people: Mapping[int, DemoPerson], end: date) -> None:
    titles, strongest = (
        feature_module("titles", "acts"),
        [key for key in people if people[key].sex == "M"][:2],
    )
    if titles is None:
        return
    for key, days in zip(strongest, (200, 80), strict=True):
        last = end - timedelta(days=days)
        titles.record_norm(
            office, players[key], "IM", event="Festival internazionale", place="Montelago",
            first_day=last - timedelta(days=8), last_day=last, games=9,
        )  # fmt: skip


def invoiced_events(season: Season) -> list[str]:
    """Return the keys of the tournaments with an invoice: three of chess, since the fee table is for chess."""
    return [*dict.fromkeys(event.key for event in season.events if not event.draughts)][-6:-3]


def _invoices(office: Office, reports: Sequence[int]) -> None:
    fees = feature_module("fees", "acts")
    if fees is None:
        return
    issued = [fees.issue_invoice(office, number, to=["Circolo Alfiere", "Bellariva"]) for number in reports]
    fees.pay_invoice(office, issued[0].number)


def _fide_lists(
    office: Office, players: Mapping[int, int], people: Mapping[int, DemoPerson], end: date
) -> None:
    """Keep FIDE's lists of two months: ours, but for two players."""
    reference = feature_module("fide", "reference")
    if reference is None:
        return
    this = end.replace(day=1)
    for day in ((this - timedelta(days=1)).replace(day=1), this):
        with office.store.reading() as connection:
            ratings = ratings_on(connection, _S, day, list(players.values()))
        rows = [
            ListRow(
                it.number, it.name, it.federation, it.sex, it.title, it.women_title,
                rating=ratings[players[key]] + (4 if turn < OTHERS and day == this else 0), games=0, k=20,
                born=it.born.year,
            )
            for turn, (key, it) in enumerate(people.items())
            if it.number and players[key] in ratings
        ]  # fmt: skip
        stream = io.BytesIO()
        write_list(rows, stream, "single", day)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"standard-{day}.txt"
            path.write_bytes(stream.getvalue())
            reference.add_reference(office, path, day, on_list=_S)


def _in_progress(office: Office, players: Mapping[int, int], season: Season) -> None:
    """Send the first rounds of a tournament that is being played."""
    running = feature_module("running", "versions")
    if running is None:
        return
    event = _ending(RUNNING, season, season.end + timedelta(days=3))
    so_far = replace(event, rounds=event.rounds[:PLAYED], days=event.days[:PLAYED])
    keys = {players[key]: key for key in event.players if key in players}
    with office.store.reading() as connection:
        ratings = ratings_on(connection, event.on_list, event.first_day, keys)
    data = report_file(so_far, season.people, {keys[player]: rating for player, rating in ratings.items()})
    running.send_version(office, data, so_far.file, event.key)
