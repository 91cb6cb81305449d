"""Every number and every article of every edition, and the tables as printed: from the texts, not from the code."""

import tomllib
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.model.rules import LISTS, Edition
from arpad.regulations.editions import ALL, named, plain, provisions
from arpad.regulations.fide import editions as fide
from arpad.regulations.rubele import editions as rubele
from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B, TABLE_19
from tests.paths import CASES

TEXTS: list[dict[str, Any]] = tomllib.loads((CASES / "regulations.toml").read_text(encoding="utf-8"))[
    "edition"
]
PRINTED: dict[str, str] = tomllib.loads((CASES / "printed_tables.toml").read_text(encoding="utf-8"))
NONE = "none"
Set = dict[str, Any]
"""Field → value and article."""


def as_text(value: Any) -> Any:
    """A value as the texts in the file have it: tables by their number, nothing as ``none``."""
    for name, table in {"8.1a": TABLE_8_1A, "8.1b": TABLE_8_1B, "19": TABLE_19}.items():
        if value is table:
            return name
    shown = plain(value)
    if isinstance(shown, dict):
        return {name: NONE if item is None else item for name, item in shown.items()}
    return shown


def sets(edition: Edition[Any], on_list: str) -> Set:
    """What an edition sets for one list."""
    return {
        item.field: [as_text(item.rule.value), item.rule.article]
        for item in provisions(edition)
        if item.list == on_list and item.rule
    }


def told(text: dict[str, Any], on_list: str) -> Set:
    """What the texts say of one list of an edition, whatever it is built on."""
    own: Set = {**text.get("every", {}), **text.get(on_list, {})}
    like: Set = {**text[own["like"]], **own} if "like" in own else own
    base = next((other for other in TEXTS if other["id"] == text.get("base")), None)
    if base is None:
        before: Set = {}
    else:
        before = told(base, on_list) if listed(base, on_list) else told(text, "standard")
    after = {**before, **like}
    return {field: rule for field, rule in after.items() if field != "like" and rule != NONE}


def listed(text: dict[str, Any], on_list: str) -> bool:
    """Whether an edition, or one that it amends, has the list."""
    base = next((other for other in TEXTS if other["id"] == text.get("base")), None)
    return on_list in text or (base is not None and listed(base, on_list))


def articles(text: dict[str, Any], on_list: str) -> dict[str, str]:
    """The articles of the steps that are no number of their own."""
    base = next((other for other in TEXTS if other["id"] == text.get("base")), None)
    own = text.get(f"{on_list}_articles", {})
    if "like" in own:
        own = text[f"{own['like']}_articles"]
    found = {**(articles(base, on_list) if base else {}), **text.get("articles", {}), **own}
    return {name: article for name, article in found.items() if article != NONE}


def marks(text: dict[str, Any], on_list: str) -> dict[str, str]:
    """How surely the texts are known, for each rule of one list of an edition."""
    own = text.get(f"{on_list}_confidence", {})
    if "like" in own:
        own = text[f"{own['like']}_confidence"]
    base = next((other for other in TEXTS if other["id"] == text.get("base")), None)
    before = told(base, on_list) if base else {}
    kept = marks(base, on_list) if base else {}
    after = told(text, on_list)
    unnamed = {
        field: own.get("rest") or (kept[field] if before.get(field) == rule else "verified")
        for field, rule in after.items()
    }
    named_fields = {field: mark for mark, names in own.items() if mark != "rest" for field in names}
    assert named_fields.keys() <= after.keys()
    return unnamed | named_fields


def test_the_texts_are_those_of_all_editions() -> None:
    assert [text["id"] for text in TEXTS] == [edition.id for edition in ALL]
    assert rubele.NEWEST.id == [text["id"] for text in TEXTS if text["id"].startswith("rubele")][-1]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text["id"]))
def test_an_edition_says_what_its_text_says(text: dict[str, Any]) -> None:
    edition = named(text["id"], ALL)
    assert (edition.effective, edition.base) == (text["effective"], text.get("base", ""))
    assert edition.body == ("fid" if edition.id.startswith("rubele") else "fide")
    assert edition.by_name_only == text.get("by_name_only", False)
    begins = {name: [str(rule.value), rule.article] for name, rule in edition.begins.items()}
    assert begins == text.get("begins", {})
    assert set(edition.lists) == {name for name in LISTS if listed(text, name)}
    for on_list in edition.lists:
        found, wanted = sets(edition, on_list), told(text, on_list)
        assert found == wanted, {key for key in {*found, *wanted} if found.get(key) != wanted.get(key)}
        if edition.body == "fide":
            assert edition.on(on_list).articles == articles(text, on_list)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text["id"]))
def test_an_edition_says_how_surely_each_rule_is_known(text: dict[str, Any]) -> None:
    edition = named(text["id"], ALL)
    for on_list in edition.lists:
        confidence_by_field = {
            item.field: str(item.rule.confidence)
            for item in provisions(edition)
            if item.list == on_list and item.rule
        }
        assert confidence_by_field == marks(text, on_list)


def test_an_edition_names_what_it_comes_from() -> None:
    """Who decided it is known of the two texts that we have; a later text is never said to be theirs."""
    for edition in ALL:
        assert edition.source
        assert edition.checked >= date(2026, 1, 1)
    assert len({edition.source for edition in ALL}) == len(ALL)
    adopted = {edition.id: edition.adopted for edition in ALL if edition.adopted}
    assert set(adopted) == {"fide-2009", "fide-2017"}
    assert "2008" in adopted["fide-2009"]
    assert "2016" in adopted["fide-2017"]


def test_each_procedure_of_an_edition_can_be_named_by_a_federation() -> None:
    for editions, procedures in ((fide.EDITIONS, fide.PROCEDURES), (rubele.EDITIONS, rubele.PROCEDURES)):
        used = {
            item.rule.value
            for edition in editions
            for item in provisions(edition)
            if item.rule and callable(item.rule.value)
        }
        assert used == set(procedures)


# -------------------------------------------------------------------------------------------------- the tables


def test_table_8_1a_as_printed() -> None:
    words = PRINTED["8.1a"].split()
    rows = {int(100 * Fraction(p)): int(dp) for p, dp in zip(words[::2], words[1::2], strict=True)}
    assert len(rows) == 101
    assert {p: TABLE_8_1A.difference(p) for p in range(101)} == rows


@pytest.mark.parametrize(("name", "rows"), [("8.1b", 51), ("19", 101)])
def test_tables_of_expectations_as_printed(name: str, rows: int) -> None:
    table = {"8.1b": TABLE_8_1B, "19": TABLE_19}[name]
    words = PRINTED[name].split()
    printed = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    assert len(printed) == rows
    for gap, high, low in printed:
        first, _, last = gap.partition("-")
        for difference in (int(first), int(last) if last else 9999):
            assert table.expected(difference) == 100 * Fraction(high), gap
            if difference:
                assert table.expected(-difference) == 100 * Fraction(low), gap
