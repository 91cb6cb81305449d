"""Settings of a server: one table of all, values from variables and files, and secrets that are not shown."""

import re
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.system import server_settings
from arpad.system.server_settings import INTERNAL, SETTINGS, all_values, read_settings_file
from arpad.web.limited_process import Bounds, bounds
from tests.commands import run, run_json
from tests.paths import ROOT

NAMES = {setting.variable for setting in SETTINGS}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES | {f"{name}_FILE" for name in NAMES}:
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(server_settings, "_from_file", {})


def values() -> dict[str, tuple[str, str]]:
    return {value.setting.name: (value.text, value.source) for value in all_values()}


def test_every_variable_in_the_source_is_a_setting_or_internal() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    known = NAMES | {f"{name}_FILE" for name in NAMES} | {f"ARPAD_{name.upper()}" for name in INTERNAL}
    assert set(re.findall(r'"_?(ARPAD_[A-Z_]*[A-Z])"', source)) - known == set()


def test_the_page_lists_them_in_the_same_order() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(ARPAD_\w+)`[^|]*\| ([^|]*) \|", page, re.MULTILINE)
    assert rows == [(setting.variable, setting.default or "–") for setting in SETTINGS]


def test_the_limits_have_the_defaults_that_are_shown() -> None:
    bounds.cache_clear()
    shown = {setting.name: setting.default for setting in SETTINGS}
    for who in ("visitor", "signed_in", "file"):
        for part in Bounds.__slots__:
            if (who, part) != ("file", "games"):
                assert shown[f"{who}_{part}"] == str(getattr(bounds(who), part))


def test_a_variable_comes_before_the_file_and_the_file_before_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arpad.toml"
    file.write_text('prefix = "/a"\nlog = "json"\ndb_file = "/run/db"\nvisitor_games = 7\n')
    monkeypatch.setenv("ARPAD_SETTINGS", str(file))
    monkeypatch.setenv("ARPAD_PREFIX", "/b")
    monkeypatch.setenv("ARPAD_KEY", "very secret")
    read_settings_file()
    shown = values()
    assert shown["prefix"] == ("/b", "ARPAD_PREFIX")
    assert shown["log"] == ("json", str(file))
    assert shown["db"] == ("/run/db", str(file))
    assert shown["visitor_games"] == ("7", str(file))
    assert shown["key"] == ("…", "ARPAD_KEY")
    assert shown["rehearse"] == ("", "")
    assert shown["backups_keep"] == ("7,5,12", "")


@pytest.mark.parametrize("text", ['key = "secret"', "parent = 1", "[log]\n", "log = "])
def test_other_names_and_broken_files_are_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arpad.toml").write_text(text)
    monkeypatch.setenv("ARPAD_SETTINGS", str(tmp_path / "arpad.toml"))
    with pytest.raises(BadInput, match="settings-file"):
        read_settings_file()


def test_the_command_shows_each_with_its_source(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARPAD_METRICS_TOKEN", "very secret")
    monkeypatch.setenv("ARPAD_LOG", "json")
    document = run_json(capsys, "config", "show", "--all")["settings"]
    assert document["ARPAD_LOG"] == {"value": "json", "source": "ARPAD_LOG"}
    status, out, _ = run(capsys, "config", "show", "--all", "--lang", "it")
    assert status == 0
    assert "very secret" not in out
    assert "predefinito" in out
