"""A client that openapi-python-client makes from the API's document works against a running office."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders.site_fixtures import Served
from tests.builders.users import issue_token
from tests.paths import EXAMPLES, ROOT

TOOLS = ROOT / ".venv" / "tools" / "bin"
WALK = Path(__file__).with_name("client_walk.py")


@pytest.mark.deep
def test_a_generated_client_walks_through_the_api(own: Served, tmp_path: Path) -> None:
    assert own.office is not None
    maker = TOOLS / "openapi-python-client"
    if not maker.exists():
        pytest.skip("the tools are not installed: tools/setup tools")
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    document = tmp_path / "openapi.json"
    document.write_text(own.client().get("/api/openapi.json").text, encoding="utf-8")
    target = tmp_path / "arpad_client"
    kinds = tmp_path / "kinds.yml"  # the program knows files only by this name
    kinds.write_text(
        "content_type_overrides:\n  application/pdf: application/octet-stream\n", encoding="utf-8"
    )
    subprocess.run(
        [
            maker,
            "generate",
            "--path",
            document,
            "--meta",
            "none",
            "--output-path",
            target,
            "--config",
            kinds,
            "--fail-on-warning",
        ],
        check=True,
        env=environment,
    )
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    walked = subprocess.run(
        [TOOLS / "python", WALK, own.address, token, EXAMPLES / "open.trf"],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert walked.returncode == 0, walked.stderr
