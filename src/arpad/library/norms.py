"""The title norms of a report as rows and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arpad.explain.norm_documents import norm_document
from arpad.explain.words import load_words
from arpad.library.tables import Row, Rows
from arpad.model.exact import points
from arpad.model.rules import Edition, Finding
from arpad.rating.norm_report import PlayerNorms, ReportNorms
from arpad.regulations.chess.titles.rules import TitleRules


class Norms(Rows):
    """The title norms of a report, as ``Report.norms`` returns them.

    edition: the title regulations that decided
    findings: facts that the report lacks for them
    players: each with entrant, norms (one for each title) and outlooks (what the remaining rounds must bring)
    remaining: how many rounds are to come
    rows(language), to_polars(), to_pandas(), to_arrow(): one row for each player and title
    """

    __slots__ = ("_norms",)
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "number": int, "id": str, "name": str, "title": str, "norm": bool, "games": int, "score": float,
        "required": float, "average": int, "performance": int, "missing": str,
    }  # fmt: skip

    def __init__(self, norms: ReportNorms) -> None:
        self._norms = norms

    def __repr__(self) -> str:
        count = sum(norm.norm is True for player in self.players for norm in player.norms)
        return f"<arpad.Norms {count} norms, {len(self.players)} players, {self.edition.id}>"

    def __len__(self) -> int:
        return sum(len(player.norms) for player in self.players)

    @property
    def edition(self) -> Edition[TitleRules]:
        """The edition of the title regulations."""
        return self._norms.edition

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, gravest first."""
        return self._norms.findings

    @property
    def players(self) -> tuple[PlayerNorms, ...]:
        """The players with a title within reach."""
        return self._norms.players

    @property
    def remaining(self) -> int:
        """How many rounds are to come."""
        return self._norms.remaining

    def rows(self, language: str = "en") -> list[Row]:
        """Return one row for each player and title; ``missing`` says in a language what a norm lacks."""
        words = load_words(language)
        return [
            {
                "number": player.entrant.number,
                "id": player.entrant.id,
                "name": player.entrant.name,
                "title": str(norm.title),
                "norm": norm.norm,
                "games": norm.counted,
                "score": points(norm.score),
                "required": None if norm.needed is None else points(norm.needed),
                "average": norm.average,
                "performance": norm.performance,
                "missing": "; ".join(item.missing or "" for item in norm_document(norm, words).failed),
            }
            for player in self.players
            for norm in player.norms
        ]
