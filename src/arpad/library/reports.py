"""A tournament report as a value: read it, check it, rate it, explain a player, find norms, write it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Final

from arpad.explain.documents import finding_document
from arpad.explain.rated_report import player_document
from arpad.explain.words import load_words
from arpad.library.calculations import chosen_list
from arpad.library.norms import Norms
from arpad.library.tables import Row, Rows
from arpad.library.words import explained, in_words
from arpad.lists.rating_lookup import look_up_ratings, rate_listed, with_listed_ratings
from arpad.model.rules import Edition, Finding, ListName, Severity
from arpad.rating import arguments
from arpad.rating.event import refuse_draughts
from arpad.rating.norm_arguments import norm_options
from arpad.rating.norm_report import find_norms
from arpad.rating.preview import RatedEntrant, RatedReport
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.event_facts import EventFacts, facts_of
from arpad.reports.formats import format_names, pgn, read_bytes, read_report, write_report
from arpad.reports.player_choice import find_player
from arpad.reports.report import Entrant
from arpad.reports.report import Report as ReportValue

Source = str | os.PathLike[str] | bytes
EditionChoice = str | Edition[ChessRules] | None
Facts = Mapping[str, Any] | None


def read(source: Source, *, name: str = "", event: str | None = None) -> Report:
    """Read a tournament report: the path of a file or its bytes; TRF, CSV, XLSX, PGN or PDN, by its content.

    ``name`` is a file name for bytes; ``event`` is the one to take if a PGN has several. Raises ``Unreadable``.

    >>> report = read(example("open.trf"))
    >>> report.name, len(report.players), report.first_day
    ('Open di Primavera', 15, datetime.date(2018, 4, 28))
    """
    with explained():
        path = None if isinstance(source, bytes) else Path(source)
        data = source if isinstance(source, bytes) else read_bytes(Path(source))
        called = name or (path.name if path else "")
        return Report(pgn.read(data, called, event) if event else read_report(data, called))


def example(name: str) -> Path:
    """Return the path of a report that comes with Arpad: ``open.trf`` or ``round-robin.trf``."""
    return Path(__file__).parent.parent / "examples" / Path(name).name


class Report:
    """A tournament report, as ``arpad.read`` returns it. Nothing about it is computed before it is asked for.

    name, city, federation, first_day, last_day, format: from the file (a day is None if the file has none)
    players: the entrants, with number, id, name, rating, title, federation and birth
    check(): every problem, with its line          rate(): what it is worth to each player
    explain(player): the same, game by game        norms(): title norms and what they lack
    write(format): its bytes in another format     losses(format): what that format cannot express

    Options of check, rate and explain: ``edition`` is a name (``fide-2024``), a TOML file or an ``Edition``; without
    it, the one in force on the first day. ``on_list`` is standard, rapid or blitz; without it, by the time control.
    ``ratings`` is the file of a rating list, which replaces the report's own ratings. ``facts`` are what a report does
    not say, as ``{"registered": date(2024, 5, 1)}``.
    """

    def __init__(self, report: ReportValue) -> None:
        self._report = report
        self.name: Final = report.header.name
        self.city: Final = report.header.city
        self.federation: Final = report.header.federation
        self.first_day: Final = report.header.first_day
        self.last_day: Final = report.header.last_day
        self.format: Final = report.format
        self.players: Final = report.entrants

    def __repr__(self) -> str:
        return f"<arpad.Report {self.name!r}, {len(self.players)} players, {self.format}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._report == other._report

    def __hash__(self) -> int:
        return hash((self.name, self.first_day, len(self.players)))

    def check(
        self,
        *,
        edition: EditionChoice = None,
        on_list: str | None = None,
        ratings: str | os.PathLike[str] | None = None,
        facts: Facts = None,
    ) -> Check:
        """Return every problem of the report, with line and article (``arpad check``)."""
        return Check(self.rate(edition=edition, on_list=on_list, ratings=ratings, facts=facts).findings)

    def rate(
        self,
        *,
        edition: EditionChoice = None,
        on_list: str | None = None,
        ratings: str | os.PathLike[str] | None = None,
        facts: Facts = None,
    ) -> Rating:
        """Return what the event is worth to every player (``arpad rate``)."""
        with explained():
            refuse_draughts(self._report)
            lookup = look_up_ratings(Path(ratings), [self._report]) if ratings is not None else None
            return Rating(
                rate_listed(
                    self._report, lookup, facts=_event_facts(facts, on_list), edition=_edition(edition)
                )
            )

    def explain(
        self,
        player: int | str,
        *,
        edition: EditionChoice = None,
        on_list: str | None = None,
        ratings: str | os.PathLike[str] | None = None,
        facts: Facts = None,
    ) -> Explanation:
        """Explain one player, by start number, id or name, game by game (``arpad explain``)."""
        rating = self.rate(edition=edition, on_list=on_list, ratings=ratings, facts=facts)
        return rating.explain(player)

    def norms(
        self,
        player: int | str | None = None,
        *,
        titles: Sequence[str] = (),
        ratings: str | os.PathLike[str] | None = None,
        system: str | None = None,
        kind: str | None = None,
        host: str | None = None,
        rounds: int | None = None,
        edition: str | None = None,
        day: date | None = None,
    ) -> Norms:
        """Return the title norms: each player's titles within reach, or those asked for (``arpad norms``)."""
        with explained():
            report = self._report if ratings is None else with_listed_ratings(self._report, Path(ratings))
            options = norm_options(
                edition=edition, day=day, system=system, kind=kind, host=host, titles=titles,
                rounds=None if rounds is None else str(rounds),
                player=None if player is None else _entrant(report, player).number,
            )  # fmt: skip
            return Norms(find_norms(report, options))

    def write(self, format: str) -> bytes:  # noqa: A002  the word that callers use
        """Return the report in another format, by its name in ``formats()`` (``arpad convert``)."""
        with explained():
            return write_report(self._report, format)[0]

    def losses(self, format: str) -> Check:  # noqa: A002  the word that callers use
        """Return findings about what another format cannot express."""
        with explained():
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
    rows(language), to_polars(), to_pandas(), to_arrow(): one row for each finding
    """

    __slots__ = ("findings",)
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "severity": str, "code": str, "article": str, "line": int, "column": int, "player": int, "round": int,
        "message": str,
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

    def rows(self, language: str = "en") -> list[Row]:
        """Return one row for each finding, with its sentence in a language."""
        words = load_words(language)
        documents = [finding_document(finding, words) for finding in self.findings]
        return [{name: getattr(document, name) for name in self.COLUMNS} for document in documents]


class Rating(Rows):
    """A rated report, as ``Report.rate`` returns it.

    edition, on_list: the rules and the list that it was rated by
    findings: what was found on the way
    players: the results, each with its entrant, rating, k, score, change, initial and games
    explain(player): one of them, game by game
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each player
    """

    __slots__ = ("_rated",)
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "number": int, "id": str, "name": str, "rating": int, "k": int, "score": float, "rated_games": int,
        "expected": float, "change": float, "change_rounded": int, "new_rating": int, "initial_rating": int,
        "initial_games": int,
    }  # fmt: skip

    def __init__(self, rated: RatedReport) -> None:
        self._rated = rated

    def __repr__(self) -> str:
        edition = self.edition.id if self.edition else None
        return f"<arpad.Rating {len(self.players)} players, {self.on_list}, {edition}>"

    def __len__(self) -> int:
        return len(self.players)

    @property
    def edition(self) -> Edition[ChessRules] | None:
        """The edition, None if none was in force."""
        return self._rated.edition

    @property
    def on_list(self) -> ListName:
        """The list: standard, rapid or blitz."""
        return self._rated.on_list

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, gravest first."""
        return self._rated.findings

    @property
    def players(self) -> tuple[RatedEntrant, ...]:
        """The results of the players, in the order of the report."""
        return self._rated.players

    def explain(self, player: int | str) -> Explanation:
        """Explain one player, by start number, id or name."""
        with explained():
            result = find_player(
                self.players,
                str(player),
                lambda item: (item.entrant.number, item.entrant.id, item.entrant.name),
            )
        return Explanation(result)

    def rows(self) -> list[Row]:
        """Return one row for each player; score, expected score and change are exact fractions."""
        words = load_words("en")
        documents = [player_document(player, words) for player in self.players]
        return [
            _exact(document, self.COLUMNS)
            | {f"initial_{name}": getattr(document.initial, name, None) for name in ("rating", "games")}
            for document in documents
        ]


