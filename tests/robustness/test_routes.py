"""Every route of the site and the API with bad input: a page or a message in the reader's language, never a 5xx.

Routes are read from the application, query parameters from its OpenAPI document, forms from the pages. Only while the
database is away a 5xx is right: 503.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from arpad.office.office import open_office
from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving
from tests.builders.users import add_user
from tests.robustness.bad_input import PNG
from tests.robustness.working_calls import Household
from tests.thinning import one_in
from tests.web.every_route import application, routes

ODD_PARTS = ("-1", "99999999999999999999", "%00%ff", "..%2f..%2fetc", "x" * 2000)
ODD_VALUES = ("nonsense", "99999999999999999999%ff")
ODD_BODIES: dict[str, bytes] = {
    "nothing": b"",
    "a picture": PNG,
    "UTF-16": "012 Open però\n".encode("utf-16"),
    "NUL bytes": b"012 Open\x00\n",
    "half of JSON": b'{"a": ',
    "brackets without end": b"[" * 60_000,  # small enough to be read without another process
    "an odd form": b"csrf=%ff&=&&&a[]=1;b",
}
KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


def filled(path: str, part: str) -> str:
    return re.sub(r"\{\w+:\w+\}", lambda _match: part, path)


@cache
def query_parameters() -> list[str]:
    """Return the names of all query parameters of the API's document and of the pages' forms."""
    document = application().openapi_schema.to_schema()
    names = {
        parameter["name"]
        for path in document["paths"].values()
        for handler in path.values()
        for parameter in handler.get("parameters", ())
        if parameter["in"] == "query"
    }
    return sorted(names | {"q", "list", "date", "day", "page", "lang", "cut", "year", "edition", "v"})


def wrong(answer: httpx.Response) -> str:
    """Return what is wrong with an answer, or nothing."""
    where = f"{answer.request.method} {str(answer.request.url)[:200]}: {answer.status_code}"
    if answer.status_code >= 500 and answer.status_code != 503:
        return where
    if "Traceback" in answer.text:
        return f"{where} with a traceback"
    if answer.status_code < 400:
        return ""
    if "json" in answer.headers["content-type"]:
        return "" if answer.json()["detail"] else f"{where} says nothing"
    return "" if '<html lang="it"' in answer.text else f"{where} not in Italian: {answer.text[:100]}"


@contextmanager
def served(furnished: Household, folder: Path) -> Iterator[Served]:
    shutil.copyfile(furnished.folder / "kept.db", folder / "office.db")
    noon = datetime(2018, 3, 20, 12, tzinfo=UTC)
    office = open_office(str(folder / "office.db"), now=lambda: noon, author="tests")
    add_user(office, "officer", "Officer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    administrator = [Grant(Role.ADMINISTRATOR)]
    add_user(office, "administrator", "Administrator", PASSWORD, administrator, own_password=True)
    with serving(replace(office, author="")) as running:
        yield running


@pytest.fixture(scope="module")
def people(
    furnished: Household, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, httpx.Client]]:
    with served(furnished, tmp_path_factory.mktemp("site")) as site:
        yield {login: site.client(login, "it") for login in ("", "officer", "administrator")}


@pytest.fixture
def own_site(furnished: Household, tmp_path: Path) -> Iterator[Served]:
    with served(furnished, tmp_path) as site:
        yield site


def is_guarded(path: str) -> bool:
    """Return whether a visitor is refused before the address and the body are read."""
    return path.startswith(("/admin", "/desk"))


@pytest.mark.parametrize("refused_visits", [1, pytest.param(len(ODD_PARTS), marks=pytest.mark.deep)])
@pytest.mark.parametrize(("method", "path"), one_in(8, (route for route in routes() if "{" in route[1])))
def test_odd_addresses(people: dict[str, httpx.Client], method: str, path: str, refused_visits: int) -> None:
    login = "administrator" if path.startswith("/admin") else "officer"
    visits = [(login, part) for part in ODD_PARTS]
    visits += [("", part) for part in (ODD_PARTS[:refused_visits] if is_guarded(path) else ODD_PARTS)]

    problems = [wrong(people[who].request(method, filled(path, part))) for who, part in visits]

    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize("path", one_in(16, (path for method, path in routes() if method == "GET")))
def test_odd_query_parameters(people: dict[str, httpx.Client], path: str) -> None:
    problems = []
    for value in ODD_VALUES:
        query = "&".join(f"{name}={value if '%' in value else quote(value)}" for name in query_parameters())
        problems.append(wrong(people["officer"].get(f"{filled(path, '1')}?{query}")))
    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize(
    "refused_visits", [1, pytest.param(len(ODD_BODIES) * len(KINDS), marks=pytest.mark.deep)]
)
@pytest.mark.parametrize("path", one_in(12, (path for method, path in routes() if method == "POST")))
def test_odd_bodies(people: dict[str, httpx.Client], path: str, refused_visits: int) -> None:
    login = "administrator" if path.startswith("/admin") else "officer"
    visits = [(login, body, kind) for body in ODD_BODIES.values() for kind in KINDS]
    refused = visits[-refused_visits:]
    visits += [("", body, kind) for _, body, kind in (refused if is_guarded(path) else visits)]

    problems = [
        wrong(people[who].post(filled(path, "1"), content=body, headers={"content-type": kind}))
        for who, body, kind in visits
    ]

    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_body_that_another_process_reads(people: dict[str, httpx.Client], kind: str) -> None:
    answer = people[""].post("/api/v1/check", content=b"[" * 100_000, headers={"content-type": kind})

    assert wrong(answer) == ""


def forms(client: httpx.Client) -> dict[tuple[str, frozenset[str]], str]:
    """Return the action and the fields of every form that a user may open, each with the first page that has it."""
    pages: dict[tuple[str, frozenset[str]], str] = {}
    for method, path in routes():
        if method != "GET" or path.startswith("/api"):
            continue
        page = client.get(filled(path, "1"))
        if page.status_code != 200 or "html" not in page.headers["content-type"]:
            continue
        for form in re.findall(r'<form[^>]*method="post".*?</form>', page.text, re.DOTALL):
            action = re.search(r'action="([^"]+)"', form)
            names = frozenset(re.findall(r'name="([^"]+)"', form)) - {"csrf"}
            pages.setdefault((action[1] if action else filled(path, "1"), names), filled(path, "1"))
    return pages


ODD_FIELDS = ("nonsense", "", "-7", "9" * 40, "\x1b[2J\x00é\n" + "x" * 5000)


@pytest.mark.parametrize("values", [1, pytest.param(len(ODD_FIELDS), marks=pytest.mark.deep)])
@pytest.mark.parametrize("login", one_in(2, ["officer", "administrator"], 1))
def test_odd_fields_of_every_form(own_site: Served, login: str, values: int) -> None:
    """Each form is sent with one odd value, another one for the next form; in deep runs with all of them."""
    client = own_site.client(login, "it")
    problems = []
    for place, ((action, names), page) in enumerate(forms(client).items()):
        if "sign-out" in action:
            continue
        csrf = proof(client, page)
        for value in (2 * ODD_FIELDS)[place % len(ODD_FIELDS) :][:values]:
            data = dict.fromkeys(names, value) | {"csrf": csrf}
            problems.append(wrong(client.post(action, data=data)))
        picture = {name: ("x.trf", PNG) for name in names if "file" in name}
        if picture:
            problems.append(wrong(client.post(action, data={"csrf": csrf}, files=picture)))
    assert problems
    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize("step", [21, pytest.param(1, marks=pytest.mark.deep)])
def test_the_database_is_away_and_comes_back(own_site: Served, step: int) -> None:
    """Without the file every route is asked; if something else is in its place, one in 21, in deep runs all."""
    site = own_site
    people = {login: site.client(login, "it") for login in ("", "officer")}
    path = Path(site.office.store.engine.url.database or "")
    away = path.with_name("away.db")
    statuses = set()
    everywhere = [(method, filled(route, "1")) for method, route in routes()]
    for spoil, asked in (
        (lambda: None, everywhere),
        (lambda: path.write_bytes(PNG * 100), everywhere[::step]),
        (path.mkdir, everywhere[1::step]),
    ):
        site.office.store.engine.dispose()
        path.rename(away)
        spoil()
        problems = []
        for method, address in asked:
            for client in people.values():
                answer = client.request(method, address)
                statuses.add(answer.status_code)
                problems.append(wrong(answer))
                if answer.status_code == 503:
                    assert answer.headers["retry-after"] == "60"
                    assert "database" in answer.text
                    assert str(path) not in answer.text
        assert [problem for problem in problems if problem] == []
        assert 503 in statuses
        statuses.clear()
        site.office.store.engine.dispose()
        if path.is_dir():
            path.rmdir()
        away.rename(path)
        assert people[""].get("/lists/standard").status_code == 200
