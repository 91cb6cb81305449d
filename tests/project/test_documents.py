"""The Markdown of the documents: every page is listed, links lead to headings, commands and options exist."""

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tools import made_pages

from tests.paths import ROOT
from tests.robustness.command_tree import commands

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LINK = re.compile(r"\[[^\]\n]+\]\((?P<target>[^)#:\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
ENTRY = re.compile(r"^[-*] \[[^\]\n]+\]\(([^)#:\s]+)\)", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as Sphinx and forges make them."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def links(path: Path) -> list[tuple[Path, str]]:
    """Return where a page leads to inside the repository: file and anchor; tests/web/test_guides.py has the others."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    found = [link for link in LINK.finditer(text) if not link["target"].startswith("/")]
    return [((path.parent / (link["target"] or path.name)).resolve(), link["anchor"] or "") for link in found]


def test_every_page_is_in_the_list_of_an_index() -> None:
    """The site makes its menu from these lists, so a page that is in none could not be reached."""
    listed = {DOCS / "index.md"}
    for index in DOCS.rglob("index*.md"):
        listed |= {
            (index.parent / target).resolve() for target in ENTRY.findall(index.read_text(encoding="utf-8"))
        }
    pages = [*PAGES, *DOCS.rglob("*.ipynb")]
    unlisted = [str(page.relative_to(DOCS)) for page in pages if page not in listed]
    assert [name for name in unlisted if not name.endswith(".fr.md")] == [], (
        "only sites of offices show French guides"
    )


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    wrong = [
        f"{target.name}#{anchor}"
        for target, anchor in links(page)
        if not target.exists() or (anchor and anchor not in anchors(target))
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", ["tutorials", "guides"])
def test_both_languages_have_the_same_sections(folder: str) -> None:
    english, italian = ({p.name.partition(".")[0]: p for p in (DOCS / folder).glob(f"*.{language}.md")}
                        for language in ("en", "it"))  # fmt: skip
    assert english.keys() == italian.keys()
    for name, path in english.items():
        counts = [page.read_text(encoding="utf-8").count("\n## ") for page in (path, italian[name])]
        assert counts[0] == counts[1], name


def command_lines(page: Path) -> list[str]:
    """Return the command lines of a page: in console blocks after a dollar sign, or indented."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^(?:\$ |    )(arpad .+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if command_lines(page)], ids=lambda page: str(page.relative_to(DOCS))
)
def test_every_command_and_option_exists(page: Path) -> None:
    known = commands()
    wrong = []
    for line in command_lines(page):
        words = shlex.split(re.split(r"  +| \| ", line)[0].replace("…", ""), comments=True)[1:]
        name = next((" ".join(words[:n]) for n in (3, 2, 1) if " ".join(words[:n]) in known), "")
        options = {parameter.name for parameter in known[name].parameters} if name else set()
        asked = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
        if words and not words[0].startswith("-") and (not name or asked - options - {"--lang", "--help"}):
            wrong.append(line)
    assert wrong == []


def test_the_pages_that_are_made_from_the_program_have_their_text() -> None:
    made = made_pages.pages()

    assert {"reference/editions/fide-2017.it.md", "reference/glossary.en.md"} <= made.keys()
    assert [name for name, text in made.items() if not text.startswith("# ")] == []


def test_make_docs_installs_sphinx_and_builds_the_site() -> None:
    printed = subprocess.run(
        ["make", "-n", "docs"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert printed.index("tools/setup tools") < printed.index("tools.docs")
