"""The usual attacks: on names, cells, addresses, queries, templates, XML."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import cycle
from pathlib import Path

import httpx
import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.rules import step
from arpad.office.privacy.acts import hide_player, show_player
from arpad.office.reports import rows
from tests.builders.site_fixtures import OPEN, Served, proof
from tests.builders.verbs import Office, erase_player, register_player, unmerge, verify, verify_bundle
from tests.builders.verbs import merge as office_merge

SCRIPT = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("https://evil.example","x")'


def at_desk(served: Served) -> Office:
    return replace(served.office, author="tests")


def trf(name: str) -> str:
    """A tiny report with one name of the attacker's choice."""
    players = [(1, name, 1), (2, "Verdi, Ugo", 0)]
    lines = ["012 Open", "042 2024/12/01", "052 2024/12/01", "062 2", "122 90+30"]
    for number, who, points in players:
        other = 3 - number
        lines.append(
            f"001 {number:4d} m    {who[:33]:<33} 1800 ITA {'':11} {'':10} {points:4.1f} {number:4d}  {other:4d} "
            f"{'w' if number == 1 else 'b'} {'1' if points else '0'}"
        )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", [SCRIPT, "{{ 7 * 7 }}{% raw %}", '"><img src=x onerror=alert(1)>', "${7*7}"])
def test_a_script_or_template_in_a_players_name_stays_a_name(own: Served, name: str) -> None:
    number = register_player(at_desk(own), name, federation="ITA").id
    officer = own.client("officer")
    asked = name.split("(", maxsplit=1)[0]

    for address in (f"/players/{number}", f"/desk/players/{number}", f"/players?q={asked}", "/desk/ledger"):
        answer = officer.get(address, follow_redirects=True)
        assert answer.status_code == 200
        assert SCRIPT not in answer.text
        assert "<img" not in answer.text
        assert ">49<" not in answer.text


def test_a_script_in_an_uploaded_report_stays_text(own: Served) -> None:
    client = own.client("arbiter")
    files = {"file": (f"{SCRIPT}.trf", trf(SCRIPT).encode())}
    answer = client.post("/check", data={"csrf": proof(client, "/check")}, files=files)

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;" in answer.text


def test_a_formula_in_a_name_is_harmless_in_every_sheet(served: Served) -> None:
    client = served.client()
    answer = client.post("/api/v1/rate", params={"format": "csv"}, content=trf(FORMULA).encode())

    assert answer.status_code == 200
    assert "\n1,,\"'=HYPERLINK" in answer.text


@pytest.mark.parametrize(
    "asked", ["' OR 1=1 --", '"; DROP TABLE players; --', "%", "_", "a' UNION SELECT password FROM users --"]
)
def test_sql_in_a_question_finds_nobody_and_breaks_nothing(served: Served, asked: str) -> None:
    client = served.client()

    assert client.get("/players", params={"q": asked}).status_code == 200
    assert client.get("/api/v1/search", params={"q": asked}).json()["players"] == []
    assert client.get("/lists/standard", params={"cut": asked}).status_code == 404
    assert client.get("/players/1").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/lists/standard/files/..%2f..%2f..%2fetc%2fpasswd", "/lists/..%2foffice.db/files/x.csv",
        "/lists/standard-2025-01-01-r1/files/%2e%2e%2foffice.db", "/static/..%2f..%2f__init__.py",
        "/desk/reports/..%2f1/file", "/api/v1/lists/..%2f..%2foffice.db", "/%2e%2e/%2e%2e/etc/passwd",
    ],
)  # fmt: skip
def test_no_address_leads_out_of_the_site(served: Served, address: str) -> None:
    answer = served.client().get(address)

    assert answer.status_code == 404
    assert "root:" not in answer.text


def test_xml_with_entities_is_refused_at_once(served: Served) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><playerslist>&b;</playerslist>'
    answer = served.client().post("/api/v1/rate", content=bomb)

    assert answer.status_code == 400
    assert "root:" not in answer.text


def test_a_workbook_that_unpacks_to_too_much_is_refused(served: Served) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("xl/workbook.xml", "<workbook/>")
        packed.writestr("xl/worksheets/sheet1.xml", b" " * 60_000_000)
    answer = served.client().post("/api/v1/rate?name=bomb.xlsx", content=made.getvalue())

    assert answer.status_code == 400


