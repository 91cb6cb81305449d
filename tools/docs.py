"""Build the documentation site: ``make docs`` writes it to build/docs, without network.

The pages are the Markdown files of ``docs``, as they are read on a forge too, and pages made from the program:
commands, API, library, every edition article by article, and the glossary. Here they get what only the site has: the
tree of its pages, pictures, a link to the other language. Sphinx then runs in its own environment; its warnings are
errors.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

from tools import made_pages

from arpad.explain.words import load_words
from arpad.web.guides import PEOPLE, TAKEN, headings, picture_name, pictures
from arpad.web.templates import assets

ROOT = Path(__file__).parents[1]
DOCS, SOURCE, SITE = ROOT / "docs", ROOT / "build" / "docs-source", ROOT / "build" / "docs"
SPHINX = ROOT / ".venv" / "tools" / "bin" / "sphinx-build"

BESIDE = {"CONTRIBUTING.md": "project/contributing.md", "SECURITY.md": "project/vulnerabilities.md"}
"""Files of the repository that are pages of the site too."""

LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]+)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
ENTRY = re.compile(r"^[-*] \[[^\]\n]+\]\((?P<target>[^)#:\s]+\.md)\)", re.MULTILINE)
PICTURE = re.compile(r"^<!-- picture: (?P<who>\w+), (?P<heading>.+) -->$", re.MULTILINE)
MADE = "<!-- made pages -->"
MADE_ENTRIES = {
    "docs/reference/index.md": "- [Commands](commands.md) with all their options\n"
    "- [The API](api.md) for other programs\n"
    "- [The library](library.md): the public names of `import arpad`\n"
    "- [Editions, article by article](editions/index.en.md)\n- [Glossary](glossary.en.md)",
    "docs/index.it.md": "- [Le edizioni, articolo per articolo](reference/editions/index.it.md)\n"
    "- [Glossario](reference/glossary.it.md)",
}
"""The pages that are made from the program, where they are listed; the repository does not have them."""

OTHER = {"en": ("it", "Questa pagina in italiano"), "it": ("en", "This page in English")}


def main() -> int:
    """Write the pages and build the site."""
    if not SPHINX.is_file():
        sys.stderr.write("Sphinx is not there: tools/setup tools installs it.\n")
        return 2
    if "--take-pictures" in sys.argv[1:]:
        from tools.pictures import take_pictures

        if not take_pictures():
            sys.stderr.write("There is no browser, so the pictures stay: install the package chromium.\n")
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    command = [SPHINX, "-b", "html", "-W", "--keep-going", "-q", "-d", SOURCE / ".doctrees", SOURCE, SITE]
    status = subprocess.run(command, check=False).returncode  # noqa: S603  our own program
    if status == 0:
        sys.stdout.write(f"{SITE / 'index.html'}\n")
    return status


def write_source() -> None:
    """Write everything that Sphinx reads to build/docs-source."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("*.md", "*.ipynb", "__pycache__"))
    for name in ("serif.ttf", "sans.ttf", "mark.svg"):
        (SOURCE / "static" / name).write_bytes(assets()[name].data)
    shutil.copytree(TAKEN, SOURCE / "pictures")
    made = made_pages.pages()
    pages = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in DOCS.rglob("*.md")
        if not path.name.endswith(
            ".fr.md"
        )  # the site of an office has them; these pages are in two languages
    }
    for notebook in DOCS.rglob("*.ipynb"):
        page = made_pages.notebook_page(notebook.read_text(encoding="utf-8"))
        pages[notebook.with_suffix(".md").relative_to(ROOT).as_posix()] = page
    pages |= {name: (ROOT / name).read_text(encoding="utf-8") for name in BESIDE}
    pages |= {f"docs/{name}": text for name, text in made.items()}
    for name, text in pages.items():
        path = SOURCE / site_name(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page_text(name, text, frozenset(pages)), encoding="utf-8")


def site_name(name: str) -> str:
    """Return the name on the site of a page of the repository."""
    return BESIDE.get(name) or name.removeprefix("docs/")


def page_text(name: str, text: str, pages: frozenset[str]) -> str:
    """Return a page as Sphinx gets it."""
    path = PurePosixPath(name)
    language = path.stem.partition(".")[2] or "en"
    if path.parent.name == "guides" and path.name.partition(".")[0] in PEOPLE:
        text = marked_sections(text, path.name.partition(".")[0])
    text = text.replace(MADE, MADE_ENTRIES.get(name, ""))
    text = PICTURE.sub(lambda mark: figure(mark["who"], mark["heading"], language), text)
    text = LINK.sub(lambda link: relinked(link, name, pages), text)
    text = one_title(text)
    if path.name.startswith("index"):
        text += tree(text)
    return text if path.name.startswith("index") else with_language(text, path, pages)


def one_title(text: str) -> str:
    """Return a page with one heading of the first level: if it has more, all but the first go one level down."""
    heading = re.compile(r"(?m)^(?=#+ )")
    parts = re.split(r"(?ms)(^```.*?^```$)", text)
    if sum(len(re.findall(r"(?m)^# ", part)) for part in parts[::2]) <= 1:
        return text
    parts[::2] = [heading.sub("#", part) for part in parts[::2]]
    return "".join(parts).removeprefix("#")


def relinked(link: re.Match[str], name: str, pages: frozenset[str]) -> str:
    """Return a link for the site; a page of an office and a file that is no page of it are only named."""
    if link["target"].startswith("/"):
        return link["text"]
    target = os.path.normpath(PurePosixPath(name).parent / link["target"].replace(".ipynb", ".md"))
    if target not in pages:
        return link["text"] if "`" in link["text"] else f"`{target}`"
    relative = os.path.relpath(site_name(target), PurePosixPath(site_name(name)).parent)
    return f"[{link['text']}]({relative}{link['anchor'] or ''})"


def tree(text: str) -> str:
    """Return the tree of pages below an index: those that begin an item of its lists."""
    entries = "\n".join(entry["target"] for entry in ENTRY.finditer(text))
    return f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n" if entries else ""


def with_language(text: str, path: PurePosixPath, pages: frozenset[str]) -> str:
    """Return a page with a link to the same page in the other language below its title."""
    stem, _, language = path.stem.partition(".")
    other, words = OTHER.get(language, ("", ""))
    if not other or str(path.with_name(f"{stem}.{other}.md")) not in pages:
        return text
    title, _, rest = text.partition("\n")
    return f"{title}\n\n```{{container}} other-language\n[{words}]({stem}.{other}.md)\n```\n{rest}"


def marked_sections(text: str, who: str) -> str:
    """Return a guide with a mark for a picture at the end of each section that has one."""
    first, *sections = re.split(r"(?m)^(?=## )", text)
    for number in pictures(who):
        mark = f"<!-- picture: {who}, {headings(who, 'en')[number - 1]} -->"
        sections[number - 1] = f"{sections[number - 1].rstrip()}\n\n{mark}\n\n"
    return first + "".join(sections)


def figure(who: str, heading: str, language: str) -> str:
    """Return the picture of a section, by its English heading, with a caption; nothing if it was not taken."""
    section = headings(who, "en").index(heading) + 1
    name = picture_name(who, section, language)
    if not (TAKEN / name).is_file():
        return ""
    caption = load_words(language).text("site.guide-picture", place=headings(who, language)[section - 1])
    return f"```{{figure}} /pictures/{name}\n:alt: {caption}\n:width: 100%\n\n{caption}\n```"


if __name__ == "__main__":
    sys.exit(main())
