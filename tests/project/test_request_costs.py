"""Every address that is open to everybody is on docs/reference/request-costs.md, with what bounds its cost."""

import re
from typing import Any, NamedTuple

import pytest

from arpad.office.users import EVERYBODY
from tests.paths import ROOT
from tests.project.test_docs import references, wrong
from tests.web.every_route import application, routes

PAGE = ROOT / "docs" / "reference" / "request-costs.md"


class Line(NamedTuple):
    """A row of the table."""

    addresses: list[str]
    computed: str
    bound: str
    where: str
    counted: str


def lines() -> list[Line]:
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    table = [row for row in rows if row[0].startswith("`")]
    assert all(len(row) == len(Line._fields) for row in table), "five columns"
    return [Line(addresses(row[0]), *row[1:]) for row in table]


def addresses(cell: str) -> list[str]:
    """Return each address of a cell with its method: `GET /a, /b` are two."""
    named = re.findall(r"`([A-Z]+) ([^`]+)`", cell)
    return [f"{method} {path}" for method, paths in named for path in paths.split(", ")]


def is_public(options: dict[str, Any]) -> bool:
    """Whether an address is open to everybody: by its own options, or as what it declares is."""
    return bool(options.get("access", EVERYBODY) == EVERYBODY)


def public_routes() -> dict[str, dict[str, Any]]:
    """The options of every address that is open to everybody; those of the framework have none and are open too."""
    options: dict[str, dict[str, Any]] = {}
    for route in application().routes:
        for method, handler in getattr(route, "route_handler_map", {}).items():
            found = handler[0] if isinstance(handler, tuple) else handler
            if (method, route.path) in routes() and is_public(found.opt):
                options[f"{method} {route.path}"] = found.opt
    return options


def test_every_public_address_is_on_the_page_once() -> None:
    named = [address for line in lines() for address in line.addresses]
    assert len(public_routes()) > 100
    assert sorted(named) == sorted(public_routes())


def test_the_page_says_which_addresses_are_counted() -> None:
    costly = {address for address, options in public_routes().items() if options.get("costly")}
    counted = {address for line in lines() if line.counted == "yes" for address in line.addresses}
    assert counted == costly
    assert {line.counted for line in lines()} == {"yes", "no", "norm, event"}
    assert [line.addresses for line in lines() if line.counted == "norm, event"] == [
        ["GET /calculators/{name:str}"]
    ]


@pytest.mark.parametrize("line", lines(), ids=lambda line: line.addresses[0])
def test_each_row_names_a_bound_and_where_it_is(line: Line) -> None:
    assert line.computed
    assert line.bound
    assert references(line.where)
    assert [why for name in references(line.where) if (why := wrong(name))] == []
    assert ("limited process" not in line.bound) or line.counted != "no"
