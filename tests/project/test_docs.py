"""The documents are kept true: every article has its row, whatever they name exists, every command shown runs."""

import ast
import doctest
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from tools import command_page

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import provisions
from arpad.regulations.fide import editions as fide
from arpad.regulations.fide.titles import b01
from arpad.regulations.rubele import editions as rubele
from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B
from arpad.reports.formats import write_report
from arpad.reports.formats.lists.draughts_list_csv import write as write_capitals
from arpad.reports.report import Record
from tests.builders.draughts import board_report
from tests.commands import run
from tests.paths import EXAMPLES, ROOT
from tests.thinning import one_in

DOCS = ROOT / "docs"
SEEDS = ROOT.parent / "shared" / "seeds"

# The articles of the documents, by hand from their texts.
ARTICLES_2017 = """
0 0.1 0.2 0.3 0.4 0.5  1.1 1.2 1.3 1.4  2.1  3.1  4.1 4.11 4.12 4.13  5.1
6.1 6.2 6.21 6.22 6.23 6.3 6.31 6.32 6.4 6.5 6.6
7.1 7.11 7.12 7.13 7.14 7.14a 7.14b 7.14c 7.14d 7.14e 7.2 7.21 7.22 7.23 7.23a 7.23b
8 8.1 8.1a 8.1b 8.2 8.21 8.21a 8.21b 8.21b(i) 8.21b(ii) 8.21b(iii) 8.22 8.23 8.24 8.25 8.3 8.4
8.5 8.51 8.52 8.53 8.54 8.55 8.55a 8.55b 8.55c 8.56 8.57 8.58
9.1 9.2 9.3  10.1 10.2 10.3  11.1 11.2 11.3 11.4  12.1 12.2 12.3 12.4  13.1 13.2 13.3
""".split()
ARTICLES_2009 = """
0 0.1 0.2 0.3 0.4 0.5 0.6  1.1 1.2 1.3  2.1  3.1  4.1 4.11 4.12 4.13  5.1
6.1 6.2 6.3 6.31 6.32 6.33 6.4 6.41 6.42 6.43 6.5 6.6
7.1 7.11 7.12 7.13 7.14 7.14a 7.14b 7.14c 7.14d 7.14e 7.14f 7.14g 7.2 7.21 7.22 7.23 7.23a 7.23b 7.23c 7.24 7.3
8 8.1 8.1a 8.1b 8.2 8.21 8.21a 8.21b 8.21b(i) 8.21b(ii) 8.21b(iii) 8.22 8.23 8.24 8.25
8.3 8.31 8.32 8.33 8.34 8.4 8.5 8.51 8.52 8.53 8.54 8.55 8.55a 8.55b 8.55c 8.56 8.57 8.58
9.1 9.2 9.3  10.1 10.2 10.3  11.1 11.2 11.3 11.4  12.1 12.2 12.3 12.4  13.1 13.2 13.3
""".split()
ARTICLES_2024 = [
    *"""
0.1 0.2 0.2.1 0.2.2 0.2.3 0.2.4 0.3 0.4  1.1 1.2  2.1  3.1  4.1  5.1  6.1 6.2
7.1 7.1.1 7.1.2 7.1.3 7.1.4 7.2 7.2.1 7.2.2
8 8.1 8.1.1 8.1.2 8.2.1 8.2.2 8.2.3 8.2.4 8.3.1 8.3.2a 8.3.2b 8.3.2c 8.3.2d 8.3.3 8.3.4
9.1 9.2 9.3 9.4  10.1 10.2
""".split(),
    "B.01 1.1.1",
    "B.06.1 6.1, 6.2",
]
QUICK_2024 = [
    f"RB {number}"
    for number in """
0.1 0.2 0.3 0.4  1.1.1 1.1.2 1.2  2.1  3.1.1 3.1.2  4.1  5.1 5.2
6.1 6.1.1 6.1.2 6.1.3 6.1.4 6.2 6.2.1 6.2.2
7 7.1 7.1.1 7.1.2 7.2.1 7.2.2 7.2.3 7.2.4 7.2.5 7.3.1 7.3.2a 7.3.2b 7.3.2c 7.3.2d 7.3.3 7.3.4
8.1 8.2 8.3 8.4  9.1 9.2
""".split()
]
TITLES_2024 = [
    f"B.01 {number}"
    for number in """
0.1 0.2 0.3 0.4 0.4.1 0.4.2 0.4.3 0.4.4 0.5 0.6 0.6.2
1.1.1 1.1.2 1.1.3 1.1.3a 1.1.3b 1.1.4 1.1.5 1.1.6  1.2 1.2.1 1.2.2 1.2.4  1.3
1.4.1a 1.4.1b 1.4.1c 1.4.1d 1.4.1e 1.4.1f  1.4.2a 1.4.2b 1.4.2c 1.4.2d 1.4.2e
1.4.3 1.4.3a 1.4.3b 1.4.3c 1.4.3d 1.4.3e 1.4.4  1.4.5a 1.4.5b 1.4.5c 1.4.5d 1.4.5e 1.4.5f
1.4.6a 1.4.6b 1.4.6c 1.4.6d 1.4.7 1.4.8 1.4.8a 1.4.8b 1.4.9
1.5.1 1.5.2 1.5.3 1.5.4 1.5.5 1.5.6  1.6  1.7  1.8 1.9 1.10  2.4  3
""".split()
]
GUIDE = [f"guide-{number}" for number in range(1, 16)]
RUBELE = [f"Tab. {table}" for table in "11 12 13 14 15 16 17 18a 18b 19 20 21 22 23 24".split()]
DWZ = "2.2.1 2.2.2 2.2.3 2.2.4 3.3 3.4 3.4.4 3.5 3.6 3.6.3 3.7 4.1.1 4.1.2 6.2.2".split()
US_CHESS = "1 2 3 4 4.1 4.2 5".split()
SECTIONS = {
    "FIDE 2024, standard": ARTICLES_2024,
    "FIDE 2024, rapid and blitz": QUICK_2024,
    "Titles 2024": TITLES_2024,
    "FIDE 2017": ARTICLES_2017,
    "FIDE 2009": ARTICLES_2009,
    "The Italian guide to the entry rating": GUIDE,
    "Elo-Rubele 2008": RUBELE,
    "DWZ (Wertungsordnung)": DWZ,
    "US Chess": US_CHESS,
}
READINGS = [str(number) for number in range(1, 24)]


