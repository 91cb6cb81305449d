"""The result of a verification, of a bundle or of an office."""

from collections.abc import Mapping
from dataclasses import dataclass

from arpad.model.rules import Alteration


@dataclass(frozen=True, slots=True)
class Uncompared:
    """The tables of features that are not there, and the kinds of acts of which nobody knows what they write."""

    tables: tuple[str, ...]
    verbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification: the alterations, if any."""

    subject: str
    """``office`` or ``bundle``."""

    altered: tuple[Alteration, ...]
    counted: Mapping[str, int]
    whole_digest: str = ""
    """The digest of the published list, if the bundle leaves off players who asked not to be shown."""

    erased: tuple[Alteration, ...] = ()
    """Players that the office erased, with the day and the author."""

    stale: tuple[Alteration, ...] = ()
    """Stored drafts and live lists of an earlier state, which were not compared."""

    later: tuple[Alteration, ...] = ()
    """Acts that were entered later than their time says."""

    uncompared: Uncompared | None = None
    """What was not compared, since this installation does not have its features."""

    @property
    def intact(self) -> bool:
        """Whether everything is as it was published."""
        return not self.altered


def first_difference(computed: bytes, listed: bytes) -> Alteration:
    """Return the first line in which a list differs from the computed one."""
    ours, theirs = computed.split(b"\n"), listed.split(b"\n")
    for number, (our_line, line) in enumerate(zip(ours, theirs, strict=False), start=1):
        if our_line != line:
            text = line.decode("utf-8", "replace").replace("\t", " ")[:60]
            return Alteration("list-line", {"line": number, "text": text})
    return Alteration("list-line", {"line": min(len(ours), len(theirs)), "text": ""})
