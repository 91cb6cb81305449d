"""Files in compressed parts, as a database keeps them."""

from hypothesis import given
from hypothesis import strategies as st

from arpad.lists.packed_files import LARGE, FilePacker, unpack_files


@given(st.dictionaries(st.text(), st.binary(max_size=20)))
def test_files_come_back_as_they_were(files: dict[str, bytes]) -> None:
    packer = FilePacker()
    for name, data in files.items():
        packer.add(name, data)

    parts = packer.parts()

    assert unpack_files(parts) == files
    assert all(part.is_intact() for part in parts)


def test_each_large_file_is_a_part_of_its_own() -> None:
    large, small = b"players\n" * (LARGE // 8), b"period"
    packer = FilePacker()
    packer.add("register.tsv", large)
    packer.add("period.json", small)
    packer.add("standings.tsv", large + small)

    parts = packer.parts()

    assert [part.part for part in parts] == [0, 1, 2]
    assert sum(len(part.data) for part in parts) < LARGE
    assert unpack_files(parts) == {
        "register.tsv": large,
        "standings.tsv": large + small,
        "period.json": small,
    }


def test_an_altered_part_is_not_intact() -> None:
    packer = FilePacker()
    packer.add("period.json", b"{}")
    (part,) = packer.parts()

    assert not part._replace(data=part.data[:-1]).is_intact()
