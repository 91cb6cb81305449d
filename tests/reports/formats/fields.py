"""Every field of every format that Arpad reads, as the bytes before and after it, so that tests can insert anything."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from arpad.reports.formats.trf_columns import KNOWN, PLAYER
from tests.builders.trf import HEAD, PAIR
from tests.fuzz.corpus import EDITION, FACTS, GAMES, PDN, PGN, REGISTER
from tests.fuzz.readers import CORPUS

CROSSTABLE = """Manifestazione;Open
Inizio;05/01/2018
N.;Titolo;Nome;Sesso;Federazione;Nascita;Codice;Elo;K;Punti;Pos;T1
1;FM;Rossi, Ada;F;ITA;1990-05-17;900001;2010;20;1;1;2w1
2;;Neri, Ugo;M;ITA;1991;900002;1950;20;0;2;1b0
"""
GAMES_SHEET = """Event,Open
First day,2018-01-05
Round,Date,White,White ID,White Elo,Result,Black,Black ID,Black Elo
1,2018-01-05,Rossi,900001,2010,1-0 f,Neri,900002,1950
"""


class Field(NamedTuple):
    """One field of one format."""

    format: str
    name: str
    reader: str
    """Its name among ``tests.fuzz.readers.READERS``."""

    before: bytes
    after: bytes

    def __str__(self) -> str:
        return f"{self.format} {self.name}"


def every_field() -> Iterator[Field]:
    """The fields of all formats, each format once."""
    yield from _trf()
    for form, text in (("pgn", PGN.replace("; to the end", '; "to the end"')), ("pdn", PDN)):
        yield from _pieces(form, form, text, r'(?<=")[^"\n]*(?=")')
        yield from _pieces(form, form, text, r"(?<=\[)\w+|a \(comment\)|f4 exf4|Nf3|22-18|\A|\Z")
    yield from _pieces("crosstable", "sheet", CROSSTABLE, r"[^;\n]+")
    yield from _pieces("games sheet", "sheet", GAMES_SHEET, r"[^,\n]+")
    yield from _pieces("register", "register", REGISTER, r'[^;"\n]+')
    yield from _file("capitals", "capitals", "capitals/list.csv", r"[^,;\n]+")
    yield from _pieces("history", "history", GAMES, r"(?<=\n)[^,\n]+|(?<=,)[^,\n]+")
    yield from _pieces("facts", "facts", FACTS, r"(?<== )[^\n]+|(?<=\")\w+(?=\")|(?<=\.)\d+|\A")
    yield from _pieces("edition", "edition", EDITION, r"(?<== )[^\n{]+|(?<=\")[^\"\n]+(?=\")|\A")
    yield from _file("canonical", "canonical", "canonical/list.txt", r"[^\t\n]+")
    for name in ("header.txt", "list.csv", "both.xml"):
        yield from _file(f"list {name}", "rating-list", f"rating-list/{name}", r"[^\s<>,=\"/]+")
    for name in ("sheet", "strings"):
        yield from _file(f"workbook {name}", "workbook", f"workbook/{name}.xml", r"(?<=[>\"])[^<>\"]+")
    for number in (0, 1, 2):
        yield from _file("time control", "time-control", f"time-control/{number}.txt", r"\w+|\A|\Z")


def every_place() -> Iterator[Field]:
    """Every place of every good file where one kind of letter ends and another begins."""
    for path in sorted(CORPUS.glob("*/*")):
        data = path.read_bytes()
        if path.parent.name in _TEXTS and data.isascii() and b"\0" not in data[1:]:
            yield from _pieces(
                f"{path.parent.name}/{path.name}", path.parent.name, data.decode(), r"\b|(?<=\W)(?=\W)"
            )


_TEXTS = frozenset(
    "canonical capitals edition facts history pdn pgn rated rating-list register sheet time-control trf".split()
)


def _file(format: str, reader: str, place: str, pattern: str) -> Iterator[Field]:  # noqa: A002  the word of the formats
    return _pieces(format, reader, (CORPUS / place).read_text(), pattern)


def _pieces(format: str, reader: str, text: str, pattern: str) -> Iterator[Field]:  # noqa: A002  the word of the formats
    """Each piece of a good file that fits a pattern is a field."""
    for piece in re.finditer(pattern, text):
        yield Field(format, f"{piece[0][:12]}@{piece.start()}", reader, *_around(text, *piece.span()))


def _around(text: str, start: int, end: int) -> tuple[bytes, bytes]:
    return text[:start].encode(), text[end:].encode()


def _trf() -> Iterator[Field]:
    """Every record of the format, before a good tournament; and each column of a player."""
    rest = "".join(f"{line}\n" for line in (*HEAD, *PAIR))
    for tag in sorted(KNOWN | {"ITA", "###", "ZZZ"}):
        kept = "".join(f"{line}\n" for line in (*HEAD, *PAIR) if not line.startswith(tag) or tag == "001")
        yield Field("trf", tag, "rated", f"{tag} ".encode(), f"\n{kept}".encode())
        yield Field("trf", f"{tag} end", "trf", f"{tag} W 1.0 ".encode(), f" 1.0\n{kept}".encode())
    line = len(rest) - len(PAIR[1]) - 1
    places = {
        **{column.name: (column.first, column.last) for column in PLAYER.columns},
        "cell": (92, 99),
        "colour": (97, 97),
        "result": (99, 99),
        "after": (101, 101),
    }
    for name, (first, last) in places.items():
        yield Field("trf", f"001 {name}", "rated", *_around(rest, line + first - 1, line + last))
    yield Field("trf", "first line", "rated", b"", b"\n" + rest.encode())
    yield Field("trf", "last line", "rated", rest.encode(), b"")
