"""The wheel and the source archive as pip installs them: small, on every Python at hand, and enough for reports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tools.hash_requirements import without_hashes

from tests.builders.bundles import written_bundle
from tests.paths import ROOT, SOURCE
from tests.shared_data import real_files

pytestmark = pytest.mark.deep

MINORS = (11, 12, 13, 14)
LARGEST = 30_000_000
"""Bytes of everything that ``pip install arpad`` installs, Arpad and its bytecode included."""

REPORT = str(SOURCE / "examples" / "open.trf")

TEN_LINES = """
import sys, arpad
report = arpad.read(sys.argv[1])
check = report.check()
print(report.name, check.ready, len(check))
rating = report.rate()
for row in rating.rows()[:3]:
    print(row["name"], row["rating"], row["change"], row["new_rating"])
print(report.explain(report.players[0].number).in_words())
frames = rating.to_polars(), rating.to_pandas(), rating.to_arrow()
print(*[len(frame) for frame in frames], len(report.players))
"""


def python(minor: int) -> str | None:
    """Return a Python of this version: the one on the path, else one that pyenv has."""
    name = f"python3.{minor}"
    if runs(name):
        return name
    if shutil.which("pyenv") is None:
        return None
    listing = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True, check=False)
    for version in listing.stdout.split():
        if version.startswith(f"3.{minor}."):
            prefix = subprocess.run(["pyenv", "prefix", version], capture_output=True, text=True, check=True)
            return str(Path(prefix.stdout.strip()) / "bin" / name)
    return None


def runs(name: str) -> bool:
    path = shutil.which(name)
    return path is not None and subprocess.run([path, "-V"], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Environment:
    """An empty environment with Arpad installed by pip."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, interpreter: str, package: Path) -> Environment:
        subprocess.run([interpreter, "-m", "venv", "--without-pip", str(folder)], check=True)
        environment = cls(folder)
        environment.install(str(package))
        return environment

    def install(self, *packages: str) -> None:
        pins = self.folder / "pins.txt"  # without hashes, which pip would then want of the wheel too
        pins.write_text(
            without_hashes((ROOT / "requirements.txt").read_text(encoding="utf-8")), encoding="utf-8"
        )
        options = ["--quiet", "--disable-pip-version-check", "--constraint", str(pins)]
        interpreter = str(self.folder / "bin" / "python")
        command = [sys.executable, "-m", "pip", "--python", interpreter, "install", *options, *packages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def run(self, program: str, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [str(self.folder / "bin" / program), *words],
            cwd=self.folder, capture_output=True, text=True, check=False,
            env={"HOME": str(self.folder), "PATH": os.defpath, "LANG": "C"},
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in (self.folder / "lib").rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the wheel and the source archive by their kind."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


@pytest.mark.parametrize(("minor", "kind"), [(11, "sdist"), *((minor, "wheel") for minor in MINORS)], ids=str)
def test_the_package_alone_is_small_and_works_on_reports(
    minor: int, kind: str, built: dict[str, Path], tmp_path: Path
) -> None:
    interpreter = python(minor)
    if interpreter is None:
        pytest.skip(f"there is no Python 3.{minor} on this machine")
    environment = Environment.made(tmp_path / "environment", interpreter, built[kind])

    assert environment.size < LARGEST
    for line in (
        f"rate {REPORT} --html open.html", f"check {REPORT}", f"explain {REPORT} Quaglia",
        f"convert {REPORT} open.xlsx", "convert open.xlsx open.csv", f"norms {REPORT}", "calc expected 2000 1800",
        "editions", f"office verify {written_bundle(tmp_path)}", "--version",
    ):  # fmt: skip
        status, out, err = environment.run("arpad", *line.split())
        assert (status, err) == (0, ""), line
        assert out, line
    for line, extra in (
        ("office lists --db o.db", "office"),
        ("serve --db o.db", "office"),
        ("replay x", "studies"),
    ):
        status, out, err = environment.run("arpad", *line.split())
        assert (status, out) == (2, "")
        assert f"arpad[{extra}]" in err
        assert err.count("\n") == 1


def test_ten_lines_of_python_on_a_real_report_end_in_tables(built: dict[str, Path], tmp_path: Path) -> None:
    path = next(iter(real_files("trf")), Path(REPORT))
    environment = Environment.made(tmp_path / "environment", sys.executable, built["wheel"])
    script = tmp_path / "ten_lines.py"
    script.write_text(TEN_LINES, encoding="utf-8")

    status, _, err = environment.run("python", str(script), str(path))
    assert status == 1
    assert "to_polars needs the package polars, which is not installed: pip install polars" in err

    environment.install("polars", "pandas", "pyarrow")
    status, out, err = environment.run("python", str(script), str(path))
    assert (status, err) == (0, "")
    players = out.split()[-1]
    assert out.split()[-4:] == [players] * 4


@pytest.mark.parametrize("extra", ["proofs", "office", "postgres"])
def test_an_extra_is_enough_for_its_commands(extra: str, built: dict[str, Path], tmp_path: Path) -> None:
    environment = Environment.made(tmp_path / "environment", sys.executable, built["wheel"])
    environment.install(f"{built['wheel']}[{extra}]")

    if extra == "proofs":
        assert environment.run("python", "-c", "import cryptography")[0] == 0
        return
    made = environment.run(
        "arpad", "office", "init", "--db", "o.db", "--federation", "ITA", "--author", "anna"
    )
    assert (made[0], made[2]) == (0, "")
    assert environment.run("arpad", "office", "lists", "--db", "o.db")[0] == 0
    if extra == "postgres":
        _, _, err = environment.run(
            "arpad", "office", "lists", "--db", "postgresql://nobody@127.0.0.1:1/none"
        )
        assert "arpad[postgres]" not in err
