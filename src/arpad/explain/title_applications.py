"""The application for a title (IT2) as data, and its requirements in words.

A fact that nobody knows is named in ``missing`` and left empty: nothing is invented.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arpad.explain.words import Words
from arpad.model.rules import Confidence
from arpad.regulations.fide.titles.requirements import Requirement


@dataclass(frozen=True, slots=True)
class ApplicationFacts:
    """Facts that the register lacks."""

    id: str = ""
    """The player's FIDE ID."""

    birth: str = ""
    birth_place: str = ""
    reached_on: str = ""
    """The day on which the rating was reached, if no list shows it."""

    official: str = ""
    """The rating officer or president of the federation, who signs."""

    remarks: str = ""


@dataclass
class AppliedNorm:
    """A norm of an application; what only its report can tell is empty for a norm entered by hand."""

    norm: int
    title: str
    event: str
    place: str
    first_day: str
    last_day: str
    counts_as: int
    system: str = ""
    average: int | None = None
    played: int | None = None
    played_score: str = ""
    games: int | None = None
    score_needed: str = ""
    score: str = ""
    host_opponents: int | None = None
    foreign_opponents: int | None = None
    titled_opponents: int | None = None
    titles: Mapping[str, int] | None = None
    rated_opponents: int | None = None
    unrated_opponents: int | None = None


@dataclass
class TitleApplication:
    """The application for a title (IT2)."""

    title: str
    edition: str
    complete: bool
    federation: str
    family_name: str
    first_name: str
    id: str
    birth: str
    birth_place: str
    reached_on: str
    peak: int
    norms: Sequence[AppliedNorm]
    total_games: int
    official: str
    remarks: str
    missing: Sequence[str]
    without_report: Sequence[int]
    """The norms of which the office has no report: their figures are on the certificates."""


@dataclass(frozen=True, slots=True)
class TitleRequirement:
    """A requirement of an application; ``confidence`` says how surely the edition's value is known."""

    requirement: str
    article: str
    required: int
    actual: int
    met: bool
    confidence: Confidence


def title_requirement(item: Requirement) -> TitleRequirement:
    """Return a requirement of an application, whose values are counts and ratings."""
    return TitleRequirement(
        item.name, item.article, int(item.required), int(item.actual), item.holds, item.confidence
    )


def requirement_rows(requirements: Iterable[TitleRequirement], words: Words) -> list[list[str]]:
    """Return a row for each requirement: what, article, needed, there, and whether that is enough."""
    return [
        [
            words.text(f"title-requirement.{item.requirement}"),
            item.article,
            str(item.required),
            str(item.actual),
            words.text("value.yes" if item.met else "value.no"),
        ]
        for item in requirements
    ]
