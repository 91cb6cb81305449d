"""The canonical text of a published list: the bytes whose SHA-256 is the list's digest.

UTF-8, LF, fields separated by tabs, rows by the register's number; no clock, no author, nothing that depends on the
machine. docs/reference/list-format.md describes it for readers who recompute a list with other tools.
The register's facts about the players of a list, ``register.tsv`` of a bundle, are lines of the same form.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise

from arpad.lists.published import JUNIOR_YEARS, ListedPlayer, ListHead, PublishedList
from arpad.model.errors import BadInput, Unreadable
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Person
from arpad.model.rules import ListName

FORMAT = "arpad-list/1"
HEADER = (
    "list", "date", "number", "revision", "edition", "valid-to", "previous", "revises",
    "inactive-leave-federation", "junior-years", "rows",
)  # fmt: skip
PUBLIC_FORMAT = "arpad-public-list/1"
"""A published list without players who asked not to be shown; its header has two more lines."""

COLUMNS = (
    "id", "name", "federation", "sex", "title", "women-title", "other-titles", "category", "rating", "games",
    "k", "born", "flags", "identifiers",
)  # fmt: skip
SYSTEM_FORMAT = "arpad-list/2"
"""The list of a rating system: its header has the system and the names of its own columns."""

SYSTEM_HEADER = (
    "list", "date", "number", "revision", "system", "edition", "previous", "revises", "columns", "rows",
)  # fmt: skip
PUBLIC_SYSTEM_FORMAT = "arpad-public-list/2"
"""The same without players who asked not to be shown, as ``PUBLIC_FORMAT``."""

_LEFT_OFF = ("left-off", "digest")
PUBLIC_HEADER = (*HEADER, *_LEFT_OFF)
_BEFORE = ("id", "name", "federation", "born", "rating", "printed")
_AFTER = ("played", "change", "identifiers")
"""The columns of every system, before and after its own."""

INACTIVE, DELISTED = "i", "d"
ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = str.maketrans(ESCAPES)
RESTORED = {coded: plain for plain, coded in {**ESCAPES, " ": "\\s"}.items()}
_CODED = re.compile(r"\\.")
_HEAD = 4096
_DIGEST = re.compile(r"(?:[0-9a-f]{64})?")
REGISTER_COLUMNS = (
    "id", "name", "federation", "sex", "born", "title", "women-title", "other-titles", "affiliation", "identifiers",
    "died",
)  # fmt: skip
"""The fields of a line, in the order of ``Person``."""

REGISTER_HEAD = "\t".join(REGISTER_COLUMNS) + "\n"


def write_canonical(published: PublishedList) -> bytes:
    """Return the canonical text."""
    lines = canonical_lines(published)
    return (
        canonical_head(published, len(lines)) + "".join([f"{line}\n" for line in lines.values()])
    ).encode()


def canonical_lines(published: PublishedList) -> dict[int, str]:
    """Return the line of each player, by number; refuse a list that has a player twice."""
    for row, following in pairwise(published.rows):
        if row.player == following.player:
            raise BadInput("listed-twice", player=row.player)
    return {row.player: canonical_line(row) for row in published.rows}


def canonical_head(head: ListHead, rows: int) -> str:
    """Return the text above the lines of the players, of which there are ``rows``."""
    own = head.on_list.is_own
    first = _FORMATS[own, bool(head.left_off)]
    texts = _header(head) | {"rows": str(rows)}
    lines = [first, *(f"{name}\t{escape(texts[name])}" for name in _HEADERS[first]), _column_line(head)]
    return "\n".join(lines) + "\n"


def _column_line(head: ListHead) -> str:
    return "\t".join((*_BEFORE, *head.columns, *_AFTER) if head.on_list.is_own else COLUMNS)


_FORMATS = {
    (False, False): FORMAT, (False, True): PUBLIC_FORMAT,
    (True, False): SYSTEM_FORMAT, (True, True): PUBLIC_SYSTEM_FORMAT,
}  # fmt: skip
"""By whether a rating system computes the list, and whether players are left off."""


_HEADERS = {
    FORMAT: HEADER, PUBLIC_FORMAT: PUBLIC_HEADER,
    SYSTEM_FORMAT: SYSTEM_HEADER, PUBLIC_SYSTEM_FORMAT: (*SYSTEM_HEADER, *_LEFT_OFF),
}  # fmt: skip
"""The lines of the header by the first line of a text."""


def _header(head: ListHead) -> dict[str, str]:
    """Return the values of all headers but the number of rows."""
    return {
        "list": str(head.on_list),
        "date": head.day.isoformat(),
        "number": str(head.number),
        "revision": str(head.revision),
        "system": head.on_list.system,
        "edition": head.edition,
        "valid-to": head.valid_to.isoformat() if head.valid_to else "",
        "previous": head.previous,
        "revises": head.revises,
        "inactive-leave-federation": "yes" if head.inactive_leave_federation else "no",
        "junior-years": str(head.junior_years),
        "columns": " ".join(head.columns),
        "left-off": str(head.left_off),
        "digest": head.whole_digest,
    }


def canonical_line(row: ListedPlayer) -> str:
    """Return the line of a player."""
    texts = (row.name, row.federation, row.sex, row.title, row.women_title, row.other_titles, row.category)
    rating, k, born = ("" if number is None else number for number in (row.rating, row.k, row.born))
    flags = (INACTIVE if row.inactive else "") + (DELISTED if row.delisted else "")
    identifiers = identifiers_field(sorted(row.identifiers))
    if row.own is not None:
        name, federation, *printed = map(escape, (row.name, row.federation, row.printed, *row.own))
        person = f"{row.player}\t{name}\t{federation}\t{born}\t{rating}"
        return "\t".join((person, *printed, str(row.games), str(k), identifiers))
    person = "\t".join(map(escape, texts))
    return f"{row.player}\t{person}\t{rating}\t{row.games}\t{k}\t{born}\t{flags}\t{identifiers}"


def identifiers_field(identifiers: Sequence[tuple[str, str]]) -> str:
    """Return the last field: numbers of other bodies, ordered by scheme."""
    return " ".join([f"{scheme}={escape_number(number)}" for scheme, number in identifiers])


def escape_number(number: str) -> str:
    """Return a number of another body as the last field has it."""
    return escape(number).replace(" ", "\\s")


def escape(text: str) -> str:
    """Return a text as a field of a line."""
    return text.translate(_ESCAPED)


# --------------------------------------------------------------------------------------------------- reading


def is_canonical(head: bytes) -> bool:
    """Whether a file starts like the canonical text of a list that is the same everywhere."""
    return head.startswith((f"{FORMAT}\n".encode(), f"{PUBLIC_FORMAT}\n".encode()))


def count_left_off(text: bytes) -> int:
    """Return how many players a text leaves off because they asked not to be shown."""
    return parse_head(text[:_HEAD].decode("utf-8", "replace")).left_off


def read_canonical(data: bytes) -> PublishedList:
    """Return the list of a canonical text; refuse any other form, with its line."""
    own = data.startswith((f"{SYSTEM_FORMAT}\n".encode(), f"{PUBLIC_SYSTEM_FORMAT}\n".encode()))
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise _error(data[: error.start].count(b"\n") + 1, own=own) from error
    first_row = len(_HEADERS.get(lines[0], ())) + 2
    if len(lines) <= first_row or lines[0] not in _HEADERS:
        raise _error(1, own=own)
    header = _header_fields(lines)
    head = _list_head(header)
    if lines[first_row - 1] != _column_line(head):
        raise _error(first_row, own=own)
    rows = tuple(
        _parse_row(line, number, head) for number, line in enumerate(lines[first_row:-1], start=first_row + 1)
    )
    published = PublishedList(**head.values(), rows=rows)
    if lines[-1] or header["rows"] != str(len(rows)):
        raise _error(len(lines), own=own)
    for number, (row, following) in enumerate(pairwise(rows), start=first_row + 2):
        if row.player >= following.player:
            raise _error(number, own=own)
    if (written := write_canonical(published)) != data:  # 07 and +7 can be parsed, but are not canonical
        raise _error(_first_difference(written, data), own=own)
    return published


def _first_difference(written: bytes, data: bytes) -> int:
    lines = zip(written.split(b"\n"), data.split(b"\n"), strict=False)
    return next(number for number, (ours, theirs) in enumerate(lines, start=1) if ours != theirs)


def _header_fields(lines: Sequence[str]) -> dict[str, str]:
    """Return the values of a header; refuse one that lacks a line, with the place."""
    header = {}
    for number, name in enumerate(_HEADERS.get(lines[0], HEADER), start=1):
        key, tab, value = lines[number].partition("\t") if number < len(lines) else ("", "", "")
        if key != name or not tab:
            raise _error(min(number + 1, len(lines)), own=lines[0] in _OF_SYSTEM)
        header[name] = unescape(value)
    return header


_OF_SYSTEM = (SYSTEM_FORMAT, PUBLIC_SYSTEM_FORMAT)


def parse_head(text: str) -> ListHead:
    """Return the head of a canonical text; refuse any other, with its line."""
    return _list_head(_header_fields(text.split("\n")))


def _list_head(header: Mapping[str, str]) -> ListHead:
    own = "system" in header
    digests = (header["previous"], header["revises"], header.get("digest", ""))
    if not all(_DIGEST.fullmatch(digest) for digest in digests):
        raise _error(1, own=own)
    try:
        return ListHead(
            on_list=ListName(header["list"], header["system"]) if own else ListName(header["list"]),
            day=date.fromisoformat(header["date"]),
            number=int(header["number"]),
            edition=header["edition"],
            revision=int(header["revision"]),
            valid_to=date.fromisoformat(header["valid-to"]) if header.get("valid-to") else None,
            previous=header["previous"],
            revises=header["revises"],
            inactive_leave_federation=_YES_OR_NO[header.get("inactive-leave-federation", "no")],
            junior_years=int(header.get("junior-years", JUNIOR_YEARS)),
            columns=tuple(header.get("columns", "").split()),
            left_off=int(header.get("left-off", "0")),
            whole_digest=header.get("digest", ""),
        )
    except (ValueError, KeyError) as error:
        raise _error(1, own=own) from error


_YES_OR_NO = {"yes": True, "no": False}


def parse_line(line: str, *, own: bool = False) -> ListedPlayer:
    """Return the player of a line, ``own`` on the list of a rating system; raise ValueError if it is malformed."""
    if own:
        return _parse_system_line(line)
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise ValueError(line)
    number, *person = fields[:8]
    rating, games, k, born, flags, identifiers = fields[8:]
    for text in (number, rating, games, k, born):
        if not (text.isdigit() and text.isascii()) and text:
            raise ValueError(text)
    if "\\" in line:
        person = [*map(unescape, person)]
    return ListedPlayer._make((
        int(number), *person,
        int(rating) if rating else None, int(games), int(k) if k else None, int(born) if born else None,
        *_FLAGS[flags], parse_identifiers(identifiers), None,
    ))  # fmt: skip


def _parse_system_line(line: str) -> ListedPlayer:
    """Return the player of a line on the list of a rating system; raise ValueError if it is malformed."""
    number, name, federation, born, rating, printed, *own, games, change, identifiers = line.split("\t")
    return ListedPlayer(
        int(number), unescape(name), unescape(federation), category=unescape(printed), rating=int(rating),
        games=int(games), k=int(change) if change else None, born=int(born) if born else None,
        identifiers=parse_identifiers(identifiers), own=tuple(map(unescape, own)),
    )  # fmt: skip


_FLAGS = {
    "": (False, False),
    INACTIVE: (True, False),
    DELISTED: (False, True),
    INACTIVE + DELISTED: (True, True),
}


def _parse_row(line: str, number: int, head: ListHead) -> ListedPlayer:
    own = head.on_list.is_own
    try:
        row = parse_line(line, own=own)
    except (ValueError, KeyError) as error:
        raise _error(number, own=own) from error
    if own and len(row.own or ()) != len(head.columns):
        raise _error(number, own=own)
    return row


def parse_identifiers(field: str) -> tuple[tuple[str, str], ...]:
    """Return the numbers of other bodies from the last field of a line."""
    return tuple([_parse_identifier(part) for part in field.split(" ")]) if field else ()


def _parse_identifier(part: str) -> tuple[str, str]:
    scheme, sign, number = part.partition("=")
    if not sign:
        raise ValueError(part)
    return scheme, unescape(number)


def unescape(text: str) -> str:
    """Return a field without its escapes."""
    return _CODED.sub(lambda match: RESTORED.get(match[0], match[0]), text) if "\\" in text else text


def _error(line: int, *, own: bool = False) -> Unreadable:
    return Unreadable("canonical-list", line=line, format=SYSTEM_FORMAT if own else FORMAT)


def person_line(person: Person) -> str:
    """Return the line of a player, without its end."""
    texts = (person.title, person.women_title, person.other_titles, person.affiliation)
    fields = (
        str(person.id), escape(person.name), escape(person.federation), escape(person.sex), from_birth(person.born),
        *map(escape, texts), identifiers_field(person.identifiers), str(person.died or ""),
    )  # fmt: skip
    return "\t".join(fields)


def parse_register(text: str) -> dict[int, Person]:
    """Return the players of a register's text; raise ValueError if it is malformed."""
    head, *lines, end = text.split("\n")
    if f"{head}\n" != REGISTER_HEAD or end:
        raise ValueError(head)
    people = map(_parse_person, lines)
    return {person.id: person for person in people}


def _parse_person(line: str) -> Person:
    number, name, federation, sex, born, *texts, identifiers, died = line.split("\t")
    title, women_title, other_titles, affiliation = map(unescape, texts)
    return Person(
        int(number), unescape(name), unescape(federation), unescape(sex), to_birth(born),
        title, women_title, other_titles, affiliation,
        parse_identifiers(identifiers), date.fromisoformat(died) if died else None,
    )  # fmt: skip
