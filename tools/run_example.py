"""What ``make run`` does: a report rated, a federation of two years built, a list verified, and its site started.

It prints about twenty lines. Everything is kept in build/demo, so that the commands at the end can be tried. On a
terminal the site runs until interrupted; SERVE=0, or no terminal, ends with the command that starts it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "demo"
DATABASE = FOLDER / "office.db"
PORT = "8000"
ARPAD = [sys.executable, "-m", "arpad"]
PLAYER = 8


def main() -> int:
    """Do the main job, print what was done, and start the site on a terminal."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    report = FOLDER / "open.trf"
    shutil.copy(ROOT / "src" / "arpad" / "examples" / "open.trf", report)
    print("Arpad builds a federation that does not exist, in build/demo.\n", flush=True)

    rated = _answer("rate", str(report))
    player = next(it for it in rated["players"] if it["number"] == PLAYER)
    problems = sum(it["severity"] != "info" for it in rated["findings"])
    _line("A report rated", f"{rated['event']}: {len(rated['players'])} players, {problems} problems")
    _line(
        "",
        f"{player['name']} {player['rating']} → {player['rating'] + player['change_rounded']}, by {rated['edition']}",
    )
    built = _answer("demo", str(FOLDER / "bellariva"), "--db", str(DATABASE))
    _line(
        "A federation built",
        f"{built['players']} players, {built['reports']} reports, {built['publications']} published lists",
    )
    bundle = next(iter(sorted((FOLDER / "bellariva" / "lists").glob("standard-*-r2.bundle.zip"))))
    verified = _run("office", "verify", str(bundle), capture_output=True)
    if verified.returncode:
        print(verified.stdout + verified.stderr)
        return verified.returncode
    _line("A list verified", f"{bundle.name[9:19]}, corrected: the same bytes again")
    _line("The site", f"http://127.0.0.1:{PORT}")
    for role, password in _users().items():
        _line(f"  sign in as {role}", password)
    print(TO_TRY, flush=True)
    if not sys.stdout.isatty() or os.environ.get("SERVE") == "0":
        print("Start the site: .venv/bin/arpad serve --db build/demo/office.db")
        return 0
    try:
        return _run("serve", "--db", str(DATABASE), "--port", PORT).returncode
    except KeyboardInterrupt:
        return 0


TO_TRY = """
Five things to try on the site
  /players/1     why did a rating change?
  /check         drop build/demo/open.trf there: every problem at once
  /lists         the published lists, with files and proofs
  /desk          what an arbiter and an officer do, from report to list
  /calculators   a change, a first rating, K, a title norm, without a report

Commands
  .venv/bin/arpad rate build/demo/open.trf
  .venv/bin/arpad explain build/demo/open.trf Quaglia
  .venv/bin/arpad office explain 1 --db build/demo/office.db
"""


def _line(name: str, text: str) -> None:
    print(f"{name:<28}{text}", flush=True)


def _run(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ARPAD, *command], check=False, text=True, **options)  # noqa: S603  our own program


def _answer(*command: str) -> Mapping[str, Any]:
    """Return the JSON document of a command; end with its sentence if it fails."""
    done = _run(*command, "--json", capture_output=True)
    if done.returncode == 2:  # noqa: PLR2004  wrong usage; 1 is a report with errors
        sys.exit(done.stderr)
    document: Mapping[str, Any] = json.loads(done.stdout)
    return document


def _users() -> Mapping[str, str]:
    """Add a user for each role to the office, and return their passwords."""
    from arpad.office.accounts.users import enter_user
    from arpad.office.office import open_office, record_act
    from arpad.office.users import Grant, Role

    office = open_office(str(DATABASE), author="example")
    passwords = {}
    for role in Role:
        passwords[str(role)] = secrets.token_urlsafe(9)
        with record_act(office, "add-user") as act:
            enter_user(act, role, role.capitalize(), passwords[role], [Grant(role)], own_password=True)
    office.store.engine.dispose()
    return passwords


if __name__ == "__main__":
    sys.exit(main())