@pytest.mark.parametrize(
    "data", [b"", b"\x00" * 1000, b"\xff\xfe" * 500, b"001 " * 20_000, b"PK\x03\x04broken"]
)
def test_rubbish_is_refused_in_one_sentence(served: Served, data: bytes) -> None:
    answer = served.client().post("/api/v1/check", content=data)

    assert answer.status_code == 400
    assert answer.json()["detail"]


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.deep)])
def test_a_hidden_player_is_not_shown(own: Served, step: int) -> None:
    client = own.client()
    row = client.get("/api/v1/lists/standard").json()["rows"][0]
    hide_player(at_desk(own), row["id"], reason="asked in writing")

    assert client.get(f"/players/{row['id']}").status_code == 404
    assert client.get(f"/api/v1/players/{row['id']}").status_code == 404
    assert row["name"] not in [
        p["name"] for p in client.get("/api/v1/search", params={"q": row["name"]}).json()["players"]
    ]
    for address in ("/", "/lists/standard", "/lists/standard?cut=all", "/api/v1/lists/standard"):
        assert row["name"] not in client.get(address).text
    assert client.get("/api/v1/lists/standard").json()["rows"][0]["id"] is None
    for number in range(1, 60, step):
        assert row["name"] not in client.get(f"/players/{number}").text
    for event in client.get("/api/v1/tournaments").json()["tournaments"][::step]:
        assert row["name"] not in client.get(f"/tournaments/{event['id']}").text


def every_download(client: httpx.Client) -> Iterator[tuple[str, httpx.Response]]:
    """Every file of the newest standard list, and of one before it, that a visitor can download."""
    for listed in client.get("/api/v1/lists?list=standard").json()["lists"][-1:-4:-2]:
        page = client.get(f"/lists/{listed['name']}").text
        for address in sorted(set(re.findall(r'href="(/lists/[^"]+/files/[^"]+)"', page))):
            if not address.endswith((".pdf", ".bundle.zip")):
                yield address, client.get(address)


def contains(data: bytes, word: bytes) -> bool:
    """Return whether a file, or a file packed in it, contains a word."""
    if data[:2] != b"PK":
        return word in data
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return any(contains(packed.read(name), word) for name in packed.namelist())


@pytest.mark.parametrize(
    "erased", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["hidden", "erased"]
)
def test_no_download_names_a_hidden_or_erased_player(
    own: Served, erased: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arpad.office.privacy.acts.verify", partial(verify, recompute=False))  # it takes long
    client, office = own.client(), at_desk(own)
    row = client.get("/api/v1/lists/standard").json()["rows"][0]
    word = row["name"].encode()
    files = dict(every_download(client))
    before = {address: answer.headers["etag"] for address, answer in files.items()}
    assert any(contains(answer.content, word) for answer in files.values())
    if erased:
        erase_player(office, row["id"], confirm=row["id"], reason="asked in writing")
    else:
        hide_player(office, row["id"], reason="asked in writing")

    for address, answer in every_download(client):
        assert answer.status_code == 200, address
        assert not contains(answer.content, word), address
        assert answer.headers["etag"] != before[address], address
        again = client.get(address, headers={"if-none-match": before[address]})
        assert again.status_code == 200, address
    for event in client.get("/api/v1/tournaments").json()["tournaments"]:
        for address in (f"/tournaments/{event['id']}",) * erased + (f"/api/v1/tournaments/{event['id']}",):
            assert word not in client.get(address).content, address


def test_a_hidden_player_is_not_shown_under_a_merged_number(own: Served) -> None:
    client, office = own.client(), at_desk(own)
    name = client.get("/api/v1/players/47").json()["player"]["name"]
    office_merge(office, 3, 47, reason="one player with two numbers", confirmed=True)

    for asked in (3, 47):  # the one kept, or the one that went
        hide_player(office, asked, reason="asked in writing")
        for number in (3, 47):
            assert client.get(f"/players/{number}", follow_redirects=True).status_code == 404
            assert client.get(f"/api/v1/players/{number}").status_code == 404
            assert client.get(f"/api/v1/players/{number}/history?format=csv").status_code == 404
            assert name not in str(client.get(f"/api/v1/search?q={number}").json())
        show_player(office, 3, reason="wants to be shown again")
        assert client.get("/players/47", follow_redirects=True).status_code == 200


def test_both_players_of_an_undone_merge_stay_hidden(own: Served) -> None:
    office = at_desk(own)
    hide_player(office, 3, reason="asked in writing")
    merge = office_merge(office, 3, 47, reason="one player with two numbers", confirmed=True).merge
    hide_player(office, 47, reason="asked in writing")
    unmerge(office, merge, reason="two players after all")

    assert [own.client().get(f"/players/{number}").status_code for number in (3, 47)] == [404, 404]


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.deep)])
def test_day_and_month_of_birth_are_never_shown_to_the_public(served: Served, stride: int) -> None:
    """Every third player in one of the languages; every player in each language with the deep tests."""
    with served.office.store.reading() as connection:
        born = connection.exec_driver_sql("SELECT id, born FROM players WHERE length(born) = 10").all()
    assert len(born) > 30
    readers = {language: (served.client(language=language), load_words(language)) for language in LANGUAGES}
    juniors = dict.fromkeys(LANGUAGES, 0)
    births = born[::stride] if stride > 1 else [row for row in born for _ in LANGUAGES]
    for (number, day), language in zip(births, cycle(LANGUAGES), strict=False):
        client, words = readers[language]
        year, month, of_month = day.split("-")
        document = client.get(f"/api/v1/players/{number}")
        lists = [standing["list"] for standing in document.json()["standings"]]
        pages = [client.get(f"/players/{number}?list={name}") for name in lists]
        for answer in (document, *(pages or [client.get(f"/players/{number}")])):
            for text in (day, f"{int(of_month)}/{int(month)}/{year}", words.day(date.fromisoformat(day))):
                assert text not in answer.text, answer.url
            sentence = words.step(step("8.3.3", "k-junior-public", 40, born=int(year), below=2300))
            juniors[language] += sentence in answer.text
    assert min(juniors.values()) > 0