@dataclass(frozen=True)
class Row:
    """One article of the coverage page."""

    section: str
    article: str
    asks: str
    lives: str
    held: str


SHARED = "FIDE 2017 and 2009"
"""The section of the articles that both texts have."""


CASES = {
    "FIDE 2024, standard": "fide-2024",
    "FIDE 2024, rapid and blitz": "fide-2024",
    "Titles 2024": "titles-2024",
    "FIDE 2017": "fide-2017",
    "FIDE 2009": "fide-2009",
}
"""The edition of the cases of a section."""


def rows(text: str) -> Iterator[Row]:
    """Yield a row for each article of all tables; some rows of the page have several, and belong to two sections."""
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| article"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            assert len(cells) == 4, line
            articles, asks, *others = cells
            numbers = articles.split("; ")
            each = [f"as {other}" for other in asks.removeprefix("as ").split(", ")]
            repeated = asks.startswith("as ") and len(each) == len(numbers)
            for article, asked in zip(numbers, each if repeated else [asks] * len(numbers), strict=True):
                for name in ("FIDE 2017", "FIDE 2009") if section == SHARED else (section,):
                    lives, held = others
                    yield Row(name, article, asked, lives, with_case(held, name, article))


def with_case(held: str, section: str, article: str) -> str:
    """Return what holds a row with the article and the edition of a case file that is named alone."""
    of_text = article.removeprefix("B.01 ") if section == "Titles 2024" else article
    return re.sub(r"`(tests/[\w/]+\.toml)`", rf"`\1: {of_text} {CASES.get(section)}`", held)


