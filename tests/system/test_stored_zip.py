"""A ZIP written from its first byte to its last is the one that ``zipfile`` writes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO

import pytest

from arpad.system.stored_zip import LARGEST, stored_zip

Members = list[tuple[str, bytes]]


def by_zipfile(members: Members) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


@pytest.mark.parametrize(
    "members",
    [
        [],
        [("manifest.json", b"{}\n"), ("events/1.report", bytes(range(256)) * 99), ("decisions.jsonl", b"")],
        [("editions/Société.toml", b"x"), ("b", b""), ("a", b"y")],
        [(f"events/{number}", b"") for number in range(65_535)],
        [(f"events/{number}", b"") for number in range(65_536)],
    ],
    ids=["empty", "some", "names", "most", "more"],
)
def test_a_stored_zip_is_that_of_zipfile(members: Members) -> None:
    assert b"".join(stored_zip(members)) == by_zipfile(members)


def test_a_zip_whose_members_cannot_be_reached_is_refused() -> None:
    class Large(bytes):
        def __len__(self) -> int:
            return LARGEST // 2

    def members() -> Iterable[tuple[str, bytes]]:
        yield from (("a", Large()), ("b", Large()))

    parts: Iterator[bytes] = stored_zip(members())
    with pytest.raises(OSError, match="File too large"):
        list(parts)
