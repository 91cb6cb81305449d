"""``arpad office submit`` and ``inbox join``: stages of one event, and facts that a file states."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.builders.chess import event
from tests.builders.offices import trf
from tests.commands import refusal, run, run_json

GROUP = "1 2000 | 2w1 3w=\n2 1900 | 1b0 .Z\n3 1800 | .Z 1b=\n"
FINAL = "1 2000 | 3w1\n3 1800 | 1b0\n"


@pytest.fixture
def stages(used_office: Path) -> tuple[str, str]:
    """The files of two stages."""
    files = used_office / "group.trf", used_office / "final.trf"
    files[0].write_bytes(trf(event("Group", GROUP, date(2018, 3, 3))))
    files[1].write_bytes(trf(event("Final", FINAL, date(2018, 3, 5))))
    return str(files[0]), str(files[1])


def sent_reports(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The reports of a command that files them, with or without errors in them."""
    status, out, err = run(capsys, "office", *arguments, "--json")
    assert status in (0, 1), err
    reports: list[dict[str, Any]] = json.loads(out)["reports"]
    return reports


def statuses(capsys: pytest.CaptureFixture[str]) -> dict[int, str]:
    return {it["report"]: it["status"] for it in run_json(capsys, "office", "reports")["reports"]}


def test_stages_are_submitted_together(stages: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    before = statuses(capsys)
    (sent,) = sent_reports(capsys, "submit", *stages, "--together", "--list", "standard")
    assert statuses(capsys) == {**before, sent["report"]: "received"}
    assert sent["file"] == "group.trf + final.trf"


def test_a_file_states_facts(
    used_office: Path, stages: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    facts = used_office / "facts.toml"
    facts.write_text('list = "rapid"\n', encoding="utf-8")
    (sent,) = sent_reports(capsys, "submit", stages[0], "--facts", str(facts))
    assert sent["list"] == "rapid"
    facts.write_text("list = 7\n", encoding="utf-8")
    assert "list" in refusal(capsys, "office", "submit", stages[1], "--facts", str(facts))
