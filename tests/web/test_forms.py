"""Forms: values read, refusals shown at their field, and a session that ends in the middle of one."""

import html
import re

import httpx
import pytest

from arpad.office.accounts.sessions import sign_out
from arpad.office.accounts.users import all_users
from arpad.office.settings.acts import all_settings
from tests.builders.site_fixtures import OPEN, PASSWORD, SETTINGS, Served, compact, proof
from tests.builders.verbs import ledger as office_ledger

PLAYER = "/desk/players/1"
NEW_K, OFFICIAL = "/desk/decisions/new/k", "/desk/decisions/new/official"
ENTER = "/desk/acts/register/enter"
CHANGE = f"{PLAYER}/change"
NUMBER = "/desk/acts/register/number"
MERGE, UNMERGE = "/desk/acts/merge", "/desk/acts/unmerge"
NAMED = {"set.name": "Neri, Ada"}
ADD = "/desk/acts/user/add"
BACK = {"from": "/admin/people"}


def sent(client: httpx.Client, page: str, action: str, **form: str | list[str]) -> httpx.Response:
    """A form of a page, filled in and sent."""
    return client.post(action, data={"csrf": proof(client, page), "from": page, **form})


def wrong(text: str) -> tuple[str, str]:
    """The field that is marked, and the sentence that describes it."""
    marked = re.findall(
        r'<(?:input|select)[^>]*name="([\w.]+)"[^>]*aria-describedby="refused"[^>]*autofocus', text
    )
    told = re.findall(r'id="refused"[^>]*>([^<]*)<', text)
    assert len(told) == 1, told
    assert 'role="alert"' in text
    return (marked[0] if marked else "", told[0])


@pytest.mark.parametrize(
    ("page", "action", "form", "field"),
    [
        (PLAYER, CHANGE, {**NAMED, "since": "soon", "reason": "x"}, "since"),
        (PLAYER, CHANGE, {**NAMED, "since": "2025-01-01", "reason": " "}, "reason"),
        (PLAYER, CHANGE, {"set.born": "May", "since": "2025-01-01", "reason": "x"}, "set.born"),
        (PLAYER, f"{PLAYER}/merge", {"dropped": "9999999", "reason": "twice"}, "dropped"),
        (PLAYER, f"{PLAYER}/merge", {"dropped": "two", "reason": "twice"}, "dropped"),
        (PLAYER, f"{PLAYER}/merge", {"dropped": "1", "reason": "twice"}, "dropped"),
        (PLAYER, NUMBER, {"scheme": "uscf", "value": "7", "reason": ""}, "scheme"),
        (PLAYER, f"{PLAYER}/hide", {"reason": " "}, "reason"),
        ("/desk/players", ENTER, {"name": "Neri, Ada", "born": "30/2/2001", "federation": "ITA"}, "born"),
        ("/desk/players", ENTER, {"name": " ", "federation": "ITA"}, "name"),
        ("/desk/players", ENTER, {"name": "Neri, Ada", "identifiers.fide": "x"}, "identifiers.fide"),
        (NEW_K, NEW_K,
         {"player": "1", "list": "rapid", "date": "2025-02-01", "value.k": "", "reason": "x"}, "value.k"),
        (OFFICIAL, OFFICIAL, {"report": "1", "reason": ""}, "reason"),
        (OFFICIAL, OFFICIAL, {"report": "999", "reason": "x"}, "report"),
        ("/desk/corrections", "/desk/corrections", {"list": "standard", "mode": "lists", "reason": ""}, "reason"),
        ("/desk/ledger", "/desk/publish", {"list": "standard", "day": "2031-02-02"}, "day"),
    ],
)  # fmt: skip
def test_a_refused_form_comes_back_filled_with_the_sentence_at_its_field(
    served: Served, page: str, action: str, form: dict[str, str], field: str
) -> None:
    hidden = {"player": "1"} if page == PLAYER and action == NUMBER else {}
    hidden |= {"kept": "1", "confirmed": ""} if action.endswith("/merge") else {}
    hidden |= {"player": "1"} if action.endswith("/hide") else {}
    answer = sent(served.client("officer"), page, action, **form, **hidden)

    assert answer.status_code == 422
    assert wrong(answer.text)[0] == field
    assert "<h1>" in answer.text
    for name, value in form.items():
        if value.strip() and name not in ("list", "kind", "mode", "scheme"):
            assert f'name="{name}"' in answer.text
            assert f'value="{value}"' in answer.text, name
    for name in {"kind", "mode"} & form.keys():
        assert re.search(rf'<option value="{form[name]}"[^>]* selected', answer.text), name


@pytest.mark.parametrize(
    ("page", "action", "form", "sentence"),
    [
        ("/desk/import", "/desk/import/preview", {"list": "standard", "day": ""}, "Manca «Giorno della lista»."),
        ("/desk/numbers", "/desk/acts/number/scheme", {"code": "X!", "name": "a", "pattern": "9", "reason": ""},
         "X! non è una sigla: da 2 a 12 lettere minuscole o cifre, a cominciare da una lettera."),
        ("/admin?form=office#office", SETTINGS, {"set.time_zone": ""}, "Manca «Fuso orario»."),
    ],
)  # fmt: skip
def test_a_sentence_has_the_label_that_its_field_has_on_the_page(
    served: Served, page: str, action: str, form: dict[str, str], sentence: str
) -> None:
    client = served.client("administrator" if "/admin" in page else "officer", language="it")
    answer = sent(client, page, action, **form)
    assert wrong(html.unescape(answer.text))[1] == sentence
    assert wrong(answer.text)[0]


