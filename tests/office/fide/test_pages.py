"""FIDE's lists at the desk: added by upload, on file, compared with the office's own calculation."""

import io
import re
import zipfile

import httpx

from arpad.web.middleware import LARGEST_LIST, LARGEST_UPLOAD
from tests.builders.reference import HEADER, row
from tests.builders.site_fixtures import Served, compact, proof
from tests.builders.verbs import find_players

PAGE, ADD = "/desk/reconciliation", "/desk/reconciliation/lists"


def listed(own: Served, gain: int = 0) -> bytes:
    """FIDE's list with three players of the demo; the first has gained something."""
    people = [find_players(own.office, str(number))[0] for number in (1, 2, 3)]
    return (HEADER + "".join(
        row(int(dict(person.identifiers)["fide"]), person.name, rating=2000 + (0 if index else gain))
        for index, person in enumerate(people)
    )).encode()  # fmt: skip


def zipped(text: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("players_list_foa.txt", text)
    return data.getvalue()


def added(
    client: httpx.Client, data: bytes, day: str, name: str = "list.txt", **texts: str
) -> httpx.Response:
    form = {"csrf": proof(client, PAGE), "day": day, "list": "", **texts}
    return client.post(ADD, data=form, files={"file": (name, data)})


def test_an_officer_adds_two_lists_and_reads_why_they_differ(own: Served) -> None:
    officer = own.client("officer")
    assert "No list is on file yet" in officer.get(PAGE).text
    done = added(officer, listed(own), "2024-12-01")
    assert (done.status_code, done.headers["location"]) == (303, PAGE)
    assert "3 players of the list of 1 December 2024 are kept" in officer.get(PAGE).text
    assert added(officer, zipped(listed(own, 25)), "2025-01-01", "players_list.zip").status_code == 303

    page = compact(officer.get(PAGE).text)
    assert "3 players compared: " in page
    assert "0 players more" in page, "what the second list brought"
    sections = re.findall(r"<h3>([A-Za-z ]+) \(\d\)</h3>", page)
    assert sections == ["Certain", "No cause found"]
    certain = page.partition("<h3>Certain")[2].partition("<h3>")[0]
    assert "FIDE has not rated: Campionato sociale 2024" in certain, "no games are on its list"
    assert '<a href="/desk/players/1">Ravistri, Sandro</a>' in page
    again = added(officer, listed(own), "2024-12-01")
    assert "is kept already" in officer.get(again.headers["location"]).text


def test_a_refused_list_leaves_the_form_as_it_was(own: Served) -> None:
    officer = own.client("officer")
    assert added(officer, listed(own), "2024-12-01").status_code == 303
    refused = added(officer, listed(own, 25), "2024-12-01", list="")
    assert refused.status_code == 422
    assert "There is a reference list of 1 December 2024 already" in refused.text
    assert 'value="2024-12-01"' in refused.text
    assert added(officer, b"nothing", "2025-01-01").status_code == 422
    assert added(officer, listed(own), "yesterday").status_code == 422
    cut = b"".join(listed(own).splitlines(keepends=True)[:2])
    fewer = added(officer, cut, "2025-01-01")
    assert (fewer.status_code, "it may be cut" in fewer.text) == (422, True)
    assert added(officer, cut, "2025-01-01", fewer="yes").status_code == 303


def test_a_list_is_removed_and_only_officers_of_all_may(own: Served) -> None:
    officer, bound = own.client("officer"), own.client("bound")
    assert added(officer, listed(own), "2024-12-01").status_code == 303
    assert f'action="{ADD}"' not in bound.get(PAGE).text
    assert added(bound, listed(own), "2025-01-01").status_code == 403
    form = {"csrf": proof(officer, PAGE), "from": PAGE, "days": "2024-12-01"}
    removed = officer.post("/desk/acts/fide/remove", data=form)
    assert "Removed" in officer.get(removed.headers["location"]).text


def test_a_large_list_is_taken_from_who_is_signed_in_only(own: Served) -> None:
    large = b" " * (LARGEST_UPLOAD + 1)
    assert own.client().post(ADD, files={"file": ("list.txt", large)}).status_code == 413
    officer = own.client("officer")
    assert added(officer, large, "2025-01-01").status_code == 422, "it is no list, but its size is no reason"
    assert LARGEST_LIST > LARGEST_UPLOAD


def test_the_comparison_with_fide_says_what_it_needs(own: Served) -> None:
    client = own.client("officer", "it")
    assert "Nessuna lista è ancora conservata" in client.get(PAGE).text
    assert added(own.client("officer"), listed(own), "2024-12-01").status_code == 303
    assert "Servono due liste FIDE" in client.get(PAGE).text
    assert client.get("/desk/files/fide/reconcile-csv").status_code == 400
    assert client.get("/desk/reconciliation?list=bullet").status_code == 200
