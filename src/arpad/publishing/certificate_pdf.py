"""The certificate of a norm (IT1), the application for a title (IT2) and the report of a tournament (IT3) as PDF."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, TypeAlias

from arpad.explain.certificates import NormCertificate, TournamentReport
from arpad.explain.editions import edition_name
from arpad.explain.templates import PrintedTable, typeset
from arpad.explain.time_controls import time_control_text
from arpad.explain.title_applications import AppliedNorm, TitleApplication
from arpad.explain.words import Words
from arpad.model.exact import read_number

Form: TypeAlias = NormCertificate | TitleApplication | TournamentReport


def norm_pdf(certificate: NormCertificate, words: Words) -> bytes:
    """Return the certificate of a norm on A4 (B.01 1.8)."""
    play = {"rate_of_play": time_control_text(certificate.rate_of_play, words)}
    opponents = ("federations", "foreign_opponents", "host_opponents", "rated_opponents", "titled_opponents")
    titles = {f"title-{title}": str(number) for title, number in certificate.titles.items()}
    scores = {name: _points(getattr(certificate, name), words) for name in ("score_needed", "score", "above")}
    return _typeset_form(
        "IT1",
        certificate,
        words,
        heading=words.text("certificate.it1", title=certificate.title),
        subtitle=_full_name(certificate),
        sections=[
            _section(words, "player", _texts(certificate, *_PLAYER)),
            _section(words, "event", _event(certificate, words) | play),
            _section(words, "opponents", _texts(certificate, "games", *opponents) | titles),
            _section(
                words, "result", _texts(certificate, "average") | scores | _texts(certificate, "counts_as")
            ),
        ],
        tables=[_rounds(certificate, words)],
        remarks=_remarks(certificate, words),
        signed_by={"arbiter": certificate.chief_arbiter, "federation": certificate.official},
    )


def _typeset_form(
    number: str,
    form: Form,
    words: Words,
    *,
    heading: str,
    subtitle: str,
    sections: Sequence[Mapping[str, Any]],
    tables: Sequence[PrintedTable],
    remarks: Iterable[str],
    signed_by: Mapping[str, str],
    footer: str = "certificate.footer",
) -> bytes:
    """Return a form on A4; the last line to sign on is for the day."""
    signatures = [*signed_by.items(), ("day", "")]
    return typeset(
        "certificate",
        {
            "language": words.language,
            "form": number,
            "title": heading,
            "subtitle": subtitle,
            "footer": words.text(footer, edition=edition_name(form.edition, words)),
            "sections": sections,
            "tables": tables,
            "remarks": [*remarks, *([form.remarks] if form.remarks else [])],
            "missing": _missing(form.missing, words),
            "signatures": [
                {"name": name, "label": words.text(f"certificate.sign-{role}")} for role, name in signatures
            ],
        },
    )


_PLAYER = ("family_name", "first_name", "id", "federation")


def _full_name(form: NormCertificate | TitleApplication) -> str:
    return ", ".join(part for part in (form.family_name, form.first_name) if part)


def _section(words: Words, title: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return fields under one heading; an empty value becomes a line to write on."""
    pairs = [{"label": words.text(f"certificate.{name}"), "value": value} for name, value in texts.items()]
    return {"title": words.text(f"certificate.part-{title}"), "pairs": pairs}


def _texts(form: Form, *names: str) -> dict[str, str]:
    """Return facts of a form as texts."""
    return {name: str(getattr(form, name)) for name in names}


def _event(form: NormCertificate | TournamentReport, words: Words) -> dict[str, str]:
    days = {"first_day": _day(form.first_day, words), "last_day": _day(form.last_day, words)}
    return _texts(form, "event", "place") | days | _texts(form, "chief_arbiter", "chief_arbiter_id")


def _day(text: str, words: Words) -> str:
    return words.day(date.fromisoformat(text)) if text else ""


def _points(text: str, words: Words) -> str:
    return words.number(read_number(text) or 0)


def _headings(names: Sequence[str], words: Words) -> tuple[str, ...]:
    return tuple(words.text(f"certificate.column-{name}") for name in names)