COVERAGE = (DOCS / "coverage.md").read_text(encoding="utf-8")
READINGS_PAGE = (DOCS / "readings.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = list(rows(COVERAGE))


# --------------------------------------------------------------------------------------------- what is named


@cache
def names_of(path: Path) -> frozenset[str]:
    """What a module defines at its top level."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return frozenset(found)


@cache
def cases_of(path: Path) -> frozenset[str]:
    """The cases that a file holds, as "article edition"."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    found = {f"{case['article']} {case['edition']}" for case in data.get("case", [])}
    for rule in data.get("rule", []):
        found |= {f"{article} {edition}" for edition, article in rule["editions"].items()}
    return frozenset(found)


EDITIONS = {
    name: path
    for path in (
        "regulations/fide/editions.py",
        "regulations/rubele/editions.py",
        "regulations/fide/titles/b01.py",
    )
    for name in names_of(ROOT / "src" / "arpad" / path)
}
"""Where each edition is: a document names it without its module."""


def references(text: str) -> list[str]:
    """Return everything in backticks that speaks of a file, one name each: `path: a, b` and `EDITION rule, rule`."""
    found = re.findall(r"`((?:tests/)?[\w/]+\.toml: [^`]+)`", text)
    for place, names in re.findall(r"`((?:tests/)?[\w/]+\.py)(?:: ([^`]+))?`", text):
        found += [f"{place}: {name}" if name else place for name in names.split(", ")]
    for edition, names in re.findall(r"`([A-Z]+_\d{4}(?:_\d+)?) ([a-z_0-9, ]+)`", text):
        found += [f"{EDITIONS.get(edition, 'regulations')}: {edition} {name}" for name in names.split(", ")]
    return found


def wrong(reference: str) -> str:
    """Why a reference is wrong; empty where it is right."""
    place, _, name = reference.partition(": ")
    path = ROOT / place if place.startswith("tests/") else ROOT / "src" / "arpad" / place
    if not path.is_file():
        return f"{reference}: there is no such file"
    if path.suffix == ".toml":
        return "" if name in cases_of(path) else f"{reference}: there is no such case"
    if not name:
        return f"{reference}: names nothing in the file"
    edition, _, field = name.partition(" ")
    if edition not in names_of(path):
        return f"{reference}: {place} defines no {edition}"
    return "" if not field or _sets(path, edition, field) else f"{reference}: sets no {field}"


def _sets(path: Path, constant: str, field: str) -> bool:
    """Whether an edition has a value for a rule on one of its lists."""
    modules = {"fide": fide, "rubele": rubele, "titles": b01}
    edition: Edition[Any] = getattr(modules[path.parent.name], constant)
    return any(getattr(rules, field, None) is not None for rules in edition.lists.values())


@pytest.mark.parametrize("section", SECTIONS)
def test_every_article_has_one_row(section: str) -> None:
    found = [row.article for row in ROWS if row.section == section]

    assert [article for article in SECTIONS[section] if article not in found] == []
    assert [article for article in found if article not in SECTIONS[section]] == []
    assert len(found) == len(set(found))


def test_every_row_says_what_it_asks_where_it_lives_and_what_holds_it() -> None:
    for row in ROWS:
        assert row.asks, row.article
        assert row.lives == "–" or references(row.lives), row
        kept = bool(references(row.held)) or "*later: " in row.held or "*not software*: " in row.held
        assert kept, row
        assert row.lives != "–" or "*later: " in row.held or "*not software*: " in row.held, row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.section} {row.article}")
def test_whatever_a_row_names_exists(row: Row) -> None:
    assert [why for name in references(row.lives + row.held) if (why := wrong(name))] == []


