"""Pages that need no database: figures of the documents, languages, links that can be shared, headers."""

import re

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.cuts import RANKED
from arpad.model.rules import LISTS
from arpad.office.accounts.sessions import SCOPES
from arpad.office.decisions.acts import KINDS
from arpad.office.register.rows import CHANGEABLE
from arpad.office.reports.fact_forms import STATED_HERE
from arpad.office.users import Role
from arpad.regulations.editions import ALL
from arpad.web.calculators import CALCULATORS
from arpad.web.templates import environment
from arpad.web.uploads import Upload
from tests.builders.site_fixtures import Served
from tests.rating.test_round_robin import EXAMPLE
from tests.web import player_picture


def figure(text: str) -> str:
    """The large figure of an answer."""
    found = re.search(r'class="figure big">([^<]*)', text)
    assert found is not None
    return found[1].strip()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        # the example of the library: 0.57 + 0.20, K 20
        ("/calculators/change?rating=1850&k=20&edition=fide-2017&game=1900:1&game=2000:0.5", "1865"),
        ("/calculators/change?rating=1850&k=20&edition=fide-2017&opponent=1900&score=1&opponent=2000&score=0.5", "1865"),  # noqa: E501
        # article 8.34
        ("/calculators/entry?edition=fide-2009&event=2220,2220,2220:1&event=2150,2150,2150,2150,2150:3&event=2200,2200,2200,2200:2.5", "2199"),  # noqa: E501
        ("/calculators/entry?edition=fide-2009&ratings=2220+2220+2220&points=1&ratings=2150,2150,2150,2150,2150&points=3&ratings=2200 2200 2200 2200&points=2,5", "2199"),  # noqa: E501
        # 8.58: the printed example, the average Ra; by a link, and as the form sends it
        ("/calculators/round-robin?edition=fide-2009&player=2600:8&player=2500:7&player=-:7&player=2400:6&player=-:6&player=2150:4&player=2300:3&player=-:2&player=-:1&player=2300:1", "2348"),  # noqa: E501
        ("/calculators/round-robin?edition=fide-2009&rating=2600&results=8&k=20&rating=2500&results=7&k=&rating=&results=7&rating=2400&results=6&rating=&results=6&rating=2150&results=4&rating=2300&results=3&rating=&results=2&rating=&results=1&name=&rating=2300&results=1&double=0&counted_before=9", "2348"),  # noqa: E501
        # 8.56: once 2400 was reached, K stays 10
        ("/calculators/k?edition=fide-2017&rating=2350&games=40&peak=2410&born=2001-05-05&on=2017-09-01", "10"),
        # RB 7.2.1: a standard rating of 2500 is no rapid one, K 40; case 26 gives 1870
        ("/calculators/k?edition=fide-2024&list=rapid&rating=2500&games=0&from_standard=1", "40"),
        ("/calculators/change?list=rapid&rating=1850&from_standard=1&game=1900:1&game=1800:0.5", "1870"),
        # table 8.1b: a difference of 400 counts at most, 0.08
        ("/calculators/expected?edition=fide-2017&rating=2000&opponent=2500", "0.08"),
        ("/calculators/performance?edition=fide-2017&opponents=2400+2350,2300&score=2", "2475"),
        # table 21: maestro of international draughts begins with 2000
        ("/calculators/conversion?to=italiana&from=maestro", "2000"),
    ],
)  # fmt: skip
def test_calculators_give_the_figures_of_the_documents(bare: Served, address: str, expected: str) -> None:
    answer = bare.client().get(address)

    assert answer.status_code == 200
    assert figure(answer.text) == expected


def test_the_round_robin_page_shows_everybody_and_offers_only_editions_that_have_the_articles(
    bare: Served,
) -> None:
    """Player I of 8.58: Rc 2348, Ru 2032, Rc (new) 2322, Ru (new) 2006; in both languages."""
    asked = "&".join(f"player={text}" for text in EXAMPLE)
    for language, verdict in (("it", "Rating iniziale: 2006"), ("en", "Initial rating: 2006")):
        text = bare.client(language=language).get(f"/calculators/round-robin?edition=fide-2009&{asked}").text
        row = re.search(r">9 I</th>.*?</tr>", text, re.DOTALL)
        assert row is not None
        figures = ("2348", "2032", "2322", "<b>2006</b>")
        assert [figure in row[0] for figure in figures] == [True] * 4
        assert verdict in text
        assert 'value="fide-2017"' in text
        assert 'value="fide-2024"' not in text


def test_numbers_follow_the_readers_language(bare: Served) -> None:
    address = "/calculators/expected?edition=fide-2017&rating=2000&opponent=2500"

    assert figure(bare.client(language="it-IT,it;q=0.9").get(address).text) == "0,08"


@pytest.mark.parametrize(
    ("given", "language"),
    [
        ("it", "it"), ("xx, it;q=0.4, en;q=0.3", "it"), ("en;q=0.1, it;q=0", "en"), ("xx", "en"), ("it;q=x", "en"),
        ("", "en"), ("fr-CA", "fr"),
    ],
)  # fmt: skip
def test_the_browser_is_asked_for_the_language(bare: Served, given: str, language: str) -> None:
    assert f'<html lang="{language}">' in bare.client(language=given).get("/").text


def test_an_explicit_choice_wins_and_is_kept(bare: Served) -> None:
    client = bare.client(language="en")

    assert '<html lang="it">' in client.get("/regulations?lang=it").text
    assert '<html lang="it">' in client.get("/calculators").text