def test_a_form_behind_a_heading_is_open_when_it_was_refused(own: Served) -> None:
    client = own.client("officer")
    sent(client, "/desk/arbiters", "/desk/acts/arbiter/register", name="Neri, Ada", federation="ITA")
    answer = sent(client, "/desk/arbiters", "/desk/acts/arbiter/license", arbiter="1", since="soon")
    assert wrong(answer.text)[0] == "since"
    assert answer.text.partition('id="refused"')[0].rpartition("<details")[2].startswith(" open")


def test_the_sentence_is_in_the_readers_language_and_the_title_says_so(served: Served) -> None:
    client = served.client("officer", "it")
    answer = sent(client, PLAYER, f"{PLAYER}/hide", player="1", reason="")

    assert wrong(answer.text)[1] == "Indica un motivo: resta nel registro degli atti."
    assert "<title>Da controllare: " in answer.text


def test_a_bad_date_of_a_draft_leads_back_to_the_list_it_was_for(served: Served) -> None:
    text = served.client("officer").get("/desk/draft?list=rapid&day=tomorrow").text
    form = next(part for part in text.split("<form") if 'id="refused"' in part)

    assert '<option value="rapid" selected>' in form
    assert 'value="tomorrow"' in form


def test_passwords_are_never_given_back(own: Served) -> None:
    client = own.client("administrator")
    answer = sent(client, "/admin/people", ADD, **BACK, login="eve!", password=PASSWORD, role="arbiter")

    assert answer.status_code == 422
    assert wrong(answer.text)[0] == "login"
    assert PASSWORD not in answer.text
    assert re.search(r'name="role" value="arbiter" checked', answer.text.partition(f'action="{ADD}"')[2])


def test_a_report_that_is_refused_comes_back_with_its_text_and_facts(served: Served) -> None:
    client = served.client("arbiter")
    form = {"name": "open.trf", "text": "012 Open\n", "registered": "yesterday", "time_control": "90+30"}
    answer = sent(client, "/check", "/check", **form)

    assert answer.status_code == 422
    assert wrong(answer.text)[0] == "registered"
    assert 'value="90+30"' in answer.text
    assert "012 Open" in answer.text


def test_nobody_is_told_on_a_page_to_type_a_command(own: Served) -> None:
    client = own.client("officer", "it")
    asked = client.get("/calculators/groups?players=40&rounds=20&groups=2&minimum=").text
    assert wrong(asked)[0] == "minimum"
    assert "--minimum" not in asked
    out = sent(client, "/desk/lists", "/desk/publish", list="standard", day="2024-12-01").text
    assert wrong(out)[0] == "day"
    assert "ormai cambia solo con una correzione" in out


# ------------------------------------------------------------------------------------------------ what is done


def test_the_desk_says_which_lists_a_merge_concerns(own: Served) -> None:
    client = own.client("officer", "en")
    merged = sent(client, PLAYER, MERGE, kept="1", dropped="47", confirmed="true", reason="twins")
    assert merged.status_code == 303
    for address in (PLAYER, "/desk/corrections"):
        shown = client.get(address).text
        assert "players were merged or separated since" in shown, address
        assert 'href="/desk/corrections"' in shown
    assert client.get("/players/47").headers["location"] == "/players/1"
    assert sent(client, PLAYER, UNMERGE, merge="1", reason="they are two").status_code == 303
    assert "players were merged or separated since" not in client.get(PLAYER).text
    assert client.get("/players/47").status_code == 200


@pytest.mark.parametrize("field", ["since", "office", "player", "reason", "password", ""])
def test_only_facts_of_a_player_are_corrected(served: Served, field: str) -> None:
    form = {"set.field": field, "set.value": "x", "since": "2025-01-01", "reason": "x"}
    answer = sent(served.client("officer"), PLAYER, CHANGE, **form)

    assert answer.status_code == 422
    assert wrong(answer.text)[0] == "", "no field of the page is called so"


@pytest.mark.parametrize(
    "match", [{"matches.1": "9" * 5000}, {"matches." + "9" * 5000: "1"}, {"matches.one": "1"}]
)
def test_whoever_an_entrant_is_said_to_be_is_a_number(own: Served, match: dict[str, str]) -> None:
    sender = own.client("arbiter")
    form = {"csrf": proof(sender, "/check"), "name": "open.trf", "text": OPEN.decode()}
    report = sender.post("/desk/send", data=form).headers["location"]

    assert (
        sent(
            own.client("officer"), "/desk", "/desk/acts/match", report=report.rpartition("/")[2], **match
        ).status_code
        == 422
    )


