"""What is stored stays what it is on every page: text, and an office that has just been made, on both databases."""

import io
import re
import zipfile
from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.names import stored_form
from arpad.model.rules import ListName
from arpad.office.accounts.sessions import withdraw_token
from arpad.office.office import init
from arpad.office.register.acts import register_player
from arpad.office.users import Grant, Role, user_of_token
from arpad.web.api.limits import count_requests
from tests.builders.site_fixtures import (
    OPEN,
    PASSWORD,
    SETTINGS,
    Served,
    january,
    proof,
    serving,
    settings_form,
)
from tests.builders.users import add_user, issue_token
from tests.builders.verbs import NEW, Office, accept, change_player, publish, reports_on_file, submit
from tests.web.test_web_attacks import FORMULA, SCRIPT, trf

LIST = "standard-2025-02-01-r1"
BOOK = "<workbook><sheets><sheet name='a' sheetId='1' r:id='r1'/></sheets></workbook>"
SHEET = "<worksheet><sheetData><row><c t='s'><v>0</v></c></row></sheetData></worksheet>"


def at_desk(served: Served) -> Office:
    return replace(served.office, author="tests")


def published_with(served: Served, name: str) -> str:
    """A list on which the first player is called like that."""
    office = at_desk(served)
    change_player(office, 1, since=date(2025, 1, 20), reason="by deed", set_={"name": name})
    return publish(office, ListName.STANDARD, date(2025, 2, 1)).name


def test_a_formula_on_a_list_is_text_in_every_file(own: Served) -> None:
    assert published_with(own, FORMULA) == LIST
    client = own.client()

    def file(kind: str) -> bytes:
        return client.get(f"/lists/{LIST}/files/{LIST}.{kind}").content

    assert b"'=HYPERLINK" in file("csv")
    with zipfile.ZipFile(io.BytesIO(file("en.xlsx"))) as workbook:
        sheets = [workbook.read(name) for name in workbook.namelist() if name.startswith("xl/worksheets/")]
    assert sheets
    assert all(b"<f>" not in sheet for sheet in sheets)
    assert file("en.pdf").startswith(b"%PDF")
    assert "'=HYPERLINK" in client.get(f"/api/v1/lists/{LIST}?format=csv").text
    assert client.get("/api/v1/search", params={"q": "hyperlink"}).json()["players"][0][
        "name"
    ] == stored_form(FORMULA)


def test_a_script_on_a_list_is_text_in_every_page_and_in_the_xml(own: Served) -> None:
    assert published_with(own, SCRIPT) == LIST
    client = own.client()

    pages = (
        "/",
        f"/lists/{LIST}",
        f"/lists/{LIST}?cut=movers",
        "/players/1",
        "/players?q=alert",
        "/developers",
    )
    for address in pages:
        answer = client.get(address, follow_redirects=True)
        assert answer.status_code == 200
        assert SCRIPT not in answer.text, address
    assert SCRIPT.encode() not in client.get(f"/lists/{LIST}/files/{LIST}.xml").content
    assert client.get("/api/v1/players/1").headers["content-type"].startswith("application/json")


def test_a_script_in_settings_reasons_events_and_tokens_is_text(own: Served) -> None:
    administrator, officer = own.client("administrator"), own.client("officer")
    settings = {"name": SCRIPT, "federation": "ITA", "time_zone": "UTC", "language": "en", "languages": "en"}
    form = {"csrf": proof(administrator, "/admin"), **settings, "reason": SCRIPT}
    assert administrator.post(SETTINGS, data=settings_form(form)).status_code == 303
    token = {"csrf": form["csrf"], "login": "arbiter", "name": SCRIPT, "scope": "submit"}
    assert SCRIPT not in administrator.post("/admin/programs/tokens", data=token).text
    event = {"name": SCRIPT, "city": SCRIPT, "first_day": "2025-03-01", "last_day": "2025-03-02"}
    sent = officer.post(
        "/desk/acts/tournament/register", data={"csrf": proof(officer, "/desk/events"), **event}
    )
    assert sent.status_code == 303
    refused = officer.post(
        "/desk/acts/tournament/register",
        data={"csrf": proof(officer, "/desk/events"), "from": "/desk/events", **event, "last_day": SCRIPT},
    )

    assert SCRIPT not in refused.text
    for client, address in (
        (administrator, "/admin"), (officer, "/desk/ledger"), (officer, "/desk/events"), (own.client(), "/"),
    ):  # fmt: skip
        text = client.get(address).text
        assert SCRIPT not in text, address
        assert "&lt;script&gt;" in text, address


def test_a_script_in_a_tournament_is_text_wherever_it_is_shown(own: Served) -> None:
    office = at_desk(own)
    data = trf("Rossi, Anna").replace("012 Open", f"012 {SCRIPT}{FORMULA}").encode()
    filed = submit(office, data, f"{SCRIPT}.trf")
    errors = {finding.code for finding in filed.findings if finding.severity == "error"}
    matches = dict.fromkeys((1, 2), NEW)
    accept(office, filed.report, matches=matches, overrule=sorted(errors), reason=SCRIPT)

    for client in (own.client(), own.client("officer")):
        for address in ("/", "/tournaments", f"/tournaments/{filed.report}"):
            assert SCRIPT not in client.get(address).text, address
    assert SCRIPT not in own.client("officer").get(f"/desk/reports/{filed.report}").text
    assert SCRIPT not in own.client("officer").get("/desk/reports").text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..\\..\\boot.ini", "a\r\nSet-Cookie: x=1.trf", "/etc/shadow"]
)
def test_a_files_name_is_only_a_name(own: Served, name: str) -> None:
    client = own.client("arbiter")
    form = {"csrf": proof(client, "/check"), "name": name, "text": OPEN.decode()}
    sent = client.post("/desk/send", data=form)
    assert sent.status_code == 303
    (filed,) = reports_on_file(own.office, status="received")

    assert not re.search(r"[/\\\r\n]", filed.file)
    answer = client.get(f"{sent.headers['location']}/file")
    assert answer.headers["content-disposition"] == "attachment"
    assert "set-cookie" not in answer.headers


