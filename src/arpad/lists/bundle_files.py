"""The files of a bundle that describe what a list is computed from, and their digests."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

STANDINGS, REGISTER = "standings.tsv", "register.tsv"


@dataclass(frozen=True)
class InputFiles:
    """The inputs of a list as the files of a bundle."""

    contents: Mapping[str, bytes]
    """The bytes of each file; of a draft without those of the states, if the list before has them."""

    digests: Mapping[str, str]
    """The SHA-256 of each file."""

    @property
    def digest(self) -> str:
        """The SHA-256 over everything the list is made from."""
        return inputs_digest(self.digests)


def file_digests(files: Mapping[str, bytes], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the SHA-256 of each file; some may be known."""
    digests = known or {}
    return {name: digests.get(name) or sha256(data).hexdigest() for name, data in files.items()}


def inputs_digest(digests: Mapping[str, str]) -> str:
    """Return the SHA-256 over the digests of the files of the inputs."""
    total = sha256()
    for name, digest in sorted(digests.items()):
        total.update(f"{name} {digest}\n".encode())
    return total.hexdigest()
