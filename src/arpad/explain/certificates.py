"""The certificate of a norm (IT1) and the report of a tournament (IT3) as data, filled from a report.

A fact that the report lacks is named in ``missing`` and left empty: nothing is invented.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction

from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text, points
from arpad.model.rules import ListName
from arpad.rating.norm_report import ReportNorms
from arpad.rating.norms import Norm
from arpad.regulations.fide.titles.field import RoundField
from arpad.regulations.fide.titles.requirements import NormGame
from arpad.reports.report import PLAYED, Entrant, Header

COUNTED_TITLES = ("GM", "IM", "WGM", "WIM", "FM", "WFM")
_ID = re.compile(r"\b\d{5,10}\b")
_UNPLAYED = {"+": "+", "W": "+", "U": "+", "F": "+", "H": "=", "D": "=", "-": "−", "L": "−", "Z": "−"}
_PLAYED = {"1": "1", "=": "½", "0": "0"}


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """Facts that a report may lack."""

    id: str = ""
    """The player's FIDE ID."""

    event: str = ""
    place: str = ""
    rate_of_play: str = ""
    chief_arbiter: str = ""
    chief_arbiter_id: str = ""
    chief_arbiter_contact: str = ""
    deputy_arbiters: str = ""
    arbiters: str = ""
    organiser: str = ""
    organiser_contact: str = ""
    rounds_per_day: str = ""
    pairing_system: str = ""
    official: str = ""
    """The rating officer or president of the federation, who countersigns."""

    remarks: str = ""


FACT_NAMES = tuple(item.name for item in fields(CertificateFacts))


