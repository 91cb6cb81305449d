"""Play the season on a real office: submit reports, publish lists, make corrections, as people would do it."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from arpad.demo.actions import (
    OFFICER,
    Accept,
    Act,
    Correct,
    ImportList,
    Publish,
    RegisterEvent,
    RegisterPlayer,
    Revise,
    SendBack,
    Submit,
)
from arpad.demo.events import DemoEvent, report, report_file
from arpad.demo.people import HOME
from arpad.demo.present import enliven, furnish, present_acts
from arpad.demo.season import END, FEDERATION, Season, in_order, season
from arpad.model.errors import BadInput
from arpad.office.corrections.acts import revise
from arpad.office.drafts.publish import publish
from arpad.office.features import feature_module
from arpad.office.imports.acts import import_list
from arpad.office.inbox.accept import accept
from arpad.office.inbox.entrant_decisions import decide_entrants, match_report
from arpad.office.inbox.results import Accepted
from arpad.office.inbox.submit import submit
from arpad.office.lists.in_force import ratings_on
from arpad.office.office import Office, init, record_act
from arpad.office.proof.signing_keys import make_first_key
from arpad.office.register.acts import add_identifier, register_player
from arpad.office.register.rows import by_identifier
from arpad.office.reports.acts import return_
from arpad.office.reports.entrant_rows import NEW
from arpad.proofs.signed_notes import signing_key_of_seed
from arpad.publishing.files import KINDS
from arpad.regulations.systems import system_of
from arpad.system.atomic_files import atomic_folder

Progress: TypeAlias = Callable[[int, int], None]
"""Acts done, and acts in all."""

DATABASE, LISTS = "office.db", "lists"
PLAIN = ("canonical", "txt", "xml", "csv")
"""What every list comes in; the last of each name and all revisions come in every kind of file."""

DEMO_KEY = "federazione-di-bellariva"
DEMO_KEY_SEED = sha256(b"everybody knows the key of the demo, so that every demo has the same bytes").digest()

_MORNING = 9


@dataclass(slots=True)
class SeasonOffice:
    """The office while the season is played on it."""

    office: Office
    season: Season
    lists: Path
    players: dict[int, int] = field(default_factory=dict)
    """The register's number of each person."""

    reports: dict[str, int] = field(default_factory=dict)
    """The report on file for each event."""

    shown: frozenset[Publish] = frozenset()
    """The lists that get every kind of file."""


@dataclass(frozen=True, slots=True)
class Built:
    """The finished demo."""

    database: str
    lists: Path
    players: int
    reports: int
    publications: int


def build(
    folder: Path,
    *,
    database: str = "",
    end: date = END,
    living: bool = False,
    progress: Progress | None = None,
) -> Built:
    """Build the demo in a new or empty folder, with the database in it unless another is named.

    It ends on a day; if it is ``living``, the office has work on that day, and something on every page.
    It is built under a temporary name and renamed when complete, so that no incomplete demo is left under its name.
    """
    with atomic_folder(folder) as growing:
        played = _played(growing / LISTS, database or str(growing / DATABASE), end, progress, living=living)
    office_database, lists = database or str(folder / DATABASE), folder / LISTS
    bundles = sum(1 for _ in lists.glob("*.bundle.zip"))
    return Built(office_database, lists, len(played.players), len(played.reports), bundles)


def _played(
    lists: Path, database: str, end: date, progress: Progress | None, *, living: bool
) -> SeasonOffice:
    """Return the whole season, act by act."""
    demo_season = season(end=end)
    acts = in_order((*demo_season.acts, *present_acts(demo_season))) if living else demo_season.acts
    office = init(
        database, federation=HOME, name=FEDERATION, time_zone="Europe/Rome", numbers=("fide", "fid"),
        now=_at(demo_season.begin), author="Arpad",
    )  # fmt: skip
    make_first_key(office, DEMO_KEY, signing_key_of_seed(DEMO_KEY, DEMO_KEY_SEED))
    played = SeasonOffice(office, demo_season, lists, shown=_shown(demo_season))
    try:
        if living:
            furnish(replace(office, author=OFFICER))
        for done, act in enumerate(acts, start=1):
            perform(played, act)
            if progress:
                progress(done, len(acts))
        if living:
            enliven(
                replace(office, author=OFFICER, now=_at(end)), played.players, played.reports, demo_season
            )
    finally:
        office.close()
    return played


def _shown(demo_season: Season) -> frozenset[Publish]:
    """Return the last list of each name: drawing a PDF takes longer than making the list."""
    return frozenset({act.on_list: act for act in demo_season.acts if isinstance(act, Publish)}.values())


