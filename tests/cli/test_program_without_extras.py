"""The commands without a database run with the core packages alone; the others name the extra that they need."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from arpad.explain.words import LANGUAGES
from tests.builders.bundles import written_bundle
from tests.paths import SOURCE
from tests.system.test_extras import PROJECT, brought_by, distributions

REPORT = str(SOURCE / "examples" / "open.trf")

PROGRAM = """
import contextlib, io, json, sys
blocked, lines = json.load(sys.stdin)
sys.modules |= dict.fromkeys(blocked)  # each is now a package that is not installed
from arpad import cli
answers = []
for line in lines:
    sys.argv = ["arpad", *line]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            cli.main()
        except SystemExit as stopped:
            answers.append([stopped.code or 0, out.getvalue(), err.getvalue()])
json.dump(answers, sys.stdout)
"""


def answers_with_core_alone(lines: Sequence[Sequence[str]], folder: Path) -> list[tuple[int, str, str]]:
    """Run commands in one process in which only the packages of the core can be imported."""
    core = brought_by(PROJECT["dependencies"])
    blocked = [name for name, owners in distributions().items() if name != "arpad" and not owners & core]
    run = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM],
        input=json.dumps([blocked, lines]), cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [(code, out, err) for code, out, err in json.loads(run.stdout)]


def test_reports_calculators_and_bundles_need_only_the_core(tmp_path: Path) -> None:
    bundle = written_bundle(tmp_path)
    lines = [
        ["--version"],
        ["rate", REPORT, "--html", str(tmp_path / "open.html"), "--csv", str(tmp_path / "open-rated.csv")],
        ["check", REPORT, "-v"],
        ["explain", REPORT, "Quaglia"],
        ["convert", REPORT, str(tmp_path / "open.xlsx")],
        ["convert", str(tmp_path / "open.xlsx"), str(tmp_path / "open.csv")],
        ["norms", REPORT],
        ["calc", "expected", "2000", "1800"],
        ["editions", "show", "fide-2024"],
        ["rubele", "groups", "--players", "62", "--rounds", "6", "--groups", "4"],
        ["office", "verify", str(bundle)],
    ]

    for line, (status, out, err) in zip(lines, answers_with_core_alone(lines, tmp_path), strict=True):
        assert (status, err) == (0, ""), line
        assert out, line


NEEDS = {
    "office lists --db o.db": "office",
    "office init --db o.db --federation ITA --author anna": "office",
    "serve --db o.db": "office",
    "work --db o.db": "office",
    "office user add anna --role officer --db o.db": "office",
    "demo demo": "office",
    f"norms {REPORT} --tournament it3.pdf": "office",
    "replay games.parquet": "studies",
    "monitor points --simulated 7": "studies",
    "monitor drift --simulated 7": "studies",
    "simulate": "studies",
    "whatif --simulated 7 --set floor=1400": "studies",
}


def test_other_commands_name_their_extra_in_both_languages(tmp_path: Path) -> None:
    lines = [f"{line} --lang {language}".split() for line in NEEDS for language in LANGUAGES]
    extras = [extra for extra in NEEDS.values() for _ in LANGUAGES]

    for line, extra, answer in zip(lines, extras, answers_with_core_alone(lines, tmp_path), strict=True):
        status, out, err = answer
        assert (status, out) == (2, ""), line
        assert f"arpad[{extra}]" in err, (line, err)
        assert err.startswith("arpad: "), line
        assert err.count("\n") == 1, line