def test_entities_in_a_workbook_are_not_followed(served: Served) -> None:
    bomb = '<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "' + "&a;" * 10 + '">]>'
    outside = '<!DOCTYPE sst [<!ENTITY b SYSTEM "file:///etc/passwd">]>'
    for head in (bomb, outside):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as packed:
            packed.writestr("[Content_Types].xml", "<Types/>")
            packed.writestr("xl/workbook.xml", BOOK)
            packed.writestr(
                "xl/sharedStrings.xml", f"<?xml version='1.0'?>{head}<sst><si><t>&b;</t></si></sst>"
            )
            packed.writestr("xl/worksheets/sheet1.xml", SHEET)
        answer = served.client().post("/api/v1/check?name=a.xlsx", content=made.getvalue())

        assert answer.status_code == 400
        assert "root:" not in answer.text
        assert "aaaaaaaaaa" not in answer.text


def test_a_new_office_opens_its_doors(place: str) -> None:
    office = init(place, federation="ITA", name="Nuova federazione", now=january, author="tests")
    roles = [Grant(Role.OFFICER), Grant(Role.ADMINISTRATOR)]
    add_user(office, "anna", "Anna", PASSWORD, roles, own_password=True)
    with serving(replace(office, author="")) as running:
        visitor = running.client()
        assert "The first list will appear here." in visitor.get("/").text
        for address in ("/lists", "/tournaments", "/players?q=nobody", "/verify", "/api/v1/lists"):
            assert visitor.get(address).status_code == 200, address
        assert visitor.get("/lists/standard").status_code == 404

        anna = running.client("anna")
        for address in (
            "/desk",
            "/desk/lists",
            "/desk/corrections",
            "/desk/decisions",
            "/desk/draughts",
            "/desk/ledger",
            "/admin",
        ):
            assert anna.get(address).status_code == 200, address
        form = {
            "csrf": proof(anna, "/desk/players"),
            "name": "Rossi, Mario",
            "federation": "ITA",
            "born": "2001",
        }
        assert anna.post("/desk/acts/register/enter", data=form).headers["location"] == "/desk/players/1"
        assert visitor.get("/api/v1/search?q=rossi").json()["players"][0]["born"] == 2001
        user = {"csrf": proof(anna, "/admin"), "login": "bea", "password": PASSWORD, "role": "arbiter"}
        assert anna.post("/desk/acts/user/add", data=user).status_code == 303
        bea = running.client("bea")
        assert bea.get("/desk").headers["location"] == "/account/password"
        chosen = {"csrf": proof(bea, "/account/password"), "old": PASSWORD, "password": "fen-otto-lume-19"}
        assert bea.post("/account/password", data=chosen).headers["location"] == "/desk"
        assert bea.get("/desk").status_code == 200
        verified = anna.post("/desk/verify", data={"csrf": proof(anna, "/desk/ledger")})
        assert "Nothing has been altered." in verified.text

        assert [count_requests(office, "somebody", 1, 3) for _ in range(2)] == [3, 6]
        assert count_requests(office, "somebody", 2, 1) == 1
        token = issue_token(office, "bea", "club", ["submit"])
        assert user_of_token(office, token) is not None
        withdraw_token(office, 1)
        assert user_of_token(office, token) is None
        with pytest.raises(BadInput, match="login-taken"):
            add_user(office, "Bea", "", PASSWORD, [])


def test_a_nul_in_what_is_asked_is_no_failure_of_the_database(place: str) -> None:
    office = init(place, federation="ITA", name="Test", now=january, author="tests")
    add_user(office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    number = register_player(office, "Rossi, Mario", federation="ITA").id
    with serving(replace(office, author="")) as running:
        visitor, anna = running.client(), running.client("anna")
        assert visitor.get("/players?q=ross%00i").status_code in (200, 303)
        assert visitor.get("/api/v1/search?q=%00").status_code == 400
        form = {"csrf": proof(visitor, "/sign-in"), "login": "an\0na", "password": PASSWORD}
        assert visitor.post("/sign-in", data=form).status_code == 400
        form = {"csrf": proof(anna, "/desk/players"), "reason": "a\0b", "scheme": "fide", "value": "1\0"}
        answer = anna.post("/desk/acts/register/number", data={**form, "player": str(number)})
        assert answer.status_code in (303, 422)
        form = {
            "csrf": form["csrf"],
            "name": "Op\0en",
            "city": "",
            "federation": "ITA",
            "first_day": "2025-03-01",
            "last_day": "2025-03-02",
        }
        assert anna.post("/desk/acts/tournament/register", data=form).status_code == 303