class Explanation(Rows):
    """One player of a report: the games, and the steps from them to the new rating.

    player: the result, with entrant, rating, k, score, change or initial, and derivation (its steps)
    in_words(language): each step as its article and a sentence
    rows(), to_polars(), to_pandas(), to_arrow(): one row for each round
    """

    __slots__ = ("player",)
    COLUMNS: ClassVar[Mapping[str, type]] = {
        "round": int, "opponent": int, "opponent_rating": int, "score": float, "rated": bool, "reason": str,
        "article": str, "difference": int, "expected": float, "change": float,
    }  # fmt: skip

    def __init__(self, player: RatedEntrant) -> None:
        self.player = player

    def __repr__(self) -> str:
        return f"<arpad.Explanation {self.player.entrant.name!r}>"

    def in_words(self, language: str = "en") -> list[tuple[str, str]]:
        """Return each step as its article and a sentence."""
        return in_words(self.player.derivation, language)

    def rows(self) -> list[Row]:
        """Return one row for each round; score, expected score and change are exact fractions."""
        games = player_document(self.player, load_words("en")).games
        return [_exact(game, self.COLUMNS) for game in games]


def _exact(document: Any, columns: Mapping[str, type]) -> Row:
    """Return the fields of a document as values: its decimal texts are exact, and become fractions."""
    values = {name: getattr(document, name, None) for name in columns}
    return {
        name: Fraction(value) if columns[name] is float and value is not None else value
        for name, value in values.items()
    }


def _edition(choice: EditionChoice) -> Edition[ChessRules] | None:
    return choice if choice is None or isinstance(choice, Edition) else arguments.choose_edition(choice)


def _event_facts(facts: Facts, on_list: str | None) -> EventFacts:
    known = facts_of(facts or {})
    return known if on_list is None else replace(known, list=chosen_list(on_list))


def _entrant(report: ReportValue, player: int | str) -> Entrant:
    return find_player(
        report.entrants, str(player), lambda entrant: (entrant.number, entrant.id, entrant.name)
    )
