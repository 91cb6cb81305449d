"""Hostile changes of a valid input: of bytes, lines, fields, numbers and nesting, each drawn from a seed."""

import re
from collections.abc import Callable, Sequence
from random import Random

LONGEST = 60_000
"""A longer input is read in another process, which would be most of the time."""

NUMBERS = (
    b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"9" * 400, b"2147483648", b"0x10", b"1/0", b"00",
    b"\xd9\xa3",
)  # fmt: skip
TOKENS = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n\r\n", b"\t" * 50, b'"', b"'", b"`", b"<script>", b"</",
    b"<![CDATA[", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"{{ 7 * 7 }}", b"%00", b"%ff", b"../../etc/passwd",
    b"' OR 1=1 --", b";", b"{", b"}", b"[" * 2000, b"(" * 2000, b'{"a":' * 500, b"\xe2\x80\xae", b"\xcc\x81" * 300,
    b"\xf0\x9f\x99\x82", b"=1+1", b"@SUM(A1)", b"a" * 5000, b" " * 5000, b"0" * 5000, b"-" * 3000, b"aA" * 2500,
    b"9999-99-99", b"0000-00-00", b"2018-02-30", b"31/12/99", b"\x1b[2J", b"\\", b"\\u0000", b"\xed\xa0\x80", b"null",
    b"true", b"NaN", b"-0", b"__proto__", b"PK\x03\x04", b"%PDF-1.7",
)  # fmt: skip
_NUMBER = re.compile(rb"\d+")
_FIELD = re.compile(rb"[,;|\t=&]")

Change = Callable[[Random, bytes, Sequence[bytes]], bytes]


def _cut(random: Random, data: bytes) -> tuple[int, int]:
    """Return a short stretch of the data."""
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice((1, 1, 2, 4, 16, 64)))


def _flip(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 32)) if data else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _insert(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    start, _ = _cut(random, data)
    return data[:start] + random.choice(TOKENS) + data[start:]


def _replace(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    start, end = _cut(random, data)
    return data[:start] + random.choice(TOKENS) + data[end:]


def _delete(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    start, end = _cut(random, data)
    return data[:start] + data[end:]


def _truncate(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _number(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    matches = list(_NUMBER.finditer(data))
    if not matches:
        return data + random.choice(NUMBERS)
    match = random.choice(matches)
    return data[: match.start()] + random.choice(NUMBERS) + data[match.end() :]


def _lines(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    """Delete, double, exchange or repeat lines."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(4)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines.insert(second, lines[first])
    elif kind == 2:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines[first] *= random.choice((10, 100, 1000))
    return b"".join(lines)


def _fields(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    """Exchange two fields, or empty one."""
    separators = _FIELD.findall(data)
    fields = _FIELD.split(data)
    first, second = random.randrange(len(fields)), random.randrange(len(fields))
    fields[first], fields[second] = (
        (fields[second], fields[first]) if random.random() < 0.5 else (b"", fields[second])
    )
    return b"".join(part for pair in zip(fields, [*separators, b""], strict=True) for part in pair)


def _splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _encode(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(
        random.choice(("utf-16", "utf-32", "utf-16-be", "cp1252", "cp850", "utf-7")), "replace"
    )


CHANGES: tuple[Change, ...] = (
    _flip, _insert, _replace, _delete, _truncate, _number, _number, _lines, _fields, _splice, _encode,
)  # fmt: skip


def mutate(random: Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Return a hostile neighbour of an input: some changes, one after the other."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        data = random.choice(CHANGES)(random, data, others)[:LONGEST]
    return data
