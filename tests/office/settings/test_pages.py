"""The settings in pages: what was saved is said above the form that was sent, and each field has its consequence."""

import re

import pytest

from arpad.office.settings.acts import all_settings
from arpad.web.declared_forms import START
from tests.builders.site_fixtures import SETTINGS, Served, compact, proof

PAGES = ("/admin", "/admin/site", "/admin/mail", "/admin/people")


def test_saved_is_said_above_the_form_that_was_sent(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin"), "from": "/admin?form=kept#kept", "set.keep_jobs": "45"}
    answer = client.post(SETTINGS, data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin?form=kept#kept")
    page = compact(client.get("/admin?form=kept").text)
    said = '<div class="done" role="status">Saved and recorded in the activity log.</div><form'
    assert page.count("Saved and recorded") == 1
    assert f'{said} class="panel" id="kept"' in page
    assert "Saved and recorded" not in client.get("/admin?form=kept").text


def test_a_setting_that_is_refused_comes_back_in_its_own_form_alone(own: Served) -> None:
    client = own.client("administrator")
    back = "/admin/site?form=languages#languages"
    form = {
        "csrf": proof(client, "/admin/site"),
        "from": back,
        "set.languages": ["", "it"],
        "set.language": "fr",
    }
    answer = client.post(SETTINGS, data=form)
    assert answer.status_code == 422
    page = answer.text
    languages = page[page.index('id="languages"') :]
    assert re.search(r'value="it" checked', languages)
    assert not re.search(r'value="en" checked', languages)
    assert page.count('id="refused"') == 1
    assert 'id="refused"' in languages
    stored = all_settings(own.office)["age_day"]
    assert f'<option value="{stored}" selected>' in page  # of the other form


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_every_setting_has_a_sentence_about_its_consequence(served: Served, language: str) -> None:
    client = served.client("administrator", language)
    fields = [
        it for page in PAGES for it in re.findall(r"<label>.*?</label>", client.get(page).text, re.DOTALL)
    ]
    settings = [it for it in fields if 'name="set.' in it]
    assert len(settings) > 20
    assert [it for it in settings if "<small>" not in it] == []


def test_a_form_leads_to_pages_of_the_desk_alone(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin"), "set.keep_jobs": "44", "from": "//other.example.org/admin#kept"}
    assert client.post(SETTINGS, data=form).headers["location"] == START
