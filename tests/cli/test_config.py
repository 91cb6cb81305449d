"""``arpad config``: settings that an option or the environment overrides, and files that cannot be read."""

from pathlib import Path

import pytest

from tests.commands import refusal, run, run_json


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of an empty settings file in a folder of its own."""
    for name in ("ARPAD_DB", "ARPAD_AUTHOR", "ARPAD_LANG", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "arpad" / "config.toml"


def test_set_show_and_unset(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_json(capsys, "config", "show")["db"] is None
    run(capsys, "config", "set", "author", 'Anna "la rossa"')
    run(capsys, "config", "set", "db", "office.db")
    assert run_json(capsys, "config", "show") == {
        "schema": "arpad.config/1",
        "file": str(settings),
        "db": str(Path("office.db").absolute()),
        "author": 'Anna "la rossa"',
        "lang": None,
    }
    run(capsys, "config", "unset", "db")
    assert run_json(capsys, "config", "show")["db"] is None
    assert settings.stat().st_mode & 0o077 == 0


def test_the_nearer_value_counts(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Option, environment, settings: each names another database that is missing, and the refusal names it."""
    paths = {name: str(tmp_path / f"{name}.db") for name in ("settings", "environment", "option")}
    run(capsys, "config", "set", "db", paths["settings"])
    assert paths["settings"] in refusal(capsys, "office", "lists")
    monkeypatch.setenv("ARPAD_DB", paths["environment"])
    assert paths["environment"] in refusal(capsys, "office", "lists")
    assert paths["option"] in refusal(capsys, "office", "lists", "--db", paths["option"])


def test_the_language_of_the_settings(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "config", "set", "lang", "it")
    assert "forse" in refusal(capsys, "ratte")
    monkeypatch.setenv("ARPAD_LANG", "en")
    assert "perhaps" in refusal(capsys, "ratte")
    assert "forse" in refusal(capsys, "--lang", "it", "ratte")


@pytest.mark.parametrize(
    ("text", "part"), [("db = ", "config.toml"), ("colour = 'red'", "colour"), ("db = 3", "db")]
)
def test_a_file_that_cannot_be_read_is_named(
    settings: Path, text: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.parent.mkdir()
    settings.write_text(text, encoding="utf-8")
    assert part in refusal(capsys, "office", "lists")


def test_an_unknown_setting_is_refused(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "colour" in refusal(capsys, "config", "set", "colour", "red")
    assert "de" in refusal(capsys, "config", "set", "lang", "de")
    assert not settings.exists()
