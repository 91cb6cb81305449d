"""A norm as a document and in words: every requirement with its article, and what was missing for a failed one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from arpad.explain.documents import Calculation, FindingDocument, filled, finding_document
from arpad.explain.editions import CONFIDENCE_SIGNS, legend
from arpad.explain.words import Words
from arpad.model.exact import decimal_text, points
from arpad.model.rules import Confidence, ListName, Rule
from arpad.rating.calculator import Answer
from arpad.rating.norm_arguments import calculate_norm
from arpad.rating.norm_report import PlayerNorms, ReportNorms
from arpad.rating.norms import Norm, Outlook
from arpad.regulations.fide.titles.requirements import Requirement
from arpad.regulations.fide.titles.rules import WOMEN_TITLES


@dataclass
class RequirementDocument:
    """One requirement: required and actual value, whether it is met, and in words what is missing if it is not."""

    article: str
    requirement: str
    required: Any
    actual: Any
    met: bool
    confidence: str
    missing: str | None


@dataclass
class UncountedDocument:
    """A round that does not count for a norm, with the article and the reason."""

    round: int
    article: str
    reason: str


@dataclass
class NormDocument:
    """Whether a player made a norm (null: undecided, the search was stopped).

    ``counted`` and ``dropped`` are rounds, ``games`` is as how many it counts.
    """

    edition: str
    title: str
    norm: bool | None
    counted: Sequence[int]
    dropped: Sequence[int]
    games: int
    score: str
    average: int | None
    raised: int | None
    performance: int | None
    required: str | None
    above: int | None
    exempt: str | None
    basis: str | None
    failed: Sequence[RequirementDocument]
    requirements: Sequence[RequirementDocument]
    uncounted: Sequence[UncountedDocument]
    notes: Sequence[str]
    text: str


def norm_document(norm: Norm, words: Words) -> NormDocument:
    """Return the document of one player's norm for one title."""
    documents = {item: requirement_document(item, norm, words) for item in norm.requirements}
    return filled(
        NormDocument,
        norm,
        edition=norm.edition.id,
        counted=list(norm.rounds),
        games=norm.counted,
        score=decimal_text(points(norm.score)),
        required=None if norm.needed is None else decimal_text(points(norm.needed)),
        above=(norm.score - norm.needed) // 2 if norm.norm and norm.needed is not None else None,
        exempt=norm.exempt.article if norm.exempt else None,
        basis=norm.basis.article if norm.basis else None,
        failed=[documents[item] for item in norm.failed],
        requirements=list(documents.values()),
        uncounted=[
            UncountedDocument(item.round, item.article, words.text(f"uncounted.{item.reason}"))
            for item in norm.record.uncounted
        ],
        notes=list(notes(norm, words)),
        text=" ".join(sentences(norm, words)),
    )


def norm_answer_document(answer: Answer[Norm], words: Words) -> NormDocument:
    """Return the document of what the calculator of norms answers."""
    return norm_document(answer.result, words)


NORM = Calculation("calc norm", calculate_norm, norm_answer_document, NormDocument)


def requirement_document(item: Requirement, norm: Norm, words: Words) -> RequirementDocument:
    """Return the document of a requirement."""
    lacking = None if item.holds else missing(item, norm, words)
    return filled(RequirementDocument, item, requirement=item.name, met=item.holds, missing=lacking)


def article_of(item: Requirement) -> str:
    """Return the article of a requirement, with a sign if it was not read in the text."""
    return item.article + CONFIDENCE_SIGNS[item.confidence]


def missing(item: Requirement, norm: Norm, words: Words) -> str:
    """Return in words what was missing for a requirement that is not met."""
    if item.name == "performance":
        if norm.needed is None:
            return words.text("missing.performance-none")
        return words.text("missing.performance", required=points(norm.needed))
    if item.name == "sex":
        return words.text("missing.sex")
    difference = abs(Fraction(item.required) - Fraction(item.actual))
    if item.name == "score":
        difference *= 2
    rules = norm.edition.on(ListName.STANDARD)
    return words.text(
        f"missing.{item.name}",
        missing=difference,
        titles=rules.sought(norm.title).value.titles,
        federation=norm.record.player.federation,
    )


