"""Each extra of pyproject.toml installs what Arpad imports; a missing package is refused with the extra's name."""

import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, requires

import pytest
from packaging.requirements import Requirement

from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.system.extras import EXTRAS, are_installed, missing_extra, require
from tests.paths import ROOT, SOURCE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought_by(requirements: list[str]) -> set[str]:
    """Return the distributions that pip would install for requirements, those of other extras included."""
    names: set[str] = set()
    waiting = list(requirements)
    while waiting:
        need = Requirement(waiting.pop())
        name = normalised(need.name)
        if need.marker and not need.marker.evaluate({"extra": ""}):
            continue
        if name == "arpad":
            waiting += [more for extra in need.extras for more in PROJECT["optional-dependencies"][extra]]
        elif name not in names:
            names.add(name)
            waiting += requires(name) or ()
    return names


@cache
def distributions() -> dict[str, set[str]]:
    """Return for each module that can be imported the distributions that have it."""
    return {
        module: {normalised(name) for name in names} for module, names in packages_distributions().items()
    }


def distributions_of(module: str) -> set[str]:
    return distributions().get(module, set())


def test_the_package_or_its_extras_install_every_module_that_arpad_imports() -> None:
    statement = re.compile(r"^ *(?:import|from) +(\w++)[\w.]*(?: as \w+)?(?: +import .*)?$", re.MULTILINE)
    sources = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    imported = {name for source in sources for name in statement.findall(source)}
    others = imported - sys.stdlib_module_names - {"arpad"}
    named = {module for names in EXTRAS.values() for module in names}
    core = brought_by(PROJECT["dependencies"])

    assert [module for module in sorted(others - named) if not distributions_of(module) & core] == []
    assert named <= others | {"psycopg"}  # SQLAlchemy imports the driver


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_its_modules(extra: str) -> None:
    brought = brought_by([f"arpad[{extra}]"])

    assert [module for module in EXTRAS[extra] if not distributions_of(module) & brought] == []


def test_no_extra_contains_what_the_package_alone_installs_from_its_list() -> None:
    core = {Requirement(need).name for need in PROJECT["dependencies"]}
    extras = {Requirement(need).name for needs in PROJECT["optional-dependencies"].values() for need in needs}

    assert core & extras == set()


@pytest.mark.parametrize(
    ("name", "extra"), [("sqlalchemy", "office"), ("cryptography", "proofs"), ("scipy.stats", "studies")]
)
def test_a_module_that_is_not_found_leads_to_its_extra(name: str, extra: str) -> None:
    refusal = missing_extra(ModuleNotFoundError(name=name))

    assert refusal is not None
    assert f"arpad[{extra}]" in load_words("en").error(refusal)
    assert f"arpad[{extra}]" in load_words("it").error(refusal)


def test_a_module_of_no_extra_is_a_fault() -> None:
    assert missing_extra(ModuleNotFoundError(name="arpad.misspelt")) is None
    assert missing_extra(ModuleNotFoundError()) is None


def test_a_package_that_is_not_installed_is_refused_by_name() -> None:
    require("scale", "json", "csv")
    with pytest.raises(BadInput) as caught:
        require("scale", "json", "no_such_package")

    assert caught.value.facts == {"extra": "scale", "package": "no_such_package"}
    assert are_installed("json")
    assert not are_installed("json", "no_such_package")
