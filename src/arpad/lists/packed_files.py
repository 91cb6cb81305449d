"""Files in compressed parts, as a database keeps them: small files together, each large one alone."""

import json
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple

import polars as pl

from arpad.system.batches import InlineExecutor, table_threads

LARGE = 1 << 20
"""Bytes from which on a file is a part of its own."""

_THREADS = 2


class PackedPart(NamedTuple):
    """A part as it is stored."""

    part: int
    """Its number."""

    data: bytes
    digest: str

    def is_intact(self) -> bool:
        """Return whether the bytes have the digest of the part."""
        return sha256(self.data).hexdigest() == self.digest


class FilePacker:
    """Packs files as they come: a large one at once, small ones together at the end."""

    def __init__(self) -> None:
        """Begin without files."""
        self._large: dict[str, bytes] = {}
        self._small: dict[str, bytes] = {}

    def add(self, name: str, data: bytes) -> None:
        """Pack a file."""
        if len(data) < LARGE:
            self._small[name] = data
        else:
            self._large[name] = _packed(data)

    def parts(self) -> tuple[PackedPart, ...]:
        """Return the files as parts: first a line with the names of all and the small files, then each large file."""
        sizes = {name: len(data) for name, data in self._small.items()}
        names = json.dumps({"small": sizes, "large": [*self._large]})
        first = _packed(b"".join([names.encode(), b"\n", *self._small.values()]))
        packed = enumerate([first, *self._large.values()])
        return tuple(PackedPart(number, data, sha256(data).hexdigest()) for number, data in packed)


def _packed(data: bytes) -> bytes:
    """Return bytes compressed: few as one value, many as a column of small numbers, which is copied once less."""
    if len(data) < LARGE:
        column = pl.Series("data", [data], pl.Binary)
    else:
        import numpy as np  # a small office starts faster without it

        column = pl.Series("data", np.frombuffer(data, np.uint8))
    out = BytesIO()
    column.to_frame().write_ipc_stream(out, compression="zstd", compat_level=pl.CompatLevel.oldest())
    return out.getvalue()


def _unpacked(part: PackedPart) -> bytes:
    column = pl.read_ipc_stream(part.data)["data"]
    if column.dtype == pl.Binary:
        return bytes(column[0])
    return b"".join([piece.to_numpy().data for piece in column.get_chunks()])


def unpack_files(parts: Sequence[PackedPart]) -> dict[str, bytes]:
    """Return the files of parts whose bytes are intact, since Polars trusts what it reads."""
    with table_threads(_THREADS) if len(parts) > 1 else InlineExecutor() as threads:
        first, *large = threads.map(_unpacked, parts)
    start = first.index(b"\n") + 1
    names = json.loads(first[:start])
    files = dict(zip(names["large"], large, strict=True))
    for name, size in names["small"].items():
        files[name] = first[start : start + size]
        start += size
    return files