@pytest.mark.parametrize(
    ("edition", "on_list", "section"),
    [
        (fide.FIDE_2024, ListName.STANDARD, "FIDE 2024, standard"),
        (fide.FIDE_2025, ListName.STANDARD, "FIDE 2024, standard"),
        (fide.FIDE_2024, ListName.RAPID, "FIDE 2024, rapid and blitz"),
        (fide.FIDE_2024_12, ListName.BLITZ, "FIDE 2024, rapid and blitz"),
        (fide.FIDE_2017, ListName.STANDARD, "FIDE 2017"),
        (fide.FIDE_2009, ListName.STANDARD, "FIDE 2009"),
        (b01.TITLES_2024, ListName.STANDARD, "Titles 2024"),
    ],
    ids=lambda value: getattr(value, "id", value),
)
def test_every_article_that_an_edition_cites_has_a_row(
    edition: Edition[Any], on_list: ListName, section: str
) -> None:
    book = "B.01 " if edition.id.startswith("titles-") else ""
    cited = {book + item.rule.article for item in provisions(edition) if item.rule and item.list == on_list}
    cited |= set(getattr(edition.lists[on_list], "articles", {}).values())
    elsewhere = {"B.06.1 6.1, 6.2", "notice 2024", "notice 2025", "B.01 Council 2022", "B.01 Annex"}
    assert sorted(cited - set(SECTIONS[section]) - elsewhere) == []


# ------------------------------------------------------------------------------------------------- the readings