def test_an_arbiter_learns_no_day_of_birth_from_the_register(own: Served) -> None:
    """Tournament 35 brought player 110, born in 2009, onto the list; here the report does not say when."""
    with own.office.store.reading() as connection:
        data = rows.data(connection, 35).decode()
    silent = "".join(
        line[:69] + " " * 10 + line[79:] if line.startswith("001") else line
        for line in data.splitlines(keepends=True)
    )
    client = own.client("arbiter")
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": silent}
    text = client.post("/check", data=form).text

    assert "a junior, born in 2009" in text
    assert "born on" not in text


def test_a_birth_that_could_not_be_read_is_not_repeated_to_the_public(own: Served) -> None:
    sender, officer = own.client("arbiter"), own.client("officer")
    wrong = re.sub(r"(?m)^(001    1 .{60})\d{4}/\d\d/\d\d", r"\g<1>1985/31/14", OPEN.decode())
    assert "1985/31/14" in wrong
    form = {"csrf": proof(sender, "/check"), "name": "open.trf", "text": wrong}
    report = sender.post("/desk/send", data=form).headers["location"]
    assert "1985/31/14" in officer.get(report).text
    codes = re.findall(r'name="overrule" value="([^"]+)"', officer.get(report).text)
    decided = {"csrf": proof(officer, report), "reason": "known", "overrule": codes}
    assert (
        officer.post(
            "/desk/acts/accept", data=decided | {"report": report.rpartition("/")[2], "from": report}
        ).status_code
        == 303
    )

    address = report.replace("/desk/reports", "/tournaments")
    assert '<ul class="findings">' in own.client().get(address).text
    assert "1985/31/14" not in own.client().get(address).text
    assert "1985/31/14" not in own.client().get(f"/api/v1{address}").text


def test_only_officers_download_the_bundle_with_personal_data(served: Served) -> None:
    address = "/lists/standard-2025-01-01-r1/files/standard-2025-01-01-r1.bundle.zip"

    assert served.client().get(address).status_code == 401
    assert served.client("arbiter").get(address).status_code == 403
    assert served.client("officer").get(address).content.startswith(b"PK")


def test_the_public_bundle_verifies_and_has_no_day_of_birth(served: Served, tmp_path: Path) -> None:
    client = served.client()
    with served.office.store.reading() as connection:
        born = {
            str(day) for (day,) in connection.exec_driver_sql("SELECT born FROM players") if len(day) == 10
        }
    address = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.bundle.zip"
    whole = served.client("officer").get(address).content
    assert any(day.encode() in whole for day in born)  # so there is something to leave out
    lists = client.get("/api/v1/lists").json()["lists"]
    for name in ("standard-2024-08-01-r2", "italiana-2024-12-31-r1", "rapid-2025-01-01-r1"):
        found = next(entry for entry in lists if entry["name"] == name)
        data = client.get(f"/lists/{name}/files/{name}.public.zip").content
        file = tmp_path / "list.zip"
        file.write_bytes(data)

        assert verify_bundle(file).intact
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            assert json.loads(packed.read("manifest.json"))["digest"] == found["digest"]
            texts = {entry: packed.read(entry).decode() for entry in packed.namelist()}
        for entry, text in texts.items():
            told = set(re.findall(r"\d{4}[-/.]\d{2}[-/.]\d{2}", text))
            assert not {day.replace("/", "-") for day in told if day[:4] < "2020"} & born
            # the reason of the publication itself is public: the site shows it with the correction
            assert entry == "publication.json" or '"reason"' not in text


def test_a_published_digest_is_that_of_the_file(served: Served) -> None:
    from hashlib import sha256

    client = served.client()
    found = client.get("/api/v1/lists/standard").json()["list"]
    text = client.get(f"/lists/{found['name']}/files/{found['name']}.canonical.txt").content

    assert sha256(text).hexdigest() == found["digest"]
