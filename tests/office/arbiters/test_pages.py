"""The page of arbiters: an officer enters an arbiter and adds a licence."""

from tests.builders.site_fixtures import Served
from tests.web.test_forms import sent

PAGE = "/desk/arbiters"
ARBITER = {"name": "Rossi, Mario", "fide": "800123", "federation": "ITA", "title": "IA", "from": PAGE}


def test_an_officer_enters_an_arbiter_and_a_licence(own: Served) -> None:
    client = own.client("officer")
    assert sent(client, PAGE, "/desk/acts/arbiter/register", **ARBITER).status_code == 303
    page = client.get("/desk/arbiters").text
    assert "Rossi, Mario" in page
    assert "no licence today" in page
    licence = {"arbiter": "1", "since": "2020-01-01"}
    assert sent(client, PAGE, "/desk/acts/arbiter/license", **licence).status_code == 303
    page = client.get("/desk/arbiters").text
    assert "from 1 January 2020" in page
    assert "no licence today" not in page
