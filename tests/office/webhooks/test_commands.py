"""``arpad office webhook``: what its commands print in words."""

import pytest

from tests.commands import run, run_json

pytestmark = pytest.mark.usefixtures("used_office")


def test_a_secret_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    added = run_json(
        capsys, "office webhook add http://127.0.0.1:9/a --private-host 127.0.0.1 --kind list-published"
    )
    _, out, _ = run(capsys, "office", "webhook", "list")
    assert "http://127.0.0.1:9/a" in out
    assert added["secret"] not in out
    run_json(capsys, "office", "webhook", "remove", str(added["webhook"]))
    run_json(capsys, "office", "webhook", "remove", "1")
    assert run(capsys, "office", "webhook", "list")[1].startswith("No ")


def test_the_changes_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "webhook", "changes", "--lang", "en")
    assert "list published" in out
