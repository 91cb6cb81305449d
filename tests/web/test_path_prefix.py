"""A site below a path of its host: nothing that it writes leads out of that path."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from arpad.model.errors import BadInput
from arpad.office.settings.acts import change_settings
from arpad.web.app import create
from arpad.web.path_prefix import add_prefix, parse_prefix
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving_copy

PREFIX = "/ratings"
ADDRESS = re.compile(
    r"""\s(href|src|action|formaction|data-address|content|srcset|cite|poster)=["']([^"']*)["']"""
)
WHOLE = re.compile(r"""https?://127\.0\.0\.1:\d++[^\s<"']*""")
PAGES = (
    "/", "/lists", "/players?q=a", "/players/1", "/tournaments", "/clubs", "/live/standard", "/developers", "/check",
    "/sign-in", "/no-such-page", "/feeds/en/lists", "/calendars/it/lists.ics", "/players/suggestions?q=an",
)  # fmt: skip
DESK_PAGES = ("/desk", "/desk/players", "/desk/lists", "/desk/running", "/account")


@pytest.fixture(scope="module")
def below(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_copy(demo_folder, tmp_path_factory.mktemp("below"), PREFIX) as running:
        change_settings(
            replace(running.office, author="tests"),
            set_={"card_sites": "https://club.example"},
            reason="cards",
        )
        yield running


def links(answer: httpx.Response) -> set[str]:
    """Return the paths to which a response leads on its own host, and complain about none yet."""
    text, here = answer.text, str(answer.url)
    addresses = {
        value.replace("&amp;", "&")
        for name, value in ADDRESS.findall(text)
        if name != "content" or value.startswith(("/", "http"))
    }
    whole = {urljoin(here, address) for address in addresses} | set(WHOLE.findall(text))
    if "location" in answer.headers:
        whole.add(urljoin(here, answer.headers["location"]))
    host = urlsplit(here).netloc
    parts = [urlsplit(address) for address in whole]
    return {f"{part.path}?{part.query}" if part.query else part.path for part in parts if part.netloc == host}


def pages_linked(answer: httpx.Response) -> set[str]:
    """Return the links that a reader can open: forms are sent, and examples of commands are only read."""
    actions = {value for name, value in ADDRESS.findall(answer.text) if name in ("action", "formaction")}
    examples = re.findall(r"<pre>[^<]*", answer.text)
    printed = {urlsplit(address).path for example in examples for address in WHOLE.findall(example)}
    return {link for link in links(answer) if link.partition("?")[0] not in actions | printed}


def leaving(answer: httpx.Response) -> set[str]:
    """Return the links of a response that leave the prefix."""
    return {link for link in links(answer) if not link.startswith(f"{PREFIX}/")}


def walk(client: httpx.Client, pages: tuple[str, ...]) -> set[str]:
    """Return all links of some pages; none may leave the prefix."""
    every: set[str] = set()
    for path in pages:
        answer = client.get(path)
        assert leaving(answer) == set(), path
        every |= links(answer)
    return every


@pytest.mark.parametrize(
    ("text", "prefix"), [("", ""), ("/", ""), ("/ratings/", "/ratings"), ("/a/b-2", "/a/b-2")]
)
def test_a_prefix_is_a_plain_path(text: str, prefix: str) -> None:
    assert parse_prefix(text) == prefix


@pytest.mark.parametrize("text", ["ratings", "//ratings", "/a b", "/../x", '/"x', "/é", "/a" * 60])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_prefix(text)


def test_only_attributes_with_an_address_on_this_host_change() -> None:
    page = b"""<a href="/x"> <a href='//other'> <a href="?p=2"> <input value="/desk"> <p> href=&#34;/x&#34;</p>"""
    assert add_prefix(page, b"/r") == page.replace(b'href="/x"', b'href="/r/x"')


def test_no_link_leaves_the_prefix(below: Served) -> None:
    assert len(walk(below.client(), PAGES)) > 100
    walk(below.client("officer"), DESK_PAGES)
    assert "https://…/ratings/cards/players/1" in below.client().get("/players/1").text


def test_outside_the_prefix_there_is_only_the_way_to_it(below: Served) -> None:
    host = below.address.removesuffix(PREFIX)
    assert httpx.get(f"{host}/ratings").headers["location"] == "/ratings/"
    assert httpx.get(f"{host}/").headers["location"] == "/ratings/"
    assert httpx.get(f"{host}/lists").status_code == 404
    assert httpx.get(f"{host}/ratingsx/lists").status_code == 404


def test_scripts_and_styles_use_addresses_relative_to_themselves(below: Served) -> None:
    client = below.client()
    styles = client.get("/static/site.css").text
    assert all(not address.startswith("/") for address in re.findall(r"url\(([^)]*)\)", styles))
    for name in ("site.js", "search.js", "desk.js", "curve.js", "editor.js"):
        assert re.search(r"""(fetch|open|assign)\([^)]*["'`]/""", client.get(f"/static/{name}").text) is None


def test_a_session_belongs_to_the_path(below: Served) -> None:
    """Cookies and redirects; over HTTPS the name says that only a secure page may set the cookie."""
    client = below.client()
    fields = {"csrf": proof(client, "/sign-in"), "login": "officer", "password": PASSWORD}
    answer = client.post("/sign-in", data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/ratings/desk")
    cookies = answer.headers.get_list("set-cookie")
    assert cookies
    assert all(re.search(r"Path=/ratings(;|$)", cookie) for cookie in cookies)
    assert client.get("/desk").status_code == 200
    refused = client.post("/sign-out", data={"csrf": "forged"}, headers={"referer": f"{below.address}/lists"})
    assert f'href="{PREFIX}/lists?lang=it"' in refused.text
    secure = httpx.get(f"{below.address}/sign-in", headers={"host": "example.org"})
    assert "__Secure-arpad_form=" in secure.headers["set-cookie"]


def test_head_and_get_agree(below: Served) -> None:
    client = below.client()
    assert int(client.get("/lists").headers["content-length"]) == len(client.get("/lists").content)
    assert client.head("/lists").content == b""
    assert client.get("/robots.txt").text.splitlines()[1] == "Disallow: /ratings/desk"


def test_refusals_of_the_api_name_the_prefix(below: Served) -> None:
    problem = below.client().get("/api/v1/players/999999").json()
    assert problem["type"].startswith("/ratings/developers#")
    assert problem["instance"] == "/ratings/api/v1/players/999999"


def test_the_api_document_names_the_prefix() -> None:
    assert create(prefix=PREFIX).openapi_schema.to_schema()["servers"] == [{"url": PREFIX}]


@pytest.mark.deep
@pytest.mark.parametrize("login", ["", "officer", "administrator", "arbiter"])
def test_every_page_that_can_be_reached(below: Served, login: str) -> None:
    """Follow every link, of addresses with the same shape a few; each answers and none leaves the prefix."""
    client = below.client(login)
    waiting, seen, shapes = [f"{PREFIX}/"], set[str](), dict[str, int]()
    while waiting:
        link = waiting.pop()
        path, _, query = link.partition("?")
        shape = re.sub(r"\d+", "#", path) + "&".join(sorted(set(re.findall(r"[^&=]+(?==)", query))))
        shapes[shape] = shapes.get(shape, 0) + 1
        if link in seen or shapes[shape] > 3 or "sign-out" in link:
            continue
        seen.add(link)
        answer = client.get(link.removeprefix(PREFIX))
        assert answer.status_code < 400 or answer.status_code == 405, link
        if answer.headers.get("content-type", "").startswith(
            ("text/html", "application/atom", "text/calendar")
        ):
            assert leaving(answer) == set(), link
            waiting += sorted(pages_linked(answer) - seen)
    assert len(seen) > 80
