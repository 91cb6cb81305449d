"""Acts and queries, each declared once: the typed function in the office is the declaration.

    @act("club enter", officer_of_all("register"), says="clubs.entered-{kind}", page="/desk/clubs/{code}")
    def enter_club(act: ActContext, code: Code, name: Name, *, since: Since, reason: Reason = "") -> Club:

The command, the route of the API, the form and the entries of the reference are built from it (``cli/declared.py``,
``web/declared.py``). ``perform`` is the one place that converts the input, asks for permission, acts and seals.
A declaration has at most five arguments; a sixth needs a deleted one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, update_wrapper
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

from sqlalchemy import Connection

from arpad.explain.documents import worded_document
from arpad.explain.words import Words, load_words
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.declared import (
    Accepts,
    CsvFile,
    File,
    Parameter,
    Upload,
    arguments,
    convert,
    document,
    parameters_of,
    refuse_unknown,
)
from arpad.model.errors import NotAllowed
from arpad.model.rules import LISTS, ListName
from arpad.office.features import FEATURES
from arpad.office.office import ActContext, Office, record_act, today
from arpad.office.switches import refuse_off
from arpad.office.users import OWNER, Caller, Permission, admit, admit_role
from arpad.store.settings import list_named
from arpad.system.spreadsheet_cells import rows_csv

P = ParamSpec("P")
R = TypeVar("R")

REASON = "reason"
BACK = "back"
"""The page of an act whose form is on several pages: the one on which it was."""

Reason = Annotated[str, Accepts("letter of 3 March", longest=500)]
"""Why an act is done. The ledger has it beside the details; an act that needs one has no default for it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query in progress: the office, its connection, and who asks."""

    office: Office
    connection: Connection
    caller: Caller = OWNER

    @property
    def today(self) -> date:
        """Today's date in the federation's time zone."""
        return today(self.office, self.connection)

    @property
    def words(self) -> Words:
        """The words of the reader's language, for sentences in an answer."""
        return load_words(self.caller.language)


