"""``arpad office webhook``: what its commands print in words."""

import pytest

from tests.commands import run

pytestmark = pytest.mark.usefixtures("used_office")


def test_the_changes_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "webhook", "changes", "--lang", "en")
    assert "list published" in out