def read_facts(names: Sequence[str], texts: Iterable[str]) -> dict[str, str]:
    """Read facts written ``NAME=VALUE``; refuse a name that is not one of some."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name.strip() not in names:
            raise BadInput(
                "bad-form", option="fact", value=text[:80], accepted=" | ".join(f"{it}=…" for it in names)
            )
        values[name.strip()] = value.strip()
    return values


@dataclass
class CertificateRound:
    """A round on the certificate of a norm; ``raised`` is the rating after 1.4.6c, if it differs."""

    round: int
    opponent: str
    id: str
    federation: str
    rating: int | None
    raised: int | None
    title: str
    score: str
    used: bool


@dataclass
class NormCertificate:
    """The certificate of a title norm (IT1)."""

    title: str
    edition: str
    family_name: str
    first_name: str
    id: str
    federation: str
    event: str
    place: str
    host: str
    first_day: str
    last_day: str
    chief_arbiter: str
    chief_arbiter_id: str
    games: int
    counts_as: int
    rate_of_play: str
    federations: int
    foreign_opponents: int
    rated_opponents: int
    host_opponents: int
    titled_opponents: int
    titles: Mapping[str, int]
    strong_field: RoundField | None
    """The foreign field of a Swiss under 1.4.3d: the round with the fewest players."""

    rounds: Sequence[CertificateRound]
    average: int
    score_needed: str
    score: str
    above: str
    exempt: str | None
    basis: str | None
    dropped: Sequence[int]
    official: str
    remarks: str
    missing: Sequence[str]


def norm_certificate(
    result: ReportNorms, number: int, norm: Norm, facts: CertificateFacts
) -> NormCertificate:
    """Return the certificate of a norm of the player with a start number; refuse one without a norm (B.01 1.8)."""
    report = result.report
    entrant = report.entrants[report.places[number]]
    if not norm.norm or norm.average is None or norm.needed is None:
        raise BadInput("certificate-no-norm", player=entrant.name, title=str(norm.title))
    header, player = report.header, norm.record.player
    opponents = list({game.person: game for game in norm.games}.values())
    titles = Counter(game.title for game in opponents)
    arbiter, arbiter_id = _arbiter(header, facts)
    family, _, first = entrant.name.partition(",")
    filled = {
        "event": facts.event or header.name, "place": facts.place or header.city, "host": result.event.host,
        "first_day": _day(header, "first_day"), "last_day": _day(header, "last_day"), "chief_arbiter": arbiter,
        "chief_arbiter_id": arbiter_id, "rate_of_play": _rate(header, facts), "id": facts.id or entrant.id,
        "federation": entrant.federation, "first_name": first.strip(), "official": facts.official,
    }  # fmt: skip
    fewest = min(result.fields, key=lambda item: item.players, default=None)
    strong = norm.exempt is not None and result.event.strong_field and fewest is not None
    return NormCertificate(
        title=str(norm.title),
        edition=norm.edition.id,
        family_name=family.strip(),
        **filled,
        games=len(norm.games),
        counts_as=norm.counted,
        federations=len({game.federation for game in opponents} - {"", player.federation}),
        foreign_opponents=sum(game.federation not in ("", player.federation) for game in norm.games),
        rated_opponents=sum(game.rating is not None for game in norm.games),
        host_opponents=sum(game.federation == result.event.host for game in norm.games),
        titled_opponents=sum(titles[title] for title in COUNTED_TITLES),
        titles={title: titles[title] for title in COUNTED_TITLES},
        strong_field=fewest if strong else None,
        rounds=_rounds(result, number, norm),
        average=norm.average,
        score_needed=decimal_text(points(norm.needed)),
        score=decimal_text(points(norm.score)),
        above=decimal_text(Fraction(norm.score - norm.needed, 2)),
        exempt=norm.exempt.article if norm.exempt else None,
        basis=norm.basis.article if norm.basis else None,
        dropped=list(norm.dropped),
        remarks=facts.remarks,
        missing=[name for name, value in filled.items() if not value],
    )


def certificate_of(result: ReportNorms, number: int, title: str, facts: CertificateFacts) -> NormCertificate:
    """Return the certificate of the norm that a player made for a title; refuse if there is no such norm."""
    for player in result.players:
        for norm in player.norms:
            if player.entrant.number == number and norm.title == title and norm.norm:
                return norm_certificate(result, number, norm, facts)
    raise BadInput("no-norm-made", number=number, title=title)


def _rounds(result: ReportNorms, number: int, norm: Norm) -> list[CertificateRound]:
    """Return every round, also those that do not count: the whole row of the cross-table is submitted."""
    report, rules = result.report, norm.edition.on(ListName.STANDARD)
    used = set(norm.rounds)
    floor = rules.raised_to.value.of(norm.title)
    lowest: NormGame | None = None
    if norm.raised is not None:
        lowest = min(
            norm.games, key=lambda game: rules.unrated_as.value if game.rating is None else game.rating
        )
    rows = []
    for game in report.games(report.places[number]):
        place = report.places.get(game.opponent)
        other = report.entrants[place] if place is not None else Entrant(0, "")
        raised = None
        if lowest is not None and lowest.round == game.round:
            raised = floor
        elif game.round in used and other.rating is None:
            raised = rules.unrated_as.value
        score = _PLAYED.get(game.result) or _UNPLAYED.get(game.result, "")
        rows.append(
            CertificateRound(
                game.round, other.name, other.id, other.federation, other.rating, raised, other.title, score,
                used=game.round in used,
            )
        )  # fmt: skip
    return rows


def _arbiter(header: Header, facts: CertificateFacts) -> tuple[str, str]:
    """Return the chief arbiter and the FIDE ID, which a report may have beside the name."""
    text = facts.chief_arbiter or header.chief_arbiter
    number = _ID.search(text)
    name = text if number is None else text.replace(number[0], "").replace("()", "")
    return name.strip(" ,;"), facts.chief_arbiter_id or (number[0] if number else "")


def _rate(header: Header, facts: CertificateFacts) -> str:
    return facts.rate_of_play or header.time_control or header.coded_time_control


def _day(header: Header, name: str) -> str:
    day = getattr(header, name)
    return str(day) if day else ""


# ----------------------------------------------------------------------------------------------- the tournament


@dataclass
class PlayersRow:
    """How many players of a kind took part, and from where."""

    kind: str
    players: int
    federations: int
    host: int
    others: int


@dataclass
class TournamentReport:
    """The report of a tournament with norms (IT3)."""

    edition: str
    federation: str
    event: str
    place: str
    first_day: str
    last_day: str
    organiser: str
    organiser_contact: str
    rounds: int
    rounds_per_day: str
    rate_of_play: str
    type: str
    pairing_system: str
    players: Sequence[PlayersRow]
    chief_arbiter: str
    chief_arbiter_id: str
    chief_arbiter_contact: str
    deputy_arbiters: str
    arbiters: str
    norms: Sequence[str]
    remarks: str
    missing: Sequence[str]


def tournament_report(result: ReportNorms, facts: CertificateFacts, words: Words) -> TournamentReport:
    """Return the report of a tournament, counted over the players with at least one game."""
    header = result.report.header
    arbiter, arbiter_id = _arbiter(header, facts)
    filled = {
        "federation": result.event.host, "event": facts.event or header.name, "place": facts.place or header.city,
        "first_day": _day(header, "first_day"), "last_day": _day(header, "last_day"), "organiser": facts.organiser,
        "organiser_contact": facts.organiser_contact,
        "rounds_per_day": facts.rounds_per_day or _rounds_per_day(result), "rate_of_play": _rate(header, facts),
        "pairing_system": facts.pairing_system or header.pairing_program, "chief_arbiter": arbiter,
        "chief_arbiter_id": arbiter_id, "chief_arbiter_contact": facts.chief_arbiter_contact,
    }  # fmt: skip
    norms = [
        f"{player.entrant.name}: {norm.title}"
        for player in result.players
        for norm in player.norms
        if norm.norm
    ]
    return TournamentReport(
        edition=result.edition.id,
        **filled,
        rounds=result.event.rounds,
        type=words.text(f"normsystem.{result.event.system}"),
        players=_players(result),
        deputy_arbiters=facts.deputy_arbiters or "; ".join(header.deputies),
        arbiters=facts.arbiters,
        norms=norms,
        remarks=facts.remarks,
        missing=[name for name, value in filled.items() if not value],
    )


def _players(result: ReportNorms) -> list[PlayersRow]:
    report, host = result.report, result.event.host
    places = {
        place for cells in report.rounds for place, letter in enumerate(cells.results) if letter in PLAYED
    }
    took_part = [report.entrants[place] for place in sorted(places)]
    kinds = {
        "rated": [entrant for entrant in took_part if entrant.rating is not None],
        "unrated": [entrant for entrant in took_part if entrant.rating is None],
    }
    for title in ("GM", "IM", "FM", "WGM", "WIM", "WFM"):
        kinds[title] = [entrant for entrant in took_part if entrant.title == title]
    return [
        PlayersRow(
            kind,
            len(entrants),
            len({entrant.federation for entrant in entrants} - {""}),
            sum(entrant.federation == host for entrant in entrants),
            sum(entrant.federation != host for entrant in entrants),
        )
        for kind, entrants in kinds.items()
    ]


def _rounds_per_day(result: ReportNorms) -> str:
    """Return the rounds a day as the days of the rounds show them; empty if a day is missing."""
    days = [cells.day for cells in result.report.rounds]
    if not days or None in days:
        return ""
    counts = sorted(set(Counter(days).values()))
    return "–".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