def sentences(norm: Norm, words: Words) -> Iterator[str]:
    """Yield the answer in words: the figures, the games left out, the rating raised, the articles used."""
    rules = norm.edition.on(ListName.STANDARD)
    if norm.average is None:
        yield words.text("norm.no-games", title=str(norm.title))
        return
    yield words.text(
        f"norm.{norm.verdict}",
        title=str(norm.title),
        score=points(norm.score),
        games=len(norm.games),
        average=norm.average,
        performance=norm.performance,
        counted=norm.counted,
    )
    if norm.needed is None:
        yield words.text("norm.needed-none")
    else:
        yield words.text("norm.needed", required=points(norm.needed))
        if norm.norm and norm.score - norm.needed > 1:
            yield words.text("norm.above", points=(norm.score - norm.needed) // 2)
    if norm.dropped:
        yield words.text("norm.dropped", rounds=norm.dropped)
        yield words.text("norm.choice")
    if norm.raised is not None:
        yield words.text("norm.raised", raised=norm.raised, floor=rules.raised_to.value.of(norm.title))
    if norm.exempt is not None:
        least = rules.norms_without_exemption.value
        yield words.text("norm.exempt", article=norm.exempt.article, norms=least)
    if norm.basis is rules.bye_norm:
        yield words.text("norm.basis-bye", norms=rules.bye_norm.value.per_application)
    elif norm.basis is not None:
        yield words.text("norm.basis-forfeit")
    unsure = {
        rule.article + CONFIDENCE_SIGNS[rule.confidence]: rule
        for rule in deciding_rules(norm)
        if rule.confidence != Confidence.VERIFIED
    }
    if unsure:
        yield words.text("norm.unverified", articles=tuple(unsure), signs=legend(unsure.values(), words))


def deciding_rules(norm: Norm) -> Iterator[Rule[object]]:
    """Yield the rules that decided about a norm: those of its requirements, and those used on the way."""
    rules = norm.edition.on(ListName.STANDARD)
    for item in norm.requirements:
        yield Rule(item.required, item.article, item.confidence)
    if norm.raised is not None:
        yield rules.raised_to
    if any(game.rating is None for game in norm.games):
        yield rules.unrated_as
    if norm.dropped:
        yield rules.wins_left_out
        yield rules.end_left_out
    yield from (rule for rule in (norm.exempt, norm.basis) if rule is not None)


def notes(norm: Norm, words: Words) -> Iterator[str]:
    """Yield what was taken for granted."""
    codes = [*norm.record.notes, *norm.warnings]
    if not norm.record.player.sex and norm.title in WOMEN_TITLES:
        codes.append("sex-unknown")
    for code in codes:
        yield words.text(f"normnote.{code}")


@dataclass(frozen=True, slots=True)
class NormWords:
    """The words about norms, for a page."""

    words: Words

    def lacking(self, norm: Norm, outlook: Outlook | None) -> str:
        """Return in one line what a norm counts as, or what is needed, or what was missing."""
        if norm.norm:
            return self.words.text("norm.counts-as", counted=norm.counted)
        if outlook is not None:
            return outlook_text(outlook, norm, self.words)
        if norm.norm is None:
            return self.words.text("norm.undecided-short")
        return "; ".join(missing(item, norm, self.words) for item in norm.failed)

    def answer(self, norm: Norm) -> str:
        """Return yes, no or undecided."""
        return self.words.text(f"norm.met-{norm.verdict}")

    def requirement(self, item: Requirement, norm: Norm) -> str:
        """Return the name of a requirement."""
        return self.words.text(f"norm.requirement-{item.name}", title=str(norm.title))

    article = staticmethod(article_of)

    def missing(self, item: Requirement, norm: Norm) -> str:
        """Return what was missing for a requirement; empty if it is met."""
        return "" if item.holds else missing(item, norm, self.words)

    def sentences(self, norm: Norm) -> list[str]:
        """Return the answer in words, and what was taken for granted."""
        return [*sentences(norm, self.words), *notes(norm, self.words)]

    def verdict(self, item: Requirement) -> str:
        """Return whether a requirement is met."""
        return self.words.text(f"norm.met-{'yes' if item.holds else 'warns' if item.warns else 'no'}")

    def value(self, value: int | Fraction | str) -> str:
        """Return a required or actual value."""
        return self.words.format_field(value, "")


def rounds_text(rounds: Sequence[int]) -> str:
    """Return rounds as ranges: 1–6, 8."""
    texts: list[str] = []
    start = 0
    for index, number in enumerate(rounds):
        if index + 1 == len(rounds) or rounds[index + 1] != number + 1:
            texts.append(str(number) if index == start else f"{rounds[start]}–{number}")
            start = index + 1
    return ", ".join(texts)


# ------------------------------------------------------------------------------------------------- a report


@dataclass
class OutlookDocument:
    """The need of a norm in the remaining rounds: ``score`` points from ``rounds`` against an average."""

    possible: bool
    rounds: int
    average: int
    score: str | None
    least_average: int | None
    titled: int
    sought: int
    federations: int
    own: int | None
    dropped: Sequence[int]
    text: str


@dataclass
class TitleNormDocument(NormDocument):
    """A norm of a player of a report; ``outlook`` is null if no round remains or the norm is made."""

    outlook: OutlookDocument | None


@dataclass
class PlayerNormsDocument:
    """A player of a report with the titles within reach."""

    number: int
    id: str
    name: str
    title: str
    federation: str
    rating: int | None
    norms: Sequence[TitleNormDocument]


@dataclass
class ReportNormsDocument:
    """The norms of a report."""

    event: str
    edition: str
    system: str
    kind: str | None
    host: str | None
    rounds: int
    played: int
    strong_field: bool
    big_swiss: str
    findings: Sequence[FindingDocument]
    players: Sequence[PlayerNormsDocument]


def report_norms_document(result: ReportNorms, words: Words) -> ReportNormsDocument:
    """Return the document of the norms of a report."""
    return filled(
        ReportNormsDocument,
        result.event,
        event=result.report.header.name,
        edition=result.edition.id,
        kind=result.event.kind or None,
        host=result.event.host or None,
        played=result.played,
        big_swiss=str(result.big),
        findings=[finding_document(finding, words) for finding in result.findings],
        players=[_player_document(player, words) for player in result.players],
    )


def _player_document(player: PlayerNorms, words: Words) -> PlayerNormsDocument:
    norms = [
        TitleNormDocument(**vars(norm_document(norm, words)), outlook=_outlook_document(outlook, norm, words))
        for norm, outlook in zip(player.norms, player.outlooks, strict=True)
    ]
    return filled(PlayerNormsDocument, player.entrant, norms=norms)


def _outlook_document(outlook: Outlook | None, norm: Norm, words: Words) -> OutlookDocument | None:
    if outlook is None:
        return None
    score = None if outlook.score is None else decimal_text(points(outlook.score))
    return filled(OutlookDocument, outlook, score=score, text=outlook_text(outlook, norm, words))


def outlook_text(outlook: Outlook, norm: Norm, words: Words) -> str:
    """Return in words what the remaining rounds must bring."""
    title = str(norm.title)
    if not outlook.possible:
        return words.text("outlook.impossible", title=title, rounds=outlook.rounds)
    facts: dict[str, Any] = {"rounds": outlook.rounds, "average": outlook.average, "title": title}
    if outlook.score is None:
        parts = [words.text("outlook.stronger", least=outlook.least_average, **facts)]
    else:
        parts = [words.text("outlook.score", score=points(outlook.score), **facts)]
    rules = norm.edition.on(ListName.STANDARD)
    titles = rules.sought(norm.title).value.titles
    for name, number in (
        ("sought", outlook.sought),
        ("titled", outlook.titled),
        ("federations", outlook.federations),
    ):
        if number:
            parts.append(words.text(f"outlook.{name}", number=number, titles=titles))
    if outlook.own is not None and outlook.own < outlook.rounds:
        federation = norm.record.player.federation
        parts.append(words.text("outlook.own", number=outlook.own, federation=federation))
    if outlook.dropped:
        parts.append(words.text("outlook.dropped", rounds=outlook.dropped))
    return " ".join(parts)
