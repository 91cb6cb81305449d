"""The list of features names every folder of the office, and finds what a feature brings along."""

from datetime import date
from importlib import import_module
from inspect import isfunction
from typing import cast

import pytest
from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES
from arpad.office import features, parts
from arpad.office.declarations import all_declared
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
    monkeypatch.setattr(features, "FEATURES", ("register", "taken-away"))
    assert [*feature_folders("templates")] == ["register"]
    assert feature_folders("nothing") == {}


OFFERED = [
    (feature, name, module)
    for feature in FEATURES
    for name, module in getattr(import_module(f"arpad.office.{feature}"), "PARTS", {}).items()
]
CHOICES = {name for _, name, _ in OFFERED if name.endswith("_choices")}
"""What search fields offer: ``find_choices`` asks for it by the kind of the field."""


@pytest.mark.parametrize(("feature", "name", "module"), OFFERED)
def test_what_a_feature_offers_is_asked_for_and_there(feature: str, name: str, module: str) -> None:
    assert hasattr(parts, name) or name in CHOICES
    assert callable(getattr(import_module(f"arpad.office.{feature}.{module}"), name))
    assert getattr(import_module(f"arpad.office.{feature}.{module}"), name) in parts.answers(name)


def test_everything_that_is_asked_for_is_offered() -> None:
    asked = {
        name
        for name, value in vars(parts).items()
        if isfunction(value) and value.__module__ == parts.__name__ and not name.startswith("_")
    } - {"answers", "find_choices"}
    picks = {it.accepts.picks for act in all_declared().values() for it in act.parameters} - {""}
    assert asked == {name for _, name, _ in OFFERED} - CHOICES
    assert {f"{it}_choices" for it in picks} == CHOICES


def test_without_a_feature_the_answer_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FEATURES", {})
    parts._answers.cache_clear()
    connection = cast("Connection", None)
    assert parts.members_on(connection, date(2030, 1, 1)) == {}
    assert parts.rated_guests(connection, (), "standard", date(2030, 1, 1), takes_standard=True) is None
    assert parts.with_categories(connection, None, "table") == "table"
    assert not parts.has_categories(connection, "standard", date(2030, 1, 1))
    assert list(parts.altered_tables(connection, {}, None)) == []
    monkeypatch.undo()
    parts._answers.cache_clear()
