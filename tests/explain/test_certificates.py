"""The certificates: every field from the report, and the missing ones by name."""

from dataclasses import replace
from pathlib import Path

import pytest

from arpad.explain.certificates import (
    FACT_NAMES,
    CertificateFacts,
    NormCertificate,
    norm_certificate,
    read_facts,
    tournament_report,
)
from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.regulations.fide.titles.rules import NormTitle
from arpad.reports.formats import write_report
from tests.builders.norm_cases import NORMS
from tests.builders.norm_reports import report_of
from tests.commands import refusal, run

COMPLETE = CertificateFacts(official="Bianchi, Anna", id="900001", place="Turin")


def norms_of(name: str, arbiter: str = "IA Rossi, Mario (812345)") -> ReportNorms:
    case = next(case for case in NORMS if case["name"] == name)
    report = report_of(case)
    report = replace(report, header=replace(report.header, chief_arbiter=arbiter))
    options = NormOptions(titles=(NormTitle(case["given"]["title"]),), players=frozenset({1}))
    return find_norms(report, options)


def certificate(name: str, facts: CertificateFacts = COMPLETE) -> NormCertificate:
    result = norms_of(name)
    return norm_certificate(result, 1, result.players[0].norms[0], facts)


def test_the_certificate_of_a_norm() -> None:
    """Thirteen rounds, the win of round 7 left out, the lowest opponent raised from 2180 to 2200."""
    paper = certificate("manual-guideline-13")
    assert (paper.title, paper.family_name, paper.first_name, paper.id, paper.federation) == (
        "GM", "Candidate", "Ada", "900001", "HUN",
    )  # fmt: skip
    assert (paper.chief_arbiter, paper.chief_arbiter_id, paper.place) == (
        "IA Rossi, Mario",
        "812345",
        "Turin",
    )
    assert (paper.games, paper.federations, paper.foreign_opponents, paper.host_opponents) == (12, 4, 12, 8)
    assert (paper.rated_opponents, paper.titled_opponents) == (12, 8)
    assert paper.titles == {"GM": 5, "IM": 2, "WGM": 0, "WIM": 0, "FM": 1, "WFM": 0}
    assert (paper.average, paper.score_needed, paper.score, paper.above, paper.counts_as) == (
        2482,
        "8",
        "8",
        "0",
        12,
    )
    assert [row.round for row in paper.rounds if not row.used] == paper.dropped == [7]
    assert [(row.round, row.rating, row.raised) for row in paper.rounds if row.raised] == [(4, 2180, 2200)]
    assert [row.score for row in paper.rounds[:3]] == ["1", "½", "0"]
    assert paper.missing == []
    assert paper.strong_field is None


def test_unrated_opponents_on_a_certificate() -> None:
    paper = certificate("manual-two-unrated-2024")
    assert [(row.round, row.raised) for row in paper.rounds if row.raised] == [(8, 2050), (9, 1400)]
    assert paper.rated_opponents == 7


def test_the_field_of_a_swiss_on_a_certificate() -> None:
    paper = certificate("swiss-exempt-20-3-10")
    assert paper.exempt == "1.4.3d"
    assert paper.strong_field is not None
    assert (paper.strong_field.players, paper.strong_field.federations, paper.strong_field.titled) == (
        20,
        3,
        10,
    )


def test_a_bye_on_a_certificate() -> None:
    paper = certificate("bye-norm-2024")
    assert (paper.basis, paper.games, paper.counts_as) == ("1.4.1c", 8, 9)
    assert (paper.rounds[-1].opponent, paper.rounds[-1].score, paper.rounds[-1].used) == ("", "+", False)


def test_missing_facts_are_named_and_left_empty() -> None:
    paper = certificate("derived-base-6.5", CertificateFacts())
    assert paper.missing == ["place", "id", "official"]
    assert (paper.place, paper.id, paper.official) == ("", "", "")
    result = norms_of("derived-base-6.5", arbiter="")
    paper = norm_certificate(result, 1, result.players[0].norms[0], COMPLETE)
    assert paper.missing == ["chief_arbiter", "chief_arbiter_id"]


def test_nothing_is_certified_without_a_norm() -> None:
    with pytest.raises(BadInput, match="certificate-no-norm"):
        certificate("derived-base")


def test_facts_as_people_type_them() -> None:
    facts = CertificateFacts(**read_facts(FACT_NAMES, ["place=Turin", "official = Anna"]))
    assert (facts.place, facts.official) == ("Turin", "Anna")
    for text in ("place", "city=Turin"):
        with pytest.raises(BadInput):
            read_facts(FACT_NAMES, [text])


def test_the_report_of_a_tournament() -> None:
    paper = tournament_report(
        norms_of("manual-guideline-13"), CertificateFacts(organiser="Club"), load_words("en")
    )
    rows = {row.kind: (row.players, row.federations, row.host, row.others) for row in paper.players}
    assert rows["rated"] == (14, 5, 9, 5)
    assert rows["unrated"] == (0, 0, 0, 0)
    assert rows["GM"] == (5, 3, 3, 2)
    assert (paper.federation, paper.rounds, paper.type, paper.organiser) == ("GER", 13, "Swiss", "Club")
    assert paper.norms == ["Candidate, Ada: GM"]
    assert paper.missing == [
        "place", "organiser_contact", "rounds_per_day", "pairing_system", "chief_arbiter_contact",
    ]  # fmt: skip


def test_the_command_writes_the_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in NORMS if case["name"] == "derived-base-6.5")
    path, it1, it3 = tmp_path / "open.trf", tmp_path / "it1.pdf", tmp_path / "it3.pdf"
    path.write_bytes(write_report(report_of(case), "trf26")[0])
    for language, word in (("en", "The report lacks"), ("it", "Al rapporto mancano")):
        status, out, err = run(
            capsys, "norms", str(path), "--player=1", "--title=GM", "--certificate", str(it1), "--tournament", str(it3),
            "--fact=official=Anna", "--lang", language,
        )  # fmt: skip
        assert (status, out) == (0, "")
        assert word in err
        assert "(chief_arbiter)" in err
        assert "(official)" not in err
        assert it1.read_bytes().startswith(b"%PDF")
        assert it3.read_bytes().startswith(b"%PDF")
    assert "--player" in refusal(capsys, "norms", str(path), "--certificate", str(it1))
