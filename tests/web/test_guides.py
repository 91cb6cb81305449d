"""The guides: in both languages, true to the screens they name, with the pictures that were taken."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from arpad.explain import LANGUAGES, words
from arpad.web import desk, guides
from arpad.web.guides import PEOPLE, PICTURES, guide_html, picture_name
from arpad.web.visiting import paged
from tests.web.conftest import Served

MESSAGES = Path(__file__).parents[2] / "src" / "arpad" / "messages"
PICTURE = b"\x89PNG\r\n\x1a\n of a page"


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("who", PEOPLE)
def test_every_picture_has_its_section(who: str, language: str) -> None:
    sections = guide_html(who, language).count("<h2>")

    assert sections == guide_html(who, "en").count("<h2>")
    assert PICTURES[who]
    assert max(PICTURES[who]) <= sections


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("who", PEOPLE)
def test_a_guide_calls_screens_by_their_names(who: str, language: str) -> None:
    named = set(re.findall(r"<em>([^<]+)</em>", guide_html(who, language)))
    known = [
        text
        for path in (MESSAGES / language).iterdir()
        for section in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for text in section.values()
    ]

    assert named
    assert {name for name in named if not any(text.startswith(name) for text in known)} == set()


def test_pictures_are_shown_where_they_were_taken(
    bare: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guides, "TAKEN", tmp_path)
    client = bare.client()
    assert "<img" not in client.get("/guides/officer").text

    name = picture_name("officer", 2, "en")
    (tmp_path / name).write_bytes(PICTURE)
    (tmp_path / "secret.png").write_bytes(PICTURE)
    text = client.get("/guides/officer").text
    (source,) = re.findall(r'<img src="([^"]+)" alt="[^"]+"', text)
    assert client.get(source).content == PICTURE
    assert client.get(source).headers["content-type"] == "image/png"
    assert text.index("<img") > text.index("Registered tournaments")
    assert client.get("/guides/pictures/secret.png").status_code == 404
    assert client.get("/guides/pictures/..%2fsecret.png").status_code == 404


def test_every_language_has_its_words_for_pictures() -> None:
    for language in LANGUAGES:
        assert "Desk" in words(language).text("site.guide-picture", place="Desk")


@pytest.mark.parametrize(
    ("asked", "shown"), [(1, ([1, 2], 1, 3)), (3, ([5], 3, 3)), (0, ([1, 2], 1, 3)), (99, ([5], 3, 3))]
)
def test_a_page_of_some_items(asked: int, shown: tuple[list[int], int, int]) -> None:
    assert paged([1, 2, 3, 4, 5], asked, 2) == shown
    assert paged([], asked, 2) == ([], 1, 1)


def test_long_lists_come_page_by_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_SHOWN", 10)
    officer = served.client("officer")
    first, second = officer.get("/desk").text, officer.get("/desk?page=2").text

    assert 'rel="next" href="/desk?page=2"' in first
    assert 'rel="prev" href="/desk?page=1"' in second
    assert not set(re.findall(r"/desk/reports/\d+", first)) & set(re.findall(r"/desk/reports/\d+", second))
    assert 'rel="next" href="/desk/ledger?page=2"' in officer.get("/desk/ledger").text
    assert officer.get("/desk?page=x").status_code == 200
