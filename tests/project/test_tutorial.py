"""The tutorial of docs/tutorials/ireland.md, followed with the real files: an office for Ireland."""

from __future__ import annotations

import gzip
import re
import shlex
from pathlib import Path

import pytest

from tests.commands import run, run_json
from tests.paths import ROOT
from tests.shared_data import real_file

RATED_WITH_ICU = ("armstrong_2011", "bunratty_challengers_2011", "bunratty_major_2011", "bunratty_masters_2011",
                  "bunratty_minor_2011", "irish_intermediate_champs_2011", "irish_junior_champs_2011")  # fmt: skip
OTHERS = (
    "galway_major_2011",
    "junior_championships_u19_2010",
    "kilbunny_masters_2011",
    "kilkenny_masters_2011",
)
NOT_RATED = {
    "icu_ratings_app": (
        "armstrong_2012_with_bom", "bunratty_masters_2011", "intermediate_2012", "junior_championships_plus"
    ),
    "icu_tournament": ("armstrong_2012_with_bom", "latin-1", "utf-8", "valid"),
}  # fmt: skip
"""The other files, all but one of them to be returned."""


def commands() -> list[str]:
    """The commands of the tutorial, in order."""
    text = (ROOT / "docs" / "tutorials" / "ireland.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.deep
def test_an_office_for_ireland(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = real_file("lists", "fide-txt", "jan04frl.txt.gz")
    (tmp_path / "fide.txt.gz").write_bytes(listed.read_bytes())
    with gzip.open(listed) as stream:
        (tmp_path / "irish.txt").write_bytes(b"".join(line for line in stream if b" IRL " in line))
    (tmp_path / "reports").mkdir()
    for folder, names in (("icu_tournament", RATED_WITH_ICU), ("icu_ratings_app", OTHERS)):
        for name in names:
            data = real_file("trf", folder, f"{name}.tab").read_bytes()
            (tmp_path / "reports" / f"{name}.tab").write_bytes(data)
    (tmp_path / "others").mkdir()
    for folder, names in NOT_RATED.items():
        end = "-app" if folder == "icu_ratings_app" else ""
        for name in names:
            data = real_file("trf", folder, f"{name}.tab").read_bytes()
            (tmp_path / "others" / f"{name}{end}.tab").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "irl.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    for command in commands():
        program, *arguments = shlex.split(command)
        status, _, err = run(capsys, *arguments)
        assert (program, status) == ("arpad", 1 if "submit" in arguments or "--all" in arguments else 0), err
    statuses = {
        report["report"]: report["status"] for report in run_json(capsys, "office", "reports")["reports"]
    }
    returned = {6, 12, 13, 14, 16, 17, 18, 19}
    assert statuses == {n: "returned" if n in returned else "accepted" for n in range(1, 20)}
    errors = {
        report["report"]: report["errors"] for report in run_json(capsys, "office", "reports")["reports"]
    }
    assert all(errors[number] for number in returned)
    assert run_json(capsys, "office", "duplicates")["duplicates"] == []
    (baburin,) = run_json(capsys, "office", "search", "Baburin")["players"]
    assert {"fide": "2500914", "icu": "7085"}.items() <= baburin["identifiers"].items()
    guest = run_json(capsys, "office", "report", "4")["preview"][0]
    assert (guest["name"], guest["rating"]) == ("Short, Nigel", 2702)
