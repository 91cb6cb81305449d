"""The certificate of a norm (IT1), the application for a title (IT2) and the report of a tournament (IT3) as PDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from arpad.explain.certificates import NormCertificate, TournamentReport
from arpad.explain.edition_names import edition_name
from arpad.explain.templates import typeset
from arpad.explain.time_controls import time_control_text
from arpad.explain.title_applications import AppliedNorm, TitleApplication
from arpad.explain.words import Words
from arpad.model.exact import read_number


@dataclass(frozen=True, slots=True)
class Pair:
    """A field of a form; an empty value becomes a line to write on."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class FormSection:
    """Fields under one heading."""

    title: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class FormTable:
    """A table of a form; faint rows are those that do not count."""

    title: str
    headings: tuple[str, ...]
    sides: str
    widths: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    faint: tuple[bool, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A line to sign on, with the name above it."""

    name: str
    label: str


def norm_pdf(certificate: NormCertificate, words: Words) -> bytes:
    """Return the certificate of a norm on A4 (B.01 1.8)."""
    titles = [(f"title-{title}", str(number)) for title, number in certificate.titles.items()]
    sections = [
        _section(
            words,
            "player",
            [
                ("family_name", certificate.family_name),
                ("first_name", certificate.first_name),
                ("id", certificate.id),
                ("federation", certificate.federation),
            ],
        ),
        _section(
            words,
            "event",
            [
                *_event(certificate, words),
                ("rate_of_play", time_control_text(certificate.rate_of_play, words)),
            ],
        ),
        _section(
            words,
            "opponents",
            [
                ("games", str(certificate.games)),
                ("federations", str(certificate.federations)),
                ("foreign_opponents", str(certificate.foreign_opponents)),
                ("host_opponents", str(certificate.host_opponents)),
                ("rated_opponents", str(certificate.rated_opponents)),
                ("titled_opponents", str(certificate.titled_opponents)),
                *titles,
            ],
        ),
        _section(
            words,
            "result",
            [
                ("average", str(certificate.average)),
                ("score_needed", _points(certificate.score_needed, words)),
                ("score", _points(certificate.score, words)),
                ("above", _points(certificate.above, words)),
                ("counts_as", str(certificate.counts_as)),
            ],
        ),
    ]
    return typeset(
        "certificate",
        {
            "language": words.language,
            "form": "IT1",
            "title": words.text("certificate.it1", title=certificate.title),
            "subtitle": ", ".join(part for part in (certificate.family_name, certificate.first_name) if part),
            "footer": words.text("certificate.footer", edition=edition_name(certificate.edition, words)),
            "sections": sections,
            "tables": [_rounds(certificate, words)],
            "remarks": list(_remarks(certificate, words)),
            "missing": _missing(certificate.missing, words),
            "signatures": [
                Signature(certificate.chief_arbiter, words.text("certificate.sign-arbiter")),
                Signature(certificate.official, words.text("certificate.sign-federation")),
                Signature("", words.text("certificate.sign-day")),
            ],
        },
    )


def _section(words: Words, title: str, pairs: Sequence[tuple[str, str]]) -> FormSection:
    return FormSection(
        words.text(f"certificate.part-{title}"),
        tuple(Pair(words.text(f"certificate.{name}"), value) for name, value in pairs),
    )


def _event(form: NormCertificate | TournamentReport, words: Words) -> list[tuple[str, str]]:
    return [
        ("event", form.event),
        ("place", form.place),
        ("first_day", _day(form.first_day, words)),
        ("last_day", _day(form.last_day, words)),
        ("chief_arbiter", form.chief_arbiter),
        ("chief_arbiter_id", form.chief_arbiter_id),
    ]


def _day(text: str, words: Words) -> str:
    return words.day(date.fromisoformat(text)) if text else ""


def _points(text: str, words: Words) -> str:
    return words.number(read_number(text) or 0)


def _rounds(certificate: NormCertificate, words: Words) -> FormTable:
    names = ("round", "opponent", "id", "federation", "rating", "raised", "title", "score")
    return FormTable(
        words.text("certificate.part-rounds"),
        tuple(words.text(f"certificate.column-{name}") for name in names),
        "rlrcrrcc",
        (12, 0, 22, 14, 15, 20, 14, 14),
        tuple(
            (
                str(row.round),
                row.opponent or "–",
                row.id,
                row.federation,
                str(row.rating or ""),
                str(row.raised or ""),
                row.title,
                row.score,
            )
            for row in certificate.rounds
        ),
        tuple(not row.used for row in certificate.rounds),
        words.text("certificate.rounds-note"),
    )


def _remarks(certificate: NormCertificate, words: Words) -> Iterator[str]:
    if certificate.dropped:
        yield words.text("norm.dropped", rounds=tuple(certificate.dropped))
    if certificate.exempt:
        yield words.text("certificate.exempt", article=certificate.exempt)
    if strong := certificate.strong_field:
        yield words.text(
            "certificate.strong-field",
            round=strong.round,
            players=strong.players,
            federations=strong.federations,
            titled=strong.titled,
        )
    if certificate.basis:
        yield words.text("certificate.basis", article=certificate.basis)
    if certificate.remarks:
        yield certificate.remarks


def _missing(names: Sequence[str], words: Words) -> str:
    if not names:
        return ""
    fields = tuple(words.text(f"certificate.{name}") for name in names)
    return words.text("certificate.missing", fields=fields)


def tournament_pdf(report: TournamentReport, words: Words) -> bytes:
    """Return the report of a tournament on A4."""
    sections = [
        _section(
            words,
            "event",
            [
                ("federation", report.federation),
                *_event(report, words),
                ("chief_arbiter_contact", report.chief_arbiter_contact),
                ("organiser", report.organiser),
                ("organiser_contact", report.organiser_contact),
            ],
        ),
        _section(
            words,
            "play",
            [
                ("rounds", str(report.rounds)),
                ("rounds_per_day", report.rounds_per_day),
                ("type", report.type),
                ("pairing_system", report.pairing_system),
                ("rate_of_play", time_control_text(report.rate_of_play, words)),
                ("deputy_arbiters", report.deputy_arbiters),
                ("arbiters", report.arbiters),
            ],
        ),
    ]
    names = ("kind", "players", "federations", "host", "others")
    players = FormTable(
        words.text("certificate.part-players"),
        tuple(words.text(f"certificate.column-{name}") for name in names),
        "lrrrr",
        (0, 26, 26, 34, 34),
        tuple(
            (
                words.text(f"certificate.kind-{row.kind}"),
                *map(str, (row.players, row.federations, row.host, row.others)),
            )
            for row in report.players
        ),
        tuple(False for _ in report.players),
    )
    remarks = [words.text("certificate.norms-made", norms="; ".join(report.norms))] if report.norms else []
    return typeset(
        "certificate",
        {
            "language": words.language,
            "form": "IT3",
            "title": words.text("certificate.it3"),
            "subtitle": report.event,
            "footer": words.text("certificate.footer", edition=edition_name(report.edition, words)),
            "sections": sections,
            "tables": [players],
            "remarks": [*remarks, *([report.remarks] if report.remarks else [])],
            "missing": _missing(report.missing, words),
            "signatures": [
                Signature(report.chief_arbiter, words.text("certificate.sign-arbiter")),
                Signature("", words.text("certificate.sign-day")),
            ],
        },
    )


def application_pdf(application: TitleApplication, words: Words) -> bytes:
    """Return the application for a title on A4 (B.01 1.8)."""
    birth = application.birth
    sections = [
        _section(
            words,
            "player",
            [
                ("family_name", application.family_name),
                ("first_name", application.first_name),
                ("id", application.id),
                ("federation", application.federation),
                ("birth", _day(birth, words) if "-" in birth else birth),
                ("birth_place", application.birth_place),
                ("peak", str(application.peak or "")),
                ("reached_on", _day(application.reached_on, words)),
            ],
        )
    ]
    remarks = [words.text("certificate.total-games", games=application.total_games)]
    if not application.complete:
        remarks.append(words.text("certificate.incomplete", title=application.title))
    if application.without_report:
        remarks.append(words.text("certificate.without-report", norms=tuple(application.without_report)))
    return typeset(
        "certificate",
        {
            "language": words.language,
            "form": "IT2",
            "title": words.text("certificate.it2", title=application.title),
            "subtitle": ", ".join(part for part in (application.family_name, application.first_name) if part),
            "footer": words.text("certificate.footer-it2", edition=edition_name(application.edition, words)),
            "sections": sections,
            "tables": [_norms(application.norms, words)] if application.norms else [],
            "remarks": [*remarks, *([application.remarks] if application.remarks else [])],
            "missing": _missing(application.missing, words),
            "signatures": [
                Signature(application.official, words.text("certificate.sign-federation")),
                Signature("", words.text("certificate.sign-day")),
            ],
        },
    )


def _norms(norms: Sequence[AppliedNorm], words: Words) -> FormTable:
    """Return the norms of an application side by side: a column for each, a row for each figure."""

    def row(name: str, values: Sequence[object]) -> tuple[str, ...]:
        return (
            words.text(f"certificate.{name}"),
            *("" if value is None else str(value) for value in values),
        )

    def figures(name: str) -> tuple[str, ...]:
        return row(name, [getattr(norm, name) for norm in norms])

    def scores(name: str) -> tuple[str, ...]:
        return row(
            name, [_points(getattr(norm, name), words) if getattr(norm, name) else "" for norm in norms]
        )

    rows = [
        figures("event"),
        figures("place"),
        row("first_day", [_day(norm.first_day, words) for norm in norms]),
        row("last_day", [_day(norm.last_day, words) for norm in norms]),
        figures("system"),
        figures("average"),
        figures("played"),
        scores("played_score"),
        figures("games"),
        scores("score_needed"),
        scores("score"),
        figures("host_opponents"),
        figures("foreign_opponents"),
        figures("titled_opponents"),
        row("titles", [_counts(norm.titles) for norm in norms]),
        figures("rated_opponents"),
        figures("unrated_opponents"),
        figures("counts_as"),
    ]
    return FormTable(
        words.text("certificate.part-norms"),
        ("", *(f"{norm.norm} · {norm.title}" for norm in norms)),
        "l" * (1 + len(norms)),
        (54, *(0 for _ in norms)),
        tuple(rows),
        tuple(False for _ in rows),
    )


def _counts(titles: Mapping[str, int] | None) -> str:
    """Return how many opponents had each title, those without one left out."""
    return ", ".join(f"{number} {title}" for title, number in (titles or {}).items() if number)
