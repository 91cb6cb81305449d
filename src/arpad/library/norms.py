"""The title norms of a report as values, rows and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arpad.explain.norm_documents import NormDocument, report_norms_document
from arpad.explain.words import load_words
from arpad.library.tables import Row, Rows
from arpad.library.values import Norm, PlayerNorms, Requirement, value_from
from arpad.model.rules import Finding
from arpad.rating.norm_report import ReportNorms
from arpad.rating.norms import Norm as NormResult


class Norms(Rows):
    """The title norms of a report, as ``Report.norms`` returns them.

    event, edition, system, kind, host, rounds, played, strong_field, big_swiss: the tournament and its title edition
    findings: facts that the report lacks for them
    players: each with number, id, name, title, federation, rating and norms, one for each title sought;
        a norm has norm, games, score, required, average, performance, requirements, missing, outlook …
    remaining: how many rounds are to come
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each player and title sought
    """

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "number": int, "id": str, "name": str, "title": str, "norm": bool, "games": int, "score": float,
        "required": float, "average": int, "performance": int, "missing": str,
    }  # fmt: skip

    def __init__(self, norms: ReportNorms, lang: str = "en") -> None:
        document = report_norms_document(norms, load_words(lang))
        self.event: str = document.event
        self.edition: str = document.edition
        self.system: str = document.system
        self.kind: str | None = document.kind
        self.host: str | None = document.host
        self.rounds: int = document.rounds
        self.played: int = document.played
        self.remaining: int = norms.remaining
        self.strong_field: bool = document.strong_field
        self.big_swiss: str = document.big_swiss
        self.findings: tuple[Finding, ...] = norms.findings
        self.players: tuple[PlayerNorms, ...] = tuple(
            value_from(
                PlayerNorms,
                shown,
                norms=tuple(
                    norm_value(norm, norm_shown)
                    for norm, norm_shown in zip(player.norms, shown.norms, strict=True)
                ),
            )
            for player, shown in zip(norms.players, document.players, strict=True)
        )

    def __repr__(self) -> str:
        count = sum(norm.norm is True for player in self.players for norm in player.norms)
        return f"<arpad.Norms {count} norms, {len(self.players)} players, {self.edition}>"

    def __len__(self) -> int:
        return sum(len(player.norms) for player in self.players)

    def rows(self) -> list[Row]:
        """Return one row for each player and title; ``missing`` says in words what a norm lacks."""
        of_player = ("number", "id", "name")
        return [
            {name: getattr(player if name in of_player else norm, name) for name in self.COLUMNS}
            for player in self.players
            for norm in player.norms
        ]


def norm_value(norm: NormResult, document: NormDocument) -> Norm:
    """Return a norm with the names of its document; what is required and reached stays exact."""
    requirements = {
        item: value_from(Requirement, shown, required=item.required, actual=item.actual)
        for item, shown in zip(norm.requirements, document.requirements, strict=True)
    }
    return value_from(
        Norm,
        document,
        failed=tuple(requirements[item] for item in norm.failed),
        requirements=tuple(requirements.values()),
    )