def test_what_is_not_there_is_said_with_404(served: Served) -> None:
    client = served.client("officer")

    assert client.get("/desk/reports/99999").status_code == 404
    assert client.get("/desk/players/9999999").status_code == 404


def test_the_desk_has_a_title_for_each_page_and_no_codes_of_its_own(served: Served) -> None:
    client = served.client("officer", "it")
    assert "<title>Correzioni – " in client.get("/desk/corrections").text
    numbers = compact(client.get("/desk/numbers").text)
    assert "tutti i rapporti di<b>scacchi</b>→ FIDE" in numbers
    assert "tutti i rapporti di<b>dama</b>→ FID" in numbers


def test_the_administration_confirms_a_new_user(own: Served) -> None:
    client = own.client("administrator")
    form = {"login": "nadia", "name": "Nadia Rossi", "password": "three random words", "role": "arbiter"}
    answer = sent(client, "/admin/people", ADD, **BACK, **form)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert '<div class="done" role="status">User “nadia” created. The temporary' in page
    assert "Nadia Rossi" in page


# ------------------------------------------------------------------------------------------------ empty forms


@pytest.mark.parametrize(
    "form", [{}, {"federation": ""}, {"active": "", "federation": ""}, {"federation": "ITA"}]
)
def test_an_empty_form_switches_nobody_off(own: Served, form: dict[str, str]) -> None:
    client, before = own.client("administrator"), all_users(own.office)
    assert sent(client, "/admin", "/desk/acts/user/change", **BACK, login="bound", **form).status_code == 422
    assert all_users(own.office) == before


@pytest.mark.parametrize(
    ("login", "page", "address"),
    [
        ("administrator", "/admin", SETTINGS),
        ("officer", "/account", "/account/mail"),
        ("officer", "/desk/fees", "/desk/acts/fee/set-table"),
        ("administrator", "/admin", "/desk/acts/settings/logo"),
        ("officer", "/desk/numbers", "/desk/acts/number/scheme"),
    ],
)
def test_an_empty_form_changes_nothing(own: Served, login: str, page: str, address: str) -> None:
    acts, settings = len(office_ledger(own.office)), all_settings(own.office)
    answer = sent(own.client(login), page, address, **{"from": page})
    assert (answer.status_code, len(office_ledger(own.office))) == (422, acts)
    assert all_settings(own.office) == settings


TEXT = OPEN.decode().replace("Open di Primavera", 'Open "di Primavera" & <d\'autunno>')


def hidden(text: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', text.partition("<main")[2])
    return {name: html.unescape(value) for name, value in found}


def ended(
    own: Served, fields: dict[str, str], path: str = "/desk/send"
) -> tuple[httpx.Client, httpx.Response]:
    """A form that is sent after the session was closed elsewhere; the browser still has its cookie."""
    client = own.client("arbiter")
    form = {"csrf": proof(client, "/check"), **fields}
    sign_out(own.office, client.cookies["arpad_session"])
    return client, client.post(path, data=form)


def test_a_report_waits_while_its_sender_signs_in_again(own: Served) -> None:
    client, answer = ended(own, {"name": "open.trf", "text": TEXT, "registered": "2018-04-01"})
    assert answer.status_code == 401
    assert "Nothing has been lost" in answer.text

    wrong = client.post(
        "/sign-in", data={**hidden(answer.text), "login": "arbiter", "password": "not this one"}
    )
    assert wrong.status_code == 400
    back = client.post("/sign-in", data={**hidden(wrong.text), "login": "arbiter", "password": PASSWORD})
    assert back.status_code == 200
    assert 'action="/desk/send"' in back.text

    held = hidden(back.text)
    assert held["text"].splitlines() == TEXT.splitlines()
    assert held["registered"] == "2018-04-01"
    place = client.post("/desk/send", data=held).headers["location"]
    assert "Open &#34;di Primavera&#34; &amp; &lt;d&#39;autunno&gt;" in client.get(place).text


def test_who_checked_a_report_before_signing_in_sends_that_very_report(served: Served) -> None:
    client = served.client()
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": TEXT}
    assert 'formaction="/desk/send"' in client.post("/check", data=form).text
    asked = client.post("/desk/send", data=form)
    assert asked.status_code == 401
    assert hidden(asked.text)["held-text"].splitlines() == TEXT.splitlines()


@pytest.mark.parametrize(
    "header", [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_nothing_is_held_that_comes_from_another_site(served: Served, header: dict[str, str]) -> None:
    answer = served.client().post("/desk/send", data={"text": "012 Trap"}, headers=header)
    assert answer.status_code == 401
    assert "012 Trap" not in answer.text


def test_only_what_was_typed_at_the_desk_is_held_and_nobody_is_led_elsewhere(own: Served) -> None:
    client, answer = ended(own, {"old": PASSWORD, "password": "a new one for me"}, "/account/password")
    assert answer.status_code == 401
    assert "a new one for me" not in answer.text
    form = {"csrf": proof(client, "/sign-in"), "login": "arbiter", "password": PASSWORD, "held-a": "b"}
    led = client.post("/sign-in", data={**form, "resume": "https://elsewhere.example/desk/send"})
    assert (led.status_code, led.headers["location"]) == (303, "/desk")