def readings() -> dict[str, str]:
    """The text of each reading by its number."""
    parts = re.split(r"^## (\d+)\. ", READINGS_PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_prescribed_reading_is_there() -> None:
    assert [number for number in READINGS if number not in readings()] == []


@pytest.mark.parametrize("number", readings())
def test_a_reading_says_text_choice_and_test(number: str) -> None:
    text = readings()[number]
    for label in ("Text", "Reading", "Held by"):
        assert f"\n- {label}: " in text, label
    held = text.partition("\n- Held by: ")[2].partition("\n")[0]
    assert references(held) or "*later: " in held


def test_whatever_the_readings_name_exists() -> None:
    assert [why for name in references(READINGS_PAGE) if (why := wrong(name))] == []


# --------------------------------------------------------------------------------------------------- the tables


@pytest.mark.parametrize("number", ["000", "001", "002", "003"])
def test_the_tables_are_those_of_the_documents(number: str) -> None:
    document = next(iter(SEEDS.glob(f"{number}_*.txt")), None)
    if document is None:
        pytest.skip("the source documents are not here")
    text = document.read_text(encoding="utf-8")
    start = re.search(r"8\.1a - Tabella|\(a\) Tabella|Tabella di conversione", text)
    assert start is not None
    first, _, second = text[start.start() :].partition("8.1b - " if number == "000" else "(b) Tabella")
    pairs = re.findall(r"(1\.0|\.\d\d)\s+(-?\d+)", first)
    assert {round(100 * float(p)): int(dp) for p, dp in pairs} == {
        p: TABLE_8_1A.difference(p) for p in range(101)
    }
    if number == "003":
        return
    bands = re.findall(r"(\d+)-(\d+)\s+(\.\d\d)\s+(\.\d\d)", second)
    assert len(bands) == len(TABLE_8_1B.bounds)
    for low, high, higher, lower in bands:
        for difference in (int(low), int(high)):
            assert TABLE_8_1B.expected(difference) == round(100 * float(higher))
            assert TABLE_8_1B.expected(-difference) == round(100 * float(lower)) or difference == 0


# ------------------------------------------------------------------------------------------------- the commands


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an office that sends mails, has a user, a list taken over, one of its own, and its bundle."""
    from arpad.office.drafts.publish import publish
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init
    from arpad.office.users import Role
    from arpad.reports.formats import read_file
    from arpad.reports.formats.lists.fide_rows import ListRow
    from tests.builders.offices import FEW, STANDARD, Clock, list_bytes
    from tests.office.mail.mail_office import add_person, set_up_mail

    folder = tmp_path_factory.mktemp("office")
    entrants = read_file(Path(str(files("arpad") / "examples" / "open.trf"))).entrants
    rows = [ListRow(int(e.id), e.name, e.federation, rating=e.rating, k=20) for e in entrants if e.rating]
    (folder / "start.txt").write_bytes(list_bytes(date(2018, 4, 1), *rows))
    made = init(str(folder / "office.db"), now=Clock(date(2018, 5, 1)), author="T. Officer")
    import_list(made, folder / "start.txt", STANDARD, date(2018, 4, 1))
    publish(made, STANDARD, date(2018, 5, 1), folder, kinds=FEW)
    set_up_mail(made, 25)
    add_person(made, "anna", Role.OFFICER)
    made.close()
    return folder


@pytest.fixture
def desk(tmp_path: Path, office: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples speak of, all of our own making."""
    for name in ("office.db", "standard-2018-05-01-r1.bundle.zip"):
        (tmp_path / name).write_bytes((office / name).read_bytes())
    (tmp_path / "office.db").chmod(0o600)
    for folder in (tmp_path, tmp_path / "src/arpad/examples"):
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    with ZipFile(tmp_path / "june.zip", "w") as archive:
        archive.write(EXAMPLES / "open.trf", "open.trf")
    (tmp_path / "list.txt").write_text(
        "id,name,rating,k\n800101,Marchesi Leonardo,2431,10\n", encoding="utf-8"
    )
    fees = 'currency = "EUR"\n[[fee]]\nname = "Rating fee"\nper = "player"\namount = "1.00"\n'
    (tmp_path / "fees.toml").write_text(fees, encoding="utf-8")
    board = board_report()
    italian = replace(board, records=(Record("GameType", {"type": "22"}),))
    (tmp_path / "novara.csv").write_bytes(write_report(board, "crosstable")[0])
    (tmp_path / "torino.pdn").write_bytes(write_report(italian, "pdn")[0])
    standings = [DraughtsState(entrant.name, entrant.rating, Category.MAESTRO) for entrant in board.entrants]
    (tmp_path / "list.csv").write_bytes(write_capitals(standings))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(text: str) -> list[str]:
    """The commands of a document: lines after a dollar sign in console blocks."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [
        line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")
    ]


PAGE_OF_COMMANDS = command_page.page()


def test_the_page_of_commands_says_each_thing_once() -> None:
    headings = re.findall(r"^##+ (arpad .+)$", PAGE_OF_COMMANDS, flags=re.MULTILINE)
    assert headings == [name for name, _ in command_page.commands() if name != "arpad"]
    for said in (
        "- `PLAYER`: The register's number.",
        "- `REPORT`: The report's number on file.",
        "for the ledger",
    ):
        assert PAGE_OF_COMMANDS.count(said) <= 1
    assert "\narpad office merge KEPT DROPPED --reason REASON [--confirmed]\n" in PAGE_OF_COMMANDS


COMMANDS = dict.fromkeys(shown(README) + shown(PAGE_OF_COMMANDS))
RUN_ELSEWHERE = {
    "arpad demo bellariva",
    "arpad reconcile --before may18.txt --after jun18.txt --federation ITA open.trf",
    "arpad office user add anna --role officer --db office.db",
    "arpad serve --db office.db --port 8000",
    "arpad work --db office.db --backups backups",
    "arpad office webhook add https://example.org/arpad --kind list-published --db office.db",
    "arpad office mail test anna@example.org --db office.db",
    "arpad office proof checkpoint --db office.db",
    "arpad office proof receipt 12 --out receipt.json --db office.db",
    'arpad office proof cosigned signed.checkpoint --key "club.example.org+…" --db office.db',
    "arpad office rehearse backup.zip --db office.db",
    'arpad verify receipt.json --report open.trf --key "ratings.example.org+…"',
    "arpad witness add https://ratings.example.org",
    "arpad witness check --dir witness",
    "arpad witness cosign ratings.example.org --name club.example.org",
}
"""The demo takes long to build; the fixture ``demo_folder`` in tests/conftest.py runs this command for all tests.

tests/cli/test_reconcile.py runs the other command, with lists that belong to its report. tests/robustness adds a user,
whose password is typed, and sends a test mail; tests/web starts the server; both run until interrupted.
A webhook looks up its host; the tests of webhooks use hosts of their own.
tests/office/proof/test_checkpoints.py has an office with a key, tests/office/backup/test_rehearse.py one with a
backup, and
tests/office/verify/test_kept.py a witness.
"""


@pytest.mark.parametrize(
    "command", one_in(4, (command for command in COMMANDS if command not in RUN_ELSEWHERE))
)
def test_every_command_shown_runs(command: str, desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "arpad"

    status, out, err = run(capsys, *arguments)

    assert (status, "arpad: " in err) == (0, False), err
    assert out or err


def test_the_tour_shows_what_the_program_prints(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line printed under a command in the README is a line of its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    for block in blocks:
        command, *printed = block.splitlines()
        _, out, _ = run(capsys, *shlex.split(command.removeprefix("$ "))[1:], "--lang", "en")
        lines = [line.strip() for line in out.splitlines()]
        assert [line for line in printed if line.strip() not in [*lines, "…", ""]] == [], command


def test_the_library_example_of_the_readme_runs() -> None:
    found = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert found.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(found)
    assert runner.summarize(verbose=False).failed == 0


def test_every_link_of_the_readme_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_rule_of_an_edition_is_on_the_coverage_page() -> None:
    """Whatever a field of the 2009 or 2017 rules holds, some row tells where it comes from."""
    named = {tuple(name.partition(": ")[2].split(" ")) for row in ROWS for name in references(row.lives)}
    for edition in ("FIDE_2009", "FIDE_2017"):
        rules = getattr(fide, edition).lists[ListName.STANDARD]
        held = [item.name for item in fields(rules) if getattr(rules, item.name) is not None]
        aside = {"articles", "moves_counted", "k_new_games", "k_top_from", "k_junior_below", "k_junior_until"}
        assert [name for name in held if name not in aside and (edition, name) not in named] == []


# ------------------------------------------------------------------------------------------------- the security page

# How many items of levels 1 and 2 each section of ASVS 5.0.0 begins with; those of level 3 follow them.
ASVS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip


def security_rows() -> list[tuple[list[str], str, str]]:
    """The items of each row, how they hold, and what shows it."""
    page = (DOCS / "explanation" / "security.md").read_text(encoding="utf-8").partition("## Level 2")[2]
    rows = re.findall(r"^\| (\d[^|]*) \| ([^|]+) \| ([^|]+) \|$", page, flags=re.MULTILINE)
    found = []
    for items, how, shown_by in rows:
        numbers: list[str] = []
        for item in items.split(", "):
            first, _, last = item.partition("–")
            section, _, start = first.rpartition(".")
            end = last.rpartition(".")[2] or start
            numbers += [f"{section}.{number}" for number in range(int(start), int(end) + 1)]
        found.append((numbers, how, shown_by))
    return found


def test_every_item_of_the_security_standard_has_its_answer() -> None:
    asked = [f"{section}.{number}" for section, last in ASVS.items() for number in range(1, last + 1)]
    answered = [item for items, _, _ in security_rows() for item in items]
    assert sorted(answered) == sorted(asked)


def test_whatever_the_security_page_names_exists() -> None:
    named = [name for _, _, shown_by in security_rows() for name in references(shown_by)]
    assert len(named) > 60
    assert [why for name in named if (why := wrong(name))] == []