def test_the_other_language_is_one_link_away_with_the_same_question(bare: Served) -> None:
    text = bare.client().get("/calculators/expected?rating=1&opponent=2").text

    assert 'href="/calculators/expected?rating=1&amp;opponent=2&amp;lang=it"' in text


@pytest.mark.parametrize("edition", [edition.id for edition in ALL])
def test_every_edition_is_readable_with_an_anchor_for_each_article(bare: Served, edition: str) -> None:
    text = bare.client().get(f"/regulations/{edition}").text

    anchors = re.findall(r'id="(art-[^"]+)"', text)
    assert len(anchors) == len(set(anchors)) > 10


def test_steps_lead_to_their_article(bare: Served) -> None:
    client = bare.client()
    text = client.get("/calculators/change?rating=1850&k=20&edition=fide-2017&game=1900:1").text
    page, _, anchor = re.findall(r'href="(/regulations/fide-2017#art-[^"]+)"', text)[0].partition("#")

    assert f'id="{anchor}"' in client.get(page).text


def test_two_editions_side_by_side(bare: Served) -> None:
    text = bare.client().get("/regulations/fide-2023-12/fide-2024").text

    assert "1000" in text
    assert "1400" in text  # the floor rose in 2024


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere", 404), ("/regulations/fide-1066", 404), ("/calculators/luck", 404), ("/players", 404),
        ("/lists/standard", 404), ("/calculators/k?rating=abc&games=1", 400), ("/calculators/change?rating=1850", 400),
        ("/calculators/groups?players=9&rounds=6&groups=4", 400),
        ("/calculators/round-robin?edition=fide-2024&rating=2000&results=1", 400),
        ("/calculators/round-robin?counted_before=1", 400), ("/calculators/round-robin?player=2000:2&player=-:x", 400),
        ("/regulations/compare?old=x&new=y", 404),
    ],
)  # fmt: skip
def test_what_does_not_work_is_said_kindly(bare: Served, address: str, status: int) -> None:
    answer = bare.client().get(address)

    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert '<html lang="en">' in answer.text


def test_the_round_robin_page_names_the_field_that_is_wrong(bare: Served) -> None:
    """A rating that is no number was said to be the number of a player."""
    rows = "rating=2000&results=2&rating=abc&results=1&rating=&results=0"
    text = bare.client().get(f"/calculators/round-robin?{rows}").text
    assert "Rating has abc where a whole number is needed." in text


@pytest.mark.parametrize(
    "address", ["/", "/calculators", "/nowhere", "/static/site.css", "/api/v1/editions", "/api/nowhere"]
)
def test_every_answer_carries_the_headers_that_keep_browsers_safe(bare: Served, address: str) -> None:
    headers = bare.client().get(address).headers

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_static_files_may_be_kept_for_ever_and_nothing_else_is_there(bare: Served) -> None:
    client = bare.client()
    style = re.findall(r'href="(/static/site.css\?v=\w+)"', client.get("/").text)[0]

    assert "immutable" in client.get(style).headers["cache-control"]
    for name in ("../app.py", "..%2fapp.py", "%2e%2e/templates/base.html", "base.html", "site.css%00"):
        assert client.get(f"/static/{name}").status_code == 404


def test_every_kind_that_a_page_names_has_its_words() -> None:
    for language in LANGUAGES:
        words = load_words(language)
        keys = [
            *(f"site.decision-{kind}" for kind in KINDS), *(f"site.list-{name}" for name in LISTS),
            *(f"site.role-{role}" for role in Role), *(f"site.scope-{scope}" for scope in SCOPES),
            *(f"site.fact-{name}" for name in STATED_HERE), *(f"site.cut-{cut}" for cut in (*RANKED, "movers")),
            *(f"site.calculator-{name}" for name in CALCULATORS), *(f"site.person-{name}" for name in CHANGEABLE),
        ]  # fmt: skip
        assert [key for key in keys if not words.has(key)] == []


def test_the_picture_in_the_readme_is_that_of_the_demo(served: Served) -> None:
    kept = player_picture.PICTURE.read_text(encoding="utf-8")

    assert kept == player_picture.asked(served.client()), "python -m tests.web.player_picture writes it anew"


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("k?rating=abc&games=1", "rating"), ("k?rating=1800&games=1&born=May", "born"),
        ("k?rating=1800&games=", "games"), ("change?rating=1850&game=x:1", ""),
        ("conversion?from=maestro&fmjd=2000", "from"), ("capital?capital=x&scored=1&expected=1", "capital"),
        ("expected?rating=9999&opponent=1", "rating"), ("change?rating=1850&edition=a.toml&game=1:1", "edition"),
    ],
)  # fmt: skip
def test_a_calculator_says_beside_the_field_what_is_wrong(bare: Served, address: str, field: str) -> None:
    answer = bare.client().get(f"/calculators/{address}")

    assert answer.status_code == 400
    assert answer.text.count('id="refused"') == 1
    marked = re.findall(r'<(?:input|select)[^>]*name="(\w+)"[^>]*aria-describedby="refused"', answer.text)
    assert marked == ([field] if field else [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "cp850"])
def test_a_file_to_be_mended_has_the_letters_that_its_reader_reads(encoding: str) -> None:
    assert Upload("a.trf", "012 Muñiz, José".encode(encoding)).text == "012 Muñiz, José"
    assert Upload("a.xlsx", b"PK\0\0").text is None


def test_a_template_is_read_once() -> None:
    """While a new version is installed the workers of the old one go on: its templates would ask them for new names."""
    first = environment().get_template("error.html")
    first._uptodate = lambda: False  # as if the file had changed
    assert environment().get_template("error.html") is first