def _at(day: date) -> Callable[[], datetime]:
    """Return a clock that always shows nine in the morning of a day."""
    return lambda: datetime(day.year, day.month, day.day, _MORNING, tzinfo=UTC)


def perform(played: SeasonOffice, act: Act) -> None:
    """Perform one action as its author on its day."""
    office = replace(played.office, author=act.author, now=_at(act.day))
    match act:
        case ImportList():
            _import(played, office, act)
        case RegisterPlayer():
            _register(played, office, act)
        case RegisterEvent(event=event):
            _register_event(office, event)
        case Submit(event=event):
            played.reports[event.key] = _submit(played, office, event, played.reports.get(event.key), "")
        case SendBack(event=event, reason=reason):
            return_(office, played.reports[event.key], reason=reason)
        case Accept(event=event):
            _accept(played, office, event, "")
        case Correct(event=event, reason=reason):
            played.reports[event.key] = _submit(played, office, event, played.reports[event.key], reason)
            _accept(played, office, event, reason)
        case Revise(event=event, reason=reason):
            mode = "lists" if act.every_list else "base"
            revise(office, event.on_list, played.lists, reason=reason, mode=mode)
        case Publish():
            kinds = KINDS if act in played.shown else PLAIN
            publish(office, act.on_list, act.day, played.lists, kinds=kinds)


def _register_event(office: Office, event: DemoEvent) -> None:
    """Register a tournament with the facts that its reports have later."""
    registrations = feature_module("registrations", "acts")
    if registrations is None:
        return
    values = {"name": event.name, "city": event.city, "federation": HOME}
    span = (event.first_day, event.last_day)
    with record_act(office, "register-event") as act:
        registrations.enter_event(act, registrations.event_row(values, span, (), event.facts))


def _import(played: SeasonOffice, office: Office, act: ImportList) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = (
            Path(folder) / f"{act.on_list}-{act.day}.{'csv' if system_of(act.on_list).rates_again else 'txt'}"
        )
        path.write_bytes(act.data)
        import_list(office, path, act.on_list, act.day)
    numbers = {str(p.number): p.key for p in played.season.people.values() if p.number}
    with office.store.reading() as connection:
        holders = by_identifier(connection, "fide", numbers)
    played.players |= {numbers[number]: player for number, player in holders.items()}


def _register(played: SeasonOffice, office: Office, act: RegisterPlayer) -> None:
    """Register a draughts player: new, or known already from chess."""
    person, number = act.person, str(act.person.fid)
    if person.key in played.players:
        add_identifier(office, played.players[person.key], "fid", number)
        return
    played.players[person.key] = register_player(
        office, person.name, federation=person.federation, sex="F" if person.sex == "F" else "M",
        born=person.born, identifiers={"fid": number},
    ).id  # fmt: skip


def _submit(played: SeasonOffice, office: Office, event: DemoEvent, replaces: int | None, reason: str) -> int:
    data = report_file(event, played.season.people, _ratings(played, office, event))
    filed = submit(office, data, event.file, facts=event.facts, replaces=replaces, reason=reason)
    return filed.report


def _ratings(played: SeasonOffice, office: Office, event: DemoEvent) -> dict[int, int]:
    """Return what an arbiter finds on the list in force; a draughts report leaves the capitals to the office."""
    if system_of(event.on_list).rates_again:
        return {}
    keys = {played.players[key]: key for key in event.players if key in played.players}
    with office.store.reading() as connection:
        ratings = ratings_on(connection, event.on_list, event.first_day, keys)
    return {keys[player]: rating for player, rating in ratings.items()}


def _accept(played: SeasonOffice, office: Office, event: DemoEvent, reason: str) -> None:
    keys = {played.season.people[key].name: key for key in event.players}
    accepted = _accept_decided(played, office, played.reports[event.key], keys, reason)
    demo_report = report(event, played.season.people, _ratings(played, office, event))
    for entrant, player in zip(demo_report.entrants, accepted.players, strict=True):
        played.players[keys[entrant.name]] = player


def _accept_decided(
    played: SeasonOffice, office: Office, number: int, keys: Mapping[str, int], reason: str
) -> Accepted:
    """Accept a report; the officer knows everybody, and decides who the doubtful entrants are."""
    try:
        return accept(office, number, reason=reason)
    except BadInput as error:
        if error.code != "who-not-overruled":
            raise
    _, checked = match_report(office, number)
    doubtful = [match.entrant for match in checked.matches if match.undecided]
    decided = {entrant.number: played.players.get(keys[entrant.name], NEW) for entrant in doubtful}
    decide_entrants(office, number, decided)
    return accept(office, number, reason=reason)
