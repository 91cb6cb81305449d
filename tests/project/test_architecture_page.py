"""docs/architecture.md names every package in the order of imports, and answers where things are."""

import ast
import re

import pytest

from arpad.office.features import FEATURES, about_feature
from tests.paths import ROOT, SOURCE
from tests.project.test_architecture import ORDER

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
QUESTIONS = (
    "The cut-off of a list",
    "K of a junior",
    "Splitting a draughts field into groups",
    "Who may open the desk",
    "Writing FIDE's XML",
    "Matching an entrant to the register",
    "The lock-out after failed sign-ins",
    "Why a game does not count",
)
"""What a stranger must be able to find with the tree and this page alone."""


MOST_QUESTIONS = 30

THINGS = {
    "a club": ("office/clubs", "enter_club"),
    "an arbiter's licence": ("office/arbiters", "register_arbiter"),
    "an invoice": ("office/fees", "issue_invoice"),
    "a title norm on record": ("office/titles", "RecordedNorm"),
    "FIDE's list of a month": ("office/fide", "add_reference"),
    "a tournament registered before it starts": ("office/registrations", "register_event"),
    "a tournament in progress": ("office/running", "send_version"),
    "what would be published now": ("office/live", "update_live"),
    "a program that is told of changes": ("office/webhooks", "add_webhook"),
    "a reader who follows a player": ("office/notices", "ask_to_follow"),
    "points of draughts players": ("office/draughts", "points_register"),
    "data for everybody": ("office/open_data", "write_open_data"),
    "an officer's decision": ("office/decisions", "decide"),
    "two numbers of one player": ("office/who_is_who", "merge"),
    "the second factor": ("office/accounts", "turn_on"),
    "a player who asks to be erased": ("office/privacy", "erase_player"),
    "a signed checkpoint": ("office/proof", "record_checkpoint"),
    "a backup": ("office/backup", "restore"),
    "the draft of a list": ("office/drafts", "compute_draft"),
    "K": ("regulations", "coefficient"),
}
"""Twenty things, each with its folder and something that is defined there."""


def rows(heading: str) -> list[tuple[str, str]]:
    """Return the rows of the table below a heading of the page."""
    table = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, flags=re.MULTILINE)
    return [row for row in found if row[0] not in {"question", "package", "folder"}]


def answers() -> dict[str, tuple[str, str]]:
    """Return question → module and name."""
    found = {}
    for question, answer in rows("Where is it?"):
        match = re.fullmatch(r"`([\w/]+\.py): (\w+)`", answer)
        assert match, answer
        found[question] = (match.group(1), match.group(2))
    return found


def source(module: str) -> str:
    """Return the text of a module."""
    return (SOURCE / module).read_text(encoding="utf-8")


def defined_names(module: str) -> set[str]:
    """Return the functions and classes that a module defines itself."""
    tree = ast.parse(source(module))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_page_names_the_packages_in_the_order_of_imports() -> None:
    named = [package.strip("`") for package, _ in rows("The packages")]

    parts = [
        "office" if part == "machinery" else part for part in ORDER if part not in {"features", "__main__"}
    ]
    assert named == parts


def test_the_page_names_every_feature_with_what_it_is() -> None:
    named = {name.strip("`"): about for name, about in rows("The features of an office")}
    assert named == {name: about_feature(name) for name in FEATURES}


@pytest.mark.parametrize(("folder", "name"), THINGS.values(), ids=THINGS)
def test_a_stranger_finds_twenty_things(folder: str, name: str) -> None:
    assert f"| `{folder.removeprefix('office/')}` |" in PAGE
    modules = (path.relative_to(SOURCE).as_posix() for path in (SOURCE / folder).rglob("*.py"))
    assert any(name in defined_names(module) for module in modules)


def test_the_page_asks_no_more_than_people_do() -> None:
    assert len(answers()) <= MOST_QUESTIONS


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_page_answers_where_it_is(question: str) -> None:
    assert question in answers()


@pytest.mark.parametrize(("module", "name"), answers().values(), ids=answers())
def test_what_the_page_names_is_there(module: str, name: str) -> None:
    assert name in defined_names(module)


def test_every_fast_path_that_is_listed_is_there() -> None:
    page = (ROOT / "docs" / "explanation" / "fast-paths.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([\w/]+\.py): ([\w.]+)`", page)
    gone = [
        (module, name)
        for module, name in listed
        if (
            name.partition(".")[0] not in defined_names(module)
            and not re.search(rf"^{name} = ", source(module), re.MULTILINE)
        )
        or ("." in name and f"def {name.rpartition('.')[2]}(" not in source(module))
    ]
    assert len(listed) > 20
    assert gone == []
    assert len(page.splitlines()) <= 60
