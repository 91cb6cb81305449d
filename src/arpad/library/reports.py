"""A tournament report as a value: read it, check it, rate it, explain a player, find norms, write it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

from arpad.explain.documents import finding_document
from arpad.explain.rated_report import player_document
from arpad.explain.words import load_words
from arpad.library.calculations import Day, EditionChoice, chosen_list
from arpad.library.norms import Norms
from arpad.library.tables import Row, Rows
from arpad.library.values import PlayerGame, RatedPlayer, value_from
from arpad.library.words import in_words
from arpad.lists.rating_lookup import look_up_ratings, rate_listed, with_listed_ratings
from arpad.model.rules import Finding, Severity
from arpad.rating import arguments
from arpad.rating.event import refuse_draughts
from arpad.rating.norm_arguments import norm_options
from arpad.rating.norm_report import find_norms
from arpad.rating.preview import RatedEntrant, RatedReport
from arpad.reports.event_facts import facts_of
from arpad.reports.formats import format_names, pgn, read_bytes, read_report, write_report
from arpad.reports.player_choice import find_player
from arpad.reports.report import Entrant
from arpad.reports.report import Report as ReportValue

Source: TypeAlias = str | os.PathLike[str] | bytes
ListFile: TypeAlias = str | os.PathLike[str] | None
Facts: TypeAlias = Mapping[str, Any] | None


def read(source: Source, *, name: str = "", event: str | None = None) -> Report:
    """Read a tournament report: TRF, CSV, XLSX, PGN or PDN, by its content.

    source: the path of a file, or its bytes, with a file name as ``name``
    event: the one to take if a PGN has several
    Raises ``Unreadable``.

    >>> report = read(example("open.trf"))
    >>> report.event, len(report.players), report.first_day
    ('Open di Primavera', 15, datetime.date(2018, 4, 28))
    """
    path = None if isinstance(source, bytes) else Path(source)
    data = source if isinstance(source, bytes) else read_bytes(Path(source))
    called = name or (path.name if path else "")
    return Report(pgn.read(data, called, event) if event else read_report(data, called))


def example(name: str) -> Path:
    """Return the path of a report that comes with Arpad.

    They are ``open.trf`` and ``round-robin.trf``.
    """
    return Path(__file__).parent.parent / "examples" / Path(name).name


class Report:
    """A tournament report, as ``arpad.read`` returns it. Nothing about it is computed before it is asked for.

    event, city, federation, first_day, last_day, format: from the file (a day is None if the file has none)
    players: the entrants, with number, id, name, rating, title, federation and birth
    check(): every problem, with its line          rate(): what it is worth to each player
    explain(player): the same, game by game        norms(): title norms and what they lack
    write(format): its bytes in another format     losses(format): what that format cannot express

    Options of check, rate and explain: ``edition`` is a name (``fide-2024``), a TOML file or an ``Edition``; without
    it, the one in force on the first day. ``list`` is standard, rapid or blitz; without it, by the time control.
    ``ratings`` is the file of a rating list, which replaces the report's own ratings. ``facts`` are what a report does
    not say, as ``{"registered": date(2024, 5, 1)}``.
    """

    def __init__(self, report: ReportValue) -> None:
        self._report = report
        self.event: Final = report.header.name
        self.city: Final = report.header.city
        self.federation: Final = report.header.federation
        self.first_day: Final = report.header.first_day
        self.last_day: Final = report.header.last_day
        self.format: Final = report.format
        self.players: Final = report.entrants

    def __repr__(self) -> str:
        return f"<arpad.Report {self.event!r}, {len(self.players)} players, {self.format}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._report == other._report

    def __hash__(self) -> int:
        return hash((self.event, self.first_day, len(self.players)))

    def check(
        self,
        *,
        edition: EditionChoice = None,
        list: str | None = None,  # noqa: A002  the name of the option
        ratings: ListFile = None,
        facts: Facts = None,
    ) -> Check:
        """Return every problem of the report, with line and article (``arpad check``)."""
        return Check(self._rated(edition, list, ratings, facts).findings)

    def rate(
        self,
        *,
        edition: EditionChoice = None,
        list: str | None = None,  # noqa: A002  the name of the option
        ratings: ListFile = None,
        facts: Facts = None,
    ) -> Rating:
        """Return what the event is worth to every player (``arpad rate``)."""
        return Rating(self._rated(edition, list, ratings, facts))

    def explain(
        self,
        player: int | str,
        *,
        edition: EditionChoice = None,
        list: str | None = None,  # noqa: A002  the name of the option
        ratings: ListFile = None,
        facts: Facts = None,
    ) -> Explanation:
        """Explain one player, by start number, id or name, game by game (``arpad explain``)."""
        return Rating(self._rated(edition, list, ratings, facts)).explain(player)

    def _rated(
        self, edition: EditionChoice, on_list: str | None, ratings: ListFile, facts: Facts
    ) -> RatedReport:
        refuse_draughts(self._report)
        lookup = look_up_ratings(Path(ratings), [self._report]) if ratings is not None else None
        chosen = arguments.choose_edition(edition) if isinstance(edition, str) else edition
        known = facts_of(facts or {})
        if on_list is not None:
            known = replace(known, list=chosen_list(on_list))
        return rate_listed(self._report, lookup, facts=known, edition=chosen)

    def norms(
        self,
        player: int | str | None = None,
        *,
        title: Sequence[str] = (),
        ratings: ListFile = None,
        system: str | None = None,
        kind: str | None = None,
        host: str | None = None,
        rounds: int | None = None,
        edition: str | None = None,
        date: Day | None = None,
        lang: str = "en",
    ) -> Norms:
        """Return the title norms: each player's titles within reach, or those asked for (``arpad norms``)."""
        report = self._report if ratings is None else with_listed_ratings(self._report, Path(ratings))
        options = norm_options(
            edition=edition, day=date, system=system, kind=kind, host=host,
            titles=[title] if isinstance(title, str) else title,
            rounds=None if rounds is None else str(rounds),
            player=None if player is None else _entrant(report, player).number,
        )  # fmt: skip
        return Norms(find_norms(report, options), lang)

    def write(self, format: str) -> bytes:  # noqa: A002  the word that callers use
        """Return the report in another format, by its name in ``formats()`` (``arpad convert``)."""
        return write_report(self._report, format)[0]

    def losses(self, format: str) -> Check:  # noqa: A002  the word that callers use
        """Return findings about what another format cannot express."""
        return Check(write_report(self._report, format)[1])


