"""The guides: in their languages, true to the screens they name, with the pictures that were taken."""

import re
import tomllib
from html import unescape
from itertools import product
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.web import guides
from arpad.web.guides import PEOPLE, guide_html, picture_name, pictures
from tests.builders.site_fixtures import Served
from tests.paths import ROOT, word_files

PICTURE = b"\x89PNG\r\n\x1a\n of a page"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("who", PEOPLE)
def test_every_picture_has_its_section(who: str, language: str) -> None:
    sections = guide_html(who, language).count("<h2>")

    assert sections == guide_html(who, "en").count("<h2>")
    assert pictures(who)
    assert max(pictures(who)) <= sections


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("who", PEOPLE)
def test_a_guide_is_for_people_without_a_terminal(who: str, language: str) -> None:
    html = guide_html(who, language)

    assert "<code>" not in html
    assert "ARPAD_" not in html
    assert ".md" not in html


def links(who: str, language: str) -> list[str]:
    return re.findall(r'<a href="([^"]+)"', guide_html(who, language))


@pytest.mark.parametrize("who", PEOPLE)
def test_every_link_of_a_guide_leads_to_a_page(who: str, served: Served) -> None:
    client = served.client("" if who == "player" else who)

    assert len(links(who, "en")) >= 3
    for address in dict.fromkeys(links(who, "en")):
        assert client.get(address).status_code == 200, address
    for language in LANGUAGES:
        assert links(who, language) == links(who, "en")


@pytest.mark.parametrize(
    ("path", "language"),
    [("guides", "it"), ("guides", "en"), ("guides", "fr"), ("tutorials", "it"), ("tutorials", "en")],
)
def test_documents_call_screens_by_their_names(path: str, language: str) -> None:
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "docs" / path).glob(f"*.{language}.md")]
    named = set(re.findall(r"(?<![*\w])\*([^*\n]+)\*(?!\*)", "\n".join(texts)))
    known = [
        text
        for path in word_files(language).values()
        for section in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for text in section.values()
    ]

    assert named
    assert {name for name in named if not any(text.startswith(name) for text in known)} == set()


def test_a_guide_without_a_translation_says_so(bare: Served) -> None:
    client = bare.client(language="fr")
    assert "<h1>Pour les joueurs</h1>" in client.get("/guides/player").text
    administrator = client.get("/guides/administrator").text
    assert "Ce guide n’existe qu’en anglais." in administrator
    assert '<article class="narrow" lang="en">' in administrator
    assert (
        'lang="en">'
        not in bare.client(language="it").get("/guides/administrator").text.partition("<article")[2]
    )


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
    assert client.get(source).headers["content-type"] == "image/webp"
    assert text.index("<img") > text.index("Registered tournaments")
    assert client.get("/guides/pictures/secret.png").status_code == 404
    assert client.get("/guides/pictures/..%2fsecret.png").status_code == 404


def test_every_guide_has_its_pictures_in_every_language(bare: Served) -> None:
    for who, language in product(PEOPLE, LANGUAGES):
        text = bare.client(language=language).get(f"/guides/{who}").text
        sources = re.findall(r'<img src="(/guides/pictures/[^"]+)"', text)
        assert len(sources) == len(pictures(who)), (who, language)
        assert bare.client().get(sources[0]).content.startswith(b"RIFF")


def test_every_language_has_its_words_for_pictures() -> None:
    for language in LANGUAGES:
        assert "Desk" in load_words(language).text("site.guide-picture", place="Desk")


def test_the_first_page_tells_what_each_guide_tells(bare: Served) -> None:
    for language in LANGUAGES:
        client = bare.client(language=language)
        linked = re.findall(r'href="(/guides/(\w+)#(part-\d+))">([^<]+)<', client.get("/guides").text)
        assert {who for _, who, _, _ in linked} == set(PEOPLE)
        for who in PEOPLE:
            text = client.get(f"/guides/{who}").text
            mine = [(part, unescape(heading)) for _, other, part, heading in linked if other == who]
            found = re.findall(r'<h2 id="([^"]+)">([^<]+)</h2>', text)
            assert mine == [(part, unescape(heading)) for part, heading in found]
            assert len(mine) == guide_html(who, language).count("<h2>")
