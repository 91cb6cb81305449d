"""The list of features names every folder of the office, and finds what a feature brings along."""

from __future__ import annotations

import pytest

from arpad.explain.words import LANGUAGES
from arpad.office import features
from arpad.office.features import FEATURES, feature_folders
from tests.paths import SOURCE


def test_every_folder_of_the_office_is_a_feature() -> None:
    folders = {path.parent.name for path in (SOURCE / "office").glob("*/__init__.py")}
    assert sorted(FEATURES) == sorted(folders)


@pytest.mark.parametrize("feature", feature_folders("words"))
def test_a_feature_has_its_words_in_every_language(feature: str) -> None:
    names = [path.name for path in feature_folders("words")[feature].iterdir()]
    assert sorted(names) == sorted(f"{language}.toml" for language in LANGUAGES)


def test_a_feature_without_a_folder_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "FEATURES", ("clubs", "taken-away"))
    assert [*feature_folders("templates")] == ["clubs"]
    assert feature_folders("nothing") == {}