def formats() -> tuple[str, ...]:
    """Return the names of the formats that a report can be written in.

    >>> formats()[:4]
    ('pdn', 'pgn', 'trf16', 'trfx')
    """
    return format_names()


class Check(Rows):
    """The findings about a report, gravest first.

    findings: each with severity, code, article, line, column and player
    ready: whether there is no error among them
    rows(lang), to_polars(), to_pandas(), to_arrow(): one row for each finding, with its sentence as message
    """

    __slots__ = ("findings",)
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "severity": str, "code": str, "article": str, "line": int, "column": int, "player": int, "round": int,
        "message": str, "cell": str,
    }  # fmt: skip

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)

    def __repr__(self) -> str:
        counts = {name: sum(item.severity == name for item in self.findings) for name in Severity}
        return f"<arpad.Check {', '.join(f'{count} {name}' for name, count in counts.items())}>"

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def ready(self) -> bool:
        """Whether the report has no error: it can be rated as it is."""
        return all(finding.severity != Severity.ERROR for finding in self.findings)

    def rows(self, lang: str = "en") -> list[Row]:
        """Return one row for each finding, with its sentence in a language."""
        words = load_words(lang)
        documents = [finding_document(finding, words) for finding in self.findings]
        return [{name: getattr(document, name) for name in self.COLUMNS} for document in documents]


class Rating(Rows):
    """A rated report, as ``Report.rate`` returns it.

    event, city, federation, first_day, last_day: the tournament
    edition, list: the rules and the list that it was rated by (edition is None if none was in force)
    format, treated_as: how it was played (swiss, round-robin, match, team …), and by which articles it counts
    findings: what was found on the way
    players: the results; each has the columns of the table as attributes, initial, games and steps
    explain(player): one of them, game by game
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each player
    """

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "number": int, "id": str, "name": str, "rating": int, "k": int, "k_applied": int, "score": float,
        "rated_games": int, "expected": float, "change": float, "change_rounded": int, "new_rating": int,
        "initial_rating": int, "initial_games": int, "initial_reason": str,
    }  # fmt: skip

    def __init__(self, rated: RatedReport) -> None:
        header = rated.report.header
        self.event: Final = header.name
        self.city: Final = header.city
        self.federation: Final = header.federation
        self.first_day: Final = header.first_day
        self.last_day: Final = header.last_day
        self.edition: Final = rated.edition.id if rated.edition else None
        self.list: Final = str(rated.on_list)
        self.format: Final = str(rated.kind)
        self.treated_as: Final = str(rated.treated_as)
        self.findings: Final = rated.findings
        self._entrants = rated.players

    def __repr__(self) -> str:
        return f"<arpad.Rating {len(self)} players, {self.list}, {self.edition}>"

    def __len__(self) -> int:
        return len(self._entrants)

    @cached_property
    def players(self) -> tuple[RatedPlayer, ...]:
        """The results of the players, in the order of the report."""
        return tuple(_rated_player(entrant) for entrant in self._entrants)

    def explain(self, player: int | str) -> Explanation:
        """Explain one player, by start number, id or name."""
        return Explanation(
            find_player(self.players, str(player), lambda item: (item.number, item.id or "", item.name))
        )

    def rows(self) -> list[Row]:
        """Return one row for each player; score, expected score and change are exact fractions."""
        return [{name: getattr(player, name) for name in self.COLUMNS} for player in self.players]


class Explanation(Rows):
    """One player of a report: the games, and the steps from them to the new rating.

    player: the result, with name, rating, k, score, change, new_rating, games …
    steps: from the games to the new rating
    in_words(lang): each step as its article and a sentence
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each round
    """

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "round": int, "opponent": int, "opponent_rating": int, "score": float, "rated": bool, "reason": str,
        "article": str, "difference": int, "expected": float, "change": float,
    }  # fmt: skip

    def __init__(self, player: RatedPlayer) -> None:
        self.player: Final = player
        self.steps: Final = player.steps

    def __repr__(self) -> str:
        return f"<arpad.Explanation {self.player.name!r}>"

    def in_words(self, lang: str = "en") -> list[tuple[str, str]]:
        """Return each step as its article and a sentence."""
        return in_words(self.steps, lang)

    def rows(self) -> list[Row]:
        """Return one row for each round; score, expected score and change are exact fractions."""
        return [{name: getattr(game, name) for name in self.COLUMNS} for game in self.player.games]


def _rated_player(entrant: RatedEntrant) -> RatedPlayer:
    """Return what the event is worth to a player, with the names of the document."""
    document = player_document(entrant, load_words("en"))
    games = [
        value_from(PlayerGame, shown, steps=cell.change.steps if cell.change else ())
        for shown, cell in zip(document.games, entrant.games, strict=True)
    ]
    return value_from(RatedPlayer, document, games=tuple(games), steps=entrant.derivation)


def _entrant(report: ReportValue, player: int | str) -> Entrant:
    return find_player(
        report.entrants, str(player), lambda entrant: (entrant.number, entrant.id, entrant.name)
    )
