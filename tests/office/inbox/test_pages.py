"""The inbox: figures and filters, the clean reports accepted together, several files and archives sent at once."""

import io
import re
import zipfile
from html import unescape

import httpx
import pytest
from playwright.sync_api import Browser, FilePayload, expect

from tests.builders.site_fixtures import OPEN, Served, compact, proof


def played(name: str, month: int, *, control: bool = True) -> bytes:
    """The open of the examples under another name in a month of 2024, with or without its time control."""
    text = OPEN.decode().replace("Open di Primavera", name)
    days = {"04/28": "25", "04/29": "26", "04/30": "27", "05/01": "28"}
    text = re.sub(r"(?:20)?18/(\d\d/\d\d)", lambda day: f"{day[0][:-8]}24/{month:02}/{days[day[1]]}", text)
    return (text if control else text.replace("122 ", "### ")).encode()


CUP = played("Winter Cup", 12)
NO_CONTROL = played("Silent Cup", 11, control=False)
NAME = re.compile(rb"([A-Z])\S+, ([A-Z])\S+ +")
BULLET = NAME.sub(
    lambda name: (name[1] + b"_" + name[2]).ljust(len(name[0])), played("Online Bullet", 10, control=False)
)


def archive(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, data in files.items():
            packed.writestr(f"{name}.trf", data)
    return stream.getvalue()


def upload(client: httpx.Client, *files: tuple[str, bytes], **texts: str) -> str:
    """The page after several files were sent."""
    form = {"csrf": proof(client, "/desk/upload"), **texts}
    answer = client.post("/desk/upload", data=form, files=[("file", (name, data)) for name, data in files])
    assert answer.status_code == 200, answer.text
    return compact(unescape(answer.text))


def outcome(page: str, name: str) -> list[str]:
    """The cells of a file's row."""
    (row,) = re.findall(rf"<tr><th scope=\"row\">{re.escape(name)}</th>(.*?)</tr>", page)
    return [re.sub(r"<[^>]+>", " ", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]


def rows(client: httpx.Client, query: str = "") -> dict[str, str]:
    """The rows of the inbox by name of the tournament."""
    page = compact(unescape(client.get(f"/desk/reports{query}").text))
    return {
        re.sub(r"<[^>]+>", "", name): row
        for row in re.findall(r"<tr>(.*?)</tr>", page)
        for name in re.findall(r"/desk/reports/\d+\">(.*?)</a>", row)
    }


def test_every_file_of_an_upload_is_named_with_its_outcome(own: Served) -> None:
    page = upload(
        own.client("arbiter"), ("cup.trf", CUP), ("more.zip", archive(silent=NO_CONTROL, bullet=BULLET)),
        ("picture.trf", b"\x89PNG\r\n\x1a\n\0\0"), ("broken.zip", b"PK\x03\x04 nothing"),
    )  # fmt: skip
    assert outcome(page, "cup.trf")[1] == "standard"
    assert outcome(page, "more.zip/silent.trf")[1] == "list undecided"
    assert outcome(page, "more.zip/bullet.trf")[1] == "list undecided"
    assert "picture.trf" in page
    assert "is not a complete archive" in outcome(page, "broken.zip")[0]
    again = upload(own.client("arbiter"), ("cup.trf", CUP))
    assert "already stored" in outcome(again, "cup.trf")[0]
    other = upload(own.client("bound"), ("cup.trf", CUP))
    assert "/desk/reports/" not in re.findall(r"<tr><th scope=\"row\">cup.*?</tr>", other)[0]


def test_the_list_of_all_files_can_be_stated(own: Served) -> None:
    page = upload(own.client("officer"), ("silent.trf", NO_CONTROL), list="rapid")
    assert outcome(page, "silent.trf")[1] == "rapid"


def test_the_inbox_shows_figures_and_filters(own: Served) -> None:
    officer = own.client("officer")
    upload(officer, ("cup.trf", CUP), ("silent.trf", NO_CONTROL), ("bullet.trf", BULLET))
    shown = rows(officer)
    assert re.search(r'data-label="Players">15<', shown["Winter Cup"])
    assert re.search(r'data-label="Errors">0<', shown["Winter Cup"])
    assert re.search(r'data-label="Age">0 days<', shown["Winter Cup"])
    assert 'Due at FIDE" title="31 January 2025">in 16 days<' in shown["Winter Cup"]
    assert re.search(r'data-label="Due at FIDE">–<', shown["Silent Cup"])  # its list is not known
    assert "list undecided" in shown["Silent Cup"]
    assert rows(officer, "?list=undecided&status=received").keys() == {"Silent Cup", "Online Bullet"}
    assert {"Silent Cup", "Online Bullet"} <= rows(officer, "?errors=yes").keys()
    assert "Winter Cup" not in rows(officer, "?errors=yes")
    assert "Winter Cup" in rows(officer, "?errors=no&list=standard")
    assert not rows(officer, "?federation=FRA")
    assert rows(officer, "?sender=officer").keys() == {"Winter Cup", "Silent Cup", "Online Bullet"}
    assert not rows(officer, "?sender=nobody&list=nonsense&errors=%00")


def test_the_clean_reports_are_shown_and_then_accepted_together(own: Served) -> None:
    officer = own.client("officer")
    upload(officer, ("cup.trf", CUP), ("silent.trf", NO_CONTROL), ("bullet.trf", BULLET))
    page = officer.get("/desk/clean").text
    numbers = re.findall(r'name="report" value="(\d+)" checked', page)
    names = {name for name in ("Winter Cup", "Silent Cup", "Online Bullet") if name in page}
    assert names == {"Winter Cup"}
    every = [
        row.partition("/desk/reports/")[2].partition('"')[0]
        for row in rows(officer, "?status=received").values()
    ]
    answer = officer.post("/desk/clean", data={"csrf": proof(officer, "/desk/clean"), "report": every})
    told = unescape(answer.text)
    assert "1 report accepted" in told
    assert told.count("on which list it counts is undecided") == 2
    assert set(numbers) & set(every)
    assert rows(officer, "?status=received").keys() >= {"Silent Cup", "Online Bullet"}
    assert "Winter Cup" in rows(officer, "?status=accepted")
    nothing = officer.post("/desk/clean", data={"csrf": proof(officer, "/desk/clean")})
    assert (nothing.status_code, "Choose the reports to accept" in nothing.text) == (422, True)


def test_an_officer_of_another_federation_and_an_arbiter_accept_nothing(own: Served) -> None:
    upload(own.client("officer"), ("cup.trf", CUP))
    (row,) = [row for name, row in rows(own.client("officer")).items() if name == "Winter Cup"]
    number = row.partition("/desk/reports/")[2].partition('"')[0]
    bound = own.client("bound")
    assert "Winter Cup" not in bound.get("/desk/clean").text
    form = {"csrf": proof(bound, "/desk/upload"), "report": number}
    assert bound.post("/desk/clean", data=form).status_code == 403
    assert own.client("arbiter").get("/desk/clean").status_code == 403


@pytest.mark.parametrize(
    ("stated", "on_list"),
    [({"list": "blitz", "time_control": ""}, "blitz"), ({"list": "", "time_control": "15+10"}, "rapid")],
)
def test_an_undecided_list_is_stated_on_the_page_and_cannot_be_set_aside(
    own: Served, stated: dict[str, str], on_list: str
) -> None:
    officer = own.client("officer")
    page = upload(officer, ("silent.trf", NO_CONTROL))
    (address,) = set(re.findall(r"/desk/reports/\d+", page))
    text = officer.get(address).text
    assert "Choose the list" in text
    assert 'name="overrule" value="list-undecided"' not in text
    form = {"csrf": proof(officer, address), "reason": "it was", "overrule": ["list-undecided", "late"]}
    refused = officer.post(
        "/desk/acts/accept", data=form | {"report": address.rpartition("/")[2], "from": address}
    )
    assert (refused.status_code, "cannot be overruled" in refused.text) == (422, True)
    decided = officer.post(
        f"{address}/facts", data={"csrf": proof(officer, address), "reason": "letter", **stated}
    )
    assert decided.status_code == 303
    assert "Choose the list" not in officer.get(address).text
    assert on_list in rows(officer)["Silent Cup"]


PARTS = {"preview": "Preview of the changes", "cross-table": "Crosstable", "lines": "Lines of the report"}


def test_the_page_of_a_report_shows_the_table_the_lines_the_players_and_the_preview(own: Served) -> None:
    officer = own.client("officer")
    (address,) = set(re.findall(r"/desk/reports/\d+", upload(officer, ("open.trf", OPEN))))
    text = compact(officer.get(address).text)
    assert re.search(r"<summary>[0-9]+ players: ", text)
    contents = compact(officer.get(f"{address}/contents").text)
    for part, heading in PARTS.items():  # one click away
        assert re.search(f'<a href="{address}/contents#{part}" data-unfold( data-open)?>{heading}</a>', text)
        assert f'<section id="{part}"><h2>{heading}</h2>' in contents
    assert 'class="cross"' in contents
    assert 'id="line-1"' in contents
    codes = [
        unescape(code)
        for code in re.findall(
            r'<li class="(?:error|warning|info)"><span[^>]*><b>[^<]*</b></span>([^<]*)', text
        )
    ]
    assert len(codes) == len(set(codes))


def test_the_contents_of_a_report_unfold_on_its_page_in_a_browser(own: Served, browser: Browser) -> None:
    officer = own.client("officer")
    (address,) = set(re.findall(r"/desk/reports/\d+", upload(officer, ("open.trf", OPEN))))
    context = browser.new_context(locale="en-GB", base_url=own.address)
    for cookie in officer.cookies.jar:
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": own.address}])
    page = context.new_page()
    fetched: list[str] = []
    page.on(
        "request", lambda request: fetched.append(request.url) if request.url.endswith("/contents") else None
    )
    page.goto(address)
    expect(page.locator("table.cross")).to_be_visible()
    assert page.locator("table.cross").get_attribute("aria-label") == "Crosstable"
    expect(page.locator("section#p1, table.close").first).to_be_visible()
    page.locator("main a[data-line]").first.click()
    expect(page.locator(".lines li:target")).to_be_in_viewport()
    assert page.url.startswith(f"{own.address}{address}#line-")
    assert len(fetched) == 1
    context.close()


def test_several_files_are_sent_with_progress_in_a_browser(own: Served, browser: Browser) -> None:
    context = browser.new_context(locale="en-GB")
    for cookie in own.client("officer").cookies.jar:
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": own.address}])
    page = context.new_page()
    page.goto(f"{own.address}/desk/upload")
    page.set_input_files(
        "input[type=file]",
        [
            FilePayload(name=name, mimeType="text/plain", buffer=data)
            for name, data in (("cup.trf", CUP), ("silent.trf", NO_CONTROL))
        ],
    )
    page.click("form[data-upload] button")
    page.wait_for_selector("[data-progress] p:text-matches('^2 of 2')")
    assert page.locator("#outcomes tbody tr").count() == len(("cup.trf", "silent.trf"))
    assert page.inner_text("#outcomes tbody tr:nth-child(2)").startswith("silent.trf")
    context.close()