class Declared(Generic[P, R]):
    """An act or a query with everything that the surfaces need; calling it with an office runs it as the owner."""

    is_act = True
    verb = ""
    says = ""
    page = ""
    columns: tuple[str, ...] = ()
    path = ""
    costly = False

    def __init__(self, name: str, who: Permission, function: Callable[..., R]) -> None:
        self.name = name
        self.who = who
        self.function = function
        update_wrapper(self, function)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in their order."""
        return parameters_of(self.function)

    @cached_property
    def answer(self) -> Any:
        """The type of the result."""
        return get_type_hints(self.function)["return"]

    @property
    def is_file(self) -> bool:
        """Whether the result is a file."""
        return isinstance(self.answer, type) and issubclass(self.answer, File)

    @property
    def feature(self) -> str:
        """The name of the feature's folder."""
        return self.function.__module__.split(".")[2]

    @property
    def has_command(self) -> bool:
        """Whether it has a command: its first word is one of its feature; others are for the site and programs."""
        return self.name.split()[0] in FEATURES[self.feature].commands

    @property
    def key(self) -> str:
        """The name as one word: ``club-enter``."""
        return self.name.replace(" ", "-")

    def run(self, office: Office, caller: Caller, given: Mapping[str, Any]) -> R:
        """Run it with typed values for a caller who has the role."""
        raise NotImplementedError

    def __call__(self, office: Office, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it with typed values, as the owner of the database."""
        given = signature(self.function).bind(None, *args, **kwargs).arguments
        values = {it.name: given[it.argument] for it in self.parameters if it.argument in given}
        return perform(self, office, OWNER, values)


D = TypeVar("D", bound=Declared[..., Any])


class Act(Declared[P, R]):
    """A function that changes the office in one transaction, with one row in the ledger."""

    def run(self, office: Office, caller: Caller, given: Mapping[str, Any]) -> R:
        """Act and seal: the details in the ledger are the arguments, and what the function records itself."""
        reason = str(given.get(REASON, ""))
        needed = any(it.name == REASON and it.required for it in self.parameters)
        with record_act(office, self.verb, reason, reason_needed=needed) as act:
            admit(self.who, caller, act.connection, given)
            result = self.function(act, **arguments(self.parameters, given))
            act.details = {} if act.unchanged else _recorded(self.parameters, given, act.details)
        return result


class Task(Declared[P, R]):
    """A function that takes the office itself: it does several acts, or none, and writes its own transactions."""

    def run(self, office: Office, caller: Caller, given: Mapping[str, Any]) -> R:
        """Ask for permission, then do it."""
        if self.who.check is not None and not caller.owner:
            with office.store.reading() as connection:
                admit(self.who, caller, connection, given)
        return self.function(office, **arguments(self.parameters, given))


class Query(Declared[P, R]):
    """A function that reads the office."""

    is_act = False

    def run(self, office: Office, caller: Caller, given: Mapping[str, Any]) -> R:
        """Read in one transaction."""
        with office.store.reading() as connection:
            admit(self.who, caller, connection, given)
            reading = Reading(office, connection, caller)
            return self.function(reading, **arguments(self.parameters, given))


def act(
    name: str, who: Permission, *, says: str = "", page: str = "", verb: str = ""
) -> Callable[[Callable[Concatenate[ActContext, P], R]], Act[P, R]]:
    """Declare an act: the words of its command, who may do it, what is said, where its form leads, its verb.

    The verb of the ledger is the words of the command the other way round, as ``enter-club``, unless it is given.
    """

    def declare(function: Callable[Concatenate[ActContext, P], R]) -> Act[P, R]:
        declared: Act[P, R] = Act(name, who, function)
        declared.says, declared.page = says, page
        declared.verb = verb or "-".join(reversed(name.split()))
        return declared

    return declare


def task(
    name: str, who: Permission, *, says: str = "", page: str = ""
) -> Callable[[Callable[Concatenate[Office, P], R]], Task[P, R]]:
    """Declare a function that does its acts itself: words of the command, who, what is said, where its form leads."""

    def declare(function: Callable[Concatenate[Office, P], R]) -> Task[P, R]:
        declared: Task[P, R] = Task(name, who, function)
        declared.says, declared.page = says, page
        return declared

    return declare


def query(
    name: str, who: Permission, *, columns: tuple[str, ...] = (), path: str = "", says: str = ""
) -> Callable[[Callable[Concatenate[Reading, P], R]], Query[P, R]]:
    """Declare a query: words of its command, who may ask, columns of its table, its address in the API.

    ``says`` is the sentence of an answer that is not a table, or of an empty table.
    """

    def declare(function: Callable[Concatenate[Reading, P], R]) -> Query[P, R]:
        declared: Query[P, R] = Query(name, who, function)
        declared.columns, declared.path, declared.says = columns, path, says
        return declared

    return declare


def costly(declared: D) -> D:
    """Mark what takes much work, so that the site limits how often in a minute somebody may ask for it."""
    declared.costly = True
    return declared


# ------------------------------------------------------------------------------------------------------ running


def perform(declared: Declared[..., R], office: Office, caller: Caller, values: Mapping[str, Any]) -> R:
    """Convert, admit, act and seal: the only place where input becomes typed and where permission is asked."""
    admit_role(declared.who, caller)
    _refuse_switched_off(declared, office)
    given = typed_values(declared, office, values)
    if caller.user is not None:
        office = replace(office, author=caller.user.login)
    return declared.run(office, caller, given)


def typed_values(declared: Declared[..., Any], office: Office, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed values of all parameters; the office knows the lists of its own."""
    refuse_unknown([it.name for it in declared.parameters], values)
    named = [it.name for it in declared.parameters if it.type is ListName and not it.many]
    asked = [name for name in named if values.get(name) and values[name] not in LISTS]
    if asked:
        with office.store.reading() as connection:
            values = {**values, **{name: list_named(connection, str(values[name]), name) for name in asked}}
    return convert(declared.parameters, values)


def _refuse_switched_off(declared: Declared[..., Any], office: Office) -> None:
    """Refuse an act or a query of a feature that the office has switched off."""
    if FEATURES[declared.feature].optional:
        with office.store.reading() as connection:
            refuse_off(connection, declared.feature)


def is_admitted(declared: Declared[..., Any], caller: Caller) -> bool:
    """Return whether a caller has the role and the scope for it, so that a page may show its form."""
    try:
        admit_role(declared.who, caller)
    except NotAllowed:
        return False
    return True


def details_of(parameters: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of an act as the ledger has them: no reason, no secret, of a file its digest."""
    details: dict[str, Any] = {}
    for parameter in parameters:
        value = given[parameter.name]
        is_written = not (parameter.accepts.secret or parameter.accepts.unwritten)
        if parameter.name == REASON or not is_written or value in (None, "", (), {}, False):
            continue
        if isinstance(value, Upload):
            details |= {"file": value.name, "sha256": sha256(value.data).hexdigest()}
        elif parameter.is_file:
            details["sha256"] = sha256(value.encode()).hexdigest()
        else:
            details[parameter.name] = document(value)
    return details


def _recorded(
    parameters: tuple[Parameter, ...], given: Mapping[str, Any], recorded: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments and what an act recorded itself; an argument that it recorded as None is left out."""
    left_out = {it.name for it in parameters if it.name in recorded and recorded[it.name] is None}
    details = {**details_of(parameters, given), **recorded}
    return {name: value for name, value in details.items() if name not in left_out}


def rows_of(result: Any) -> list[Any]:
    """Return the rows of a result: itself if it is a list, else its one field that is a list of records."""
    if isinstance(result, list | tuple):
        return list(result)
    fields = getattr(result, "__dataclass_fields__", ())
    lists = [value for name in fields if isinstance(value := getattr(result, name), list | tuple)]
    return list(lists[0]) if lists else []


def table_csv(declared: Declared[..., Any], result: Any, words: Words) -> CsvFile:
    """Return the rows of a result as CSV."""
    rows = [worded_document(row, words) for row in rows_of(result)]
    return CsvFile(f"{declared.key}.csv", rows_csv(rows, declared.columns).encode())


def said(declared: Declared[..., Any], given: Mapping[str, Any], result: Any) -> tuple[str, dict[str, Any]]:
    """Return the key of the sentence after an act, and the facts that fill it: the arguments and the result."""
    facts = {name: value for name, value in given.items() if value is not None}
    facts |= _facts(result)
    return declared.says.format_map(_Texts(facts)), facts


def page_after(declared: Declared[..., Any], given: Mapping[str, Any], result: Any) -> str:
    """Return the address to which the form of an act leads."""
    return declared.page.format_map(_Texts({**given, **_facts(result)}))


def _facts(result: Any) -> dict[str, Any]:
    names = getattr(result, "__dataclass_fields__", ())
    return {name: value for name in names if (value := getattr(result, name)) is not None}


class _Texts(dict[str, Any]):
    """Facts for ``format_map``; one that is not given is an empty text."""

    def __missing__(self, key: str) -> str:
        return ""


MOST_ROWS = 1000
"""At most so many rows are one answer."""


def _cursor(text: str, _parameter: str) -> Cursor | None:
    return parse_cursor(text) if text else None


def _path(text: str, _parameter: str) -> Path:
    return Path(text)


PlayerNumber = Annotated[int, Accepts("1", word="player", picks="player")]
ReportNumber = Annotated[int, Accepts("1", word="report", picks="report")]
FirstDay = Annotated[date, Accepts("2024-01-01", word="first-day")]
LastDay = Annotated[date, Accepts("2025-12-31", word="last-day")]
AppliesFrom = Annotated[date, Accepts("2025-01-10", word="applies-from")]
ListDay = Annotated[date, Accepts("2025-02-01", word="list-day")]
InForceOn = Annotated[date, Accepts("2025-01-10", word="in-force-on")]
OnDay = Annotated[date, Accepts("2025-01-10", word="on-day")]
ListChosen = Annotated[ListName, Accepts("standard", word="list")]
After = Annotated[Cursor | None, Accepts("1", longest=40, word="after", read=_cursor)]
"""Where the last answer of a query ended that is answered in pages; its answer has ``next`` and ``more``."""

WrittenFile = Annotated[Path, Accepts("office.zip", longest=1000, word="written-file", read=_path)]
WrittenFolder = Annotated[Path, Accepts("folder", longest=1000, word="written-folder", read=_path)]
"""Places on this computer: what takes one is for the command line only."""

Size = Annotated[int, Accepts("50", high=MOST_ROWS, word="size")]
FederationCode = Annotated[
    str,
    Accepts("ITA", longest=10, word="federation", personal=False, read=lambda text, _parameter: text.upper()),
]
