"""Every verb of the ledger has a route of the API, or is named here with the reason why it has none."""

import pytest

from arpad.office.declarations import all_declared
from arpad.office.features import load_tables
from arpad.store.declared_tables import verbs
from arpad.web.declared_routes import address_of
from tests.web.every_route import routes

ELSEWHERE = {
    "accept": "/api/v1/office/accept",
    "add-reference": "/api/v1/office/fide/enter",
    "add-webhook": "/api/v1/office/webhook/add",
    "cosignature": "/api/v1/office/proof/cosigned",
    "erase": "/api/v1/office/privacy/erase",
    "import-list": "/api/v1/imports/list",
    "join-stages": "/api/v1/office/inbox/join",
    "publish": "/api/v1/office/publish",
    "revise": "/api/v1/office/revise",
    "signing-key": "/api/v1/office/proof/rotate-key",
    "send-version": "/api/v1/running/{name:str}",
    "submit": "/api/v1/reports",
}
"""Acts in several transactions, or with many files: their routes carry other names than their verbs."""

OF_A_SESSION = {"change-password", "choose-password", "second-factor", "use-recovery-code"}
"""Somebody proves who they are on the site; a token already speaks for them."""

OF_THE_MACHINE = {"init", "migrate", "rotate-key"}
"""They need the server's files: the database or its key."""

OF_THE_WORKER = {"checkpoint"}
"""The worker signs the ledger each night."""

OF_STUDIES = {"examine-list", "try-rule"}
"""Studies run where the history is, and keep their results in the office."""

BY_DECLARATION = {it.verb: address_of(it) for it in all_declared().values() if it.is_act and it.verb}


@pytest.fixture(scope="module", autouse=True)
def tables() -> None:
    load_tables()


def test_every_verb_has_a_route_or_a_reason() -> None:
    reasons = OF_A_SESSION | OF_THE_MACHINE | OF_THE_WORKER | OF_STUDIES
    assert verbs() == BY_DECLARATION.keys() | ELSEWHERE.keys() | reasons
    assert not reasons & BY_DECLARATION.keys()


def test_each_of_these_routes_is_there() -> None:
    posts = {path for method, path in routes() if method in {"POST", "PUT"}}
    wanted = {address.removeprefix("POST ") for address in BY_DECLARATION.values()} | {*ELSEWHERE.values()}
    assert wanted - posts == set()