def _rounds(certificate: NormCertificate, words: Words) -> PrintedTable:
    names = ("round", "opponent", "id", "federation", "rating", "raised", "title", "score")
    blank = dict.fromkeys(names, "") | {"opponent": "–"}
    return PrintedTable(
        words.text("certificate.part-rounds"),
        _headings(names, words),
        "rlrcrrcc",
        (12, 0, 22, 14, 15, 20, 14, 14),
        tuple(tuple(str(getattr(row, name) or blank[name]) for name in names) for row in certificate.rounds),
        tuple(not row.used for row in certificate.rounds),
        words.text("certificate.rounds-note"),
    )


def _remarks(certificate: NormCertificate, words: Words) -> Iterator[str]:
    if certificate.dropped:
        yield words.text("norm.dropped", rounds=tuple(certificate.dropped))
    if certificate.exempt:
        yield words.text("certificate.exempt", article=certificate.exempt)
    if certificate.strong_field:
        yield words.text("certificate.strong-field", **asdict(certificate.strong_field))
    if certificate.basis:
        yield words.text("certificate.basis", article=certificate.basis)


def _missing(names: Sequence[str], words: Words) -> str:
    if not names:
        return ""
    fields = tuple(words.text(f"certificate.{name}") for name in names)
    return words.text("certificate.missing", fields=fields)


def tournament_pdf(report: TournamentReport, words: Words) -> bytes:
    """Return the report of a tournament on A4."""
    contacts = _texts(report, "chief_arbiter_contact", "organiser", "organiser_contact")
    play = _texts(report, "rounds", "rounds_per_day", "type", "pairing_system")
    play["rate_of_play"] = time_control_text(report.rate_of_play, words)
    names = ("kind", "players", "federations", "host", "others")
    players = PrintedTable(
        words.text("certificate.part-players"),
        _headings(names, words),
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
    return _typeset_form(
        "IT3",
        report,
        words,
        heading=words.text("certificate.it3"),
        subtitle=report.event,
        sections=[
            _section(words, "event", _texts(report, "federation") | _event(report, words) | contacts),
            _section(words, "play", play | _texts(report, "deputy_arbiters", "arbiters")),
        ],
        tables=[players],
        remarks=remarks,
        signed_by={"arbiter": report.chief_arbiter},
    )


def application_pdf(application: TitleApplication, words: Words) -> bytes:
    """Return the application for a title on A4 (B.01 1.8)."""
    birth = application.birth
    player = _texts(application, *_PLAYER, "birth", "birth_place") | {
        "birth": _day(birth, words) if "-" in birth else birth,
        "peak": str(application.peak or ""),
        "reached_on": _day(application.reached_on, words),
    }
    remarks = [words.text("certificate.total-games", games=application.total_games)]
    if not application.complete:
        remarks.append(words.text("certificate.incomplete", title=application.title))
    if application.without_report:
        remarks.append(words.text("certificate.without-report", norms=tuple(application.without_report)))
    return _typeset_form(
        "IT2",
        application,
        words,
        heading=words.text("certificate.it2", title=application.title),
        subtitle=_full_name(application),
        sections=[_section(words, "player", player)],
        tables=[_norms(application.norms, words)] if application.norms else [],
        remarks=remarks,
        signed_by={"federation": application.official},
        footer="certificate.footer-it2",
    )


def _norms(norms: Sequence[AppliedNorm], words: Words) -> PrintedTable:
    """Return the norms of an application side by side: a column for each, a row for each figure."""

    def cell(norm: AppliedNorm, name: str) -> str:
        value = getattr(norm, name)
        if name == "titles":
            return _counts(value)
        if name.endswith("_day"):
            return _day(value, words)
        if name in ("played_score", "score_needed", "score"):
            return _points(value, words) if value else ""
        return "" if value is None else str(value)

    names = (
        "event", "place", "first_day", "last_day", "system", "average", "played", "played_score", "games",
        "score_needed", "score", "host_opponents", "foreign_opponents", "titled_opponents", "titles",
        "rated_opponents", "unrated_opponents", "counts_as",
    )  # fmt: skip
    rows = [(words.text(f"certificate.{name}"), *(cell(norm, name) for norm in norms)) for name in names]
    return PrintedTable(
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
