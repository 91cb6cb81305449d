"""Files in compressed parts, as a database keeps them: a part is a table of names and bytes.

A file that is longer than a part continues in the next one, so that several processors compress them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple

import polars as pl

from arpad.system.batches import AtOnce

PART = 16 << 20
"""Bytes of a part before they are compressed."""

_SCHEMA = {"name": pl.String, "data": pl.Binary}
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


def pack_files(files: Mapping[str, bytes]) -> list[PackedPart]:
    """Return files as parts."""
    parts = list(_parts(files))
    with ThreadPoolExecutor(_THREADS) if len(parts) > 1 else AtOnce() as threads:
        packed = list(threads.map(_packed, parts))
    return [PackedPart(number, data, sha256(data).hexdigest()) for number, data in enumerate(packed)]


def _parts(files: Mapping[str, bytes]) -> Iterator[list[tuple[str, bytes]]]:
    """Yield the names and bytes of each part."""
    part: list[tuple[str, bytes]] = []
    size = 0
    for name, data in files.items():
        for start in range(0, len(data) or 1, PART):
            piece = data[start : start + PART]
            if part and size + len(piece) > PART:
                yield part
                part, size = [], 0
            part.append((name, piece))
            size += len(piece)
    if part:
        yield part


def _packed(part: list[tuple[str, bytes]]) -> bytes:
    names, pieces = zip(*part, strict=True)
    out = BytesIO()
    table = pl.DataFrame({"name": names, "data": pieces}, schema=_SCHEMA)
    table.write_ipc_stream(out, compression="lz4", compat_level=pl.CompatLevel.oldest())
    return out.getvalue()


def unpack_files(parts: Iterable[PackedPart]) -> dict[str, bytes]:
    """Return the files of parts whose bytes are intact, since Polars trusts what it reads."""
    pieces: dict[str, list[bytes]] = {}
    with ThreadPoolExecutor(_THREADS) as threads:
        for table in threads.map(pl.read_ipc_stream, [part.data for part in parts]):
            for name, data in table.iter_rows():
                pieces.setdefault(name, []).append(data)
    return {name: several[0] if len(several) == 1 else b"".join(several) for name, several in pieces.items()}
